"""Rows of a homogeneous linear system come in; which of them can be positive together goes out, exactly.

A solver of our own: these programs have a handful of rows, must be exact, and are solved by the thousand; a
floating-point library takes a hundred times as long to be called and would have to be checked.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

Number = int | Fraction
Row = Sequence[Number]


def positive_rows(rows: Sequence[Row], free: int) -> frozenset[int] | None:
    """Which rows are positive in a vector that makes as many as possible so, and none negative.

    The first `free` unknowns may have any sign, the others must all be positive; None where they cannot.
    Solutions add up, so the largest set is unique.
    """
    size = len(rows[0]) if rows else 0
    # Unknowns: free ones as differences; positive ones as s + r with s at most 1; a slack t at most 1 a row.
    width = 2 * free + 2 * (size - free) + len(rows)
    bounded = [2 * free + at for at in range(size - free)]
    bounded += [width - len(rows) + at for at in range(len(rows))]
    table: list[list[Number]] = []
    for number, row in enumerate(rows):
        line: list[Number] = [-value for value in row[:free]] + [*row[:free]]
        line += [-value for value in row[free:]] * 2
        slack = [0] * len(rows)
        slack[number] = 1
        table.append([*line, *slack, 0])
    for at in bounded:
        line = [0] * (width + 1)
        line[at] = line[-1] = 1
        table.append(line)
    goal: list[Number] = [0] * (width + 1)
    for at in bounded:
        goal[at] = 1
    values = _maximise(table, goal, width)
    if any(values[2 * free + at] == 0 for at in range(size - free)):
        return None
    return frozenset(number for number in range(len(rows)) if values[width - len(rows) + number] > 0)


def _maximise(table: list[list[Number]], goal: list[Number], width: int) -> list[Number]:
    """The simplex method from the origin, with Bland's rule against cycles; slack columns are implicit."""
    count = len(table)
    basis = [width + row for row in range(count)]
    labels = list(range(width))  # what each column stands for; swapped with the basis at a pivot
    while True:
        entering = _entering(goal, labels)
        if entering is None:
            break
        leaving = _leaving(table, basis, entering)
        if leaving is None:
            # Every objective column is bounded, so an unbounded ray has no gain left to give.
            goal[entering] = 0
            continue
        _pivot(table, goal, leaving, entering)
        basis[leaving], labels[entering] = labels[entering], basis[leaving]
    values: list[Number] = [0] * width
    for row, label in enumerate(basis):
        if label < width:
            values[label] = table[row][-1]
    return values


def _entering(goal: list[Number], labels: list[int]) -> int | None:
    best: int | None = None
    for column, label in enumerate(labels):
        if goal[column] > 0 and (best is None or label < labels[best]):
            best = column
    return best


def _leaving(table: list[list[Number]], basis: list[int], entering: int) -> int | None:
    best: int | None = None
    ratio: Number = 0
    for row, line in enumerate(table):
        if line[entering] <= 0:
            continue
        here = Fraction(line[-1]) / line[entering]
        if best is None or here < ratio or (here == ratio and basis[row] < basis[best]):
            best, ratio = row, here
    return best


def _pivot(table: list[list[Number]], goal: list[Number], leaving: int, entering: int) -> None:
    line = table[leaving]
    inverse = Fraction(1) / line[entering]
    inverse_out: Number = inverse.numerator if inverse.denominator == 1 else inverse
    pivot: list[Number] = [value * inverse_out if value else 0 for value in line]
    pivot[entering] = inverse_out
    table[leaving] = pivot
    for other in [*(row for row in table if row is not pivot), goal]:
        factor = other[entering]
        if not factor:
            continue
        other[entering] = 0
        for column, value in enumerate(pivot):
            if value:
                other[column] -= factor * value
