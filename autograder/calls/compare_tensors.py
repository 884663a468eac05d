"""Tensors that came back are compared with those expected: kind, then shape, then dtype, then values."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

SPREAD_FACTOR = 64  # how many times the reference's own rounding error another order of summation may make
MOST_DIGITS = 17  # tell any two numbers of double precision apart
EPS_FACTOR = 64  # the same in units of the dtype's last place, where the reference happens to round exactly


@dataclass(frozen=True)
class Want:
    """An expected tensor in double precision, with the dtype and closeness asked of the student's."""

    name: str
    values: Tensor
    dtype: torch.dtype
    tolerance: float


@dataclass(frozen=True)
class Difference:
    """The first thing that is wrong: `what` is kind, shape, dtype, values, or as failure.py says."""

    what: str
    message: str


def tolerance(values: Tensor, near: Sequence[Tensor], dtype: torch.dtype) -> float:
    """How far right answers may lie apart.

    `values` is the reference in float64; `near` is what it gives in float32, and in float64 on inputs that
    were moved by a rounding error of float32. Their spread is scaled to the precision of the dtype.
    """
    if not values.is_floating_point():
        return 0.0  # whole numbers and truth values are right or wrong
    single, eps = torch.finfo(torch.float32).eps, torch.finfo(dtype).eps
    finite = values[values.isfinite()]
    largest = float(finite.abs().max()) if finite.numel() else 0.0
    spread = max((_gap(other, values) for other in near), default=0.0)
    # Where the right values are exactly zero, another order of summation may leave a last place of 1.
    return max(SPREAD_FACTOR * spread * eps / single, EPS_FACTOR * eps * (largest or 1.0))


def _gap(other: Tensor, values: Tensor) -> float:
    gap = (other.double() - values).abs()
    return float(gap[gap.isfinite()].max()) if bool(gap.isfinite().any()) else 0.0


def compare(
    kind: str, kinds: Sequence[str], got: Sequence[object], want: Sequence[Want], many: bool
) -> Difference | None:
    """None where everything agrees, else the first difference in a sentence.

    `kind` is what was returned as a whole, `kinds` what each of its entries is.
    """
    if many and kind in ("tuple", "list"):
        if len(got) != len(want):
            names = ", ".join(w.name for w in want)
            return Difference("kind", f"expected {len(want)} results ({names}), got {len(got)}")
    elif kind != "tensor" or many:
        return Difference("kind", _kind_message(kind, want, many))
    for value, expected, each in zip(got, want, kinds, strict=True):
        place = f"{expected.name}: " if many and expected.name else ""
        if each != "tensor" or not isinstance(value, Tensor):
            return Difference("kind", place + _kind_message(each, [expected], many=False))
        difference = compare_tensor(value, expected)
        if difference is not None:
            return Difference(difference.what, place + difference.message)
    return None


def compare_tensor(got: Tensor, want: Want) -> Difference | None:
    """Shape, dtype and values of one tensor; nothing is broadcast and NaN equals nothing."""
    if got.shape != want.values.shape:
        return Difference("shape", f"expected shape {list(want.values.shape)}, got {list(got.shape)}")
    if got.dtype != want.dtype:
        return Difference("dtype", f"expected {short(want.dtype)}, got {short(got.dtype)}")
    wrong = differs(got, want)
    if not bool(wrong.any()):
        return None
    return Difference("values", _values_message(got, want, wrong))


def is_right(got: Tensor, want: Want) -> bool:
    """What `compare_tensor` finds nothing wrong with, without a sentence."""
    alike = got.shape == want.values.shape and got.dtype == want.dtype
    return alike and not bool(differs(got, want).any())


def differs(got: Tensor, want: Want) -> Tensor:
    """Where the values are not close; equal infinities agree, NaN never does."""
    if not want.dtype.is_floating_point and not want.tolerance:
        return got != want.values
    values = got.double()
    close = (values - want.values).abs() <= want.tolerance
    return ~(close | (values == want.values))


def agrees(got: Tensor, want: Tensor, tolerance: float) -> bool:
    """Whether two tensors of any kind have one shape and close values."""
    if got.shape != want.shape or got.is_complex():
        return False
    a, b = got.double(), want.double()
    return bool((((a - b).abs() <= tolerance) | (a == b) | (a.isnan() & b.isnan())).all())


def short(dtype: torch.dtype) -> str:
    return str(dtype).removeprefix("torch.")


def _values_message(got: Tensor, want: Want, wrong: Tensor) -> str:
    count, total = int(wrong.sum()), wrong.numel()
    bad = got.double()[wrong]
    if bool(bad.isnan().any()) or bool(bad.isinf().any()):
        name = "NaN" if bool(bad.isnan().any()) else "infinite"
        return f"{int((~bad.isfinite()).sum())} of {total} values are {name}"
    place = [int(i) for i in wrong.nonzero()[0]]
    a, b = want.values[tuple(place)].item(), got[tuple(place)].item()
    if not want.dtype.is_floating_point:
        where = f"first at {place}: " if place else ""
        return f"{count} of {total} values differ; {where}expected {a}, got {b}"
    where = f"first at {place}: " if place else ""
    expected, found = told_apart(a, b)
    return f"{count} of {total} values differ; {where}expected {expected}, got {found}"


def number(value: float, digits: int = 4) -> str:
    """Four significant digits, plain where that reads well."""
    if value == 0 or not math.isfinite(value):
        return f"{value:g}"
    return f"{value:.{digits}f}" if 0.01 <= abs(value) < 1000 else f"{value:.{digits}g}"


def told_apart(want: float, got: float) -> tuple[str, str]:
    """Both numbers, with as many digits as it takes to see that they differ."""
    for digits in range(4, MOST_DIGITS):
        texts = number(want, digits), number(got, digits)
        if texts[0] != texts[1]:
            return texts
    return repr(want), repr(got)


def _kind_message(kind: str, want: Sequence[Want], many: bool) -> str:
    names = ", ".join(w.name or "a tensor" for w in want)
    asked = f"a tuple of {len(want)} tensors ({names})" if many else "a torch tensor"
    match kind:
        case "none":
            found, fix = "None", ": does the function end with return?"
        case "ndarray":
            found, fix = "a numpy array", ": wrap it in torch.from_numpy(…)"
        case "tuple" | "list":
            found, fix = with_article(kind), ": return the tensor itself"
        case _:
            found, fix = with_article(kind), ""
    return f"expected {asked}, got {found}{fix}"


def with_article(noun: str) -> str:
    return f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {noun}"
