"""A text answer goes to the engine of its kind; engines are loaded when first needed."""

from __future__ import annotations

from collections.abc import Sequence

from autograder.answers.choice import judge_choice
from autograder.answers.patience import OutOfPatienceError, at_most
from autograder.errors import AnswerError, CourseError
from autograder.model import Choice, Equation, Formula, Growth, Key, Mistake
from autograder.verdict import Judgement

TextPart = Growth | Formula | Equation | Choice
SECONDS = 20.0  # right answers take milliseconds
TOO_DEEP = "it is nested too deeply to be read: write it shorter"
TOO_LONG = "it takes too long to work out: write it shorter"


def judge_text(answer: str, part: TextPart, key: Key, mistakes: Sequence[Mistake] = ()) -> Judgement:
    """Judge a growth rate, formula, equation or choice against its key; a faulty key is a CourseError."""
    try:
        with at_most(SECONDS):
            return _judge(answer, part, key, mistakes)
    except AnswerError as error:
        if key_faults(part, key, mistakes):
            raise CourseError(f"{part.name}: {error}") from error
        return Judgement("unparseable", 0.0, str(error))  # the key is sound: it is the answer's own fault
    except RecursionError:
        return Judgement("unparseable", 0.0, TOO_DEEP)
    except OutOfPatienceError:
        return Judgement("unparseable", 0.0, TOO_LONG)


def _judge(answer: str, part: TextPart, key: Key, mistakes: Sequence[Mistake]) -> Judgement:
    match part:
        case Growth():
            from autograder.answers.growth import judge_growth

            return judge_growth(answer, part, key, mistakes)
        case Formula():
            from autograder.answers.formula import judge_formula

            return judge_formula(answer, part, key, mistakes)
        case Equation():
            from autograder.answers.equation import judge_equation

            return judge_equation(answer, part, key, mistakes)
        case Choice():
            return judge_choice(answer, part, key, mistakes)


def key_faults(part: TextPart, key: Key, mistakes: Sequence[Mistake] = ()) -> list[str]:
    """What an author got wrong in the key of a text part."""
    match part:
        case Growth():
            from autograder.answers.growth import check_growth_key

            return check_growth_key(part, key, mistakes)
        case Formula():
            from autograder.answers.formula import check_formula_key

            return check_formula_key(part, key, mistakes)
        case Equation():
            from autograder.answers.equation import check_equation_key

            return check_equation_key(part, key, mistakes)
        case Choice():
            return []
