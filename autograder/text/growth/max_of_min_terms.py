"""Maxima of minima of terms, which growth rates are up to constant factors, and their algebra."""

from __future__ import annotations

import itertools
import math

from autograder.errors import AnswerError
from autograder.text.growth.terms import UNIT, Number, Term, leading, raised, times
from autograder.text.step_bound import spend

# The outer tuple is a maximum, the inner ones minima.
Lattice = tuple[tuple[Term, ...], ...]

ONE: Lattice = ((UNIT,),)
MOST = 400  # terms; an honest answer has a handful


class Undecided(AnswerError):
    """Beyond what can be decided: an author must not ask for it, a student gets nothing for it."""


def leaf(term: Term) -> Lattice:
    return ((term,),)


def join(*parts: Lattice) -> Lattice:
    """The maximum, which is also the sum up to a factor."""
    return pruned(tuple(itertools.chain.from_iterable(parts)))


def meet(*parts: Lattice) -> Lattice:
    """The minimum."""
    _cap(math.prod(len(part) for part in parts))
    return pruned(tuple(tuple(itertools.chain.from_iterable(choice)) for choice in itertools.product(*parts)))


def product(left: Lattice, right: Lattice) -> Lattice:
    _cap(sum(map(len, left)) * sum(map(len, right)))
    return pruned(tuple(tuple(times(a, b) for a in low for b in high) for low in left for high in right))


def power(base: Lattice, exponent: Number) -> Lattice:
    if exponent >= 0:
        return tuple(tuple(raised(term, exponent) for term in low) for low in base)
    # One over a maximum is the minimum of the inverses.
    _cap(math.prod(len(low) for low in base))
    return pruned(
        tuple(tuple(raised(term, exponent) for term in choice) for choice in itertools.product(*base))
    )


def _cap(size: int) -> None:
    if size > MOST:
        raise Undecided("the answer multiplies out to too many terms: write it in a shorter form")


def below(small: Term, large: Term) -> bool:
    """Whether one term is at most another, for the plain reason that their ratio only shrinks."""
    spend()
    if small.exponent != large.exponent:
        return False
    return all(power > 0 for power in leading(times(large, raised(small, -1))).values())


def pruned(lattice: Lattice) -> Lattice:
    """The same without terms that are plainly dominated."""
    _cap(len(lattice))
    if len(lattice) == 1 and len(lattice[0]) == 1:
        return lattice
    lows = list(dict.fromkeys(_least(low) for low in lattice))
    kept = [
        low
        for number, low in enumerate(lows)
        if not any(
            other != number and _low_below(low, high) and not (other > number and _low_below(high, low))
            for other, high in enumerate(lows)
        )
    ]
    return tuple(kept)


def _least(low: tuple[Term, ...]) -> tuple[Term, ...]:
    terms = list(dict.fromkeys(low))
    if len(terms) == 1:
        return (terms[0],)
    return tuple(term for term in terms if not any(other != term and below(other, term) for other in terms))


def _low_below(low: tuple[Term, ...], high: tuple[Term, ...]) -> bool:
    return all(any(below(small, large) for small in low) for large in high)
