"""Counts that are the larger of several formulas, as a peak or a longest path can be, taken apart again."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy
from numpy.typing import NDArray
from scipy.optimize import linprog

MOST_BRANCHES = 12
MOST_TRIES = 24  # counts that somebody made up meet no formula anywhere
MORE = 2  # how many more rows than it has terms a formula must meet: fewer may be chance
NEAR = 8.0  # how much less a row counts with each doubling that lies between

Rows = Sequence[Sequence[Fraction]]
Floats = NDArray[numpy.float64]


def find_branches(
    matrix: Rows, wanted: Sequence[Fraction], places: Sequence[Sequence[float]]
) -> list[list[Fraction]]:
    """Coefficients of formulas that exceed the counts nowhere and meet them in as many rows as they can.

    A row of the matrix holds the values of all candidate terms, its place the logarithms of the sizes. Where
    one formula wins it is the largest combination of the terms, there and nearby, that exceeds the counts
    nowhere: a linear program finds it. Rows that no formula meets are left over.
    """
    branches: list[tuple[list[Fraction], set[int]]] = []
    table, scales = _scaled(matrix, wanted)
    open_rows = sorted((n for n in range(len(wanted)) if wanted[n]), key=lambda n: wanted[n], reverse=True)
    tries = 0
    while open_rows and len(branches) < MOST_BRANCHES and tries < MOST_TRIES:
        tries += 1
        row = open_rows.pop(0)
        weights = numpy.array([NEAR ** -_distance(places[row], place) for place in places])
        branch = _branch(matrix, wanted, table, scales, weights)
        if branch is not None:
            met = {n for n, terms in enumerate(matrix) if value_at(terms, branch) == wanted[n]}
            if row in met and len(met) >= sum(map(bool, branch)) + MORE:
                branches.append((branch, met))
                open_rows = [n for n in open_rows if n not in met]
    return _needed(branches)


def _needed(branches: list[tuple[list[Fraction], set[int]]]) -> list[list[Fraction]]:
    """Without those that meet no row of their own: they agreed with another one by chance."""
    kept = list(branches)
    for candidate in sorted(branches, key=lambda pair: len(pair[1])):
        others = [met for branch in kept if branch is not candidate for met in branch[1]]
        if candidate[1] <= set(others):
            kept = [branch for branch in kept if branch is not candidate]
    return [branch for branch, _ in kept]


def _scaled(matrix: Rows, wanted: Sequence[Fraction]) -> tuple[Floats, Floats]:
    """The matrix in units of the counts, so that every row weighs the same; and what its columns were."""
    rows = [
        [float(term / count) if count else 0.0 for term in row]
        for row, count in zip(matrix, wanted, strict=True)
    ]
    table = numpy.array(rows)
    # Terms differ by many orders of magnitude: each is scaled to at most one.
    scales = table.max(axis=0)
    scales[scales == 0] = 1.0
    return table / scales, scales


def _branch(
    matrix: Rows, wanted: Sequence[Fraction], table: Floats, scales: Floats, weights: Floats
) -> list[Fraction] | None:
    """The combination that is largest in the weighted rows, among those that exceed the counts nowhere."""
    found = linprog(-(weights @ table), A_ub=table, b_ub=numpy.ones(len(table)), method="highs")
    if not found.success or found.x is None:
        return None
    # Bytes and steps come in whole numbers.
    branch = [Fraction(round(float(value))) for value in found.x / scales]
    within = all(value_at(row, branch) <= count for row, count in zip(matrix, wanted, strict=True))
    return branch if within else None


def value_at(row: Sequence[Fraction], branch: Sequence[Fraction]) -> Fraction:
    """What a formula gives in a row."""
    return sum((c * term for c, term in zip(branch, row, strict=True) if c), Fraction(0))


def _distance(one: Sequence[float], other: Sequence[float]) -> float:
    return sum(abs(a - b) for a, b in zip(one, other, strict=True))
