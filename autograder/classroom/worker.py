"""A worker turns the bytes of a submission into a report: plain data, which crosses processes as JSON."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch

from autograder.classroom.tables import ROW
from autograder.course import SECRET, Course, load_course
from autograder.errors import UsageError
from autograder.grade import Grader
from autograder.sandbox import Limits, Sandbox, override
from autograder.verdict import PartReport


class Worker:
    """Holds the course and a sandbox, and grades one submission at a time."""

    def __init__(
        self, course: Course, limits: Limits, *, isolation: bool = True, sandbox: Sandbox | None = None
    ) -> None:
        """`sandbox` is one that is warming up already, if it suits the limits."""
        # The tensors are tiny and workers share the cores: more threads only wait for one another.
        torch.set_num_threads(1)
        self.course = course
        self._graders = {
            name: Grader(problem, course.solutions[name], course.secret, limits)
            for name, problem in course.problems.items()
        }
        if sandbox is None or not sandbox.take_on(limits):
            sandbox = Sandbox(workers=1, isolation=isolation, limits=limits)
        self._sandbox = sandbox
        if isolation and self._sandbox.shows(course.root):
            raise UsageError(f"{course.root} lies among the files that notebooks may read: move the course")

    @classmethod
    def of(
        cls,
        course: Course,
        limits: Mapping[str, Any],
        *,
        isolation: bool = True,
        sandbox: Sandbox | None = None,
    ) -> Worker:
        """A worker whose limits are the course's, overridden by those given."""
        merged = override(Limits(), {**course.limits, **limits})
        return cls(course, merged, isolation=isolation, sandbox=sandbox)

    def __enter__(self) -> Worker:
        self._sandbox.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        self._sandbox.__exit__(*error)

    def grade(self, data: bytes, student: str, set_id: str, problem_id: str) -> dict[str, Any]:
        """The report of one submission, as plain data."""
        started = time.perf_counter()
        reports = self._graders[problem_id].grade(data, student, self._sandbox.run)
        return {
            "student": student,
            "set": set_id,
            "problem": problem_id,
            "parts": [part_json(report) for report in reports],
            "seconds": round(time.perf_counter() - started, 3),
        }


def open_worker(root: Path, limits: Mapping[str, Any], isolation: bool) -> Worker:
    """A worker of its own for a process that was told only where the course lies."""
    return Worker.of(load_course(root), limits, isolation=isolation)


def part_json(report: PartReport) -> dict[str, Any]:
    """A part's report as plain data; the row's fields first."""
    plain = _plain(report)
    return {"part": report.part, **{name: plain[name] for name in ROW}, **plain}


def _plain(value: Any) -> Any:
    """Records as dictionaries; asdict does the same, but copies every number on its way."""
    if isinstance(value, str | float | int | None):
        return value
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return {name: _plain(each) for name, each in vars(value).items()}


def key_digest(course: Course, problem_id: str) -> str:
    """Changes whenever the question, its answers or the course's secret change."""
    digest = hashlib.sha256()
    for path in (f"problems/{problem_id}.py", f"solutions/{problem_id}.py", str(SECRET)):
        file = course.root / path
        digest.update(file.read_bytes() if file.is_file() else b"")
    digest.update(course.secret.encode())
    return digest.hexdigest()[:16]
