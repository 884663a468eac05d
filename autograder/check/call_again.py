"""A function that fails is called again: on few numbers, or to see what does not fit in its line."""

from __future__ import annotations

import contextlib
import io
import linecache
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from torch import Tensor

from autograder.calls.arrays import only_tensors
from autograder.calls.inputs import revive
from autograder.calls.note_tensors import Notes, Noting, take_notes
from autograder.calls.requests_and_outcomes import Smallest
from autograder.check.run_case import Called, call
from autograder.check.time_limit import TooLong, guarded
from autograder.diagnose.cell_statements import read_layout, returns_in_loop
from autograder.diagnose.crash import explain_crash, say_crash
from autograder.diagnose.departure import find_departure
from autograder.diagnose.departure_words import say_departure
from autograder.diagnose.pick_smallest_case import find_smallest
from autograder.diagnose.reference_digests import SketchedWay, Sketches, salt
from autograder.diagnose.squeezes import Tried, lost_axis
from autograder.release.handout import CodeHandout, VisibleCase

SECONDS = 2.0  # for all of it: a student waits


@dataclass(frozen=True)
class _HandedCase:
    """A small case as it was handed out."""

    case: VisibleCase

    @property
    def arguments(self) -> Sequence[object]:
        return self.case.arguments

    @property
    def names(self) -> Sequence[str]:
        return [want.name for want in self.case.expected.outputs]

    @property
    def many(self) -> bool:
        return self.case.expected.many

    @property
    def right(self) -> Sequence[Tensor]:
        return [want.values for want in self.case.expected.outputs]

    @property
    def is_steady(self) -> bool:
        return True


def look_small(
    part: CodeHandout, function: Callable[..., object], failing: VisibleCase, gave: Called
) -> Smallest | None:
    """The smallest of the cases that were handed out on which the function differs."""
    if gave.status != "ok" or {*gave.kinds} != {"tensor"}:
        return None
    wanted = [want.values.shape for want in failing.expected.outputs]
    shape = [value.shape for value in only_tensors(gave.outputs)] != wanted
    left = SECONDS
    for case in part.small:
        called = call(function, case, lambda seconds: None, left, arrays=part.numpy)
        left -= called.seconds
        if called.status in ("stopped", "too_long") or left <= 0:
            return None
        found = find_smallest(part.parameters, [_HandedCase(case)], [called], shape=shape)
        if found is not None:
            return found
    return None


def _cell_of(function: Callable[..., object]) -> tuple[str, str]:
    """The name and the text of the cell that defines a function; empty where it is not known."""
    filename = getattr(getattr(function, "__code__", None), "co_filename", "")
    return filename, "".join(linecache.getlines(filename)) if filename else ""


def looping_words(function: Callable[..., object]) -> str:
    """A return that ends the function in the first round of a loop, if there is one."""
    found = returns_in_loop(_cell_of(function)[1], getattr(function, "__name__", ""))
    return found[1] if found else ""


def squeezing_words(function: Callable[..., object], tried: Sequence[Tried]) -> str:
    """The squeeze() that can be the reason of what fails, if there is one."""
    found = lost_axis(_cell_of(function)[1], tried)
    return found.says if found else ""


def departing_words(part: str, function: Callable[..., object], case: VisibleCase, gave: Called) -> str:
    """The first line whose result a right solution does not have; nothing where it is not known."""
    filename, source = _cell_of(function)
    outputs = [value for value in gave.outputs if isinstance(value, Tensor) and not value.is_complex()]
    wanted = tuple(want.values.double().numpy() for want in case.expected.outputs)
    if not source or case.sketches is None or len(outputs) != len(gave.outputs):
        return ""
    notes = _noted(function, case, filename)
    if notes is None:
        return ""
    right = SketchedWay(Sketches(salt(part, case.name), case.sketches), wanted)
    mine = [value.detach().double().numpy() for value in outputs]
    found = find_departure(notes, right, mine, read_layout(source, part))
    return say_departure(found, source) if found is not None else ""


def stopping_words(function: Callable[..., object], case: VisibleCase, error: str) -> str:
    """What does not fit in the line at which the function stops; nothing where it is not known."""
    filename, source = _cell_of(function)
    if not source:
        return ""
    notes = _noted(function, case, filename)
    crash = explain_crash(notes, source, None, error) if notes is not None else None
    return say_crash(crash, source) if crash is not None and crash.shapes else ""


def _noted(function: Callable[..., object], case: VisibleCase, filename: str) -> Notes | None:
    """The function called once more with its tensors noted; None where that does not end."""
    noting = Noting(lambda name: name == filename)
    try:
        with contextlib.redirect_stdout(io.StringIO()), guarded(SECONDS, lambda seconds: None):
            return take_notes(function, [revive(argument) for argument in case.arguments], noting)
    except (TooLong, SystemExit, KeyboardInterrupt):
        return None
