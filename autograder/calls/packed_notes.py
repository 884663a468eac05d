"""Notes of a call become two tensors and a text, as they go through a pipe, and notes again."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import torch
from torch import Tensor

from autograder.calls.note_tensors import (
    MOST_CALLS,
    MOST_NOTES,
    MOST_NUMBERS,
    MOST_SOURCES,
    UNSURE,
    Note,
    Notes,
    Stop,
)

MOST_NAMES = 64  # of the variables beside a line
MOST_AXES = 16


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


def read_notes(numbers: object, values: object, stop: object) -> Notes | None:
    """The notes of a process that is not trusted; None where they are no notes."""
    if not isinstance(numbers, Tensor) or not isinstance(values, Tensor) or not isinstance(stop, str):
        return None
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
