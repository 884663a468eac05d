"""A declared function and its arguments, expressions or events, some after a bar: P(A, B | C)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from autograder.text.expression.tree import RELATIONS, Call, Expr, Pow
from autograder.text.symbols import OPENING

if TYPE_CHECKING:
    from autograder.text.analysis.parse import Parser

AND = ("cap", "wedge", "and", "∩", "∧", "land", "&")
OR = ("cup", "vee", "or", "∪", "∨", "lor")
NOT = ("neg", "lnot", "not", "¬")
INFIX = (*AND, *OR, "given", "mid")


def apply_declared(parser: Parser, name: str) -> Expr:
    """A declared function: its arguments are expressions or events, some of them after a bar."""
    power = parser.exponent() if parser.accept("^") else None
    if parser.peek().kind not in ("(", "[", "{"):
        raise parser.fail(f"write what {name} is of in brackets, such as {name}(…)")
    opening = parser.take().kind
    bars, parser.bars = parser.bars, ""
    parser.conditions += 1
    args = events(parser)
    given: list[Expr] = []
    if parser.accept("|") or parser.is_word(("given", "mid")):
        if parser.is_word(("given", "mid")):
            parser.take()
        given = events(parser)
    parser.conditions -= 1
    parser.bars = bars
    parser.expect(OPENING[opening])
    node = Call(name, tuple(args), tuple(given))
    return node if power is None else Pow(node, power)


def events(parser: Parser) -> list[Expr]:
    found = [event(parser)]
    while parser.accept(",", ";"):
        found.append(event(parser))
    return found


def event(parser: Parser) -> Expr:
    parts = [event_and(parser)]
    while parser.is_word(OR):
        parser.take()
        parts.append(event_and(parser))
    return parts[0] if len(parts) == 1 else Call("or", tuple(parts))


def event_and(parser: Parser) -> Expr:
    parts = [event_not(parser)]
    while parser.is_word(AND):
        parser.take()
        parts.append(event_not(parser))
    return parts[0] if len(parts) == 1 else Call("and", tuple(parts))


def event_not(parser: Parser) -> Expr:
    if parser.is_word(NOT):
        parser.take()
        return Call("not", (event_not(parser),))
    if parser.peek().kind == "(" and holds_event(parser):
        parser.take()
        node = event(parser)
        parser.expect(")")
        return node
    node = parser.sum()
    if parser.peek().kind in RELATIONS:
        return Call(parser.take().kind, (node, parser.sum()))
    return node


def holds_event(parser: Parser) -> bool:
    """Whether the bracket that opens here has a union or an intersection in it."""
    depth = 0
    for token in parser.tokens[parser.at :]:
        depth += {"(": 1, ")": -1}.get(token.kind, 0)
        if depth == 0:
            return False
        if token.kind in ("name", "strange") and token.text in (*AND, *OR, *NOT):
            return True
    return False
