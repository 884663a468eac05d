"""A run of letters comes in; the names, functions and signs that it holds go out."""

from __future__ import annotations

from collections.abc import Sequence

from autograder.text.analysis.scope import Scope, is_constant
from autograder.text.symbols import GREEK


def split_word(text: str, scope: Scope, bound: Sequence[str]) -> list[str]:
    """A run of letters as names: few strange letters first, then few pieces."""
    best: list[tuple[int, int, list[str]]] = [(0, 0, [])]
    for start in range(len(text) - 1, -1, -1):
        options = []
        for stop in range(start + 1, len(text) + 1):
            piece = text[start:stop]
            known = scope.find(piece) is not None or piece in bound or is_constant(piece, scope)
            named = known or (stop - start > 1 and scope.builtin(piece) is not None)
            if named or stop == start + 1 or (text[start].isalpha() and text[start + 1 : stop].isdigit()):
                strange, pieces, rest = best[len(text) - stop]
                options.append((strange + (not named), pieces + 1, [piece, *rest]))
        best.append(min(options, key=lambda option: option[:2]))
    return best[len(text)][2]


def is_greek(text: str) -> bool:
    return text in GREEK.values()


def spelled(text: str) -> str:
    """A name with its decoration behind it: \\hat y is yhat; an arrow above says nothing."""
    mark, colon, name = text.rpartition(":")
    return name + mark if colon and mark != "vec" else name
