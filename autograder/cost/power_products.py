"""Products of powers and logarithms: their values, their order, and how the course writes them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import log2


@dataclass(frozen=True, order=True)
class Factor:
    """x^power · (ln x)^log of one variable. The order is that of growth."""

    power: int = 0
    log: int = 0

    def at(self, size: int) -> Fraction:
        """The value, exact where the size is a power of two; logarithms are to base two."""
        exponent = size.bit_length() - 1
        log = Fraction(exponent) if size == 1 << exponent else Fraction(log2(size))
        return Fraction(size) ** self.power * log**self.log


ONE = Factor()


@dataclass(frozen=True)
class PowerProduct:
    """A coefficient times a product of factors, one for each variable in the order of a fit."""

    coefficient: Fraction
    factors: tuple[Factor, ...]

    def below(self, other: PowerProduct) -> bool:
        """Whether it grows no faster than another, in whatever way the variables grow."""
        return all(mine <= its for mine, its in zip(self.factors, other.factors, strict=True))


def value(factors: Sequence[Factor], variables: Sequence[str], sizes: Mapping[str, int]) -> Fraction:
    """The product of the factors at these sizes."""
    result = Fraction(1)
    for factor, name in zip(factors, variables, strict=True):
        if factor != ONE:
            result *= factor.at(sizes[name])
    return result


def leading(terms: Iterable[PowerProduct]) -> tuple[PowerProduct, ...]:
    """The terms that no other one covers, fastest first."""
    kept = {term.factors: term for term in terms}.values()
    found = [term for term in kept if not any(term is not other and term.below(other) for other in kept)]
    return tuple(sorted(found, key=lambda term: term.factors, reverse=True))


def growth_text(terms: Iterable[PowerProduct], variables: Sequence[str]) -> str:
    """The growth rate as the course writes it: "T d^2", "ln T + ln J"."""
    shown = [(term.coefficient < 0, _product(term.factors, variables) or "1") for term in leading(terms)]
    return _joined(shown) or "1"


def exact_text(terms: Sequence[PowerProduct], variables: Sequence[str]) -> str:
    """The whole formula, coefficients included; lg is the logarithm to base two."""
    ordered = sorted(terms, key=lambda term: term.factors, reverse=True)
    return _joined([(t.coefficient < 0, _scaled(t, variables)) for t in ordered]) or "0"


def _scaled(term: PowerProduct, variables: Sequence[str]) -> str:
    product = _product(term.factors, variables, "lg")
    size = abs(term.coefficient)
    if not product:
        return str(size)
    if size == 1:
        return product
    return f"{size}{product[1:]}" if product.startswith("1 /") else f"{size} {product}"


def _joined(parts: Sequence[tuple[bool, str]]) -> str:
    text = ""
    for negative, part in parts:
        sign = ("-" if negative else "") if not text else (" - " if negative else " + ")
        text += sign + part
    return text


def _product(factors: Sequence[Factor], variables: Sequence[str], log: str = "ln") -> str:
    above, below = [], []
    for factor, name in zip(factors, variables, strict=True):
        if factor.power > 0:
            above.append(name if factor.power == 1 else f"{name}^{factor.power}")
        elif factor.power < 0:
            below.append(name if factor.power == -1 else f"{name}^{-factor.power}")
    for factor, name in zip(factors, variables, strict=True):
        if factor.log:
            above.append(f"{log} {name}" if factor.log == 1 else f"({log} {name})^{factor.log}")
    top = " ".join(above)
    return " / ".join([top or "1", *below]) if below else top
