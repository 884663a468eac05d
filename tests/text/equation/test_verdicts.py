"""Every equation part of the course: keys, known mistakes and hundreds of labelled answers."""

from __future__ import annotations

import pytest

from autograder.course.model import Mistake
from autograder.text.equation import check_equation_key, judge_equation
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


@pytest.mark.parametrize(("part", "verdict", "answer"), rows())
def test_a_labelled_answer_gets_its_verdict(part: str, verdict: str, answer: str) -> None:
    _, equation, key, slips = PARTS[part]
    judged = judge_equation(answer, equation, key, slips)
    assert judged.verdict == verdict, judged.feedback


@pytest.mark.parametrize(("part", "answer"), attacks.rows("right"))
def test_a_right_answer_of_another_style_is_equal(part: str, answer: str) -> None:
    _, equation, key, slips = PARTS[part]
    judged = judge_equation(answer, equation, key, slips)
    assert judged.verdict == "equal", judged.feedback


@pytest.mark.parametrize(("part", "answer"), attacks.rows("wrong"))
def test_a_wrong_answer_is_not_passed_and_says_why(part: str, answer: str) -> None:
    _, equation, key, slips = PARTS[part]
    judged = judge_equation(answer, equation, key, slips)
    assert judged.verdict != "equal"
    assert judged.feedback


@pytest.mark.parametrize(("part", "verdict", "answer"), remarked.rows())
def test_a_remark_explains_or_is_refused(part: str, verdict: str, answer: str) -> None:
    _, equation, key, slips = PARTS[part]
    judged = judge_equation(answer, equation, key, slips)
    assert judged.verdict == verdict, judged.feedback
    assert judged.share == (verdict == "equal")
