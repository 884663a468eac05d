"""An expression tree comes in; its normal form, a quotient of two exact sums, goes out."""

from __future__ import annotations

import math
from fractions import Fraction

from autograder.errors import AnswerError
from autograder.text.expression.tree import Add, Call, Const, Expr, Mul, Num, Pow, Sym
from autograder.text.formula.algebra import (
    LARGEST_POWER,
    ONE,
    Atom,
    Monomial,
    Poly,
    Ratio,
    TooBig,
    atom,
    constant,
    laurent,
    multiplied,
    powered,
    whole,
)
from autograder.text.ordered_sets import in_order

HUGE = 4096  # bits
UNIT = Fraction(1)


def normal(node: Expr) -> Ratio:
    """The normal form. Variables stand for positive numbers."""
    match node:
        case Num(value):
            return whole(constant(value))
        case Sym(name):
            return whole(atom(("name", name)))
        case Const("e"):
            return whole(atom(("exp", ONE)))
        case Const(name):
            return whole(atom(("const", name)))
        case Add(terms):
            total = normal(terms[0])
            for term in terms[1:]:
                total = total + normal(term)
            return total
        case Mul(factors):
            product = normal(factors[0])
            for factor in factors[1:]:
                product = product * normal(factor)
            return product
        case Pow(base, exponent):
            return _power(normal(base), normal(exponent))
        case Call():
            return _call(node)
        case _:
            raise TooBig("a sum over an index has no normal form: its values decide")


def as_number(ratio: Ratio) -> Fraction | None:
    """The value of a quotient that is a rational number."""
    if not ratio.above:
        return Fraction(0)
    if set(ratio.above) == {ONE} and set(ratio.under) == {ONE}:
        return ratio.above[ONE] / ratio.under[ONE]
    return None


def frozen(ratio: Ratio) -> tuple[frozenset[tuple[Monomial, Fraction]], frozenset[tuple[Monomial, Fraction]]]:
    """A key under which equal quotients agree, up to common factors of several terms."""
    scale = max(ratio.under.values(), key=abs)
    above = frozenset((monomial, value / scale) for monomial, value in ratio.above.items())
    return above, frozenset((monomial, value / scale) for monomial, value in ratio.under.items())


# ---------------------------------------------------------------- powers


def _power(base: Ratio, exponent: Ratio) -> Ratio:
    power = as_number(exponent)
    if power is None:
        return _exponential(exponent * _log(base))
    if power == 0:
        return whole(constant(UNIT))
    if power < 0:
        return _power(base, whole(constant(-power))).inverse()
    if not base.above:
        return base
    if _is_huge(base, power):
        return whole(atom(("call", "^", frozen(base), power)))
    if power.denominator == 1 and not (len(base.above) == len(base.under) == 1):
        return laurent(powered(base.above, int(power)), powered(base.under, int(power)))
    return laurent(_root(base.above, power), _root(base.under, power))


def _is_huge(base: Ratio, power: Fraction) -> bool:
    largest = max(max(abs(v.numerator), v.denominator) for v in (*base.above.values(), *base.under.values()))
    return power.numerator > 10**6 or power * largest.bit_length() > HUGE


def _root(poly: Poly, power: Fraction) -> Poly:
    """A power of a sum; a single term is taken apart, a true sum becomes an atom of its own."""
    common, rest = _content(poly)
    ((monomial, value),) = common.items()
    if value < 0 and power.denominator != 1:
        raise AnswerError("the formula takes a root of a negative number: check its signs")
    out = _number_power(value, power)
    for name, exponent in in_order(monomial):
        out = multiplied(out, {frozenset({(name, exponent * power)}): UNIT})
    if len(rest) == 1:
        return out
    steps = power.numerator // power.denominator
    if steps > LARGEST_POWER:
        raise TooBig("the formula holds a power too large to multiply out: write a smaller one")
    out = multiplied(out, powered(rest, steps))
    if power - steps:
        out = multiplied(out, atom(("root", frozenset(rest.items())), power - steps))
    return out


def _content(poly: Poly) -> tuple[Poly, Poly]:
    """A common single-term factor and what is left, so that 2I + 2J is 2·(I + J)."""
    if len(poly) == 1:
        return poly, constant(UNIT)
    shared: dict[Atom, Fraction] = {}
    for name in in_order({name for monomial in poly for name, _ in monomial}):
        least = min(dict(monomial).get(name, Fraction(0)) for monomial in poly)
        if least and name[0] not in ("prime", "root"):
            shared[name] = least
    values = list(poly.values())
    scale = Fraction(math.gcd(*(v.numerator for v in values)), math.lcm(*(v.denominator for v in values)))
    if values[0] < 0 and all(v < 0 for v in values):
        scale = -scale
    common: Poly = {frozenset(shared.items()): scale}
    flipped: Poly = {frozenset((name, -power) for name, power in shared.items()): 1 / scale}
    return common, multiplied(poly, flipped)


