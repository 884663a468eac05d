"""An answer as typed comes in; its outputs go out, each with its sides as trees."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from autograder.errors import AnswerError
from autograder.text.analysis.decide import AssumedBound, World
from autograder.text.analysis.parse import Parser
from autograder.text.analysis.scope import Scope
from autograder.text.equation.lexer import Token, check_brackets, read_tokens
from autograder.text.expression.tree import Call, Const, Expr, Sym, names_in
from autograder.text.step_bound import remembered
from autograder.text.symbols import OPENING

LONGEST = 2000
EQUALS = ("=", "->")
INEQUALITIES = ("<", ">", "<=", ">=", "!=", "<<", ">>")
SEPARATORS = (",", ";", "newline")
PRIMES = re.compile(r"\^\s*(?:\\prime(?![A-Za-z])|\{(?:\s*\\prime(?![A-Za-z]))+\s*\})")  # f^\prime
NOTHING = "there is nothing to read: write a formula"


@dataclass(frozen=True)
class Side:
    """One side of an equation, in each way in which it can be read."""

    readings: tuple[Expr, ...]

    @property
    def first(self) -> Expr:
        return self.readings[0]


@dataclass(frozen=True)
class Output:
    """One output: what it calls itself, if anything, and the expressions it is said to equal."""

    sides: tuple[Side, ...]
    label: Expr | None = None


@remembered(maxsize=4096)
def read_outputs(text: str, scope: Scope, several: bool) -> tuple[Output, ...]:
    """The outputs of an answer; AnswerError where it cannot be read."""
    tokens = _tokens(text)
    pieces = _pieces(tokens) if several else [[t for t in tokens if t.kind != "newline"]]
    outputs = tuple(_output(piece, scope) for piece in pieces if piece)
    if not outputs:
        raise AnswerError(NOTHING)
    return outputs


def read_expression(text: str, scope: Scope) -> Side:
    """One expression alone."""
    return _side([token for token in _tokens(text) if token.kind != "newline"], scope)


def _tokens(text: str) -> list[Token]:
    if len(text) > LONGEST:
        raise AnswerError(f"the answer has {len(text)} characters: write at most {LONGEST}")
    tokens = read_tokens(PRIMES.sub(lambda found: "'" * found[0].count("prime"), text))
    while tokens and tokens[-1].kind in (".", ",", ";", "newline"):
        tokens = tokens[:-1]
    check_brackets(tokens)
    return tokens


def _side(tokens: Sequence[Token], scope: Scope) -> Side:
    if not tokens:
        raise AnswerError(NOTHING)
    parser = Parser(tokens, scope)
    first = parser.whole()
    if not parser.doubtful:
        return Side((first,))
    other = Parser(tokens, scope, tight=False).whole()
    return Side((first,) if other == first else (first, other))


def _output(tokens: Sequence[Token], scope: Scope) -> Output:
    pieces = split_tokens(tokens, EQUALS)
    if len(pieces) > 1 and not pieces[0]:
        pieces = pieces[1:]
    if any(_is_inequality(piece) for piece in pieces):
        raise AnswerError("an inequality is no exact answer: write one expression")
    label = _label(pieces[0], scope) if len(pieces) > 1 else None
    sides = tuple(_side(piece, scope) for piece in (pieces if label is None else pieces[1:]))
    return Output(sides, label)


def _is_inequality(tokens: Sequence[Token]) -> bool:
    """Whether a sign of order stands there: <a, b> is an inner product, and has none."""
    depth, signs = 0, ""
    for token in tokens:
        depth += 1 if token.kind in OPENING else -1 if token.kind in OPENING.values() else 0
        outside = depth == 0 and (token.kind == "," or token.kind in INEQUALITIES)
        signs += token.kind if outside and len(token.kind) == 1 else "?" if outside else "x"
    return bool(re.search(r"[<>?]", re.sub(r"<x+,x+>", "", signs)))


def _label(tokens: Sequence[Token], scope: Scope) -> Expr | None:
    """A left side that only names what is worked out: a name, f(x), P(A | B)."""
    try:
        node = _side(tokens, scope).first
    except AnswerError:
        if tokens and all(token.kind in ("name", "number", "_", "{", "}", "^", ",") for token in tokens):
            return Sym("".join(token.text for token in tokens))
        raise
    if isinstance(node, Sym | Const) or (isinstance(node, Call) and scope.is_function(node.name)):
        return node
    if tokens[0].kind == "name" and len(tokens) > 1 and tokens[1].kind == "(" and tokens[-1].kind == ")":
        undeclared = scope.find(tokens[0].text) is None and scope.builtin(tokens[0].text) is None
        return Sym("".join(token.text for token in tokens)) if undeclared else None  # f(x) = …
    return None


def _pieces(tokens: list[Token]) -> list[list[Token]]:
    """The tokens split where several outputs are, without brackets around the whole list."""
    closing = OPENING.get(tokens[0].kind) if tokens else None
    if closing and tokens[-1].kind == closing and len(split_tokens(tokens, SEPARATORS, _is_and)) == 1:
        inner = split_tokens(tokens[1:-1], SEPARATORS, _is_and)
        if len(inner) > 1:
            return inner
    equation = split_tokens(tokens, EQUALS)
    if len(equation) == 2 and len(equation[1]) > 2 and equation[1][0].kind in OPENING:
        inner = split_tokens(equation[1][1:-1], SEPARATORS, _is_and)
        if len(inner) > 1 and len(split_tokens(equation[1], SEPARATORS, _is_and)) == 1:
            return inner  # lambda = {1, 3}
    return split_tokens(tokens, SEPARATORS, _is_and)


def _is_and(token: Token) -> bool:
    return token.kind == "name" and token.text == "and"


def split_tokens(tokens: Sequence[Token], kinds: Sequence[str], also: object = None) -> list[list[Token]]:
    """The tokens between separators that stand outside of all brackets."""
    pieces: list[list[Token]] = [[]]
    depth = 0
    for token in tokens:
        depth += 1 if token.kind in OPENING else -1 if token.kind in OPENING.values() else 0
        apart = token.kind in kinds or (callable(also) and also(token))
        if apart and depth == 0:
            pieces.append([])
        else:
            pieces[-1].append(token)
    return pieces


# ---------------------------------------------------------------- what a question assumes


@remembered(maxsize=512)
def world_of(scope: Scope, assumptions: tuple[str, ...]) -> World:
    """Values, bounds and symmetric matrices that the assumptions give."""
    values: dict[str, Expr] = {}
    bounds: list[AssumedBound] = []
    symmetric: set[str] = set()
    unsolved: set[str] = set()
    independent = False
    for text in assumptions:
        try:
            signs, sides = _relation(text, scope)
        except AnswerError as error:
            raise AnswerError(f"assumption '{text}': {error}") from None
        if any(isinstance(node, Call) and scope.is_function(node.name) for side in sides for node in [side]):
            independent = True
        for sign, left, right in zip(signs, sides, sides[1:], strict=False):
            if sign != "=":
                bounds.append(AssumedBound(sign, left, right))
            elif matrix := _symmetric(left, right):
                symmetric.add(matrix)
            elif isinstance(left, Sym) and left.name not in names_in(right):
                values[left.name] = right
            elif isinstance(right, Sym) and right.name not in names_in(left):
                values[right.name] = left
            else:
                independent = True
                if not any(isinstance(node, Call) and scope.is_function(node.name) for node in (left, right)):
                    unsolved |= {*names_in(left), *names_in(right)}
    return World(scope, values, tuple(bounds), frozenset(symmetric), frozenset(unsolved), independent)


def _relation(text: str, scope: Scope) -> tuple[list[str], list[Expr]]:
    tokens = [token for token in _tokens(text) if token.kind != "newline"]
    kinds = ("=", *INEQUALITIES)
    signs = [token.kind for token in tokens if token.kind in kinds]
    pieces = split_tokens(tokens, kinds)
    if len(pieces) != len(signs) + 1 or not signs:
        raise AnswerError("write a value or a bound, such as I = J/K or 0 < p < 1")
    return signs, [_side(piece, scope).first for piece in pieces]


def _symmetric(left: Expr, right: Expr) -> str | None:
    """A = A^T says that A is symmetric."""
    for one, other in ((left, right), (right, left)):
        if isinstance(one, Sym) and other == Call("transpose", (one,)):
            return one.name
    return None
