"""What is shown of a cost: how it grows beside its bound."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class CostCurve:
    """How a cost of the student's own program grows along one axis, and how its bound does.

    `counts` are what was measured at the `sizes` of the axis; `allowed` is the bound there, scaled to begin
    with the first count, since a bound says nothing of constants. `still` are the axes that do not change.
    """

    quantity: str
    axis: str
    still: str
    sizes: tuple[int, ...]
    counts: tuple[int, ...]
    allowed: tuple[int, ...]
    bound: str
    holds: bool


def plain_bound(bound: str) -> str:
    """A bound as the course writes products: T d dv."""
    return bound.replace("**", "^").replace("*", " ")
