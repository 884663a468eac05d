"""An answer comes in; what it names beside its rate goes out: what leads, is left out, is larger."""

from __future__ import annotations

import re
from collections.abc import Iterator

from autograder.errors import AnswerError
from autograder.text.expression.clauses import Clause, Tie
from autograder.text.expression.names import Names

_RATE = r"\$?(?:\\mathcal\s*)?[OΘ]\s*\((?:[^()]|\([^()]*\))*\)"
_LETTER = r"(?<![A-Za-z\\])[A-Za-z](?![A-Za-z'])\$?"
# dominated by O(T), where T dominates
_LEADS = re.compile(
    rf"dominated\s+by\s+(?:the\s+)?\$?(?P<by>{_RATE}|{_LETTER})(?=\W*$|[.,;)])"
    rf"|(?P<that>{_RATE}|(?:where|since|because|as|and|but|[,;(])\s+\$?{_LETTER})\$?\s+dominates?(?![A-Za-z])",
    re.IGNORECASE,
)
# not counting O(T)
_LEFT_OUT = re.compile(
    r"(?<![A-Za-z])(?:not\s+counting|ignor(?:e|es|ing)|exclud(?:es?|ing)|neglect(?:s|ing)?|omit(?:s|ting)?|disregard(?:s|ing)?"
    rf"|leav(?:es?|ing)\s+out|apart\s+from|besides)\s+(?:the\s+|an?\s+)?(?P<rate>{_RATE})",
    re.IGNORECASE,
)

# for T < d: what the answer supposes of two letters
_RELATION = re.compile(
    r"(?<![A-Za-z\\_])\$?(?P<left>[A-Za-z]\w*)\$?\s*(?P<sign><<|>>|<=|>=|<|>|\\(?:leq?|geq?|ll|gg|lt|gt)(?![A-Za-z]))"
    r"\s*(?=\$?(?P<right>[A-Za-z]\w*))"
)
REMARKS = (Tie.FOR, Tie.ASIDE, Tie.WHERE, Tie.WHY)

# at minimum O(L), O~(L)
_FROM_BELOW = re.compile(
    r"(?<!upper and )(?<!and a )(?<![A-Za-z])(?:lower\s+bound|at\s+minimum|minimum\s+(?=\$?[OΘ]\s*\()"
    r"|minimum\W*$|and\s+up\W*$)",
    re.IGNORECASE,
)
_SOFT = re.compile(r"(?<![A-Za-z])(?:O\s?~\s?\(|soft[\s-]+(?:big[\s-]*)?O(?![A-Za-z]))")


def refuse_other_bounds(text: str) -> None:
    """Raise AnswerError where what is given is a bound from below, or one that leaves logarithms out."""
    if _FROM_BELOW.search(text):
        raise AnswerError("a lower bound says nothing of the cost from above: write O(n^2 d)")
    if _SOFT.search(text):
        raise AnswerError("a soft O leaves logarithms out: write O(…), with them")


def leading(text: str) -> Iterator[tuple[int, int]]:
    """Where rates stand that are said to lead the answer's, and so must be like it."""
    for found in _LEADS.finditer(text) if "ominate" in text else ():
        start, stop = found.span("by" if found["by"] else "that")
        letter = re.search(r"\$?[A-Za-z]\$?$", found[0][: stop - found.start()])
        yield (stop - len(letter[0]) if letter and not found["by"] else start), stop


def left_out(text: str) -> Iterator[tuple[int, int]]:
    """Where rates stand that are said to be left out, and so must be bounded by the answer's."""
    for found in _LEFT_OUT.finditer(text):
        yield found.span("rate")


def supposed(clauses: list[Clause], known: Names) -> tuple[tuple[str, str], ...]:
    """The letters of the question that remarks compare: 'for T < d' supposes that T is at most d."""
    found = [
        (known.find(match["left"]), known.find(match["right"]), match["sign"])
        for clause in clauses
        if clause.tie in REMARKS
        for match in _RELATION.finditer(clause.text)
    ]
    pairs = [(right, left) if sign[0] == ">" or "g" in sign else (left, right) for left, right, sign in found]
    return tuple((a, b) for a, b in pairs if a and b)
