"""The proof of a part that asks for a class: its mistakes are caught, empty objects earn nothing."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from inspect import isclass

import torch

from autograder.calls.compare_tensors import Want
from autograder.calls.compare_values import Close
from autograder.calls.expected import Expected, call_trusted, expect, plan
from autograder.calls.inputs import as_given
from autograder.calls.requests_and_outcomes import Outcome
from autograder.course.load import Course
from autograder.course.model import Problem
from autograder.course.modules import Module
from autograder.diagnose.class_edits import ClassFinder
from autograder.grade.code import judge_code
from autograder.grade.report import PartReport
from autograder.verify.checks import STUDENT, Check, as_outcome, caught_by, verdict_on
from autograder.verify.edits_of_classes import class_edit_score


def verify_module(course: Course, problem: Problem, part: Module) -> Iterator[Check]:
    """Listed mistakes are caught and named; objects that do nothing, or give zeros, earn nothing."""
    solution = course.solutions[problem.id]
    calls = plan(problem, part, course.secret, STUDENT, solution.answers[part.name])
    expected = [expect(solution.answers[part.name], call) for call in calls]
    mistakes = solution.mistakes_of(part.name)

    finder = ClassFinder(problem, part, solution.answers[part.name])
    # Where a found slip earns a share, no empty object may earn it.
    sharing = finder if part.share else None

    def judge(outcomes: Sequence[Outcome]) -> PartReport:
        return judge_code(part, calls, expected, [*outcomes, outcomes[0]], mistakes, finder=sharing)

    for mistake in mistakes:
        report = judge([as_outcome(call_trusted(mistake.answer, call, as_given)) for call in calls])
        yield verdict_on(problem, part, mistake, report)
    for name, empty in (("None", lambda value: None), ("zeros", zeroed)):
        report = judge([emptied(want, empty) for want in expected])
        found = caught_by(report) or "earns marks"
        yield Check(problem.id, part.name, "empty", name, report.score == 0, found)
    if isclass(finder.reference):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of a reference with an edit: nothing of the author's
            score = class_edit_score(finder, calls, expected)
        if score is not None:
            yield Check(problem.id, part.name, "edits", "", not score.survivors, score.says)


def emptied(expected: Expected, empty: Callable[[object], object]) -> Outcome:
    """What an object would give whose every result is empty."""
    assert expected.holds is not None
    return Outcome("ok", tuple(empty(value) for value in expected.holds.steps.values), kind="script")


def zeroed(value: object) -> object:
    """The same with zeros for all numbers, and texts with nothing in them."""
    match value:
        case Want():
            return torch.zeros_like(value.values, dtype=value.dtype)
        case Close() | float():
            return 0.0
        case str() | bytes():
            return type(value)()
        case bool() | None:
            return value
        case int():
            return 0
        case dict():
            return {key: zeroed(each) for key, each in value.items()}
        case list() | tuple():
            return type(value)(zeroed(each) for each in value)
    return value
