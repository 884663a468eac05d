"""A student's code becomes prints: short hashes that tell shared passages without telling the code."""

from __future__ import annotations

import keyword
import re
from collections.abc import Sequence, Set
from functools import lru_cache
from zlib import crc32

PASSAGE = 12  # tokens in a passage
WINDOW = 5  # of so many passages in a row one is kept, so that any long enough copy shares some
MOST_CHARACTERS = 50_000
MOST_PRINTS = 240
OPERATORS = frozenset("+-*/<>")
WHOLE_FROM = 60  # tokens from which on the same code as a whole is no coincidence

_TOKEN = re.compile(
    r"""(?P<skip>\#[^\n]*|[rRbBfFuU]{0,2}(?:'{3}.*?'{3}|"{3}.*?"{3}))"""
    r"""|(?P<text>[rRbBfFuU]{0,2}(?:'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"))"""
    r"""|(?P<name>[^\W\d]\w*)|(?P<number>\d[\w.]*)|(?P<sign>[^\s\w])""",
    re.S,
)


def code_prints(source: str, stub: str) -> str:
    """A print of the code as a whole, where it is long enough, and one for passages the stub does not have.

    Comments and layout do not count. In passages a student's own names do not count either: torch.softmax
    stays, the variable it is put in does not.
    """
    tokens = _tokens(source)
    own = _passages(tokens) - _passages_of_stub(stub)
    if not own:
        return ""
    plain = " ".join(token for _, token in tokens)
    whole = f"{crc32(plain.encode()):08x}" if len(tokens) >= WHOLE_FROM else "-"
    return " ".join([whole, *(f"{each:08x}" for each in sorted(own)[:MOST_PRINTS])])


def line_shape(line: str, given: Set[str]) -> str:
    """How a line reads whatever a student calls things, and whichever number it computes with.

    Names that are `given` stay. Numbers beside an operator are such; those in brackets, as axes and indices
    are, count as they stand.
    """
    tokens = _tokens(line)
    words = _without_own_names(tokens, given)
    for position, (kind, _) in enumerate(tokens):
        beside = {token for _, token in tokens[max(position - 1, 0) : position + 2]}
        if kind == "number" and beside & OPERATORS:
            words[position] = "0"
    return " ".join(words)


def read_prints(prints: str) -> tuple[str, frozenset[str]]:
    """The print of the whole, possibly empty, and those of the passages."""
    whole, *passages = prints.split() or ["-"]
    return ("" if whole == "-" else whole), frozenset(passages)


def _tokens(source: str) -> list[tuple[str, str]]:
    found = _TOKEN.finditer(source[:MOST_CHARACTERS])
    return [(str(token.lastgroup), token[0]) for token in found if token.lastgroup != "skip"]


@lru_cache(maxsize=256)
def _passages_of_stub(stub: str) -> frozenset[int]:
    return frozenset(_passages(_tokens(stub)))


def _passages(tokens: Sequence[tuple[str, str]]) -> set[int]:
    """Winnowing: of each few passages in a row the one with the least hash, which a copy keeps as well."""
    words = _without_own_names(tokens)
    hashes = [
        crc32(" ".join(words[start : start + PASSAGE]).encode()) for start in range(len(words) - PASSAGE + 1)
    ]
    return {
        min(hashes[start : start + WINDOW]) for start in range(max(1, len(hashes) - WINDOW + 1)) if hashes
    }


def _without_own_names(tokens: Sequence[tuple[str, str]], kept: Set[str] = frozenset()) -> list[str]:
    words = []
    for position, (kind, token) in enumerate(tokens):
        before = tokens[position - 1][1] if position else ""
        after = tokens[position + 1][1] if position + 1 < len(tokens) else ""
        given = kind != "name" or before == "." or after == "(" or keyword.iskeyword(token) or token in kept
        words.append(token if given else "v")
    return words


def likeness(one: Set[str], other: Set[str]) -> float:
    """The share of all passages that both have."""
    shared = len(one & other)
    return shared / (len(one) + len(other) - shared) if shared else 0.0
