"""numpy's arrays and scalars in what came back become tensors of the same dtype: either is an answer."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

SCALARS = {
    **{f"numpy.{name}": getattr(torch, name) for name in (
        "float64", "float32", "float16", "int64", "int32", "int16", "int8", "uint8",
    )},
    "numpy.bool": torch.bool,
    "numpy.bool_": torch.bool,
}  # fmt: skip


def as_tensors(
    kind: str, kinds: tuple[str, ...], outputs: tuple[object, ...]
) -> tuple[str, tuple[str, ...], tuple[object, ...]]:
    """The kind of what came back, those of its entries, and the entries, with tensors for arrays."""
    if "ndarray" not in kinds and not SCALARS.keys() & {*kinds}:
        return kind, kinds, outputs
    pairs = [_as_tensor(each, value) for each, value in zip(kinds, outputs, strict=True)]
    now = tuple(each for each, _ in pairs)
    return kind if kind in ("tuple", "list") else now[0], now, tuple(value for _, value in pairs)


def only_tensors(outputs: Sequence[object]) -> tuple[Tensor, ...]:
    """The tensors among what came back."""
    return tuple(value for value in outputs if isinstance(value, Tensor))


def _as_tensor(kind: str, value: object) -> tuple[str, object]:
    if kind == "ndarray":
        return "tensor", value  # its numbers travel as a tensor's
    if kind in SCALARS and isinstance(value, bool | int | float):
        try:
            return "tensor", torch.tensor(value, dtype=SCALARS[kind])
        except (RuntimeError, OverflowError):  # what calls itself a small number need not be one
            pass
    return kind, value
