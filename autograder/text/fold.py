"""Text as typed comes in; the same text in plain characters goes out, each with the column it came from."""

from __future__ import annotations

import string
import unicodedata
from dataclasses import dataclass

from autograder.text.symbols import GREEK, LOOKALIKES, MARKS, SIGNS, SMALL, SPELLED

LETTERS = string.ascii_letters
OPENS = {"<super>": "^(", "<sub>": "_{", "": ""}
CLOSES = {"<super>": ")", "<sub>": "}", "": ""}


@dataclass(frozen=True)
class Folded:
    """Plain text, for each of its characters the 1-based column of the typed text, and that text."""

    text: str
    columns: tuple[int, ...]
    typed: str

    def column(self, at: int) -> int:
        if at < len(self.columns):
            return self.columns[at]
        return self.columns[-1] + 1 if self.columns else 1

    def quote(self, start: int, stop: int) -> str:
        """What was typed for a stretch of the plain text."""
        if start >= len(self.columns):
            return ""
        first, last = self.column(start), self.column(min(stop, len(self.columns)) - 1)
        return self.typed[first - 1 : max(first, last)]


def fold(typed: str) -> Folded:
    r"""The text in ASCII and Greek letters: x² is x^(2), ½ is (1/2), ⊗ is \otimes, W̃ᵢ is \tilde{W}_{i}.

    Letters of other alphabets that look Latin become Latin; marks that nobody sees are dropped.
    """
    if typed.isascii():
        return Folded(typed, tuple(range(1, len(typed) + 1)), typed)
    pieces: list[tuple[str, int]] = []  # with the column of each
    script = ""
    for column, char in enumerate(typed, 1):
        before = pieces[-1][0] if pieces else ""
        if char in MARKS and before[-1:].isalpha():
            pieces[-1] = (f"{before[:-1]}\\{MARKS[char]}{{{before[-1]}}}", column - 1)
            continue
        kind = SMALL[char][0] if char in SMALL else unicodedata.decomposition(char).partition(" ")[0]
        now = kind if kind in OPENS else ""
        piece = _plain(char, kind, before)
        if script != now:
            piece = CLOSES[script] + OPENS[now] + piece
        elif _runs_on(before, piece):
            piece = f" {piece}"
        if piece:
            pieces.append((piece, column))
        script = now
    pieces.append((CLOSES[script], len(typed)))
    columns = tuple(column for piece, column in pieces for _ in piece)
    return Folded("".join(piece for piece, _ in pieces), columns, typed)


def _runs_on(before: str, piece: str) -> bool:
    """Whether a letter would lengthen the command before it: √T is \\sqrt T."""
    return piece[:1].isalpha() and before.rstrip(LETTERS).endswith("\\") and before[-1:] in LETTERS


def _plain(char: str, kind: str, before: str) -> str:
    if char in SIGNS and char not in GREEK:
        return SPELLED.get(SIGNS[char], SIGNS[char])
    if char in SMALL:
        return SMALL[char][1]
    if kind == "<fraction>":
        fraction = unicodedata.normalize("NFKC", char).replace("⁄", "/")
        return f" {fraction} " if before[-1:].isdigit() else f"({fraction})"  # 2½ is no product
    if unicodedata.category(char) == "Cf":
        return ""
    letter, marks = (apart := unicodedata.normalize("NFD", char))[0], apart[1:]
    if marks in MARKS and letter.isascii():
        return f"\\{MARKS[marks]}{{{letter}}}"
    plain = unicodedata.normalize("NFKC", char).translate(LOOKALIKES)
    return "".join(SPELLED.get(SIGNS[each], SIGNS[each]) if each in SIGNS else each for each in plain)
