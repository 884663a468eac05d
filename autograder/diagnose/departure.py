"""Notes of a wrong call beside the reference's: the first line whose result a right solution does not have.

What a wrong result is made from is followed back to tensors that a right solution has as well. Where all in
between is the work of one line, that line is named. Where several lines are in between, one is named only if
the reference, given this line's tensors in the place of its own, answers just what the student's function
answered, or has what the student has up to one other line. Everything else gets no sentence.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from autograder.calls.note_tensors import CHOSEN, RESHAPED, UNSURE, Note, Notes, Values
from autograder.diagnose.cell_statements import StatementLines
from autograder.diagnose.exchanges import LEAST_NUMBERS, Exchanges, count_different
from autograder.diagnose.places_in_reference import Roles
from autograder.diagnose.rearranged import VERY_CLOSE, arrangements, close, factor, is_plain, same
from autograder.diagnose.reference_tensors import before, is_filled, stacked
from autograder.diagnose.right_steps import View
from autograder.diagnose.right_way import RightWay

MOST_TRIES = 200  # calls of the reference
PRICE = 5  # how many calls one with notes is worth


@dataclass(frozen=True)
class Departure:
    """The line where it departs, and the last one before it with a right result (0: there is none).

    `twin` is an earlier line with the very same result, where a right solution has that result only once.
    `beside` are its tensors and those of the reference in their `place`, one pair for each round of a loop.
    `returns` says that a right tensor is returned, and not the one that is asked for.
    """

    line: int
    after: int = 0
    twin: int = 0
    beside: tuple[tuple[Values, Values], ...] = field(default=(), compare=False)
    place: int = field(default=-1, compare=False)
    returns: bool = False

    @property
    def parting(self) -> int:
        """The round in which the tensors first differ."""
        return next((n for n, (mine, right) in enumerate(self.beside) if not close(mine, right)), 0)


def find_departure(
    notes: Notes, right: RightWay, outputs: Sequence[Values], layout: StatementLines
) -> Departure | None:
    """`outputs` are what the student's function returned."""
    if not notes.whole or len(outputs) != len(right.outputs):
        return None
    return _DepartureSearch(notes, right, outputs, layout).find()


