"""Whatever a student writes is judged or refused in a moment, and a faulty key is told from a faulty answer."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from autograder.course.model import Choice, Formula, Growth, Key
from autograder.errors import AnswerError, CourseError
from autograder.text import judge
from autograder.text.judge import TextPart, judge_text
from autograder.text.step_bound import OutOfPatienceError, at_most, remembered, spend
from autograder.text.verdict import Judgement

PART = Growth("cost", 1, "How long does it take?", ["n"])
KEY = Key("O(n)")


def test_an_answer_without_end_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    def think(*args: object) -> None:
        while True:
            spend()

    monkeypatch.setattr(judge, "_judge", think)
    judged = judge_text("n", PART, KEY)
    assert (judged.verdict, judged.share, judged.feedback) == ("unparseable", 0, judge.TOO_LONG)


def test_an_answer_too_deep_for_an_engine_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def dive(*args: object) -> None:
        dive(*args)

    monkeypatch.setattr(judge, "_judge", dive)
    assert judge_text("n", PART, KEY).feedback == judge.TOO_DEEP


def test_an_error_under_a_sound_key_is_the_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object) -> None:
        raise AnswerError("too many terms")

    monkeypatch.setattr(judge, "_judge", refuse)
    assert judge_text("n", PART, KEY).feedback == "too many terms"
    with pytest.raises(CourseError, match="cost: too many terms"):
        judge_text("n", PART, Key("O(m)"))


@pytest.mark.parametrize(
    "answer", ["((((", "n" * 60_000, "n+" * 20_000, "/".join("n" * 3000), "\0", "n!!!!!!!"]
)
def test_a_hostile_text_has_a_verdict(answer: str) -> None:
    assert judge_text(answer, PART, KEY).share == 0
    assert judge_text(answer, Choice("c", 1, "?", {"a": "one", "b": "two"}), Key("a")).share == 0


# ---------------------------------------------------------------- steps

QUESTIONS: dict[str, tuple[str, TextPart, Key]] = {
    "growth": ("n log(n) + n^2 + 2^log(n)", Growth("g", 1, "?", ["n", "m"]), Key("O(n^2)")),
    "formula": ("(a + b)^2 / (a + b) + sqrt(a)", Formula("f", 1, "?", ["a", "b"]), Key("a + b + sqrt(a)")),
}


def in_a_thread(work: Callable[[], Judgement]) -> Judgement:
    found: list[Judgement] = []
    thread = threading.Thread(target=lambda: found.append(work()))
    thread.start()
    thread.join()
    return found[0]


def least_steps(answer: str, part: TextPart, key: Key) -> int:
    """The fewest steps with which an answer is judged."""
    few, enough = 0, 1 << 20
    while enough - few > 1:
        middle = (few + enough) // 2
        try:
            with at_most(middle):
                judge._judge(answer, part, key, ())
            enough = middle
        except OutOfPatienceError:
            few = middle
    return enough


@pytest.mark.parametrize(("answer", "part", "key"), QUESTIONS.values(), ids=QUESTIONS.keys())
def test_a_judgement_takes_the_same_steps_whatever_was_judged_before(
    answer: str, part: TextPart, key: Key, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = least_steps(answer, part, key)
    assert steps > 50
    assert least_steps(answer, part, key) == steps
    for few, full in ((steps - 1, False), (steps, True)):
        monkeypatch.setattr(judge, "STEPS", few)
        here = judge_text(answer, part, key)
        assert (here.feedback != judge.TOO_LONG) is full
        assert in_a_thread(lambda: judge_text(answer, part, key)) == here


def test_what_is_remembered_costs_the_same_again() -> None:
    calls = []

    @remembered(maxsize=8)
    def work(number: int) -> int:
        calls.append(number)
        spend(10)
        return number + 1

    assert work(1) == 2  # with no bound at all, and its steps are known from then on
    for _ in range(2):
        with at_most(25):
            assert (work(1), work(2)) == (2, 3)
            with pytest.raises(OutOfPatienceError):
                work(1)
    assert calls == [1, 2]


def test_a_bound_ends_with_its_block() -> None:
    with pytest.raises(OutOfPatienceError), at_most(1):
        spend(2)
    spend(1 << 40)
