"""A course's problem and its solution become the handout that students may have, and nothing more."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import torch

from autograder.calls.compare_tensors import Want
from autograder.calls.expected import Expected, Planned, axis_sizes, expect, plan_case
from autograder.calls.properties import numbers_in
from autograder.calls.run_author_tests import load_tests, plain_paths
from autograder.course.author_tests import Tests, sentence
from autograder.course.docstring_shapes import parse_shapes
from autograder.course.given_files import import_names
from autograder.course.load import Course
from autograder.course.model import Choice, Code, Equation, Formula, Growth, Part, Problem, Prose, Solution
from autograder.course.modules import Module
from autograder.course.varying_problem import solution_of, variant
from autograder.diagnose.hints_for_handout import seal_hints
from autograder.diagnose.intermediates import note_reference
from autograder.diagnose.pick_smallest_case import plan_small
from autograder.diagnose.reference_digests import Bytes, salt, sketch
from autograder.notebook.stub_cells import given
from autograder.release.handout import (
    CALL_SECONDS,
    CodeHandout,
    Handout,
    PartHandout,
    TestsHandout,
    VisibleCase,
)

NOBODY = ""  # visible cases are alike for all students
MOST_SMALL = 32  # cases of a part that are handed out to show what is wrong


def make_handout(course: Course, problem: Problem) -> Handout:
    """The handout of one problem. References are called here, so that no student's machine needs them."""
    solution = course.solutions[problem.id]
    if problem.varies:
        problem, solution = variant(problem, 0), solution_of(problem, solution, 0)
    parts = tuple(_part(problem, part, solution, course) for part in problem.parts)
    return Handout(problem.id, problem.title, parts, given(problem), import_names(course.packages))


def _part(problem: Problem, part: Part, solution: Solution, course: Course) -> PartHandout:
    """Each field is named: whatever the records gain later stays with the course."""
    match part:
        case Code() if part.holds:
            return _with_properties(problem, part, course)
        case Code() | Module():
            return _code(problem, part, solution, course)
        case Tests():
            return TestsHandout(
                part.name,
                part.points,
                part.stub,
                tuple(sorted(part.defined)),
                part.visible_source,
                tuple((test.__name__, sentence(test)) for test in part.visible),
                tuple(sentence(test) for test in part.hidden),
                _plain(part, solution),
            )
        case Growth():
            return Growth(
                part.name,
                part.points,
                "",
                tuple(part.variables),
                tuple(part.assumptions),
                words=dict(part.words),
            )
        case Formula():
            names, vectors = tuple(part.variables), tuple(part.vectors)
            assumptions = tuple(part.assumptions)
            return Formula(
                part.name,
                part.points,
                "",
                names,
                vectors,
                assumptions,
                part.defines,
                tuple(part.reals),
                tuple(part.functions),
                tuple(part.matrices),
                part.unordered,
            )
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
                part.columns,
            )
        case Choice():
            return Choice(part.name, part.points, "", dict(part.options))
        case Prose():
            return Prose(part.name, part.points, "")
        case _:
            return replace(part, ask="")  # a small kind has nothing but how it is read


def _plain(part: Tests, solution: Solution) -> tuple[tuple[str, ...], ...]:
    """Where the reference gives plain values, for each of the tests that are handed out."""
    place = f"<tests of {part.name}>"
    loaded = load_tests(part.visible_source, [test.__name__ for test in part.visible], place)
    return tuple(tuple(sorted(plain_paths(test, solution.names, place))) for test in loaded)


def _with_properties(problem: Problem, part: Code, course: Course) -> CodeHandout:
    """A code part that properties decide: arguments of its visible cases, and no values."""
    visible = [case for case in part.cases if not case.hidden]
    planned = [plan_case(problem, part, case, NOBODY, NOBODY) for case in visible]
    return CodeHandout(
        part.name,
        part.points,
        part.parameters,
        part.stub,
        (),
        tuple(
            VisibleCase(
                call.case.name,
                numbers_in(call.case.sizes),
                call.arguments,
                Expected((), (), False),
                dtype=call.case.dtype,
            )
            for call in planned
        ),
        tuple(case.name for case in part.cases if case.hidden),
        call_seconds=float({**course.limits, **part.limits}.get("call_seconds", CALL_SECONDS)),
        holds=tuple((each.check.__name__, each.says) for each in part.holds),
        source=part.holds_source,
        doc=part.doc,
    )


def _code(problem: Problem, part: Code | Module, solution: Solution, course: Course) -> CodeHandout:
    cases: list[VisibleCase] = []
    for case in part.cases:
        if case.hidden:
            continue
        planned = plan_case(problem, part, case, NOBODY, NOBODY, solution.answers[part.name])
        expected = expect(solution.answers[part.name], planned)
        cases.append(
            VisibleCase(
                case.name,
                axis_sizes(planned),
                planned.arguments,
                expected,
                planned.grad,
                planned.cotangents,
                planned.steps,
                case.dtype,
                None if cases else _sketches(part, solution, planned, expected),
            )
        )
    hidden = tuple(case.name for case in part.cases if case.hidden)
    seconds = float({**course.limits, **part.limits}.get("call_seconds", CALL_SECONDS))
    if isinstance(part, Module):
        return CodeHandout(
            part.name, part.points, (), part.stub, (), tuple(cases), hidden, call_seconds=seconds
        )
    return CodeHandout(
        part.name,
        part.points,
        part.parameters,
        part.stub,
        tuple(output.axes for output in parse_shapes(part.doc, part.parameters).outputs),
        tuple(cases),
        hidden,
        bool(part.work or part.memory),
        seconds,
        seal_hints(problem, part, solution, course.diagnosis.steps),
        _small(part, solution.answers[part.name]),
        numpy=part.numpy,
    )


def _sketches(part: Code | Module, solution: Solution, call: Planned, expected: Expected) -> Bytes | None:
    """Of the first case, what a right solution has on the way: for the line at which a wrong one departs."""
    if isinstance(part, Module) or not expected.has_numbers:
        return None
    rights = [right for way in solution.ways(part.name) if (right := note_reference(way, call)) is not None]
    return sketch(salt(part.name, call.case.name), *(right.known for right in rights)) if rights else None


def _small(part: Code, reference: Callable[..., object]) -> tuple[VisibleCase, ...]:
    """Cases on few numbers, by which a check shows what is wrong; no mark depends on them."""
    dtype = getattr(torch, next((case.dtype for case in part.cases if not case.hidden), "float32"))
    found = []
    for case in plan_small(part, reference)[:MOST_SMALL]:
        if case.right is not None and case.is_steady:
            wants = [
                Want(name, values.contiguous(), dtype if values.is_floating_point() else values.dtype, 0.0)
                for name, values in zip(case.names, case.right, strict=True)
            ]
            found.append(VisibleCase("", {}, case.arguments, Expected(tuple(wants), (), case.many)))
    return tuple(found)
