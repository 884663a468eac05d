"""Every cost that a course states is held against its own reference: the proofs that `verify` asks for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from autograder.cost.fit import FitError
from autograder.cost.measured_function import Subject, bounded, program, stated
from autograder.cost.rates_agree import agrees, within
from autograder.cost.trace.time_model import UnknownOperation
from autograder.course.load import Course
from autograder.course.model import Answers, Code, Growth, Key, Problem, Reading
from autograder.errors import CourseError


@dataclass(frozen=True)
class CostProof:
    """One stated cost that was proved or not; the fields are those of a check of `verify`."""

    problem: str
    part: str
    what: str
    name: str
    passed: bool
    found: str


def cost_checks(course: Course, problem: Problem) -> Iterator[CostProof]:
    """A proof for each growth rate that speaks of a program, and for each bound on a code part's cost."""
    answers = course.solutions[problem.id].answers
    for part in problem.parts:
        if isinstance(part, Code):
            for quantity, bound in bounds(part):
                yield _proof(problem, part.name, quantity, *_bound(part, answers[part.name], quantity, bound))
        elif isinstance(part, Growth):
            yield from _growth(problem, part, answers[part.name], answers)


def bounds(part: Code) -> Iterator[tuple[str, str]]:
    """The bounds of a code part: which quantity, and by what."""
    for quantity, bound in (("work", part.work), ("memory", part.memory)):
        if bound is not None:
            yield quantity, bound


def measured_by(
    problem: Problem, part: Growth, key: Key, answers: Answers
) -> tuple[Code, Callable[..., object]] | None:
    """The program whose cost a growth rate states, with the part that gives its shapes."""
    if key.measured is not None:
        return program(key.measured), key.measured
    if part.measures is None:
        return None
    code = next((c for c in problem.parts if isinstance(c, Code) and c.name == part.measures), None)
    if code is None:
        raise CourseError(
            f"problems/{problem.id}.py: {part.name} measures {part.measures!r}: no such code part"
        )
    return code, answers[part.measures]


def _growth(problem: Problem, part: Growth, key: Key, answers: Answers) -> Iterator[CostProof]:
    found = measured_by(problem, part, key, answers)
    if found is not None:
        code, function = found
        subject = stated(code, part.variables, part.sizes)
        yield _proof(problem, part.name, part.quantity, *_claim(part, subject, function, [key.answer]))
        if part.serial:
            subject = stated(code, part.variables, part.sizes, part.serial)
            claims = [reading.answer for reading in key.readings]
            name = f"{part.quantity}, serial inner products"
            yield _proof(problem, part.name, name, *_claim(part, subject, function, claims))
    for reading in key.readings:
        if reading.measured is not None:
            yield _reading(problem, part, reading, reading.measured)


def _reading(problem: Problem, part: Growth, reading: Reading, function: Callable[..., object]) -> CostProof:
    subject = stated(program(function), part.variables, part.sizes)
    name = f"{part.quantity} of {function.__name__}"
    return _proof(problem, part.name, name, *_claim(part, subject, function, [reading.answer]))


def _claim(
    part: Growth, subject: Subject, function: Callable[..., object], claims: list[str]
) -> tuple[bool, str]:
    """Whether a program costs what one of the claims says."""
    try:
        rate = subject.measure(function, [part.quantity]).growth(part.quantity)
    except (UnknownOperation, FitError) as error:
        return False, str(error)
    agreed = [c for c in claims if agrees(rate, c, part.variables, part.assumptions)]
    if agreed:
        return True, f"measured {rate}, as {agreed[0]} says"
    return False, f"measured {rate}{_held(subject)}, which is not {' or '.join(claims) or 'claimed anywhere'}"


def _bound(part: Code, function: Callable[..., object], quantity: str, bound: str) -> tuple[bool, str]:
    subject = bounded(part)
    try:
        rate = subject.measure(function, [quantity]).growth(quantity)
    except (UnknownOperation, FitError) as error:
        return False, str(error)
    if within(rate, bound, subject.variables):
        return True, f"measured {rate}, within {bound}"
    return False, f"measured {rate}{_held(subject)}, which the bound {bound} does not allow"


def _held(subject: Subject) -> str:
    """The axes that stood still: often why a measurement is not what its author expected."""
    moving = {*subject.variables, *subject.follows}
    still = [axis for axis in subject.axes if axis not in moving]
    return f" (with {', '.join(still)} held still)" if still else ""


def _proof(problem: Problem, part: str, name: str, passed: bool, found: str) -> CostProof:
    return CostProof(problem.id, part, "cost", name, passed, found)
