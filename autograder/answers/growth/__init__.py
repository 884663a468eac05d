"""A growth rate as a student types it and its key come in; the verdict, the marks and the reason go out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from autograder.answers.formula.evaluate import value_at
from autograder.answers.growth.assume import BOUNDED_VALUE, Domain, domain_of
from autograder.answers.growth.compare import Comparison, Verdict, compare
from autograder.answers.growth.shape import NotPositive
from autograder.answers.growth.slips import find_slip
from autograder.answers.growth.witness import explain
from autograder.answers.reading import ReadBack, read
from autograder.answers.reading.render import latex, plain
from autograder.answers.reading.tree import Expr, Mul, Pow, Sym, names_in, walk
from autograder.errors import AnswerError
from autograder.model import Growth, Key, Mistake
from autograder.verdict import Judgement

__all__ = ["check_growth_key", "growth_at", "judge_growth", "read_growth"]

# A bounded name in an exponent may be any constant: both ends are tried.
ENDS = (1, 97)


@dataclass(frozen=True)
class Rate:
    """A growth rate that was read: the tree, and notes on how."""

    tree: Expr
    notes: tuple[str, ...] = ()

    @property
    def shown(self) -> tuple[str, str]:
        """Plain and in LaTeX."""
        return f"O({plain(self.tree)})", f"O\\left({latex(self.tree)}\\right)"


def judge_growth(answer: str, part: Growth, key: Key, mistakes: Sequence[Mistake] = ()) -> Judgement:
    """Judge an answer. A key or an assumption that cannot be used raises AnswerError: the author's fault."""
    domain, wanted = _question(tuple(part.variables), tuple(part.assumptions), key.answer)
    try:
        rate = _read(answer, tuple(part.variables), domain)
        comparison = _compare(rate.tree, wanted.tree, domain)
    except AnswerError as error:
        return Judgement(Verdict.UNPARSEABLE, 0.0, str(error))
    if comparison.verdict == Verdict.EQUIVALENT:
        return Judgement(Verdict.EQUIVALENT, 1.0, "", *rate.shown)
    why = explain(comparison, domain.shape(rate.tree), domain.shape(wanted.tree), domain)
    reading = next((r for r in key.readings if _same(rate.tree, r.answer, domain)), None)
    if reading is not None:
        verdict = Verdict.EQUIVALENT if reading.share == 1 else comparison.verdict
        return Judgement(verdict, reading.share, reading.says or why, *rate.shown)
    share = {Verdict.LOOSER: key.looser, Verdict.TIGHTER: key.tighter}.get(comparison.verdict, 0.0)
    written = (mistake for mistake in mistakes if isinstance(mistake.answer, str))
    mistake = next((m for m in written if _same(rate.tree, m.answer, domain)), None)
    if mistake is not None:
        return Judgement(comparison.verdict, share, f"{mistake.says}; {why}", *rate.shown, mistake.id)
    slip = find_slip(rate.tree, wanted.tree, domain)
    if slip is not None:
        return Judgement(comparison.verdict, share, f"{slip.says}; {why}", *rate.shown, slip.id)
    return Judgement(comparison.verdict, share, why, *rate.shown)


def read_growth(answer: str, part: Growth) -> ReadBack:
    """What was read, never whether it is right. Raises AnswerError where nothing can be read."""
    domain = domain_of(tuple(part.variables), tuple(part.assumptions))
    _, rate = _read_sides(answer, domain.names, tuple(part.variables))
    strange = [
        f"{name} is not a variable of this question; it has {', '.join(domain.names)}"
        for name in domain.strangers(rate.tree)
    ]
    return ReadBack(*rate.shown, (*rate.notes, *strange))


def growth_at(rate: str, sizes: Mapping[str, int]) -> Decimal | None:
    """The value of a growth rate at sizes of its variables, taken as a formula; None where it has none."""
    names = tuple(sizes)
    _, read = _read_sides(rate, names, names)
    return value_at(read.tree, {name: Decimal(size) for name, size in sizes.items()})


