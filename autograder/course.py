"""A folder with problems/ and solutions/ becomes a Course, or one error that lists every fault in it."""

from __future__ import annotations

import importlib.util
import os
import sys
import tomllib
import traceback
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import ModuleType
from typing import Any

from autograder.course_faults import (
    find_mistakes,
    limit_faults,
    lost_definitions,
    problem_faults,
    solution_faults,
)
from autograder.errors import CourseError, UsageError
from autograder.model import Code, Key, Problem, Prose, Solution

INDEX = Path("problems") / "course.toml"
SECRET = Path("solutions") / "secret.txt"
SECRET_VARIABLE = "AUTOGRADER_SECRET"


@dataclass(frozen=True)
class ProblemSet:
    """A named group of problems that is handed out together."""

    id: str
    title: str
    problems: tuple[str, ...]


@dataclass(frozen=True)
class Course:
    """Everything a course says, loaded and checked."""

    root: Path
    title: str
    sets: tuple[ProblemSet, ...]
    problems: Mapping[str, Problem]
    solutions: Mapping[str, Solution]
    secret: str
    limits: Mapping[str, Any] = field(default_factory=dict)

    @property
    def assignments(self) -> Iterator[tuple[ProblemSet, Problem]]:
        """Every set with each of its problems, in the order of course.toml."""
        for group in self.sets:
            for name in group.problems:
                yield group, self.problems[name]

    def find(self, set_id: str, problem_id: str) -> Problem | None:
        """The problem, if the set has it."""
        listed = any(group.id == set_id and problem_id in group.problems for group in self.sets)
        return self.problems[problem_id] if listed else None


def find_course(start: Path, given: Path | None = None) -> Path:
    """The given folder, or the nearest one upwards that has problems/course.toml."""
    if given is not None:
        if not (given / INDEX).is_file():
            raise UsageError(f"{given} is not a course: it has no {INDEX}")
        return given.resolve()
    for folder in (start.resolve(), *start.resolve().parents):
        if (folder / INDEX).is_file():
            return folder
    raise UsageError(
        f"no course here: no {INDEX} in {start.resolve()} or above it; name one with --course DIR"
    )


def load_course(root: Path, *, solutions: bool = True) -> Course:
    """Load and check a course; without `solutions` nothing heavy is imported."""
    faults: list[str] = []
    index = _read_index(root)
    problems = _load_problems(root, faults)
    sets = _read_sets(index, problems, faults)
    faults.extend(f"{INDEX}: {fault}" for fault in limit_faults(index.get("limits", {})))
    answers = _load_solutions(root, problems, faults) if solutions else {}
    secret = _read_secret(root, faults) if solutions else ""
    if faults:
        raise CourseError(faults)
    return Course(
        root, str(index.get("title", root.name)), sets, problems, answers, secret, index.get("limits", {})
    )


def _read_index(root: Path) -> dict[str, Any]:
    try:
        return tomllib.loads((root / INDEX).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise CourseError(f"{INDEX}: cannot be read: {error}") from error


def _read_sets(
    index: Mapping[str, Any], problems: Mapping[str, Problem], faults: list[str]
) -> tuple[ProblemSet, ...]:
    sets = []
    for id, table in index.get("sets", {}).items():
        members = tuple(table.get("problems", ())) if isinstance(table, dict) else ()
        if not members:
            faults.append(f'{INDEX}: set {id!r} lists no problems; write problems = ["…"]')
        faults.extend(
            f"{INDEX}: set {id!r} lists {name!r}, but there is no problems/{name}.py"
            for name in members
            if name not in problems and not _broken(faults, name)
        )
        title = table.get("title", id) if isinstance(table, dict) else id
        sets.append(ProblemSet(id, title, members))
    if not sets:
        faults.append(f'{INDEX}: no sets; write [sets.NAME] with problems = ["…"]')
    listed = {name for group in sets for name in group.problems}
    faults.extend(
        f"problems/{name}.py is in no set; list it in {INDEX}" for name in problems if name not in listed
    )
    return tuple(sets)


def _broken(faults: list[str], name: str) -> bool:
    """Whether a problem is absent only because its file has a fault of its own."""
    return any(fault.startswith(f"problems/{name}.py") for fault in faults)


def _load_problems(root: Path, faults: list[str]) -> dict[str, Problem]:
    problems = {}
    for path in sorted((root / "problems").glob("*.py")):
        place = f"problems/{path.name}"
        module = import_file(path, place, faults)
        if module is None:
            continue
        problem = getattr(module, "problem", None)
        if not isinstance(problem, Problem):
            faults.append(f"{place} has no problem; end it with problem = Problem(…)")
            continue
        faults.extend(f"{place}: {fault}" for fault in problem_faults(problem))
        problems[path.stem] = replace(problem, id=path.stem, parts=tuple(problem.parts))
    return problems


def _load_solutions(root: Path, problems: Mapping[str, Problem], faults: list[str]) -> dict[str, Solution]:
    solutions = {}
    for path in sorted((root / "solutions").glob("*.py")):
        if path.stem not in problems and not _broken(faults, path.stem):
            faults.append(f"solutions/{path.name} answers no problem: there is no problems/{path.name}")
    for name, problem in problems.items():
        path = root / "solutions" / f"{name}.py"
        place = f"solutions/{name}.py"
        if not path.is_file():
            faults.append(f"{place} is missing; problems/{name}.py needs its answers there")
            continue
        module = import_file(path, place, faults)
        if module is None:
            continue
        faults.extend(f"{place}{fault}" for fault in solution_faults(problem, module))
        solutions[name] = _solution(problem, module)
    return solutions


def _solution(problem: Problem, module: ModuleType) -> Solution:
    answers: dict[str, Any] = {}
    for part in problem.parts:
        answer = getattr(module, part.name, None)
        if isinstance(answer, str) and not isinstance(part, Code | Prose):
            answer = Key(answer)
        answers[part.name] = answer
    return Solution(answers, tuple(find_mistakes(module)))


def _read_secret(root: Path, faults: list[str]) -> str:
    if secret := os.environ.get(SECRET_VARIABLE):
        return secret
    path = root / SECRET
    text = path.read_text(encoding="utf-8").strip() if path.is_file() else ""
    if not text:
        faults.append(
            f"{SECRET} is missing or empty: hidden inputs are drawn from it; "
            f"write any long random text into it, or set {SECRET_VARIABLE}"
        )
    return text


def import_file(path: Path, place: str, faults: list[str]) -> ModuleType | None:
    """Load a file of a course by its path; what goes wrong is added to the faults."""
    name = f"autograder_course_{path.parent.name}_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    write_bytecode, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        spec.loader.exec_module(module)
    except Exception as error:  # any fault of an author's file is reported with its line
        lines = [
            frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)
        ]
        line = error.lineno if isinstance(error, SyntaxError) else (lines[-1] if lines else None)
        faults.append(
            f"{place}{f':{line}' if line else ''} cannot be loaded: {type(error).__name__}: {error}"
        )
        return None
    finally:
        sys.dont_write_bytecode = write_bytecode
    faults.extend(f"{place}: {fault}" for fault in lost_definitions(path.read_text(encoding="utf-8")))
    return module
