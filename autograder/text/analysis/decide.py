"""Two formulas come in; equal, different or undecided goes out. What is not certain is undecided.

One point at which two formulas differ, worked out to many digits, proves that they differ. Smooth formulas
that agree at random points to thirty digits are the same; those with steps and corners are compared at many
more points, around their own numbers among them. Of declared functions nothing is known but what is written.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from decimal import Decimal, DecimalException, localcontext
from enum import StrEnum
from fractions import Fraction

from autograder.text.analysis.chance import KNOWN, Chance
from autograder.text.analysis.decimal_functions import NoValue
from autograder.text.analysis.evaluate import SIDE, Point, Value, decimal, value
from autograder.text.analysis.scope import Scope
from autograder.text.expression.tree import (
    RELATIONS,
    Call,
    Entry,
    Expr,
    Many,
    Num,
    Sym,
    children,
    names_in,
    walk,
    worked_out,
)

DIGITS, MORE_DIGITS = 60, 150
CLOSE, CLOSER = Decimal(10) ** -28, Decimal(10) ** -70
SMOOTH_POINTS, CORNERED_POINTS = 6, 60
FEWEST = 3  # points at which both have a value
CORNERS = ("abs", "max", "min", "relu", "relu'", "sign")
STEPS = ("floor", "ceil")
MOST_CORNERS = 12
LARGEST_NUMBER, LEAST_NUMBER = Fraction(10) ** 9, Fraction(1, 10**9)


class Decision(StrEnum):
    """What two formulas are to each other."""

    EQUAL = "equal"
    DIFFERENT = "different"
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class AssumedBound:
    """A bound that a question assumes: left < right."""

    sign: str
    left: Expr
    right: Expr


@dataclass(frozen=True)
class World:
    """What a question declares and assumes."""

    scope: Scope
    values: dict[str, Expr] = field(default_factory=dict)  # I = J/K
    bounds: tuple[AssumedBound, ...] = ()
    symmetric: frozenset[str] = frozenset()
    unsolved: frozenset[str] = frozenset()  # the names of what is assumed and not modelled: d^T d = beta^2
    independent: bool = False  # something is assumed of declared functions that no model here has

    def place(self, node: Expr) -> Expr:
        return worked_out(node, self.values)


def decide(mine: Expr, key: Expr, world: World) -> Decision:
    """Whether two formulas have the same values wherever the key has one."""
    mine, key = world.place(mine), world.place(key)
    if mine == key:
        return Decision.EQUAL
    found = _compare(mine, key, world)
    applied = _functions_in(mine, world.scope) | _functions_in(key, world.scope)
    if found == Decision.DIFFERENT and world.unsolved.intersection({*names_in(mine), *names_in(key)}):
        return Decision.UNDECIDED
    if found != Decision.DIFFERENT or not applied:
        return found
    return _by_chance(mine, key, world, applied)


def _by_chance(mine: Expr, key: Expr, world: World, applied: frozenset[str]) -> Decision:
    """What differs as written is different only if it is by the rules of chance, too."""
    if not applied.intersection(KNOWN):
        return Decision.UNDECIDED if world.independent else Decision.DIFFERENT
    if not applied <= frozenset(KNOWN) or world.independent or _has_relations(mine, key):
        return Decision.DIFFERENT if _only_outside(mine, key, world) else Decision.UNDECIDED
    inside = frozenset().union(*(_random_names(node) for node in (mine, key)))
    outside = frozenset().union(*(_plain_names(node, world.scope) for node in (mine, key)))
    small = frozenset(name for name in outside if name[0].islower())
    models = {inside, inside - small}  # a in a E[X] is a number, and so it is in E[a X]
    found = {_compare(mine, key, world, Chance(random)) for random in models}
    return Decision.DIFFERENT if found == {Decision.DIFFERENT} else Decision.UNDECIDED


def _only_outside(mine: Expr, key: Expr, world: World) -> bool:
    """Whether one of the two applies no declared function at all: A B P^2 is not P(A) P(B)."""
    return not (_functions_in(mine, world.scope) and _functions_in(key, world.scope))


def _has_relations(*trees: Expr) -> bool:
    return any(isinstance(node, Call) and node.name in RELATIONS for tree in trees for node in walk(tree))


def _random_names(tree: Expr) -> frozenset[str]:
    found = [
        names_in(arg)
        for node in walk(tree)
        if isinstance(node, Call) and node.name in ("E", "Var", "Cov")
        for arg in node.args
    ]
    return frozenset().union(*found)


def _plain_names(tree: Expr, scope: Scope) -> frozenset[str]:
    """The names that stand outside of every declared function."""
    if isinstance(tree, Call) and scope.is_function(tree.name):
        return frozenset()
    if isinstance(tree, Sym):
        return frozenset({tree.name})
    return frozenset().union(*(_plain_names(child, scope) for child in children(tree)))


def _functions_in(tree: Expr, scope: Scope) -> frozenset[str]:
    return frozenset(
        node.name for node in walk(tree) if isinstance(node, Call) and scope.is_function(node.name)
    )


# ---------------------------------------------------------------- comparing at points


def _compare(mine: Expr, key: Expr, world: World, chance: Chance | None = None) -> Decision:
    compared = holes = 0
    drawing = _Drawing(mine, key, world)
    for number in range(drawing.count):
        point = drawing.point(number, chance)
        if not _allowed(point, world):
            continue
        want = value_at(key, point)
        if want is None:
            continue
        got = value_at(mine, point)
        if got is None:
            holes += drawing.is_generic(number)
            continue
        compared += 1
        if not _close(got, want, CLOSE) and _differ(mine, key, point):
            return Decision.DIFFERENT
    few_holes = 3 * holes < compared if drawing.whole else not holes  # (n-2)! at n = 1
    certain = compared >= min(FEWEST, drawing.count) and few_holes and drawing.is_plain
    return Decision.EQUAL if certain else Decision.UNDECIDED


def value_at(node: Expr, point: Point, digits: int = DIGITS) -> Value | None:
    """The value to so many digits, or None."""
    with localcontext() as context:
        context.prec = digits
        context.Emax, context.Emin = 9000, -9000
        try:
            return value(node, point)
        except (NoValue, DecimalException, ZeroDivisionError, OverflowError):
            return None


def drawn_points(mine: Expr, key: Expr, world: World) -> list[Point]:
    """A few of the points at which two formulas are compared, where the question's bounds hold."""
    drawing = _Drawing(mine, key, world)
    points = [drawing.point(number, None) for number in range(drawing.count)]
    return [point for point in points if _allowed(point, world)][: 2 * FEWEST]


