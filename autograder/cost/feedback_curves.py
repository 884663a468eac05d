"""What was measured of a student's program and its bounds become the curves that the feedback draws."""

from __future__ import annotations

from collections.abc import Iterator

from autograder.cost.cost_curve import CostCurve
from autograder.cost.fit import line_of
from autograder.cost.measure import Measured
from autograder.cost.prove import bounds
from autograder.cost.rates_agree import within
from autograder.course.model import Code
from autograder.text.growth.judge import growth_at


def cost_curves(part: Code, measured: Measured) -> tuple[CostCurve, ...]:
    """One curve for each bound: along the axis where the program outgrows it most, or the longest one."""
    found = []
    for quantity, bound in bounds(part):
        if quantity not in measured.fits:
            continue
        holds = within(measured.growth(quantity), bound, measured.variables)
        curves = {curve.axis: curve for curve in _along_axes(measured, quantity, bound, holds)}
        longest = max(part.large, key=lambda axis: part.large[axis], default="")
        if holds and longest in curves:
            found.append(curves[longest])
        elif curves:
            found.append(max(curves.values(), key=lambda curve: curve.counts[-1] / curve.allowed[-1]))
    return tuple(found)


def _along_axes(measured: Measured, quantity: str, bound: str, holds: bool) -> Iterator[CostCurve]:
    rows = [(row.sizes, getattr(row.cost, quantity)) for row in measured.rows]
    for axis in measured.variables:
        line = line_of(rows, measured.variables, axis)
        values = [growth_at(bound, sizes) for sizes, _ in line]
        known = [value for value in values if value is not None and value > 0]
        if len(known) < 2 or len(known) < len(line) or not all(count for _, count in line):
            continue
        still = ", ".join(f"{name} = {line[0][0][name]}" for name in measured.variables if name != axis)
        first = line[0][1]
        yield CostCurve(
            quantity=quantity,
            axis=axis,
            still=still,
            sizes=tuple(sizes[axis] for sizes, _ in line),
            counts=tuple(count for _, count in line),
            allowed=tuple(max(1, round(first * value / known[0])) for value in known),
            bound=bound,
            holds=holds,
        )
