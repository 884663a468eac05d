"""Norms and inner products that a question gives: ||d|| = beta and <a, b> = 0, put into what is typed."""

from __future__ import annotations

import re
from dataclasses import dataclass

from autograder.errors import AnswerError
from autograder.text.expression.names import squeeze
from autograder.text.fold import fold

_NAME = r"\s*(?:\\(?:vec|mathbf|boldsymbol|bm)\s*\{?\s*)?(\\?[A-Za-z](?:_?\{?\w+\}?)?)\s*\}?\s*"
_OPEN, _CLOSE = r"(?:\\left\s*)?", r"(?:\\right\s*)?"
_BARS = r"(?:\|\|?|\\\||\\[lr]?[Vv]ert(?![A-Za-z]))"
NORM = re.compile(rf"{_OPEN}{_BARS}{_NAME}{_CLOSE}{_BARS}(?:_\{{?2\}}?)?")
_TURNED = r"\^\s*[({]?\s*(?:T|\\top|\\intercal|\\mathsf\s*\{?T\}?)\s*[)}]?"
_LEFT, _RIGHT = r"(?:<|\\langle)", r"(?:>|\\rangle)"
INNER = re.compile(
    rf"{_OPEN}{_LEFT}{_NAME},{_NAME}{_CLOSE}{_RIGHT}"
    rf"|(?<![A-Za-z])dot\s*\({_NAME},{_NAME}\)"
    rf"|(?<![A-Za-z_\\]){_NAME}(?:{_TURNED}|\\cdot(?![A-Za-z])|\.){_NAME}(?![A-Za-z(])"
)


@dataclass(frozen=True)
class Given:
    """The values of norms and inner products, as text, by the squeezed names of their vectors."""

    norms: dict[str, str]
    products: dict[frozenset[str], str]

    def put_in(self, text: str) -> str:
        """The text with each norm and inner product that is given replaced by its value."""
        if not self.norms and not self.products:
            return text
        text = INNER.sub(self._product, fold(text).text)
        return NORM.sub(self._norm, text)

    def _norm(self, found: re.Match[str]) -> str:
        value = self.norms.get(squeeze(found[1]))
        return found[0] if value is None else _factor(found, value)

    def _product(self, found: re.Match[str]) -> str:
        pair = frozenset(squeeze(name) for name in found.groups() if name)
        value = self.products.get(pair)
        if value is None and len(pair) == 1 and (norm := self.norms.get(next(iter(pair)))) is not None:
            value = f"({norm})^2"
        return found[0] if value is None else _factor(found, value)


def _factor(found: re.Match[str], value: str) -> str:
    """The value in brackets; after a number with a sign, since 2(0) looks like a slip."""
    times = "*" if re.search(r"\d\s*$", found.string[: found.start()]) else ""
    return f"{times}({value})"


def split_given(assumptions: tuple[str, ...]) -> tuple[Given, tuple[str, ...]]:
    """What the assumptions say of norms and inner products, and the other assumptions."""
    given = Given({}, {})
    rest: list[str] = []
    for text in assumptions:
        *sides, value = (side.strip() for side in fold(text).text.split("="))
        norms = [NORM.fullmatch(side) for side in sides]
        inners = [INNER.fullmatch(side) for side in sides]
        if not any((*norms, *inners)):
            rest.append(text)
            continue
        for norm, inner in zip(norms, inners, strict=True):
            if norm:
                given.norms[squeeze(norm[1])] = value
            elif inner:
                given.products[frozenset(squeeze(name) for name in inner.groups() if name)] = value
            else:
                raise AnswerError(f"assumption '{text}': write norms and products before the one value")
    return given, tuple(rest)
