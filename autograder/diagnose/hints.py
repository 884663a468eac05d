"""Edits sealed for the student's machine: who gives an edit's values can read its hint, and nobody else.

Of each edit the file holds digests of rounded combinations of its values, and its hint enciphered by the
same combinations: neither values nor reference nor sentences can be read without a function that has them.
One number or two could be guessed: results of so few have a digest together with the next, or none.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from functools import lru_cache, reduce

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

COMBINATIONS = 4  # of each tensor's values
GRID = 1000  # cells of the scale
EDGE = 0.02  # of a cell: so near to its border, the neighbour is looked at too
MOST_CELLS = 64
LEAST_ENTRIES = 3  # of the results that have a digest together
SIZE = 8  # bytes of a digest

Bytes = NDArray[np.uint8]
Cell = tuple[int, ...]
Answers = Sequence[Sequence[Tensor] | None]  # of each visible case; None where it raises


@dataclass(frozen=True)
class Hint:
    """What a wrong function is, in three steps: where to look, what kind of slip it is, and the sentence."""

    where: str = ""
    kind: str = ""
    says: str = ""

    def first(self, steps: int) -> Hint:
        """As many of the steps as students may see."""
        return Hint(*(value if place < steps else "" for place, value in enumerate(_values(self))))

    def shared(self, other: Hint) -> Hint:
        """What two hints that fit alike have in common."""
        return Hint(*(a if a == b else "" for a, b in zip(_values(self), _values(other), strict=True)))


def _values(hint: Hint) -> list[str]:
    return [getattr(hint, each.name) for each in fields(hint)]


@dataclass(frozen=True, eq=False)
class Sealed:
    """The hints of one part: a digest of each edit in each visible case, and its text enciphered."""

    digests: Bytes  # [edits, groups, SIZE]
    texts: Bytes  # one after the other
    ends: NDArray[np.int64]  # of each text
    last: NDArray[np.int64]  # case of each group that has a digest

    def open(self, part: str, answers: Answers) -> Hint | None:
        """The hint of the edit that gives these values in every visible case; what several have in common."""
        if not len(self.last) or len(answers) != self.last[-1] + 1:
            return None
        fitting: dict[int, list[Cell]] = {number: [] for number in range(len(self.digests))}
        for group, together in enumerate(_groups(answers, self.last)):
            found: dict[bytes, Cell] = {}
            for cell in _joint(together):
                found.setdefault(_digest(part, group, cell), cell)
            fitting = {
                number: [*known, found[digest]]
                for number, known in fitting.items()
                if (digest := self.digests[number, group].tobytes()) in found
            }
        hints = [self._text(part, number, known) for number, known in fitting.items()]
        if not hints:
            return None
        shared = reduce(Hint.shared, hints)
        return shared if any(_values(shared)) else None

    def _text(self, part: str, number: int, known: Sequence[Cell]) -> Hint:
        begin = int(self.ends[number - 1]) if number else 0
        data = self.texts[begin : int(self.ends[number])].tobytes()
        return Hint(**json.loads(_ciphered(data, part, known)))


def seal(part: str, entries: Sequence[int], edits: Sequence[tuple[Hint, Answers]]) -> Sealed | None:
    """Hints with what their edits give in every visible case, None where a case raises; of how many entries
    what is right has there. None where all results together are so few numbers that they could be guessed."""
    last = _last_of_groups(entries)
    if not last:
        return None
    digests, texts = [], []
    for known, hint in _merged(edits, last):
        digests.append([list(_digest(part, group, cell)) for group, cell in enumerate(known)])
        text = json.dumps({k: v for k, v in asdict(hint).items() if v}, ensure_ascii=False)
        texts.append(_ciphered(text.encode(), part, known))
    return Sealed(
        np.array(digests, dtype=np.uint8).reshape(-1, len(last), SIZE),
        np.frombuffer(b"".join(texts), dtype=np.uint8),
        np.cumsum([len(text) for text in texts], dtype=np.int64),
        np.array(last, dtype=np.int64),
    )


def _last_of_groups(entries: Sequence[int]) -> list[int]:
    """The last case of every group: each has enough entries, and what is left over joins the one before."""
    last, count = [], 0
    for case, number in enumerate(entries):
        count += number
        if count >= LEAST_ENTRIES:
            last.append(case)
            count = 0
    return [*last[:-1], len(entries) - 1] if last else []


def _groups(answers: Answers, last: Sequence[int] | NDArray[np.int64]) -> Iterator[Answers]:
    begin = 0
    for end in last:
        yield answers[begin : int(end) + 1]
        begin = int(end) + 1


def _entries(together: Answers) -> int:
    return sum(output.numel() for outputs in together for output in outputs or ())


def _joint(together: Answers) -> Iterator[Cell]:
    """The cell of several cases at once, then those that rounding may have put them into."""
    for chosen in itertools.islice(itertools.product(*map(cells, together)), MOST_CELLS):
        yield tuple(itertools.chain(*chosen))


def _merged(
    edits: Sequence[tuple[Hint, Answers]], last: Sequence[int]
) -> Iterator[tuple[tuple[Cell, ...], Hint]]:
    """Of those that no visible case tells apart, what they share; an author's own sentence goes first."""
    alike: dict[tuple[Cell, ...], list[Hint]] = {}
    for hint, answers in edits:
        if max(_entries(each) for each in _groups(answers, last)) < LEAST_ENTRIES:
            continue  # it gives so few numbers that who guesses them could read it
        alike.setdefault(tuple(next(_joint(each)) for each in _groups(answers, last)), []).append(hint)
    for known, hints in alike.items():
        listed = [hint for hint in hints if not hint.where]
        shared = reduce(Hint.shared, [hint for hint in hints if hint.where] or listed)
        merged = replace(shared, says=listed[0].says) if listed else shared
        if any(_values(merged)):
            yield known, merged


