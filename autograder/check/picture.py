"""A wrong tensor beside the right one become heat maps of the slice where they first differ."""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor

from autograder.calls.compare_tensors import Want, compare_tensor, differs, number
from autograder.check.panel import Picture
from autograder.check.run_case import Called
from autograder.drawing.heatmaps import HeatMap
from autograder.release.handout import CodeHandout, VisibleCase


@dataclass(frozen=True)
class _Wrong:
    """The first tensor of a call that is not as expected."""

    got: Tensor
    want: Want
    axes: tuple[str, ...]


def picture(part: CodeHandout, case: VisibleCase, called: Called) -> Picture | None:
    """The picture of a failing case, where numbers came back that can be drawn."""
    wrong = _first_wrong(part, case, called)
    if wrong is None or not wrong.want.values.numel() or not wrong.got.numel():
        return None
    return _compared(wrong) if wrong.got.shape == wrong.want.values.shape else _side_by_side(wrong)


def _first_wrong(part: CodeHandout, case: VisibleCase, called: Called) -> _Wrong | None:
    expected = case.expected
    if called.status == "ok" and len(called.outputs) == len(expected.outputs):
        for got, want, axes in zip(called.outputs, expected.outputs, part.axes, strict=True):
            if isinstance(got, Tensor) and not got.is_complex() and compare_tensor(got, want):
                return _Wrong(got, want, axes)
        for grad, want in zip(called.grads, expected.grads, strict=False):
            if grad is not None and compare_tensor(grad, want):
                return _Wrong(grad, want, ())
    return None


def _compared(wrong: _Wrong) -> Picture:
    """Expected, got and their difference, on the slice of the first entry that differs."""
    got, want = wrong.got.double(), wrong.want.values
    places = differs(wrong.got, wrong.want)
    first = places.nonzero()[0].tolist() if bool(places.any()) else [0] * want.ndim
    fixed = tuple(first[: max(0, want.ndim - 2)])
    # What agrees within the tolerance is no difference: rounding would only distract.
    gap = (got - want).where(places, 0.0)
    slices = [_table(tensor[fixed]) for tensor in (want, got, gap, places)]
    marked = frozenset((y, x) for y, x in slices[3].nonzero().tolist())
    cut = f" at [{', '.join(map(str, fixed))}, …]" if fixed else ""
    name = f"{wrong.want.name} " if wrong.want.name else ""
    maps = (
        HeatMap(f"{name}expected {list(want.shape)}{cut}{_axes(wrong.axes, fixed)}", slices[0].tolist()),
        HeatMap(f"{name}got {list(got.shape)}{cut}", slices[1].tolist()),
        HeatMap("got − expected", slices[2].tolist(), marked),
    )
    largest = float(gap.abs().nan_to_num().max())
    count = int(places.sum())
    alt = (
        f"heat maps of expected, got and difference{cut}: {count} of {want.numel()} entries differ, "
        f"by at most {number(largest)}"
    )
    return Picture(maps, alt)


def _side_by_side(wrong: _Wrong) -> Picture:
    """Tensors of different shapes: there is no difference to draw."""
    want, got = wrong.want.values, wrong.got.double()
    maps = (
        HeatMap(f"expected {list(want.shape)}", _front(want).tolist()),
        HeatMap(f"got {list(got.shape)}", _front(got).tolist()),
    )
    return Picture(maps, f"heat maps of expected, shape {list(want.shape)}, and got, shape {list(got.shape)}")


def _front(tensor: Tensor) -> Tensor:
    return _table(tensor[(0,) * max(0, tensor.ndim - 2)])


def _table(tensor: Tensor) -> Tensor:
    """Any tensor of up to two axes as rows; a vector is one row."""
    return tensor if tensor.ndim == 2 else tensor.reshape(1, -1)


def _axes(axes: tuple[str, ...], fixed: tuple[int, ...]) -> str:
    shown = axes[len(fixed) :]
    return f" · {shown[0]} ↓ {shown[1]} →" if len(shown) == 2 else ""
