"""The errors of the project, one for each person who can mend something, and the system's in plain words."""

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


def reason(error: Exception) -> str:
    """Why a file could not be read or written, in plain words: neither a number nor the path once more."""
    if isinstance(error, UnicodeDecodeError):
        return "it is not UTF-8 text"
    if isinstance(error, OSError):
        known = {
            FileNotFoundError: "it is not there",
            FileExistsError: "it is there already",
            IsADirectoryError: "it is a folder",
            NotADirectoryError: "part of its path is a file, not a folder",
            PermissionError: "you have no permission",
        }
        return known.get(type(error)) or (error.strerror or str(error)).lower()
    return str(error)
