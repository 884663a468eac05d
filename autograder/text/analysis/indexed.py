"""Sums, products and the like over an index: sum_{i=1}^n x_i, sum(i^2, i=1..n), max_i x_i."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from autograder.errors import AnswerError
from autograder.text.equation.lexer import Token
from autograder.text.expression.tree import Expr, Many
from autograder.text.symbols import OPENING

if TYPE_CHECKING:
    from autograder.text.analysis.parse import Parser


def over_index(parser: Parser, name: str) -> Expr:
    """A sum or product with its index below and its end above, in either order."""
    if parser.peek().kind == "(":
        return listed(parser, name)
    lower: list[Token] = []
    high: Expr | None = None
    while parser.peek().kind in ("_", "^"):
        if parser.take().kind == "_":
            lower = parser.subscript()[0]
        else:
            high = parser.exponent()
    if not lower:
        raise parser.fail(f"write the index of the {name} below it, such as {name}_{{i=1}}^n")
    if any(token.kind == "=" for token in lower):
        at = next(i for i, token in enumerate(lower) if token.kind == "=")
        if high is None or at != 1:
            raise parser.fail(f"write both ends of the {name}, such as {name}_{{i=1}}^n")
        return over(parser, name, [lower[0].text], parser.inside(lower[2:]), high)
    if high is not None:
        raise parser.fail(f"write where the {name} begins, such as {name}_{{i=1}}^n")
    return over(parser, name, indices_of(lower))


def over(
    parser: Parser, name: str, indices: list[str], low: Expr | None = None, high: Expr | None = None
) -> Expr:
    parser.bound += indices
    body = parser.term()
    del parser.bound[len(parser.bound) - len(indices) :]
    for index in reversed(indices):
        body = Many(name, index, body, low, high)
    return body


def listed(parser: Parser, name: str) -> Expr:
    """sum(i^2, i=1..n) and sum(i^2, i, 1, n)."""
    start, depth, commas = parser.at, 0, []
    for at in range(parser.at, len(parser.tokens)):
        kind = parser.tokens[at].kind
        depth += 1 if kind in OPENING else -1 if kind in OPENING.values() else 0
        if kind == "," and depth == 1:
            commas.append(at)
        if depth == 0:
            break
    if not commas or depth:
        raise parser.fail(f"write {name}_{{i=1}}^n, or {name}(…, i=1..n)")
    body, rest = parser.tokens[start + 1 : commas[0]], list(parser.tokens[commas[0] + 1 : at])
    index, *ends = rest
    pieces = _split(ends[1:], "dots" if len(commas) == 1 else ",")
    if len(pieces) != 2 or not all(pieces):
        raise parser.fail(f"write both ends: {name}(…, i=1..n)")
    low, high = (parser.inside(piece) for piece in pieces)
    parser.bound.append(index.text)
    inner = parser.inside(body)
    parser.bound.pop()
    parser.at = at + 1
    return Many(name, index.text, inner, low, high)


def indices_of(tokens: Sequence[Token]) -> list[str]:
    names = [token.text for token in tokens if token.kind == "name"]
    if not names or any(token.kind not in ("name", ",") for token in tokens):
        raise AnswerError("the index of a sum stands alone below it, or with both ends: sum_{i=1}^n")
    return names


def _split(tokens: Sequence[Token], kind: str) -> list[list[Token]]:
    pieces: list[list[Token]] = [[]]
    for token in tokens:
        if token.kind == kind:
            pieces.append([])
        else:
            pieces[-1].append(token)
    return pieces
