"""Notes of a wrong call beside the reference's: the first line whose result a right solution does not have.

A line is named only where three things hold. What it is made from, a right solution has as well. The
reference, given this line's tensors in the place of its own, answers just what the student's function
answered: so the slip is in this line, and what follows is right. And nothing that is made from it is a right
solution's again. Everything else gets no sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

import numpy as np

from autograder.calls.noting import Note, Notes, Values
from autograder.diagnose.alike import arrangements, close, factor, is_plain, same
from autograder.diagnose.intermediates import Right

MOST_TRIES = 60  # calls of the reference
MOST_ROUNDS = 64  # of a loop
LEAST_NUMBERS = 3  # different wrong numbers that an explanation must account for


@dataclass(frozen=True)
class Departure:
    """The line where it departs, and the last one before it with a right result (0: there is none).

    `twin` is an earlier line with the very same result, where a right solution has that result only once.
    `beside` are its tensors and those of the reference in their place, one pair for each round of a loop.
    """

    line: int
    after: int = 0
    twin: int = 0
    beside: tuple[tuple[Values, Values], ...] = field(default=(), compare=False)

    @property
    def parting(self) -> int:
        """The round in which the tensors first differ."""
        return next((n for n, (mine, right) in enumerate(self.beside) if not close(mine, right)), 0)


def find_departure(
    notes: Notes, right: Right, outputs: Sequence[Values], statement: Callable[[int], int]
) -> Departure | None:
    """`outputs` are what the student's function returned; `statement` tells where a line's one begins."""
    if not notes.whole or not _tell_enough(outputs):
        return None
    return _Search(notes, right, outputs, statement).find()


def _tell_enough(outputs: Sequence[Values]) -> bool:
    found: set[str] = set()
    for values in outputs:
        plain = values.reshape(-1)
        plain = plain[np.isfinite(plain) & (plain != 0) & (np.abs(plain) != 1)]
        found |= {f"{value:.4g}" for value in plain[:64]}
    return len(found) >= LEAST_NUMBERS


def rounds(notes: Sequence[Note]) -> dict[int, list[int]]:
    """The notes of each place, in order: several where it is in a loop."""
    found: dict[int, list[int]] = {}
    for position, note in enumerate(notes):
        found.setdefault(note.place, []).append(position)
    return found


def stacked(series: Sequence[Values]) -> Values | None:
    """The rounds of a loop as one tensor; None where they do not fit on each other."""
    if not 2 <= len(series) <= MOST_ROUNDS or len({values.shape for values in series}) > 1:
        return None
    return np.stack(series)


def _unlike(series: Sequence[Values]) -> list[Values]:
    """Each value once, as an outer loop would have it."""
    seen = {values.tobytes(): values for values in reversed(series)}
    return [values for values in series if seen.pop(values.tobytes(), None) is not None]


@dataclass(frozen=True, eq=False)
class Known:
    """What the reference has: every tensor, and those of its loops as one."""

    right: Right

    @cached_property
    def _all(self) -> list[tuple[int, Values]]:
        notes = self.right.notes.notes
        found = [(note.place, note.values) for note in notes]
        for place, positions in rounds(notes).items():
            whole = stacked([notes[p].values for p in positions])
            if whole is not None:
                found.append((place, whole))
        return [(place, values) for place, values in found if not is_plain(values)]

    def has(self, values: Values) -> bool:
        """Whether it is one of the reference's tensors, but for the order of axes and a factor to come."""
        return any(same(values, want) for _, want in self._all) or self._scaled(values)

    def _scaled(self, values: Values) -> bool:
        """Multiplied by a number by which the reference multiplies later on."""
        for place, want in self._all:
            later = self._later_factors.get(place)
            by = factor(values, want) if later else None
            if later and by is not None and any(abs(by / each - 1) < 1e-3 for each in later):
                return True
        return False

    @cached_property
    def _later_factors(self) -> dict[int, list[float]]:
        """For each place, the constant factors that its tensors are yet to get."""
        notes = self.right.notes.notes
        found: dict[int, list[float]] = {}
        for note in notes:
            for source in note.sources:
                by = factor(note.values, notes[source].values)
                if by is None or abs(by - 1) < 1e-3 or is_plain(notes[source].values):
                    continue
                for place in {notes[p].place for p in _before(notes, source)}:
                    found.setdefault(place, []).append(by)
        return found


