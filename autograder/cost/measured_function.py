"""A function of a course and how its axes follow the variables become something that can be measured."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod

from autograder.calls.inputs import arguments, revive
from autograder.cost.fit import Sizes
from autograder.cost.measure import QUANTITIES, Measured, measure
from autograder.cost.sizes_to_measure import make_grid, make_large_grid
from autograder.course.cases import Case
from autograder.course.docstring_shapes import parse_shapes, shape, size
from autograder.course.model import Code

STILL = 4  # the length of an axis that follows no variable
SEED = 0  # the counts do not depend on the numbers


@dataclass(frozen=True)
class Subject:
    """A part whose cost is measured in some variables; `follows` gives further axes in terms of them."""

    part: Code
    variables: tuple[str, ...]
    follows: Mapping[str, str] = field(default_factory=dict)
    serial: tuple[str, ...] = ()

    @property
    def axes(self) -> tuple[str, ...]:
        return parse_shapes(self.part.doc, self.part.parameters).axes

    def lengths(self, sizes: Sizes) -> dict[str, int]:
        """The length of every axis when the variables have these sizes."""
        found = dict.fromkeys(self.axes, STILL)
        found.update(sizes)
        found.update({axis: size(expression, sizes) for axis, expression in self.follows.items()})
        return found

    def admits(self, sizes: Sizes) -> bool:
        """Whether the axes can have these lengths, and serial inner products can be told from the others."""
        lengths = self.lengths(sizes)
        shapes = parse_shapes(self.part.doc, self.part.parameters)
        every = [length for axes in shapes.inputs.values() for length in shape(axes, lengths)]
        if min(every, default=1) < 1 or any(lengths[axis] < 2 for axis in self.follows):
            return False
        serial = {lengths[axis] for axis in self.serial}
        return not any(lengths[axis] in serial for axis in self.axes if axis not in self.serial)

    def grid(self) -> tuple[Sizes, ...]:
        return make_grid(self.variables, self.admits, self.serial)

    def graded(self) -> tuple[Sizes, ...]:
        """Where a student's program is counted first: large enough that counting costs little beside it.

        Empty where there are no such sizes, as with many axes or with axes that depend on each other.
        """
        long = max(self.part.large, key=lambda axis: self.part.large[axis], default="")
        return make_large_grid(self.variables, self._entries, self.admits, long, self.part.memory is not None)

    def _entries(self, sizes: Sizes) -> int:
        """How many numbers the arguments hold."""
        lengths = self.lengths(sizes)
        shapes = parse_shapes(self.part.doc, self.part.parameters)
        return sum(prod(shape(axes, lengths)) for axes in shapes.inputs.values())

    def sent(self, sizes: Sizes) -> tuple[object, ...]:
        """The arguments at these sizes, as the sandbox takes them."""
        return arguments(self.part, Case("cost", self.lengths(sizes)), SEED)

    def made(self, sizes: Sizes) -> tuple[object, ...]:
        """The arguments at these sizes, as the function itself takes them."""
        return tuple(revive(argument) for argument in self.sent(sizes))

    def measure(
        self,
        function: Callable[..., object],
        quantities: Sequence[str] = QUANTITIES,
        all_serial: bool = False,
    ) -> Measured:
        """What this function takes: the part's reference, or another with the same arguments.

        With `all_serial` every inner product is serial, unless the subject names the axes that are.
        """
        serial = all_serial if not self.serial else self._serial_at
        return measure(function, self.made, self.variables, self.grid(), serial, quantities=quantities)

    def _serial_at(self, sizes: Sizes) -> frozenset[int]:
        lengths = self.lengths(sizes)
        return frozenset(lengths[axis] for axis in self.serial)


def bounded(part: Code) -> Subject:
    """A code part with a bound on its cost: its axes are the variables."""
    axes = parse_shapes(part.doc, part.parameters).axes
    return Subject(part, tuple(axis for axis in axes if axis not in part.cost_sizes), part.cost_sizes)


def stated(
    part: Code, variables: Sequence[str], follows: Mapping[str, str], serial: Sequence[str] = ()
) -> Subject:
    """A program whose cost a growth rate states."""
    return Subject(part, tuple(variables), follows, tuple(serial))


def program(function: Callable[..., object]) -> Code:
    """A program that is measured and never asked for, as a part."""
    return Code(function, points=0, cases=())
