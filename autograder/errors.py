"""The two errors of the project: one for the author of a course, one for an answer that cannot be read."""

from __future__ import annotations

from collections.abc import Sequence


class CourseError(Exception):
    """A course is broken: every fault found, each naming its file and the fix."""

    def __init__(self, faults: str | Sequence[str]) -> None:
        self.faults = (faults,) if isinstance(faults, str) else tuple(faults)
        super().__init__("\n".join(self.faults))


class UsageError(Exception):
    """A command was asked for something it cannot do; the message says what to ask instead."""


class AnswerError(Exception):
    """An answer cannot be read. The engines turn it into a verdict; it is never shown as a traceback."""

    def __init__(self, message: str, column: int | None = None) -> None:
        self.column = column
        super().__init__(message)