def factor_between(mine: Expr, key: Expr, world: World) -> Fraction | None:
    """The small fraction by which one formula is the other at a first point."""
    mine, key = world.place(mine), world.place(key)
    point = _Drawing(mine, key, world).point(0, None)
    got, want = value_at(mine, point), value_at(key, point)
    if not isinstance(got, Decimal) or not isinstance(want, Decimal) or not want:
        return None
    factor = Fraction(got / want).limit_denominator(100)
    return factor if factor and abs(decimal(factor) * want - got) <= CLOSE * abs(want) else None


def _differ(mine: Expr, key: Expr, point: Point) -> bool:
    """Whether two values that look different still do with more digits."""
    got, want = value_at(mine, point, MORE_DIGITS), value_at(key, point, MORE_DIGITS)
    return got is not None and want is not None and not _close(got, want, CLOSER)


def _close(got: Value, want: Value, limit: Decimal) -> bool:
    if isinstance(got, Decimal) and isinstance(want, Decimal):
        return abs(got - want) <= limit * max(abs(got), abs(want), Decimal(1))
    if isinstance(got, Decimal) or isinstance(want, Decimal):
        return False
    if (len(got), len(got[0])) != (len(want), len(want[0])):
        return False
    entries = zip((e for row in got for e in row), (e for row in want for e in row), strict=True)
    return all(_close(a, b, limit) for a, b in entries)


