"""Conditions on logarithms come in; a way for the variables to grow that meets them all, or None, goes out.

A condition is a sum of iterated logarithms that must tend to infinity (strict) or stay bounded below (weak).
Variables grow along sequences; along a subsequence any two quantities either keep a bounded ratio or one
leaves the other behind. So quantities fall into classes, the fastest first, and within a class each is a
positive multiple of the class's scale plus corrections of lower scales. The logarithms of all members of a
class agree up to a constant: they are one new quantity, slower than the class. A condition is met when the
fastest class in which it does not cancel gives it a positive coefficient. The search places classes from the
top; at each, a small linear program finds the coefficients that settle the most conditions.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from autograder.text.growth.linear_conditions import can_be_positive, positive_rows
from autograder.text.growth.max_of_min_terms import Undecided
from autograder.text.growth.terms import Number, Point
from autograder.text.step_bound import spend

Row = Mapping[Point, Number]
Symbol = frozenset[Point]  # points that are equal up to a constant
MOST_STEPS = 300
MOST_CASES = 64
STEEP = 10**4  # a logarithm is smaller than its argument by more than any factor


@dataclass(frozen=True)
class LogCondition:
    """A sum of iterated logarithms and what must become of it."""

    row: Row
    strict: bool


@dataclass(frozen=True)
class Regime:
    """Classes of quantities from the fastest down, as far as they had to be told apart."""

    classes: tuple[frozenset[Symbol], ...]


class Budget:
    """Steps that one decision may take."""

    def __init__(self, steps: int = MOST_STEPS) -> None:
        self.left = steps

    def spend(self) -> None:
        spend()
        self.left -= 1
        if self.left < 0:
            raise Undecided("these growth rates are too entangled to compare: write them in a simpler form")


def find_regime(conditions: Sequence[LogCondition], budget: Budget) -> Regime | None:
    """A regime that meets every condition, or None when there is none."""
    if any(condition.strict and _never_grows(condition.row) for condition in conditions):
        return None
    conditions = _relevant([c for c in conditions if c.row])
    if any(condition.strict and _never_grows(condition.row) for condition in conditions):
        return None
    conditions = [c for c in conditions if not _surely_grows(c.row)]
    if not conditions:
        return Regime(())
    depths: dict[str, int] = {}
    for condition in conditions:
        for name, level in condition.row:
            depths[name] = max(depths.get(name, 0), level)
    start = tuple(frozenset({(name, 1)}) for name in depths)
    for consequences in _log_consequences(conditions, depths):
        found = _Search(depths, budget).place((*conditions, *consequences), (), start, None, ())
        if found is not None:
            return found
    return None


def _log_consequences(
    conditions: list[LogCondition], depths: Mapping[str, int]
) -> Iterator[list[LogCondition]]:
    """What the conditions say one logarithm down, a case for each choice of the largest positive part.

    u <= i + k means log u <= log max(i, k) up to a constant. The search would find this out class by class;
    saying it at once lets the first linear program settle most cases.
    """
    options: list[list[list[LogCondition]]] = []
    for condition in conditions:
        up = [_log(at) for at, value in condition.row.items() if value > 0]
        down = [_log(at) for at, value in condition.row.items() if value < 0]
        cases = []
        for largest in up:
            smaller = [at for at in (*up, *down) if at != largest]
            inside = [at for at in smaller if at[1] <= depths[at[0]] and largest[1] <= depths[largest[0]]]
            cases.append([LogCondition({largest: 1, at: -1}, False) for at in inside])
        if down and any(cases):
            options.append(cases)
    if math.prod(len(cases) for cases in options) > MOST_CASES:
        yield []
        return
    for choice in itertools.product(*options):
        yield list(itertools.chain.from_iterable(choice))


def _log(at: Point) -> Point:
    return (at[0], at[1] + 1)


def _never_grows(row: Row) -> bool:
    """Whether each variable alone, at its fastest level in the row, pulls it down: it is bounded above."""
    best: dict[str, tuple[int, Number]] = {}
    for (name, level), value in row.items():
        if name not in best or level < best[name][0]:
            best[name] = (level, value)
    return all(value < 0 for _, value in best.values())  # so does an empty row


def _relevant(conditions: list[LogCondition]) -> list[LogCondition]:
    """Without variables that every condition wants large, or every one small: these choose themselves."""
    while True:
        for name in sorted({name for condition in conditions for name, _ in condition.row}):
            mine = [c for c in conditions if any(name == other for other, _ in c.row)]
            signs = {value > 0 for c in mine for at, value in c.row.items() if at[0] == name}
            if len(signs) > 1:
                continue
            others = [c for c in conditions if c not in mine]
            if signs == {False}:
                # The variable grows as slowly as need be: what is left must still outgrow it.
                rests = [{at: value for at, value in c.row.items() if at[0] != name} for c in mine]
                others += [LogCondition(rest, True) for rest in rests if not _surely_grows(rest)]
            conditions = others
            break
        else:
            return conditions


def _surely_grows(row: Row) -> bool:
    return bool(row) and _never_grows({at: -value for at, value in row.items()})


@dataclass
class _Search:
    depths: Mapping[str, int]
    budget: Budget

    def place(
        self,
        open_: tuple[LogCondition, ...],
        placed: tuple[Symbol, ...],
        active: tuple[Symbol, ...],
        last_log: Symbol | None,
        classes: tuple[frozenset[Symbol], ...],
    ) -> Regime | None:
        """Place the next class below those placed; `active` are the quantities still to be placed."""
        if not open_:
            return Regime(classes)
        if not active:
            return None if any(condition.strict for condition in open_) else Regime(classes)
        if not self._possible(open_, placed, active):
            return None
        for chosen in _subsets(active):
            self.budget.spend()
            rest = self._settle(open_, placed, chosen)
            if rest is None:
                continue
            log = self._log_of(chosen)
            remaining = tuple(symbol for symbol in active if symbol not in chosen)
            if log:
                remaining = (*remaining, log)
                if last_log is not None and last_log in remaining:
                    # The faster class has the larger logarithm.
                    rest = (*rest, LogCondition({min(last_log): 1, min(log): -1}, True))
            found = self.place(
                rest, placed + chosen, remaining, log or last_log, (*classes, frozenset(chosen))
            )
            if found is not None:
                return found
        return None

    def _log_of(self, chosen: tuple[Symbol, ...]) -> Symbol:
        """The common logarithm of a class, where any condition looks at it."""
        return frozenset(
            (name, level + 1) for symbol in chosen for name, level in symbol if level < self.depths[name]
        )

    def _settle(
        self, open_: tuple[LogCondition, ...], placed: tuple[Symbol, ...], chosen: tuple[Symbol, ...]
    ) -> tuple[LogCondition, ...] | None:
        """The conditions still open once this class has done what it can, or None when it breaks one."""
        rows = [([_weight(c.row, s) for s in placed], [_weight(c.row, s) for s in chosen]) for c in open_]
        if all(not any(free) and all(value >= 0 for value in own) for free, own in rows):
            return tuple(c for c, (_, own) in zip(open_, rows, strict=True) if not any(own))
        if any(not any(free) and any(own) and all(v <= 0 for v in own) for free, own in rows):
            return None
        won = positive_rows([[*free, *own] for free, own in rows], len(placed))
        if won is None:
            return None
        return tuple(c for number, c in enumerate(open_) if number not in won)

    def _possible(
        self, open_: tuple[LogCondition, ...], placed: tuple[Symbol, ...], active: tuple[Symbol, ...]
    ) -> bool:
        """Whether positive numbers could meet all open conditions at once: if not, no regime can."""
        ahead = [frozenset({at}) for at in self._unborn(placed, active)]
        unknown = (*active, *ahead)
        everything = (*placed, *unknown)
        rows = {
            strict: [[_weight(c.row, symbol) for symbol in everything] for c in open_ if c.strict == strict]
            for strict in (True, False)
        }
        for symbol in unknown:
            rows[False].extend(self._steepness(symbol, placed, unknown))
        return can_be_positive(rows[True], rows[False], len(placed))

    def _unborn(self, placed: tuple[Symbol, ...], active: tuple[Symbol, ...]) -> Iterator[Point]:
        """Logarithms of quantities that have no class yet."""
        born = {at for symbol in (*placed, *active) for at in symbol}
        for name, depth in self.depths.items():
            for level in range(1, depth + 1):
                if (name, level) not in born:
                    yield (name, level)

    def _steepness(
        self, symbol: Symbol, placed: tuple[Symbol, ...], unknown: tuple[Symbol, ...]
    ) -> Iterator[list[Number]]:
        everything = (*placed, *unknown)
        for name, level in sorted(symbol):
            above = [at for at, other in enumerate(everything) if (name, level - 1) in other]
            if above and above[0] >= len(placed):
                row: list[Number] = [0] * len(everything)
                row[above[0]] = 1
                row[everything.index(symbol)] -= STEEP
                yield row


def _weight(row: Row, symbol: Symbol) -> Number:
    total: Number = 0
    for at in symbol:
        total += row.get(at, 0)
    return total


def _subsets(symbols: tuple[Symbol, ...]) -> Iterator[tuple[Symbol, ...]]:
    for size in range(1, len(symbols) + 1):
        yield from itertools.combinations(symbols, size)
