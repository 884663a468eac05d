"""A derivation as typed comes in; its lines go out, each an expression or an equation as trees."""

from __future__ import annotations

import re
from dataclasses import dataclass

from autograder.errors import AnswerError
from autograder.text.analysis.parse import Parser
from autograder.text.analysis.read import Side, split_tokens
from autograder.text.analysis.scope import Scope, is_constant
from autograder.text.analysis.words import split_word
from autograder.text.equation.lexer import Token, Unreadable, check_brackets, read_tokens

LONGEST, MOST_LINES = 6000, 60
EXAMPLE = "a first line such as  f = 2x + 2x,  then  = 4x"
# What is said beside a line, and is no part of it.
REMARK = re.compile(
    r"\\text\{[^{}]*\s[^{}]*\}|(?:[,;]|\s)\s*[(\[]?(?:by|since|because|using|as|where|with)\s+[A-Za-z].*$",
    re.M,
)
IMPLIES = re.compile(r"=+>")
BREAKS = ("newline", "->", ";")


@dataclass(frozen=True)
class DerivationLine:
    """One line: its number, what stands before the first sign of equality as typed, and its sides."""

    number: int
    label: str
    sides: tuple[Side, ...]


def read_derivation(text: str, scope: Scope) -> tuple[DerivationLine, ...]:
    """Every line with something on it. AnswerError names the line that cannot be read."""
    if len(text) > LONGEST:
        raise AnswerError(f"the answer has {len(text)} characters: write at most {LONGEST}")
    lines: list[DerivationLine] = []
    for number, tokens in enumerate(_rows(IMPLIES.sub(r" \\Rightarrow ", REMARK.sub("", text))), start=1):
        if number > MOST_LINES:
            raise AnswerError(f"the answer has more than {MOST_LINES} lines: write the steps that matter")
        try:
            check_brackets(tokens)
            lines.append(_line(number, tokens, scope, lines))
        except AnswerError as error:
            raise AnswerError(f"line {number}: {error}") from None
    if not lines:
        raise AnswerError(f"there is nothing to read: write {EXAMPLE}")
    return tuple(lines)


def _rows(text: str) -> list[list[Token]]:
    rows: list[list[Token]] = [[]]
    depth = 0
    for token in read_tokens(text):
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(token.kind, 0)
        if token.kind in BREAKS and depth <= 0:
            rows.append([])
        else:
            rows[-1].append(token)
    trimmed = []
    for row in rows:
        while row and row[-1].kind in (".", ","):
            row = row[:-1]
        if row:
            trimmed.append(row)
    return trimmed


def _line(number: int, tokens: list[Token], scope: Scope, before: list[DerivationLine]) -> DerivationLine:
    pieces = split_tokens(tokens, ("=",))
    continues = len(pieces) > 1 and not pieces[0]
    if len(pieces) > 1 and not pieces[-1]:
        raise AnswerError("nothing stands behind the last '=': write the next step there")
    if continues:
        return DerivationLine(number, "", tuple(_side(piece, scope) for piece in pieces[1:]))
    first = "".join(token.text for token in pieces[0])
    if len(pieces) > 1 and (_is_label(pieces[0], scope) or any(line.label == first for line in before)):
        return DerivationLine(number, first, tuple(_side(piece, scope) for piece in pieces[1:]))
    return DerivationLine(number, "", tuple(_side(piece, scope) for piece in pieces))


def _is_label(tokens: list[Token], scope: Scope) -> bool:
    """What only names the thing that is derived: dL/dw, f(x), ∇f."""
    if any(token.text in ("partial", "nabla", "∇") or token.text.startswith("d") for token in tokens):
        declared = any(
            token.kind == "name" and token.text.startswith("d") and scope.find(token.text) for token in tokens
        )
        return not declared
    names = [token.text for token in tokens if token.kind == "name"]
    if not names or scope.builtin(names[0]) is not None or len(names[0]) > 3:
        return False
    pieces = split_word(names[0], scope, ())  # IJ is I times J, and e is no label
    return not all(scope.find(piece) or is_constant(piece, scope) for piece in pieces)


def _side(tokens: list[Token], scope: Scope) -> Side:
    if not tokens:
        raise AnswerError("nothing stands between two signs of equality: write the step there")
    parser = Parser(tokens, scope)
    try:
        first = parser.whole()
    except Unreadable as error:
        raise AnswerError(str(error)) from None
    if not parser.doubtful:
        return Side((first,))
    other = Parser(tokens, scope, tight=False).whole()
    return Side((first,) if other == first else (first, other))