def _allowed(point: Point, world: World) -> bool:
    for bound in world.bounds:
        left, right = value_at(bound.left, point), value_at(bound.right, point)
        if not isinstance(left, Decimal) or not isinstance(right, Decimal):
            continue
        holds = {"<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right}
        if not holds.get(bound.sign, True):
            return False
    return True


# ---------------------------------------------------------------- points


class _Drawing:
    """The points at which two formulas are compared: the same ones whenever they are asked for."""

    def __init__(self, mine: Expr, key: Expr, world: World) -> None:
        trees = (mine, key, *(side for bound in world.bounds for side in (bound.left, bound.right)))
        self.world = world
        free = frozenset().union(*(names_in(tree) for tree in trees))
        self.names = sorted(free)
        nodes = [node for tree in (mine, key) for node in walk(tree)]
        self.has_steps = any(isinstance(node, Call) and node.name in STEPS for node in nodes)
        corners = sum(isinstance(node, Call | Many) and node.name in (*CORNERS, *STEPS) for node in nodes)
        self.is_cornered = corners > 0
        self.whole = frozenset().union(*(_whole_names(node, world.scope) for node in nodes))
        values = [abs(node.value) for node in nodes if isinstance(node, Num) and node.value]
        self.numbers = sorted({v for v in values if v <= 1000})[:8]
        extreme = any(v > LARGEST_NUMBER or v < LEAST_NUMBER for v in values)
        self.is_plain = (
            corners <= MOST_CORNERS and not extreme and not (corners and max(values, default=0) > 1000)
        )
        wide = self.is_cornered or self.whole or world.bounds
        self.count = (CORNERED_POINTS if wide else SMOOTH_POINTS) if self.names else 1
        self.seed = " ".join(self.names)

    def is_generic(self, number: int) -> bool:
        """Whether a point is a random one: a formula without a value there has none nearly anywhere."""
        return number % 2 == 0

    def point(self, number: int, chance: Chance | None) -> Point:
        source = random.Random(f"{self.seed} {number}")
        values = {name: self._draw(name, source, number) for name in self.names}
        return Point(values, self.world.scope, f"{self.seed} {number}", chance)

    def _draw(self, name: str, source: random.Random, number: int) -> Value:
        scope = self.world.scope
        if name in scope.matrices:
            rows = [[_between(source, -2, 2) for _ in range(SIDE)] for _ in range(SIDE)]
            if name in self.world.symmetric:
                rows = [[rows[min(i, j)][max(i, j)] for j in range(SIDE)] for i in range(SIDE)]
            return tuple(map(tuple, rows))
        if name in scope.vectors:
            return tuple((_between(source, -2, 2),) for _ in range(SIDE))
        if name in self.whole:
            return Decimal(source.randint(1, 7 if number % 3 else 25))
        size = self._special(source) if self._is_special(number) else _scaled(source)
        return -size if name in scope.reals and source.random() < 0.5 else size

    def _is_special(self, number: int) -> bool:
        return self.is_cornered and not self.is_generic(number)

    def _special(self, source: random.Random) -> Decimal:
        """A number near one that the formulas hold; zero, whole and half ones where they have steps."""
        near = decimal(source.choice(self.numbers)) if self.numbers else Decimal(1)
        if self.has_steps:
            return (
                Decimal(source.randint(0, 12))
                / source.choice((1, 1, 2, 3))
                * (near if source.random() < 0.3 else 1)
            )
        return near * (1 + _between(source, -1, 1) * Decimal(source.choice(("0", "0.01", "0.5"))))


def _between(source: random.Random, low: int, high: int) -> Decimal:
    return low + (high - low) * Decimal(source.randint(1, 10**12)) / 10**12


def _scaled(source: random.Random) -> Decimal:
    """Mostly around one, at times much smaller or larger."""
    largest = source.choice((1, 1, 3, 3, 3, 40))
    return Decimal(source.randint(10**10, 10**12)) / 10**12 * largest


def _whole_names(node: Expr, scope: Scope) -> frozenset[str]:
    """The names that count something: in factorials, at the ends of sums, as indices, in steps."""
    match node:
        case Call("factorial" | "binom", args):
            return frozenset().union(*(names_in(arg) for arg in args))
        case Call("floor" | "ceil", args):
            return frozenset().union(*(names_in(arg) for arg in args)) - frozenset(scope.reals)
        case Many(_, _, _, low, high):
            return frozenset().union(*(names_in(end) for end in (low, high) if end is not None))
        case Entry(_, index):
            return frozenset(names_in(index))
    return frozenset()
