"""Labels."""

from __future__ import annotations

import pytest

from autograder import Choice, Key, slip
from autograder.text.small.choice import judge_choice

PART = Choice("axis", 1, "Which?", {"a": "keys", "b": "queries", "c": "heads"})


@pytest.mark.parametrize("answer", ["a", " A ", "(a)", "a.", "'a'", "[a]"])
def test_the_right_label_counts_however_it_is_dressed(answer):
    assert judge_choice(answer, PART, Key("a")).share == 1


def test_a_known_slip_is_named():
    judged = judge_choice("b", PART, Key("a"), [slip("axis", "queries", "b", "think of rows")])
    assert (judged.share, judged.mistake, judged.feedback) == (0, "queries", "think of rows")


@pytest.mark.parametrize("answer", ["", "d", "a or b", "keys and more"])
def test_anything_else_is_not_a_choice(answer):
    judged = judge_choice(answer, PART, Key("a"))
    assert judged.verdict == "unparseable"
    assert "(a), (b), (c)" in judged.feedback


@pytest.mark.parametrize("answer", ["true", "yes", "correct", "T"])
def test_truth_is_no_label_where_only_its_word_can_be_chosen(answer):
    side = Choice("side", 1, "Which end?", {"left": "the lower", "right": "the upper"})
    assert judge_choice("right", side, Key("right")).share == 1
    assert judge_choice(answer, side, Key("right")).verdict == "unparseable"