@dataclass(eq=False)
class _DepartureSearch:
    taken: Notes
    right: RightWay
    outputs: Sequence[Values]
    layout: StatementLines
    tries: list[int] = field(default_factory=lambda: [MOST_TRIES])  # that are left, also for a second slip
    is_second: bool = False

    @cached_property
    def notes(self) -> tuple[Note, ...]:
        return self.taken.notes

    @cached_property
    def view(self) -> View:
        wrong = {made for n in self._wrong if (made := self._made[n]) is not None}
        return View(self.notes, self.right, frozenset(wrong))

    @cached_property
    def roles(self) -> Roles:
        return Roles(self.notes, self.right, self.view)

    @cached_property
    def tried(self) -> Exchanges:
        return Exchanges(self.notes, self.right, self.outputs, self._wrong, self.view, self.roles, self.tries)

    @cached_property
    def _wrong(self) -> list[int]:
        """The outputs that are not right."""
        pairs = zip(self.outputs, self.right.outputs, strict=True)
        return [n for n, (mine, right) in enumerate(pairs) if not close(mine, right, VERY_CLOSE)]

    @cached_property
    def _made(self) -> list[int | None]:
        """The note of each output."""
        found: list[int | None] = []
        for output in self.outputs:
            alike = [p for p, note in enumerate(self.notes) if close(note.values, output, VERY_CLOSE)]
            found.append(alike[-1] if alike else None)
        return found

    def find(self) -> Departure | None:
        if not self._wrong:
            return None
        for position, twin in self._twins():
            if self.tried.explains(position):
                return Departure(
                    self._lines[position],
                    twin=self._lines[twin],
                    beside=self.tried.beside,
                    place=self.tried.place,
                )
        if any(self._made[n] is None for n in self._wrong):
            return None
        parts = [self.view.behind(self._made[n] or 0) for n in self._wrong]
        union = set().union(*parts)
        if not union:
            return self._misplaced()
        certain = {next(iter(own)) for part in parts if len(own := self._lines_of(part)) == 1}
        lines = {line: self._sites(line, union) for line in self._in_order(union)}
        first = [line for line, sites in lines.items() if self._is_first_of_all(sites, union)]
        for line, sites in lines.items():
            explained = line in first and any(self.tried.explains(site) for site in sites)
            spoilt = line in first and any(self._is_spoilt(site) for site in sites)
            if line in first and not self.is_second:
                explained = explained or self.tried.explain_together(sites)
            if explained or spoilt or line in certain:
                shared = None if explained or spoilt or self.is_second else self._shared(union)
                if shared is not None:
                    return shared
                found = self._named(line, sites)
                if self.is_second:
                    return found
                found = found and self._unless_handed_over(found, sites)
                found = found and (self._earlier(line, union) or found)
                return None if found and self._lacks_a_step(found.line, union) else found
        shared = None if self.is_second else self._shared(union) or self._goes_on(union)
        if shared is not None:
            return shared
        for line in first:
            if any(self._is_one_of_two(site, lines) for site in lines[line]):
                return self._named(line, lines[line])
        return None

    def _named(self, line: int, sites: Sequence[int]) -> Departure | None:
        if all(self.notes[p].kind == UNSURE for p in sites):
            return None
        return Departure(
            line, self._last_right(sites[0], line), beside=self.tried.beside, place=self.tried.place
        )

    def _is_first_of_all(self, sites: Sequence[int], union: set[int]) -> bool:
        """Whether nothing that is wrong in another line goes into a line, the first time that it runs."""
        return any(self._lines_of(self._before(p) & union) == {self._lines[p]} for p in sites)

    def _before(self, position: int) -> set[int]:
        """What a note is made from; of a tensor that is filled in rounds, what it is filled with in all."""
        series = self.view.series[self.notes[position].place]
        filled = is_filled([self.notes[p].values for p in series])
        return set().union(*(before(self.notes, p) for p in (series if filled else [position])))

    def _is_spoilt(self, position: int) -> bool:
        """A right tensor that is scrambled, or multiplied by a number that no right solution has."""
        note = self.notes[position]
        if (
            len(note.sources) != 1
            or not self.right.known.tells(note.values)
            or not self.view.fine[note.sources[0]]
            or len(self.view.series[note.place]) > 1
        ):
            return False
        source = self.notes[note.sources[0]].values
        if note.kind == RESHAPED:
            return True
        if (source == np.round(source)).all():
            return False  # counters and switches are right by chance
        return bool(self.notes[note.sources[0]].line) and factor(note.values, source) is not None

    def _misplaced(self) -> Departure | None:
        """Right tensors are returned, and not those that are asked for."""
        for number in self._wrong:
            line = self._lines[self._made[number] or 0]
            if is_plain(self.outputs[number]):
                return None  # zeros, say, are what a right solution has somewhere too
            turned = same(self.outputs[number], self.right.outputs[number])
            missing = number in self.layout.names and not self._has(self.right.outputs[number])
            if line and (turned or missing or line in self.layout.returns):
                earlier = self._earlier(line, {self._made[number] or 0}) if turned else None
                return earlier or Departure(line, returns=True)
        return Departure(self.layout.ends, returns=True) if self.layout.ends else None

    def _has(self, values: Values) -> bool:
        """Whether a tensor is among the student's."""
        return any(same(note.values, values) for note in self.notes if note.line)

    def _earlier(self, line: int, union: set[int]) -> Departure | None:
        """A line before it with a right tensor that goes into it, and is not the one that belongs there."""
        found = set[int]()
        left = [source for p in union if self._lines[p] == line for source in self.notes[p].sources]
        while left:
            here = left.pop()
            if here not in found and here not in union and self._lines[here]:
                found.add(here)
                left += self.notes[here].sources if self._is_handed_on(here) else ()
        tried = set[int]()
        for position in sorted(found):
            users = {later for later, note in enumerate(self.notes) if position in note.sources}
            place = self.notes[position].place
            if self._lines[position] == line or is_plain(self.notes[position].values) or place in tried:
                continue
            if not users <= union | found or self._comes_again(position):
                continue
            tried.add(place)
            alone = self._is_used_alone(position, users & union)
            if self._stands_elsewhere(position, turned=alone and self._is_laid_out_alike(position)):
                return Departure(self._lines[position], beside=self.tried.beside, place=self.tried.place)
        return None

    def _lacks_a_step(self, line: int, union: set[int]) -> bool:
        """Whether a line takes what an earlier round left unfinished: a step is missing anywhere between."""
        carried = {
            source
            for p in union
            if self._lines[p] == line
            for source in self.notes[p].sources
            if source not in union and self._begins(source) > self._begins(p)
        }
        for position in sorted(carried):
            series = self.view.series[self.notes[position].place]
            whole = self.right.known.whole(self.notes[position].values)
            later = self.right.made_from(whole)
            finished = [each for each in self.roles.all_of(series) if each[0] in later]
            if any(self.tried.answers_alike(place, others, position) for place, others in finished):
                return True
        return False

    def _begins(self, position: int) -> int:
        """When the operation of a note first ran."""
        return self.view.series[self.notes[position].place][0]

    def _is_handed_on(self, position: int) -> bool:
        """Whether a tensor is another one, or a part of it, as it was."""
        note = self.notes[position]
        one = len(note.sources) == 1
        return one and (note.kind == CHOSEN or same(note.values, self.notes[note.sources[0]].values))

    def _is_used_alone(self, position: int, users: set[int]) -> bool:
        """Whether what uses a tensor takes no other, but for what is made from it alone."""
        own = {position}
        for later in range(position + 1, max(users, default=position)):
            sources = self.notes[later].sources
            if sources and own.issuperset(sources):
                own.add(later)
        return all(own.issuperset(self.notes[p].sources) for p in users)

    def _is_laid_out_alike(self, position: int) -> bool:
        """Whether all that a tensor is made from has its axes in the reference's order."""
        theirs = [self.right.notes.notes[rows[0]].values for rows in self.right.rounds.values()]
        made_from = [self.notes[p] for p in self.notes[position].sources]
        # A transpose on the way to a product is no other order.
        made_from = [self.notes[note.sources[0]] if len(note.sources) == 1 else note for note in made_from]
        wide = [self._together(note) for note in made_from if note.values.ndim > 1]
        return bool(wide) and all(any(close(values, other) for other in theirs) for values in wide)

    def _together(self, note: Note) -> Values:
        """A note, with the other rounds of its loop where they fit on it."""
        whole = stacked([self.notes[p].values for p in self.view.series[note.place]])
        return note.values if whole is None else whole

    def _shared(self, union: set[int]) -> Departure | None:
        """A right tensor that goes into several wrong lines, in the place of one that is made from it.

        Where one of these lines takes what the other gives, the step may as well be missing in the first.
        """
        for position in reversed(range(len(self.notes))):  # of what is only handed on, the last
            note = self.notes[position]
            if not note.line or not self.view.fine[position] or is_plain(note.values):
                continue
            users = {p for p in self._users(position) & union if self._lines[p] != self._lines[position]}
            if not self._is_used_apart(users):
                continue
            whole = self.right.known.whole(note.values)
            if any(
                place not in whole and self.tried.answers_alike(place, others, position)
                for place, others in self.roles.of(self.view.series[note.place], reaching=self.tried.other)
            ):
                return Departure(self._lines[position], beside=self.tried.beside, place=self.tried.place)
        return None

    def _goes_on(self, union: set[int]) -> Departure | None:
        """The first line that makes something else of what is the right result already."""
        if len(self.outputs) > 1:
            return None
        right = {
            p
            for p, note in enumerate(self.notes)
            if note.line
            and not is_plain(note.values)
            and same(note.values, self.right.outputs[0], VERY_CLOSE)
        }
        taken = {source for p in union for source in self.notes[p].sources} - union
        if not taken & right or not all(p in right or self.view.is_constant[p] for p in taken):
            return None
        line = self._in_order(union)[0]
        return Departure(line, self._last_right(min(union), line))

    def _is_used_apart(self, users: set[int]) -> bool:
        """Whether two lines are among those that use a tensor, and neither takes what the other gives."""
        return any(
            self._lines[one] != self._lines[two] and one not in before(self.notes, two)
            for one, two in itertools.combinations(sorted(users), 2)
        )

    def _users(self, position: int) -> set[int]:
        """What is made from a tensor, or from the same with its axes in another order."""
        found = set[int]()
        as_it_is = {position}
        for later in range(position + 1, len(self.notes)):
            note = self.notes[later]
            if as_it_is & {*note.sources}:
                alike = len(note.sources) == 1 and same(note.values, self.notes[position].values)
                (as_it_is if alike else found).add(later)
        return found

    def _unless_handed_over(self, found: Departure, sites: Sequence[int]) -> Departure | None:
        """Nothing where a function inside is called, and would do with two of its tensors exchanged."""
        callers = {self.notes[p].calls[0] for p in sites if self.notes[p].calls}
        if not callers or found.line in callers:
            return found
        if not self.right.rounds:  # nothing can be tried
            return None
        handed = [
            [self.notes[p].values for p in series]
            for series in self.view.series.values()
            if self._lines[series[0]] in callers and all(self.view.fine[p] for p in series)
        ]
        stacks = [each[0] if len(each) == 1 else stacked(each) for each in handed]
        placed = [
            (place, arranged)
            for values in stacks
            if values is not None
            for place in sorted(self.right.known.whole(values))
            if len(self.right.rounds[place]) == 1
            for arranged in [next(arrangements(values, self.tried.theirs(place)[0].shape), None)]
            if arranged is not None
        ]
        for (one, mine), (two, other) in itertools.combinations(placed, 2):
            if one == two or mine.shape != other.shape or self.tries[0] <= 0:
                continue
            self.tries[0] -= 1
            answer = self.right.answer({one: [other], two: [mine]})
            if answer is not None and self.tried.as_returned(answer):
                return None
        return found

    def _comes_again(self, position: int) -> bool:
        """Whether a later operation gives the very same: then this one may be meant, and that one a slip."""
        mine = self.notes[position]
        return any(
            note.place != mine.place and note.line and np.array_equal(note.values, mine.values)
            for note in self.notes[position + 1 :]
        )

    def _stands_elsewhere(self, position: int, *, turned: bool) -> bool:
        """Whether a right tensor, as it is, stands for another of the reference that is not made from it.

        With `turned`, it may be the same with its axes exchanged: next comes what takes no other tensor.
        One that is made from it lacks a step: that may as well be meant for the line that uses it. The rounds
        of a loop stand there together: each may be right, and all of them the same.
        """
        known, series = self.right.known, self.view.series[self.notes[position].place]
        mine = [self.notes[p].values for p in series]
        together = mine[0] if len(mine) == 1 else stacked(mine)
        if together is None:
            return False
        whole = known.whole(together)
        parts = whole.union(*(self.view.places(p) for p in series))  # of single numbers, these tell nothing
        later = self.right.made_from(parts)
        flat = np.concatenate([values.reshape(-1) for values in mine])
        for place, others in self.roles.of(series, reaching=self.tried.other):
            if not np.array_equal(np.concatenate([other.reshape(-1) for other in others]), flat):
                continue
            aside = turned and self._is_turned(series, place, others)
            if place in whole and not aside:
                continue
            if not aside and self._has(self.tried.theirs(place)[0]):
                continue  # the right one is there, and another is used
            if place in later and not known.find(self.tried.theirs(place)[0]) & (parts - whole):
                continue
            if self.tried.answers_alike(place, others, position):
                return True
        return False

    def _is_turned(self, series: Sequence[int], place: int, others: Sequence[Values]) -> bool:
        """Whether one tensor stands for another with the same axes, none of them split or joined."""
        lengths = sorted(length for length in self.tried.theirs(place)[0].shape if length > 1)
        mine = (len(series), *self.notes[series[0]].values.shape)
        laid_out = sorted(length for length in mine if length > 1) == lengths
        return len(others) == 1 and laid_out and same(others[0], self.tried.theirs(place)[0])

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
        begins = {p: self.view.series[place][0] for place, p in places.items()}
        return sorted(begins, key=lambda p: -begins[p])

    def _twins(self) -> Iterator[tuple[int, int]]:
        """Two lines that make the same right tensor out of the arguments, each for itself."""
        notes, seen = self.notes, dict[bytes, int]()
        for position, note in enumerate(notes):
            made = (
                note.line > 0
                and note.kind != UNSURE
                and note.sources
                and all(self.view.fine[p] for p in note.sources)
            )
            if not made or len(self.view.series[note.place]) > 1 or is_plain(note.values):
                continue
            first = seen.setdefault(note.values.tobytes(), position)
            if self._lines[first] != self._lines[position] and len(note.sources) > 1:
                yield position, first

    @cached_property
    def _lines(self) -> list[int]:
        """The line of each note: the innermost, unless it is right when it is called elsewhere or later."""
        callers: dict[int, set[int]] = {}
        wrong = {
            (note.step, note.site)
            for p, note in enumerate(self.notes)
            if not self.view.sound[p] or p in self.view.wrong
        }
        for note in self.notes:
            if note.line and (note.step, note.site) not in wrong and not is_plain(note.values):
                callers.setdefault(note.step, set()).add(note.site)
        for series in self.view.series.values():
            if self._is_right_again(series):
                callers.setdefault(self.notes[series[0]].step, set()).add(-1)
        return [self.layout.start(self._line(note, callers)) for note in self.notes]

    def _is_right_again(self, series: Sequence[int]) -> bool:
        """Whether a wrong result of right tensors is followed by a right one, in a later round."""
        sound = [self.view.sound[p] and not is_plain(self.notes[p].values) for p in series]
        wrong = [
            number
            for number, p in enumerate(series)
            if not self.view.sound[p] and all(self.view.fine[source] for source in self.notes[p].sources)
        ]
        return bool(wrong) and any(sound[wrong[0] + 1 :])

    def _line(self, note: Note, callers: dict[int, set[int]]) -> int:
        elsewhere = callers.get(note.step, set()) - {note.site} or note.line in self.layout.lambdas
        return note.calls[0] if note.calls and elsewhere else note.line

    def _is_one_of_two(self, position: int, lines: Mapping[int, Sequence[int]]) -> bool:
        """Whether, given the student's tensors of an operation, the reference departs at one other line."""
        if self.is_second:
            return False
        for place, others in self.roles.of(self.view.series[self.notes[position].place], anywhere=False):
            self.tries[0] -= PRICE
            found = self.right.exchanged({place: others}) if self.tries[0] >= 0 else None
            if found is None:
                continue
            other = _DepartureSearch(
                self.taken, found, self.outputs, self.layout, self.tries, is_second=True
            ).find()
            if other is None or other.line == self._lines[position]:
                continue
            alone = any(self.tried.explains(site) for site in lines.get(other.line, ()))
            needed = other.beside and not alone and self.tries[0] >= 0
            if needed or count_different(self.tried.gained(found, position)) >= LEAST_NUMBERS:
                self.tried.stand(others, place)
                return True
        return False

    # ---------------------------------------------------------------- what comes before

    def _last_right(self, position: int, line: int) -> int:
        """The last line before it that it builds on, if all results up to there are right."""
        if any(
            not sound for sound, each in zip(self.view.sound, self._lines, strict=True) if 0 < each < line
        ):
            return 0
        earlier = before(self.notes, position)
        lines = [self._lines[p] for p in earlier if self.view.fine[p] and not self.view.is_constant[p]]
        return max((each for each in lines if each < line), default=0)
