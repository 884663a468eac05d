"""The sizes at which a program is measured: each variable by itself, then all of them together."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import product
from math import prod

from autograder.cost.fit import Sizes

# Powers of two, so that logarithms are whole. Axes of length 1 are left out: torch takes short cuts there.
ALONE = tuple(2**n for n in range(1, 9))
LONG_ENOUGH = 6  # sizes on a line: enough to tell formulas of three terms apart
TOGETHER = (2, 4, 8, 16)
MOST_TOGETHER = 96
AT = (8, 2, 32, 128)  # where the other variables may stand while one changes, the first where it can

# Beside a student's code the sizes are large, so that the program takes most of the time and not the count.
MOST_VOLUME = 1 << 26  # the product of all variables: a program that spreads them all out takes 256 MB
MOST_ENTRIES = 1 << 19  # numbers that are sent for one call
LEAST_LARGE = 64  # with shorter axes there is nothing to gain


def always(sizes: Sizes) -> bool:
    return True


def make_grid(
    variables: Sequence[str], admits: Callable[[Sizes], bool] = always, apart: Collection[str] = ()
) -> tuple[Sizes, ...]:
    """Sizes to measure at: each variable by itself, then all together; only those that are admitted.

    Variables that must never have the size of another are set `apart`: they are three halves of what the
    others are.
    """
    points: dict[tuple[int, ...], Sizes] = {}

    def at(sizes: Iterable[tuple[str, int]]) -> Sizes:
        return {name: size * 3 // 2 if name in apart else size for name, size in sizes}

    def add(sizes: Iterable[Sizes]) -> None:
        for each in sizes:
            points[tuple(each[name] for name in variables)] = each

    # Tables over four axes get large quickly.
    alone = ALONE if len(variables) < 3 else ALONE[:LONG_ENOUGH]
    for name in variables:
        others = [other for other in variables if other != name]
        places = sorted(product(AT, repeat=len(others)), key=_far)
        lines = ([at([*zip(others, place, strict=True), (name, size)]) for size in alone] for place in places)
        add(_roomiest(lines, admits))
    if len(variables) > 1:
        together = (
            at(zip(variables, each, strict=True)) for each in product(TOGETHER, repeat=len(variables))
        )
        allowed = sorted((sizes for sizes in together if admits(sizes)), key=_extent)
        add(allowed[:MOST_TOGETHER])
    return tuple(points.values())


def _roomiest(lines: Iterable[list[Sizes]], admits: Callable[[Sizes], bool]) -> list[Sizes]:
    """The first line that is long enough where it is admitted, else the longest."""
    best: list[Sizes] = []
    for line in lines:
        admitted = [sizes for sizes in line if admits(sizes)]
        if min(len(admitted), LONG_ENOUGH) > len(best):
            best = admitted
    return best


def _extent(sizes: Sizes) -> tuple[int, int]:
    return max(sizes.values()), sum(sizes.values())


def _far(places: Sequence[int]) -> int:
    """How far from the usual place, in doublings."""
    return sum(abs(place.bit_length() - AT[0].bit_length()) for place in places)


def make_large_grid(
    variables: Sequence[str],
    entries: Callable[[Sizes], int],
    admits: Callable[[Sizes], bool] = always,
    long: str = "",
    spread: bool = False,
) -> tuple[Sizes, ...]:
    """The largest sizes of the same kind at which a call still takes milliseconds; empty if there are none.

    The `long` variable, over which programs in Python loop, stays half as long as the others. Formulas that
    are the larger of several need points that lie far apart: these are added where sizes are `spread`.
    `entries` says how many numbers a call is sent.
    """

    def corner(top: int) -> Sizes:
        return {name: top // 2 if name == long else top for name in variables}

    def fits(top: int) -> bool:
        at = corner(top)
        return prod(at.values()) <= MOST_VOLUME and entries(at) <= MOST_ENTRIES

    tops = [1 << n for n in range(LEAST_LARGE.bit_length() - 1, MOST_VOLUME.bit_length()) if fits(1 << n)]
    if not tops:
        return ()
    top = tops[-1]
    points: list[Sizes] = []
    for name in variables:
        still = dict.fromkeys(variables, top // 4)
        line = [{**still, name: top >> n} for n in range(LONG_ENOUGH)]
        if not all(map(admits, line)):
            return ()
        points += line
    if len(variables) > 1:
        near = [[size // n for n in (4, 2, 1)] for size in corner(top).values()]
        far = [[top // n for n in (16, 4, 1)] for _ in variables]
        for sizes in (*product(*near), *(product(*far) if spread else ())):
            points.append(dict(zip(variables, sizes, strict=True)))
    chosen = {tuple(at.values()): at for at in points if admits(at) and prod(at.values()) <= MOST_VOLUME}
    return tuple(chosen.values()) if len(chosen) <= MOST_TOGETHER else ()
