"""A growth rate as a student types it and its key come in; the verdict, the marks and the reason go out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from autograder.answers.growth.assume import Domain, domain_of
from autograder.answers.growth.compare import Comparison, Verdict, compare
from autograder.answers.growth.lattice import Lattice
from autograder.answers.growth.slips import find_slip
from autograder.answers.growth.witness import explain
from autograder.answers.reading import ReadBack, read
from autograder.answers.reading.render import latex, plain
from autograder.answers.reading.tree import Expr, Mul, Pow, Sym, names_in, walk
from autograder.errors import AnswerError
from autograder.model import Growth, Key, Mistake
from autograder.verdict import Judgement

__all__ = ["check_growth_key", "judge_growth", "read_growth"]

# A bounded name in an exponent may be any constant: both ends are tried.
CONSTANTS = (1, 97)


@dataclass(frozen=True)
class Rate:
    """A growth rate that was read: the tree and the notes on how."""

    tree: Expr
    notes: tuple[str, ...] = ()


def judge_growth(answer: str, part: Growth, key: Key, mistakes: Sequence[Mistake] = ()) -> Judgement:
    """Judge an answer. A key or an assumption that cannot be used raises AnswerError: the author's fault."""
    domain, wanted = _question(tuple(part.variables), tuple(part.assumptions), key.answer)
    try:
        rate = _read(answer, domain.names, tuple(part.variables), domain)
        comparison = _compare(rate.tree, wanted.tree, domain)
    except AnswerError as error:
        return Judgement(Verdict.UNPARSEABLE, 0.0, feedback=str(error))
    shown = {"read_as": f"O({plain(rate.tree)})", "latex": f"O\\left({latex(rate.tree)}\\right)"}
    if comparison.verdict == Verdict.EQUIVALENT:
        return Judgement(Verdict.EQUIVALENT, 1.0, **shown)
    reading = next((r for r in key.readings if _same(rate.tree, r.answer, domain)), None)
    if reading is not None:
        verdict = Verdict.EQUIVALENT if reading.share == 1 else comparison.verdict
        return Judgement(verdict, reading.share, reading.says or _why(comparison, rate, wanted, domain), **shown)
    shares = {Verdict.LOOSER: key.looser, Verdict.TIGHTER: key.tighter}
    share = shares.get(comparison.verdict, 0.0)
    why = _why(comparison, rate, wanted, domain)
    slip = next((m for m in mistakes if isinstance(m.answer, str) and _same(rate.tree, m.answer, domain)), None)
    if slip is not None:
        return Judgement(comparison.verdict, share, f"{slip.says}; {why}", mistake=slip.id, **shown)
    known = find_slip(rate.tree, wanted.tree, domain, _strangers(rate.tree, part, domain))
    feedback = f"{known.says}; {why}" if known else why
    return Judgement(comparison.verdict, share, feedback, mistake=known.id if known else None, **shown)


def read_growth(answer: str, part: Growth) -> ReadBack:
    """What was read, never whether it is right. Raises AnswerError where nothing can be read."""
    domain = domain_of(tuple(part.variables), tuple(part.assumptions))
    rate = _read(answer, domain.names, tuple(part.variables), None)
    notes = list(rate.notes)
    for name in _strangers(rate.tree, part, domain):
        notes.append(f"{name} is not a variable of this question; it has {', '.join(part.variables)}")
    return ReadBack(f"O({plain(rate.tree)})", f"O\\left({latex(rate.tree)}\\right)", tuple(notes))


def check_growth_key(part: Growth, key: Key, mistakes: Sequence[Mistake] = ()) -> list[str]:
    """The author's faults: what cannot be read or decided, and mistakes that are none."""
    try:
        domain, wanted = _question(tuple(part.variables), tuple(part.assumptions), key.answer)
        if domain.find(()) is None:
            return [f"{part.name}: no variables can grow under these assumptions; they contradict each other"]
        _compare(wanted.tree, wanted.tree, domain)
    except AnswerError as error:
        return [f"{part.name}: {error}"]
    faults = [
        f"{part.name}: the key uses {name}, which the question does not declare"
        for name in _strangers(wanted.tree, part, domain)
    ]
    for number, reading in enumerate(key.readings, 1):
        faults += _check_other(f"{part.name}: reading {number}", reading.answer, wanted, domain)
    for mistake in mistakes:
        text = mistake.answer if isinstance(mistake.answer, str) else ""
        faults += _check_other(f"{part.name}: mistake '{mistake.id}'", text, wanted, domain)
        if any(_quietly_same(reading.answer, text, domain) for reading in key.readings):
            faults.append(f"{part.name}: mistake '{mistake.id}' equals a reading that earns marks")
    return faults


