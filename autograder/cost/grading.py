"""The counts of a student's program and one call at a large size become a verdict on its cost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from autograder.cost.cost_curve import plain_bound
from autograder.cost.fit import FitError, Sizes
from autograder.cost.measure import Measured, Row, fit_rows
from autograder.cost.measured_function import bounded
from autograder.cost.prove import bounds
from autograder.cost.rates_agree import Agreement, within
from autograder.cost.trace.tracer import Cost
from autograder.course.model import Code

# On the large grid a loop over the longest axis may take some thirty operations a step.
MOST_OPERATIONS = 1 << 13
# Sizes, and the most operations that one call may take, become counts.
Ask = Callable[[Sequence[Sizes], int | None], Sequence[Cost | str]]


@dataclass(frozen=True)
class CostVerdict:
    """Whether a student's program keeps to its bounds, why, and what was measured, if anything."""

    holds: bool
    says: str
    measured: Measured | None = None


def is_bounded(part: Code) -> bool:
    return any(True for _ in bounds(part))


def count_on_grid(part: Code, ask: Ask) -> list[Row | str]:
    """The counts of a program, or why there are none, at sizes where it takes most of the time itself.

    A program that loops over too much in Python, or runs into a limit there, is asked on the small grid.
    """
    subject = bounded(part)
    for grid, most in ((subject.graded(), MOST_OPERATIONS), (subject.grid(), None)):
        counts = ask(grid, most) if grid else [""]
        if all(isinstance(cost, Cost) for cost in counts):
            break
    return [Row(at, cost) if isinstance(cost, Cost) else cost for at, cost in zip(grid, counts, strict=True)]


def judge_cost(part: Code, counts: Sequence[Row | str], large: Agreement | None) -> CostVerdict:
    """The verdict on a part with bounds.

    `counts` are those of `count_on_grid`. `large` is what the call at a large size came to, where the part
    has one. The counts are taken beside the student's code, so they can only lose marks; the call that is
    watched from outside must agree. Where nothing could be counted, that call decides alone, and without it
    nothing is earned.
    """
    subject = bounded(part)
    refused = next((found for found in counts if isinstance(found, str)), "")
    rows = [row for row in counts if isinstance(row, Row)]
    try:
        quantities = [quantity for quantity, _ in bounds(part)]
        measured = None if refused else fit_rows(rows, subject.variables, quantities)
        rates = {quantity: measured.growth(quantity) for quantity in quantities} if measured else {}
    except FitError as error:
        return _undecided(f"the operations were counted, but {error}", large)
    if refused:
        return _undecided(f"the operations could not be counted ({refused})", large)
    faults = [
        f"the {quantity} grows like {rates[quantity]}, where {plain_bound(bound)} is asked for"
        for quantity, bound in bounds(part)
        if not within(rates[quantity], bound, subject.variables)
    ]
    if large is not None and not large.holds:
        faults.append(large.says)
    if faults:
        return CostVerdict(False, "; ".join(faults), measured)
    kept = ", ".join(f"the {quantity} grows like {rate}" for quantity, rate in rates.items())
    return CostVerdict(True, f"measured: {kept}", measured)


def _undecided(why: str, large: Agreement | None) -> CostVerdict:
    """The counts tell no growth rate: the call at a large size decides alone."""
    return CostVerdict(large.holds, f"{why}; {large.says}") if large else CostVerdict(False, why)
