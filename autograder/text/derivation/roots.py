"""An equation comes in as what must vanish; the values of one name at which it does go out."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal, localcontext

from autograder.text.analysis.decide import DIGITS, value_at
from autograder.text.analysis.evaluate import SIDE, Point, Rows, Value
from autograder.text.expression.tree import Call, Expr, Many, Num, Pow, names_in, walk

SMALL_VALUE = Decimal(10) ** -25
ROOT_VALUE = Decimal(10) ** -45
LEAST_ROOT = Decimal(10) ** -6  # of what is positive: anything smaller is zero
ROUND = Decimal(10) ** -20  # a root so close to a short number is that number
FARTHEST = Decimal(10) ** 12  # what grows less than a root divided out is small there, and vanishes nowhere
MOST_SECANTS, OF_POLYNOMIALS = 60, 250  # a double root is approached slowly
MOST_ROOTS, LARGEST_DEGREE = 6, 5
STARTS = tuple(map(Decimal, ("0.3", "2", "-1", "0.9", "40", "-7")))
GRID = tuple(Decimal(2) ** power / 3 for power in range(-12, 10))

At = Callable[[Decimal], Decimal | None]


@dataclass(frozen=True)
class Roots:
    """Where an equation holds in one name, the others given, and whether it holds nowhere else."""

    found: tuple[Value, ...] = ()
    are_all: bool = False


def roots_in(residual: Expr, name: str, point: Point) -> Roots:
    """The values that a name may have, by what is declared of it, at which the residual vanishes."""
    if name in (*point.scope.matrices, *point.scope.vectors):
        solved = _solved(residual, name, point)
        return Roots() if solved is None else Roots((solved,), are_all=True)

    def at(x: Decimal) -> Decimal | None:
        there = value_at(residual, with_value(point, name, x))
        return there if isinstance(there, Decimal) else None

    degree = _degree(at) if _may_be_polynomial(residual, name) else None
    found = _looked_for(at, degree)
    is_real = name in point.scope.reals
    inside = tuple(root for root in found if is_real or root > LEAST_ROOT)
    are_all = len(found) == degree or (len(found) == 1 and _is_monotone(at, is_real))
    return Roots(inside, are_all)


def with_value(point: Point, name: str, chosen: Value) -> Point:
    return Point({**point.values, name: chosen}, point.scope, point.seed)


# ---------------------------------------------------------------- numbers


def _may_be_polynomial(residual: Expr, name: str) -> bool:
    """Whether no root, function or exponent has the name in it: |x| is a line to the right of zero alone."""
    for node in walk(residual):
        match node:
            case Pow(_, Num(value)) if value.denominator == 1:
                continue
            case Call() | Pow() | Many() if name in names_in(node):
                return False
    return True


def _degree(at: At) -> int | None:
    """Of a polynomial in the name, by differences that vanish; None of anything else."""
    row = [at(Decimal(x)) for x in range(1, LARGEST_DEGREE + 4)]
    values = [each for each in row if each is not None]
    if len(values) < len(row):
        return None
    largest = max(Decimal(1), *map(abs, values))
    with localcontext() as context:
        context.prec = DIGITS
        for degree in range(LARGEST_DEGREE + 1):
            if all(abs(each) <= SMALL_VALUE * largest for each in values[1:]) and degree == 0:
                return None  # it vanishes everywhere
            values = [after - before for before, after in itertools.pairwise(values)]
            if all(abs(each) <= SMALL_VALUE * largest for each in values):
                return degree
    return None


def _looked_for(at: At, degree: int | None) -> tuple[Decimal, ...]:
    """Root after root: each is divided out before the next is looked for."""
    steps = MOST_SECANTS if degree is None else OF_POLYNOMIALS
    found: list[Decimal] = []

    def rest(x: Decimal) -> Decimal | None:
        there = at(x) if abs(x) < FARTHEST else None
        if there is None:
            return None
        for root in found:
            if x == root:
                return None
            there /= x - root
        return there

    while len(found) < (degree or MOST_ROOTS):
        with localcontext() as context:
            context.prec = DIGITS
            new = next((root for start in STARTS if (root := _secants(rest, start, steps)) is not None), None)
            if new is None:
                break
            found.append(_rounded(new, at))
    return tuple(found)


def _secants(at: At, start: Decimal, steps: int) -> Decimal | None:
    one, two = start, start * Decimal("1.01")
    low, high = at(one), at(two)
    for _ in range(steps):
        if low is None or high is None:
            return None
        if abs(high) < ROOT_VALUE:
            return two
        if high == low:
            return None
        one, two = two, two - high * (two - one) / (high - low)
        low, high = high, at(two)
    return None


def _rounded(root: Decimal, at: At) -> Decimal:
    """1 for 1.000…0001, where another equation may have no value at all."""
    short = root.quantize(ROUND) if abs(root) < 1 / ROUND else root
    there = at(short)
    return short if there is None or abs(there) < ROOT_VALUE else root


def _is_monotone(at: At, is_real: bool) -> bool:
    """Whether what has one root has no other, by its values on a grid."""
    points = [*(-x for x in reversed(GRID)), Decimal(0), *GRID] if is_real else list(GRID)
    values = [there for x in points if (there := at(x)) is not None]
    pairs = list(itertools.pairwise(values))
    return len(values) > len(GRID) // 2 and (all(a <= b for a, b in pairs) or all(a >= b for a, b in pairs))


# ---------------------------------------------------------------- matrices


def _solved(residual: Expr, name: str, point: Point) -> Rows | None:
    """The matrix or vector at which a residual that is linear in it vanishes, where there is just one."""
    width = SIDE if name in point.scope.matrices else 1
    count = SIDE * width

    def shaped(entries: list[Decimal]) -> Rows:
        return tuple(tuple(entries[row * width : (row + 1) * width]) for row in range(SIDE))

    def at(entries: list[Decimal]) -> list[Decimal] | None:
        there = value_at(residual, with_value(point, name, shaped(entries)))
        if there is None or isinstance(there, Decimal) or len(there) * len(there[0]) != count:
            return None
        return [entry for row in there for entry in row]

    units = [[Decimal(int(i == j)) for i in range(count)] for j in range(count)]
    trial = [Decimal(3 * i + 2) for i in range(count)]
    start, tried = at([Decimal(0)] * count), at(trial)
    columns = [at(unit) for unit in units]
    if start is None or tried is None or any(column is None for column in columns):
        return None
    with localcontext() as context:
        context.prec = DIGITS
        slopes = [[a - b for a, b in zip(column, start, strict=True)] for column in columns if column]
        expected = [
            b + sum(x * slope[i] for x, slope in zip(trial, slopes, strict=True)) for i, b in enumerate(start)
        ]
        if any(
            abs(a - b) > SMALL_VALUE * max(Decimal(1), abs(a)) for a, b in zip(tried, expected, strict=True)
        ):
            return None
        solution = _eliminated([[*(slope[i] for slope in slopes), -start[i]] for i in range(count)])
    return None if solution is None else shaped(solution)


def _eliminated(rows: list[list[Decimal]]) -> list[Decimal] | None:
    """The one solution of as many linear equations as unknowns, each row ending in its right side."""
    for column in range(len(rows)):
        best = max(range(column, len(rows)), key=lambda row: abs(rows[row][column]))
        if abs(rows[best][column]) < SMALL_VALUE:
            return None
        rows[column], rows[best] = rows[best], rows[column]
        pivot = [entry / rows[column][column] for entry in rows[column]]
        rows = [
            pivot if at == column else [a - row[column] * b for a, b in zip(row, pivot, strict=True)]
            for at, row in enumerate(rows)
        ]
    return [row[-1] for row in rows]
