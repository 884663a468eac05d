"""Lengths of axes: expressions such as K*I worked out, and distinct small primes for the free ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import chain, permutations

from autograder.text.equation.tree import (
    Expr,
    Number,
    Power,
    Product,
    Quotient,
    Size,
    Total,
    children,
)

PRIMES = (2, 3, 5, 7, 11, 13, 17, 19)
LARGEST = 10**6  # a bound or a position beyond this is no position at all
SHORTEST = 2  # positions in a range that can tell answers apart


def number_of(expr: Expr, sizes: Mapping[str, int]) -> Fraction | None:
    """The value of an expression of numbers and sizes; None where it is not one."""
    match expr:
        case Number(value):
            return value
        case Size(name):
            return Fraction(sizes[name]) if name in sizes else None
        case Total() | Product() | Quotient() | Power():
            values = [number_of(child, sizes) for child in children(expr)]
            known = [value for value in values if value is not None]
            return _combined(expr, known) if len(known) == len(values) else None
    return None


def _combined(expr: Expr, values: list[Fraction]) -> Fraction | None:
    match expr:
        case Total(signs):
            return sum((sign * value for sign, value in zip(signs, values, strict=True)), Fraction(0))
        case Product():
            product = Fraction(1)
            for value in values:
                product *= value
            return product
        case Quotient():
            return values[0] / values[1] if values[1] else None
    base, exponent = values
    small = exponent.denominator == 1 and abs(exponent) <= 20 and abs(base) <= 100
    return base ** int(exponent) if small and (base or exponent >= 0) else None


def assign(free: tuple[str, ...], derived: Mapping[str, Expr]) -> Iterator[dict[str, int]]:
    """Lengths for all axes, one assignment of primes to the free axes after another."""
    primes = PRIMES[: max(len(free), 3)]
    rotated = [(*primes[at:], *primes[:at])[: len(free)] for at in range(len(primes))]  # found soonest
    for chosen in chain(rotated, permutations(primes, len(free))):
        sizes = dict(zip(free, chosen, strict=True))
        for _ in range(len(derived)):
            for name, expr in derived.items():
                value = number_of(expr, sizes)
                if value is not None and value.denominator == 1 and value > 0:
                    sizes[name] = int(value)
        if all(name in sizes for name in derived):
            yield sizes
