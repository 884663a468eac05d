"""One call of a function becomes notes of its intermediate tensors: where each was made, and its values.

It runs beside a student's code, and for the reference alike, so it needs torch alone.
"""

from __future__ import annotations

import json
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import CodeType, FrameType
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode

MOST_NOTES = 800
MOST_NUMBERS = 100_000
MOST_SOURCES = 64  # tensors that one is made from
MOST_NAMES = 64  # of the variables beside a line
MOST_AXES = 16
MOST_CALLS = 8  # of functions in each other
# Where numbers leave torch: what is made from them later is not seen.
EXITS = frozenset(
    {"item", "tolist", "numpy", "__array__", "__float__", "__complex__", "__int__", "__index__"}
)
UNFILLED = frozenset({"empty", "empty_like", "new_empty"})
COMPUTED, CHOSEN, RESHAPED, UNSURE = range(
    4
)  # what an operation does with entries; or it is not known of which
RESHAPING = frozenset({"reshape", "view", "flatten", "unflatten", "reshape_as", "view_as", "ravel"})
SHAPED_ALIKE = frozenset(
    {f"{kind}_like" for kind in ("zeros", "ones", "empty", "full", "rand", "randn")}
    | {f"new_{kind}" for kind in ("zeros", "ones", "empty", "full")}
)
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

Place = tuple[Any, ...]  # an operation in the code: the same one in every round of a loop
Values = np.ndarray[Any, np.dtype[np.float64]]


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


def tensors_in(value: Any, depth: int = 3) -> Iterator[Tensor]:
    """The tensors in an argument or a result, also in lists and tuples."""
    if isinstance(value, Tensor):
        yield value
    elif depth and isinstance(value, list | tuple):
        for each in value:
            yield from tensors_in(each, depth - 1)
    elif depth and isinstance(value, dict):
        yield from tensors_in(list(value.values()), depth - 1)


def _has_numbers(value: Any, depth: int = 3) -> bool:
    """Whether a number that is not whole, or numpy's, is in an argument."""
    if isinstance(value, float | complex | np.ndarray | np.generic):
        return True
    if isinstance(value, list | tuple | dict):
        within = value.values() if isinstance(value, dict) else value
        return depth == 0 or any(_has_numbers(each, depth - 1) for each in within)
    return False


class OperationSpot(NamedTuple):
    """Where an operation stands: its place, the lines that lead to it, the innermost first, and its calls.

    `step` is the operation in the innermost function alone, the same from wherever that is called.
    """

    place: Place
    lines: tuple[int, ...] = (0,)
    site: Place = ()
    step: Place = ()

    def at(self, *more: Any) -> OperationSpot:
        """One of several results or steps of the operation."""
        return self._replace(place=(*self.place, *more), step=(*self.step, *more))


def spot_now(is_own: Callable[[str], bool], up_to: CodeType | None = None) -> OperationSpot:
    """The operation that runs now; without lines where it is not called by code that is to be shown.

    What called the code `up_to` is not looked at.
    """
    frame: FrameType | None = sys._getframe(2)
    passed: list[tuple[Any, int]] = []
    first, place, lines, calls = 0, 0, list[int](), list[tuple[Any, int]]()
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


