"""An answer that differs from the key comes in; the usual slip that explains it, if one does, goes out."""

from __future__ import annotations

from collections.abc import Iterator

from autograder.errors import AnswerError
from autograder.text.expression.tree import Add, Call, Expr, Mul, Pow, add, mul
from autograder.text.growth.assumptions import Domain
from autograder.text.growth.compare import are_same
from autograder.text.verdict import UsualMistake


def find_slip(answer: Expr, key: Expr, domain: Domain) -> UsualMistake | None:
    """The first slip that turns the key into the answer."""
    strangers = domain.strangers(answer)
    if strangers:
        verb = "is not a variable" if len(strangers) == 1 else "are not variables"
        says = f"{' and '.join(strangers)} {verb} of this question; it has {', '.join(domain.names)}"
        return UsualMistake("extra_variable", says)
    for slip, variant in _variants(key):
        try:
            if are_same(domain.shape(answer), domain.shape(variant), domain):
                return slip
        except AnswerError:
            continue
    return None


MISSING_TERM = UsualMistake("missing_term", "a part of the cost is missing")
MISSING_FACTOR = UsualMistake("missing_factor", "a factor of the cost is missing")
PRODUCT = UsualMistake("product_for_sum", "steps one after another add their times, this multiplies them")
SUM = UsualMistake("sum_for_product", "steps inside one another multiply their times, this adds them")
SERIAL = UsualMistake("serial_for_parallel", "a sum over a tree has logarithmic depth, this adds one by one")
LOG_SQUARED = UsualMistake("log_of_power", "log(x^2) is 2 log x, not the square of log x")


def _variants(key: Expr) -> Iterator[tuple[UsualMistake, Expr]]:
    """What the key becomes under each slip."""
    terms = key.terms if isinstance(key, Add) else ()
    factors = key.factors if isinstance(key, Mul) else ()
    for at in range(len(terms)):
        yield MISSING_TERM, add(*terms[:at], *terms[at + 1 :])
    if terms:
        yield PRODUCT, mul(*terms)
    for at in range(len(factors)):
        yield MISSING_FACTOR, mul(*factors[:at], *factors[at + 1 :])
    if factors:
        yield SUM, add(*factors)
    if isinstance(key, Pow) and _is_log(key.base):
        yield LOG_SQUARED, key.base
    logs = [node for node in dict.fromkeys((*terms, *factors, key)) if _is_log(node)]
    for log in logs:
        yield SERIAL, _opened(key, (log,))
    if len(logs) > 1:
        yield SERIAL, _opened(key, tuple(logs))


def _is_log(node: Expr) -> bool:
    return isinstance(node, Call) and node.name in ("ln", "log")


def _opened(key: Expr, logs: tuple[Expr, ...]) -> Expr:
    """The key with some logarithms replaced by their arguments."""
    match key:
        case Add(terms):
            return add(*(_opened(term, logs) for term in terms))
        case Mul(factors):
            return mul(*(_opened(factor, logs) for factor in factors))
        case Call(_, args) if key in logs:
            return args[0]
        case _:
            return key
