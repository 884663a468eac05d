"""Habits that spoil any function, whatever it computes: told from its values, without a reference's help."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from torch import Tensor

from autograder.calls.compare_tensors import Want, agrees, is_right
from autograder.calls.script_steps import Step
from autograder.diagnose.structural_mistakes import Beside, Suspect

LOOP = "does return stand inside the loop"
ECHO = "returns_its_input"
SQUEEZED = "axis_of_length_one_lost"
UNASKED = "unasked_parameter"
_PARAMETER = re.compile(r"[\w.]{1,60}")
MOST_NAMED = 3
CHANCE = "differs_from_call_to_call"  # the mistake of an answer that says nothing of the next


class ReturnedLike(Protocol):
    """What came of a call: see Outcome."""

    @property
    def status(self) -> str: ...
    @property
    def outputs(self) -> Sequence[object]: ...


def differs(first: ReturnedLike, again: ReturnedLike) -> bool:
    """Whether two calls on the same input gave different tensors."""
    if first.status != "ok" or again.status != "ok" or len(first.outputs) != len(again.outputs):
        return False
    pairs = zip(first.outputs, again.outputs, strict=True)
    return any(isinstance(a, Tensor) and isinstance(b, Tensor) and not _equal(a, b) for a, b in pairs)


def unasked(steps: Sequence[Step], want: Sequence[object], got: Sequence[object]) -> str:
    """A sentence on parameters that no weights are loaded into, and that a right class does not have."""
    for step, theirs, mine in zip(steps, want, got, strict=False):
        if step.do == "load" and isinstance(theirs, list) and isinstance(mine, list):
            left = [name for name in mine if isinstance(name, str) and name not in theirs]
            named = [name for name in left if _PARAMETER.fullmatch(name)][:MOST_NAMED]
            if named:
                are = "is no parameter" if len(named) == 1 else "are no parameters"
                keep = "it keeps" if len(named) == 1 else "they keep"
                return (
                    f"{' and '.join(map(repr, named))} {are} that the question asks for: nothing is loaded "
                    f"there, {keep} what the class made by itself, and called again on the same input, the "
                    "object gives another answer"
                )
    return ""


def habit(calls: Sequence[Beside]) -> Suspect | None:
    """The habit whose sentence is true of every wrong tensor; all of the calls returned tensors."""
    return _first_common(calls, (_input, _squeezed, _first_only, _left_at_zero))


def returned_input(calls: Sequence[Beside]) -> Suspect | None:
    """An argument that is handed back: plainer than an edit of the reference that does the same."""
    return _first_common(calls, (_input,))


def _first_common(calls: Sequence[Beside], finds: Sequence[_Find]) -> Suspect | None:
    wrong = [
        (got, want, call)
        for call in calls
        if len(call.got) == len(call.want)
        for got, want in zip(call.got, call.want, strict=True)
        if isinstance(got, Tensor) and not got.is_complex() and not is_right(got, want)
    ]
    for find in finds:
        common = _common(find, wrong)
        # Where nothing but zeros comes back, no entry is the only one that is wrong.
        if common is not None and (find is not _left_at_zero or any(bool(got.any()) for got, _, _ in wrong)):
            return common
    return None


_Find = Callable[[Tensor, Want, Beside], Iterator[Suspect]]


def _common(find: _Find, wrong: Sequence[tuple[Tensor, Want, Beside]]) -> Suspect | None:
    found = [list(find(*each)) for each in wrong]
    if not found:
        return None
    return next((s for s in found[0] if all(s in other for other in found)), None)


def _input(got: Tensor, want: Want, call: Beside) -> Iterator[Suspect]:
    for name, value in call.given.items():
        if value.is_floating_point() and agrees(got, value, 0.0):
            yield Suspect(ECHO, f"what is returned is the input {name}, as it came")


def _squeezed(got: Tensor, want: Want, call: Beside) -> Iterator[Suspect]:
    """Right values in a shape from which axes of length 1, and no others, are gone."""
    shape = tuple(want.values.shape)
    ones = [axis for axis, length in enumerate(shape) if length == 1]
    dropped = len(shape) - got.ndim
    if not 0 < dropped <= len(ones) or not agrees(
        got.reshape(-1), want.values.reshape(-1), _close(got, want)
    ):
        return
    for axes in itertools.combinations(ones, dropped):
        if tuple(length for axis, length in enumerate(shape) if axis not in axes) == tuple(got.shape):
            yield Suspect(
                SQUEEZED,
                "the values are right, but an axis of length 1 is gone: squeeze() without an axis does that",
            )
            return


def _first_only(got: Tensor, want: Want, call: Beside) -> Iterator[Suspect]:
    """Only what the first round of a loop gives: the beginning of an axis, with nothing or zeros after it."""
    values, close = want.values, _close(got, want)
    for axis, length in enumerate(values.shape):
        if not length:
            continue
        first = values.select(axis, 0)
        if got.ndim == values.ndim:
            # A round of a loop gives one of several equal pieces; all but the last is another slip.
            piece = got.shape[axis]
            equal = 0 < piece < length and length % piece == 0
            begins = equal and agrees(got, values.narrow(axis, 0, piece), close)
        else:
            begins = agrees(got, first, close)
        if begins and got.numel():
            yield Suspect(
                "stops_after_the_first", f"only the first entries along axis {axis} are there: {LOOP}?"
            )
        if _only_first_filled(got, axis) and agrees(got.select(axis, 0), first, close):
            says = f"only the first entry along axis {axis} is filled in, and zeros follow: {LOOP}?"
            yield Suspect("stops_after_the_first", says)


def _left_at_zero(got: Tensor, want: Want, call: Beside) -> Iterator[Suspect]:
    """Right values but for the first or the last entry along an axis, which holds zeros."""
    if got.shape != want.values.shape:
        return
    close = _close(got, want)
    for axis, length in enumerate(got.shape):
        if not length or not got.numel():
            continue
        for which, zero, rest in (("first", 0, 1), ("last", length - 1, 0)):
            right = agrees(
                got.narrow(axis, rest, length - 1), want.values.narrow(axis, rest, length - 1), close
            )
            if right and not bool(got.select(axis, zero).any()):
                says = f"only the {which} entry along axis {axis} is wrong: it is left at zero"
                yield Suspect("entry_left_at_zero", f"{says}, as by a loop that begins or ends elsewhere")


def _only_first_filled(got: Tensor, axis: int) -> bool:
    if got.ndim <= axis or got.shape[axis] < 2:
        return False
    return bool(got.any()) and not bool(got.narrow(axis, 1, got.shape[axis] - 1).any())


def _close(got: Tensor, want: Want) -> float:
    if got.dtype == want.dtype or not want.values.numel():
        return want.tolerance
    return max(want.tolerance, 1e-5 * float(want.values.abs().max()))


def _equal(a: Tensor, b: Tensor) -> bool:
    """The same numbers but for rounding, which may differ with how the work is shared out."""
    if a.is_complex() or b.is_complex():
        return True
    finite = a.double()[a.isfinite()].abs()
    return agrees(a, b, 1e-4 * float(finite.max()) if finite.numel() else 0.0)
