"""In which order a product is summed, so that no step builds more than it must."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import prod

GREEDY = 10  # factors; beyond these the order of writing is kept


@dataclass(frozen=True)
class Step:
    """Join two factors (by position among those left) and keep these indices."""

    left: int
    right: int
    keep: frozenset[str]


def plan_contraction(
    factors: Sequence[frozenset[str]], keep: frozenset[str], lengths: Mapping[str, int]
) -> tuple[list[Step], int]:
    """Pairwise steps, smallest result first, and the entries of the largest intermediate."""
    left = list(factors)
    steps: list[Step] = []
    largest = max((_entries(names, lengths) for names in left), default=1)
    while len(left) > 1:
        pairs = combinations(range(len(left)), 2) if len(left) <= GREEDY else iter([(0, 1)])
        best: Step | None = None
        cost = 0
        for first, second in pairs:
            names = _kept(left, first, second, keep)
            entries = _entries(names, lengths)
            if best is None or entries < cost:
                best, cost = Step(first, second, names), entries
        assert best is not None
        steps.append(best)
        largest = max(largest, cost)
        left = [names for at, names in enumerate(left) if at not in (best.left, best.right)] + [best.keep]
    return steps, largest


def _kept(factors: list[frozenset[str]], first: int, second: int, keep: frozenset[str]) -> frozenset[str]:
    others = [names for at, names in enumerate(factors) if at not in (first, second)]
    needed = keep.union(*others)
    return (factors[first] | factors[second]) & needed


def _entries(names: frozenset[str], lengths: Mapping[str, int]) -> int:
    return prod(lengths[name] for name in names)
