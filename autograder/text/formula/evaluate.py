"""A second opinion: expression trees come in, their values at random points go out."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from decimal import Decimal, DecimalException, localcontext
from fractions import Fraction

from autograder.text.expression.tree import Add, Call, Const, Expr, Mul, Num, Pow, Sym, walk
from autograder.text.patience import spend

DIGITS = 50
CLOSE = Decimal(10) ** -30
POINTS = 3
PI = Decimal("3.14159265358979323846264338327950288419716939937510582097494")
WHOLE = ("factorial", "binom", "ceil", "floor")

Point = Mapping[str, Decimal]


class NoValue(Exception):
    """The expression has no value there, or one too large to hold."""


def agree(left: Expr, right: Expr, names: Sequence[str]) -> bool | None:
    """Whether two expressions have the same values at a few random points; None where they have none."""
    compared = 0
    for point in points(names, left, right):
        a, b = value_at(left, point), value_at(right, point)
        if a is None or b is None:
            continue
        compared += 1
        if not close(a, b):
            return False
    return True if compared else None


def points(names: Sequence[str], *trees: Expr) -> list[dict[str, Decimal]]:
    """Random points, the same for the same names, so that a regrade agrees; whole where a factorial is."""
    source = random.Random(" ".join(sorted(names)))
    calls = {node.name for tree in trees for node in walk(tree) if isinstance(node, Call)}
    if calls.intersection(WHOLE):
        draws = [[source.randint(2, 30) for _ in names] for _ in range(2 * POINTS)]
        return [dict(zip(names, map(Decimal, draw), strict=True)) for draw in draws]
    return [
        {name: Decimal(source.randint(400, 4000)) / Decimal(source.randint(700, 1300)) for name in names}
        for _ in range(POINTS)
    ]


def close(left: Decimal, right: Decimal) -> bool:
    return abs(left - right) <= CLOSE * max(abs(left), abs(right), Decimal(1))


def value_at(tree: Expr, point: Point) -> Decimal | None:
    """The value to fifty digits, or None."""
    with localcontext() as context:
        context.prec = DIGITS
        context.Emax, context.Emin = 5000, -5000
        try:
            return _value(tree, point)
        except (NoValue, DecimalException, ZeroDivisionError, OverflowError):
            return None


def _value(node: Expr, point: Point) -> Decimal:
    spend(4)  # fifty digits
    match node:
        case Num(value):
            return _decimal(value)
        case Const("e"):
            return Decimal(1).exp()
        case Const(_):
            return PI
        case Sym(name):
            return point[name]
        case Add(terms):
            return sum((_value(term, point) for term in terms), Decimal(0))
        case Mul(factors):
            product = Decimal(1)
            for factor in factors:
                product *= _value(factor, point)
            return product
        case Pow(base, exponent):
            return _power(_value(base, point), _value(exponent, point))
        case Call():
            return _call(node, [_value(arg, point) for arg in node.args])


def _decimal(value: Fraction) -> Decimal:
    return Decimal(value.numerator) / Decimal(value.denominator)


def _power(base: Decimal, exponent: Decimal) -> Decimal:
    if base <= 0 and exponent != exponent.to_integral_value():
        raise NoValue
    if base == 0:
        if exponent <= 0:
            raise NoValue
        return base
    if abs(exponent) * (abs(base).adjusted() + 1) > 4000:
        raise NoValue
    return base**exponent


def _call(node: Call, args: list[Decimal]) -> Decimal:
    first = args[0]
    match node.name:
        case "ln" | "log":
            if first <= 0 or (len(args) == 2 and args[1] <= 0):
                raise NoValue
            return first.ln() / (args[1].ln() if len(args) == 2 else 1)
        case "max":
            return max(args)
        case "min":
            return min(args)
        case "abs":
            return abs(first)
        case "ceil":
            return first.to_integral_value("ROUND_CEILING")
        case "floor":
            return first.to_integral_value("ROUND_FLOOR")
        case "factorial":
            return _falling(first, first)
        case "binom":
            return _falling(first, args[1]) / _falling(args[1], args[1])
    raise NoValue


def _falling(top: Decimal, steps: Decimal) -> Decimal:
    if top != top.to_integral_value() or steps != steps.to_integral_value() or not 0 <= steps <= 500:
        raise NoValue
    out = Decimal(1)
    for step in range(int(steps)):
        out *= top - step
    return out
