"""One call of a function becomes notes of its intermediate tensors: where each was made, and its values.

It runs beside a student's code, and for the reference alike, so it needs torch alone.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import CodeType, FrameType, UnionType
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.overrides import TorchFunctionMode

from autograder.calls.note_numpy import SHAPED_ALIKE, Watched, in_numpy, watched_in

MOST_NOTES = 800
MOST_NUMBERS = 100_000
MOST_SOURCES = 64  # tensors that one is made from
MOST_CALLS = 8  # of functions in each other
# Where numbers leave torch: what is made from them later is not seen.
EXITS = frozenset({"item", "tolist", "__array__", "__float__", "__complex__", "__int__", "__index__"})
NUMBERS = float | complex | np.ndarray | np.generic
UNFILLED = frozenset({"empty", "empty_like", "new_empty"})
ARGUMENT = "argument"  # in the place of what is given to the code
COMPUTED, CHOSEN, RESHAPED, UNSURE = range(
    4
)  # what an operation does with entries; or it is not known of which
RESHAPING = frozenset({"reshape", "view", "flatten", "unflatten", "reshape_as", "view_as", "ravel"})
# What keeps a part of the entries: that it is right says little of the others.
CHOOSING = frozenset(
    {
        "__getitem__",
        "select",
        "narrow",
        "diagonal",
        "diag",
        "split",
        "chunk",
        "unbind",
        "index_select",
        "gather",
        "take",
        "masked_select",
        "tril",
        "triu",
        "max",
        "min",
        "amax",
        "amin",
        "argmax",
        "argmin",
        "topk",
        "sort",
        "where",
        "masked_fill",
        "clamp",
        "clamp_min",
        "clip",
        "relu",
        "any",
        "all",
        "eq",
        "ne",
        "lt",
        "gt",
        "le",
        "ge",
        "sign",
        "round",
        "floor",
        "ceil",
        "new_zeros",
        "new_ones",
        "zeros_like",
        "ones_like",
        "empty_like",
        "full_like",
        "one_hot",
        "nonzero",
        "unique",
    }
)

PLAIN = frozenset({torch.float32, torch.float64, torch.int64, torch.bool})  # numpy has them as well

Place = tuple[object, ...]  # an operation in the code: the same one in every round of a loop
Values = NDArray[np.float64]
Made = Tensor | Watched


@dataclass(frozen=True, eq=False)
class Note:
    """One tensor: the number of its place in the code, its line (0: an argument), and its sources.

    `calls` are the lines that called the function of that line, the innermost first, `site` is the number of
    that chain of calls, and `step` that of the operation, from wherever it is called. The kind of a note is
    CHOSEN where it has only a part of what is in its sources, or a part decided it; UNSURE where numbers that
    had left torch may have gone into it.
    """

    place: int
    line: int
    values: Values
    sources: tuple[int, ...] = ()
    calls: tuple[int, ...] = ()
    site: int = 0
    step: int = 0
    kind: int = COMPUTED


@dataclass(frozen=True)
class Stop:
    """Where an exception ended a call: the line, and the shapes of the variables that are tensors there."""

    line: int
    shapes: Mapping[str, tuple[int, ...]] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Notes:
    """The tensors of one call in order."""

    notes: tuple[Note, ...] = ()
    whole: bool = True  # not cut short
    stop: Stop | None = None


def tensors_in(value: object, depth: int = 5) -> Iterator[Tensor]:
    """The tensors in an argument or a result, also in lists and tuples."""
    if isinstance(value, Tensor):
        yield value
    elif depth and isinstance(value, list | tuple):
        for each in value:
            yield from tensors_in(each, depth - 1)
    elif depth and isinstance(value, dict):
        yield from tensors_in(list(value.values()), depth - 1)


def _has_numbers(value: object, kinds: type | UnionType, depth: int = 5) -> bool:
    """Whether a number of one of these kinds is in an argument, and it is not known of what it is made."""
    if isinstance(value, kinds):
        return not isinstance(value, Watched)
    if isinstance(value, list | tuple | dict):
        within = value.values() if isinstance(value, dict) else value
        return depth == 0 or any(_has_numbers(each, kinds, depth - 1) for each in within)
    return False


class OperationSpot(NamedTuple):
    """Where an operation stands: its place, the lines that lead to it, the innermost first, and its calls.

    `step` is the operation in the innermost function alone, the same from wherever that is called.
    """

    place: Place
    lines: tuple[int, ...] = (0,)
    site: Place = ()
    step: Place = ()

    def at(self, *more: object) -> OperationSpot:
        """One of several results or steps of the operation."""
        return self._replace(place=(*self.place, *more), step=(*self.step, *more))


def spot_now(is_own: Callable[[str], bool], up_to: CodeType | None = None) -> OperationSpot:
    """The operation that runs now; without lines where it is not called by code that is to be shown.

    What called the code `up_to` is not looked at.
    """
    frame: FrameType | None = sys._getframe(2)
    passed: list[tuple[object, int]] = []
    first, place, lines, calls = 0, 0, list[int](), list[tuple[object, int]]()
    while frame is not None and frame.f_code is not up_to:
        passed.append((frame.f_code, frame.f_lasti))
        if is_own(frame.f_code.co_filename):
            place = len(passed)
            first = first or place
            lines.append(frame.f_lineno)
            calls.append(passed[-1])
        frame = frame.f_back
    return OperationSpot(
        tuple(passed[:place]), tuple(lines[:MOST_CALLS]), tuple(calls[1:]), tuple(passed[:first])
    )


def _values_of(made: Made) -> Values | None:
    """The values as they are now; None where they are none that can be compared."""
    if isinstance(made, np.ndarray):
        return None if made.dtype.kind == "c" else np.array(made, dtype=np.float64, subok=False)
    if made.is_complex() or made.layout is not torch.strided:
        return None
    if made.dtype in PLAIN and not made.is_neg():
        return np.array(made.detach().numpy(), dtype=np.float64)  # twice as fast as by torch
    return made.detach().to(torch.float64, copy=True).numpy()


class _NoteOf:
    """Which note each tensor and array has: by the object, whatever its numbers are by now."""

    def __init__(self) -> None:
        # By identity: what is kept here stays alive, so that nothing else can have it.
        self._known: dict[int, tuple[Made, int]] = {}
        self._memory: dict[int, int] = {}  # of tensors alone

    def find(self, made: Made) -> int | None:
        known = self._known.get(id(made))
        return None if known is None else known[1]

    def put(self, made: Made, number: int) -> None:
        self._known[id(made)] = (made, number)

    def sharing_memory(self, made: Made) -> list[Made]:
        """What else lies in the memory of one that has a note."""
        others = [other for other, _ in self._known.values() if other is not made]
        if isinstance(made, np.ndarray):
            return [o for o in others if isinstance(o, np.ndarray) and np.may_share_memory(o, made)]
        for other in (made, *others):
            if isinstance(other, Tensor) and id(other) not in self._memory:
                self._memory[id(other)] = other.untyped_storage().data_ptr()
        here = self._memory[id(made)]
        return [other for other in others if self._memory.get(id(other)) == here]


@dataclass
class Notebook:
    """Notes as they are taken, up to so many and so many numbers in them."""

    most: int = MOST_NOTES
    room: int = MOST_NUMBERS
    taken: list[Note] = field(default_factory=list)
    whole: bool = True
    left: bool = False  # whether numbers have left torch, and are not seen in numpy
    _places: dict[Place, int] = field(default_factory=dict)
    _note_of: _NoteOf = field(default_factory=_NoteOf)
    _sites: dict[Place, int] = field(default_factory=dict)
    _steps: dict[Place, int] = field(default_factory=dict)
    _numbers: int = 0

    def take(
        self, tensor: Made, spot: OperationSpot, sources: Sequence[Made] = (), kind: int = COMPUTED
    ) -> None:
        """Note a tensor, unless it is one of the sources as it was."""
        values = _values_of(tensor) if self.whole else None
        if values is None:
            self.whole = False
            return
        known = self._note_of.find(tensor)
        if known is not None and np.array_equal(self.taken[known].values, values, equal_nan=True):
            return
        self._numbers += values.size
        if len(self.taken) >= self.most or self._numbers > self.room:
            self.whole = False
            return
        place = self._places.setdefault(spot.place, len(self._places))
        site = self._sites.setdefault(spot.site, len(self._sites))
        step = self._steps.setdefault(spot.step, len(self._steps))
        found = {number for source in sources if (number := self._note_of.find(source)) is not None}
        line, *calls = spot.lines
        made_from = tuple(sorted(found))[:MOST_SOURCES]
        self.taken.append(Note(place, line, values, made_from, tuple(calls), site, step, kind))
        self._note_of.put(tensor, len(self.taken) - 1)

    def retake(
        self, tensor: Made, spot: OperationSpot, sources: Sequence[Made], kind: int = COMPUTED
    ) -> None:
        """A tensor was written to: note it, and all that share its memory."""
        self.take(tensor, spot, sources, kind)
        for other in self._note_of.sharing_memory(tensor) if self.whole else ():
            self.take(other, spot.at("shared", tuple(other.shape)), (other, tensor), CHOSEN)

    def is_same(self, other: Made, tensor: Made) -> None:
        """What another object has is a tensor that is known."""
        if (number := self._note_of.find(tensor)) is not None:
            self._note_of.put(other, number)

    def line_of(self, tensor: Tensor) -> int:
        """The line that made a tensor; 0 where it is not known."""
        known = self._note_of.find(tensor)
        return 0 if known is None else self.taken[known].line

    def places(self) -> dict[int, Place]:
        """The operation that each number of a place stands for."""
        return {number: place for place, number in self._places.items()}

    def notes(self) -> Notes:
        return Notes(tuple(self.taken), self.whole)


class Noting(TorchFunctionMode):
    """While it is entered, every tensor that an operation of torch gives is noted."""

    def __init__(self, is_own: Callable[[str], bool]) -> None:
        super().__init__()
        self.book = Notebook()
        self.is_own = is_own
        self._roots: list[Tensor] = []  # of which gradients are asked
        self._has_arrays = False  # whether some are made of tensors
        self._watches_arrays = False  # whether there are any

    def __torch_function__(
        self,
        func: Callable[..., object],
        types: object,
        args: tuple[object, ...] = (),
        kwargs: dict[str, object] | None = None,
    ) -> object:
        name = getattr(func, "__name__", "")
        result = func(*args, **(kwargs or {}))
        first = args[0] if args else None
        if name in UNFILLED and isinstance(result, Tensor):
            result.zero_()  # what lies in memory by chance is not to be compared
        number = isinstance(first, Tensor) and first.is_floating_point()
        if name in EXITS and number:
            self.book.left = True
        if name == "numpy" and isinstance(first, Tensor) and number:
            watched = Watched.of(result, self)
            result, self._has_arrays, self._watches_arrays = watched, True, True
            self.book.is_same(watched, first)
        if name == "backward":
            self._roots = list(tensors_in(first))
        made = first if name == "__setitem__" else result
        self.sees(name, list(tensors_in(made)), (args, kwargs))
        return result

    def sees(self, name: str, made: Sequence[Made], given: object) -> None:
        """An operation of torch or numpy has made something of what it was given."""
        if not made or not self.book.whole:
            return
        spot = spot_now(self.is_own)
        if not spot.lines:  # not called by the code that is to be shown
            self.book.whole = False
            return
        self._watches_arrays = self._watches_arrays or isinstance(made[0], Watched)
        # What takes no more than a shape from a tensor is not made from its entries.
        sources: list[Made] = []
        if name not in SHAPED_ALIKE:
            sources = [*tensors_in(given), *(watched_in(given) if self._watches_arrays else ())]
        if name == "__get__" and self._roots and _is_gradient(made[0], given):
            # A gradient is what its root makes it, whatever line reads it.
            sources, spot = [*self._roots], self._as_root(spot)
        kind = CHOSEN if name in CHOOSING else RESHAPED if name in RESHAPING else COMPUTED
        if self._is_unsure(sources, given):
            kind = UNSURE
        for number, each in enumerate(made):
            written = any(each is source for source in sources)
            (self.book.retake if written else self.book.take)(each, spot.at(number), sources, kind)

    def is_given(self, tensor: Tensor, spot: OperationSpot) -> Tensor:
        """An argument that holds this tensor."""
        self.book.take(tensor, spot)
        return tensor

    def is_same(self, other: Tensor, tensor: Tensor) -> None:
        """What another tensor has now is what this one has."""
        self.book.is_same(other, tensor)

    def _is_unsure(self, sources: Sequence[Made], given: object) -> bool:
        """Whether numbers of which it is not known what they are made from may have gone into it."""
        if self._has_arrays and _has_numbers(given, np.ndarray):
            return True
        return self.book.left and (
            not sources or _has_numbers(given, float | complex | np.ndarray | np.generic)
        )

    def leaves(self) -> None:
        """Numbers go where what is made from them is not seen."""
        self.book.left = True

    def follows(self, call: Callable[[], object]) -> object:
        """What a call gives that takes numbers out of torch, and is seen."""
        left = self.book.left
        result = call()
        self.book.left = left
        return result

    def _as_root(self, spot: OperationSpot) -> OperationSpot:
        line = self.book.line_of(self._roots[0])
        return spot._replace(lines=(line,), site=()) if line else spot


def _is_gradient(made: Made, given: object) -> bool:
    """Whether it is the gradient of the first thing that an operation was given."""
    match given:
        case ((Tensor() as tensor, *_), *_):
            return made is tensor.grad
    return False


def take_notes(function: Callable[..., object], arguments: Sequence[object], noting: Noting) -> Notes:
    """Call the function; an exception ends the notes where it was raised."""
    for position, argument in enumerate(arguments):
        for tensor in tensors_in(argument):
            noting.is_given(tensor, OperationSpot((ARGUMENT, position)))
    try:
        with noting, in_numpy(noting):
            function(*arguments)
    except Exception as error:
        return replace(noting.book.notes(), stop=stop_of(error, noting.is_own))
    return noting.book.notes()


def stop_of(error: Exception, is_own: Callable[[str], bool]) -> Stop | None:
    """The innermost line of the code that is to be shown, and the tensors that have a name there."""
    own = [(f, line) for f, line in traceback.walk_tb(error.__traceback__) if is_own(f.f_code.co_filename)]
    if not own:
        return None
    frame, line = own[-1]
    named = {name: value for name, value in frame.f_locals.items() if isinstance(value, Tensor | np.ndarray)}
    return Stop(line, {name: tuple(map(int, value.shape)) for name, value in named.items()})
