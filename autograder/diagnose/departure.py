"""Notes of a wrong call beside the reference's: the first line whose result a right solution does not have.

What a wrong result is made from is followed back to tensors that a right solution has as well. Where all in
between is the work of one line, that line is named. Where several lines are in between, one is named only if
the reference, given this line's tensors in the place of its own, answers just what the student's function
answered, or has what the student has up to one other line. Everything else gets no sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

import numpy as np

from autograder.calls.noting import Note, Notes, Values
from autograder.diagnose.alike import arrangements, close, is_plain, same
from autograder.diagnose.intermediates import Right
from autograder.diagnose.known import before, rounds, stacked

MOST_TRIES = 60  # calls of the reference
LEAST_NUMBERS = 3  # different wrong numbers that an explanation must account for


@dataclass(frozen=True)
class Departure:
    """The line where it departs, and the last one before it with a right result (0: there is none).

    `twin` is an earlier line with the very same result, where a right solution has that result only once.
    `beside` are its tensors and those of the reference in their place, one pair for each round of a loop.
    `returns` says that a right tensor is returned, and not the one that is asked for.
    """

    line: int
    after: int = 0
    twin: int = 0
    beside: tuple[tuple[Values, Values], ...] = field(default=(), compare=False)
    returns: bool = False

    @property
    def parting(self) -> int:
        """The round in which the tensors first differ."""
        return next((n for n, (mine, right) in enumerate(self.beside) if not close(mine, right)), 0)


def find_departure(
    notes: Notes, right: Right, outputs: Sequence[Values], statement: Callable[[int], int], ends: int = 0
) -> Departure | None:
    """`outputs` are what the student's function returned; `statement` tells where a line's one begins.

    `ends` is the line of its return, if there is one only.
    """
    if not notes.whole or len(outputs) != len(right.outputs):
        return None
    return _Search(notes, right, outputs, statement, ends).find()


def count_different(tensors: Sequence[Values]) -> int:
    """How many different numbers there are that are not plain."""
    found: set[str] = set()
    for values in tensors:
        plain = values.reshape(-1)
        plain = plain[np.isfinite(plain) & (plain != 0) & (np.abs(plain) != 1)]
        found |= {f"{value:.4g}" for value in plain[:64]}
    return len(found)


def _unlike(series: Sequence[Values]) -> list[Values]:
    """Each value once, as an outer loop would have it."""
    seen = {values.tobytes(): values for values in reversed(series)}
    return [values for values in series if seen.pop(values.tobytes(), None) is not None]


@dataclass(frozen=True, eq=False)
class View:
    """A student's notes as one reference sees them: which are those of a right solution."""

    notes: Sequence[Note]
    right: Right

    @cached_property
    def series(self) -> dict[int, list[int]]:
        return rounds(self.notes)

    @cached_property
    def fine(self) -> list[bool]:
        """Which notes are those of a right solution, or tell nothing."""
        has = self.right.known.has
        fine = [note.line == 0 or is_plain(note.values) or has(note.values) for note in self.notes]
        for position, note in enumerate(self.notes):
            if not fine[position] and self.is_constant[position]:
                fine[position] = bool((note.values == np.round(note.values)).all())
        for positions in self.series.values():
            if not all(fine[p] for p in positions) and self._fine_together(positions, fine):
                for position in positions:
                    fine[position] = True
        return fine

    @cached_property
    def sound(self) -> list[bool]:
        """Which notes are fine, or become fine: a right result that is made from all of one vouches for it."""
        sound = list(self.fine)
        for position in range(len(self.notes) - 1, -1, -1):
            note = self.notes[position]
            if sound[position] and not note.chosen and not is_plain(note.values):
                for source in note.sources:
                    sound[source] = True
        return sound

    @cached_property
    def is_constant(self) -> list[bool]:
        """Which notes are made without the arguments; none counts where no argument is a tensor."""
        given = any(note.line == 0 for note in self.notes)
        found: list[bool] = []
        for note in self.notes:
            found.append(given and note.line > 0 and all(found[source] for source in note.sources))
        return found

    def _fine_together(self, positions: Sequence[int], fine: Sequence[bool]) -> bool:
        """Whether the rounds of a loop make up a right tensor together, or fill one."""
        values = [self.notes[p].values for p in positions]
        lasts = self.lasts(positions)
        if lasts and all(fine[p] for p in lasts):
            return True
        wholes = [stacked(values), stacked(_unlike(values))]
        if lasts:
            wholes.append(stacked([self.notes[p].values for p in lasts]))
        return any(whole is not None and self.right.known.has(whole) for whole in wholes)

    def lasts(self, positions: Sequence[int]) -> list[int]:
        """The last states of what rounds add to; none of what does not grow."""
        notes = self.notes
        grows = [self._is_made_from(b, a) for a, b in pairwise(positions)]
        if not any(grows):
            return []
        return [a for a, on in zip(positions, [*grows, False], strict=True) if not on]

    def _is_made_from(self, later: int, earlier: int) -> bool:
        """Whether the earlier note is among what the later is made from, one or two steps back."""
        sources = self.notes[later].sources
        return earlier in sources or any(earlier in self.notes[p].sources for p in sources)

    def behind(self, position: int) -> set[int]:
        """What is not sound among what a note is made from, itself included."""
        found: set[int] = set()
        left = [position]
        while left:
            here = left.pop()
            if here not in found and not self.sound[here]:
                found.add(here)
                left += self.notes[here].sources
        return found


