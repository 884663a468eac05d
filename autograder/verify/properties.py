"""The proof of a part that properties decide: the reference has them in many draws, nothing else does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeGuard

import torch
from torch import Tensor

from autograder.calls.expected import Planned, plan
from autograder.calls.local_names import local_ask
from autograder.calls.run_author_tests import Tested
from autograder.course.docstring_shapes import parse_shapes, shape
from autograder.course.load import Course
from autograder.course.model import Code, Problem
from autograder.grade.properties import PropertySheet, report_of
from autograder.grade.report import CaseResult, PartReport, Status
from autograder.verify.checks import STUDENT, Check, caught_by

MOST_DRAWS = 20  # of every hidden case: as many students


def verify_properties(course: Course, problem: Problem, part: Code) -> Iterator[Check]:
    """The reference holds for many students; listed mistakes and answers that show no work lose marks."""
    solution, sheet = course.solutions[problem.id], PropertySheet.of(part)
    yield many_draws(course, problem, part)
    calls = plan(problem, part, course.secret, STUDENT)

    def judge(answer: Callable[..., object]) -> PartReport:
        found = [run_local(sheet, call, answer) for call in calls]
        results = [
            CaseResult(call.case.name, each.passed, call.case.hidden, each.says)
            for call, each in zip(calls, found, strict=True)
        ]
        return report_of(part, calls, results, Status.GRADED)

    for mistake in solution.mistakes_of(part.name):
        report = judge(mistake.answer)
        lost = report.score < report.max_score
        found = caught_by(report) if lost else "earns full marks: no property fails"
        yield Check(problem.id, part.name, "mistake", mistake.id, lost, found)
    for name, answer in _empty(part).items():
        report = judge(answer)
        found = caught_by(report) or "earns marks: no property tells it from an answer"
        yield Check(problem.id, part.name, "empty", name, report.score == 0, found)


def run_local(sheet: PropertySheet, call: Planned, answer: Callable[..., object]) -> Tested:
    """What the properties say of trusted code."""
    return sheet.run(call, local_ask({sheet.part.name: answer}))


def many_draws(course: Course, problem: Problem, part: Code) -> Check:
    """Whether the reference has its properties, for as many students as may be."""
    sheet = PropertySheet.of(part)
    reference = course.solutions[problem.id].answers[part.name]
    for number in range(MOST_DRAWS):
        for call in plan(problem, part, course.secret, f"{STUDENT} {number}"):
            if number and not call.case.hidden:
                continue
            found = run_local(sheet, call, reference)
            if not found.passed:
                says = f"case {call.case.name!r}, draw {number + 1}: {found.says}"
                return Check(problem.id, part.name, "reference", "draws", False, says)
    says = f"its properties hold in {MOST_DRAWS} draws"
    return Check(problem.id, part.name, "reference", "draws", True, says)


def _empty(part: Code) -> dict[str, Callable[..., object]]:
    """Answers that show no work."""
    shapes = parse_shapes(part.doc, part.parameters)
    nothing: dict[str, Callable[..., object]] = {"None": lambda *arguments: None}
    if "list[float]" in shapes.type and not shapes.type.startswith(("dict", "tuple")):
        falling = [1.0 / (1 + step) for step in range(200)]
        return {**nothing, "made-up numbers that fall": lambda *arguments: list(falling)}
    if shapes.type:
        return nothing

    def filled(value: float) -> Callable[..., object]:
        def answer(*arguments: object) -> object:
            sizes = _sizes(part, arguments)
            dtype = next((a.dtype for a in arguments if _is_real(a)), torch.float32)
            made = tuple(torch.full(shape(out.axes, sizes), value, dtype=dtype) for out in shapes.outputs)
            return made if shapes.many else made[0]

        return answer

    def echo(*arguments: object) -> object:
        return next((argument for argument in arguments if isinstance(argument, Tensor)), None)

    return {
        **nothing,
        "zeros": filled(0.0),
        "ones": filled(1.0),
        "NaN": filled(torch.nan),
        "echoed input": echo,
    }


def _is_real(argument: object) -> TypeGuard[Tensor]:
    return isinstance(argument, Tensor) and argument.is_floating_point()


def _sizes(part: Code, arguments: tuple[object, ...]) -> dict[str, object]:
    """The sizes of the case whose arguments these are, as far as they are known."""
    inputs = parse_shapes(part.doc, part.parameters).inputs
    shapes = {
        name: tuple(argument.shape)
        for name, argument in zip(part.parameters, arguments, strict=True)
        if isinstance(argument, Tensor)
    }
    for case in part.cases:
        if all(
            shape(axes, case.sizes) == shapes.get(name) for name, axes in inputs.items() if name in shapes
        ):
            return dict(case.sizes)
    return dict(part.cases[0].sizes)
