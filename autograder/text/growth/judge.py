"""A growth rate as a student types it and its key come in; the verdict, the marks and the reason go out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from autograder.course.model import Growth, Key, Mistake
from autograder.errors import AnswerError
from autograder.text.expression.read import ReadBack
from autograder.text.expression.tree import Expr, Sym, substitute
from autograder.text.formula.evaluate import value_at
from autograder.text.growth.assumptions import Domain, domain_of
from autograder.text.growth.claims import Rate
from autograder.text.growth.compare import GrowthVerdict, compare_trees
from autograder.text.growth.contradiction import refuse_contradictions
from autograder.text.growth.statement import read_statement
from autograder.text.growth.usual_mistakes import find_slip
from autograder.text.growth.witness import explain
from autograder.text.step_bound import remembered
from autograder.text.verdict import Judgement

__all__ = ["check_growth_key", "growth_at", "judge_growth", "read_growth"]


def judge_growth(answer: str, part: Growth, key: Key, mistakes: Sequence[Mistake] = ()) -> Judgement:
    """Judge an answer. A key or an assumption that cannot be used raises AnswerError: the author's fault."""
    question = _question_of(part)
    domain, wanted = _key(question, key.answer)
    try:
        rate, domain = _read(answer, question)
        comparison = compare_trees(rate.tree, wanted.tree, domain)
    except AnswerError as error:
        return Judgement(GrowthVerdict.UNPARSEABLE, 0.0, str(error))
    reading = next((r for r in key.readings if _same(rate.tree, r.answer, question, domain)), None)
    if rate.per and (comparison.verdict == GrowthVerdict.EQUIVALENT or reading is not None):
        return Judgement(
            GrowthVerdict.UNPARSEABLE, 0.0, f"you give it for one {rate.per}: write it for all of them"
        )
    if rate.beside and (comparison.verdict == GrowthVerdict.EQUIVALENT or reading is not None):
        said = f"you speak of {rate.beside} beside {rate.shown[0]}, in which it is not"
        advice = f"say that it does not depend on {rate.beside}, or write the rate alone"
        return Judgement(GrowthVerdict.UNPARSEABLE, 0.0, f"{said}: {advice}")
    if comparison.verdict == GrowthVerdict.EQUIVALENT:
        return Judgement(GrowthVerdict.EQUIVALENT, 1.0, "", *rate.shown)
    why = explain(comparison, domain.shape(rate.tree), domain.shape(wanted.tree), domain, question.variables)
    if reading is not None:
        verdict = GrowthVerdict.EQUIVALENT if reading.share == 1 else comparison.verdict
        return Judgement(verdict, reading.share, reading.says or why, *rate.shown)
    share = {GrowthVerdict.LOOSER: key.looser, GrowthVerdict.TIGHTER: key.tighter}.get(
        comparison.verdict, 0.0
    )
    written = (mistake for mistake in mistakes if isinstance(mistake.answer, str))
    mistake = next((m for m in written if _same(rate.tree, m.answer, question, domain)), None)
    if mistake is not None:
        return Judgement(comparison.verdict, share, f"{mistake.says}; {why}", *rate.shown, mistake.id)
    slip = find_slip(rate.tree, wanted.tree, domain)
    if slip is not None:
        return Judgement(comparison.verdict, share, f"{slip.says}; {why}", *rate.shown, slip.id)
    return Judgement(comparison.verdict, share, why, *rate.shown)


def read_growth(answer: str, part: Growth) -> ReadBack:
    """What was read, never whether it is right. Raises AnswerError where nothing can be read."""
    question = _question_of(part)
    statement = read_statement(
        answer, question.domain.names, question.variables, question.words, question.parallel
    )
    rate = _in_its_letters(statement.rate, question, question.domain)
    strange = [
        f"{name} is not a variable of this question; it has {', '.join(question.domain.names)}"
        for name in question.domain.strangers(rate.tree)
        if name not in statement.constants
    ]
    return ReadBack(*rate.shown, (*rate.notes, *strange))


def growth_at(rate: str, sizes: Mapping[str, int]) -> Decimal | None:
    """The value of a growth rate at sizes of its variables, taken as a formula; None where it has none."""
    names = tuple(sizes)
    tree = read_statement(rate, names, names).rate.tree
    return value_at(tree, {name: Decimal(size) for name, size in sizes.items()})