def _number_power(value: Fraction, power: Fraction) -> Poly:
    if power.denominator == 1:
        return constant(value ** int(power))
    out = constant(UNIT)
    for number, sign in ((value.numerator, 1), (value.denominator, -1)):
        for prime, count in _factors(number).items():
            out = multiplied(out, _prime_power(prime, sign * count * power))
    return out


def _prime_power(prime: int, power: Fraction) -> Poly:
    steps = power.numerator // power.denominator
    out = constant(Fraction(prime) ** steps)
    return multiplied(out, atom(("prime", prime), power - steps)) if power - steps else out


def _factors(number: int) -> dict[int, int]:
    """Small primes are found; what is left counts as one."""
    out: dict[int, int] = {}
    prime = 2
    while prime * prime <= number and prime < 2000:
        while number % prime == 0:
            out[prime] = out.get(prime, 0) + 1
            number //= prime
        prime += 1
    if number > 1:
        out[number] = out.get(number, 0) + 1
    return out


# ---------------------------------------------------------------- exponentials, logarithms, other calls


def _exponential(exponent: Ratio) -> Ratio:
    if set(exponent.under) != {ONE}:
        return whole(atom(("exp", frozen(exponent))))
    out = constant(UNIT)
    for monomial, value in exponent.above.items():
        value = value / exponent.under[ONE]
        logs = [name for name, power in monomial if name[0] == "ln" and power == 1]
        if len(monomial) == 1 and logs:
            inner = logs[0][1]
            assert isinstance(inner, tuple)
            piece = _prime_power(inner[1], value) if inner[0] == "prime" else atom(inner, value)
        else:
            piece = atom(("exp", monomial), value)
        out = multiplied(out, piece)
    return laurent(out, constant(UNIT))


def _log(inner: Ratio) -> Ratio:
    """The logarithm of a product is taken apart; that of a sum is an atom."""
    if len(inner.above) != 1 or len(inner.under) != 1:
        if not inner.above:
            raise AnswerError("the formula takes the logarithm of zero: check its terms")
        return whole(atom(("call", "ln", frozen(inner))))
    total = whole({})
    for poly, sign in ((inner.above, 1), (inner.under, -1)):
        ((monomial, value),) = poly.items()
        if value <= 0:
            raise AnswerError("the formula takes the logarithm of a negative number: check its signs")
        for number, direction in ((value.numerator, sign), (value.denominator, -sign)):
            for prime, count in _factors(number).items():
                total = total + whole(atom(("ln", ("prime", prime)))).times(Fraction(direction * count))
        for name, power in in_order(monomial):
            total = total + _log_atom(name).times(power * sign)
    return total


def _log_atom(name: Atom) -> Ratio:
    if name[0] == "exp" and isinstance(name[1], frozenset):
        return whole({name[1]: UNIT})
    return whole(atom(("ln", name)))


def _call(node: Call) -> Ratio:
    args = [normal(arg) for arg in node.args]
    match node.name:
        case "ln" | "log" if len(args) == 1:
            return _log(args[0])
        case "log":
            return _log(args[0]) * _log(args[1]).inverse()
        case "abs" if _is_positive(args[0]):
            return args[0]
        case "max" | "min":
            keys: object = frozenset(frozen(arg) for arg in args)
            return args[0] if len(args) == 1 else whole(atom(("call", node.name, keys)))
        case "factorial" if (value := as_number(args[0])) is not None and 0 <= value <= 50:
            return whole(constant(_factorial(value)))
        case "binom" if (chosen := as_number(args[1])) is not None and chosen in range(8):
            return _falling(args[0], int(chosen)).times(1 / _factorial(chosen))
        case _:
            return whole(atom(("call", node.name, tuple(frozen(arg) for arg in args))))


def _is_positive(ratio: Ratio) -> bool:
    return all(value > 0 for value in (*ratio.above.values(), *ratio.under.values()))


def _factorial(value: Fraction) -> Fraction:
    if value.denominator != 1:
        raise AnswerError("a factorial needs a whole number: check what stands before '!'")
    out = UNIT
    for step in range(2, int(value) + 1):
        out *= step
    return out


def _falling(top: Ratio, steps: int) -> Ratio:
    out = whole(constant(UNIT))
    for step in range(steps):
        out = out * (top + whole(constant(Fraction(-step))))
    return out
