"""Python's SyntaxError becomes a line of the cell, the column of its fault, and the fix in words."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

MOST_SHOWN = 160  # characters of a line
TAB = 4
_QUOTES = "“”„‟«»‘’‚‛′″´"
_SIGNS = {
    "−": "-", "–": "-", "—": "-", "×": "*", "·": "*", "÷": "/", "≤": "<=", "≥": ">=", "≠": "!=",
    "，": ",", "：": ":", "（": "(", "）": ")", "；": ";", "。": ".",
}  # fmt: skip


@dataclass(frozen=True)
class Pointed:
    """A line of an answer and the column of its fault, to be shown with a caret under it."""

    line: str
    column: int
    says: str


def point(text: str, error: SyntaxError) -> Pointed:
    """The place in a cell's text, and `line n: ` with the fix."""
    lines = text.split("\n")
    number = min(max(error.lineno or 1, 1), len(lines))
    line, column = lines[number - 1], error.offset or 0
    if isinstance(error, IndentationError):  # what stands behind the indentation
        column = len(line) - len(line.lstrip()) + 1
    return _cut(line, min(column, len(line) + 1), f"line {number}: {fix(line, error)}")


def _is_invisible(sign: str) -> bool:
    return sign > "~" and unicodedata.category(sign)[0] in "CZ"


def fix(line: str, error: SyntaxError) -> str:
    """The fix, where what usually happened is known; else what Python says."""
    message, column = str(error.msg), error.offset or 0
    sign = line[column - 1] if 0 < column <= len(line) else ""
    if sign and sign in _QUOTES:
        return f"{sign} is a quotation mark of a text editor: type a straight one, \" or '"
    if sign in _SIGNS:
        return f"{sign} is no sign of Python: write {_SIGNS[sign]}"
    if sign and _is_invisible(sign):
        return f"{_name(sign)} was pasted here: delete it, and type a space where one is needed"
    if isinstance(error, TabError):
        return "tabs and spaces are mixed in the indentation: indent every line with spaces alone, by fours"
    if isinstance(error, IndentationError):
        return f"{message}: indent what belongs together by the same four spaces"
    if message.startswith("unterminated string"):
        return "a quotation mark is opened here and not closed on this line"
    return message


def _name(sign: str) -> str:
    return {
        "\ufeff": "an invisible byte order mark",
        "\xa0": "a space that is none to Python",
    }.get(sign, f"an invisible character (U+{ord(sign):04X})")


def _cut(line: str, column: int, says: str) -> Pointed:
    """The line with tabs as spaces, and what is near the caret where it is long."""
    before, after = line[: max(column - 1, 0)].expandtabs(TAB), line[max(column - 1, 0) :].expandtabs(TAB)
    shown, at = before + after, len(before) + 1 if column else 0
    start = max(0, at - MOST_SHOWN // 2) if len(shown) > MOST_SHOWN else 0
    return Pointed(shown[start : start + MOST_SHOWN].rstrip() or " ", at - start if at else 0, says)
