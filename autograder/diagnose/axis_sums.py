"""A wrong tensor beside the right one becomes what one look should show: axes by name, and what sums to 1."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from autograder.calls.note_tensors import Values

AXES = {-1: "rows", -2: "columns"}  # what is summed up along these axes


def name_axes(shape: tuple[int, ...], sizes: Mapping[str, int]) -> str:
    """The shape by the names of its axes, where each length is that of one axis alone: "K × T × T"."""
    names = []
    for length in shape:
        fitting = [name for name, size in sizes.items() if size == length]
        if len(fitting) != 1 or length == 1:
            return ""
        names.append(fitting[0])
    return " × ".join(names)


def compare_sums(mine: Values, right: Values) -> str:
    """Which of rows and columns sum to 1, where they are others than those of the right tensor."""
    one, two = (_sums_to_one(values) for values in (mine, right))
    if mine.shape != right.shape or not two or one == two:
        return ""
    if not one:
        return f"its {_words(two)} should sum to 1, and do not"
    return f"its {_words(one)} sum to 1; in a right solution, the {_words(two)} do"


def _sums_to_one(values: Values) -> list[str]:
    if values.ndim < 2 or not np.isfinite(values).all() or (values < 0).any():
        return []
    return [
        name
        for axis, name in AXES.items()
        if values.shape[axis] > 1 and np.allclose(values.sum(axis), 1, atol=1e-4)
    ]


def _words(names: list[str]) -> str:
    return " and ".join(names)
