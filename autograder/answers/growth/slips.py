"""An answer that differs from the key comes in; the usual slip that explains it, if one does, goes out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from autograder.answers.growth.assume import Domain
from autograder.answers.growth.compare import Verdict, compare
from autograder.answers.reading.tree import Add, Call, Expr, Mul, add, mul, substitute
from autograder.errors import AnswerError


@dataclass(frozen=True)
class Slip:
    """The id of a slip and what its author should read."""

    id: str
    says: str


def find_slip(answer: Expr, key: Expr, domain: Domain, strangers: tuple[str, ...]) -> Slip | None:
    """The first slip that turns the key into the answer."""
    if strangers:
        names = " and ".join(strangers)
        verb = "is not a variable" if len(strangers) == 1 else "are not variables"
        return Slip("extra_variable", f"{names} {verb} of this question; it has {', '.join(domain.names)}")
    for slip, variant in _variants(key):
        try:
            if compare(domain.shape(answer), domain.shape(variant), domain).verdict == Verdict.EQUIVALENT:
                return slip
        except AnswerError:
            continue
    return None


def _variants(key: Expr) -> Iterator[tuple[Slip, Expr]]:
    terms = key.terms if isinstance(key, Add) else ()
    if terms:
        for dropped in range(len(terms)):
            rest = terms[:dropped] + terms[dropped + 1 :]
            yield Slip("missing_term", "a part of the cost is missing"), add(*rest)
        yield Slip("product_for_sum", "one after the other adds up; this multiplies"), mul(*terms)
    factors = key.factors if isinstance(key, Mul) else ()
    if factors:
        for dropped in range(len(factors)):
            rest = factors[:dropped] + factors[dropped + 1 :]
            yield Slip("missing_factor", "a factor of the cost is missing"), mul(*rest)
        yield Slip("sum_for_product", "one inside the other multiplies; this adds up"), add(*factors)
    logs = [node for node in (*terms, *factors, key) if isinstance(node, Call) and node.name in ("ln", "log")]
    for log in dict.fromkeys(logs):
        serial = _swap(key, log, log.args[0])
        yield Slip("serial_for_parallel", "a sum over a tree has logarithmic depth; this adds one by one"), serial
    if logs:
        everything = key
        for log in logs:
            everything = _swap(everything, log, log.args[0])
        yield Slip("serial_for_parallel", "a sum over a tree has logarithmic depth; this adds one by one"), everything


def _swap(tree: Expr, old: Expr, new: Expr) -> Expr:
    if tree == old:
        return new
    match tree:
        case Add(terms):
            return add(*(_swap(term, old, new) for term in terms))
        case Mul(factors):
            return mul(*(_swap(factor, old, new) for factor in factors))
        case _:
            return substitute(tree, {})
