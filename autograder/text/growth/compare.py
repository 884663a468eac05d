"""Two growth rates and a domain come in; which of them bounds the other goes out, with a regime where not."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from enum import StrEnum

from autograder.text.expression.tree import Expr, Pow, names_in, walk
from autograder.text.growth.assumptions import BOUNDED_VALUE, Domain
from autograder.text.growth.conditions_on_exponents import Demand
from autograder.text.growth.max_of_min_terms import Lattice, Undecided, below
from autograder.text.growth.regime import Regime
from autograder.text.growth.terms import Term, log_form, raised, times
from autograder.text.growth.tree_to_terms import NotPositive

MOST_CHOICES = 64
# A bounded name in an exponent may be any constant: both ends are tried.
ENDS = (1, 97)


class GrowthVerdict(StrEnum):
    """What an answer is to the key."""

    EQUIVALENT = "equivalent"
    TIGHTER = "tighter"
    LOOSER = "looser"
    INCOMPARABLE = "incomparable"
    UNPARSEABLE = "unparseable"


@dataclass(frozen=True)
class Escape:
    """A term that outgrows a whole rate, and the regime in which it does."""

    term: Term
    regime: Regime


@dataclass(frozen=True)
class Comparison:
    """How an answer escapes the key's bound, and the key the answer's; None where it does not."""

    above: Escape | None
    under: Escape | None

    @property
    def verdict(self) -> GrowthVerdict:
        if self.above is None:
            return GrowthVerdict.EQUIVALENT if self.under is None else GrowthVerdict.TIGHTER
        return GrowthVerdict.LOOSER if self.under is None else GrowthVerdict.INCOMPARABLE


def compare_trees(answer: Expr, key: Expr, domain: Domain) -> Comparison:
    """How two expressions compare."""
    found = Comparison(None, None)
    varies = _bounded_exponent(answer, domain) or _bounded_exponent(key, domain)
    for constant in ENDS if varies else (BOUNDED_VALUE,):
        try:
            here = compare(domain.shape(answer, constant), domain.shape(key, constant), domain)
        except NotPositive:
            if constant == ENDS[0]:
                continue  # the logarithm of one, say, which is no fault of the answer
            raise
        found = Comparison(found.above or here.above, found.under or here.under)
    return found


def _bounded_exponent(tree: Expr, domain: Domain) -> bool:
    if not domain.bounded:
        return False
    powers = (node for node in walk(tree) if isinstance(node, Pow))
    return any(name in domain.bounded for power in powers for name in names_in(power.exponent))


def compare(answer: Lattice, key: Lattice, domain: Domain) -> Comparison:
    return Comparison(find_escape(answer, key, domain), find_escape(key, answer, domain))


def are_same(left: Lattice, right: Lattice, domain: Domain) -> bool:
    """Whether two rates bound each other; of those that do not, only one side is worked out."""
    return find_escape(left, right, domain) is None and find_escape(right, left, domain) is None


def find_escape(rate: Lattice, bound: Lattice, domain: Domain) -> Escape | None:
    """A regime in which the rate outgrows every multiple of the bound; None when it is O(bound)."""
    for low in rate:
        if any(len(high) == 1 and any(below(term, high[0]) for term in low) for high in bound):
            continue
        if math.prod(len(high) for high in bound) > MOST_CHOICES:
            raise Undecided("the answer holds too many minima to compare: write it in a simpler form")
        # The smallest of `low` must outgrow the smallest of each minimum in the bound.
        for chosen in itertools.product(*bound):
            demands = [
                Demand(log_form(times(term, raised(other, -1))), True)
                for term in low
                for other in dict.fromkeys(chosen)
            ]
            if any(not demand.form for demand in demands):
                continue
            regime = domain.find(demands)
            if regime is not None:
                return Escape(low[0], regime)
    return None
