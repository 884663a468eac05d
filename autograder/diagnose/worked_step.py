"""The step at which a function departs, on a small case: the student's tensor and the right one, if sure."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from autograder.calls.note_tensors import Note, Notes, Place, Values
from autograder.diagnose.cell_statements import StatementLines, quote_line
from autograder.diagnose.departure import Departure
from autograder.diagnose.intermediates import Right
from autograder.diagnose.pick_smallest_case import write
from autograder.diagnose.rearranged import close

MOST_SHOWN = 12  # numbers of a tensor in a sentence


def work_out(
    found: Departure,
    place: Place,
    notes: Notes,
    right: Right,
    outputs: Sequence[Values],
    layout: StatementLines,
    source: str,
) -> str:
    """What the line gives on the small case and what belongs there; empty unless that explains the result.

    `place` is the operation of the reference for which the line stands.
    """
    number = next((number for number, each in right.places.items() if each == place), -1)
    rounds = right.rounds.get(number, [])
    if len(rounds) != 1:
        return ""
    wanted = right.notes.notes[rounds[0]].values
    for note in reversed(notes.notes):
        mine = _as_it_is(note, wanted)
        if layout.start(note.line) != found.line or mine is None or close(mine, wanted):
            continue
        given, due, made_of = _written(mine), _written(wanted), _made_of(note, notes)
        if given in (due, made_of):  # it changes nothing, or is right as far as these digits go
            continue
        answer = right.answer({number: [mine]})
        if answer is not None and len(answer) == len(outputs) and all(map(close, answer, outputs)):
            made = f"gives {given}{f' from {made_of}' if made_of else ''}"
            return f"{quote_line(source, found.line)}, {made}; a right solution has {due} there"
    return ""


def _as_it_is(note: Note, wanted: Values) -> Values | None:
    """A tensor in the shape of another, if they differ in axes of length 1 alone."""
    own, theirs = ([length for length in shape if length > 1] for shape in (note.values.shape, wanted.shape))
    return note.values.reshape(wanted.shape) if own == theirs and wanted.size <= MOST_SHOWN else None


def _made_of(note: Note, notes: Notes) -> str:
    """The one tensor that an operation takes, if it can be shown."""
    if len(note.sources) != 1:
        return ""
    values = notes.notes[note.sources[0]].values
    return _written(values) if values.size <= MOST_SHOWN else ""


def _written(values: Values) -> str:
    shape = [length for length in values.shape if length > 1]
    return write(torch.from_numpy(values.reshape(shape).copy()))