def check_growth_key(part: Growth, key: Key, mistakes: Sequence[Mistake] = ()) -> list[str]:
    """The author's faults: what cannot be read or decided, and mistakes that are none."""
    try:
        question = _question_of(part)
        domain, wanted = _key(question, key.answer)
        compare_trees(wanted.tree, wanted.tree, domain)
    except AnswerError as error:
        return [f"{part.name}: {error}"]
    faults = [
        f"{part.name}: the key uses {name}, which the question does not declare"
        for name in domain.strangers(wanted.tree)
    ]
    faults += [
        f"{part.name}: words are given for {name}, which the question does not declare"
        for name, _ in question.words
        if name not in domain.names
    ]
    for number, reading in enumerate(key.readings, 1):
        faults += _check_other(f"{part.name}: reading {number}", reading.answer, key.answer, question)
    for mistake in mistakes:
        place = f"{part.name}: mistake '{mistake.id}'"
        text = mistake.answer if isinstance(mistake.answer, str) else ""
        faults += _check_other(place, text, key.answer, question)
        for reading in key.readings:
            faults += _check_other(place, text, reading.answer, question, "a reading that earns marks")
    return list(dict.fromkeys(faults))


def _check_other(place: str, text: str, other: str, question: Question, what: str = "the key") -> list[str]:
    try:
        rate, domain = _read(text, question)
        same = _same(rate.tree, other, question, domain)
    except AnswerError as error:
        return [f"{place}: {error}"]
    return [f"{place} equals {what}: '{text}' is the same growth rate as '{other}'"] if same else []


# ---------------------------------------------------------------- reading


@dataclass(frozen=True)
class Question:
    """What a part asks about: its variables, their names in words, and what it assumes."""

    variables: tuple[str, ...]
    assumptions: tuple[str, ...]
    words: tuple[tuple[str, str], ...]
    quantity: str
    ask: str = ""
    axes: tuple[tuple[str, str], ...] = ()  # letters of the code that it measures: dv is d

    @property
    def parallel(self) -> bool:
        return self.quantity == "span"

    @property
    def domain(self) -> Domain:
        return domain_of(self.variables, self.assumptions)


def _question_of(part: Growth) -> Question:
    words = tuple(sorted(part.words.items()))
    axes = tuple((axis, size) for axis, size in sorted(part.sizes.items()) if size in part.variables)
    return Question(tuple(part.variables), tuple(part.assumptions), words, part.quantity, part.ask, axes)


@remembered(maxsize=512)
def _key(question: Question, key: str) -> tuple[Domain, Rate]:
    domain = question.domain
    try:
        rate, _ = _read(key, question)
        domain.shape(rate.tree)
    except AnswerError as error:
        raise AnswerError(f"key '{key}': {error}") from None
    return domain, rate


def _read(text: str, question: Question) -> tuple[Rate, Domain]:
    """The rate, and the domain with the answer's own constants; an answer must not contradict itself."""
    statement = read_statement(
        text, question.domain.names, question.variables, question.words, question.parallel
    )
    constants = tuple(f"{name} = O(1)" for name in statement.constants)
    domain = (
        domain_of(question.variables, (*question.assumptions, *constants)) if constants else question.domain
    )
    if statement.stored and question.quantity != "memory":
        raise AnswerError("you speak of memory, and time is asked for: give the growth of the time")
    if statement.both and question.quantity == "memory":
        raise AnswerError("you give time and memory, and memory is asked for: give its growth alone")
    refuse_contradictions(statement, question.variables, domain, question.ask)
    return _in_its_letters(statement.rate, question, domain), domain


def _in_its_letters(rate: Rate, question: Question, domain: Domain) -> Rate:
    """The rate with the letters of the measured code as the question's: O(T d d_v), where d_v is d there."""
    if not question.axes:
        return rate
    axes = dict(question.axes)
    strange = [name for name in domain.strangers(rate.tree) if name.replace("_", "") in axes]
    if not strange:
        return rate
    meant = {name: axes[name.replace("_", "")] for name in strange}
    notes = (f"{name} was read as {size}, as in the code of this problem" for name, size in meant.items())
    tree = substitute(rate.tree, {name: Sym(size) for name, size in meant.items()})
    return replace(rate, tree=tree, notes=(*rate.notes, *notes))


def _same(tree: Expr, text: str, question: Question, domain: Domain) -> bool:
    return compare_trees(tree, _read(text, question)[0].tree, domain).verdict == GrowthVerdict.EQUIVALENT
