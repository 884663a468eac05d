"""The functions that every formula may hold, with their arguments: sin 2x, log_2 n, max_i x_i."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from autograder.text.analysis.events import INFIX
from autograder.text.analysis.indexed import indices_of, over
from autograder.text.analysis.scope import BINDERS, BINDING, SPELLINGS
from autograder.text.analysis.words import spelled
from autograder.text.expression.tree import Call, E, Expr, Num, Pow, add, inverse, mul
from autograder.text.symbols import OPENING

if TYPE_CHECKING:
    from autograder.text.analysis.parse import Parser

HALF = Num(Fraction(1, 2))
ARITY = {"log": (2, 2), "binom": (2, 2), "max": (1, 20), "min": (1, 20), "logsumexp": (1, 20)}


def call(parser: Parser, name: str) -> Expr:
    """A function of our own with its arguments: sin(x), sin x, sin^2 x, log_2 n, max_i x_i."""
    base: Expr | None = None
    power: Expr | None = None
    while parser.peek().kind in ("_", "^"):
        if parser.take().kind == "^":
            power = parser.exponent()
        elif name in BINDING:
            tokens, _ = parser.subscript()
            return over(parser, name, indices_of(tokens))
        else:
            base = parser.inside(parser.subscript()[0])
    args = arguments(parser) if parser.peek().kind in OPENING else [reach(parser)]
    if name in ("ln", "log"):
        args = [args[0], base] if base is not None else args
        name = "log" if len(args) == 2 else "ln"
    if power == Num(Fraction(-1)) and f"arc{name}" in SPELLINGS:
        name, power = f"arc{name}", None
    if name == "norm" and base is not None:
        name = "norm_2" if base == Num(Fraction(2)) else ""
        if not name:
            raise parser.fail("only norm(x) and norm_2(x) are read: write others with sums")
    node = _built(name, args, parser)
    return node if power is None else Pow(node, power)


def arguments(parser: Parser) -> list[Expr]:
    opening = parser.take().kind
    bars, parser.bars = parser.bars, ""
    conditions, parser.conditions = parser.conditions, 0
    args = [parser.sum()]
    while parser.accept(",", ";"):
        args.append(parser.sum())
    parser.bars, parser.conditions = bars, conditions
    parser.expect(OPENING[opening])
    return args


def reach(parser: Parser) -> Expr:
    """What a function without brackets takes: sin 2x, ln x y in doubt; never a further function."""
    factors = parser.factor()
    while parser.peek().kind in ("name", "number") and not parser.is_word(INFIX) and not is_call(parser):
        if not (len(factors) == 1 and isinstance(factors[0], Num)):
            parser.doubtful = True
            if not parser.tight:
                break
        factors += parser.factor()
    return mul(*factors)


def is_call(parser: Parser) -> bool:
    text = spelled(parser.peek().text)
    return parser.scope.builtin(text) is not None or parser.scope.is_function(text) or text in BINDERS


def _built(name: str, args: list[Expr], parser: Parser) -> Expr:
    least, most = ARITY.get(name, (1, 1))
    if not least <= len(args) <= most:
        raise parser.fail(
            f"{name} takes {least if least == most else 'one or more'} arguments, not {len(args)}"
        )
    match name:
        case "exp":
            return Pow(E, args[0])
        case "sqrt":
            return Pow(args[0], HALF)
        case "Gamma":
            return Call("factorial", (add(args[0], Num(Fraction(-1))),))
        case "inv":
            return inverse(args[0])
    return Call(name, tuple(args))
