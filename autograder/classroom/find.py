"""A folder of submissions becomes a list of notebooks with their students, and a list of what was skipped."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from autograder.course import Course
from autograder.errors import UsageError

IGNORED = frozenset({"timestamp.txt", ".DS_Store", "Thumbs.db"})


@dataclass(frozen=True, order=True)
class Handin:
    """One notebook of one student: where it lies, and what it answers."""

    student: str
    set: str
    problem: str
    path: Path


@dataclass(frozen=True)
class Found:
    """What lies in a folder of submissions: hand-ins in order, and each skipped file with the reason."""

    handins: tuple[Handin, ...]
    skipped: tuple[str, ...]


def find_handins(folder: Path, course: Course) -> Found:
    """Notebooks laid out as <student>/<set>/<problem>.ipynb."""
    if not folder.is_dir():
        raise UsageError(f"{folder} is not a folder of submissions")
    handins, skipped = [], []
    for path in sorted(_files(folder)):
        place = path.relative_to(folder)
        if path.name in IGNORED or ".ipynb_checkpoints" in place.parts:
            continue
        reason = _reason_to_skip(path, place, folder, course)
        if reason:
            skipped.append(f"{place}: {reason}")
        else:
            student, set_id, name = place.parts
            handins.append(Handin(student, set_id, Path(name).stem, path))
    return Found(tuple(handins), tuple(skipped))


def _files(folder: Path) -> Iterable[Path]:
    # rglob does not follow links to folders, so a link cannot lead out of the class or round in circles.
    return (path for path in folder.rglob("*") if path.is_symlink() or path.is_file())


def _reason_to_skip(path: Path, place: Path, folder: Path, course: Course) -> str:
    if path.suffix != ".ipynb":
        return "not a notebook"
    if len(place.parts) != 3:
        return "expected <student>/<set>/<problem>.ipynb"
    if path.is_symlink():
        return "a link to another file is not a submission"
    _, set_id, name = place.parts
    if course.find(set_id, Path(name).stem) is None:
        return f"the course has no problem {Path(name).stem!r} in a set {set_id!r}"
    return ""
