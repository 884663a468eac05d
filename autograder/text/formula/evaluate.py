"""A second opinion: expression trees come in, their values at random points go out."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from decimal import Decimal, DecimalException, localcontext

from autograder.text.analysis.decimal_functions import NoValue
from autograder.text.analysis.evaluate import Point as Place
from autograder.text.analysis.evaluate import value
from autograder.text.analysis.scope import Scope
from autograder.text.expression.tree import Call, Expr, walk

DIGITS = 50
CLOSE = Decimal(10) ** -30
POINTS = 3
WHOLE = ("factorial", "binom", "ceil", "floor")
POSITIVE = Scope()

Point = Mapping[str, Decimal]


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
            found = value(tree, Place(point, POSITIVE, ""))
        except (NoValue, DecimalException, ZeroDivisionError, OverflowError):
            return None
        return found if isinstance(found, Decimal) else None
