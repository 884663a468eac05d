"""A student's notes as one reference sees them: which are those of a right solution, or lead to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

import numpy as np

from autograder.calls.note_tensors import CHOSEN, Note, Values
from autograder.diagnose.rearranged import is_plain
from autograder.diagnose.reference_tensors import rounds, stacked
from autograder.diagnose.right_way import RightWay


def _unlike(series: Sequence[Values]) -> list[Values]:
    """Each value once, as an outer loop would have it."""
    seen = {values.tobytes(): values for values in reversed(series)}
    return [values for values in series if seen.pop(values.tobytes(), None) is not None]


@dataclass(frozen=True, eq=False)
class View:
    """A student's notes as one reference sees them: which are those of a right solution."""

    notes: Sequence[Note]
    right: RightWay
    wrong: frozenset[int] = frozenset()  # results that are not right
    _places: dict[int, set[int]] = field(default_factory=dict)

    @cached_property
    def series(self) -> dict[int, list[int]]:
        return rounds(self.notes)

    def places(self, position: int) -> set[int]:
        """The places of the right solution that have the values of a note."""
        if position not in self._places:
            self._places[position] = self.right.known.find(self.notes[position].values)
        return self._places[position]

    @cached_property
    def fine(self) -> list[bool]:
        """Which notes are those of a right solution, or tell nothing."""
        has = self.right.known.has
        fine = [note.line == 0 or is_plain(note.values) or has(note.values) for note in self.notes]
        for position, note in enumerate(self.notes):
            if not fine[position] and (self.is_constant[position] or not note.sources):
                fine[position] = bool((note.values == np.round(note.values)).all())
        for positions in self.series.values():
            if not all(fine[p] for p in positions) and self._fine_together(positions, fine):
                for position in positions:
                    fine[position] = True
        return fine

    @cached_property
    def sound(self) -> list[bool]:
        """Which notes are fine, or vouched for by a right result that is made from all of their entries."""
        sound = list(self.fine)
        for position in range(len(self.notes) - 1, -1, -1):
            note = self.notes[position]
            if sound[position] and note.kind != CHOSEN and not is_plain(note.values):
                for source in note.sources:
                    sound[source] |= source not in self.wrong
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
