"""Functions of real numbers to as many digits as the decimal context asks for."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal, getcontext, localcontext

from autograder.text.step_bound import spend

ZERO, ONE, TWO = Decimal(0), Decimal(1), Decimal(2)
PI = Decimal(
    "3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803482534211706798"
    "214808651328230664709384460955058223172535940812848111745028410270193852110555964462294895493038196"
)
LARGEST = Decimal(4000)  # of an exponent of e
SAME = Decimal(10) ** -30


class NoValue(Exception):
    """There is no value there, or one too large to hold."""


def exp(x: Decimal) -> Decimal:
    if abs(x) > LARGEST:
        raise NoValue
    return x.exp()


def ln(x: Decimal) -> Decimal:
    if x <= 0:
        raise NoValue
    return x.ln()


def sin(x: Decimal) -> Decimal:
    return _series(x, first=1)


def cos(x: Decimal) -> Decimal:
    return _series(x, first=0)


def _series(x: Decimal, first: int) -> Decimal:
    """Taylor's series after whole turns are taken off."""
    if abs(x) > 10**6:
        raise NoValue
    with localcontext() as context:
        context.prec += 15
        x = x - (x / (2 * PI)).to_integral_value() * 2 * PI
        term = x if first else ONE
        total, step, least = term, first, Decimal(10) ** -context.prec
        while abs(term) > least:
            spend()
            step += 2
            term = -term * x * x / (step * (step - 1))
            total += term
    return +total


def arctan(x: Decimal) -> Decimal:
    with localcontext() as context:
        context.prec += 15
        halvings = 0
        while abs(x) > Decimal("0.05"):
            x = x / (1 + (1 + x * x).sqrt())
            halvings += 1
        term, total, step, least = x, x, 1, Decimal(10) ** -context.prec
        while abs(term) > least:
            spend()
            step += 2
            term = -term * x * x
            total += term / step
        total *= Decimal(2**halvings)
    return +total


def arcsin(x: Decimal) -> Decimal:
    if abs(x) > 1:
        raise NoValue
    if abs(x) == 1:
        return x * PI / 2
    return arctan(x / (1 - x * x).sqrt())


def sinh(x: Decimal) -> Decimal:
    return (exp(x) - exp(-x)) / 2


def cosh(x: Decimal) -> Decimal:
    return (exp(x) + exp(-x)) / 2


def tanh(x: Decimal) -> Decimal:
    square = exp(2 * x)
    return (square - 1) / (square + 1)


def sigmoid(x: Decimal) -> Decimal:
    return 1 / (1 + exp(-x))


def power(base: Decimal, exponent: Decimal) -> Decimal:
    whole = exponent == exponent.to_integral_value()
    if base == 0:
        if exponent <= 0:
            raise NoValue
        return ZERO
    if base < 0 and not whole:
        raise NoValue
    if abs(exponent) * (abs(base.adjusted()) + 1) > LARGEST:
        raise NoValue
    return base**exponent


def floor(x: Decimal) -> Decimal:
    nearest = x.to_integral_value()
    return nearest if abs(x - nearest) < SAME else x.to_integral_value("ROUND_FLOOR")


def factorial(x: Decimal) -> Decimal:
    return falling(x, x)


def falling(top: Decimal, steps: Decimal) -> Decimal:
    """The product of so many whole numbers from the top down."""
    steps, nearest = steps.to_integral_value(), steps
    if abs(steps - nearest) > SAME or not 0 <= steps <= 300 or floor(top) != -floor(-top):
        raise NoValue
    top, out = floor(top), ONE
    for step in range(int(steps)):
        out *= top - step
    return out


def binom(top: Decimal, chosen: Decimal) -> Decimal:
    if top < 0:
        raise NoValue
    return falling(top, chosen) / factorial(chosen)


def softplus(x: Decimal) -> Decimal:
    return ln(1 + exp(x))


def sign(x: Decimal) -> Decimal:
    return ZERO if x == 0 else ONE.copy_sign(x)


def over(above: Decimal, below: Decimal) -> Decimal:
    if abs(below) < Decimal(10) ** -(getcontext().prec - 10):
        raise NoValue
    return above / below


FUNCTIONS: dict[str, Callable[[Decimal], Decimal]] = {
    "sin": sin, "cos": cos, "tan": lambda x: over(sin(x), cos(x)), "cot": lambda x: over(cos(x), sin(x)),
    "sec": lambda x: over(ONE, cos(x)), "csc": lambda x: over(ONE, sin(x)), "arcsin": arcsin,
    "arccos": lambda x: PI / 2 - arcsin(x), "arctan": arctan, "tanh": tanh,
    "sinh": sinh, "cosh": cosh, "coth": lambda x: over(cosh(x), sinh(x)),
    "sech": lambda x: over(ONE, cosh(x)), "csch": lambda x: over(ONE, sinh(x)), "ln": ln,
    "sigmoid": sigmoid, "relu": lambda x: max(x, ZERO), "softplus": softplus, "abs": abs, "floor": floor,
    "ceil": lambda x: -floor(-x), "sign": sign, "factorial": factorial, "norm": abs, "norm_2": abs,
    "sigmoid'": lambda x: sigmoid(x) * sigmoid(-x), "tanh'": lambda x: 1 - tanh(x) ** 2,
    "relu'": lambda x: ONE if x > 0 else ZERO, "exp'": exp, "sin'": cos, "cos'": lambda x: -sin(x),
    "ln'": lambda x: over(ONE, x), "transpose": lambda x: x, "tr": lambda x: x, "det": lambda x: x,
}  # fmt: skip
