"""A table of sizes and counts comes in; the formula that gives every count exactly goes out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from math import ceil, log2

from autograder.cost.power_products import ONE, Factor, PowerProduct, exact_text, growth_text, value

Sizes = Mapping[str, int]
Counts = Sequence[tuple[Sizes, int]]

# What a single variable may contribute. 1/x comes from axes that are a share of another, such as I = J/K.
FACTORS = (*(Factor(power, log) for power in range(4) for log in range(3)), Factor(-1))
MOST_TERMS = 4
MOST_DEGREE, MOST_CANDIDATES = 4, 512  # more only where somebody made the counts up


class FitError(Exception):
    """No formula of this form gives the counts."""


@dataclass(frozen=True)
class Fit:
    """The formula that gives every count: a sum of terms, or the largest of a few such sums."""

    variables: tuple[str, ...]
    branches: tuple[tuple[PowerProduct, ...], ...]

    @property
    def growth(self) -> str:
        """The growth rate; the largest of several sums grows like the sum of them all."""
        return growth_text([term for branch in self.branches for term in branch], self.variables)

    @property
    def formula(self) -> str:
        texts = [exact_text(branch, self.variables) for branch in self.branches]
        return texts[0] if len(texts) == 1 else f"max({', '.join(texts)})"

    def at(self, sizes: Sizes) -> Fraction:
        return max(
            sum((t.coefficient * value(t.factors, self.variables, sizes) for t in branch), Fraction(0))
            for branch in self.branches
        )


def fit(counts: Counts, variables: Sequence[str]) -> Fit:
    """The shortest formula in powers and logarithms that gives the counts.

    Each variable's factors are found on the line where it alone changes; then all products of them are
    solved for together, on all counts. A formula of n terms is looked for on lines of 2n sizes or more:
    products of powers and logarithms are a Chebyshev system, so no other formula as short can fit them.
    """
    variables = tuple(variables)
    lines = [line_of(counts, variables, name) for name in variables]
    found = [_factors_of(line, name) for line, name in zip(lines, variables, strict=True)]
    if all(found):
        terms = _solved(counts, variables, list(product(*found)))
        if terms is not None:
            return Fit(variables, (terms,))
    largest = _largest_of(counts, variables, lines)
    if largest is None:
        names = ", ".join(variables)
        raise FitError(f"no sum of products of powers and logarithms of {names} gives these counts")
    return largest


def line_of(counts: Counts, variables: Sequence[str], name: str) -> Counts:
    """The longest run of counts along which only this variable changes."""
    lines: dict[tuple[int, ...], dict[int, tuple[Sizes, int]]] = {}
    for sizes, count in counts:
        others = tuple(sizes[other] for other in variables if other != name)
        lines.setdefault(others, {})[sizes[name]] = (sizes, count)
    longest = max(lines.values(), key=len, default={})
    return [longest[size] for size in sorted(longest)]


def _factors_of(line: Counts, name: str) -> tuple[Factor, ...]:
    """The smallest set of factors of one variable whose sum gives the line; empty where there is none."""
    wanted = [Fraction(count) for _, count in line]
    if not any(wanted):
        return (ONE,)
    columns = {factor: [factor.at(sizes[name]) for sizes, _ in line] for factor in FACTORS}
    for size in range(1, min(MOST_TERMS, len(line) // 2) + 1):
        for chosen in combinations(FACTORS, size):
            found = solve([[columns[f][n] for f in chosen] for n in range(len(line))], wanted)
            if found is not None and all(found):
                return chosen
    return ()


def _solved(
    counts: Counts, variables: Sequence[str], candidates: Sequence[tuple[Factor, ...]]
) -> tuple[PowerProduct, ...] | None:
    found = solve(_matrix(counts, variables, candidates), [Fraction(count) for _, count in counts])
    return None if found is None else _terms(found, candidates)


def _largest_of(counts: Counts, variables: Sequence[str], lines: Sequence[Counts]) -> Fit | None:
    """The counts as the largest of several formulas: a peak of memory, or paths that compete."""
    from autograder.cost.larger_of_formulas import find_branches, value_at

    wanted = [Fraction(count) for _, count in counts]
    places = [[log2(sizes[name]) for name in variables] for sizes, _ in counts]
    degrees = [_degree(line) for line in lines]
    if max(degrees) > MOST_DEGREE:
        return None
    for logs in (0, 1):
        choices = [_up_to(degree, logs) for degree in degrees]
        candidates = list(product(*choices))
        if len(candidates) > MOST_CANDIDATES:
            return None
        matrix = _matrix(counts, variables, candidates)
        found = find_branches(matrix, wanted, places)
        if found and wanted == [max(value_at(row, branch) for branch in found) for row in matrix]:
            return Fit(tuple(variables), tuple(_terms(branch, candidates) for branch in found))
    return None


def _up_to(degree: int, logs: int) -> list[Factor]:
    return [Factor(power, log) for power in range(degree + 1) for log in range(logs + 1)]


def _degree(line: Counts) -> int:
    """The power of a variable that its last doubling shows, rounded up."""
    (_, before), (_, last) = line[-2:]
    return ceil(log2(last / before)) if last > before > 0 else 0


def _matrix(
    counts: Counts, variables: Sequence[str], candidates: Sequence[tuple[Factor, ...]]
) -> list[list[Fraction]]:
    return [[value(candidate, variables, sizes) for candidate in candidates] for sizes, _ in counts]


def _terms(found: Sequence[Fraction], candidates: Sequence[tuple[Factor, ...]]) -> tuple[PowerProduct, ...]:
    return tuple(PowerProduct(c, factors) for c, factors in zip(found, candidates, strict=True) if c)


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
