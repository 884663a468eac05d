"""The counts of a student's program and one call at a large size become a verdict on its cost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from autograder.cost.compare import Finding, within
from autograder.cost.fit import FitError
from autograder.cost.measure import Measured, Row, fit_rows
from autograder.cost.prove import bounds
from autograder.cost.subject import bounded
from autograder.model import Code
from autograder.trace.beside import count, read_count
from autograder.trace.tracer import Cost


@dataclass(frozen=True)
class CostVerdict:
    """Whether a student's program keeps to its bounds, why, and what was measured, if anything."""

    holds: bool
    says: str
    measured: Measured | None = None


def is_bounded(part: Code) -> bool:
    return any(True for _ in bounds(part))


def judge_cost(part: Code, counts: Sequence[Cost | str], large: Finding | None) -> CostVerdict:
    """The verdict on a part with bounds.

    `counts` has an entry for each size of `bounded(part).grid()`: the counts, or why there are none. `large`
    is what the call at a large size came to, where the part has one. The counts are taken beside the
    student's code, so they can only lose marks; the call that is watched from outside must agree. Where
    nothing could be counted, that call decides alone, and without it nothing is earned.
    """
    subject = bounded(part)
    refused = next((found for found in counts if isinstance(found, str)), "")
    rows = [Row(at, cost) for at, cost in zip(subject.grid(), counts, strict=True) if isinstance(cost, Cost)]
    try:
        quantities = [quantity for quantity, _ in bounds(part)]
        measured = None if refused else fit_rows(rows, subject.variables, quantities)
        rates = {quantity: measured.growth(quantity) for quantity in quantities} if measured else {}
    except FitError as error:
        refused = str(error)
    if refused:
        return _unmeasured(refused, large)
    faults = [
        f"the {quantity} grows like {rates[quantity]}, where {bound} is asked for"
        for quantity, bound in bounds(part)
        if not within(rates[quantity], bound, subject.variables)
    ]
    if large is not None and not large.holds:
        faults.append(large.says)
    if faults:
        return CostVerdict(False, "; ".join(faults), measured)
    kept = ", ".join(f"the {quantity} grows like {rate}" for quantity, rate in rates.items())
    return CostVerdict(True, f"measured: {kept}", measured)


def _unmeasured(why: str, large: Finding | None) -> CostVerdict:
    if large is None:
        return CostVerdict(False, f"the cost could not be measured: {why}")
    return CostVerdict(large.holds, f"the operations could not be counted ({why}); {large.says}")


def count_trusted(function: Callable[..., Any], part: Code) -> list[Cost | str]:
    """The counts of code that is trusted, in the form in which a student's come back."""
    subject = bounded(part)
    return [read_count(count(function, subject.made(sizes))) for sizes in subject.grid()]