def cells(outputs: Sequence[Tensor] | None) -> Iterator[Cell]:
    """The cell that tensors lie in, then those that rounding may have put them into."""
    if outputs is None:
        yield ()
        return
    shapes: list[int] = []
    choices: list[tuple[int, ...]] = []
    for output in outputs:
        shapes += [output.ndim, *output.shape]
        values = output.detach().double().reshape(-1).numpy()
        finite = np.nan_to_num(values, nan=1.2345, posinf=7.77e6, neginf=-7.77e6)
        scale = float(np.abs(finite).sum()) + 1e-30
        for combined in weights_of(tuple(output.shape)) @ finite / scale:
            choices.append(cells_near(float(combined)))
        choices.append(cells_near(math.log(scale)))
    for chosen in itertools.islice(itertools.product(*choices), MOST_CELLS):
        yield (*shapes, *chosen)


def cells_near(value: float, grid: int = GRID, edge: float = EDGE) -> tuple[int, ...]:
    """The cell of a scale that a value lies in, then its neighbour where the border is near."""
    place = math.floor(value * grid)
    over = value * grid - place
    if over < edge:
        return place, place - 1
    return (place, place + 1) if over > 1 - edge else (place,)


@lru_cache(maxsize=256)
def weights_of(shape: tuple[int, ...]) -> NDArray[np.float64]:
    rng = np.random.default_rng([len(shape), *shape, COMBINATIONS])
    count = math.prod(shape)
    signs = rng.choice((-1.0, 1.0), (COMBINATIONS, count))
    weights: NDArray[np.float64] = signs * rng.uniform(0.5, 1.5, (COMBINATIONS, count))
    return weights


def _digest(part: str, case: int, cell: Cell) -> bytes:
    return hashlib.blake2b(f"{part}\x1f{case}\x1f{cell}".encode(), digest_size=SIZE, person=b"find").digest()


def _ciphered(data: bytes, part: str, known: Sequence[Cell]) -> bytes:
    """Enciphered or deciphered: the same either way."""
    stream = hashlib.shake_256(f"read\x1f{part}\x1f{list(known)}".encode()).digest(len(data))
    return bytes(a ^ b for a, b in zip(data, stream, strict=True))


def as_arrays(sealed: Sealed) -> Mapping[str, NDArray[np.generic]]:
    return {each.name: getattr(sealed, each.name) for each in fields(sealed)}