def check_growth_key(part: Growth, key: Key, mistakes: Sequence[Mistake] = ()) -> list[str]:
    """The author's faults: what cannot be read or decided, and mistakes that are none."""
    try:
        domain, wanted = _question(tuple(part.variables), tuple(part.assumptions), key.answer)
        _compare(wanted.tree, wanted.tree, domain)
    except AnswerError as error:
        return [f"{part.name}: {error}"]
    faults = [
        f"{part.name}: the key uses {name}, which the question does not declare"
        for name in domain.strangers(wanted.tree)
    ]
    for number, reading in enumerate(key.readings, 1):
        faults += _check_other(f"{part.name}: reading {number}", reading.answer, key.answer, domain)
    for mistake in mistakes:
        place = f"{part.name}: mistake '{mistake.id}'"
        text = mistake.answer if isinstance(mistake.answer, str) else ""
        faults += _check_other(place, text, key.answer, domain)
        for reading in key.readings:
            faults += _check_other(place, text, reading.answer, domain, "a reading that earns marks")
    return list(dict.fromkeys(faults))


def _check_other(place: str, text: str, other: str, domain: Domain, what: str = "the key") -> list[str]:
    try:
        same = _same(_read(text, (), domain).tree, other, domain)
    except AnswerError as error:
        return [f"{place}: {error}"]
    return [f"{place} equals {what}: '{text}' is the same growth rate as '{other}'"] if same else []


@lru_cache(maxsize=512)
def _question(variables: tuple[str, ...], assumptions: tuple[str, ...], key: str) -> tuple[Domain, Rate]:
    domain = domain_of(variables, assumptions)
    try:
        rate = _read(key, variables, domain)
        domain.shape(rate.tree)
    except AnswerError as error:
        raise AnswerError(f"key '{key}': {error}") from None
    return domain, rate


@lru_cache(maxsize=8192)
def _read_sides(
    text: str, names: tuple[str, ...], variables: tuple[str, ...]
) -> tuple[tuple[Expr, ...], Rate]:
    reading = read(text, names, variables)
    if any(sign != "=" for sign in reading.signs):
        raise AnswerError("a growth rate is one expression, without < or >: write O(n^2 d)")
    sides = reading.sides
    # T(n) = …, cost = …: the left side only names what is asked for; O(T) = O(T^2) claims two rates.
    rates = reading.orders > 1 and set(names_in(sides[0])) <= set(names)
    if len(sides) > 1 and _is_name(sides[0]) and not rates:
        sides = sides[1:]
    return sides, Rate(sides[-1], reading.notes)


def _read(text: str, variables: tuple[str, ...], domain: Domain) -> Rate:
    """The rate; where equals signs join several, they must be the same rate."""
    sides, rate = _read_sides(text, domain.names, variables)
    for side in sides[:-1]:
        if _compare(side, rate.tree, domain).verdict != Verdict.EQUIVALENT:
            raise AnswerError(f"'{plain(side)}' and '{plain(rate.tree)}' differ: give one growth rate")
    return rate


def _is_name(side: Expr) -> bool:
    return isinstance(side, Sym) or (
        isinstance(side, Mul) and all(isinstance(factor, Sym) for factor in side.factors)
    )


def _compare(answer: Expr, key: Expr, domain: Domain) -> Comparison:
    found = Comparison(None, None)
    varies = _bounded_exponent(answer, domain) or _bounded_exponent(key, domain)
    for constant in ENDS if varies else (BOUNDED_VALUE,):
        try:
            here = compare(domain.shape(answer, constant), domain.shape(key, constant), domain)
        except NotPositive:
            if constant == ENDS[0]:
                continue  # the logarithm of one, say, which is no fault of the answer
            raise
        found = Comparison(found.above or here.above, found.under or here.under)
    return found


def _bounded_exponent(tree: Expr, domain: Domain) -> bool:
    if not domain.bounded:
        return False
    powers = (node for node in walk(tree) if isinstance(node, Pow))
    return any(name in domain.bounded for power in powers for name in names_in(power.exponent))


def _same(tree: Expr, text: str, domain: Domain) -> bool:
    return _compare(tree, _read(text, (), domain).tree, domain).verdict == Verdict.EQUIVALENT
