"""What an author gives along with a problem: code, files and packages, each found, read and checked."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from pathlib import PurePosixPath

from autograder.course.model import Problem

FOLDER = "problems"
MOST_BYTES = 8 << 20  # of a problem's files together: every submission is handed a copy
EVERYWHERE = ("torch", "numpy", "matplotlib")  # that any submission may import, beside Python's own modules
_NAME = re.compile(r"[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?")


def sets_problem(source: bytes) -> bool:
    """Whether a file of problems/ is a problem, or fails to be one; code that is given is neither."""
    try:
        body = ast.parse(source).body
    except (SyntaxError, ValueError):
        return True  # whoever loads it says where it is broken
    targets = (
        target
        for node in body
        if isinstance(node, ast.Assign | ast.AnnAssign)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
    )
    return any(isinstance(target, ast.Name) and target.id == "problem" for target in targets)


def with_given(problem: Problem, files: Mapping[str, bytes]) -> Problem:
    """The problem with its given code and its files as they were read; what is missing is left out."""
    code = files.get(f"{FOLDER}/{problem.given}", b"") if problem.given else b""
    data = {name: files[f"{FOLDER}/{name}"] for name in problem.files if f"{FOLDER}/{name}" in files}
    text = code.decode("utf-8", "replace").replace("\r\n", "\n").strip()
    return replace(problem, files=tuple(problem.files), given_code=text, data=data)


def given_faults(problem: Problem, files: Mapping[str, bytes]) -> Iterator[str]:
    """Given code and files that are not there or cannot be handed out."""
    if problem.given:
        yield from _place_faults("given", problem.given, files)
        yield from _code_faults(problem, files.get(f"{FOLDER}/{problem.given}", b""))
    for name in problem.files:
        yield from _place_faults("files", name, files)
        if name.endswith((".py", ".ipynb", ".toml")):
            yield f"files names {name!r}: code is given with given=, and a course's own files stay at home"
    size = sum(len(files.get(f"{FOLDER}/{name}", b"")) for name in problem.files)
    if size > MOST_BYTES:
        yield f"its files hold {size:,} bytes; together they may hold {MOST_BYTES:,}"


def _place_faults(field: str, name: object, files: Mapping[str, bytes]) -> Iterator[str]:
    if not isinstance(name, str):
        yield f"{field} names {name!r}; name a file by its path below {FOLDER}/, as text"
        return
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or "\\" in name or str(path) != name:
        yield f"{field} names {name!r}; write its path below {FOLDER}/, such as data/names.txt"
    elif f"{FOLDER}/{name}" not in files:
        yield f"{field} names {name!r}, but there is no {FOLDER}/{name}"


def _code_faults(problem: Problem, source: bytes) -> Iterator[str]:
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError) as error:
        line = f":{error.lineno}" if isinstance(error, SyntaxError) and error.lineno else ""
        yield f"{FOLDER}/{problem.given}{line} is no Python: {error}"
        return
    parts = {part.name for part in problem.parts}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name in parts:
            yield f"{FOLDER}/{problem.given}:{node.lineno} defines {node.name}, which is asked for"


# ---------------------------------------------------------------- packages


def package_faults(table: object, *, installed: bool) -> Iterator[str]:
    """Settings of [packages] that do not exist; with `installed`, packages that are not there."""
    if not isinstance(table, Mapping):
        yield 'packages is no table; write [packages] with allow = ["einops"]'
        return
    yield from (f"[packages] has no setting {name!r}; there is allow" for name in table if name != "allow")
    allowed = table.get("allow", [])
    if not isinstance(allowed, list) or not all(isinstance(name, str) for name in allowed):
        yield '[packages] allow is a list of names: allow = ["einops"]'
        return
    for name in allowed:
        if not _NAME.fullmatch(name):
            yield f"[packages] allow names {name!r}, which is no name of a package"
        elif installed and not installed_version(name):
            yield f"[packages] allows {name!r}, which is not installed here: python -m pip install {name}"


def installed_version(package: str) -> str:
    """The version that is installed, or nothing."""
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def import_names(packages: Sequence[str]) -> tuple[str, ...]:
    """The names under which packages are imported: scikit-learn is sklearn."""
    return tuple(sorted({name for package in packages for name in _names_of(_normal(package))}))


def _names_of(package: str) -> list[str]:
    """A package's name where it is imported by it: what else it brings are often its scripts and tests."""
    names = [name for name, owners in _importable().items() if package in owners]
    return [name for name in names if _normal(name) == package] or names


def importable(allowed: Sequence[str]) -> str:
    """What a submission may import beside Python's own modules: the usual, and the names that are allowed."""
    *some, last = (*EVERYWHERE, *allowed)
    return f"{', '.join(some)} and {last}"


@cache
def _importable() -> dict[str, frozenset[str]]:
    found = packages_distributions()
    return {
        name: frozenset(map(_normal, owners)) for name, owners in found.items() if not name.startswith("_")
    }


def _normal(package: str) -> str:
    return re.sub(r"[-_.]+", "-", package).lower()
