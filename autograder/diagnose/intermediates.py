"""A reference and a call become its intermediate tensors, also with some of them exchanged for others."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from types import FunctionType
from typing import TypeVar

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
from autograder.diagnose.recorded_operations import Given, OtherWay, Record, RecordedOperation, listed
from autograder.diagnose.reference_tensors import Known, rounds
from autograder.diagnose.torch_written_out import Arguments, Step, inside

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
        self.record: Record | None = None  # where all is to be taken down
        self._versions: list[int] = []
        self._has_seen_all = False  # of an operation, once the one step in it is exchanged
        self._kind = COMPUTED
        self._is_own, self._rounds = is_own, dict.fromkeys(instead, 0)
        # What a tensor was made of; tensors are the keys of a dict by what they are, not by their numbers.
        self._addends: dict[Tensor, list[Tensor]] = {}
        self._products: dict[Tensor, tuple[Tensor, Tensor]] = {}
        self._sums: dict[Tensor, Arguments] = {}

    def __torch_function__(
        self, func: Given, types: object, args: Arguments = (), kwargs: dict[str, object] | None = None
    ) -> object:
        kwargs = kwargs or {}
        name = getattr(func, "__name__", "")
        if self.record is not None:
            self._versions = [tensor._version for tensor in tensors_in([args, kwargs])]
        result = listed(name, func(*args, **kwargs))
        if name in UNFILLED:
            result.zero_()
        caller = sys._getframe(1)
        if not self.passes_by((caller.f_code, caller.f_lasti)):
            spot = spot_now(self._is_own, up_to=_run.__code__)
            result = self.see(RecordedOperation(func, args, kwargs, result, spot))
        return iter(result) if name == "__iter__" else result

    def see(self, seen: RecordedOperation) -> Given:
        """What an operation gives from here on."""
        name, args, kwargs, result, spot = seen.name, seen.args, seen.kwargs, seen.result, seen.spot
        self._kind = CHOSEN if name in CHOOSING else COMPUTED
        if name == "__iter__":
            return result
        sources = seen.sources
        if name == "__setitem__":
            self._see(args[0], spot.at(0), sources, written=True)
            return None
        steps = self._steps(name, seen.function, args, kwargs, result) if self._looks_into(spot) else ()
        for number, (kind, step, go_on) in enumerate(steps):
            other = self._see(step, spot.at(kind, number), sources)
            if other is not step:
                result = go_on(other)
                if self._has_seen_all:
                    break
        if isinstance(result, Tensor):
            result = self._see(result, spot.at(0), sources, written=any(result is s for s in sources))
            if name in PRODUCTS:
                self._products[result] = (args[0], args[1])
            elif name in LINEAR:
                self._sums[result] = tuple(args)
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
        self, name: str, func: Given, args: Arguments, kwargs: Mapping[str, object], result: Given
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

    def has_run(self, arguments: Sequence[object], value: object) -> None:
        """What the reference was called with, and what it returned."""

    def passes_by(self, caller: object) -> bool:
        """Whether nothing needs to be known of the operation that is called there."""
        return False

    def _looks_into(self, spot: OperationSpot) -> bool:
        return True

    def _see(
        self, tensor: Tensor, spot: OperationSpot, sources: Sequence[Tensor], *, written: bool = False
    ) -> Given:
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

    def see(self, seen: RecordedOperation) -> Given:
        if self.record is not None:
            self.record.take(seen, self._versions)
        return super().see(seen)

    def has_run(self, arguments: Sequence[object], value: object) -> None:
        if self.record is not None:
            self.record.arguments, self.record.value = tuple(arguments), value

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
        self._has_seen_all = len(instead) == 1
        builds_up = any(_is_step(place) and place[-2] in BUILT_UP for place in instead)
        self._sees_all = builds_up or any(not isinstance(caller, tuple) for caller in callers)
        self._callers = frozenset(callers)

    def passes_by(self, caller: object) -> bool:
        return not self._sees_all and caller not in self._callers

    def _looks_into(self, spot: OperationSpot) -> bool:
        return any(_is_step(place) and spot.place == place[:-2] for place in self.instead)


Watcher = TypeVar("Watcher", bound=_Watching)


@dataclass(frozen=True, eq=False)
class Right:
    """The reference on one call: its notes, which operation each place is, and what it returned."""

    reference: Callable[..., object]
    call: Planned
    notes: Notes
    places: Mapping[int, Place]
    outputs: tuple[Values, ...]
    record: Record
    _reached: dict[int, frozenset[int]] = field(default_factory=dict)
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

    def reaches(self, place: int) -> frozenset[int]:
        """Which of the results may be made from the tensors of a place."""
        if place not in self._reached:
            later = self.made_from({place}) | {place}
            ends = enumerate(self._ends if self.record.can_be_replayed else [set()] * len(self.outputs))
            self._reached[place] = frozenset(number for number, end in ends if not end or end & later)
        return self._reached[place]

    @cached_property
    def _ends(self) -> list[set[int]]:
        """For each result, the places that have it."""
        notes = self.notes.notes
        return [{n.place for n in notes if np.array_equal(n.values, output)} for output in self.outputs]

    def operation(self, place: int) -> int:
        """The operation that a step lies inside; any other place is its own."""
        spot = self.places[place]
        return self._numbers.get((*spot[:-2], 0), place) if _is_step(spot) else place

    @cached_property
    def _numbers(self) -> dict[Place, int]:
        return {place: number for number, place in self.places.items()}

    def made_from(self, places: set[int]) -> set[int]:
        """The places whose tensors are made from those of these places, themselves not included."""
        results = {self.operation(place) for place in places}
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
        found = self._run(_Exchanging, instead)
        return found and found[1]

    def _run(
        self,
        watching: Callable[[Callable[[str], bool], Others], Watcher],
        instead: Mapping[int, Sequence[Values]],
    ) -> tuple[Watcher, tuple[Values, ...] | None] | None:
        """With what it was watched, and what it gave; None where it does not run with these tensors."""
        for record in (self.record, None) if self.record.can_be_replayed else (None,):
            mode = watching(_own(self.reference), {self.places[n]: others for n, others in instead.items()})
            try:
                return mode, _run(self.reference, self.call, mode, record)
            except OtherWay:  # it decides on what the tensors are: it has to be called
                continue
            except Exception:  # another shape may fit nowhere
                return None
        return None

    def exchanged(self, instead: Mapping[int, Sequence[Values]]) -> Right | None:
        """The reference, the tensors of some operations being these."""
        found = self._run(_Noting, instead)
        return found and _right(self.reference, self.call, *found, self.record)


def _instead(total: Tensor, term: Tensor, other: Tensor) -> Tensor:
    """A sum with another term."""
    return total + other - term


def _is_step(place: Place) -> bool:
    """Whether it lies inside an operation of the reference."""
    return len(place) > 1 and isinstance(place[-2], str)


def note_reference(reference: Callable[..., object], call: Planned) -> Right | None:
    """The intermediates of the reference; None where there are too many."""
    mode = _Noting(_own(reference), {})
    mode.record = record = Record(can_be_replayed=not call.steps)
    outputs = _run(reference, call, mode)
    return _right(reference, call, mode, outputs, record)


def _right(
    reference: Callable[..., object],
    call: Planned,
    mode: _Noting,
    outputs: tuple[Values, ...] | None,
    record: Record,
) -> Right | None:
    notes = mode.book.notes()
    if outputs is None or not notes.whole:
        return None
    return Right(reference, call, notes, mode.book.places(), outputs, record)


def _run(
    reference: Callable[..., object], call: Planned, mode: _Watching, record: Record | None = None
) -> tuple[Values, ...] | None:
    """What the reference returns while it is watched; None where that is no real tensors."""
    value = _steps_of(reference, call, mode) if call.steps else _value_of(reference, call, mode, record)
    found = list(tensors_in(value))
    if any(tensor.is_complex() for tensor in found):
        return None
    return tuple(tensor.detach().double().numpy() for tensor in found)


def _value_of(
    reference: Callable[..., object], call: Planned, mode: _Watching, record: Record | None
) -> object:
    given = record.arguments if record else [revive(argument) for argument in call.arguments]
    arguments = list(given)
    for position, argument in enumerate(arguments):
        spot = OperationSpot((ARGUMENT, position))
        if isinstance(argument, Tensor):
            arguments[position] = mode.is_given(argument, spot)
        else:
            for tensor in tensors_in(argument):
                mode.is_given(tensor, spot)
    if record:
        return record.replay(arguments, mode)
    with mode:
        value = reference(*arguments)
    mode.has_run(arguments, value)
    return value


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
