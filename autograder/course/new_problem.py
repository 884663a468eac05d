"""A name and the kinds of its parts become the files of a new problem, listed in its course."""

from __future__ import annotations

import keyword
import re
import secrets
import tomllib
from collections.abc import Sequence
from pathlib import Path

from autograder.course.load import INDEX, SECRET
from autograder.course.read_foreign import read_foreign
from autograder.course.templates import TEMPLATES, problem_text, solution_text, test_text
from autograder.course.write_imported import import_cells
from autograder.errors import UsageError

_NAME = re.compile(r"[a-z][a-z0-9_]*")


def begin_problem(root: Path, name: str, kinds: Sequence[str], set_id: str | None = None) -> list[str]:
    """Write the files of a new problem, and of a new course where there is none; tells what was written."""
    _check_name(name)
    for kind in kinds:
        if kind not in TEMPLATES:
            raise UsageError(f"there is no kind {kind!r} of part; there are {', '.join(TEMPLATES)}")
    tests = Path("tests/course") if (root / "tests" / "course").is_dir() else Path("tests")
    files = {
        Path("problems") / f"{name}.py": problem_text(name, kinds),
        Path("solutions") / f"{name}.py": solution_text(name, kinds),
        tests / f"test_{name}.py": test_text(name, up=len(tests.parts)),
    }
    return _write(root, name, set_id, files)


def import_problem(
    root: Path, notebook: Path, form: str, name: str | None = None, set_id: str | None = None
) -> tuple[list[str], list[str]]:
    """Write the files of a problem that a foreign notebook holds; what was written, and what to look at."""
    name = name or re.sub(r"\W+", "_", notebook.stem).strip("_").lower()
    _check_name(name)
    made = import_cells(name, read_foreign(notebook, form))
    files = {
        Path("problems") / f"{name}.py": made.problem,
        Path("solutions") / f"{name}.py": made.solution,
    }
    if made.given:
        files[Path("problems") / "given" / f"{name}.py"] = made.given
    return _write(root, name, set_id, files), made.notes


def _check_name(name: str) -> None:
    if not _NAME.fullmatch(name):
        raise UsageError(
            f"{name!r} is no name for a problem: begin with a small letter, then small letters, digits and "
            "underscores, such as layer_norm"
        )
    if keyword.iskeyword(name):
        raise UsageError(f"{name!r} is a word of Python's own and no name for a problem: try {name}_problem")


def _write(root: Path, name: str, set_id: str | None, files: dict[Path, str]) -> list[str]:
    index = root / INDEX
    for path in files:
        if (root / path).exists():
            raise UsageError(f"{path} is there already: edit it, or begin a problem of another name")
    old = index.read_text(encoding="utf-8") if index.is_file() else None
    text = list_problem(old, name, set_id) if old is not None else new_index(root, name, set_id)
    if not (root / SECRET).is_file():
        files[SECRET] = secrets.token_urlsafe(32) + "\n"
    files[INDEX] = text  # last: until then the course does not know the problem
    for path, content in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(content, encoding="utf-8")
    return [path.as_posix() for path in files]


def new_index(root: Path, name: str, set_id: str | None) -> str:
    """The course.toml of a course that begins with this problem."""
    set_id = set_id or "week1"
    title = root.resolve().name.replace("_", " ").capitalize()
    return f"title = {_quoted(title)}\n{_table(set_id, name)}"


def list_problem(text: str, name: str, set_id: str | None) -> str:
    """A course.toml with one more problem in a set; everything else in it stays as it was written."""
    sets = tomllib.loads(text).get("sets", {})
    if set_id is None and len(sets) == 1:
        (set_id,) = sets
    if set_id is None:
        raise UsageError(f"say in which set {name} is: --set with one of {', '.join(sets)}, or a new name")
    if set_id not in sets:
        return _checked(f"{text.rstrip()}\n{_table(set_id, name)}", set_id, [name])
    members = [*sets[set_id].get("problems", []), name]
    # The list of this table: from its header to the bracket that closes its problems.
    pattern = rf"(^\[sets\.{re.escape(set_id)}\][^\[]*?^problems\s*=\s*\[)([^\]]*)\]"
    match = re.search(pattern, text, re.MULTILINE)
    if match is None:
        raise UsageError(f"add {name!r} to the problems of the set {set_id!r} in {INDEX} by hand")
    listed = match[2].rstrip()
    if "\n" in match[2]:
        listed = f'{listed}{"" if listed.endswith(",") else ","}\n    "{name}",\n'
    else:
        listed = f'{listed.rstrip(",")}, "{name}"' if listed else f'"{name}"'
    return _checked(f"{text[: match.start()]}{match[1]}{listed}]{text[match.end() :]}", set_id, members)


def _table(set_id: str, name: str) -> str:
    if not _NAME.fullmatch(set_id):
        raise UsageError(f"{set_id!r} is no name for a set: use small letters, digits and underscores")
    title = set_id.replace("_", " ").capitalize()
    return f'\n[sets.{set_id}]\ntitle = {_quoted(title)}\nproblems = ["{name}"]\n'


def _quoted(text: str) -> str:
    return '"' + re.sub(r'[\\"\x00-\x1f]', "", text) + '"'


def _checked(text: str, set_id: str, members: Sequence[str]) -> str:
    try:
        right = tomllib.loads(text)["sets"][set_id]["problems"] == list(members)
    except (tomllib.TOMLDecodeError, KeyError):
        right = False
    if not right:
        raise UsageError(f"add {members[-1]!r} to the problems of the set {set_id!r} in {INDEX} by hand")
    return text
