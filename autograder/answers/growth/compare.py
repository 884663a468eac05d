"""Two growth rates and a domain come in; which of them bounds the other goes out, with a regime where not."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from enum import StrEnum

from autograder.answers.growth.assume import Domain
from autograder.answers.growth.lattice import Lattice, Undecided, below
from autograder.answers.growth.order import Demand
from autograder.answers.growth.regime import Regime
from autograder.answers.growth.terms import Term, log_form, raised, times

MOST_CHOICES = 64


class Verdict(StrEnum):
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
    def verdict(self) -> Verdict:
        if self.above is None:
            return Verdict.EQUIVALENT if self.under is None else Verdict.TIGHTER
        return Verdict.LOOSER if self.under is None else Verdict.INCOMPARABLE


def compare(answer: Lattice, key: Lattice, domain: Domain) -> Comparison:
    return Comparison(find_escape(answer, key, domain), find_escape(key, answer, domain))


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
