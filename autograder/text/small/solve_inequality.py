"""A side of an inequality that holds its variable, as c x + d, comes in; what it says of x goes out."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from autograder.text.expression.tree import Add, Const, Expr, Mul, Num, Pow, Sym, add, div, mul, names_in, neg
from autograder.text.formula.evaluate import value_at

ZERO, ONE = Num(Fraction(0)), Num(Fraction(1))


@dataclass(frozen=True)
class LinearSide:
    """A side c x + d: c is positive, or negative, whatever the positive names of the question are."""

    times: Expr
    plus: Expr | None
    is_falling: bool  # c is negative: dividing by it turns the signs round

    def solved(self, other: Expr) -> Expr:
        """What x is where this side is the other one."""
        away = other if self.plus is None else add(other, neg(self.plus))
        return away if away == ZERO or self.times == ONE else div(away, self.times)


def linear_side(side: Expr, variable: str) -> LinearSide | None:
    """The side as c x + d; None where it is no such thing, or the sign of c is not certain."""
    collected = _collected(side, variable)
    if collected is None or not collected[0]:
        return None
    times, plus = (add(*terms) if len(terms) > 1 else (*terms, None)[0] for terms in collected)
    assert times is not None
    sign = _sign(times)
    return LinearSide(times, plus, sign < 0) if sign else None


def _collected(node: Expr, variable: str) -> tuple[list[Expr], list[Expr]] | None:
    """The terms of c and of d, where x is added and multiplied and nothing else."""
    if variable not in names_in(node):
        return [], [node]
    match node:
        case Sym():
            return [ONE], []
        case Add(terms=terms):
            pieces = [_collected(term, variable) for term in terms]
            if any(piece is None for piece in pieces):
                return None
            kept = [piece for piece in pieces if piece is not None]
            return [each for piece in kept for each in piece[0]], [
                each for piece in kept for each in piece[1]
            ]
        case Mul(factors=factors):
            holding = [factor for factor in factors if variable in names_in(factor)]
            inner = _collected(holding[0], variable) if len(holding) == 1 else None
            if inner is None:
                return None
            rest = [factor for factor in factors if factor is not holding[0]]
            one, other = ([_product(term, rest) for term in terms] for terms in inner)
            return one, other
    return None


def _product(term: Expr, rest: list[Expr]) -> Expr:
    factors = [*([] if term == ONE else [term]), *rest]
    return mul(*factors) if len(factors) > 1 else factors[0]


def _sign(node: Expr) -> int:
    """1 or -1 where that is certain of positive names; 0 where it is not."""
    if not names_in(node):
        value = value_at(node, {})
        return 0 if value is None else (value > 0) - (value < 0)
    match node:
        case Sym() | Const():
            return 1
        case Mul(factors=factors):
            sign = 1
            for factor in factors:
                sign *= _sign(factor)
            return sign
        case Add(terms=terms):
            signs = {_sign(term) for term in terms}
            return signs.pop() if len(signs) == 1 else 0
        case Pow(base=base):
            return int(_sign(base) > 0)
    return 0
