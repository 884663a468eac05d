"""What earlier runs left in OUT of hand-ins that are no longer among the submissions is found and removed."""

from __future__ import annotations

import shutil
from collections.abc import Collection, Iterable
from contextlib import suppress
from pathlib import Path

from autograder.classroom.class_folders import OWN
from autograder.grade.report import Identity, ResultRow

# Where each of a student's notebooks has a file: <student>/<set>/<problem>.*


def find_leftovers(
    out: Path, rows: Iterable[ResultRow], present: Collection[Identity]
) -> tuple[Identity, ...]:
    """The hand-ins that OUT knows and the submissions no longer have.

    Only in sets that are handed in now: another homework that was graded into the same folder stays.
    """
    sets = {set_id for _, set_id, _ in present}
    known = {row.identity for row in rows}
    for folder in OWN:
        for path in (out / folder).glob("*/*/*"):
            if path.suffix in (".html", ".ipynb"):
                known.add((path.parts[-3], path.parts[-2], path.stem))
    return tuple(sorted(who for who in known - set(present) if who[1] in sets))


def remove_files(out: Path, gone: Iterable[Identity]) -> None:
    """Take the pages and copies of these hand-ins away, and folders that are then empty."""
    for student, set_id, problem in gone:
        for folder in OWN:
            place = out / folder / student / set_id
            for suffix in (".html", ".ipynb"):
                with suppress(OSError):
                    (place / f"{problem}{suffix}").unlink(missing_ok=True)
            if place.is_dir() and not any(path.suffix in (".html", ".ipynb") for path in place.iterdir()):
                shutil.rmtree(place, ignore_errors=True)  # a time of submission without one
            with suppress(OSError):
                place.parent.rmdir()


def told_leftovers(gone: Iterable[Identity], present: Collection[Identity]) -> list[str]:
    """A sentence on each student whose work is gone."""
    students = {student for student, _, _ in present}
    by_student: dict[str, list[str]] = {}
    for student, set_id, problem in gone:
        by_student.setdefault(student, []).append(f"{set_id}/{problem}")
    return [
        f"{student} is no longer among the submissions: removed from marks, gradebook, feedback and copies"
        if student not in students
        else f"{student} no longer hands in {', '.join(works)}: removed from marks, feedback and copies"
        for student, works in by_student.items()
    ]