def _check_other(place: str, text: str, wanted: Rate, domain: Domain) -> list[str]:
    try:
        rate = _read(text, domain.names, (), domain)
        if _compare(rate.tree, wanted.tree, domain).verdict == Verdict.EQUIVALENT:
            return [f"{place} equals the key: '{text}' is the same growth rate"]
    except AnswerError as error:
        return [f"{place}: {error}"]
    return []


@lru_cache(maxsize=512)
def _question(variables: tuple[str, ...], assumptions: tuple[str, ...], key: str) -> tuple[Domain, Rate]:
    domain = domain_of(variables, assumptions)
    try:
        rate = _read(key, domain.names, variables, domain)
        _lattice(rate.tree, domain, 1)
    except AnswerError as error:
        raise AnswerError(f"key '{key}': {error}") from None
    return domain, rate


@lru_cache(maxsize=8192)
def _read_sides(text: str, names: tuple[str, ...], variables: tuple[str, ...]) -> tuple[tuple[Expr, ...], Rate]:
    reading = read(text, names, variables)
    if any(sign != "=" for sign in reading.signs):
        raise AnswerError("a growth rate is one expression, without < or >: write O(n^2 d)")
    sides = reading.sides
    # T(n) = …, cost = …: the left side only names what is asked for.
    if len(sides) > 1 and _is_name(sides[0]):
        sides = sides[1:]
    return sides, Rate(sides[-1], reading.notes)


def _read(text: str, names: tuple[str, ...], variables: tuple[str, ...], domain: Domain | None) -> Rate:
    sides, rate = _read_sides(text, names, variables)
    for side in sides[:-1]:
        if domain is not None and _compare(side, rate.tree, domain).verdict != Verdict.EQUIVALENT:
            raise AnswerError(f"'{plain(side)}' and '{plain(rate.tree)}' differ: give one growth rate")
    return rate


def _is_name(side: Expr) -> bool:
    return isinstance(side, Sym) or (isinstance(side, Mul) and all(isinstance(f, Sym) for f in side.factors))


def _lattice(tree: Expr, domain: Domain, constant: int) -> Lattice:
    return domain.shape(tree, constant)


def _compare(answer: Expr, key: Expr, domain: Domain) -> Comparison:
    found: Comparison | None = None
    for constant in CONSTANTS if _bounded_exponent(answer, domain) or _bounded_exponent(key, domain) else (1,):
        here = compare(_lattice(answer, domain, constant), _lattice(key, domain, constant), domain)
        found = here if found is None else Comparison(found.above or here.above, found.under or here.under)
    assert found is not None
    return found


def _bounded_exponent(tree: Expr, domain: Domain) -> bool:
    if not domain.bounded:
        return False
    powers = (node for node in walk(tree) if isinstance(node, Pow))
    return any(name in domain.bounded for power in powers for name in names_in(power.exponent))


def _same(tree: Expr, text: str, domain: Domain) -> bool:
    other = _read(text, domain.names, (), domain)
    return _compare(tree, other.tree, domain).verdict == Verdict.EQUIVALENT


def _quietly_same(first: str, second: str, domain: Domain) -> bool:
    try:
        return _same(_read(first, domain.names, (), domain).tree, second, domain)
    except AnswerError:
        return False


def _strangers(tree: Expr, part: Growth, domain: Domain) -> tuple[str, ...]:
    return tuple(name for name in names_in(tree) if name not in domain.names)


def _why(comparison: Comparison, rate: Rate, wanted: Rate, domain: Domain) -> str:
    return explain(comparison, _lattice(rate.tree, domain, 1), _lattice(wanted.tree, domain, 1), domain)
