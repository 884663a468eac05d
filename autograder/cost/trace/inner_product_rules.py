"""The rules of operations made of inner products: matrix products, convolutions, attention in one call."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import prod
from typing import Any

from torch import Tensor

from autograder.cost.trace.time_model import Charge, Model

Arguments = tuple[Any, ...]
Keywords = Mapping[str, Any]
Output = Tensor | tuple[Tensor, ...]
# A rule sees the model, the arguments as the operation got them, and what it returned.
Rule = Callable[[Model, Arguments, Keywords, Any], Charge]


def dot(model: Model, args: Arguments, kwargs: Keywords, out: object) -> Charge:
    length = args[0].numel()
    return length, model.inner(length)


def product(model: Model, args: Arguments, kwargs: Keywords, out: Tensor) -> Charge:
    """[…, m, k] times […, k, n] or times a vector: an inner product of length k for each entry."""
    length = args[0].shape[-1]
    return out.numel() * length, model.inner(length)


def added(model: Model, args: Arguments, kwargs: Keywords, out: Tensor) -> Charge:
    """The same, and something is added to the result: addmm, addmv, baddbmm."""
    length = args[1].shape[-1]
    return out.numel() * length + out.numel(), model.inner(length) + 1


def added_batches(model: Model, args: Arguments, kwargs: Keywords, out: Tensor) -> Charge:
    """addbmm: the products of a whole batch are added up too."""
    batches, _, length = args[1].shape
    return out.numel() * batches * length + out.numel(), model.inner(batches * length) + 1


def trilinear(model: Model, args: Arguments, kwargs: Keywords, out: Tensor) -> Charge:
    """Three tensors multiplied over the box of all their axes, and summed over some: a bilinear layer.

    Two operations for each entry of the box, the second a multiply-add.
    """
    shapes = [list(tensor.shape) for tensor in args[:3]]
    for shape, new in zip(shapes, args[3:6], strict=True):
        for axis in new:
            shape.insert(axis, 1)
    terms = prod(max(shape[axis] for shape in shapes) for axis in args[6])
    return 2 * out.numel() * terms, 1 + model.inner(terms)


def determinant(model: Model, args: Arguments, kwargs: Keywords, out: object) -> Charge:
    """Elimination column by column: search the pivot, divide by it, subtract products; then the diagonal."""
    size = args[0].shape[-1]
    matrices = args[0].numel() // max(1, size * size)
    below, updated = size * (size - 1) // 2, size * (size - 1) * (2 * size - 1) // 6
    steps = max(0, size - 1) * (model.sum(size) + 3) + model.sum(size)
    return matrices * (2 * below + updated + size), steps


def convolution(model: Model, args: Arguments, kwargs: Keywords, out: Tensor) -> Charge:
    source, weight, bias, transposed, groups = args[0], args[1], args[2], args[6], args[8]
    # A transposed convolution spreads each entry of its input; others gather for each entry of the output.
    work = (source if transposed else out).numel() * prod(weight.shape[1:])
    channels = weight.shape[0] // groups if transposed else weight.shape[1]
    biased = isinstance(bias, Tensor)
    span = model.inner(channels * prod(weight.shape[2:])) + biased
    return work + (out.numel() if biased else 0), span


def convolution_backward(model: Model, args: Arguments, kwargs: Keywords, out: object) -> Charge:
    gradient, source, weight, groups, mask = args[0], args[1], args[2], args[9], args[10]
    forward = (source if args[7] else gradient).numel() * prod(weight.shape[1:])
    places = gradient.shape[0] * prod(gradient.shape[2:])
    window = prod(weight.shape[2:])
    parts = [
        (forward, model.inner(weight.shape[0] // groups * window)),  # for the input
        (forward, model.inner(places)),  # for the weight
        (gradient.numel(), model.sum(places)),  # for the bias
    ]
    wanted = [part for part, asked in zip(parts, mask, strict=True) if asked]
    return sum(work for work, _ in wanted), max((span for _, span in wanted), default=0)


def attention(model: Model, args: Arguments, kwargs: Keywords, out: object) -> Charge:
    """softmax(scale · q kᵀ) v in one call: scores, scaling, mask, softmax, average."""
    query, keys, values = args[:3]
    pairs = prod(query.shape[:-1]) * keys.shape[-2]
    masked = 1 if isinstance(kwargs.get("attn_mask"), Tensor) else 0
    length, others = query.shape[-1], keys.shape[-2]
    work = pairs * (length + 1 + masked + 5 + values.shape[-1])
    softmax = 2 * model.sum(others) + 3
    return work, model.inner(length) + 1 + masked + softmax + model.inner(others)


def attention_backward(model: Model, args: Arguments, kwargs: Keywords, out: object) -> Charge:
    """Scores are computed again; then the gradients of values, weights, scores, queries and keys."""
    _, query, keys, values = args[:4]
    pairs = prod(query.shape[:-1]) * keys.shape[-2]
    length, others, width = query.shape[-1], keys.shape[-2], values.shape[-1]
    work = pairs * (3 * length + 2 * width + 1 + 5 + 4 + 1)
    again = model.inner(length) + 1 + 2 * model.sum(others) + 3
    softmax = model.sum(others) + 3
    # Queries sum over the keys, keys over the queries.
    last = max(model.inner(others), model.inner(query.shape[-2])) + 1
    return work, max(again, model.inner(width)) + softmax + last


PRODUCTS: dict[str, Rule] = {
    "dot": dot,
    "vdot": dot,
    "mv": product,
    "mm": product,
    "bmm": product,
    "addmm": added,
    "addmv": added,
    "baddbmm": added,
    "addbmm": added_batches,
    "_trilinear": trilinear,
    "_linalg_det": determinant,
    "convolution": convolution,
    "convolution_backward": convolution_backward,
    "_scaled_dot_product_flash_attention_for_cpu": attention,
    "_scaled_dot_product_flash_attention_for_cpu_backward": attention_backward,
}
