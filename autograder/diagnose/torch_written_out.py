"""A call of one of torch's functions becomes the steps inside it, as students write them out.

Each step has a name, its tensor, and how the function goes on from it: with another tensor in its place, what
would it give?
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

Step = tuple[str, Tensor, Callable[[Tensor], Tensor]]
MOST_TERMS = 4000  # entries of a product before it is summed up

# What a function of torch was called with: anything at all.
Arguments = Sequence[Any]
Keywords = Mapping[str, Any]

# Options that change nothing: torch's functions hand them on to each other.
USUAL: dict[str, tuple[object, ...]] = {
    "ignore_index": (-100,),
    "label_smoothing": (0.0,),
    "p": (2, 2.0, "fro", None),
    "ord": (2, 2.0, None),
    "eps": (1e-12,),
    "_stacklevel": (3, 5),
    "keepdim": (),
    "dim": (),
}


def inside(func: object, args: Arguments, kwargs: Keywords, result: object) -> Iterator[Step]:
    """The steps of a function; none where it is used in a way that is not known here."""
    found = STEPS.get(getattr(func, "__name__", ""))
    if found is None or not args or not isinstance(args[0], Tensor | str):
        return
    given = {key: value for key, value in kwargs.items() if value not in USUAL.get(key, (None,))}
    try:
        yield from found(args, given, result)
    except (RuntimeError, IndexError, TypeError, ValueError):
        return


def _then(go_on: Callable[[Tensor], Tensor], last: Callable[[Tensor], Tensor]) -> Callable[[Tensor], Tensor]:
    return lambda v: last(go_on(v))


def _dim(args: Arguments, kwargs: Keywords, default: object = -1) -> Any:
    return kwargs.get("dim", args[1] if len(args) > 1 else default)


def _sigmoid(args: Arguments, kwargs: Keywords, result: Tensor) -> Iterator[Step]:
    below = torch.exp(-args[0])
    yield "exp", below, lambda v: 1 / (1 + v)
    yield "below", 1 + below, lambda v: 1 / v


def _softmax(args: Arguments, kwargs: Keywords, result: Tensor) -> Iterator[Step]:
    x, dim = args[0], _dim(args, kwargs)
    for shifted in (x, x - x.amax(dim, keepdim=True), x - x.max()):
        exp = torch.exp(shifted)
        if shifted is not x:
            yield "shifted", shifted, lambda v: torch.softmax(v, dim)
        yield "weights", exp, lambda v: v / v.sum(dim, keepdim=True)
        yield "total", exp.sum(dim, keepdim=True), partial(torch.div, exp)
    yield "log total", torch.logsumexp(x, dim, keepdim=True), lambda v: torch.exp(x - v)
    yield "log", torch.log_softmax(x, dim), torch.exp


def _log_softmax(args: Arguments, kwargs: Keywords, result: Tensor) -> Iterator[Step]:
    x, dim = args[0], _dim(args, kwargs)
    yield "softmax", torch.softmax(x, dim), torch.log
    for name, step, go_on in _softmax((x, dim), {}, result):
        yield name, step, _then(go_on, torch.log)


def _logsumexp(args: Arguments, kwargs: Keywords, result: Tensor) -> Iterator[Step]:
    x, dim = args[0], _dim(args, kwargs)
    exp = torch.exp(x)
    yield "weights", exp, lambda v: v.sum(dim).log()
    yield "total", exp.sum(dim), torch.log


def _reduce(how: str) -> Callable[[Tensor], Tensor]:
    return {"mean": lambda v: v.mean(), "sum": lambda v: v.sum()}.get(how, lambda v: v)


def _cross_entropy(args: Arguments, kwargs: Keywords, result: Tensor) -> Iterator[Step]:
    x, target = args[:2]
    if target.is_floating_point() or {*kwargs} - {"reduction"} or len(args) > 2:
        return
    how, dim = kwargs.get("reduction", "mean"), 1 if x.ndim > 1 else 0
    each = F.cross_entropy(x, target, reduction="none")
    yield "each", each, _reduce(how)
    yield "each, not negated", -each, lambda v: -_reduce(how)(v)
    if how == "mean":
        yield "total", each.sum(), lambda v: v / each.numel()
        yield "total, not negated", -each.sum(), lambda v: -v / each.numel()
        yield "not negated", -result, torch.neg
    yield "log", torch.log_softmax(x, dim), lambda v: F.nll_loss(v, target, reduction=how)
    for name, step, go_on in _softmax((x, dim), {}, result):
        yield name, step, _then(go_on, lambda v: F.nll_loss(torch.log(v), target, reduction=how))
    yield "softmax", torch.softmax(x, dim), lambda v: F.nll_loss(torch.log(v), target, reduction=how)


def _bce_with_logits(args: Arguments, kwargs: Keywords, result: Tensor) -> Iterator[Step]:
    x, y = args[:2]
    if {*kwargs} - {"reduction"} or len(args) > 2:
        return
    how = _reduce(kwargs.get("reduction", "mean"))
    p, log_p, log_q = torch.sigmoid(x), F.logsigmoid(x), F.logsigmoid(-x)
    each = F.binary_cross_entropy_with_logits(x, y, reduction="none")
    yield "each", each, how
    yield "each, not negated", -each, lambda v: -how(v)
    yield "sigmoid", p, lambda v: how(-(y * v.log() + (1 - y) * (1 - v).log()))
    yield "other sigmoid", 1 - p, lambda v: how(-(y * (1 - v).log() + (1 - y) * v.log()))
    yield "log", log_p, lambda v: how(-(y * v + (1 - y) * log_q))
    yield "other log", log_q, lambda v: how(-(y * log_p + (1 - y) * v))
    yield "first term", y * log_p, lambda v: how(-(v + (1 - y) * log_q))
    yield "second term", (1 - y) * log_q, lambda v: how(-(y * log_p + v))


def _normalize(args: Arguments, kwargs: Keywords, result: Tensor) -> Iterator[Step]:
    x, dim = args[0], kwargs.get("dim", 1)
    if {*kwargs} - {"dim"} or len(args) > 1:
        return
    for name, step, go_on in _norm((x,), {"dim": dim, "keepdim": True}, result):
        yield name, step, _then(go_on, lambda v: x / v)
    yield "norm", x.norm(dim=dim, keepdim=True), lambda v: x / v


def _norm(args: Arguments, kwargs: Keywords, result: Tensor) -> Iterator[Step]:
    if {*kwargs} - {"dim", "keepdim"} or len(args) > 1:
        return
    squares = args[0] ** 2
    dim, kept = kwargs.get("dim"), bool(kwargs.get("keepdim", False))
    yield "squares", squares, lambda v: v.sum(dim, kept).sqrt()
    yield "sum of squares", squares.sum(dim, kept), torch.sqrt


def _var(args: Arguments, kwargs: Keywords, result: Tensor) -> Iterator[Step]:
    x, dim, kept = args[0], _dim(args, kwargs, None), bool(kwargs.get("keepdim", False))
    dims = tuple(range(x.ndim)) if dim is None else (dim,) if isinstance(dim, int) else tuple(dim)
    mean = x.mean(dims, keepdim=True)
    squares = (x - mean) ** 2
    total = squares.sum(dims, kept)
    below = x.numel() / max(1, total.numel())
    ours = (total / below - result).abs().max() <= (total / max(1.0, below - 1) - result).abs().max()
    by = below if bool(ours) else below - 1
    yield "mean", mean, lambda v: ((x - v) ** 2).sum(dims, kept) / by
    yield "from the mean", x - mean, lambda v: (v**2).sum(dims, kept) / by
    yield "squares", squares, lambda v: v.sum(dims, kept) / by
    yield "sum of squares", total, lambda v: v / by
    yield "root", result.sqrt(), torch.square
    if by == below > 1:
        yield "mean of squares", (x**2).mean(dims, kept), lambda v: v - x.mean(dims, kept) ** 2


def _std(args: Arguments, kwargs: Keywords, result: Tensor) -> Iterator[Step]:
    yield "square", result**2, torch.sqrt
    for name, step, go_on in _var(args, kwargs, result**2):
        if name != "root":
            yield name, step, _then(go_on, torch.sqrt)


def _mean(args: Arguments, kwargs: Keywords, result: Tensor) -> Iterator[Step]:
    by = args[0].numel() / max(1, result.numel())
    yield "sum", result * by, lambda v: v / by


def _sum(args: Arguments, kwargs: Keywords, result: Tensor) -> Iterator[Step]:
    if result.is_floating_point() and bool((args[0] >= 0).all()):
        yield "root", result.sqrt(), torch.square


def _sqrt(args: Arguments, kwargs: Keywords, result: Tensor) -> Iterator[Step]:
    yield "below one", 1 / result, lambda v: 1 / v


def _div(args: Arguments, kwargs: Keywords, result: Tensor) -> Iterator[Step]:
    if isinstance(args[1], Tensor) and args[1].is_floating_point():
        yield "below one", 1 / args[1], lambda v: args[0] * v


def _sub(args: Arguments, kwargs: Keywords, result: Tensor) -> Iterator[Step]:
    yield "the other way", -result, torch.neg


def _linear(args: Arguments, kwargs: Keywords, result: Tensor) -> Iterator[Step]:
    x, weight = args[:2]
    bias = kwargs.get("bias", args[2] if len(args) > 2 else None)
    if bias is not None:
        yield "product", x @ weight.T, lambda v: v + bias
    yield from _matmul((x, weight.T), {}, result)


def _matmul(args: Arguments, kwargs: Keywords, result: Tensor) -> Iterator[Step]:
    a, b = args[:2]
    if not isinstance(b, Tensor) or not b.ndim or result.numel() * a.shape[-1] > MOST_TERMS:
        return
    if b.ndim == 1:
        yield "terms", a * b, lambda v: v.sum(-1)
    elif a.ndim == 1:
        yield "terms", a[:, None] * b, lambda v: v.sum(-2)
    else:
        yield "terms", a.unsqueeze(-1) * b.unsqueeze(-3), lambda v: v.sum(-2)


def _einsum(args: Arguments, kwargs: Keywords, result: Tensor) -> Iterator[Step]:
    says, *operands = args
    if len(operands) == 1 and isinstance(operands[0], list | tuple):
        operands = list(operands[0])
    says = says.replace(" ", "")
    if "." in says or "->" not in says or len(operands) != 2:
        return
    left, right = says.split("->")
    letters = "".join(dict.fromkeys(left.replace(",", "")))
    lengths = {
        letter: length
        for term, operand in zip(left.split(","), operands, strict=True)
        for letter, length in zip(term, operand.shape, strict=True)
    }
    if letters != right and math.prod(lengths.values()) <= MOST_TERMS:
        terms = torch.einsum(f"{left}->{letters}", *operands)
        yield "terms", terms, lambda v: torch.einsum(f"{letters}->{right}", v)


def _conv1d(args: Arguments, kwargs: Keywords, result: Tensor) -> Iterator[Step]:
    bias = kwargs.get("bias", args[2] if len(args) > 2 else None)
    if bias is not None:
        yield "product", result - bias[:, None], lambda v: v + bias[:, None]


Inside = Callable[[Arguments, Keywords, Any], Iterator[Step]]
STEPS: dict[str, Inside] = {
    "sigmoid": _sigmoid,
    "softmax": _softmax,
    "log_softmax": _log_softmax,
    "logsumexp": _logsumexp,
    "cross_entropy": _cross_entropy,
    "binary_cross_entropy_with_logits": _bce_with_logits,
    "normalize": _normalize,
    "norm": _norm,
    "vector_norm": _norm,
    "linalg_norm": _norm,
    "linalg_vector_norm": _norm,
    "var": _var,
    "std": _std,
    "mean": _mean,
    "sum": _sum,
    "sqrt": _sqrt,
    "div": _div,
    "sub": _sub,
    "__rsub__": _sub,
    "linear": _linear,
    "matmul": _matmul,
    "mm": _matmul,
    "mv": _matmul,
    "dot": _matmul,
    "bmm": _matmul,
    "einsum": _einsum,
    "conv1d": _conv1d,
}
