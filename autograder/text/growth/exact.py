"""Expressions in exponents, where constants matter: a tree comes in, an exact sum of terms goes out."""

from __future__ import annotations

from fractions import Fraction

from autograder.errors import AnswerError
from autograder.text.expression.tree import Add, Call, E, Expr, Mul, Pow, Sym
from autograder.text.growth.exact_numbers import TooLarge, exp_of, log_of, log_of_constant, value_of
from autograder.text.growth.max_of_min_terms import MOST, Undecided
from autograder.text.growth.terms import (
    UNIT,
    Form,
    Number,
    Term,
    collect,
    exp_term,
    leading,
    log_form,
    point,
    raised,
    tidy,
    times,
)

LARGEST_POWER = 6  # of a sum that is multiplied out
SERIES = 4  # terms of log(1 + x); enough for exponents up to the fourth power


def exact(node: Expr, log_base: Expr = E) -> Form:
    """The expression as a sum of terms with exact coefficients; a bare 'log' has the base given."""
    try:
        constant = value_of(node)
    except TooLarge:
        raise Undecided("the answer has an exponent too large to compare: write a smaller one") from None
    if constant is not None:
        return {UNIT: tidy(constant)} if constant else {}
    match node:
        case Sym(name):
            return {point(name): 1}
        case Add(terms):
            return _collect([pair for term in terms for pair in exact(term, log_base).items()])
        case Mul(factors):
            out: Form = {UNIT: 1}
            for factor in factors:
                out = multiply(out, exact(factor, log_base))
            return out
        case Pow(base, exponent):
            return _exact_power(base, exponent, log_base)
        case Call("ln" | "log" as name, args):
            inner = exact_log(exact(args[0], log_base))
            bottom = exact_log(exact(args[1], log_base)) if len(args) == 2 else None
            if bottom is None:
                bottom = {UNIT: 1 if name == "ln" else log_of_constant(log_base)}
            return multiply(inner, _inverse(bottom))
        case Call("abs" | "ceil" | "floor", args):
            return exact(args[0], log_base)
        case Call("factorial", args):
            return _exponential(stirling(exact(args[0], log_base)))
    raise Undecided("this exponent cannot be decided: write it without max, min or binomials")


def _collect(pairs: list[tuple[Term, Number]]) -> Form:
    return collect(pairs)  # type: ignore[return-value]


def multiply(left: Form, right: Form) -> Form:
    if len(left) * len(right) > MOST:
        raise Undecided("an exponent multiplies out to too many terms: write it in a shorter form")
    return _collect([(times(a, b), x * y) for a, x in left.items() for b, y in right.items()])


def _inverse(form: Form) -> Form:
    if len(form) != 1:
        raise Undecided("this exponent divides by a sum: write it in a simpler form")
    ((term, coefficient),) = form.items()
    return {raised(term, -1): tidy(1 / Fraction(coefficient))}


def _exact_power(base: Expr, exponent: Expr, log_base: Expr) -> Form:
    constant = value_of(exponent)
    if constant is None:
        inner = multiply(exact(exponent, log_base), log_of_base(base, log_base))
        return _exponential(inner)
    form = exact(base, log_base)
    if len(form) == 1:
        ((term, coefficient),) = form.items()
        if coefficient < 0 and constant.denominator != 1:
            raise AnswerError("the answer takes a root of a negative number: check its signs")
        if constant.denominator == 1 and abs(constant) < 100:
            scale: Number = Fraction(coefficient) ** int(constant)
        else:
            scale = exp_of(constant * log_of(Fraction(coefficient)))
        return {raised(term, tidy(constant)): tidy(scale)}
    if constant.denominator != 1 or not 0 < constant <= LARGEST_POWER:
        raise Undecided("an exponent holds a power of a sum: write it in a simpler form")
    out: Form = {UNIT: 1}
    for _ in range(int(constant)):
        out = multiply(out, form)
    return out


def _exponential(form: Form) -> Form:
    """exp of a sum; a constant in the sum is a factor here."""
    constant = Fraction(form.get(UNIT, 0))
    return {exp_term(form): exp_of(constant) if constant else 1}


def log_of_base(base: Expr, log_base: Expr = E) -> Form:
    """The logarithm of the base of a power; a constant's own is exact where its value is not: e, sqrt(2)."""
    if value_of(base) is None:
        return exact_log(exact(base, log_base))
    log = log_of_constant(base)
    return {UNIT: tidy(log)} if log else {}


def exact_log(form: Form) -> Form:
    """log(c·t·(1 + d)) = log c + log t + d − d²/2 + …, where t is the one fastest term."""
    lead = _fastest(form)
    coefficient = Fraction(form[lead])
    if coefficient <= 0:
        raise AnswerError("the answer takes the logarithm of zero or of a negative number: check its signs")
    others = ((term, value) for term, value in form.items() if term != lead)
    small: Form = {times(term, raised(lead, -1)): tidy(value / coefficient) for term, value in others}
    pairs = [(UNIT, log_of(coefficient)), *log_form(lead).items()]
    step: Form = {UNIT: -1}
    for order in range(1, SERIES if small else 0):
        step = multiply(step, {term: -value for term, value in small.items()})
        pairs += [(term, Fraction(value) / order) for term, value in step.items()]
    return _collect([(term, value) for term, value in pairs if value])


def _fastest(form: Form) -> Term:
    for lead in form:
        others = (times(lead, raised(term, -1)) for term in form if term != lead)
        if all(not ratio.exponent and all(v > 0 for v in leading(ratio).values()) for ratio in others):
            return lead
    if not form:
        raise AnswerError("the answer takes the logarithm of zero: check its terms")
    raise Undecided("an exponent holds the logarithm of a sum of unrelated terms: write it in a simpler form")


def stirling(form: Form) -> Form:
    """log of A! up to a constant: A log A − A + ½ log A."""
    if any(term.exponent for term in form):
        raise Undecided("a factorial of an exponential or a factorial cannot be compared: write it out")
    log = exact_log(form)
    pairs = [*multiply(form, log).items(), *((term, -value) for term, value in form.items())]
    return _collect(pairs + [(term, Fraction(value) / 2) for term, value in log.items()])
