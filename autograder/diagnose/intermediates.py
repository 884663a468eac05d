"""A reference and a call become its intermediate tensors, also with some of them exchanged for others."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from types import FrameType, FunctionType
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode

from autograder.calls.case_as_script import given
from autograder.calls.expected import Planned
from autograder.calls.inputs import as_given, revive
from autograder.calls.local_names import copied
from autograder.calls.note_steps import take_watched
from autograder.calls.note_tensors import (
    ARGUMENT,
    CHOOSING,
    CHOSEN,
    COMPUTED,
    UNFILLED,
    Notebook,
    Notes,
    OperationSpot,
    Place,
    Values,
    spot_now,
    tensors_in,
)
from autograder.calls.take_steps import Bench, precision
from autograder.diagnose.rearranged import same
from autograder.diagnose.reference_tensors import Known, rounds
from autograder.diagnose.torch_written_out import Step, inside

MOST_NOTES, MOST_NUMBERS = 4000, 400_000  # a reference has more than a student's function: see `inside`
GROUPED, ADDED, TERM = "grouped", "added", "term"  # steps of several operations together
LINEAR = frozenset({"add", "sub", "mul", "div", "__rsub__"})
MOST_SHAPES = 10_000  # that are remembered, of tensors in the place of others
MOST_ADDENDS = 8  # of a sum that may be added up in another order
PRODUCTS = frozenset({"matmul", "mm", "mv", "bmm"})
BUILT_UP = frozenset({GROUPED, ADDED, TERM})  # steps that need to know what the operations before gave

Others = Mapping[Place, Sequence[Values]]


class _Watching(TorchFunctionMode):
    """Every result of a reference's operations passes `_see`, and what lies inside some of them.

    `instead` are tensors that are put in the place of those that an operation gives, round by round.
    """

    def __init__(self, is_own: Callable[[str], bool], instead: Others) -> None:
        super().__init__()
        self.instead = instead
        self._kind = COMPUTED
        self._is_own, self._rounds = is_own, dict.fromkeys(instead, 0)
        # What a tensor was made of; tensors are the keys of a dict by what they are, not by their numbers.
        self._addends: dict[Tensor, list[Tensor]] = {}
        self._products: dict[Tensor, tuple[Tensor, Tensor]] = {}
        self._sums: dict[Tensor, tuple[object, ...]] = {}

    def __torch_function__(
        self, func: Any, types: object, args: tuple[Any, ...] = (), kwargs: dict[str, object] | None = None
    ) -> object:
        kwargs = kwargs or {}
        name = getattr(func, "__name__", "")
        result = func(*args, **kwargs)
        if name in UNFILLED:
            result.zero_()
        if self._passes_by(sys._getframe(1)):
            return result
        self._kind = CHOSEN if name in CHOOSING else COMPUTED
        spot = spot_now(self._is_own, up_to=_run.__code__)
        sources = list(tensors_in([args, kwargs]))
        if name == "__setitem__":
            self._see(args[0], spot.at(0), sources, written=True)
            return None
        steps = self._steps(name, func, args, kwargs, result) if self._looks_into(spot) else ()
        for number, (kind, step, go_on) in enumerate(steps):
            other = self._see(step, spot.at(kind, number), sources)
            if other is not step:
                result = go_on(other)
        if isinstance(result, Tensor):
            result = self._see(result, spot.at(0), sources, written=any(result is s for s in sources))
            if name in PRODUCTS:
                self._products[result] = (args[0], args[1])
            elif name in LINEAR:
                self._sums[result] = args
            if name == "add":
                self._addends[result] = self._added(args)
            return result
        if type(result) is tuple or type(result) is list:
            return type(result)(
                self._see(each, spot.at(number), sources) if isinstance(each, Tensor) else each
                for number, each in enumerate(result)
            )
        return result

    def _steps(
        self, name: str, func: Any, args: Sequence[Any], kwargs: Mapping[str, object], result: Any
    ) -> Iterator[Step]:
        yield from inside(func, args, kwargs, result)
        if name in PRODUCTS and len(args) == 2:
            yield from self._grouped(*args)
        if name == "add":
            addends = self._added(args)
            for left_out in addends[:-1] if 2 < len(addends) <= MOST_ADDENDS else ():
                others = [each for each in addends if each is not left_out]
                yield ADDED, sum(others[1:], others[0]), partial(torch.add, left_out)
        if name in ("sum", "mean") and args[0] in self._sums:
            for term in self._sums[args[0]]:
                if isinstance(term, Tensor) and term.shape == args[0].shape:
                    reduced = func(term, *args[1:], **kwargs)
                    yield TERM, reduced, partial(_instead, result, reduced)

    def _grouped(self, left: Tensor, right: Tensor) -> Iterator[Step]:
        """A product of three, the other two multiplied first."""
        try:
            if left in self._products:
                a, b = self._products[left]
                yield GROUPED, b @ right, lambda v: a @ v
            if right in self._products:
                b, c = self._products[right]
                yield GROUPED, left @ b, lambda v: v @ c
        except RuntimeError:  # shapes that fit one way only
            return

    def _added(self, args: Sequence[object]) -> list[Tensor]:
        """All that a sum is added up from."""
        tensors = [arg for arg in args if isinstance(arg, Tensor)]
        return [each for arg in tensors for each in self._addends.get(arg, [arg])]

    def is_given(self, tensor: Tensor, spot: OperationSpot) -> Tensor:
        """What the reference is called with, or what is put in its place."""
        if spot.place in self.instead:
            return torch.from_numpy(self.instead[spot.place][0].copy()).to(tensor.dtype)
        return tensor

    def is_same(self, other: Tensor, tensor: Tensor) -> None:
        """What another tensor has now is what this one has."""

    def _passes_by(self, caller: FrameType) -> bool:
        """Whether nothing needs to be known of the operation that is called there."""
        return False

    def _looks_into(self, spot: OperationSpot) -> bool:
        return True

    def _see(
        self, tensor: Tensor, spot: OperationSpot, sources: Sequence[Tensor], *, written: bool = False
    ) -> Any:
        if spot.place in self.instead:
            other = self.instead[spot.place][self._rounds[spot.place]]
            self._rounds[spot.place] += 1
            exchanged = torch.from_numpy(other.copy()).to(tensor.dtype)
            tensor = tensor.copy_(exchanged) if written else exchanged
        return tensor


class _Noting(_Watching):
    """Notes all that it sees."""

    def __init__(self, is_own: Callable[[str], bool], instead: Others) -> None:
        super().__init__(is_own, instead)
        self.book = Notebook(MOST_NOTES, MOST_NUMBERS)

    def is_given(self, tensor: Tensor, spot: OperationSpot) -> Tensor:
        tensor = super().is_given(tensor, spot)
        self.book.take(tensor, spot)
        return tensor

    def is_same(self, other: Tensor, tensor: Tensor) -> None:
        self.book.is_same(other, tensor)

    def _see(
        self, tensor: Tensor, spot: OperationSpot, sources: Sequence[Tensor], *, written: bool = False
    ) -> object:
        tensor = super()._see(tensor, spot, sources, written=written)
        (self.book.retake if written else self.book.take)(
            tensor, spot._replace(lines=(1,)), sources, self._kind
        )
        return tensor


class _Exchanging(_Watching):
    """Looks no closer than it must."""

    def __init__(self, is_own: Callable[[str], bool], instead: Others) -> None:
        super().__init__(is_own, instead)
        callers = [place[0] for place in instead if place[0] != ARGUMENT]
        called = [caller for caller in callers if isinstance(caller, tuple)]
        builds_up = any(_is_step(place) and place[-2] in BUILT_UP for place in instead)
        self._sees_all = builds_up or len(called) < len(callers)
        self._callers = frozenset((id(code), instruction) for code, instruction in called)

    def _passes_by(self, caller: FrameType) -> bool:
        return not self._sees_all and (id(caller.f_code), caller.f_lasti) not in self._callers

    def _looks_into(self, spot: OperationSpot) -> bool:
        return any(_is_step(place) and spot.place == place[:-2] for place in self.instead)


@dataclass(frozen=True, eq=False)
class Right:
    """The reference on one call: its notes, which operation each place is, and what it returned."""

    reference: Callable[..., object]
    call: Planned
    notes: Notes
    places: Mapping[int, Place]
    outputs: tuple[Values, ...]
    _fitting: dict[tuple[int, tuple[tuple[int, ...], ...]], bool] = field(default_factory=dict)

    @cached_property
    def known(self) -> Known:
        return Known(self.notes.notes)

    @cached_property
    def rounds(self) -> dict[int, list[int]]:
        """The notes of each place."""
        return rounds(self.notes.notes)

    @cached_property
    def given(self) -> frozenset[int]:
        """The places that hold an argument, in another shape."""
        notes = self.notes.notes
        arguments = [note.values for note in notes if note.line == 0]
        return frozenset(
            place
            for place, rows in self.rounds.items()
            if any(same(notes[rows[-1]].values, each) for each in arguments)
        )

    @cached_property
    def results(self) -> frozenset[int]:
        """The places that hold what is returned."""
        notes = self.notes.notes
        return frozenset(
            place
            for place, rows in self.rounds.items()
            if any(same(notes[rows[-1]].values, output) for output in self.outputs)
        )

    @cached_property
    def near(self) -> dict[int, set[int]]:
        """For each place, the places of what its tensors are made from, up to two steps back."""
        notes = self.notes.notes
        found: dict[int, set[int]] = {}
        for note in notes:
            close_by = {p for source in note.sources for p in (source, *notes[source].sources)}
            found.setdefault(note.place, set()).update(notes[p].place for p in close_by)
        return found

    def operation(self, place: int) -> int:
        """The operation that a step lies inside; any other place is its own."""
        numbers = {each: number for number, each in self.places.items()}
        spot = self.places[place]
        return numbers.get((*spot[:-2], 0), place) if _is_step(spot) else place

    def made_from(self, places: set[int]) -> set[int]:
        """The places whose tensors are made from those of these places, themselves not included."""
        numbers = {place: number for number, place in self.places.items()}
        results = {numbers.get((*self.places[n][:-2], 0), n) for n in places if _is_step(self.places[n])}
        found: set[int] = set()
        inside = [False] * len(self.notes.notes)
        for position, note in enumerate(self.notes.notes):
            inside[position] = note.place in places | results or any(inside[s] for s in note.sources)
            if inside[position]:
                found.add(note.place)
        return found - places

    def answer(self, instead: Mapping[int, Sequence[Values]]) -> tuple[Values, ...] | None:
        """What the reference gives, the tensors of some operations being these."""
        if len(instead) == 1 and not all(self._fits(place, others) for place, others in instead.items()):
            return None
        return self._answer(instead)

    def _fits(self, place: int, others: Sequence[Values]) -> bool:
        """Whether the reference runs at all with tensors of these shapes in one place."""
        shapes = tuple(other.shape for other in others)
        theirs = [self.notes.notes[p].values for p in self.rounds[place]]
        if shapes == tuple(values.shape for values in theirs):
            return True
        if (place, shapes) not in self._fitting:
            if len(self._fitting) >= MOST_SHAPES:
                self._fitting.clear()
            # With its own numbers: then no student's answer depends on who was looked at before.
            tried = [np.resize(values, shape) for values, shape in zip(theirs, shapes, strict=False)]
            self._fitting[place, shapes] = self._answer({place: tried}) is not None
        return self._fitting[place, shapes]

    def _answer(self, instead: Mapping[int, Sequence[Values]]) -> tuple[Values, ...] | None:
        mode = _Exchanging(_own(self.reference), {self.places[n]: others for n, others in instead.items()})
        try:
            return _run(self.reference, self.call, mode)
        except Exception:  # another shape may fit nowhere
            return None

    def exchanged(self, instead: Mapping[int, Sequence[Values]]) -> Right | None:
        """The reference, the tensors of some operations being these."""
        try:
            return _note(self.reference, self.call, {self.places[n]: others for n, others in instead.items()})
        except Exception:
            return None


def _instead(total: Tensor, term: Tensor, other: Tensor) -> Tensor:
    """A sum with another term."""
    return total + other - term


def _is_step(place: Place) -> bool:
    """Whether it lies inside an operation of the reference."""
    return len(place) > 1 and isinstance(place[-2], str)


def note_reference(reference: Callable[..., object], call: Planned) -> Right | None:
    """The intermediates of the reference; None where there are too many."""
    return _note(reference, call, {})


def _note(reference: Callable[..., object], call: Planned, instead: Others) -> Right | None:
    mode = _Noting(_own(reference), instead)
    outputs = _run(reference, call, mode)
    notes = mode.book.notes()
    if outputs is None or not notes.whole:
        return None
    return Right(reference, call, notes, mode.book.places(), outputs)


def _run(reference: Callable[..., object], call: Planned, mode: _Watching) -> tuple[Values, ...] | None:
    """What the reference returns while it is watched; None where that is no real tensors."""
    value = _steps_of(reference, call, mode) if call.steps else _value_of(reference, call, mode)
    found = list(tensors_in(value))
    if any(tensor.is_complex() for tensor in found):
        return None
    return tuple(tensor.detach().double().numpy() for tensor in found)


def _value_of(reference: Callable[..., object], call: Planned, mode: _Watching) -> object:
    arguments = [revive(argument) for argument in call.arguments]
    for position, argument in enumerate(arguments):
        spot = OperationSpot((ARGUMENT, position))
        if isinstance(argument, Tensor):
            arguments[position] = mode.is_given(argument, spot)
        else:
            for tensor in tensors_in(argument):
                mode.is_given(tensor, spot)
    with mode:
        return reference(*arguments)


def _steps_of(reference: Callable[..., object], call: Planned, mode: _Watching) -> list[object]:
    """What the steps give whose results count."""
    bench = Bench({call.part.name: reference})
    found = []
    with precision(getattr(torch, call.case.dtype)):
        taken = take_watched(
            bench, call.steps, lambda value: given(value, bench, as_given), lambda: mode, mode
        )
        for label, value in zip(call.labels, taken, strict=True):
            if label:
                found.append(copied(value, bench))
    return found


def _own(function: Callable[..., object]) -> Callable[[str], bool]:
    """Whether code of a file belongs to a function, or to a class."""
    methods = vars(function).values() if isinstance(function, type) else [function]
    files = {inspect.unwrap(each).__code__.co_filename for each in methods if isinstance(each, FunctionType)}
    return lambda name: name in files
