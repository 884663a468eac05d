"""Rows of a homogeneous linear system come in; which of them can be positive together goes out, exactly.

A solver of our own: these programs have a handful of rows, must be exact, and are solved by the thousand; a
floating-point library takes a hundred times as long to be called and would have to be checked.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from autograder.text.step_bound import spend

Number = int | Fraction
Row = Sequence[Number]


def can_be_positive(strict: Sequence[Row], weak: Sequence[Row], free: int) -> bool:
    """Whether a vector makes all strict rows positive and no weak row negative.

    The first `free` unknowns may have any sign, the others must all be positive.
    """
    rows = [*strict, *weak]
    size = len(rows[0]) if rows else 0
    # The positive unknowns are e + r, the strict rows at least e; can e be 1?
    table = []
    for number, row in enumerate(rows):
        whole = _whole(row)
        margin = (number < len(strict)) - sum(whole[free:])
        table.append([*(-v for v in whole[:free]), *whole[:free], *(-v for v in whole[free:]), margin, 0])
    width = free + size + 1
    table.append([0] * (width - 1) + [1, 1])
    values = _maximise(table, [width - 1], width)
    return values[width - 1] > 0


def positive_rows(rows: Sequence[Row], free: int) -> frozenset[int] | None:
    """Which rows are positive in a vector that makes as many as possible so, and none negative.

    The first `free` unknowns may have any sign, the others must all be positive; None where they cannot.
    Solutions add up, so the largest set is unique.
    """
    size = len(rows[0]) if rows else 0
    own = size - free
    # Unknowns: free ones as differences; positive ones as s + r with s at most 1; a slack t at most 1 a row.
    width = 2 * free + 2 * own + len(rows)
    first_slack = width - len(rows)
    bounded = [*range(2 * free, 2 * free + own), *range(first_slack, width)]
    table = []
    for number, row in enumerate(rows):
        whole = _whole(row)
        slack = [0] * len(rows)
        slack[number] = 1
        down = [-value for value in whole[free:]]
        table.append([*(-v for v in whole[:free]), *whole[:free], *down, *down, *slack, 0])
    for at in bounded:
        line = [0] * (width + 1)
        line[at] = line[-1] = 1
        table.append(line)
    values = _maximise(table, bounded, width)
    if any(values[2 * free + at] == 0 for at in range(own)):
        return None
    return frozenset(number for number in range(len(rows)) if values[first_slack + number] > 0)


def _whole(row: Row) -> list[int]:
    """The row times a positive number, without fractions."""
    scale = math.lcm(*(value.denominator for value in row))
    return [value.numerator * (scale // value.denominator) for value in row]


def _maximise(table: list[list[int]], wanted: Sequence[int], width: int) -> list[Fraction]:
    """The simplex method from the origin, with Bland's rule against cycles.

    Every row of integers stands for itself over a denominator of its own; columns of the basis are implicit.
    """
    below = [1] * len(table)
    goal = [0] * (width + 1)
    for at in wanted:
        goal[at] = 1
    basis = [width + row for row in range(len(table))]
    labels = list(range(width))  # what each column stands for; swapped with the basis at a pivot
    while (entering := _entering(goal, labels)) is not None:
        leaving = _leaving(table, basis, entering)
        if leaving is None:
            # Everything wanted is bounded, so a ray without end has no gain to give.
            goal[entering] = 0
            continue
        goal = _pivot(table, below, goal, leaving, entering)
        basis[leaving], labels[entering] = labels[entering], basis[leaving]
    values = [Fraction(0)] * width
    for row, label in enumerate(basis):
        if label < width:
            values[label] = Fraction(table[row][-1], below[row])
    return values


def _entering(goal: list[int], labels: list[int]) -> int | None:
    best: int | None = None
    for column, label in enumerate(labels):
        if goal[column] > 0 and (best is None or label < labels[best]):
            best = column
    return best


def _leaving(table: list[list[int]], basis: list[int], entering: int) -> int | None:
    best: int | None = None
    for row, line in enumerate(table):
        if line[entering] <= 0:
            continue
        if best is not None:
            here, there = line[-1] * table[best][entering], table[best][-1] * line[entering]
            if here > there or (here == there and basis[row] > basis[best]):
                continue
        best = row
    return best


def _pivot(
    table: list[list[int]], below: list[int], goal: list[int], leaving: int, entering: int
) -> list[int]:
    """Exchange a column and a row; the goal comes back, up to a positive factor."""
    spend(len(table))
    pivot = table[leaving]
    scale, old = pivot[entering], below[leaving]
    for row, line in enumerate(table):
        factor = line[entering]
        if row == leaving or not factor:
            continue
        fresh = [value * scale - factor * step for value, step in zip(line, pivot, strict=True)]
        fresh[entering] = -factor * old
        common = math.gcd(*fresh, below[row] * scale)
        table[row] = [value // common for value in fresh]
        below[row] = below[row] * scale // common
    factor = goal[entering]
    fresh = [value * scale - factor * step for value, step in zip(goal, pivot, strict=True)]
    fresh[entering] = -factor * old
    common = math.gcd(*fresh) or 1
    pivot[entering] = old
    below[leaving] = scale
    return [value // common for value in fresh]