@dataclass
class Notebook:
    """Notes as they are taken, up to so many and so many numbers in them."""

    most: int = MOST_NOTES
    room: int = MOST_NUMBERS
    taken: list[Note] = field(default_factory=list)
    whole: bool = True
    left: bool = False  # whether numbers have left torch
    _places: dict[Place, int] = field(default_factory=dict)
    _of: dict[int, tuple[Tensor, int]] = field(default_factory=dict)  # by identity, which it keeps alive
    _sites: dict[Place, int] = field(default_factory=dict)
    _steps: dict[Place, int] = field(default_factory=dict)
    _numbers: int = 0

    def take(
        self, tensor: Tensor, spot: OperationSpot, sources: Sequence[Tensor] = (), kind: int = COMPUTED
    ) -> None:
        """Note a tensor, unless it is one of the sources as it was."""
        if not self.whole or tensor.is_complex() or tensor.layout is not torch.strided:
            self.whole = False
            return
        values = tensor.detach().to(torch.float64, copy=True).numpy()
        known = self._of.get(id(tensor))
        if known is not None and np.array_equal(self.taken[known[1]].values, values, equal_nan=True):
            return
        self._numbers += values.size
        if len(self.taken) >= self.most or self._numbers > self.room:
            self.whole = False
            return
        place = self._places.setdefault(spot.place, len(self._places))
        site = self._sites.setdefault(spot.site, len(self._sites))
        step = self._steps.setdefault(spot.step, len(self._steps))
        found = {self._of[id(source)][1] for source in sources if id(source) in self._of}
        line, *calls = spot.lines
        made_from = tuple(sorted(found))[:MOST_SOURCES]
        self.taken.append(Note(place, line, values, made_from, tuple(calls), site, step, kind))
        self._of[id(tensor)] = (tensor, len(self.taken) - 1)

    def retake(
        self, tensor: Tensor, spot: OperationSpot, sources: Sequence[Tensor], kind: int = COMPUTED
    ) -> None:
        """A tensor was written to: note it, and all that share its memory."""
        self.take(tensor, spot, sources, kind)
        memory = tensor.untyped_storage().data_ptr()
        for other, _ in list(self._of.values()):
            if other is not tensor and other.untyped_storage().data_ptr() == memory:
                self.take(other, spot.at("shared", other.shape), (other, tensor), CHOSEN)

    def line_of(self, tensor: Tensor) -> int:
        """The line that made a tensor; 0 where it is not known."""
        known = self._of.get(id(tensor))
        return self.taken[known[1]].line if known else 0

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

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        name = getattr(func, "__name__", "")
        result = func(*args, **(kwargs or {}))
        if name in UNFILLED:
            result.zero_()  # what lies in memory by chance is not to be compared
        if name in EXITS and isinstance(args[0], Tensor) and args[0].is_floating_point():
            self.book.left = True
        if name == "backward":
            self._roots = list(tensors_in(args[0]))
        made = [args[0]] if name == "__setitem__" else list(tensors_in(result))
        if made and self.book.whole:
            spot = spot_now(self.is_own)
            if not spot.lines:  # not called by the code that is to be shown
                self.book.whole = False
                return result
            # What takes no more than a shape from a tensor is not made from its entries.
            sources = [] if name in SHAPED_ALIKE else list(tensors_in([args, kwargs]))
            if name == "__get__" and self._roots and result is args[0].grad:
                # A gradient is what its root makes it, whatever line reads it.
                sources, spot = self._roots, self._as_root(spot)
            kind = CHOSEN if name in CHOOSING else RESHAPED if name in RESHAPING else COMPUTED
            if self.book.left and (not sources or _has_numbers([args, kwargs])):
                kind = UNSURE
            for number, tensor in enumerate(made):
                written = any(tensor is source for source in sources)
                (self.book.retake if written else self.book.take)(tensor, spot.at(number), sources, kind)
        return result

    def _as_root(self, spot: OperationSpot) -> OperationSpot:
        line = self.book.line_of(self._roots[0])
        return spot._replace(lines=(line,), site=()) if line else spot


def take_notes(function: Callable[..., Any], arguments: Sequence[Any], noting: Noting) -> Notes:
    """Call the function; an exception ends the notes where it was raised."""
    for position, argument in enumerate(arguments):
        for tensor in tensors_in(argument):
            noting.book.take(tensor, OperationSpot(("argument", position)))
    try:
        with noting:
            function(*arguments)
    except Exception as error:
        return replace(noting.book.notes(), stop=_stop(error, noting.is_own))
    return noting.book.notes()