def _before(notes: Sequence[Note], position: int) -> set[int]:
    """A note and all that it is made from."""
    found, left = set(), [position]
    while left:
        here = left.pop()
        if here not in found:
            found.add(here)
            left += notes[here].sources
    return found


@dataclass(eq=False)
class _Search:
    notes: Notes
    right: Right
    outputs: Sequence[Values]
    statement: Callable[[int], int]
    _tries: int = field(default=0)
    _beside: tuple[tuple[Values, Values], ...] = ()  # of the last explanation

    def find(self) -> Departure | None:
        for position, twin in self._twins():
            if self._explains(position):
                return Departure(self._lines[position], twin=self._lines[twin], beside=self._beside)
        for line in self._frontier:
            explaining = next((note for note in self._sites(line) if self._explains(note)), None)
            if explaining is None:
                continue
            if explaining >= self.notes.unsure or self._right_again(explaining):
                return None
            return Departure(line, self._last_right(explaining, line), beside=self._beside)
        return None

    def _twins(self) -> Iterator[tuple[int, int]]:
        """Two lines that make the same right tensor out of the arguments, each for itself."""
        notes, seen = self.notes.notes, dict[bytes, int]()
        for position, note in enumerate(notes[: self.notes.unsure]):
            made = note.line > 0 and note.sources and all(notes[p].line == 0 for p in note.sources)
            if not made or len(self._series[note.place]) > 1 or is_plain(note.values):
                continue
            first = seen.setdefault(note.values.tobytes(), position)
            if self._lines[first] != self._lines[position] and len(note.sources) > 1:
                yield position, first

    @cached_property
    def _known(self) -> Known:
        return Known(self.right)

    @cached_property
    def _series(self) -> dict[int, list[int]]:
        return rounds(self.notes.notes)

    @cached_property
    def _lines(self) -> list[int]:
        return [self.statement(note.line) if note.line else 0 for note in self.notes.notes]

    @cached_property
    def _fine(self) -> list[bool]:
        """Which notes are those of a right solution, or tell nothing."""
        notes = self.notes.notes
        fine = [note.line == 0 or is_plain(note.values) or self._known.has(note.values) for note in notes]
        for position, note in enumerate(notes):
            if not fine[position] and self._is_constant[position]:
                fine[position] = bool((note.values == np.round(note.values)).all())
        for positions in self._series.values():
            if not all(fine[p] for p in positions) and self._fine_together(positions):
                for position in positions:
                    fine[position] = True
        return fine

    def _fine_together(self, positions: Sequence[int]) -> bool:
        """Whether the rounds of a loop make up a right tensor together, or fill one."""
        values = [self.notes.notes[p].values for p in positions]
        wholes = [stacked(values), stacked(_unlike(values)), self._filled(positions)]
        return any(whole is not None and self._known.has(whole) for whole in wholes)

    def _filled(self, positions: Sequence[int]) -> Values | None:
        """The last state of what each round adds to."""
        notes = self.notes.notes
        grows = len(positions) > 1 and all(a in notes[b].sources for a, b in pairwise(positions))
        return notes[positions[-1]].values if grows else None

    @cached_property
    def _is_constant(self) -> list[bool]:
        """Which notes are made without the arguments; none counts where no argument is a tensor."""
        notes = self.notes.notes
        given = any(note.line == 0 for note in notes)
        found: list[bool] = []
        for note in notes:
            found.append(given and note.line > 0 and all(found[source] for source in note.sources))
        return found

    @cached_property
    def _frontier(self) -> list[int]:
        """Lines with a wrong result that is made from right ones, in the order in which they ran."""
        notes = self.notes.notes
        found: dict[int, list[int]] = {}
        inner: list[set[int]] = []  # the lines of the wrong notes that each is made from, its own included
        for position, note in enumerate(notes):
            lines: set[int] = set()
            if not self._fine[position]:
                lines = {self._lines[position]}.union(*(inner[source] for source in note.sources))
                if lines == {self._lines[position]}:
                    found.setdefault(self._lines[position], []).append(position)
            inner.append(lines)
        # What is filled bit by bit is wrong until it is full: all that goes into it counts.
        for line, positions in list(found.items()):
            grown = {p for position in positions for p in self._grown_with(position)}
            if all(self._grown_with(position) for position in positions) and any(
                inner[p] - {line} for p in grown
            ):
                del found[line]
        return sorted(found, key=lambda line: found[line][0])

    def _grown_with(self, position: int) -> Sequence[int]:
        """The rounds in which a tensor is filled or summed up; none for another tensor."""
        series = self._series[self.notes.notes[position].place]
        return series if self._filled(series) is not None else ()

    def _sites(self, line: int) -> Iterator[int]:
        """The first wrong note of each operation of a line, the last operation first."""
        places: dict[int, int] = {}
        for position, note in enumerate(self.notes.notes):
            if self._lines[position] == line and not self._fine[position]:
                places.setdefault(note.place, position)
        yield from reversed(places.values())

    # ---------------------------------------------------------------- what would follow from it

    def _explains(self, position: int) -> bool:
        """Whether the reference answers what the student did, given the student's tensors of an operation."""
        series = self._series[self.notes.notes[position].place]
        for place, others in self._roles(series):
            self._tries += 1
            if self._tries > MOST_TRIES:
                return False
            found = self.right.exchanged(place, others)
            if found is not None and self._as_returned(found):
                theirs = [note.values for note in self.right.notes.notes if note.place == place]
                self._beside = tuple(zip(others, theirs, strict=False))
                return True
        return False

    def _roles(self, series: Sequence[int]) -> list[tuple[int, list[Values]]]:
        """Where in the reference the student's tensors could stand; first where the student has no others."""
        notes, found = self.right.notes.notes, []
        for place, theirs in rounds(notes).items():
            if notes[theirs[0]].line > 0:
                wanted = [notes[p].values for p in theirs]
                for number, others in enumerate(self._instead(series, wanted)):
                    found.append((place in self._played, number, place, others))
        return [(place, others) for *_, place, others in sorted(found, key=lambda each: each[:2])]

    @cached_property
    def _played(self) -> set[int]:
        """The places of the reference whose tensors the student has."""
        mine = [note.values for note in self.notes.notes if note.line]
        return {
            place
            for place, positions in rounds(self.right.notes.notes).items()
            if any(same(values, self.right.notes.notes[positions[-1]].values) for values in mine)
        }

    def _as_returned(self, found: Sequence[Values]) -> bool:
        return len(found) == len(self.outputs) and all(
            close(mine, theirs) for mine, theirs in zip(self.outputs, found, strict=True)
        )

    def _instead(self, series: Sequence[int], wanted: Sequence[Values]) -> Iterator[list[Values]]:
        """The student's tensors of one operation, in shapes in which they can stand for the reference's."""
        values = [self.notes.notes[p].values for p in series]
        shapes = [want.shape for want in wanted]
        if len(values) == len(wanted):
            ways = [list(arrangements(v, shape)) for v, shape in zip(values, shapes, strict=True)]
            if len({len(way) for way in ways}) == 1 and ways[0]:
                yield from (list(way) for way in zip(*ways, strict=True))
            if [v.shape for v in values] != shapes:
                yield values
        filled = self._filled(series)
        if len(wanted) == 1:
            for whole in (stacked(values), filled):
                if whole is not None:
                    yield from ([arranged] for arranged in arrangements(whole, shapes[0]))
        elif len(set(shapes)) == 1 and (len(values) == 1 or filled is not None):
            whole = values[-1]
            for arranged in arrangements(whole, (len(wanted), *shapes[0])):
                yield list(arranged)

    # ---------------------------------------------------------------- what comes after and before

    def _right_again(self, position: int) -> bool:
        """Whether all that is made from it is a right solution's: then it was another way, no slip."""
        uses = [later for later, note in enumerate(self.notes.notes) if position in note.sources]
        return bool(uses) and all(self._fine[later] for later in uses)

    def _last_right(self, position: int, line: int) -> int:
        """The last line before it that it builds on, if all results up to there are right."""
        if any(not fine for fine, each in zip(self._fine, self._lines, strict=True) if 0 < each < line):
            return 0
        before = _before(self.notes.notes, position)
        lines = [self._lines[p] for p in before if self._fine[p] and not self._is_constant[p]]
        return max((each for each in lines if each < line), default=0)
