"""Counts that are the larger of several formulas, as a peak or a longest path can be, taken apart again."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from scipy.optimize import linprog

MOST_BRANCHES = 8
FINEST = 64  # the largest denominator of a coefficient


def find_branches(
    matrix: Sequence[Sequence[Fraction]], wanted: Sequence[Fraction]
) -> list[list[Fraction]] | None:
    """Coefficients of formulas whose maximum is `wanted` in every row; None where none were found.

    A row holds the values of all candidate terms. At a row where one formula wins it is the largest
    combination of the terms that exceeds the counts nowhere: a linear program finds it.
    """
    branches: list[list[Fraction]] = []
    open_rows = sorted(range(len(wanted)), key=lambda n: wanted[n], reverse=True)
    while open_rows:
        if len(branches) == MOST_BRANCHES:
            return None
        branch = _branch(matrix, wanted, open_rows)
        if branch is None or _value(matrix[open_rows[0]], branch) != wanted[open_rows[0]]:
            return None
        branches.append(branch)
        open_rows = [n for n in open_rows if _value(matrix[n], branch) != wanted[n]]
    return branches


def _branch(
    matrix: Sequence[Sequence[Fraction]], wanted: Sequence[Fraction], open_rows: Sequence[int]
) -> list[Fraction] | None:
    """The combination that touches the first open row, and as many of the others as it can."""
    scaled = [
        [float(term / count) for term in row]
        for row, count in zip(matrix, wanted, strict=True)
        if count  # terms are not negative: rows without a count allow none that are not zero there
    ]
    touch = matrix[open_rows[0]]
    weights = [
        len(open_rows) * float(touch[column] / wanted[open_rows[0]])
        + sum(float(matrix[n][column] / wanted[n]) for n in open_rows if wanted[n])
        for column in range(len(touch))
    ]
    # Columns differ by many orders of magnitude: each is scaled to at most one.
    sizes = [max(row[column] for row in scaled) or 1.0 for column in range(len(touch))]
    found = linprog(
        [-weight / size for weight, size in zip(weights, sizes, strict=True)],
        A_ub=[[value / size for value, size in zip(row, sizes, strict=True)] for row in scaled],
        b_ub=[1.0] * len(scaled),
        method="highs",
    )
    if not found.success or found.x is None:
        return None
    branch = [
        Fraction(value / size).limit_denominator(FINEST) for value, size in zip(found.x, sizes, strict=True)
    ]
    within = all(_value(row, branch) <= count for row, count in zip(matrix, wanted, strict=True))
    return branch if within else None


def _value(row: Sequence[Fraction], branch: Sequence[Fraction]) -> Fraction:
    return sum((c * term for c, term in zip(branch, row, strict=True) if c), Fraction(0))
