"""Run by Gradescope for one submission: notebooks in /autograder/submission become results/results.json."""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from autograder.classroom.find_hand_ins import find_handins
from autograder.classroom.folder_names import clean_student, is_notebook
from autograder.classroom.grade_class import grade_class
from autograder.classroom.journal import read_reports
from autograder.classroom.mark_changes import read_rows
from autograder.classroom.settings_and_outcome import Settings
from autograder.classroom.tables import write_whole
from autograder.course.load import Course, ProblemSet, load_course
from autograder.errors import CourseError, UsageError
from autograder.exports.gradescope import nothing_to_grade, results_text
from autograder.packages.gradescope_zip import SETTINGS
from autograder.packages.kit import COURSE
from autograder.sandbox.mechanisms import require_isolation

NO_WALL = (
    "for the instructor: this container offers no Landlock and seccomp, so the submission was graded without "
    "a sandbox of ours; the container, which Gradescope makes for each submission, is the only wall"
)


def main(home: Path) -> None:
    """Grade what lies in `home`. Whatever fails here leaves no results: Gradescope then shows no mark."""
    course = load_course(home / "source" / COURSE)
    chosen = json.loads((home / "source" / SETTINGS).read_text(encoding="utf-8"))["sets"]
    sets = [group for group in course.sets if group.id in chosen]
    student = read_student(home / "submission_metadata.json")
    with tempfile.TemporaryDirectory() as folder:
        text = _results(course, sets, student, home / "submission", Path(folder))
    write_whole(home / "results" / "results.json", text)


def read_student(metadata: Path) -> str:
    """Who handed in; of a group, whoever comes first, so that all of it gets one set of hidden inputs."""
    try:
        users = json.loads(metadata.read_text(encoding="utf-8"))["users"]
        names = [_name(user) for user in users]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UsageError(f"{metadata} does not say who handed in: {error!r}") from error
    named = sorted(name for name in names if name)
    if not named:
        raise UsageError(f"{metadata} names nobody under users")
    return named[0]


def _name(user: Mapping[str, object]) -> str:
    return clean_student(str(user.get("email") or user.get("id") or user.get("name") or ""))


def _results(course: Course, sets: Iterable[ProblemSet], student: str, submission: Path, folder: Path) -> str:
    listed = list(sets)
    submitted = folder / "submitted"
    # Where there is one set, its name is the folder; else each notebook says which it belongs to.
    own = submitted / student / listed[0].id if len(listed) == 1 else submitted / student
    shutil.copytree(submission, own, symlinks=True)
    asked = {(group.id, name) for group in listed for name in group.problems}
    expected = [f"{name}.ipynb" for _, name in sorted(asked)]
    if not any(is_notebook(path.name) or path.suffix.lower() == ".zip" for path in own.rglob("*")):
        return nothing_to_grade(expected)
    found = find_handins(submitted, course, level=0)  # one student's, whatever lies in it
    ours = [each for each in found.handins if (each.set, each.problem) in asked]
    for line in found.skipped:
        print(f"skipped {line}")
    if not ours:
        return nothing_to_grade(expected)
    isolation = _isolated()
    out = folder / "out"
    settings = Settings(out, isolation=isolation)
    grade_class(course, replace(found, handins=tuple(ours)), settings, lambda report: None)
    reports = read_reports(out, read_rows(out / "results.jsonl"))
    absent = sorted(asked - {(each.set, each.problem) for each in ours})
    missing = [course.problems[name] for _, name in absent]
    return results_text(reports, {}, missing)


def _isolated() -> bool:
    try:
        require_isolation()
    except UsageError:
        print(NO_WALL)
        return False
    return True


if __name__ == "__main__":
    try:
        main(Path(sys.argv[1]))
    except (CourseError, UsageError) as error:
        sys.exit(f"autograder: {error}; no results were written, so that nobody gets a mark for it")
