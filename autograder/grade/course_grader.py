"""A loaded course with its graders and a sandbox: bytes of a submission come in, reports of parts go out."""

from __future__ import annotations

from collections.abc import Mapping
from types import TracebackType

import torch

from autograder.calls.requests_and_outcomes import Limits, override
from autograder.course.load import Course
from autograder.errors import UsageError
from autograder.grade.report import PartReport
from autograder.grade.submission import Grader
from autograder.logs import about
from autograder.sandbox.parent_pool import Sandbox


class CourseGrader:
    """Grades one submission at a time, for a class of ours as for nbgrader."""

    def __init__(
        self,
        course: Course,
        limits: Mapping[str, float],
        *,
        isolation: bool = True,
        sandbox: Sandbox | None = None,
    ) -> None:
        """The limits are the course's, overridden by those given; `sandbox` is one that is warming up
        already, if it suits them."""
        # The tensors are tiny and processes share the cores: more threads only wait for one another.
        torch.set_num_threads(1)
        self.course = course
        merged = override(Limits(), {**course.limits, **limits})
        self._graders = {
            name: Grader(problem, course.solutions[name], course.secret, merged)
            for name, problem in course.problems.items()
        }
        if sandbox is None or not sandbox.take_on(merged, course.imports):
            sandbox = Sandbox(workers=1, isolation=isolation, limits=merged, imports=course.imports)
        self._sandbox = sandbox
        if isolation and sandbox.shows(course.root):
            raise UsageError(f"{course.root} lies among the files that notebooks may read: move the course")

    def grade(self, data: bytes, student: str, set_id: str, problem_id: str) -> tuple[PartReport, ...]:
        """A report for every part, whatever became of the submission."""
        with about(f"{student} {set_id}/{problem_id}"):
            return self._graders[problem_id].grade(data, student, self._sandbox.run)

    def close(self) -> None:
        self._sandbox.close()

    def __enter__(self) -> CourseGrader:
        """Start the sandbox at once; otherwise it starts with the first submission."""
        self._sandbox.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
