"""A cell that is no Python becomes its own line, a caret under the place, and the fix in words."""

from __future__ import annotations

import ast
import unicodedata

from IPython.core.inputtransformer2 import TransformerManager

from autograder.check.panel import Pointed

MOST_SHOWN = 160  # characters of a line
TAB = 4
_QUOTES = "“”„‟«»‘’‚‛′″´"
_SIGNS = {
    "−": "-", "–": "-", "—": "-", "×": "*", "·": "*", "÷": "/", "≤": "<=", "≥": ">=", "≠": "!=",
    "，": ",", "：": ":", "（": "(", "）": ")", "；": ";", "。": ".",
}  # fmt: skip


def explain(source: str) -> Pointed | None:
    """Why a cell cannot be run, or nothing where IPython, with its magics, can read it."""
    text = source
    try:
        text = TransformerManager().transform_cell(source)  # type: ignore[no-untyped-call]
        compile(text, "<cell>", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
    except SyntaxError as error:
        return _pointed(text, error)
    except (ValueError, RecursionError, MemoryError):
        return Pointed(source.split("\n")[0][:MOST_SHOWN], 0, "the cell cannot be read as Python")
    return None


def _pointed(text: str, error: SyntaxError) -> Pointed:
    lines = text.split("\n")
    number = min(max(error.lineno or 1, 1), len(lines))
    line, column = lines[number - 1], error.offset or 0
    return _cut(line, min(column, len(line) + 1), f"line {number}: {_fix(line, error, column)}")


def _is_invisible(sign: str) -> bool:
    return sign > "~" and unicodedata.category(sign)[0] in "CZ"


def _fix(line: str, error: SyntaxError, column: int) -> str:
    """The fix, where what usually happened is known; else what Python says."""
    message = str(error.msg)
    sign = line[column - 1] if 0 < column <= len(line) else ""
    if sign and sign in _QUOTES:
        return f"{sign} is a quotation mark of a text editor: type a straight one, \" or '"
    if sign in _SIGNS:
        return f"{sign} is no sign of Python: write {_SIGNS[sign]}"
    if sign and _is_invisible(sign):
        return f"{_name(sign)} was pasted here: delete it, and type a space where one is needed"
    if isinstance(error, TabError):
        return "the line is indented with tabs and others with spaces: use four spaces in all of them"
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
