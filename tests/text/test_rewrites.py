"""No way of writing an answer turns its verdict: right ones stay right, wrong ones stay wrong."""

from __future__ import annotations

from tests.text.rewrites import RATES, Writer, flips, growth_answers, judged_growth


def test_rewritten_answers_keep_their_verdict() -> None:
    assert flips(600, seed=7) == []


def test_the_same_seed_writes_the_same_answers() -> None:
    assert [*growth_answers(20, 3)] == [*growth_answers(20, 3)]
    assert [*growth_answers(20, 3)] != [*growth_answers(20, 4)]


def test_a_flip_would_be_seen() -> None:
    rate = RATES[0]
    assert judged_growth(Writer(0).total(RATES[1].terms), rate) != "equivalent"
    assert judged_growth(Writer(0).total(rate.terms), rate) == "equivalent"
