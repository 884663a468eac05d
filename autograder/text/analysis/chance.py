"""A small model of chance: events and random variables over a few outcomes with made-up weights.

In it every rule of probability holds, so that formulas that differ in it differ for certain, and those that
are equal in it alone (Bayes' rule against what it is derived from) are left to a person.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from autograder.text.analysis.decimal_functions import ZERO, NoValue, over
from autograder.text.analysis.evaluate import Point, scalar, value
from autograder.text.expression.tree import Call, Expr, Sym

OUTCOMES = 24
KNOWN = ("P", "Pr", "E", "Var", "Cov")


@dataclass(frozen=True)
class Chance:
    """The model; `random` are the names that have another value at each outcome."""

    random: frozenset[str]

    def __call__(self, node: Call, point: Point) -> Decimal:
        """The value of P(…), E[…], Var(…) or Cov(…); other functions have none here."""
        weights = [point.drawn("weight", outcome, negative=False) for outcome in range(OUTCOMES)]
        if node.given:
            inside = [_holds(node.given, point, outcome) for outcome in range(OUTCOMES)]
            weights = [weight if kept else ZERO for weight, kept in zip(weights, inside, strict=True)]
        total = sum(weights, ZERO)
        weights = [over(weight, total) for weight in weights]
        match node.name, node.args:
            case "P" | "Pr", args:
                chosen = [_holds(args, point, outcome) for outcome in range(OUTCOMES)]
                return sum((w for w, holds in zip(weights, chosen, strict=True) if holds), ZERO)
            case "E", (arg,):
                return _mean(weights, self._values(arg, point))
            case "Var", (arg,):
                return _covariance(weights, self._values(arg, point), self._values(arg, point))
            case "Cov", (left, right):
                return _covariance(weights, self._values(left, point), self._values(right, point))
        raise NoValue

    def _values(self, node: Expr, point: Point) -> list[Decimal]:
        """A random variable at each outcome. An expectation inside of it is a number."""
        found = []
        for outcome in range(OUTCOMES):
            names = {name: point.drawn("value", name, outcome, negative=True) for name in self.random}
            inner = Point(
                {**point.values, **names},
                point.scope,
                point.seed,
                lambda call, _: self(call, point),
                point.bound,
            )
            found.append(scalar(value(node, inner)))
        return found


def _mean(weights: list[Decimal], values: list[Decimal]) -> Decimal:
    return sum((weight * each for weight, each in zip(weights, values, strict=True)), ZERO)


def _covariance(weights: list[Decimal], left: list[Decimal], right: list[Decimal]) -> Decimal:
    product = _mean(weights, [a * b for a, b in zip(left, right, strict=True)])
    return product - _mean(weights, left) * _mean(weights, right)


def _holds(events: tuple[Expr, ...], point: Point, outcome: int) -> bool:
    return all(_event(event, point, outcome) for event in events)


def _event(event: Expr, point: Point, outcome: int) -> bool:
    match event:
        case Call("and", args):
            return all(_event(arg, point, outcome) for arg in args)
        case Call("or", args):
            return any(_event(arg, point, outcome) for arg in args)
        case Call("not", (arg,)):
            return not _event(arg, point, outcome)
        case Sym(name):
            return point.drawn("event", name, outcome, negative=True) > 0
    raise NoValue
