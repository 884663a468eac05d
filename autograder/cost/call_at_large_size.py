"""One call at a size where the wrong class of program runs out of memory or time, judged from outside."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from autograder.calls.compare_tensors import compare
from autograder.calls.expected import Expected, Planned, expect, plan_case
from autograder.calls.failure import known_error
from autograder.calls.requests_and_outcomes import FunctionCall, Limits, Outcome
from autograder.cost.rates_agree import Agreement
from autograder.course.cases import Case
from autograder.course.model import Code, Problem

NAME = "a very large input"
MEMORY_MB = 1024  # a table over all pairs of a long axis takes many times this
# A program that loops in Python is right too, over the longest axis and even over short ones within it. This
# is processor time for a step of such a loop, twice what the slowest ones take on a machine so busy that its
# caches serve others; a fixed number, since whatever is timed here depends on that. It bounds what a program
# of a wrong class can hide: a part's large size is to be chosen so that no such program gets through.
SECONDS_A_STEP = 300e-6
LEAST_SECONDS = 5.0
LOOSE = 1e-3  # long sums in single precision; that the values are right is known from the other cases


def plan_large(problem: Problem, part: Code, secret: str, student: str) -> Planned:
    """The call at the large size; its inputs are this student's own."""
    case = Case(NAME, part.large, hidden=True, hint="the values at a very large input are not right")
    return plan_case(problem, replace(part, tolerance=LOOSE), case, secret, student)


def large_call(planned: Planned, limits: Limits | None = None) -> FunctionCall:
    """The call for the sandbox, under limits that the kernel keeps."""
    part = planned.part
    assert isinstance(part, Code)
    seconds = allowed_seconds(max(part.large.values()))
    tight = replace(
        limits or Limits(),
        memory_mb=MEMORY_MB,
        cpu_seconds=seconds,
        call_seconds=seconds,
        wall_seconds=2 * seconds,  # asleep as long as at work
    )
    return FunctionCall(part=part.name, function=part.name, args=planned.arguments, limits=tight)


def expect_large(reference: Callable[..., object], planned: Planned) -> Expected:
    return expect(reference, planned)


def judge_large(planned: Planned, expected: Expected, outcome: Outcome) -> Agreement:
    """What the call shows: only an answer that is right, within the limits, holds."""
    assert isinstance(planned.part, Code)
    place = "at " + ", ".join(f"{axis} = {length}" for axis, length in planned.part.large.items())
    if outcome.status == "ok":
        wrong = compare(outcome.kind, outcome.kinds, outcome.outputs, expected.outputs, expected.many)
        if wrong is None:
            return Agreement(True, f"{place} it takes no more than a program that fits the bound")
        return Agreement(False, f"{place} the values are not right")
    match outcome.limit:
        case "memory":
            return Agreement(False, f"{place} it takes over {MEMORY_MB} MB, far more than fits the bound")
        case "cpu" | "wall":
            return Agreement(False, f"{place} it takes far longer than a program that fits the bound")
    if outcome.status == "raised":
        return Agreement(False, f"{place} it raises {known_error(outcome.error)}")
    return Agreement(False, f"{place} it gives no value ({outcome.status.replace('_', ' ')})")


def allowed_seconds(steps: int) -> float:
    """Processor time for a loop of so many steps, the same on every machine."""
    return max(LEAST_SECONDS, steps * SECONDS_A_STEP)
