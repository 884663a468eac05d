"""A function and a way to make its arguments come in; the table of its costs and their growth go out."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from autograder.cost.fit import Fit, FitError, Sizes, fit
from autograder.cost.sizes_to_measure import make_grid
from autograder.cost.trace.tracer import Cost, trace

QUANTITIES = ("work", "span", "memory")


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
            raise FitError(f"the {quantity} follows no single formula in powers and logarithms of {names}")
        return self.fits[quantity].growth


def measure(
    function: Callable[..., object],
    make_args: Callable[[Sizes], tuple[object, ...]],
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
