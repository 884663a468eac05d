"""Where a check finds its data: beside the notebook or above it, else, for authors, the course itself."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from autograder.check.sheet import Sheet
from autograder.check.store import decode
from autograder.course import INDEX
from autograder.errors import UsageError

FOLDER = "checks"


def find_sheet(problem: str, start: Path) -> Sheet:
    """The sheet of a problem for a notebook in the folder `start`; UsageError says where to put it."""
    folders = (start.resolve(), *start.resolve().parents)
    for folder in folders:
        path = folder / FOLDER / f"{problem}.safetensors"
        if path.is_file():
            return _load(path, path.stat().st_mtime_ns)
    course = next((folder for folder in folders if (folder / INDEX).is_file()), None)
    if course is not None:
        return _from_course(course, problem)
    raise UsageError(
        f"the data of this check is missing: put the folder {FOLDER} that was handed out, "
        f"with {problem}.safetensors in it, beside the notebook in {start.resolve()}"
    )


@lru_cache(maxsize=8)
def _load(path: Path, changed: int) -> Sheet:
    return decode(path.read_bytes(), f"{FOLDER}/{path.name}")


@lru_cache(maxsize=8)
def _from_course(root: Path, problem: str) -> Sheet:
    from autograder.check.gather import gather
    from autograder.course import load_course

    course = load_course(root)
    if problem not in course.problems:
        raise UsageError(f"the course has no problem {problem!r}; it has {', '.join(course.problems)}")
    return gather(course, course.problems[problem])
