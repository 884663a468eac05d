"""What a notebook's check cell calls: the names that it has set go in, a panel comes out."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType

from autograder.calls.inputs import revive
from autograder.check.cells_run import HISTORY, follow
from autograder.check.checker import Checker, example_of
from autograder.check.panel import Panel
from autograder.check.saved_notebook import find_saved
from autograder.errors import CourseError, UsageError
from autograder.release.handout_file import find_handout, say_what_is_missing

if follow():
    say_what_is_missing(Path.cwd())


def check(problem: str, part: str | None = None) -> Panel:
    """Check one part of a problem, or all of it, with the names that the calling notebook has set."""
    return _check(problem, part, sys._getframe(1).f_globals)


def example(problem: str, part: str, case: int = 0) -> tuple[tuple[object, ...], object]:
    """The arguments of one visible case and what it should return: to try a function by hand."""
    return example_of(find_handout(problem, Path.cwd()), part, case, revive)


def _check(problem: str, part: str | None, namespace: Mapping[str, object]) -> Panel:
    try:
        handout = find_handout(problem, Path.cwd())
    except (UsageError, CourseError) as error:
        return Panel(problem, problem, trouble=str(error))
    saved = find_saved(problem, namespace, Path.cwd())
    return Checker(handout, namespace, saved, HISTORY).check(part)


class CheckModule(ModuleType):
    """`from autograder import check` finds the package once it is loaded: calling it is the same check."""

    def __call__(self, problem: str, part: str | None = None) -> Panel:
        return _check(problem, part, sys._getframe(1).f_globals)
