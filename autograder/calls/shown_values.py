"""Wrong tensors become what may be told of them: a slice to draw, and a print that tells equal ones."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

from torch import Tensor

from autograder.calls.compare_tensors import Want, differs, is_right
from autograder.calls.requests_and_outcomes import ShownSlice

MOST_ROWS, MOST_COLUMNS = 16, 20
MOST_ENTRIES = 4096  # of all tensors that enter a print


def show(got: Sequence[object], want: Sequence[Want]) -> ShownSlice | None:
    """The slice in which the first wrong tensor first differs; nothing where there is none to draw."""
    if len(got) != len(want):
        return None
    for value, expected in zip(got, want, strict=True):
        if isinstance(value, Tensor) and not is_right(value, expected):
            return _show(value, expected)
    return None


def values_print(tensors: Iterable[object]) -> str:
    """The same short text for the same numbers, up to the last digits; nothing for what is no number."""
    digest, entries = hashlib.blake2b(digest_size=8), 0
    for tensor in tensors:
        if not isinstance(tensor, Tensor) or tensor.is_complex():
            return ""
        entries += tensor.numel()
        if entries > MOST_ENTRIES:
            return ""
        numbers = " ".join(f"{value:.4g}" for value in tensor.double().flatten().tolist())
        digest.update(f"{list(tensor.shape)} {numbers};".encode())
    return digest.hexdigest() if entries else ""


def _show(got: Tensor, want: Want) -> ShownSlice | None:
    if got.is_complex() or not got.numel() or not want.values.numel():
        return None
    if got.shape != want.values.shape:
        right, mine = (_table(tensor, (0,) * (tensor.ndim - 2)) for tensor in (want.values, got))
        return ShownSlice(want.name, _rows(right), _rows(mine), cut=_is_cut(right) or _is_cut(mine))
    places = differs(got, want)
    first = places.nonzero()[0].tolist() if bool(places.any()) else [0] * got.ndim
    where = tuple(first[: max(0, got.ndim - 2)])
    table = _table(places, where)
    wrong = tuple("".join("1" if each else "0" for each in row) for row in _cut(table).tolist())
    return ShownSlice(
        want.name,
        _rows(_table(want.values, where)),
        _rows(_table(got, where)),
        wrong,
        where,
        _is_cut(table),
    )


def _table(tensor: Tensor, where: tuple[int, ...]) -> Tensor:
    """Two axes of a tensor as rows; a vector is one row."""
    table = tensor[where] if where else tensor
    return table.reshape(-1, table.shape[-1] if table.ndim else 1)


def _cut(table: Tensor) -> Tensor:
    return table[:MOST_ROWS, :MOST_COLUMNS]


def _is_cut(table: Tensor) -> bool:
    return table.shape[0] > MOST_ROWS or table.shape[1] > MOST_COLUMNS


def _rows(table: Tensor) -> tuple[str, ...]:
    # Text, since JSON has no NaN and no infinity, and six digits are enough for a picture.
    return tuple(" ".join(f"{value:.6g}" for value in row) for row in _cut(table).double().tolist())
