"""What changed programs call: the operations that an edit puts in the place of another."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

import torch
from torch import Tensor

Axes = int | Sequence[int]


def _tensor(x: object) -> Tensor:
    return x if isinstance(x, Tensor) else torch.as_tensor(x)


def softmax(x: Tensor, axes: Axes) -> Tensor:
    """Over one axis, or over several at once."""
    over = [axes] if isinstance(axes, int) else list(axes)
    weights = torch.exp(x - x.amax(over, keepdim=True))
    return weights / weights.sum(over, keepdim=True)


def log_softmax(x: Tensor, axes: Axes) -> Tensor:
    over = [axes] if isinstance(axes, int) else list(axes)
    total = torch.logsumexp(x, over, keepdim=True)
    return x - total


def softmax_within(x: Tensor, axis: int, lengths: tuple[int, int], part: int) -> Tensor:
    """An axis that joins two is parted, and the softmax runs over one of them alone."""
    apart = x.reshape(*x.shape[:axis], *lengths, *x.shape[axis + 1 :])
    return softmax(apart, axis + part).flatten(axis, axis + 1)


def share(x: Tensor, axes: Axes) -> Tensor:
    """Divided by the sum: a softmax without its exponential."""
    over = [axes] if isinstance(axes, int) else list(axes)
    return x / x.sum(over, keepdim=True)


def numerator_only(x: Tensor, axis: int) -> Tensor:
    """A softmax whose largest score is subtracted above the line and not below it."""
    return torch.exp(x - x.amax(axis, keepdim=True)) / torch.exp(x).sum(axis, keepdim=True)


def without_positive(scores: Tensor, right: Tensor) -> Tensor:
    """A cross-entropy with the sum below the line over the wrong classes alone."""
    mine = torch.zeros_like(scores, dtype=torch.bool).scatter(1, right[:, None], value=True)
    wrong = torch.logsumexp(scores.masked_fill(mine, -torch.inf), 1)
    return (wrong - scores[mine]).mean()


def padded(x: Tensor, axis: int, before: int, after: int) -> Tensor:
    """Zeros put in at the two ends of an axis."""
    around = [0, 0] * (x.ndim - 1 - axis) + [before, after]
    return torch.nn.functional.pad(x, around)


def padded_otherwise(padded: Tensor, x: Tensor, how: str) -> Tensor:
    """A padded tensor with something else beyond its ends, or with all of its zeros at one end."""
    for axis, (long, length) in enumerate(zip(padded.shape, x.shape, strict=True)):
        more = long - length
        if not more:
            continue
        if how in ("before", "after"):
            zeros = x.new_zeros(*x.shape[:axis], more, *x.shape[axis + 1 :])
            x = torch.cat([zeros, x] if how == "before" else [x, zeros], axis)
        else:
            places = torch.arange(long) - more // 2
            x = x.index_select(axis, places % length if how == "wrapped" else places.clamp(0, length - 1))
    return x


def without_entry(x: Tensor, axis: int, place: int) -> Tensor:
    """One entry along an axis set to zero."""
    out = x.clone()
    out.select(axis, place).zero_()
    return out


def same_place(x: Tensor, a: int, b: int) -> Tensor:
    """Minus infinity wherever the places along two axes differ."""
    one, two = torch.arange(x.shape[a]), torch.arange(x.shape[b])
    shape = [1] * x.ndim
    shape[a], shape[b] = len(one), len(two)
    return x.masked_fill((one[:, None] != two).reshape(shape), -torch.inf)


def spread(x: Tensor, like: Tensor, axis: int) -> Tensor:
    """A vector along another axis of what it is added to."""
    shape = [1] * like.ndim
    shape[axis] = -1
    return x.reshape(shape)


def unit(x: Tensor, axis: int) -> Tensor:
    norm: Tensor = torch.linalg.vector_norm(x, dim=axis, keepdim=True)
    return x / norm


def hardest(x: Tensor, axis: int) -> Tensor:
    """One where the largest is, zero elsewhere."""
    return torch.zeros_like(x).scatter(axis, x.argmax(axis, keepdim=True), 1.0)


def _table(x: Tensor) -> tuple[int, ...]:
    """The shape of a mask: the last axis, and before it those that are as long together."""
    for first in range(x.ndim - 2, -1, -1):
        if math.prod(x.shape[first:-1]) == x.shape[-1]:
            return tuple(x.shape[first:])
    raise ValueError("no table of pairs")


def causal(x: Tensor, keep: str, diagonal: int, fill: float) -> Tensor:
    """The last axes as a table of pairs of which one triangle is kept."""
    ones = torch.ones(x.shape[-1], x.shape[-1], dtype=torch.bool)
    seen = ones.tril(diagonal) if keep == "lower" else ones.triu(diagonal)
    return x.masked_fill(~seen.reshape(_table(x)), fill)


def without_diagonal(x: Tensor, fill: float) -> Tensor:
    return x.masked_fill(torch.eye(x.shape[-1], dtype=torch.bool).reshape(_table(x)), fill)


def only_diagonal(x: Tensor) -> Tensor:
    return x * torch.eye(x.shape[-1], dtype=x.dtype).reshape(_table(x))


def naive_softmax(x: Tensor, axis: int) -> Tensor:
    """Without the largest subtracted: it overflows."""
    weights = torch.exp(x)
    return weights / weights.sum(axis, keepdim=True)


def global_softmax(x: Tensor, axis: int) -> Tensor:
    """The largest of all subtracted, not that of each row: whole rows may vanish."""
    weights = torch.exp(x - x.max())
    return weights / weights.sum(axis, keepdim=True)


def relaid(x: Tensor, a: int, b: int) -> Tensor:
    """The entries in the order of two exchanged axes, in the old shape."""
    return x.transpose(a, b).reshape(x.shape)


def reread(x: Tensor, a: int, b: int) -> Tensor:
    """The shape of two exchanged axes given to the entries as they lie."""
    shape = list(x.shape)
    shape[a], shape[b] = shape[b], shape[a]
    return x.reshape(shape)


def misread(x: Tensor, a: int, b: int) -> Tensor:
    """Reread with two axes exchanged, then exchanged for good: the shape is right, the places are not."""
    return reread(x, a, b).transpose(a, b)


def moved(x: Tensor, by: int, axis: int) -> Tensor:
    """Shifted along an axis, zeros moving in."""
    out = torch.roll(x, by, axis)
    index = [slice(None)] * x.ndim
    index[axis] = slice(0, by) if by > 0 else slice(by, None)
    out[tuple(index)] = 0
    return out


def interleave(x: Tensor, axis: int) -> Tensor:
    """Two halves woven into one another."""
    return torch.stack(x.chunk(2, axis), dim=axis + 1).flatten(axis, axis + 1)


def unweave(x: Tensor, axis: int) -> Tensor:
    """Even places first, then the odd ones."""
    order = [*range(0, x.shape[axis], 2), *range(1, x.shape[axis], 2)]
    return x.index_select(axis, torch.tensor(order))


def activate(name: str, x: object) -> object:
    """An elementwise function by name, of a tensor or a number."""
    value = _tensor(x)
    out = _ELEMENTWISE[name](value)
    return out if isinstance(x, Tensor) else out.item()


def swapped(x: Tensor) -> Tensor:
    """The last two axes exchanged."""
    return x.transpose(-2, -1)


def diagonal_inverse(x: Tensor) -> Tensor:
    """The inverse of what is left of a matrix when all beside its diagonal is zero."""
    return torch.diag_embed(1 / x.diagonal(dim1=-2, dim2=-1))


def without_own(x: Tensor, axis: int) -> Tensor:
    """A log-softmax of a table of pairs whose sum below the line leaves the diagonal out."""
    others = without_diagonal(x, -math.inf)
    return x - torch.logsumexp(others, axis, keepdim=True)


def cosine(a: Tensor, b: Tensor) -> Tensor:
    """The product of rows and columns that were brought to length one."""
    left = a / a.norm(dim=-1, keepdim=True)
    right = b / (b.norm(dim=-2, keepdim=True) if b.ndim > 1 else b.norm())
    out: Tensor = left @ right
    return out


def distance(a: Tensor, b: Tensor) -> Tensor:
    """Minus the squared distance of rows and columns."""
    if b.ndim == 1:
        return -((a - b) ** 2).sum(-1)
    if a.ndim == 1:
        return -((a - b.transpose(-2, -1)) ** 2).sum(-1)
    return -((a.unsqueeze(-2) - b.transpose(-2, -1).unsqueeze(-3)) ** 2).sum(-1)


def reduce(name: str, x: Tensor, axes: int | tuple[int, ...], keepdim: bool) -> Tensor:
    """A sum, mean, maximum, … over one axis, several or all."""
    over = list(range(x.ndim)) if axes is None else [axes] if isinstance(axes, int) else list(axes)
    if name == "prod":
        for axis in sorted((a % x.ndim for a in over), reverse=True):
            x = x.prod(axis, keepdim=keepdim)
        return x
    if name in ("first", "last"):
        for axis in sorted((a % x.ndim for a in over), reverse=True):
            x = x.narrow(axis, 0 if name == "first" else x.shape[axis] - 1, 1)
            x = x if keepdim else x.squeeze(axis)
        return x
    if name == "length":
        count = math.prod(x.shape[axis] for axis in over)
        return torch.full_like(x.sum(over, keepdim=keepdim), count)
    if name == "sample mean":
        count = math.prod(x.shape[axis] for axis in over)
        return torch.sum(x, over, keepdim=keepdim) / (count - 1)
    if name == "square sum":
        return (x**2).sum(over, keepdim=keepdim)
    if name == "absolute sum":
        return x.abs().sum(over, keepdim=keepdim)
    if name == "mean square":
        return (x**2).mean(over, keepdim=keepdim)
    if name == "sample var":
        return x.var(over, unbiased=True, keepdim=keepdim)
    if name == "sample std":
        return x.std(over, unbiased=True, keepdim=keepdim)
    if name in ("var", "std"):
        return getattr(x, name)(over, unbiased=False, keepdim=keepdim)  # type: ignore[no-any-return]
    if name == "norm":
        return (x**2).sum(over, keepdim=keepdim).sqrt()
    return getattr(x, name)(over, keepdim=keepdim)  # type: ignore[no-any-return]


def _elu_and_one(x: Tensor) -> Tensor:
    return torch.nn.functional.elu(x) + 1


def identity_like(x: Tensor) -> Tensor:
    """The identity in the place of every matrix."""
    return torch.eye(x.shape[-1], dtype=x.dtype).expand_as(x)


def positions_like(x: Tensor, axis: int, count: int) -> Tensor:
    """Whole numbers along one axis in the place of what was to be looked up."""
    shape = [1] * x.ndim
    shape[axis] = x.shape[axis]
    return (torch.arange(x.shape[axis]) % count).reshape(shape).expand_as(x)


def _gelu(x: Tensor) -> Tensor:
    return torch.nn.functional.gelu(x)


_ELEMENTWISE: Mapping[str, Callable[[Tensor], Tensor]] = {
    "tanh": torch.tanh,
    "sigmoid": torch.sigmoid,
    "relu": torch.relu,
    "gelu": _gelu,
    "silu": torch.nn.functional.silu,
    "softplus": torch.nn.functional.softplus,
    "leaky_relu": torch.nn.functional.leaky_relu,
    "elu": torch.nn.functional.elu,
    "elu_and_one": _elu_and_one,
    "exp": torch.exp,
    "exp2": torch.exp2,
    "expm1": torch.expm1,
    "log": torch.log,
    "log2": torch.log2,
    "log10": torch.log10,
    "log1p": torch.log1p,
    "sqrt": torch.sqrt,
    "rsqrt": torch.rsqrt,
    "square": torch.square,
    "abs": torch.abs,
    "sin": torch.sin,
    "cos": torch.cos,
    "negative": torch.neg,
    "reciprocal": torch.reciprocal,
    "floor": torch.floor,
    "round": torch.round,
    "sign": torch.sign,
}
