"""Two arrays come in: whether one is the other but for the order and the joining of axes, or for a factor."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence

import numpy as np

from autograder.calls.note_tensors import Values

MOST_AXES = 5
CLOSE = 1e-4  # of the largest entry: far above rounding in single precision, far below any slip
VERY_CLOSE = 1e-5  # where a slip may have been made small by what follows


def close(got: Values, want: Values, allowed: float = CLOSE) -> bool:
    """The same shape and, but for rounding, the same numbers."""
    if got.shape != want.shape:
        return False
    if not got.size:
        return True
    with np.errstate(invalid="ignore"):
        gap = float(np.abs(got - want).max())
    if math.isfinite(gap):
        return gap <= allowed * float(np.abs(want).max())
    return bool(np.array_equal(np.isfinite(got), np.isfinite(want)) and _finite_close(got, want, allowed))


def _finite_close(got: Values, want: Values, allowed: float) -> bool:
    kept = np.isfinite(want)
    same = np.array_equal(got[~kept], want[~kept], equal_nan=True)
    return bool(same and kept.any() and close(got[kept], want[kept], allowed))


def arrangements(values: Values, shape: Sequence[int]) -> Iterator[Values]:
    """The values in another shape, in all ways: axes reordered, neighbours joined or split, ones dropped."""
    mine = [length for length in values.shape if length != 1]
    theirs = [length for length in shape if length != 1]
    if math.prod(mine) != math.prod(theirs) or max(len(mine), len(theirs)) > MOST_AXES:
        return
    values = values.reshape(mine)
    if len(mine) >= len(theirs):
        for order in itertools.permutations(range(len(mine))):
            if _joins([mine[axis] for axis in order], theirs):
                yield values.transpose(order).reshape(tuple(shape))
        return
    for order in itertools.permutations(range(len(theirs))):
        if _joins([theirs[axis] for axis in order], mine):
            split = values.reshape([theirs[axis] for axis in order])
            yield split.transpose(np.argsort(order)).reshape(tuple(shape))


def _joins(fine: Sequence[int], coarse: Sequence[int]) -> bool:
    """Whether neighbours of the fine lengths multiply to the coarse ones, one after the other."""
    lengths = iter(fine)
    for whole in coarse:
        product = 1
        while product < whole:
            length = next(lengths, None)
            if length is None:
                return False
            product *= length
        if product != whole:
            return False
    return next(lengths, None) is None


def is_plain(values: Values) -> bool:
    """The same number throughout, or a single plain one: such a tensor is like many others by chance."""
    if values.size == 1:
        number = float(values.reshape(-1)[0])
        return not math.isfinite(number) or abs(12 * number - round(12 * number)) < 1e-9
    return values.size == 0 or bool((values == values.reshape(-1)[0]).all())


def same(got: Values, want: Values, allowed: float = CLOSE) -> bool:
    """Equal up to an arrangement."""
    if got.size != want.size or not _sums_agree(got, want):
        return False
    return any(close(arranged, want, allowed) for arranged in arrangements(got, want.shape))


def factor(got: Values, want: Values) -> float | None:
    """The number that `got` is times `want`, up to an arrangement; None where there is none."""
    if got.size != want.size or got.size < 2 or not (np.isfinite(got).all() and np.isfinite(want).all()):
        return None
    below = float(np.linalg.norm(want))
    ratio = float(np.linalg.norm(got)) / below if below > 0 else 0.0
    if ratio <= 0:
        return None
    for signed in (ratio, -ratio):
        if same(got / signed, want):
            return signed
    return None


def _sums_agree(got: Values, want: Values) -> bool:
    """A quick look that no arrangement changes."""
    top = float(np.abs(want).max(initial=0.0))
    if not math.isfinite(top):
        return True
    return abs(float(got.sum()) - float(want.sum())) <= 2 * CLOSE * top * max(1, want.size)
