"""A function and a way to make its arguments come in; the table of its costs and their growth go out."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from autograder.cost.fit import Fit, Sizes, fit
from autograder.cost.tracer import Cost, trace

QUANTITIES = ("work", "span", "memory")

# Powers of two, so that logarithms are whole. Axes of length 1 are left out: torch takes short cuts there.
ALONE = tuple(2**n for n in range(1, 9))
TOGETHER = (2, 4, 8, 16)
MOST_TOGETHER = 96
AT = (8, 2, 32, 128)  # where the other variables may stand while one changes, the first where it can
LONG_ENOUGH = 6  # sizes on a line: enough to tell formulas of three terms apart


@dataclass(frozen=True)
class Row:
    """One measurement: the sizes, and what the program took."""

    sizes: Sizes
    cost: Cost


@dataclass(frozen=True)
class Measured:
    """How a program's cost grows, in the course's notation, with the table and the formulas behind it."""

    variables: tuple[str, ...]
    rows: tuple[Row, ...]
    fits: Mapping[str, Fit]

    @property
    def work(self) -> str:
        return self.fits["work"].growth

    @property
    def span(self) -> str:
        return self.fits["span"].growth

    @property
    def memory(self) -> str:
        return self.fits["memory"].growth


def always(sizes: Sizes) -> bool:
    return True


def make_grid(variables: Sequence[str], admits: Callable[[Sizes], bool] = always) -> tuple[Sizes, ...]:
    """Sizes to measure at: each variable by itself, then all together; only those that are admitted."""
    points: dict[tuple[int, ...], Sizes] = {}

    def add(sizes: Iterable[Sizes]) -> None:
        for each in sizes:
            points[tuple(each[name] for name in variables)] = each

    for name in variables:
        add(_line(name, variables, admits))
    if len(variables) > 1:
        every = product(TOGETHER, repeat=len(variables))
        allowed = [sizes for each in every if admits(sizes := dict(zip(variables, each, strict=True)))]
        allowed.sort(key=lambda sizes: (max(sizes.values()), sum(sizes.values())))
        add(allowed[:MOST_TOGETHER])
    return tuple(points.values())


def _line(name: str, variables: Sequence[str], admits: Callable[[Sizes], bool]) -> list[Sizes]:
    """One variable alone, with the others where they leave it room to grow."""
    others = [other for other in variables if other != name]
    best: list[Sizes] = []
    for places in sorted(product(AT, repeat=len(others)), key=_far):
        at = dict(zip(others, places, strict=True))
        line: list[Sizes] = [sizes for size in ALONE if admits(sizes := {**at, name: size})]
        if min(len(line), LONG_ENOUGH) > len(best):
            best = line
    return best


def _far(places: Sequence[int]) -> int:
    """How far from the usual place, in doublings."""
    return sum(abs(place.bit_length() - AT[0].bit_length()) for place in places)


def measure(
    function: Callable[..., Any],
    make_args: Callable[[Sizes], tuple[Any, ...]],
    variables: Sequence[str],
    grid: Sequence[Sizes] | None = None,
    serial: bool | Callable[[Sizes], Collection[int]] = False,
    backward: bool = False,
) -> Measured:
    """Run a function on a grid of sizes and fit its costs.

    `make_args` gives the arguments for sizes of the variables. `serial` may be a function: the lengths of
    the inner products that are added up serially at these sizes.
    """
    rows = []
    for sizes in grid if grid is not None else make_grid(variables):
        lengths = serial(sizes) if callable(serial) else serial
        rows.append(Row(sizes, trace(function, *make_args(sizes), serial=lengths, backward=backward)))
    return fit_rows(rows, variables)


def fit_rows(rows: Sequence[Row], variables: Sequence[str]) -> Measured:
    """The growth rates behind a table that is already measured, here or beside a student's code."""
    fits = {
        name: fit([(row.sizes, getattr(row.cost, name)) for row in rows], variables) for name in QUANTITIES
    }
    return Measured(tuple(variables), tuple(rows), fits)
