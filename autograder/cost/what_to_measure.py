"""What can be measured in a problem: its bounded functions and the programs its growth rates speak of."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from autograder.cost.measured_function import Subject, bounded, stated
from autograder.cost.prove import bounds, measured_by
from autograder.course.load import Course
from autograder.course.model import Code, Growth, Problem
from autograder.errors import UsageError


@dataclass(frozen=True)
class Target:
    """A function to measure, why, and which of its quantities are spoken of."""

    function: Callable[..., object]
    subject: Subject
    states: str  # the part that states the cost
    claims: tuple[tuple[str, str], ...] = ()  # quantity, and what is stated of it


def find_targets(course: Course, problem: Problem, serial: bool = False) -> Iterator[Target]:
    """Every function whose cost the problem states."""
    answers = course.solutions[problem.id].answers
    for part in problem.parts:
        if isinstance(part, Code) and any(bounds(part)):
            yield Target(answers[part.name], bounded(part), part.name, tuple(bounds(part)))
        elif isinstance(part, Growth):
            found = measured_by(problem, part, answers[part.name], answers)
            if found is not None:
                subject = stated(found[0], part.variables, part.sizes, part.serial if serial else ())
                claim = (part.quantity, answers[part.name].answer)
                yield Target(found[1], subject, part.name, () if serial else (claim,))


def find_function(course: Course, problem: Problem, name: str) -> Target:
    """A code part by its name, in all of its axes, whether its cost is stated or not."""
    codes = [part for part in problem.parts if isinstance(part, Code)]
    for part in codes:
        if part.name == name:
            return Target(
                course.solutions[problem.id].answers[name], bounded(part), name, tuple(bounds(part))
            )
    names = ", ".join(part.name for part in codes) or "none"
    raise UsageError(f"{problem.id} has no function {name!r}; it has {names}")
