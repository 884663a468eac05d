"""Wrong tensors beside the right ones: the usual structural slips that turn the one into the other."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor

from autograder.calls.compare_tensors import Want, agrees, is_right, number, short

MAX_AXES = 5  # permutations are tried up to here
MAX_PART = 12  # of a fraction that is told as one
FACTOR = "constant_factor"


@dataclass(frozen=True)
class Suspect:
    """A slip that explains a wrong tensor: an id, the sentence for the student, and what it earns."""

    id: str
    says: str
    share: float = 0.0  # of the marks: only where one slip is all that is wrong


@dataclass(frozen=True)
class Beside:
    """What one call returned beside what it should, the lengths of the call's axes, and what it was given."""

    got: tuple[object, ...]
    want: tuple[Want, ...]
    sizes: Mapping[str, int]
    given: Mapping[str, Tensor] = field(default_factory=dict)


_Tensor = tuple[Tensor, Want, Mapping[str, int]]  # returned, expected, the lengths of the axes


def structural_slip(calls: Sequence[Beside]) -> Suspect | None:
    """The slip whose sentence is true of every call: it explains what is wrong, and spoils nothing right."""
    calls = [call for call in calls if len(call.got) == len(call.want)]
    outputs = range(len(calls[0].want)) if calls else range(0)
    wrong = [p for p in outputs if any(_is_wrong(call.got[p], call.want[p]) for call in calls)]
    found = {_slip_of(calls, position) for position in wrong}
    slip = found.pop() if len(found) == 1 else None
    if slip is None or len(wrong) == len(outputs):
        return slip
    names = [calls[0].want[position].name for position in wrong]
    return Suspect(slip.id, f"{' and '.join(names)}: {slip.says}") if all(names) else None


def _slip_of(calls: Sequence[Beside], position: int) -> Suspect | None:
    """The slip of one of the returned tensors."""
    failing: list[_Tensor] = []
    passing: list[_Tensor] = []
    for call in calls:
        got, want = call.got[position], call.want[position]
        # Zeros are right whatever they are multiplied with, wherever they are moved: they tell nothing.
        if isinstance(got, Tensor) and not got.is_complex() and bool(want.values.any()):
            (failing if _is_wrong(got, want) else passing).append((got, want, call.sizes))
    # An overflow is another matter: it hides a factor, say, and a factor does not explain it.
    finite = [each for each in failing if bool(each[0].double().isfinite().all())]
    seen = [list(_suspects(*each)) for each in finite or failing]
    if not seen:
        return None
    kept = [list(_suspects(*each, passes=True)) for each in passing]
    common = [s for s in seen[0] if all(s in other for other in (*seen[1:], *kept))]
    if all(want.values.numel() == 1 for _, want, _ in failing):
        # One number is always some multiple of another: only a second case makes it more than chance.
        common = [s for s in common if s.id in (FACTOR, "constant_offset")] if len(seen) > 1 else []
    return _most_telling(common)


def _most_telling(common: Sequence[_Slip]) -> Suspect | None:
    for rank in sorted({slip.rank for slip in common}):
        slips = [slip for slip in common if slip.rank == rank]
        named = [slip for slip in slips if slip.id == slips[0].id]
        # Two names for one factor, or one that might as well be a plain fraction: neither is known to be it.
        unsure = len(named) > 1 or any(slip.rank == FRACTION for slip in common)
        if rank != IN_AXES or not unsure:
            return Suspect(named[0].id, named[0].says)
    return None


def _is_wrong(got: object, want: Want) -> bool:
    return not isinstance(got, Tensor) or not is_right(got, want)


# ---------------------------------------------------------------- one tensor

REARRANGED, IN_AXES, FRACTION, PLAIN, VAGUE = range(5)  # the first that is common to all cases is told


@dataclass(frozen=True)
class _Slip:
    id: str
    says: str
    rank: int = REARRANGED


def _suspects(got: Tensor, want: Want, sizes: Mapping[str, int], *, passes: bool = False) -> Iterator[_Slip]:
    """Every slip whose sentence is true of this tensor; of a right one, those that would leave it right."""
    values, close = want.values, want.tolerance
    if got.dtype != want.dtype:
        close = max(close, max(1e-5, _rounding(got)) * float(values.abs().max()))
    alike, sums = got.shape == values.shape, max(1e-4, 8 * _rounding(got))
    if passes or (alike and got.dtype != want.dtype and agrees(got, values, close)):
        asked = f"{short(got.dtype)}, and {short(want.dtype)} is asked for"
        yield _Slip("wrong_dtype", f"the values are right, but in {asked}")
    got = got.double()  # torch can neither flip nor sort some of the whole numbers
    yield from _rearranged(got, values, close, passes)
    if alike:
        yield from _moved(got, values, close, passes)
        yield from _scaled(got, values, close, sizes, passes)
    yield from _misplaced(got, values, close, passes)
    if alike:
        yield from _normalised(got, values, sums, passes)


def _rounding(got: Tensor) -> float:
    """How far an entry of this tensor may be off, relative to its size, for want of digits alone."""
    return torch.finfo(got.dtype).eps if got.dtype.is_floating_point else 0.0


