"""Every equation part of the course: keys, known mistakes and hundreds of labelled answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pytest
from _pytest.mark import ParameterSet

from autograder.course.model import Mistake
from autograder.text.equation import check_equation_key, judge_equation
from autograder.text.verdict import Judgement
from tests.text.equation import attacks, remarked
from tests.text.equation.labelled import rows
from tests.text.equation.parts import PARTS

SLIPS = [(part, known) for part, (_, _, _, slips) in PARTS.items() for known in slips]


@pytest.mark.parametrize("part", PARTS)
def test_a_key_earns_full_marks(part: str) -> None:
    _, equation, key, slips = PARTS[part]
    judged = judge_equation(key.answer, equation, key, slips)
    assert (judged.verdict, judged.share, judged.feedback, judged.missing) == ("equal", 1.0, "", ())


@pytest.mark.parametrize("part", PARTS)
def test_an_author_has_nothing_to_mend(part: str) -> None:
    _, equation, key, slips = PARTS[part]
    assert check_equation_key(equation, key, slips) == []
    assert len(slips) >= 4


@pytest.mark.parametrize(("part", "known"), SLIPS, ids=[f"{part}-{known.id}" for part, known in SLIPS])
def test_a_known_mistake_is_caught_and_named(part: str, known: Mistake) -> None:
    _, equation, key, slips = PARTS[part]
    judged = judge_equation(known.answer, equation, key, slips)
    assert judged.verdict in ("different", "ill-typed")
    assert judged.mistake == known.id
    assert known.says in judged.feedback
    assert judged.share < 1


def together(rows: Iterable[tuple[str, ...]]) -> list[ParameterSet]:
    """The rows with all answers of one part, and of one verdict, together: one test for them."""
    blocks: dict[tuple[str, ...], list[str]] = {}
    for *group, answer in rows:
        blocks.setdefault(tuple(group), []).append(answer)
    return [pytest.param(*group, answers, id="-".join(group)) for group, answers in blocks.items()]


def judged_otherwise(part: str, answers: list[str], fits: Callable[[Judgement], object]) -> list[str]:
    """The answers whose verdict is another, with it."""
    _, equation, key, slips = PARTS[part]
    judged = {answer: judge_equation(answer, equation, key, slips) for answer in answers}
    return [f"{answer}: {each.verdict}: {each.feedback}" for answer, each in judged.items() if not fits(each)]


@pytest.mark.parametrize(("part", "verdict", "answers"), together(rows()))
def test_labelled_answers_get_their_verdict(part: str, verdict: str, answers: list[str]) -> None:
    assert judged_otherwise(part, answers, lambda judged: judged.verdict == verdict) == []


@pytest.mark.parametrize(("part", "answers"), together(attacks.rows("right")))
def test_right_answers_of_another_style_are_equal(part: str, answers: list[str]) -> None:
    assert judged_otherwise(part, answers, lambda judged: judged.verdict == "equal") == []


@pytest.mark.parametrize(("part", "answers"), together(attacks.rows("wrong")))
def test_wrong_answers_are_not_passed_and_say_why(part: str, answers: list[str]) -> None:
    assert judged_otherwise(part, answers, lambda judged: judged.verdict != "equal" and judged.feedback) == []


@pytest.mark.parametrize(("part", "verdict", "answers"), together(remarked.rows()))
def test_remarks_explain_or_are_refused(part: str, verdict: str, answers: list[str]) -> None:
    def fits(judged: Judgement) -> bool:
        return judged.verdict == verdict and judged.share == (verdict == "equal")

    assert judged_otherwise(part, answers, fits) == []
