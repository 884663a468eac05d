"""The rows of a sheet come in; what it says of vectors and weights against its own definitions goes out."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from autograder.errors import AnswerError
from autograder.text.analysis.decide import value_at
from autograder.text.analysis.evaluate import SIDE, Point, Value
from autograder.text.analysis.read import read_expression
from autograder.text.analysis.scope import Scope

_NAME = r"[A-Za-z](?:_(?:\{\w+\}|\w))?"
_SUM = re.compile(rf"\s*({_NAME})\s*=\s*({_NAME}(?:\s*[+-]\s*{_NAME})+)\s*")
_NORM = re.compile(
    rf"\s*(?:\|\||\\\||\\lVert)\s*({_NAME})\s*(?:\|\||\\\||\\rVert)\s*=\s*([^=]*(?:\|\||\\\||\\lVert)[^=]*)"
)
_STATES = re.compile(rf"\s*({_NAME})\s*=\s*(.*)")
_SOFTMAX = re.compile(r"\s*\\?(?:(?:text|operatorname|mathrm)\{)?softmax\b", re.I)
_ZERO_OR_ONE = re.compile(r"\s*([01])\s*(?:$|[,.]|\\text|\\quad|\b(?:when|if|for|otherwise|where)\b.*)")
_FALSE = "of vectors in any directions, and of orthogonal ones, that is false"
_NEITHER = "of several numbers it is neither 0 nor 1"
_DRAWS = 3
_CLOSE = Decimal("1e-20")


@dataclass(frozen=True)
class Refuted:
    """What is said, by the name it is said of, and why it cannot be; what is worked out from that name."""

    label: str
    says: str
    rests_on: tuple[str, ...] = ()


def refuted_in(written: Sequence[str]) -> list[Refuted]:
    """Every claim that cannot hold."""
    rows = [row.split("\\text{ ")[0] for row in written]
    return [*_false_norms(rows), *_no_softmaxes(rows)]


def _false_norms(rows: Sequence[str]) -> list[Refuted]:
    """x = d + b and ||x|| = ||d|| + ||b||: so are neither vectors in any directions nor orthogonal ones."""
    sums = {found[1]: found[2] for row in rows if (found := _SUM.fullmatch(row))}
    refuted = []
    for row in rows:
        claim = _NORM.fullmatch(row)
        if not claim or claim[1] not in sums:
            continue
        vectors = tuple(dict.fromkeys(re.findall(_NAME, sums[claim[1]])))
        if _differ_everywhere(f"||{sums[claim[1]]}||", claim[2], vectors):
            said = f"||{claim[1]}|| is said to be {claim[2].strip()}, and {claim[1]} is {sums[claim[1]]}"
            refuted.append(Refuted(f"||{claim[1]}||", f"{said}: {_FALSE}"))
    return refuted


def _differ_everywhere(one: str, other: str, vectors: tuple[str, ...]) -> bool:
    scope = Scope(vectors=vectors)
    if len(vectors) > SIDE:
        return False
    try:
        trees = [read_expression(text, scope).first for text in (one, other)]
        values = [
            [value_at(tree, Point(drawn, scope, "sheet")) for tree in trees] for drawn in _drawn(vectors)
        ]
    except AnswerError:
        return False
    return all(
        isinstance(mine, Decimal) and isinstance(theirs, Decimal) and abs(mine - theirs) > _CLOSE
        for mine, theirs in values
    )


def _drawn(vectors: tuple[str, ...]) -> list[Mapping[str, Value]]:
    """Vectors in any directions, and then ones that are orthogonal to one another."""
    source = random.Random("sheet")  # the same for every sheet

    def length() -> Decimal:
        return Decimal(source.randint(5, 40)) / 10

    drawn: list[Mapping[str, Value]] = []
    for _ in range(_DRAWS):
        drawn.append({name: tuple((length(),) for _ in range(SIDE)) for name in vectors})
        drawn.append(
            {
                name: tuple((length() if row == at else Decimal(0),) for row in range(SIDE))
                for at, name in enumerate(vectors)
            }
        )
    return drawn


def _no_softmaxes(rows: Sequence[str]) -> list[Refuted]:
    """A softmax of several numbers is neither 0 nor 1; and what is worked out from one that is said to be."""
    states = [(found[1], found[2]) for row in rows if (found := _STATES.fullmatch(row))]
    soft = dict.fromkeys(label for label, right in states if _SOFTMAX.match(right))
    refuted = []
    for label in soft:
        said = dict.fromkeys(
            found[1] for mine, right in states if mine == label and (found := _ZERO_OR_ONE.fullmatch(right))
        )
        if not said:
            continue
        using = {mine for mine, right in states if mine != label and label in right}
        bases = {mine.partition("_")[0] for mine in using}
        resting = [
            mine for mine, _ in states if mine.partition("_")[0] in bases and re.search(r"_\{?\d", mine)
        ]
        says = f"{label} is said to be a softmax, and to be {' and '.join(said)}: {_NEITHER}"
        if resting := list(dict.fromkeys(resting)):
            says += f"; no key is made of {', '.join(resting)}, worked out from it"
        refuted.append(Refuted(label, says, tuple(resting)))
    return refuted
