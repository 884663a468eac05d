"""Counts that are the larger of several formulas, as a peak or a longest path can be, taken apart again."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from scipy.optimize import linprog

MOST_BRANCHES = 12
MORE = 2  # how many more rows than it has terms a formula must meet: fewer may be chance
NEAR = 8.0  # how much less a row counts with each doubling that lies between

Rows = Sequence[Sequence[Fraction]]


def find_branches(
    matrix: Rows, wanted: Sequence[Fraction], places: Sequence[Sequence[float]]
) -> list[list[Fraction]]:
    """Coefficients of formulas that exceed the counts nowhere and meet them in as many rows as they can.

    A row of the matrix holds the values of all candidate terms, its place the logarithms of the sizes. Where
    one formula wins it is the largest combination of the terms, there and nearby, that exceeds the counts
    nowhere: a linear program finds it. Rows that no formula meets are left over.
    """
    branches: list[tuple[list[Fraction], set[int]]] = []
    open_rows = sorted((n for n in range(len(wanted)) if wanted[n]), key=lambda n: wanted[n], reverse=True)
    while open_rows and len(branches) < MOST_BRANCHES:
        row = open_rows.pop(0)
        branch = _branch(matrix, wanted, [NEAR ** -_distance(places[row], place) for place in places])
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


def _branch(matrix: Rows, wanted: Sequence[Fraction], weights: Sequence[float]) -> list[Fraction] | None:
    """The combination that is largest in the weighted rows, among those that exceed the counts nowhere."""
    # In units of the counts, so that every row weighs the same.
    scaled = [
        [float(term / count) if count else 0.0 for term in row]
        for row, count in zip(matrix, wanted, strict=True)
    ]
    columns = range(len(matrix[0]))
    # Terms differ by many orders of magnitude: each is scaled to at most one.
    sizes = [max(row[column] for row in scaled) or 1.0 for column in columns]
    table = [[row[column] / sizes[column] for column in columns] for row in scaled]
    goal = [-sum(w * row[column] for w, row in zip(weights, table, strict=True)) for column in columns]
    found = linprog(goal, A_ub=table, b_ub=[1.0] * len(table), method="highs")
    if not found.success or found.x is None:
        return None
    # Bytes and steps come in whole numbers.
    branch = [Fraction(round(float(value) / size)) for value, size in zip(found.x, sizes, strict=True)]
    within = all(value_at(row, branch) <= count for row, count in zip(matrix, wanted, strict=True))
    return branch if within else None


def value_at(row: Sequence[Fraction], branch: Sequence[Fraction]) -> Fraction:
    """What a formula gives in a row."""
    return sum((c * term for c, term in zip(branch, row, strict=True) if c), Fraction(0))


def _distance(one: Sequence[float], other: Sequence[float]) -> float:
    return sum(abs(a - b) for a, b in zip(one, other, strict=True))