@dataclass(eq=False)
class _Search:
    taken: Notes
    right: Right
    outputs: Sequence[Values]
    statement: Callable[[int], int]
    ends: int
    _tries: int = field(default=0)
    _beside: tuple[tuple[Values, Values], ...] = ()  # of the last explanation

    @cached_property
    def notes(self) -> tuple[Note, ...]:
        return self.taken.notes

    @cached_property
    def view(self) -> View:
        return View(self.notes, self.right)

    def find(self) -> Departure | None:
        for position, twin in self._twins():
            if self._explains(position):
                return Departure(self._lines[position], twin=self._lines[twin], beside=self._beside)
        wrong = [n for n, (a, b) in enumerate(zip(self.outputs, self.right.outputs, strict=True)) if not close(a, b)]
        if not wrong or any(self._made[n] is None for n in wrong):
            return None
        slices = [self.view.behind(self._made[n] or 0) for n in wrong]
        certain = {next(iter(lines)) for part in slices if len(lines := self._lines_of(part)) == 1}
        union = set().union(*slices)
        for line in self._in_order(union):
            sites = self._sites(line, union)
            if line in certain or any(self._explains(site) or self._is_first(site) for site in sites):
                if min(sites) >= self.taken.unsure:
                    return None
                return Departure(line, self._last_right(sites[0], line), beside=self._beside)
        if not union:
            return self._misplaced(wrong)
        return None

    def _misplaced(self, wrong: Sequence[int]) -> Departure | None:
        """Right tensors are returned, and not those that are asked for."""
        for number in wrong:
            made = self._made[number] or 0
            if same(self.outputs[number], self.right.outputs[number]) and self._lines[made]:
                return Departure(self._lines[made], returns=True)
        return Departure(self.ends, returns=True) if self.ends else None

    @cached_property
    def _made(self) -> list[int | None]:
        """The note of each output."""
        found: list[int | None] = []
        for output in self.outputs:
            same_as = [p for p, note in enumerate(self.notes) if note.values.shape == output.shape and close(note.values, output)]
            found.append(same_as[-1] if same_as else None)
        return found

    def _lines_of(self, positions: set[int]) -> set[int]:
        return {self._lines[p] for p in positions}

    def _in_order(self, positions: set[int]) -> list[int]:
        """Their lines, in the order in which they ran."""
        return list(dict.fromkeys(self._lines[p] for p in sorted(positions)))

    def _sites(self, line: int, among: set[int]) -> list[int]:
        """The first wrong note of each operation of a line, the last operation first."""
        places: dict[int, int] = {}
        for position in sorted(among):
            if self._lines[position] == line:
                places.setdefault(self.notes[position].place, position)
        return list(reversed(places.values()))

    def _twins(self) -> Iterator[tuple[int, int]]:
        """Two lines that make the same right tensor out of the arguments, each for itself."""
        notes, seen = self.notes, dict[bytes, int]()
        for position, note in enumerate(notes[: self.taken.unsure]):
            made = note.line > 0 and note.sources and all(notes[p].line == 0 for p in note.sources)
            if not made or len(self.view.series[note.place]) > 1 or is_plain(note.values):
                continue
            first = seen.setdefault(note.values.tobytes(), position)
            if self._lines[first] != self._lines[position] and len(note.sources) > 1:
                yield position, first

    @cached_property
    def _lines(self) -> list[int]:
        """The line of each note: the innermost, unless that line is right when it is called from elsewhere."""
        callers: dict[int, set[tuple[int, ...]]] = {}
        for note, sound in zip(self.notes, self.view.sound, strict=True):
            if sound and note.line and not is_plain(note.values):
                callers.setdefault(note.line, set()).add(note.calls)
        return [self._line(note, callers) for note in self.notes]

    def _line(self, note: Note, callers: dict[int, set[tuple[int, ...]]]) -> int:
        line, calls = note.line, note.calls
        while calls and callers.get(line, set()) - {calls}:
            line, calls = calls[0], calls[1:]
        return self.statement(line) if line else 0

    # ---------------------------------------------------------------- what would follow from it

    def _explains(self, position: int) -> bool:
        """Whether the reference answers what the student did, given the student's tensors of an operation."""
        if count_different(self.outputs) < LEAST_NUMBERS:
            return False
        return any(self._as_returned(found.outputs) for found in self._exchanges(position))

    def _is_first(self, position: int) -> bool:
        """Whether, given the student's tensors of an operation, the reference departs at one other line."""
        for found in self._exchanges(position):
            view = View(self.notes, found)
            gained = [
                note.values
                for p, note in enumerate(self.notes)
                if view.fine[p] and not self.view.sound[p] and p > position
            ]
            if count_different(gained) < LEAST_NUMBERS:
                continue
            left: set[int] = set()
            for made, mine, theirs in zip(self._made, self.outputs, found.outputs, strict=True):
                if not close(mine, theirs) and made is not None:
                    left |= view.behind(made)
            if len(self._lines_of(left) - {self._lines[position]}) <= 1:
                return True
        return False

    def _exchanges(self, position: int) -> Iterator[Right]:
        """The reference with the student's tensors of an operation, in each place where they could stand."""
        series = self.view.series[self.notes[position].place]
        for place, others in self._roles(series):
            self._tries += 1
            if self._tries > MOST_TRIES:
                return
            found = self.right.exchanged(place, others)
            if found is not None:
                theirs = [note.values for note in self.right.notes.notes if note.place == place]
                self._beside = tuple(zip(others, theirs, strict=False))
                yield found
                self._beside = ()

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
        mine = [note.values for note in self.notes if note.line]
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
        values = [self.notes[p].values for p in series]
        shapes = [want.shape for want in wanted]
        if len(values) == len(wanted):
            ways = [list(arrangements(v, shape)) for v, shape in zip(values, shapes, strict=True)]
            if len({len(way) for way in ways}) == 1 and ways[0]:
                yield from (list(way) for way in zip(*ways, strict=True))
            if [v.shape for v in values] != shapes:
                yield values
        lasts = [self.notes[p].values for p in self.view.lasts(series)]
        filled = lasts[0] if len(lasts) == 1 else stacked(lasts) if lasts else None
        if len(wanted) == 1:
            for whole in (stacked(values), filled):
                if whole is not None:
                    yield from ([arranged] for arranged in arrangements(whole, shapes[0]))
        elif len(set(shapes)) == 1 and (len(values) == 1 or filled is not None):
            whole = values[-1]
            for arranged in arrangements(whole, (len(wanted), *shapes[0])):
                yield list(arranged)

    # ---------------------------------------------------------------- what comes before

    def _last_right(self, position: int, line: int) -> int:
        """The last line before it that it builds on, if all results up to there are right."""
        if any(not sound for sound, each in zip(self.view.sound, self._lines, strict=True) if 0 < each < line):
            return 0
        earlier = before(self.notes, position)
        lines = [self._lines[p] for p in earlier if self.view.fine[p] and not self.view.is_constant[p]]
        return max((each for each in lines if each < line), default=0)
