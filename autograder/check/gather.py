"""A course's problem and its solution become the sheet that students may have, and nothing more."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from autograder.check.sheet import CALL_SECONDS, CodeSheet, PartSheet, Sheet, VisibleCase
from autograder.course import Course
from autograder.expect import axis_sizes, expect, plan_case
from autograder.model import Choice, Code, Equation, Formula, Growth, Part, Problem, Prose, Solution
from autograder.shapes import parse_shapes

NOBODY = ""  # visible cases are alike for all students


def gather(course: Course, problem: Problem) -> Sheet:
    """The sheet of one problem. References are called here, so that no student's machine needs them."""
    solution = course.solutions[problem.id]
    parts = tuple(_part(problem, part, solution, course.limits) for part in problem.parts)
    return Sheet(problem.id, problem.title, parts)


def _part(problem: Problem, part: Part, solution: Solution, limits: Mapping[str, Any]) -> PartSheet:
    """Each field is named: whatever the records gain later stays with the course."""
    match part:
        case Code():
            return _code(problem, part, solution, limits)
        case Growth():
            return Growth(part.name, part.points, "", tuple(part.variables), tuple(part.assumptions))
        case Formula():
            names, vectors = tuple(part.variables), tuple(part.vectors)
            assumptions = tuple(part.assumptions)
            return Formula(part.name, part.points, "", names, vectors, assumptions, part.defines)
        case Equation():
            return Equation(
                part.name,
                part.points,
                "",
                tuple(part.tensors),
                dict(part.sizes),
                dict(part.ranges),
                tuple(part.functions),
                part.matrix,
            )
        case Choice():
            return Choice(part.name, part.points, "", dict(part.options))
        case Prose():
            return Prose(part.name, part.points, "")


def _code(problem: Problem, part: Code, solution: Solution, limits: Mapping[str, Any]) -> CodeSheet:
    cases = []
    for case in part.cases:
        if case.hidden:
            continue
        planned = plan_case(problem, part, case, NOBODY, NOBODY)
        expected = expect(solution.answers[part.name], planned)
        cases.append(
            VisibleCase(
                case.name, axis_sizes(planned), planned.arguments, expected, planned.grad, planned.cotangents
            )
        )
    return CodeSheet(
        part.name,
        part.points,
        part.parameters,
        part.stub,
        tuple(output.axes for output in parse_shapes(part.doc, part.parameters).outputs),
        tuple(cases),
        tuple(case.name for case in part.cases if case.hidden),
        bool(part.work or part.memory),
        float({**limits, **part.limits}.get("call_seconds", CALL_SECONDS)),
    )
