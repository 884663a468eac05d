"""Sums of products with exact coefficients and fractional powers: the normal form of formulas.

A computer algebra system would do, but takes half a second to load and, on hostile input, minutes to
simplify; here every step is bounded, and two formulas are equal when their cross products agree term by term.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from autograder.errors import AnswerError
from autograder.text.ordered_sets import in_order
from autograder.text.step_bound import spend

MOST_TERMS = 250
LARGEST_POWER = 40

Atom = tuple[object, ...]
Monomial = frozenset[tuple[Atom, Fraction]]
Poly = dict[Monomial, Fraction]

ONE: Monomial = frozenset()


class TooBig(AnswerError):
    """A formula that multiplies out to more terms than an answer can have."""


def constant(value: Fraction) -> Poly:
    return {ONE: value} if value else {}


def atom(name: Atom, power: Fraction = Fraction(1)) -> Poly:
    return {frozenset({(name, power)}): Fraction(1)}


def added(left: Poly, right: Poly) -> Poly:
    out = dict(left)
    _collect(out, right)
    return out


def _collect(out: Poly, more: Poly) -> None:
    """Add to a sum in place: one that is being built is nobody else's yet."""
    for monomial, value in more.items():
        total = out.get(monomial, Fraction(0)) + value
        if total:
            out[monomial] = total
        else:
            out.pop(monomial, None)


def scaled(poly: Poly, factor: Fraction) -> Poly:
    return {monomial: value * factor for monomial, value in poly.items()} if factor else {}


def multiplied(left: Poly, right: Poly) -> Poly:
    if len(left) * len(right) > MOST_TERMS:
        raise TooBig("the formula multiplies out to too many terms: write it in a shorter form")
    out: Poly = {}
    for a, x in left.items():
        for b, y in right.items():
            _collect(out, _product(a, b, x * y))
    return out


def _product(left: Monomial, right: Monomial, value: Fraction) -> Poly:
    """The product of two monomials; whole powers of primes and of roots of sums are multiplied out."""
    spend()
    powers: dict[Atom, Fraction] = dict(left)
    for name, power in right:
        total = powers.get(name, Fraction(0)) + power
        if total:
            powers[name] = total
        else:
            powers.pop(name, None)
    extra: Poly | None = None
    for name in in_order(name for name in powers if name[0] in ("prime", "root")):
        whole = powers[name].numerator // powers[name].denominator
        if name[0] == "prime":
            value *= Fraction(_whole(name[1])) ** whole
        elif whole > 0:
            inner = dict(name[1])  # type: ignore[call-overload]
            extra = multiplied(extra or constant(Fraction(1)), powered(inner, whole))
        else:
            continue
        powers[name] -= whole
        if not powers[name]:
            del powers[name]
    product: Poly = {frozenset(powers.items()): value}
    return multiplied(product, extra) if extra is not None else product


def _whole(value: object) -> int:
    assert isinstance(value, int)
    return value


def powered(poly: Poly, power: int) -> Poly:
    if power > LARGEST_POWER and len(poly) > 1:
        raise TooBig("the formula holds a power too large to multiply out: write a smaller one")
    out = constant(Fraction(1))
    for _ in range(power):
        out = multiplied(out, poly)
    return out


@dataclass(frozen=True)
class Ratio:
    """A quotient of two sums."""

    above: Poly
    under: Poly

    def __add__(self, other: Ratio) -> Ratio:
        if self.under == other.under:
            return Ratio(added(self.above, other.above), self.under)
        crossed = added(multiplied(self.above, other.under), multiplied(other.above, self.under))
        return Ratio(crossed, multiplied(self.under, other.under))

    def __mul__(self, other: Ratio) -> Ratio:
        return Ratio(multiplied(self.above, other.above), multiplied(self.under, other.under))

    def inverse(self) -> Ratio:
        if not self.above:
            raise AnswerError("the formula divides by zero: check its denominators")
        return laurent(self.under, self.above)

    def equals(self, other: Ratio) -> bool:
        return multiplied(self.above, other.under) == multiplied(other.above, self.under)

    def times(self, factor: Fraction) -> Ratio:
        return Ratio(scaled(self.above, factor), self.under)


def whole(poly: Poly) -> Ratio:
    return Ratio(poly, constant(Fraction(1)))


def laurent(above: Poly, under: Poly) -> Ratio:
    """A quotient whose denominator, where it is a single term, is absorbed as negative powers."""
    if len(under) != 1:
        return Ratio(above, under)
    ((monomial, value),) = under.items()
    top = scaled(above, 1 / value)
    bottom = constant(Fraction(1))
    for name, power in in_order(monomial):
        if name[0] == "root":
            # One over the root of a sum is the rest of the root over the sum itself.
            top = multiplied(top, atom(name, 1 - power))
            bottom = multiplied(bottom, dict(name[1]))  # type: ignore[call-overload]
        else:
            top = multiplied(top, atom(name, -power))
    return Ratio(top, bottom)
