"""All that decides a mark, as one short text: the grader itself, the course as loaded, limits, isolation."""

from __future__ import annotations

import hashlib
import json
import platform
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.metadata import version
from pathlib import Path

import autograder
from autograder.course.given_files import installed_version
from autograder.course.load import INDEX, SECRET, Course
from autograder.course.named_mistakes import place_of
from autograder.grade.report import Report
from autograder.sandbox.tiers import choose

PACKAGE = Path(__file__).resolve().parent.parent
# Of course.toml these say what is handed out and when; marks rest on the rest of it.
NOT_DECIDING = frozenset({"title", "sets", "late"})
EXTENSIONS = "solutions/extensions.toml"


@cache
def versions() -> dict[str, str]:
    """What must be alike for two machines to give the same marks in the same words.

    Every file of the package counts, grammars, templates and tables too, down to its bytes.
    """
    code = hashlib.sha256()
    for path in sorted(PACKAGE.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            code.update(path.relative_to(PACKAGE).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    found = {name: version(name) for name in ("torch", "numpy", "scipy")}
    python = ".".join(platform.python_version_tuple()[:2])
    return {"autograder": f"{autograder.__version__} ({code.hexdigest()[:8]})", "python": python, **found}


def key_of(course: Course, problem: str, limits: Mapping[str, float], *, isolation: bool) -> str:
    """Changes with whatever could change a mark or a word of this problem, and with nothing else."""
    allowed = {name: installed_version(name) for name in course.packages}
    # Whether a notebook has a folder to write in depends on the machine, and a cell that writes on it.
    walls = [isolation, bool(choose(isolation, bubblewrap=True, file_mb=1).scratch)]
    whole = [versions(), allowed, sorted(limits.items()), walls, _course_key(course, problem)]
    return hashlib.sha256(json.dumps(whole).encode()).hexdigest()[:16]


def signature(course: Course, problem: str) -> tuple[str, str]:
    """By what grader and what course a report is made, for those who read it later."""
    return _grader(), _course_key(course, problem)


def told_others(course: Course, reports: Sequence[Report]) -> list[str]:
    """A sentence on reports that another grader made, and on those of a course that has changed since."""
    notes = []
    graders = Counter(report.grader or "an earlier version" for report in reports)
    del graders[_grader()]
    for grader, count in sorted(graders.items()):
        notes.append(f"{_of(count, reports)} graded by {grader}; this is {_grader()}")
    changed = {name: _course_key(course, name) for name in sorted({report.problem for report in reports})}
    moved = [report for report in reports if report.course not in ("", changed[report.problem])]
    if moved:
        named = ", ".join(sorted({report.problem for report in moved}))
        notes.append(
            f"{_of(len(moved), reports)} graded before the course was changed, or by another course: {named}"
        )
    return [f"{note}: for marks and words of today, run autograder grade again" for note in notes]


def _of(count: int, reports: Sequence[Report]) -> str:
    return f"{count} of {len(reports)} notebooks {'was' if count == 1 else 'were'}"


def _grader() -> str:
    return ", ".join(f"{name} {number}" for name, number in versions().items())


def _course_key(course: Course, problem: str) -> str:
    """Of the course as it was loaded: a file that is saved a moment later belongs to the next run."""
    digest = hashlib.sha256()
    for name, data in _deciding_files(course, problem):
        digest.update(name.encode() + b"\0" + hashlib.sha256(data).digest())
    return digest.hexdigest()[:16]


def _deciding_files(course: Course, problem: str) -> Iterator[tuple[str, bytes]]:
    others = {f"{folder}/{name}.py" for folder in ("problems", "solutions") for name in course.problems}
    others |= {place_of(name) for name in course.problems}
    others -= {f"problems/{problem}.py", f"solutions/{problem}.py", place_of(problem)}
    others |= {INDEX.as_posix(), SECRET.as_posix(), EXTENSIONS}
    yield from ((name, data) for name, data in sorted(course.files.items()) if name not in others)
    index = tomllib.loads(course.files.get(INDEX.as_posix(), b"").decode("utf-8"))
    rest = {name: table for name, table in index.items() if name not in NOT_DECIDING}
    yield INDEX.as_posix(), json.dumps(rest, sort_keys=True, default=str).encode()
    yield SECRET.as_posix(), course.secret.encode()
