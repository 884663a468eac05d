"""The rules of operations that read or write at given places: indices, masks, scattered entries."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import prod
from typing import TypeGuard

import torch
from torch import Tensor

from autograder.cost.trace.inner_product_rules import Arguments, Keywords, Rule
from autograder.cost.trace.time_model import Charge, Model


def put(model: Model, args: Arguments, kwargs: Keywords, out: Tensor, entries: int, meet: bool) -> Charge:
    """So many entries are written, into a copy where the operation is not in place.

    Those that meet in one place are added up, as a tree.
    """
    copied = 0 if out is args[0] else out.numel()
    return entries + copied, 1 + (model.sum(entries) if meet else 0)


def put_each(
    position: int, meet: bool, model: Model, args: Arguments, kwargs: Keywords, out: Tensor
) -> Charge:
    """An entry for each one of the argument at this position: an index, or a source."""
    return put(model, args, kwargs, out, args[position].numel(), meet)


def put_linear(model: Model, args: Arguments, kwargs: Keywords, out: Tensor) -> Charge:
    """An entry for each index into the flat tensor."""
    return put(model, args, kwargs, out, args[1].numel(), _accumulates(args, kwargs))


def fill_slices(model: Model, args: Arguments, kwargs: Keywords, out: Tensor) -> Charge:
    """One number goes to every place of the slices that the index names."""
    tensor, dim, index = args[:3]
    length = tensor.shape[dim] if tensor.dim() else 1
    return put(model, args, kwargs, out, index.numel() * (tensor.numel() // max(1, length)), False)


def put_at(model: Model, args: Arguments, kwargs: Keywords, out: Tensor) -> Charge:
    """Values, spread out where they are fewer, go to all places that the indices name."""
    tensor, indices, values = args[:3]
    work, span = put(model, args, kwargs, out, places(tensor, indices), _accumulates(args, kwargs))
    # One number needs no prefix sums to find where it goes.
    more, longer = (0, 0) if values.numel() == 1 else compacted(model, indices)
    return work + more, span + longer


def take_at(model: Model, args: Arguments, kwargs: Keywords, out: Tensor) -> Charge:
    """An entry is read for each place; a mask is read as a whole."""
    more, longer = compacted(model, args[1])
    return out.numel() + more, 1 + longer


def places(tensor: Tensor, indices: Sequence[Tensor | None]) -> int:
    """How many entries the indices name: their common shape, times the axes that have none.

    A mask names what it covers, written or not, so that the count does not depend on the numbers.
    """
    masked = [index.numel() for index in indices if is_mask(index)]
    shape = common_shape([index.shape for index in indices if index is not None and not is_mask(index)])
    named: int = prod(shape)
    if masked and (not shape or shape[-1] == 1):
        named *= max(masked)
    axis, others = 0, 1
    for index in indices:
        if index is None:
            others *= tensor.shape[axis]
        axis += index.dim() if is_mask(index) else 1
    return named * others * prod(tensor.shape[axis:])


def common_shape(shapes: Sequence[Sequence[int]]) -> Sequence[int]:
    """The shape to which all of these are spread out."""
    if len(shapes) == 1:
        return shapes[0]
    spread: Sequence[int] = torch.broadcast_shapes(*shapes)  # type: ignore[no-untyped-call]  # torch's own
    return spread


def compacted(model: Model, indices: Sequence[Tensor | None]) -> Charge:
    """Masks become indices by prefix sums: a tree up, a tree down, and the entries that pass are moved."""
    masks = [index.numel() for index in indices if is_mask(index)]
    return 3 * sum(masks), max((2 * model.sum(entries) + 1 for entries in masks), default=0)


def is_mask(index: Tensor | None) -> TypeGuard[Tensor]:
    return index is not None and index.dtype in (torch.bool, torch.uint8)


def _accumulates(args: Arguments, kwargs: Keywords) -> bool:
    return bool(args[3] if len(args) > 3 else kwargs.get("accumulate", False))


PLACING: dict[str, Rule] = {
    **dict.fromkeys(["index", "_unsafe_index"], take_at),
    **dict.fromkeys(["index_put", "_unsafe_index_put", "_index_put_impl"], put_at),
    "put": put_linear,
    "index_fill": fill_slices,
    "index_copy": partial(put_each, 3, False),
    **dict.fromkeys(["index_add", "index_reduce"], partial(put_each, 3, True)),
    # A source may be larger than the index: only what has an index is read.
    "scatter": partial(put_each, 2, False),
    **dict.fromkeys(["scatter_add", "scatter_reduce"], partial(put_each, 2, True)),
}
