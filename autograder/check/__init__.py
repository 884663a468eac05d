"""The student's check: a notebook's answers are tried on the visible cases and read back, offline."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from autograder.cases import revive
from autograder.check.desk import Desk, example_of
from autograder.check.file import find_saved
from autograder.check.find import find_sheet
from autograder.check.history import HISTORY, follow
from autograder.check.view import Panel
from autograder.errors import CourseError, UsageError

__all__ = ["Panel", "check", "example"]

follow()


def check(problem: str, part: str | None = None) -> Panel:
    """Check one part of a problem, or all of it, with the names that the calling notebook has set."""
    return _check(problem, part, sys._getframe(1).f_globals)


def example(problem: str, part: str, case: int = 0) -> tuple[tuple[Any, ...], Any]:
    """The arguments of one visible case and what it should return: to try a function by hand."""
    return example_of(find_sheet(problem, Path.cwd()), part, case, revive)


def _check(problem: str, part: str | None, namespace: Mapping[str, Any]) -> Panel:
    try:
        sheet = find_sheet(problem, Path.cwd())
    except (UsageError, CourseError) as error:
        return Panel(problem, problem, trouble=str(error))
    saved = find_saved(problem, namespace, Path.cwd())
    return Desk(sheet, namespace, saved, HISTORY).check(part)


class _CallableModule(ModuleType):
    """`from autograder import check` finds this module once it is loaded: calling it is the same check."""

    def __call__(self, problem: str, part: str | None = None) -> Panel:
        return _check(problem, part, sys._getframe(1).f_globals)


sys.modules[__name__].__class__ = _CallableModule
