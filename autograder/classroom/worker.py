"""A worker turns the bytes of a submission into a report: a record, which crosses processes as JSON."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

from autograder.classroom.course_parcel import unpack_course
from autograder.classroom.hand_ins import Handin
from autograder.course.load import Course, load_course
from autograder.grade.course_grader import CourseGrader
from autograder.grade.report import PartReport, Report, Status
from autograder.sandbox.parent_pool import Sandbox


class Worker:
    """Grades one submission at a time with the graders of a course."""

    def __init__(self, grader: CourseGrader) -> None:
        self._grader = grader
        self.course = grader.course

    @classmethod
    def of(
        cls,
        course: Course,
        limits: Mapping[str, float],
        *,
        isolation: bool = True,
        sandbox: Sandbox | None = None,
    ) -> Worker:
        """A worker whose limits are the course's, overridden by those given."""
        return cls(CourseGrader(course, limits, isolation=isolation, sandbox=sandbox))

    def __enter__(self) -> Worker:
        self._grader.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self._grader.close()

    def grade(self, data: bytes, student: str, set_id: str, problem_id: str) -> Report:
        """The report of one submission."""
        started = time.perf_counter()
        reports = self._grader.grade(data, student, set_id, problem_id)
        return Report(student, set_id, problem_id, tuple(reports), round(time.perf_counter() - started, 3))


def open_parcel(data: bytes, limits: Mapping[str, float], isolation: bool) -> Worker:
    """A worker of its own for a process that was sent a course; its files lie on the disk only meanwhile."""
    with tempfile.TemporaryDirectory(prefix="course-") as folder:
        unpack_course(data, Path(folder))
        return Worker.of(load_course(Path(folder)), limits, isolation=isolation)


def without_grading(
    course: Course, handin: Handin, status: Status, why: str, *, machine: bool = False
) -> Report:
    """The report of a hand-in that was not run: the same words for every part."""
    verdict = {Status.MISSING: "unanswered", Status.MANUAL: "ungraded"}.get(status, "unreadable")
    parts = (
        PartReport(part.name, 0.0, part.points, status, verdict, why, machine=machine)
        for part in course.problems[handin.problem].parts
    )
    return Report(*handin.identity, tuple(parts))


def troubled(course: Course, handin: Handin, why: str) -> Report:
    """The report of a hand-in that the machine kept from being graded: a person's, and tried again."""
    return without_grading(course, handin, Status.MANUAL, why, machine=True)
