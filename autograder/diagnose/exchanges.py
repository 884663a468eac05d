"""What the reference answers, given tensors of a student in place of its own: do they explain a result?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from autograder.calls.note_tensors import Note, Values
from autograder.diagnose.places_in_reference import Roles
from autograder.diagnose.rearranged import close
from autograder.diagnose.right_steps import View
from autograder.diagnose.right_way import RightWay

LEAST_NUMBERS = 3  # different wrong numbers that an explanation must account for


def count_different(tensors: Sequence[Values]) -> int:
    """How many different numbers there are that are not plain."""
    found: set[str] = set()
    for values in tensors:
        plain = values.reshape(-1)
        plain = plain[np.isfinite(plain) & (plain != 0) & (np.abs(plain) != 1)]
        found |= {f"{value:.4g}" for value in plain[:64]}
    return len(found)


@dataclass(eq=False)
class Exchanges:
    """What has been tried for one student's notes; `beside` are the tensors of the last explanation."""

    notes: Sequence[Note]
    right: RightWay
    outputs: Sequence[Values]
    wrong: Sequence[int]  # the outputs that are not right
    view: View
    roles: Roles
    tries: list[int]  # that are left
    beside: tuple[tuple[Values, Values], ...] = ()
    place: int = -1  # of the reference, for which they stand

    def explains(self, position: int, *, anywhere: bool = True) -> bool:
        """Whether the reference answers what the student did, given the student's tensors of an operation.

        Unless `anywhere`, what stands for a result itself explains nothing.
        """
        series = self.view.series[self.notes[position].place]
        roles = self.roles.of(series, anywhere=anywhere, reaching=self.other)
        return any(self.answers_alike(place, others, position) for place, others in roles)

    def answers_alike(self, place: int, others: Sequence[Values], position: int) -> bool:
        """Whether the reference gives the student's results with other tensors in one place."""
        self.beside = ()
        if not self.other <= self.right.reaches(place):
            return False
        self.tries[0] -= 1
        answer = self.right.answer({place: others}) if self.tries[0] >= 0 else None
        if answer is None or not self.as_returned(answer):
            return False
        if count_different(self.outputs) < LEAST_NUMBERS:
            found = self.right.exchanged({place: others})
            gained = self.gained(found, position) if found else ()
            if count_different([*self.outputs, *gained]) < LEAST_NUMBERS:
                return False
        self.stand(others, self._operation(place, others))
        return True

    @cached_property
    def other(self) -> frozenset[int]:
        """The outputs that an answer with other tensors must change."""
        pairs = enumerate(zip(self.outputs, self.right.outputs, strict=False))
        return frozenset(number for number, (mine, right) in pairs if not close(mine, right))

    def _operation(self, place: int, others: Sequence[Values]) -> int:
        """The whole operation, where the tensors may as well stand for its result as for a step inside it."""
        whole = self.right.operation(place)
        if whole == place or [v.shape for v in self.theirs(whole)] != [other.shape for other in others]:
            return place
        answer = self.right.answer({whole: others})
        return whole if answer is not None and self.as_returned(answer) else place

    def stand(self, others: Sequence[Values], place: int) -> None:
        """Keep tensors for the picture, beside those that they stand for."""
        self.beside, self.place = tuple(zip(others, self.theirs(place), strict=False)), place

    def explain_together(self, sites: Sequence[int]) -> bool:
        """Whether the reference answers what the student did, given the tensors of several operations."""
        self.beside = ()
        if count_different(self.outputs) < LEAST_NUMBERS:
            return False
        ways = [self._by_result(sites)] if len(self.wrong) > 1 else []
        for instead in (self._by_origin(sites), *ways):
            if len(instead) > 1 and self.tries[0] > 0:
                self.tries[0] -= 1
                answer = self.right.answer(instead)
                if answer is not None and self.as_returned(answer):
                    return True
        return False

    def _by_origin(self, sites: Sequence[int]) -> dict[int, list[Values]]:
        """Tensors of several operations for places that are made from the same."""
        instead: dict[int, list[Values]] = {}
        for site in reversed(sites):
            made_from = self.roles.near(site)
            for place, others in self.roles.of(self.view.series[self.notes[site].place], anywhere=False):
                if place not in instead and made_from & self.right.near.get(place, set()):
                    instead[place] = others
                    break
        return instead

    def _by_result(self, sites: Sequence[int]) -> dict[int, list[Values]]:
        """The last tensors of a helper's calls for places that each explain some of the wrong results."""
        instead: dict[int, list[Values]] = {}
        left = set(self.wrong)
        for site in (each for each in sites if self.notes[each].step == self.notes[sites[0]].step):
            for place, others in self.roles.of(self.view.series[self.notes[site].place], anywhere=False):
                if place in instead or not left or self.tries[0] <= 0:
                    continue
                self.tries[0] -= 1
                answer = self.right.answer({place: others}) or ()
                explained = {n for n in left if n < len(answer) and close(self.outputs[n], answer[n])}
                if explained:
                    instead[place] = others
                    left -= explained
                    break
        return instead

    def gained(self, found: RightWay, position: int) -> list[Values]:
        """What the student has of a reference with an exchanged tensor, and not of the right one."""
        fine = View(self.notes, found).fine
        later = range(position + 1, len(self.notes))
        return [self.notes[p].values for p in later if fine[p] and not self.view.sound[p]]

    def as_returned(self, found: Sequence[Values]) -> bool:
        return len(found) == len(self.outputs) and all(
            close(mine, theirs) for mine, theirs in zip(self.outputs, found, strict=True)
        )

    def theirs(self, place: int) -> list[Values]:
        """The reference's own tensors of an operation."""
        return [self.right.notes.notes[p].values for p in self.right.rounds[place]]
