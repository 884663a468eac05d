"""A wrong tensor beside the right one: the usual structural slips that turn one into the other."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from torch import Tensor

from autograder.answers.tensors import Want, agrees, number, short

MAX_AXES = 5  # permutations are tried up to here


@dataclass(frozen=True)
class Suspect:
    """A slip that explains a wrong tensor: an id, and the sentence for the student."""

    id: str
    says: str


def find_suspects(got: Tensor, want: Want, sizes: Mapping[str, int]) -> dict[str, str]:
    """Every structural slip that explains this one tensor, most telling first, id to sentence."""
    if got.is_complex() or got.numel() == 0 or want.values.numel() < 2:
        return {}
    return {suspect.id: suspect.says for suspect in _suspects(got, want, sizes)}


def common_suspect(found: Sequence[Mapping[str, str]]) -> Suspect | None:
    """The first slip that explains every failing tensor that was looked at."""
    if not found:
        return None
    for id, says in found[0].items():
        if all(id in other for other in found[1:]):
            return Suspect(id, says)
    return None


def _suspects(got: Tensor, want: Want, sizes: Mapping[str, int]) -> Iterator[Suspect]:
    values, close = want.values, want.tolerance
    if got.shape == values.shape and got.dtype != want.dtype and agrees(got, values, max(close, 1e-5)):
        yield Suspect("wrong_dtype", f"the values are right, but in {short(got.dtype)}: keep the dtype")
    yield from _rearranged(got, values, close)
    alike = got.shape == values.shape
    if alike:
        yield from _moved(got, values, close)
        yield from _scaled(got, values, close, sizes)
    yield from _misplaced(got, values, close)
    if alike:
        yield from _normalised(got, values)


def _rearranged(got: Tensor, values: Tensor, close: float) -> Iterator[Suspect]:
    if 2 <= got.ndim == values.ndim <= MAX_AXES:
        for axes in itertools.permutations(range(got.ndim)):
            if axes != tuple(range(got.ndim)) and agrees(got.permute(axes), values, close):
                order = ", ".join(str(axis) for axis in axes)
                yield Suspect("transposed", f"the axes come in another order: permute yours to ({order})")
                break
    if got.shape != values.shape and agrees(got.reshape(-1), values.reshape(-1), close):
        yield Suspect("wrong_shape", f"the values are right: reshape them to {list(values.shape)}")


def _misplaced(got: Tensor, values: Tensor, close: float) -> Iterator[Suspect]:
    mine, right = got.reshape(-1), values.reshape(-1)
    if not agrees(mine, right, close) and agrees(mine.sort().values, right.sort().values, close):
        yield Suspect("right_values_wrong_places", "every value is there, but in the wrong places")


def _moved(got: Tensor, values: Tensor, close: float) -> Iterator[Suspect]:
    for axis in range(got.ndim):
        if got.shape[axis] < 2:
            continue
        if agrees(got.flip(axis), values, close):
            yield Suspect("reversed", f"axis {axis} runs backwards: flip it")
        if got.shape[axis] < 3:
            continue
        ahead, behind = got.narrow(axis, 1, got.shape[axis] - 1), got.narrow(axis, 0, got.shape[axis] - 1)
        rest, first = values.narrow(axis, 1, got.shape[axis] - 1), values.narrow(axis, 0, got.shape[axis] - 1)
        if agrees(ahead, first, close):
            yield Suspect("shifted", f"axis {axis} is shifted by one: your entry 1 belongs at 0")
        if agrees(behind, rest, close):
            yield Suspect("shifted", f"axis {axis} is shifted by one: your entry 0 belongs at 1")


def _scaled(got: Tensor, values: Tensor, close: float, sizes: Mapping[str, int]) -> Iterator[Suspect]:
    place = int(values.abs().argmax())
    top, mine = float(values.reshape(-1)[place]), float(got.double().reshape(-1)[place])
    if top == 0 or mine == 0 or not math.isfinite(mine):
        return
    factor = mine / top
    if abs(factor - 1) > 1e-3 and agrees(got.double() / factor, values, 4 * close):
        yield Suspect("constant_factor", f"every value is {_factor(factor, sizes)} times what it should be")
    offset = mine - top
    if abs(offset) > 1e-3 and agrees(got.double() - offset, values, 4 * close + 1e-6 * abs(offset)):
        yield Suspect("constant_offset", f"every value is off by the same {number(offset)}")


def _normalised(got: Tensor, values: Tensor) -> Iterator[Suspect]:
    right, yours = _axes_that_sum_to_one(values), _axes_that_sum_to_one(got.double())
    if right and yours and not set(right) & set(yours):
        yield Suspect(
            "wrong_axis_normalised", f"yours sums to 1 over axis {yours[0]}; it should over axis {right[0]}"
        )
    elif right and not yours:
        yield Suspect("not_normalised", f"the values along axis {right[0]} should sum to 1; yours do not")


def _axes_that_sum_to_one(tensor: Tensor) -> list[int]:
    return [
        axis
        for axis in range(tensor.ndim)
        if tensor.shape[axis] > 1 and bool(((tensor.sum(axis) - 1).abs() < 1e-4).all())
    ]


def _factor(factor: float, sizes: Mapping[str, int]) -> str:
    if abs(factor + 1) < 1e-4:
        return "−1"
    for name, length in sizes.items():
        if length < 2:
            continue
        for text, value in (
            (f"√{name}", math.sqrt(length)),
            (f"1/√{name}", 1 / math.sqrt(length)),
            (name, float(length)),
            (f"1/{name}", 1 / length),
        ):
            if abs(factor / value - 1) < 1e-3:
                return text
    return number(factor)
