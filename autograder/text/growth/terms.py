"""Products of powers, logarithms and exponentials: the terms of growth rates, and their algebra."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from autograder.text.ordered_sets import in_order
from autograder.text.step_bound import spend

Number = int | Fraction
# A variable and how many logarithms stand before it: ("n", 2) is log log n.
Point = tuple[str, int]


def tidy(value: Number) -> Number:
    """Whole numbers as int: they hash and add many times faster than fractions."""
    return value if isinstance(value, int) or value.denominator != 1 else value.numerator


@dataclass(frozen=True, slots=True)
class Term:
    """Π point^power · exp(Σ coefficient·term)."""

    powers: frozenset[tuple[Point, Number]] = frozenset()
    exponent: frozenset[tuple[Term, Number]] = frozenset()


UNIT = Term()
# A sum of terms with coefficients. The logarithm of a term is such a sum.
Form = dict[Term, Number]


def point(name: str, level: int = 0) -> Term:
    return Term(frozenset({((name, level), 1)}))


def collect(pairs: Iterable[tuple[object, Number]]) -> dict[object, Number]:
    out: dict[object, Number] = {}
    for key, value in pairs:
        total = out.get(key, 0) + value
        if total:
            out[key] = tidy(total)
        else:
            out.pop(key, None)
    return out


def times(left: Term, right: Term) -> Term:
    spend()
    if left is UNIT:
        return right
    if right is UNIT:
        return left
    powers = collect([*left.powers, *right.powers])
    if not left.exponent and not right.exponent:
        return Term(frozenset(powers.items()))  # type: ignore[arg-type]
    exponent = collect([*left.exponent, *right.exponent])
    return Term(frozenset(powers.items()), frozenset(exponent.items()))  # type: ignore[arg-type]


def raised(term: Term, power: Number) -> Term:
    if power == 1:
        return term
    if power == 0:
        return UNIT
    return Term(
        frozenset((key, tidy(value * power)) for key, value in term.powers),
        frozenset((key, tidy(value * power)) for key, value in term.exponent),
    )


def log_form(term: Term) -> Form:
    """The logarithm of a term: log of x^a (log x)^b is a·log x + b·log log x."""
    form: Form = {point(name, level + 1): power for (name, level), power in in_order(term.powers)}
    for inner, coefficient in in_order(term.exponent):
        total = form.get(inner, 0) + coefficient
        if total:
            form[inner] = tidy(total)
        else:
            form.pop(inner, None)
    return form


def exp_term(form: Form) -> Term:
    """The exponential of a sum, up to a constant factor: exp(a·log x + n) is x^a·exp(n)."""
    powers: dict[Point, Number] = {}
    exponent: Form = {}
    for term, coefficient in form.items():
        simple = simple_point(term)
        if simple is not None and simple[1] > 0:
            powers[simple[0], simple[1] - 1] = coefficient
        elif fades(term) is None:
            exponent[term] = coefficient
    return Term(frozenset(powers.items()), frozenset(exponent.items()))


def simple_point(term: Term) -> Point | None:
    """The point of a term that is just one, to the power one."""
    if len(term.powers) == 1 and not term.exponent:
        ((at, power),) = term.powers
        if power == 1:
            return at
    return None


def leading(term: Term) -> dict[str, Number]:
    """For each variable the power at its fastest level: what the variable alone does to the term."""
    best: dict[str, tuple[int, Number]] = {}
    for (name, level), power in term.powers:
        if name not in best or level < best[name][0]:
            best[name] = (level, power)
    return {name: power for name, (_, power) in best.items()}


def fades(term: Term) -> bool | None:
    """True for a term that tends to zero whichever variables grow, False for the unit, None for others."""
    if term.exponent:
        return None
    if not term.powers:
        return False
    return True if all(power < 0 for power in leading(term).values()) else None
