"""A formula that differs from its key comes in; the usual slip that explains it, if one does, goes out."""

from __future__ import annotations

from fractions import Fraction

from autograder.errors import AnswerError
from autograder.text.expression.tree import Add, Expr, add, names_in, neg
from autograder.text.formula.algebra import ONE, Ratio
from autograder.text.formula.equality import QuestionSetting, ratio
from autograder.text.formula.evaluate import points, value_at
from autograder.text.formula.normal import as_number, normal
from autograder.text.verdict import UsualMistake, written_in

LARGEST_FACTOR = 16
ROUNDED = Fraction(1, 100)


def named_factor(factor: Fraction) -> str:
    """A factor by which one slips; any other would give a number of the key away."""
    if max(abs(factor.numerator), factor.denominator) > LARGEST_FACTOR:
        return "a constant factor"
    return f"the constant factor {factor}"


def find_slip(answer: Expr, key: Expr, setting: QuestionSetting) -> UsualMistake | None:
    """The first slip that explains the difference."""
    strangers = [name for name in names_in(answer) if name not in setting.names]
    if strangers:
        return UsualMistake("extra_variable", written_in(setting.names, strangers))
    quotient = ratio(answer, key, setting)
    factor = as_number(quotient) if quotient is not None else None
    if factor == 0:
        return UsualMistake("zero", "this is zero")
    if not names_in(setting.place(key)):  # to say how far off a plain number is would give it away
        is_rounded = _is_rounded(answer, key, setting)
        return UsualMistake("rounded", "close, but rounded: write the exact number") if is_rounded else None
    if factor == -1:
        return UsualMistake("sign", "the sign is wrong")
    if factor is not None:
        return UsualMistake("constant_factor", f"off by {named_factor(factor)}")
    if quotient is not None and (name := _single_name(quotient)) is not None:
        return UsualMistake(
            "extra_factor", f"off by the factor {name}: check what is counted, one part or all of them"
        )
    if _is_rounded(answer, key, setting):
        return UsualMistake("rounded", "close, but rounded: write the exact expression")
    return _terms(answer, key, setting)


def _single_name(quotient: Ratio) -> str | None:
    """K or 1/K, perhaps with a constant factor."""
    if len(quotient.above) != 1 or set(quotient.under) != {ONE}:
        return None
    ((monomial, _),) = quotient.above.items()
    if len(monomial) == 1:
        (((kind, *rest), power),) = monomial
        if kind == "name" and abs(power) == 1:
            return str(rest[0]) if power == 1 else f"1/{rest[0]}"
    return None


def _is_rounded(answer: Expr, key: Expr, setting: QuestionSetting) -> bool:
    answer, key = setting.place(answer), setting.place(key)
    for point in points(sorted({*names_in(answer), *names_in(key)}), answer, key):
        got, want = value_at(answer, point), value_at(key, point)
        if got is None or want is None or abs(got - want) * ROUNDED.denominator > abs(want):
            return False
    return True


def _terms(answer: Expr, key: Expr, setting: QuestionSetting) -> UsualMistake | None:
    """A term of the key that is missing, or one of the answer that is too many."""
    try:
        off = normal(setting.place(add(answer, neg(key))))
        for missing in key.terms if isinstance(key, Add) else ():
            if (off + normal(setting.place(missing))).above == {}:
                return UsualMistake("missing_term", "a term is missing")
        for extra in answer.terms if isinstance(answer, Add) else ():
            if (off + normal(setting.place(neg(extra)))).above == {}:
                return UsualMistake("extra_term", "one term is too many")
    except AnswerError:
        return None
    return None
