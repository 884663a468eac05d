"""The rules of sorting and searching, and of distances between all pairs."""

from __future__ import annotations

from functools import partial
from math import prod

from torch import Tensor

from autograder.cost.trace.inner_product_rules import Arguments, Keywords, Rule
from autograder.cost.trace.time_model import Charge, Model


def network(model: Model, rows: int, length: int) -> Charge:
    """Bitonic sorting: k (k + 1) / 2 rounds of length / 2 comparisons each, where k is log₂ of the length."""
    rounds = model.sum(length) * (model.sum(length) + 1) // 2
    return rows * (length // 2) * rounds, rounds


def sort(position: int, model: Model, args: Arguments, kwargs: Keywords, out: object) -> Charge:
    """Sorting along an axis. Whatever picks by rank is taken to sort: topk, median, mode."""
    tensor = args[0]
    dim = args[position] if len(args) > position else kwargs.get("dim", -1)
    length = tensor.shape[dim] if tensor.dim() else 1
    return network(model, tensor.numel() // max(1, length), length)


def sort_all(model: Model, args: Arguments, kwargs: Keywords, out: object) -> Charge:
    return network(model, 1, args[0].numel())


def median(model: Model, args: Arguments, kwargs: Keywords, out: object) -> Charge:
    """Of all entries, or along an axis: a sort."""
    return sort_all(model, args, kwargs, out) if len(args) < 2 else sort(1, model, args, kwargs, out)


def unique(model: Model, args: Arguments, kwargs: Keywords, out: object) -> Charge:
    """Sort, compare neighbours, keep those that differ: prefix sums say where to."""
    entries = args[0].numel()
    work, span = network(model, 1, entries)
    return work + 4 * entries, span + 1 + 2 * model.sum(entries) + 1


def search(edges: int, model: Model, args: Arguments, kwargs: Keywords, out: Tensor) -> Charge:
    """Binary search: log₂ of the number of places, for each value."""
    tensor = args[edges]
    steps = int(tensor.shape[-1] if tensor.dim() else 1).bit_length()
    return out.numel() * steps, steps


def tally(model: Model, args: Arguments, kwargs: Keywords, out: Tensor) -> Charge:
    """Zeros, and a one added for every entry."""
    entries = args[0].numel()
    return out.numel() + entries, 1 + model.sum(entries)


def histogram(model: Model, args: Arguments, kwargs: Keywords, out: Tensor) -> Charge:
    """As a tally, once the bin of each entry is known: subtract, scale, round down.

    Where no range is given, the smallest and the largest entry are looked for first.
    """
    entries, (low, high) = args[0].numel(), (*args[2:], 0, 0)[:2]
    searched = low == high
    work = out.numel() + (6 if searched else 4) * entries
    return work, 3 + 1 + (2 if searched else 1) * model.sum(entries)


def distances(model: Model, args: Arguments, kwargs: Keywords, out: Tensor) -> Charge:
    """Subtract, an inner product of the difference with itself, the root; for all pairs."""
    length = args[0].shape[-1]
    return out.numel() * (2 * length + 1), 1 + model.inner(length) + 1


def distances_within(model: Model, args: Arguments, kwargs: Keywords, out: object) -> Charge:
    """The gradient of the distances of all pairs of one set, added up over the partners."""
    rows, length = args[1].shape
    pairs = args[3].numel()
    return 2 * pairs * (2 * length + 1), 2 + model.inner(max(1, rows - 1))


def distances_by_products(model: Model, args: Arguments, kwargs: Keywords, out: Tensor) -> Charge:
    """The same as one matrix product: squared lengths are put beside the vectors, then clamp and root."""
    length = args[0].shape[-1]
    vectors = prod(args[0].shape[:-1]) + prod(args[1].shape[:-1])
    work = vectors * (2 * length + 2) + out.numel() * (length + 2 + 2)
    return work, model.inner(length) + 1 + model.inner(length + 2) + 2


def distances_backward(model: Model, args: Arguments, kwargs: Keywords, out: object) -> Charge:
    """Differences, divided by the distance and times its gradient, added up over the partners."""
    pairs, length = args[4].numel(), args[1].shape[-1]
    return pairs * (2 * length + 1), 2 + model.inner(args[2].shape[-2])


def upsample(points: int, model: Model, args: Arguments, kwargs: Keywords, out: Tensor) -> Charge:
    """Each entry is a weighted mean of so many neighbours."""
    return out.numel() * points, model.inner(points)


def meeting(model: Model, args: Arguments, kwargs: Keywords, out: Tensor) -> Charge:
    """Zeros, and every entry is added where it belongs; a place takes an even share of them."""
    entries, places = args[0].numel(), max(1, out.numel())
    return out.numel() + entries, 1 + model.sum(-(-entries // places))


def cross(model: Model, args: Arguments, kwargs: Keywords, out: Tensor) -> Charge:
    """Two products and a difference for each entry."""
    return 3 * out.numel(), 2


def membership(model: Model, args: Arguments, kwargs: Keywords, out: Tensor) -> Charge:
    """Every entry is compared with every candidate."""
    candidates = args[1].numel()
    return 2 * out.numel() * candidates, 1 + model.sum(candidates)


# Operations that send entries to places where several may meet.
MEETING = (
    "col2im",
    "upsample_nearest1d_backward",
    "upsample_nearest2d_backward",
    "upsample_linear1d_backward",
    "upsample_bilinear2d_backward",
    "reflection_pad1d_backward",
    "reflection_pad2d_backward",
    "replication_pad1d_backward",
    "replication_pad2d_backward",
)
ORDERING: dict[str, Rule] = {
    "sort": partial(sort, 1),
    "topk": partial(sort, 2),
    "kthvalue": partial(sort, 2),
    "mode": partial(sort, 1),
    **dict.fromkeys(["median", "nanmedian"], median),
    "unique_dim": unique,
    "_unique2": unique,
    "searchsorted": partial(search, 0),
    "bucketize": partial(search, 1),
    "bincount": tally,
    "histc": histogram,
    **dict.fromkeys(["_cdist_forward", "_pdist_forward"], distances),
    "_pdist_backward": distances_within,
    "_euclidean_dist": distances_by_products,
    "_cdist_backward": distances_backward,
    "upsample_linear1d": partial(upsample, 2),
    "upsample_bilinear2d": partial(upsample, 4),
    **dict.fromkeys(MEETING, meeting),
    "linalg_cross": cross,
    "isin": membership,
}
