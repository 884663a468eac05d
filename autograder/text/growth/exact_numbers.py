"""Constant subtrees come in; exact rationals, or ones so close that no comparison can tell, go out."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction
from functools import lru_cache

from autograder.errors import AnswerError
from autograder.text.expression.tree import Add, Call, Const, Expr, Mul, Num, Pow
from autograder.text.step_bound import spend

DIGITS = 60
LARGEST_LOG = 20_000  # of a number that is still worth writing out
PI = Fraction("3.14159265358979323846264338327950288419716939937510582097494")


class TooLarge(AnswerError):
    """A number too large to write out; as a factor it is still only a constant."""


def log_of(value: Fraction) -> Fraction:
    """The natural logarithm of a positive rational.

    The logarithms of primes are fixed rationals of sixty digits and every other one is a combination of
    them, so that log 4 is exactly twice log 2 and all cancellations are exact.
    """
    return _log_int(value.numerator) - _log_int(value.denominator)


@lru_cache(maxsize=4096)
def _log_int(value: int) -> Fraction:
    total = Fraction(0)
    prime = 2
    while prime * prime <= value and prime < 1000:
        while value % prime == 0:
            total += _log_prime(prime)
            value //= prime
        prime += 1
    return total + _log_prime(value) if value > 1 else total


@lru_cache(maxsize=1024)
def _log_prime(value: int) -> Fraction:
    with localcontext() as context:
        context.prec = DIGITS
        return Fraction(Decimal(value).ln())


def exp_of(value: Fraction) -> Fraction:
    """The exponential, to sixty digits."""
    if abs(value) > LARGEST_LOG:
        raise TooLarge("the answer holds a number too large to compare: write a smaller one")
    with localcontext() as context:
        context.prec = DIGITS
        return Fraction((Decimal(value.numerator) / Decimal(value.denominator)).exp())


def value_of(node: Expr) -> Fraction | None:
    """The value of an expression without variables, or None where there is a variable."""
    spend()
    match node:
        case Num(value):
            return value
        case Const(name):
            return PI if name == "pi" else exp_of(Fraction(1))
        case Add(terms):
            return _fold(terms, Fraction(0))
        case Mul(factors):
            return _fold(factors, None)
        case Pow(base, exponent):
            return _power(base, exponent)
        case Call():
            return _call(node)
        case _:
            return None


def _fold(parts: tuple[Expr, ...], start: Fraction | None) -> Fraction | None:
    total = Fraction(1) if start is None else start
    for part in parts:
        value = value_of(part)
        if value is None:
            return None
        total = total * value if start is None else total + value
    return total


def _power(base: Expr, exponent: Expr) -> Fraction | None:
    power = value_of(exponent)
    below = None if power is None else value_of(base)
    if power is None or below is None:
        return None
    if below == 0:
        if power <= 0:
            raise AnswerError("the answer divides by zero: check its denominators")
        return Fraction(0)
    if below < 0 and power.denominator != 1:
        raise AnswerError("the answer takes a root of a negative number: check its signs")
    if abs(power) * _size(below) > LARGEST_LOG:
        raise TooLarge("the answer holds a number too large to compare: write a smaller one")
    if power.denominator == 1:
        return below ** int(power)
    return exp_of(power * log_of_constant(base))


def _size(value: Fraction) -> int:
    return max(value.numerator.bit_length(), value.denominator.bit_length())


def log_of_constant(node: Expr) -> Fraction:
    """The logarithm of a positive constant, exact where the constant is built of powers and products."""
    match node:
        case Const("e"):
            return Fraction(1)
        case Mul(factors):
            values = [value_of(factor) for factor in factors]
            if all(value is not None and value > 0 for value in values):
                return sum((log_of_constant(factor) for factor in factors), Fraction(0))
        case Pow(base, exponent):
            power, below = value_of(exponent), value_of(base)
            if power is not None and below is not None and below > 0:
                return power * log_of_constant(base)
    value = value_of(node)
    if value is None or value <= 0:
        raise AnswerError("the answer takes the logarithm of zero or of a negative number: check its signs")
    return log_of(value) if _size(value) < 200 else _rough_log(value)


def _rough_log(value: Fraction) -> Fraction:
    with localcontext() as context:
        context.prec = DIGITS
        return Fraction((Decimal(value.numerator) / Decimal(value.denominator)).ln())


def _call(node: Call) -> Fraction | None:
    values = [value_of(arg) for arg in node.args]
    if any(value is None for value in values):
        return None
    first = values[0]
    assert first is not None
    match node.name:
        case "ln" | "log":
            below = log_of_constant(node.args[1]) if len(values) == 2 else Fraction(1)
            if below == 0:
                raise AnswerError("a logarithm to base 1 has no meaning: write another base")
            return log_of_constant(node.args[0]) / below
        case "max":
            return max(value for value in values if value is not None)
        case "min":
            return min(value for value in values if value is not None)
        case "abs":
            return abs(first)
        case "ceil":
            return Fraction(-(-first.numerator // first.denominator))
        case "floor":
            return Fraction(first.numerator // first.denominator)
        case "factorial":
            return _falling(first, int(min(first, Fraction(10**6))))
        case "binom" if values[1] is not None:
            below = values[1]
            steps = int(min(below, Fraction(10**6)))
            return _falling(first, steps) / _falling(below, steps)
    return Fraction(1)


def _falling(top: Fraction, steps: int) -> Fraction:
    """top·(top−1)·… with so many factors."""
    if top.denominator != 1 or top < 0:
        raise AnswerError("a factorial needs a whole number: check what stands before '!'")
    if steps > 500:
        raise TooLarge("the answer holds a number too large to compare: write a smaller one")
    out = Fraction(1)
    for step in range(steps):
        out *= top - step
    return out