def _rearranged(got: Tensor, values: Tensor, close: float, passes: bool) -> Iterator[_Slip]:
    if 2 <= got.ndim == values.ndim <= MAX_AXES:
        for axes in itertools.permutations(range(got.ndim)):
            if axes != tuple(range(got.ndim)) and agrees(got.permute(axes), values, close):
                order = ", ".join(str(axis) for axis in axes)
                yield _Slip("transposed", f"the axes come in another order: permute yours to ({order})")
    if passes or (got.shape != values.shape and agrees(got.reshape(-1), values.reshape(-1), close)):
        yield _Slip("wrong_shape", "the values are right, but not their shape: reshape them")


def _misplaced(got: Tensor, values: Tensor, close: float, passes: bool) -> Iterator[_Slip]:
    mine, right = got.reshape(-1), values.reshape(-1)
    if passes or (not agrees(mine, right, close) and agrees(mine.sort().values, right.sort().values, close)):
        yield _Slip("right_values_wrong_places", "every value is there, but in the wrong places", rank=VAGUE)


def _moved(got: Tensor, values: Tensor, close: float, passes: bool) -> Iterator[_Slip]:
    for axis in range(got.ndim):
        length = got.shape[axis]
        if agrees(got.flip(axis), values, close):
            yield _Slip("reversed", f"axis {axis} runs backwards: flip it")
        short_axis = length < 3  # too short to tell a shift by
        if short_axis and not passes:
            continue
        ahead, behind = (t.narrow(axis, 1, length - 1) for t in (got, values))
        mine, first = (t.narrow(axis, 0, length - 1) for t in (got, values))
        if short_axis or agrees(ahead, first, close):
            yield _Slip("shifted", f"axis {axis} is shifted by one: your entry 1 belongs at 0")
        if short_axis or agrees(mine, behind, close):
            yield _Slip("shifted", f"axis {axis} is shifted by one: your entry 0 belongs at 1")


def _normalised(got: Tensor, values: Tensor, close: float, passes: bool) -> Iterator[_Slip]:
    right, yours = _axes_that_sum_to_one(values, 1e-4), _axes_that_sum_to_one(got, close)
    for axis in range(got.ndim) if passes else right:
        for other in range(got.ndim):
            if passes or (other not in right and other in yours and axis not in yours):
                says = f"yours sums to 1 over axis {other}; it should over axis {axis}"
                yield _Slip("wrong_axis_normalised", says, rank=VAGUE)
        if passes or not yours:
            says = f"the values along axis {axis} should sum to 1; yours do not"
            yield _Slip("not_normalised", says, rank=VAGUE)


def _axes_that_sum_to_one(tensor: Tensor, close: float) -> list[int]:
    return [
        axis
        for axis in range(tensor.ndim)
        if tensor.shape[axis] > 1 and bool(((tensor.sum(axis) - 1).abs() < close).all())
    ]


# ---------------------------------------------------------------- a factor, an offset


def _scaled(
    got: Tensor, values: Tensor, close: float, sizes: Mapping[str, int], passes: bool
) -> Iterator[_Slip]:
    top, mine = _largest(values, values), _largest(got.double(), values)
    if top == 0 or mine == 0 or not math.isfinite(mine):
        return
    factor, near = mine / top, 4 * close / abs(top)
    if passes or (abs(factor - 1) > 1e-3 and agrees(got.double() / factor, values, 4 * close)):
        for text, value in _named_factors(sizes):
            if abs(factor - value) <= near * max(1.0, abs(value)):
                yield _factor(text, IN_AXES)
        yield from (_factor(text, FRACTION) for text in _fraction(factor, near))
        yield _factor(number(factor).replace("-", "−"), PLAIN)
        if values.numel() > 1:
            says = "where it fails, all values are off by one and the same factor"
            yield _Slip(FACTOR, says, VAGUE)
    offset = mine - top
    if abs(offset) > 1e-3 and agrees(got.double() - offset, values, 4 * close + 1e-6 * abs(offset)):
        yield _Slip("constant_offset", f"every value is off by the same {number(offset)}", PLAIN)


def _factor(text: str, rank: int) -> _Slip:
    return _Slip(FACTOR, f"every value is {text} times what it should be", rank)


def _largest(tensor: Tensor, where: Tensor) -> float:
    """The entry at which `where` is largest."""
    return float(tensor.reshape(-1)[int(where.abs().argmax())])


def _named_factors(sizes: Mapping[str, int]) -> Iterator[tuple[str, float]]:
    """What a factor may be in terms of the axes."""
    for name, length in sizes.items():
        yield f"√{name}", math.sqrt(length)
        yield f"1/√{name}", 1 / math.sqrt(length)
        yield name, float(length)
        yield f"1/{name}", 1 / length
        yield f"1/{name}²", 1 / length**2
        if length > 1:
            yield f"{name}/({name} − 1)", length / (length - 1)
            yield f"({name} − 1)/{name}", (length - 1) / length
    for (a, m), (b, n) in itertools.permutations(sizes.items(), 2):
        yield f"{a}/{b}", m / n
        if a < b:
            yield f"{a}·{b}", float(m * n)
            yield f"1/({a}·{b})", 1 / (m * n)


def _fraction(factor: float, near: float) -> Iterator[str]:
    for below in range(1, MAX_PART + 1):
        above = round(abs(factor) * below)
        if 0 < above <= MAX_PART and abs(abs(factor) - above / below) <= near * max(1.0, abs(factor)):
            yield f"{'−' if factor < 0 else ''}{above}" + (f"/{below}" if below > 1 else "")
            return
