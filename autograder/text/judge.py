"""A text answer goes to the engine of its kind; engines are loaded when first needed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from autograder.course.model import Choice, Equation, Formula, Growth, Key, Mistake
from autograder.course.small_kinds import Small
from autograder.errors import AnswerError, CourseError
from autograder.text.small.choice import judge_choice
from autograder.text.step_bound import OutOfPatienceError, at_most
from autograder.text.verdict import Judgement

TextPart = Growth | Formula | Equation | Choice | Small
STEPS = 2_000_000  # right answers take a few thousand
TOO_DEEP = "it is nested too deeply to be read: write it shorter"
TOO_LONG = "it takes too long to work out: write it shorter"


def judge_text(answer: str, part: TextPart, key: Key, mistakes: Sequence[Mistake] = ()) -> Judgement:
    """Judge a growth rate, formula, equation or choice against its key; a faulty key is a CourseError."""
    try:
        with at_most(STEPS):
            return _with_share(_judge(answer, part, key, mistakes), mistakes)
    except AnswerError as error:
        if key_faults(part, key, mistakes):
            raise CourseError(f"{part.name}: {error}") from error
        return Judgement("unparseable", 0.0, str(error))  # the key is sound: it is the answer's own fault
    except RecursionError:
        return Judgement("unparseable", 0.0, TOO_DEEP)
    except OutOfPatienceError:
        return Judgement("unparseable", 0.0, TOO_LONG)


def _with_share(judged: Judgement, mistakes: Sequence[Mistake]) -> Judgement:
    """A listed mistake may earn a share of the marks."""
    share = next((known.share for known in mistakes if known.id == judged.mistake), 0.0)
    return replace(judged, share=share) if share > judged.share else judged


def _judge(answer: str, part: TextPart, key: Key, mistakes: Sequence[Mistake]) -> Judgement:
    match part:
        case Growth():
            from autograder.text.growth.judge import judge_growth

            return judge_growth(answer, part, key, mistakes)
        case Formula():
            from autograder.text.formula.judge import judge_formula

            return judge_formula(answer, part, key, mistakes)
        case Equation():
            from autograder.text.equation import judge_equation

            return judge_equation(answer, part, key, mistakes)
        case Choice():
            return judge_choice(answer, part, key, mistakes)
        case _:
            from autograder.text.small.judge import judge_small

            return judge_small(answer, part, key, mistakes)


def key_faults(part: TextPart, key: Key, mistakes: Sequence[Mistake] = ()) -> list[str]:
    """What an author got wrong in the key of a text part."""
    match part:
        case Growth():
            from autograder.text.growth.judge import check_growth_key

            return check_growth_key(part, key, mistakes)
        case Formula():
            from autograder.text.formula.judge import check_formula_key

            return check_formula_key(part, key, mistakes)
        case Equation():
            from autograder.text.equation import check_equation_key

            return check_equation_key(part, key, mistakes)
        case Choice():
            return []
        case _:
            from autograder.text.small.judge import small_key_faults

            return small_key_faults(part, key, mistakes)