def _stop(error: Exception, is_own: Callable[[str], bool]) -> Stop | None:
    """The innermost line of the code that is to be shown, and the tensors that have a name there."""
    own = [(f, line) for f, line in traceback.walk_tb(error.__traceback__) if is_own(f.f_code.co_filename)]
    if not own:
        return None
    frame, line = own[-1]
    named = {name: value for name, value in frame.f_locals.items() if isinstance(value, Tensor | np.ndarray)}
    return Stop(line, {name: tuple(map(int, value.shape)) for name, value in named.items()})


# ---------------------------------------------------------------- as two tensors and a text, for the wire


def pack_notes(notes: Notes) -> tuple[Tensor, Tensor, str]:
    """Whole numbers that tell of each note, all the values in a row, and where it stopped."""
    numbers = [int(notes.whole), len(notes.notes)]
    for note in notes.notes:
        numbers += [note.place, note.line, note.values.ndim, *note.values.shape]
        numbers += [
            len(note.sources),
            *note.sources,
            len(note.calls),
            *note.calls,
            note.site,
            note.step,
            note.kind,
        ]
    rows = [note.values.reshape(-1) for note in notes.notes]
    stop = json.dumps([notes.stop.line, notes.stop.shapes]) if notes.stop else ""
    return torch.tensor(numbers), torch.from_numpy(np.concatenate([np.zeros(0), *rows])), stop


def read_notes(numbers: Any, values: Any, stop: Any) -> Notes | None:
    """The notes of a process that is not trusted; None where they are no notes."""
    try:
        return replace(_read(numbers, values), stop=_read_stop(stop))
    except (IndexError, ValueError, TypeError, AttributeError, RecursionError):
        return None


def _read_stop(text: str) -> Stop | None:
    if not text:
        return None
    line, shapes = json.loads(text)
    if len(shapes) > MOST_NAMES or not all(name.isidentifier() for name in shapes):
        raise ValueError("these are no names of variables")
    if any(len(shape) > MOST_AXES for shape in shapes.values()):
        raise ValueError("a tensor has too many axes")
    return Stop(
        _bounded(line, 1 << 20),
        {name: tuple(_bounded(length, 1 << 40) for length in shape) for name, shape in shapes.items()},
    )


def _read(numbers: Tensor, values: Tensor) -> Notes:
    if numbers.dtype != torch.int64 or values.dtype != torch.float64 or numbers.ndim != 1 or values.ndim != 1:
        raise ValueError("the notes are of another kind")
    if len(numbers) > MOST_NOTES * (MOST_SOURCES + MOST_CALLS + 40) or len(values) > MOST_NUMBERS:
        raise ValueError("there are too many notes")
    said, flat = iter(numbers.tolist()), values.numpy()
    whole, count = (_bounded(next(said, -1), MOST_NOTES) for _ in range(2))
    notes, start = [], 0
    for position in range(count):
        place, line = _bounded(next(said, -1), MOST_NOTES), _bounded(next(said, -1), 1 << 20)
        shape = [_bounded(next(said, -1), MOST_NUMBERS) for _ in range(_bounded(next(said, -1), 32))]
        sources = tuple(
            _bounded(next(said, -1), position - 1) for _ in range(_bounded(next(said, -1), MOST_SOURCES))
        )
        calls = tuple(_bounded(next(said, -1), 1 << 20) for _ in range(_bounded(next(said, -1), MOST_CALLS)))
        site, step = (_bounded(next(said, -1), MOST_NOTES) for _ in range(2))
        kind = _bounded(next(said, -1), UNSURE)
        size = 1
        for length in shape:
            size = _bounded(size * length, MOST_NUMBERS)
        if start + size > len(flat):
            raise ValueError("there are too few values")
        notes.append(
            Note(place, line, flat[start : start + size].reshape(shape), sources, calls, site, step, kind)
        )
        start += size
    return Notes(tuple(notes), bool(whole))


def _bounded(number: int, most: int) -> int:
    if type(number) is not int or not 0 <= number <= most:
        raise ValueError("a number in the notes is out of bounds")
    return number
