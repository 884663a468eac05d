"""The counts of a student's program and one call at a large size become a verdict on its cost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from autograder.cost.beside import count, read_count
from autograder.cost.compare import Finding, within
from autograder.cost.fit import FitError, Sizes
from autograder.cost.measure import Measured, Row, fit_rows
from autograder.cost.prove import bounds
from autograder.cost.subject import Subject, bounded
from autograder.cost.tracer import Cost
from autograder.model import Code


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
    measured = _measured(subject, subject.grid(), counts)
    if isinstance(measured, str):
        if large is not None and large.holds:
            return CostVerdict(True, f"the operations could not be counted ({measured}); {large.says}")
        return CostVerdict(False, f"the cost could not be measured: {measured}")
    broken = [_broken(subject, measured, quantity, bound) for quantity, bound in bounds(part)]
    faults = [fault for fault in broken if fault]
    if large is not None and not large.holds:
        faults.append(large.says)
    if faults:
        return CostVerdict(False, "; ".join(faults), measured)
    return CostVerdict(True, _kept(part, measured), measured)


def _measured(subject: Subject, grid: Sequence[Sizes], counts: Sequence[Cost | str]) -> Measured | str:
    for found in counts:
        if isinstance(found, str):
            return found
    rows = [Row(sizes, cost) for sizes, cost in zip(grid, counts, strict=True) if isinstance(cost, Cost)]
    try:
        return fit_rows(rows, subject.variables)
    except FitError as error:
        return str(error)


def _broken(subject: Subject, measured: Measured, quantity: str, bound: str) -> str:
    rate = getattr(measured, quantity)
    if within(rate, bound, subject.variables):
        return ""
    return f"the {quantity} grows like {rate}, where {bound} is asked for"


def _kept(part: Code, measured: Measured) -> str:
    found = [f"the {quantity} grows like {getattr(measured, quantity)}" for quantity, _ in bounds(part)]
    return "measured: " + ", ".join(found)


def count_trusted(function: Callable[..., Any], part: Code) -> list[Cost | str]:
    """The counts of code that is trusted, in the form in which a student's come back."""
    subject = bounded(part)
    return [read_count(count(function, subject.made(sizes))) for sizes in subject.grid()]
