"""Where in a reference a student's tensors could stand: which of its operations they may be meant for."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from autograder.calls.note_tensors import Note, Values
from autograder.diagnose.rearranged import arrangements, close, is_plain, same
from autograder.diagnose.reference_tensors import before, stacked
from autograder.diagnose.right_steps import View
from autograder.diagnose.right_way import RightWay

MOST_ROLES = 30  # that are tried for one operation

Role = tuple[int, list[Values]]  # a place of the reference, and the student's tensors in its shapes


@dataclass(frozen=True, eq=False)
class Roles:
    """What a student's tensors may be meant for."""

    notes: Sequence[Note]
    right: RightWay
    view: View
    _found: dict[tuple[int, ...], Iterator[Role]] = field(default_factory=dict)
    _played: dict[int, bool] = field(default_factory=dict)

    def of(
        self, series: Sequence[int], *, anywhere: bool = True, reaching: Set[int] = frozenset()
    ) -> Iterator[Role]:
        """Where in the reference the student's tensors could stand; not for a result, unless `anywhere`.

        Of each place all the results numbered in `reaching` may be made.

        First come tensors that are made from the same as the student's, then those that the student lacks.
        """
        found = (
            (place, others)
            for place, others in self.all_of(series)
            if (anywhere or place not in self.right.results) and reaching <= self.right.reaches(place)
        )
        return itertools.islice(found, MOST_ROLES)

    def all_of(self, series: Sequence[int]) -> Iterator[Role]:
        """All of them, each found once, and only when it is asked for."""
        key = tuple(series)
        self._found[key], asked = itertools.tee(self._found[key] if key in self._found else self._find(key))
        return asked

    def _find(self, series: Sequence[int]) -> Iterator[Role]:
        notes, found = self.right.notes.notes, list[tuple[int, int, int, list[Values]]]()
        made_from, ours = self.near(series[0]), self._argument_of(series)
        ways: dict[tuple[tuple[int, ...], ...], list[list[Values]]] = {}
        for place, theirs in self.right.rounds.items():
            wanted = [notes[p].values for p in theirs]
            if notes[theirs[0]].line == 0 and place not in ours:
                continue
            if notes[theirs[0]].line and place in self.right.given:
                continue
            shapes = tuple(want.shape for want in wanted)
            if shapes not in ways:
                ways[shapes] = list(self._instead(series, shapes))
            for number, others in enumerate(ways[shapes]):
                if not all(close(mine, want) for mine, want in zip(others, wanted, strict=True)):
                    alike = len(made_from & self.right.near.get(place, set()))
                    found.append((-alike, number, place, others))
        found.sort(key=lambda each: each[0])
        for _, alike_ones in itertools.groupby(found, key=lambda each: each[0]):
            for *_, place, others in sorted(alike_ones, key=lambda each: (self._is_played(each[2]), each[1])):
                yield place, others

    def _argument_of(self, series: Sequence[int]) -> set[int]:
        """The place of the one argument that a tensor is made from, if there is but one."""
        behind = set().union(*(before(self.notes, p) for p in series)) - set(series)
        given = {p for p in behind if self.notes[p].line == 0}
        line = self.notes[series[0]].line
        if len(given) != 1 or not all(self.view.fine[p] or self.notes[p].line == line for p in behind):
            return set()
        name = self.notes[min(given)].values
        return {
            place
            for place, rows in self.right.rounds.items()
            if self.right.notes.notes[rows[0]].line == 0
            and np.array_equal(self.right.notes.notes[rows[0]].values, name)
        }

    def near(self, position: int) -> set[int]:
        """The places of the reference that have what a note is made from, up to two steps back."""
        notes = self.notes
        sources = {p for source in notes[position].sources for p in (source, *notes[source].sources)}
        return {place for p in sources if self.view.fine[p] for place in self.view.places(p)}

    def _is_played(self, place: int) -> bool:
        """Whether the student has the tensors of a place of the reference."""
        if place not in self._played:
            theirs = self.right.notes.notes[self.right.rounds[place][-1]].values
            self._played[place] = any(same(theirs, mine) for mine in self._mine.get(theirs.size, ()))
        return self._played[place]

    @cached_property
    def _mine(self) -> dict[int, list[Values]]:
        """The student's tensors by their size, also those of a loop as one."""
        series = [[self.notes[p].values for p in each] for each in self.view.series.values()]
        found: dict[int, list[Values]] = {}
        for values in itertools.chain((rows[-1] for rows in series), map(stacked, series)):
            if values is not None and not is_plain(values):
                found.setdefault(values.size, []).append(values)
        return found

    def _instead(self, series: Sequence[int], shapes: Sequence[tuple[int, ...]]) -> Iterator[list[Values]]:
        """The student's tensors of one operation, in shapes in which they can stand for the reference's."""
        values = [self.notes[p].values for p in series]
        if len(values) == len(shapes):
            ways = [list(arrangements(v, shape)) for v, shape in zip(values, shapes, strict=True)]
            if len({len(way) for way in ways}) == 1 and ways[0]:
                yield from (list(way) for way in zip(*ways, strict=True))
            if any(v.shape != shape for v, shape in zip(values, shapes, strict=True)):
                yield values
        lasts = [self.notes[p].values for p in self.view.lasts(series)]
        filled = lasts[0] if len(lasts) == 1 else stacked(lasts) if lasts else None
        if len(shapes) == 1:
            for whole in (stacked(values), filled):
                if whole is not None:
                    yield from ([arranged] for arranged in arrangements(whole, shapes[0]))
        elif len(set(shapes)) == 1 and (len(values) == 1 or filled is not None):
            whole = values[-1]
            for arranged in arrangements(whole, (len(shapes), *shapes[0])):
                yield list(arranged)
