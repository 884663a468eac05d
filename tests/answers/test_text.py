"""Whatever a student writes is judged or refused in a moment, and a faulty key is told from a faulty answer."""

from __future__ import annotations

import signal
import time

import pytest

from autograder.answers import text
from autograder.answers.patience import OutOfPatienceError, at_most
from autograder.answers.text import judge_text
from autograder.errors import AnswerError, CourseError
from autograder.model import Choice, Growth, Key

PART = Growth("cost", 1, "How long does it take?", ["n"])
KEY = Key("O(n)")


def test_an_answer_without_end_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    def think(*args: object) -> None:
        while True:
            pass

    monkeypatch.setattr(text, "_judge", think)
    monkeypatch.setattr(text, "SECONDS", 0.05)
    judged = judge_text("n", PART, KEY)
    assert (judged.verdict, judged.share, judged.feedback) == ("unparseable", 0, text.TOO_LONG)


def test_an_answer_too_deep_for_an_engine_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def dive(*args: object) -> None:
        dive(*args)

    monkeypatch.setattr(text, "_judge", dive)
    assert judge_text("n", PART, KEY).feedback == text.TOO_DEEP


def test_an_error_under_a_sound_key_is_the_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object) -> None:
        raise AnswerError("too many terms")

    monkeypatch.setattr(text, "_judge", refuse)
    assert judge_text("n", PART, KEY).feedback == "too many terms"
    with pytest.raises(CourseError, match="cost: too many terms"):
        judge_text("n", PART, Key("O(m)"))


@pytest.mark.parametrize(
    "answer", ["((((", "n" * 60_000, "n+" * 20_000, "/".join("n" * 3000), "\0", "n!!!!!!!"]
)
def test_a_hostile_text_has_a_verdict(answer: str) -> None:
    assert judge_text(answer, PART, KEY).share == 0
    assert judge_text(answer, Choice("c", 1, "?", {"a": "one", "b": "two"}), Key("a")).share == 0


def test_patience_leaves_no_alarm_behind() -> None:
    before = signal.getsignal(signal.SIGALRM)
    with at_most(60):
        pass
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)
    assert signal.getsignal(signal.SIGALRM) is before
    with pytest.raises(OutOfPatienceError), at_most(0.01):
        time.sleep(60)
