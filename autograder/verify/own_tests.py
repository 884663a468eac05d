"""What shows before a notebook runs: tests that the reference fails, values that cannot be handed over."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Callable, Iterator

from torch import Tensor

from autograder.calls.expected import Planned
from autograder.calls.local_names import local_ask
from autograder.calls.requests_and_outcomes import DtypeArg, FunctionArg
from autograder.calls.run_author_tests import run_test
from autograder.calls.script_steps import Held
from autograder.calls.value_as_json import Node, OutputError, kind_of, pack_value
from autograder.course.author_tests import Tests, sentence
from autograder.course.load import Course
from autograder.course.model import Problem
from autograder.errors import CourseError
from autograder.grade.tests import TestSheet
from autograder.verify.checks import Check


def tests_that_fail(course: Course, problem: Problem, part: Tests) -> Iterator[Check]:
    """Each test that the reference fails, and why, whether it is a hidden one or not."""
    names = course.solutions[problem.id].names
    sheet = TestSheet.of(part, names)
    for author, test in zip(part.all, sheet.tests, strict=True):
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            found = run_test(test, local_ask(names), sheet.place)
        if not found.passed:
            says = f"{sentence(author)}: {found.says}"
            yield Check(problem.id, part.name, "reference", author.__name__, False, says)


def refuse_what_stays(call: Planned) -> None:
    """Raise where a case has a value that cannot be handed to a student's process."""
    handed = [*call.arguments]
    for step in call.steps:
        handed += [*step.args, *step.named.values()]
    try:
        for value in handed:
            pack_value(value, _known)
    except OutputError as error:
        raise CourseError(f"{call.part.name}: case {call.case.name!r}: {error}") from error


def _known(value: object, add: Callable[[Tensor], int]) -> Node:
    if not isinstance(value, DtypeArg | FunctionArg | Held):
        raise OutputError(
            f"an object of type {kind_of(value)} cannot be handed over: numbers, texts, bytes, None, tensors "
            "and lists, tuples, dicts and sets of them can; for a function see function(…), or write Tests(…)"
        )
    return None
