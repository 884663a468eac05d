"""A function and a way to make its arguments come in; the table of its costs and their growth go out."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import product
from typing import Any

from autograder.cost.fit import Fit, FitError, Sizes, fit
from autograder.trace.tracer import Cost, trace

QUANTITIES = ("work", "span", "memory")

# Powers of two, so that logarithms are whole. Axes of length 1 are left out: torch takes short cuts there.
ALONE = tuple(2**n for n in range(1, 9))
LONG_ENOUGH = 6  # sizes on a line: enough to tell formulas of three terms apart
TOGETHER = (2, 4, 8, 16)
MOST_TOGETHER = 96
AT = (8, 2, 32, 128)  # where the other variables may stand while one changes, the first where it can


@dataclass(frozen=True)
class Row:
    """One measurement: the sizes, and what the program took."""

    sizes: Sizes
    cost: Cost


@dataclass(frozen=True)
class Measured:
    """How a program's cost grows, in the course's notation, with the table and the formulas behind it.

    `fits` has the quantities that follow a formula; asking for the growth of another raises FitError.
    """

    variables: tuple[str, ...]
    rows: tuple[Row, ...]
    fits: Mapping[str, Fit]

    @property
    def work(self) -> str:
        return self.growth("work")

    @property
    def span(self) -> str:
        return self.growth("span")

    @property
    def memory(self) -> str:
        return self.growth("memory")

    def growth(self, quantity: str) -> str:
        if quantity not in self.fits:
            names = ", ".join(self.variables)
            raise FitError(f"the {quantity} follows no formula in powers and logarithms of {names}")
        return self.fits[quantity].growth


def always(sizes: Sizes) -> bool:
    return True


def make_grid(
    variables: Sequence[str], admits: Callable[[Sizes], bool] = always, apart: Collection[str] = ()
) -> tuple[Sizes, ...]:
    """Sizes to measure at: each variable by itself, then all together; only those that are admitted.

    Variables that must never have the size of another are set `apart`: they are three halves of what the
    others are.
    """
    points: dict[tuple[int, ...], Sizes] = {}

    def at(sizes: Iterable[tuple[str, int]]) -> Sizes:
        return {name: size * 3 // 2 if name in apart else size for name, size in sizes}

    def add(sizes: Iterable[Sizes]) -> None:
        for each in sizes:
            points[tuple(each[name] for name in variables)] = each

    # Tables over four axes get large quickly.
    alone = ALONE if len(variables) < 3 else ALONE[:LONG_ENOUGH]
    for name in variables:
        others = [other for other in variables if other != name]
        places = sorted(product(AT, repeat=len(others)), key=_far)
        lines = ([at([*zip(others, place, strict=True), (name, size)]) for size in alone] for place in places)
        add(_roomiest(lines, admits))
    if len(variables) > 1:
        together = (
            at(zip(variables, each, strict=True)) for each in product(TOGETHER, repeat=len(variables))
        )
        allowed = sorted((sizes for sizes in together if admits(sizes)), key=_extent)
        add(allowed[:MOST_TOGETHER])
    return tuple(points.values())


def _roomiest(lines: Iterable[list[Sizes]], admits: Callable[[Sizes], bool]) -> list[Sizes]:
    """The first line that is long enough where it is admitted, else the longest."""
    best: list[Sizes] = []
    for line in lines:
        admitted = [sizes for sizes in line if admits(sizes)]
        if min(len(admitted), LONG_ENOUGH) > len(best):
            best = admitted
    return best


def _extent(sizes: Sizes) -> tuple[int, int]:
    return max(sizes.values()), sum(sizes.values())


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
    quantities: Sequence[str] = QUANTITIES,
) -> Measured:
    """Run a function on a grid of sizes and fit its costs.

    `make_args` gives the arguments for sizes of the variables. `serial` may be a function: the lengths of
    the inner products that are added up serially at these sizes.
    """
    rows = []
    for sizes in grid if grid is not None else make_grid(variables):
        lengths = serial(sizes) if callable(serial) else serial
        rows.append(Row(sizes, trace(function, *make_args(sizes), serial=lengths, backward=backward)))
    return fit_rows(rows, variables, quantities)


def fit_rows(
    rows: Sequence[Row], variables: Sequence[str], quantities: Sequence[str] = QUANTITIES
) -> Measured:
    """The growth rates behind a table that is already measured, here or beside a student's code."""
    fits = {}
    for name in quantities:
        with suppress(FitError):
            fits[name] = fit([(row.sizes, getattr(row.cost, name)) for row in rows], variables)
    return Measured(tuple(variables), tuple(rows), fits)
