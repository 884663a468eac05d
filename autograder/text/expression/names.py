"""A run of letters and the names a question declares come in; functions, variables and constants go out."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from autograder.errors import AnswerError
from autograder.text.expression.vocabulary import FUNCTIONS, GLUED, GREEK_NAMES, NOT_PRODUCTS
from autograder.text.symbols import GREEK


@dataclass(frozen=True)
class Unit:
    """One piece of a run: a function, a variable or a constant."""

    kind: str  # a token type
    text: str
    known: bool = True


@lru_cache(maxsize=4096)
def squeeze(name: str) -> str:
    """The form in which two spellings of one name agree: x_1, x1, x_{1}, \\beta and β, beta."""
    if not name.isascii():
        name = "".join(GREEK.get(char, char) for char in name)
    return "".join(char for char in name if char not in "_{}\\ ,")


class Names:
    """The names a question declares. Others are single letters, perhaps with a subscript."""

    def __init__(self, known: tuple[str, ...]) -> None:
        self.plain = {squeeze(name): name for name in known}
        if "l" in self.plain:
            self.plain.setdefault("ell", self.plain["l"])

    def find(self, name: str) -> str | None:
        return self.plain.get(squeeze(name))

    def unit(self, letters: str, suffix: str = "") -> Unit:
        """A single name with its subscript: the declared spelling where there is one."""
        found = self.find(letters + suffix)
        if found is not None:
            return Unit("NAME", found)
        if not suffix and letters == "e":
            return Unit("CONST", "e")
        word = GREEK.get(letters, letters)
        if not suffix and word == "pi":
            return Unit("CONST", "pi")
        tail = suffix if suffix.isdigit() or not suffix else "_" + suffix.strip("_{} ")
        return Unit("NAME", word + tail, known=False)

    def split(self, run: str, suffix: str = "") -> tuple[Unit, ...]:
        """The pieces of a run of letters; the suffix belongs to the last one."""
        if self.find(run + suffix) is not None or (len(run) > 1 and run.lower() in GREEK_NAMES):
            return (self.unit(run, suffix),)
        if run.lower() in FUNCTIONS and (not suffix or suffix.isdigit()):
            return (Unit(*FUNCTIONS[run.lower()]),)
        if len(run) > 1 and suffix[:1].isalpha() and not any(self.find(char) for char in run):
            return (self.unit(run, suffix),)  # seq_len is one name
        units = self._cheapest(run, suffix)
        strange = {unit.text for unit in units if not unit.known}
        if len(run) > 1 and self._is_a_word(run, units, strange):
            raise AnswerError(f"cannot read '{run}{suffix}': {self.hint()}")
        return units

    def hint(self) -> str:
        if not self.plain:
            return "write products of single letters with * or a space"
        return f"the names here are {', '.join(dict.fromkeys(self.plain.values()))}"

    @staticmethod
    def _is_a_word(run: str, units: tuple[Unit, ...], strange: set[str]) -> bool:
        if run.lower() in NOT_PRODUCTS and strange:
            return True
        if any(unit.kind not in ("NAME", "CONST") for unit in units):
            return len(strange) > 2
        return len(strange) > 1 and len(run) > 2

    def _cheapest(self, run: str, suffix: str) -> tuple[Unit, ...]:
        """Dynamic programming from the right: few strange letters first, then few pieces."""
        best: list[tuple[int, int, tuple[Unit, ...]]] = [(0, 0, ())]
        for start in range(len(run) - 1, -1, -1):
            options = []
            for stop in range(start + 1, len(run) + 1):
                unit = self._piece(run[start:stop], suffix if stop == len(run) else "", stop - start)
                if unit is not None:
                    strange, pieces, rest = best[len(run) - stop]
                    options.append((strange + (not unit.known), pieces + 1, (unit, *rest)))
            best.append(min(options, key=lambda option: option[:2]))
        return best[len(run)][2]

    def _piece(self, piece: str, suffix: str, length: int) -> Unit | None:
        if length == 1:
            return self.unit(piece, suffix)
        if piece.lower() in GLUED:
            return Unit(*FUNCTIONS[piece.lower()])
        found = self.find(piece + suffix)
        return Unit("NAME", found) if found is not None else None


@lru_cache(maxsize=512)
def names_of(known: tuple[str, ...]) -> Names:
    """The same Names for the same declaration: questions are judged by the thousand."""
    return Names(known)
