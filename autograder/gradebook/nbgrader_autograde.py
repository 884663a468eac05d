"""Our grading inside nbgrader autograde: check cells get outputs from which nbgrader reads our scores."""

from __future__ import annotations

import atexit
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
from nbconvert.exporters import NotebookExporter
from nbformat import NotebookNode
from nbgrader.plugins import LateSubmissionPlugin
from nbgrader.preprocessors import NbGraderPreprocessor, SaveAutoGrades
from traitlets import Bool, Unicode

from autograder.course.load import find_course, load_course
from autograder.errors import UsageError
from autograder.grade.course_grader import CourseGrader
from autograder.grade.report import WAITS
from autograder.gradebook.assignments import stubs_of
from autograder.gradebook.late import read_deadlines
from autograder.gradebook.notebooks_with_marks import make_copy
from autograder.notebook.stub_cells import CHECK_SUFFIX

WAITING = "autograder_waiting"  # the check cells that a person should look at, on their way to SaveMarks
as_node: Callable[[object], NotebookNode] = nbformat.from_dict
Resources = dict[str, Any]  # what nbconvert and nbgrader hand from step to step


class BlankExporter(NotebookExporter):
    """Starts from an empty notebook: nbgrader's own reading stops at the first odd file, ours does not."""

    def from_file(
        self, file_stream: object, resources: Resources | None = None, **options: object
    ) -> tuple[NotebookNode, Resources]:
        blank = as_node({"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
        made: tuple[NotebookNode, Resources] = self.from_notebook_node(blank, resources, **options)  # type: ignore[no-untyped-call]
        return made


class GradeInSandbox(NbGraderPreprocessor):  # type: ignore[misc]
    """Takes the place of nbgrader's Execute: the file as handed in is graded by our sandbox and rules."""

    course = Unicode("", help="The folder of the course; the nearest one upwards by default.").tag(
        config=True
    )
    isolation = Bool(True, help="Whether submissions run in a sandbox.").tag(config=True)

    def preprocess(self, nb: object, resources: Resources) -> tuple[NotebookNode, Resources]:
        here = resources["nbgrader"]
        student, set_id, problem_id = here["student"], here["assignment"], here["notebook"]
        grader = _grader(Path(self.course) if self.course else None, self.isolation)
        problem = grader.course.find(set_id, problem_id)
        if problem is None:
            raise UsageError(f"the course has no problem {problem_id!r} in a set {set_id!r}")
        data = self._submitted(student, set_id, problem_id).read_bytes()
        reports = grader.grade(data, student, set_id, problem_id)
        for report in reports:
            self.log.info("%s: %g of %g", report.part, report.score, report.max_score)
        stub = stubs_of(grader.course, [set_id])[set_id, problem_id]
        parts = {report.part: report for report in reports}
        resources[WAITING] = {
            cell
            for name, part in parts.items()
            if part.status in WAITS
            for cell in (name, f"{name}{CHECK_SUFFIX}")  # prose has no check cell
        }
        return as_node(make_copy(problem, stub, data, parts)), resources

    def _submitted(self, student: str, set_id: str, problem_id: str) -> Path:
        """The file as handed in: what nbgrader has made of it may have lost an answer."""
        folder = self.parent.parent.coursedir
        return Path(folder.format_path(folder.submitted_directory, student, set_id), f"{problem_id}.ipynb")


class SaveMarks(SaveAutoGrades):  # type: ignore[misc]
    """nbgrader's saving, which knows no check cell without a score: some of ours wait for a person."""

    def _add_score(self, cell: NotebookNode, resources: Resources) -> None:
        super()._add_score(cell, resources)
        name = cell.metadata["nbgrader"]["grade_id"]
        if name in resources.get(WAITING, ()):
            grade = self.gradebook.find_grade(name, self.notebook_id, self.assignment_id, self.student_id)
            grade.auto_score, grade.needs_manual_grade = None, True
            self.gradebook.db.commit()


class CourseLatePolicy(LateSubmissionPlugin):  # type: ignore[misc]
    """Takes off what the course's `[late]` says."""

    course = Unicode("", help="The folder of the course; the nearest one upwards by default.").tag(
        config=True
    )

    def late_submission_penalty(
        self, student_id: str, score: float, total_seconds_late: float
    ) -> float | None:
        root = find_course(Path.cwd(), Path(self.course) if self.course else None)
        return read_deadlines(root).rule.penalty(score, total_seconds_late)


_open: dict[tuple[Path, bool], tuple[object, CourseGrader]] = {}


def _grader(given: Path | None, isolation: bool) -> CourseGrader:
    """The grader of a course; opened anew when a file of the course has changed, as in a long Formgrader."""
    root = find_course(Path.cwd(), given)
    stamp = _stamp(root)
    known = _open.get((root, isolation))
    if known is not None and known[0] == stamp:
        return known[1]
    if known is not None:
        known[1].close()
    grader = CourseGrader(load_course(root), {}, isolation=isolation)
    _open[root, isolation] = (stamp, grader)
    return grader


def _stamp(root: Path) -> object:
    files = (entry for name in ("problems", "solutions") for entry in os.scandir(root / name))
    return sorted((entry.path, entry.stat().st_mtime_ns) for entry in files if entry.is_file())


@atexit.register
def _close() -> None:
    for _, grader in _open.values():
        grader.close()
