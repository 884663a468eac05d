"""The tensors of a reference become a list in which one of a student's is looked up: whole, or a part of one.

A part is what is left when some axes are fixed: what a loop over heads or positions has in one round.
"""

from __future__ import annotations

import itertools
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from autograder.calls.note_tensors import CHOSEN, Note, Values
from autograder.diagnose.rearranged import CLOSE, VERY_CLOSE, factor, is_plain, same

MOST_ROUNDS = 64  # of a loop
MOST_PARTS = 4096  # entries of a tensor whose parts are listed


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


def is_filled(series: Sequence[Values]) -> bool:
    """Whether each round of a loop writes other entries of one tensor."""
    if not 2 <= len(series) <= MOST_ROUNDS or series[0].size < 2 or len({each.shape for each in series}) > 1:
        return False
    written = np.zeros(series[0].shape, dtype=np.int64)
    for one, two in itertools.pairwise(series):
        written += one != two
    return int(written.max()) == 1


def before(notes: Sequence[Note], position: int) -> set[int]:
    """A note and all that it is made from."""
    found, left = set(), [position]
    while left:
        here = left.pop()
        if here not in found:
            found.add(here)
            left += notes[here].sources
    return found


@dataclass(frozen=True, eq=False)
class _Parts:
    """Parts of one size: their sums, sums of squares and largest entries; each is cut out when asked for."""

    sums: Values
    squares: Values
    tops: Values
    cuts: tuple[tuple[Values, int, set[int]], ...]  # a tensor as rows, where its rows begin, its places

    def like(self, values: Values) -> Iterator[tuple[Values, Values, set[int]]]:
        """Those that may be an arrangement of the values or of the same negated: which, and their places."""
        total = float(values.sum())
        ways = [self._near(signed) for signed in (total, -total)]
        if not any(near.size for near in ways):
            return
        squares = float((values * values).sum())
        for near, signed in zip(ways, (values, -values), strict=True):
            for position in near.tolist():
                top = float(self.tops[position])
                if abs(float(self.squares[position]) - squares) <= 4 * CLOSE * top**2 * values.size:
                    rows, begin, places = self.cuts[bisect_right(self._begins, position) - 1]
                    yield signed, rows[position - begin], places

    def _near(self, total: float) -> NDArray[np.intp]:
        """Those whose sum this may be."""
        return np.flatnonzero(np.abs(self.sums - total) <= self._allowed)

    @cached_property
    def _allowed(self) -> Values:
        """How far the sum of an arrangement may be off."""
        allowed: Values = 2 * CLOSE * self.tops * self.cuts[0][0][0].size
        return allowed

    @cached_property
    def _begins(self) -> list[int]:
        return [begin for _, begin, _ in self.cuts]


