"""Linear equations with more rows than unknowns, solved exactly or found to have no single solution."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction


def solve(matrix: Sequence[Sequence[Fraction]], wanted: Sequence[Fraction]) -> list[Fraction] | None:
    """The one solution of all equations; None where there is none, or more than one."""
    unknowns = len(matrix[0]) if matrix else 0
    pivots: list[list[Fraction]] = []  # reduced rows, each with a one in its own column
    places: list[int] = []
    for row, right in zip(matrix, wanted, strict=True):
        left = [*row, right]
        for pivot, place in zip(pivots, places, strict=True):
            factor = left[place]
            if factor:
                left = [a - factor * b for a, b in zip(left, pivot, strict=True)]
        place = next((n for n in range(unknowns) if left[n]), -1)
        if place < 0:
            if left[unknowns]:
                return None  # this equation contradicts the ones before
            continue
        scale = left[place]
        reduced = [a / scale for a in left]
        for n, other in enumerate(pivots):
            if other[place]:
                pivots[n] = [a - other[place] * b for a, b in zip(other, reduced, strict=True)]
        pivots.append(reduced)
        places.append(place)
    if len(places) < unknowns:
        return None
    values = dict(zip(places, (pivot[unknowns] for pivot in pivots), strict=True))
    return [values[n] for n in range(unknowns)]
