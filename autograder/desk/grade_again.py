"""Some hand-ins of a class are graded once more: `python -m autograder.desk.grade_again`."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from autograder.classroom.find_hand_ins import Found
from autograder.classroom.grade_class import grade_class
from autograder.classroom.hand_ins import Handin, handin_of
from autograder.classroom.journal import read_reports
from autograder.classroom.mark_changes import read_rows
from autograder.classroom.settings_and_outcome import Settings
from autograder.course.load import load_course
from autograder.errors import CourseError, UsageError
from autograder.grade.report import Identity


def grade_again(root: Path, out: Path, db: str | None, chosen: Mapping[Identity, str]) -> None:
    """Everybody who handed in is in the run, as they were in the last; only the chosen are graded anew.

    Where something is said for one of them, it is the file that counts from now on.
    """
    reports = read_reports(out, read_rows(out / "results.jsonl"), brief=True)
    if any(not report.path for report in reports):
        raise UsageError(
            "the last run was of an older version, which did not keep where notebooks lie: "
            "run autograder grade … once more"
        )
    skipped = (out / "skipped.txt").read_text(encoding="utf-8").splitlines()
    settings = Settings(
        out,
        isolation=all(report.isolated for report in reports),
        limits=reports[0].limits if reports else {},
        gradebook=True,
        db=db,
        again=frozenset(chosen),
    )
    handins = [_moved(handin_of(report), chosen.get(report.identity, "")) for report in reports]
    found = Found(tuple(handins), tuple(skipped))
    grade_class(load_course(root), found, settings, lambda report: None)


def _moved(handin: Handin, path: str) -> Handin:
    return replace(handin, path=Path(path), inside=()) if path else handin


def main() -> None:
    """Read what to grade from standard input, so that no list of processes tells it."""
    asked = json.load(sys.stdin)
    chosen = {(student, set_id, problem): path for student, set_id, problem, path in asked["chosen"]}
    try:
        grade_again(Path(asked["root"]), Path(asked["out"]), asked["db"], chosen)
    except (UsageError, CourseError) as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