@dataclass(frozen=True, eq=False)
class Known:
    """What the reference has: every tensor, those of its loops as one, and their parts."""

    notes: tuple[Note, ...]
    _parts: dict[int, _Parts] = field(default_factory=dict)  # by their size, as they are asked for

    def has(self, values: Values) -> bool:
        """Whether it is one of the reference's tensors, but for axes, a sign or a factor to come."""
        if not np.isfinite(values).all():
            return any(same(values, want) for want in self._endless)
        if values.size == 1:
            number = float(values.reshape(-1)[0])
            return self._has_number(number) or self._has_number(-number)
        parts = self._of_size(values.size)
        return parts is not None and any(same(mine, want, VERY_CLOSE) for mine, want, _ in parts.like(values))

    def tells(self, values: Values) -> bool:
        return True

    def _has_number(self, number: float) -> bool:
        numbers = self._numbers
        allowed = VERY_CLOSE * abs(number)
        at = int(np.searchsorted(numbers, number - allowed))
        return at < len(numbers) and bool(numbers[at] <= number + allowed)

    def find(self, values: Values) -> set[int]:
        """The places that have these values, but for an arrangement or a sign."""
        parts = self._of_size(values.size)
        if parts is None or not np.isfinite(values).all():
            return set()
        found: set[int] = set()
        for mine, want, places in parts.like(values):
            if not places <= found and same(mine, want, VERY_CLOSE):
                found |= places
        return found

    def listed(self) -> Iterator[Values]:
        """All that is finite: whole tensors first, then their parts."""
        yield from (values for values, _ in self._tensors)
        for values, _ in self._tensors:
            for rows in itertools.islice(_cut(values), 1, None):
                yield from rows

    def whole(self, values: Values) -> set[int]:
        """The places that have these values and no more."""
        mine = (values, -values) if np.isfinite(values).all() else ()
        return {
            place
            for want, places in self._tensors
            if want.size == values.size
            for place in places
            if any(same(signed, want, VERY_CLOSE) for signed in mine)
        }

    @cached_property
    def _all(self) -> list[tuple[int, Values]]:
        found = [(note.place, note.values) for note in self.notes]
        for place, positions in rounds(self.notes).items():
            whole = stacked([self.notes[p].values for p in positions])
            if whole is not None:
                found.append((place, whole))
                if self.notes[positions[0]].kind != CHOSEN:  # a loop may run either way
                    found.append((place, whole[::-1]))
        return [(place, values) for place, values in found if not is_plain(values)]

    @cached_property
    def _endless(self) -> list[Values]:
        return [values for _, values in self._all if not np.isfinite(values).all()]

    @cached_property
    def _tensors(self) -> list[tuple[Values, set[int]]]:
        """All that are finite, and times the factors that they are yet to get, with their places."""
        found: dict[bytes, tuple[Values, set[int]]] = {}
        for place, values in self._all:
            if np.isfinite(values).all():
                for by in (1.0, *self._later_factors.get(place, ())):
                    scaled = values if by == 1.0 else values * by
                    key = scaled.tobytes() + repr(scaled.shape).encode()
                    found.setdefault(key, (scaled, set()))[1].add(place)
        return list(found.values())

    @cached_property
    def _numbers(self) -> Values:
        """Single numbers: those that are made as such, and the entries of small tensors."""
        rows = [values.reshape(-1) for values, _ in self._tensors if values.size <= MOST_PARTS]
        return np.unique(np.concatenate([np.zeros(0), *rows]))

    def _of_size(self, size: int) -> _Parts | None:
        if size not in self._parts and size > 1 and size in self._cuts:
            self._parts[size] = _listed(self._cuts[size])
        return self._parts.get(size)

    @cached_property
    def _cuts(self) -> dict[int, list[tuple[Values, set[int]]]]:
        """By the size of the parts, every way to cut a tensor into rows, with its places."""
        cut: dict[int, list[tuple[Values, set[int]]]] = {}
        for values, places in self._tensors:
            for rows in _cut(values):
                cut.setdefault(int(rows[0].size), []).append((rows, places))
        return cut

    @cached_property
    def _later_factors(self) -> dict[int, list[float]]:
        """For each place, the constant factors that its tensors are yet to get."""
        notes = self.notes
        found: dict[int, list[float]] = {}
        for note in notes:
            for source in note.sources:
                if notes[source].values.size != note.values.size or is_plain(notes[source].values):
                    continue
                by = factor(note.values, notes[source].values)
                if by is None or abs(by - 1) < 1e-3:
                    continue
                for place in {notes[p].place for p in before(notes, source)}:
                    known = found.setdefault(place, [])
                    if not any(abs(by / each - 1) < 1e-6 for each in known):
                        known.append(by)
        return found


def _cut(values: Values) -> Iterator[Values]:
    """A tensor as rows of parts, for each choice of axes to fix; first the whole."""
    lengths = tuple(length for length in values.shape if length != 1)
    values = values.reshape(lengths)
    yield values[None]
    if values.size > MOST_PARTS or values.ndim > 4:
        return
    for count in range(1, values.ndim):
        for fixed in itertools.combinations(range(values.ndim), count):
            kept = [axis for axis in range(values.ndim) if axis not in fixed]
            rows = values.transpose(*fixed, *kept)
            yield rows.reshape(-1, *(lengths[axis] for axis in kept))


def _listed(cuts: Sequence[tuple[Values, set[int]]]) -> _Parts:
    flat = [rows.reshape(len(rows), -1) for rows, _ in cuts]
    joined = np.concatenate(flat)
    begins = itertools.accumulate((len(rows) for rows in flat), initial=0)
    return _Parts(
        joined.sum(1),
        (joined * joined).sum(1),
        np.abs(joined).max(1),
        tuple((rows, begin, places) for (rows, places), begin in zip(cuts, begins, strict=False)),
    )
