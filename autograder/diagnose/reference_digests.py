"""The tensors of a reference as digests: who has such a tensor can recognise it, and nobody can read it.

A digest is that of a few rounded combinations of all entries, so that it tells neither values nor in which
order they are worked out; small tensors, which could be guessed, have none.
"""

from __future__ import annotations

import hashlib
import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from autograder.calls.note_tensors import Notes, Values
from autograder.diagnose.hints import cells_near, weights_of
from autograder.diagnose.rearranged import is_plain
from autograder.diagnose.reference_tensors import Known

Bytes = NDArray[np.uint8]

SIZE = 6  # bytes of a digest
LEAST_ENTRIES = 3  # of a tensor that has one
MOST_DIGESTS = 8000  # of one case: fifty kilobytes
MOST_TURNED = 3  # axes of a tensor that is looked up in every order and joining
GRID = 20_000  # cells of the scale
EDGE = 0.05  # of a cell: so near to its border, the neighbour is looked at too
MOST_CELLS = 32
TURNS = 10  # of the hash: so much longer takes who would guess


@dataclass(frozen=True, eq=False)
class Sketches:
    """Which tensors a right solution has, by their digests."""

    place: str  # see `salt`
    digests: Bytes  # [count, SIZE]
    _met: dict[bytes, bool] = field(default_factory=dict)

    def has(self, values: Values) -> bool:
        """Whether a right solution has it, but for the order and joining of axes, and its sign."""
        if values.size < LEAST_ENTRIES or not np.isfinite(values).all():
            return False
        key = values.tobytes() + repr(values.shape).encode()
        if key not in self._met:
            self._met[key] = any(
                _digest(self.place, (joined, *cell)) in self._known
                for signed in (values, -values)
                for number, (_, form) in enumerate(_forms(signed))
                for joined in ((0, 1) if number == 0 else (0,))  # not joined on both sides: that scrambles
                for cell in _cells(form)
            )
        return self._met[key]

    def tells(self, values: Values) -> bool:
        return values.size >= LEAST_ENTRIES

    def find(self, values: Values) -> set[int]:
        return set()

    def whole(self, values: Values) -> set[int]:
        return set()

    @cached_property
    def _known(self) -> frozenset[bytes]:
        return frozenset(row.tobytes() for row in self.digests)


@dataclass(frozen=True, eq=False)
class SketchedWay:
    """A right solution of which only digests are known: nothing can be tried with it."""

    known: Sketches
    outputs: tuple[Values, ...]
    notes: Notes = field(default_factory=Notes)
    rounds: Mapping[int, list[int]] = field(default_factory=dict)
    given: frozenset[int] = frozenset()
    near: Mapping[int, set[int]] = field(default_factory=dict)
    results: frozenset[int] = frozenset()

    def made_from(self, places: set[int]) -> set[int]:
        return set()

    def reaches(self, place: int) -> frozenset[int]:
        return frozenset()

    def operation(self, place: int) -> int:
        return place

    def answer(self, instead: Mapping[int, Sequence[Values]]) -> tuple[Values, ...] | None:
        return None

    def exchanged(self, instead: Mapping[int, Sequence[Values]]) -> SketchedWay | None:
        return None


def salt(part: str, case: str) -> str:
    """What the digests of one case depend on: those of another tell nothing of it."""
    return f"{part}\x1f{case}"


def sketch(place: str, *known: Known) -> Bytes:
    """The digests of all tensors that right solutions have, whole ones first; their order tells nothing."""
    found: dict[bytes, None] = {}
    for values in itertools.chain.from_iterable(each.listed() for each in known):
        if values.size >= LEAST_ENTRIES and not is_plain(values):
            for joined, form in _forms(values):
                found.setdefault(_digest(place, (joined, *next(_cells(form)))))
        if len(found) >= MOST_DIGESTS:
            break
    digests = sorted(found)[:MOST_DIGESTS]
    return np.frombuffer(b"".join(digests), dtype=np.uint8).reshape(-1, SIZE)


def _forms(values: Values) -> Iterator[tuple[int, Values]]:
    """The tensor as it is, then in all shapes in which it is looked up: its axes in every order, neighbours
    joined; and whether some are."""
    plain = values.reshape([length for length in values.shape if length != 1])
    if plain.ndim > MOST_TURNED:
        yield 0, plain
        return
    for order in itertools.permutations(range(plain.ndim)):
        turned = plain.transpose(order)
        for cuts in itertools.product((True, False), repeat=max(0, plain.ndim - 1)):
            lengths = [1]
            for length, apart in zip(turned.shape, (False, *cuts), strict=True):
                if apart:
                    lengths.append(length)
                else:
                    lengths[-1] *= length
            yield int(not all(cuts)), turned.reshape(lengths)


def _cells(values: Values) -> Iterator[tuple[int, ...]]:
    """The cell that a tensor lies in, then those that rounding may have put it into."""
    flat = values.reshape(-1)
    scale = float(np.abs(flat).sum()) + 1e-30
    combined = [*(float(each) for each in weights_of(values.shape) @ flat / scale), math.log(scale)]
    choices = [cells_near(each, GRID, EDGE) for each in combined]
    for chosen in itertools.islice(itertools.product(*choices), MOST_CELLS):
        yield (*values.shape, *chosen)


def _digest(place: str, cell: tuple[int, ...]) -> bytes:
    return hashlib.pbkdf2_hmac("sha256", repr(cell).encode(), place.encode(), TURNS, SIZE)
