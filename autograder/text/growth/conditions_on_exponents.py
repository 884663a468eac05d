"""Conditions on sums of any terms come in; a regime that meets them, or None, goes out.

Exponentials bring terms such as n, n log n or m·n into the exponents. These are put into classes as regime.py
does with logarithms; that one term keeps pace with another, or leaves it behind, is then a condition on their
logarithms, one level further down.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from autograder.text.growth.linear_conditions import positive_rows
from autograder.text.growth.max_of_min_terms import Undecided
from autograder.text.growth.regime import Budget, LogCondition, Regime, find_regime
from autograder.text.growth.terms import Form, Number, Term, fades, log_form, simple_point
from autograder.text.ordered_sets import in_order

DEEPEST = 4  # towers of exponentials
MOST_TERMS = 9


@dataclass(frozen=True, eq=False)
class Demand:
    """A sum of terms that must tend to infinity (strict) or stay bounded below."""

    form: Form
    strict: bool


def meet_demands(demands: Sequence[Demand], budget: Budget, depth: int = 0) -> Regime | None:
    """A regime that meets all demands, or None when there is none."""
    rows = [_row(demand) for demand in demands]
    if all(row is not None for row in rows):
        return find_regime([row for row in rows if row is not None], budget)
    if depth > DEEPEST:
        raise Undecided("the exponents are nested too deeply to compare: write them in a simpler form")
    doubtful = in_order({t for demand in demands for t in demand.form if _is_doubtful(t)})
    for bounded in _subsets(doubtful):
        kept = [
            Demand({t: v for t, v in d.form.items() if t not in bounded and fades(t) is None}, d.strict)
            for d in demands
        ]
        if any(demand.strict and not demand.form for demand in kept):
            continue
        below = [Demand({t: -v for t, v in log_form(term).items()}, False) for term in bounded]
        below += [Demand(log_form(term), True) for term in doubtful if term not in bounded]
        found = _Order(budget, depth).place(kept, (), below)
        if found is not None:
            return found
    return None


def _row(demand: Demand) -> LogCondition | None:
    row = {}
    for term, value in demand.form.items():
        at = simple_point(term)
        if at is None or at[1] == 0:
            return None
        row[at] = value
    return LogCondition(row, demand.strict)


def _is_doubtful(term: Term) -> bool:
    """A term such as n/m, which may grow or not."""
    return fades(term) is None and any(power < 0 for _, power in (*term.powers, *term.exponent))


def _subsets(terms: Sequence[Term]) -> Iterator[tuple[Term, ...]]:
    for size in range(len(terms) + 1):
        yield from itertools.combinations(terms, size)


@dataclass
class _Order:
    budget: Budget
    depth: int

    def place(self, open_: list[Demand], placed: tuple[Term, ...], below: list[Demand]) -> Regime | None:
        """Put the next class of terms below those placed; `below` are the demands on logarithms so far."""
        regime = meet_demands(below, self.budget, self.depth + 1)
        if regime is None or not open_:
            return regime
        active = in_order({term for demand in open_ for term in demand.form if term not in placed})
        if not active:
            return None if any(demand.strict for demand in open_) else regime
        if len(active) + len(placed) > MOST_TERMS:
            raise Undecided("the exponents have too many terms to compare: write them in a simpler form")
        for chosen in _subsets(active):
            if not chosen:
                continue
            self.budget.spend()
            rest = _settle(open_, placed, chosen)
            if rest is None:
                continue
            found = self.place(rest, placed + chosen, below + _compare(chosen, active))
            if found is not None:
                return found
        return None


def _compare(chosen: tuple[Term, ...], active: list[Term]) -> list[Demand]:
    """The chosen terms keep pace with each other and leave the others behind."""
    lead = log_form(chosen[0])
    out = []
    for term in active:
        if term == chosen[0]:
            continue
        ahead = _minus(lead, log_form(term))
        out.append(Demand(ahead, term not in chosen))
        if term in chosen:
            out.append(Demand({t: -v for t, v in ahead.items()}, False))
    return out


def _minus(left: Form, right: Form) -> Form:
    out = dict(left)
    for term, value in right.items():
        out[term] = out.get(term, 0) - value
    return {term: value for term, value in out.items() if value}


def _settle(open_: list[Demand], placed: tuple[Term, ...], chosen: tuple[Term, ...]) -> list[Demand] | None:
    rows: list[list[Number]] = [[demand.form.get(term, 0) for term in (*placed, *chosen)] for demand in open_]
    won = positive_rows(rows, len(placed))
    if won is None:
        return None
    return [demand for number, demand in enumerate(open_) if number not in won]
