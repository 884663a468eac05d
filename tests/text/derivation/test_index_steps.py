"""Derivations in index notation: the merged key and query matrix, with the slip of the sheet it is from."""

from __future__ import annotations

import pytest

from autograder import Derivation, Key, Tensor
from autograder.text.judge import judge_text, key_faults
from autograder.text.small.judge import read_small

MERGED = Derivation(
    "merged",
    4,
    "Show that one matrix is enough.",
    tensors=[
        Tensor("alpha", ["K", "T", "T"], [r"\alpha"]),
        Tensor("L", ["T", "J"], [r"L_\ell"]),
        Tensor("WQ", ["K", "I", "J"], ["W^Q"]),
        Tensor("WK", ["K", "I", "J"], ["W^K"]),
        Tensor("W_tilde", ["K", "J", "J"], [r"\tilde{W}^Q"]),
    ],
    defines="alpha[k, t_1, t_2]",
    assumptions=["W_tilde[k, j_1, j_2] = 1/sqrt(I) WQ[k, I, j_1] WK[k, I, j_2]"],
    steps=3,
)
KEY = r"""
= \text{softmax}_{t_2} \left[ \frac{1}{\sqrt{I}} (L_\ell[t_1, J_1] W^Q[k, I, J_1]) (W^K[k, I, J_2] L_\ell[t_2, J_2]) \right]
= \text{softmax}_{t_2} \left[ \frac{1}{\sqrt{I}} \sum_{j_1, j_2, i} L_\ell[t_1, j_1] W^Q[k, i, j_1] W^K[k, i, j_2] L_\ell[t_2, j_2] \right]
= \text{softmax}_{t_2} \left[ \sum_{j_1, j_2} L_\ell[t_1, j_1] \left( \frac{1}{\sqrt{I}} \sum_i W^Q[k, i, j_1] (W^K[k, i, j_2]) \right) L_\ell[t_2, j_2] \right]
= \text{softmax}_{t_2} \left[ \sum_{j_1, j_2} L_\ell[t_1, j_1] \tilde{W}^Q[k, j_1, j_2] L_\ell[t_2, j_2] \right]
= \text{softmax}_{t_2} \left[ L_\ell[t_1, J_1] \tilde{W}^Q[k, J_1, J_2] L_\ell[t_2, J_2] \right]
\tilde{W}^Q[k, j_1, j_2] = \frac{1}{\sqrt{I}} W^Q[k, I, j_1] W^K[k, I, j_2]
"""
ROWS = KEY.strip().split("\n")


def test_the_key_is_sound_and_earns_full_marks_as_it_is_typed() -> None:
    assert key_faults(MERGED, Key(KEY)) == []
    aligned = (
        r"\begin{aligned} " + r" \\ ".join(row.replace("=", "&=", 1) for row in ROWS) + r" \end{aligned}"
    )
    for answer in (KEY, aligned, "alpha[k, t_1, t_2] " + KEY.strip()):
        judged = judge_text(answer, MERGED, Key(KEY))
        assert (judged.verdict, judged.share) == ("equal", 1), judged
    assert len(read_small(KEY, MERGED).splitlines()) == 6


def test_the_sheets_own_lines_are_false_from_the_first_and_follow_from_one_another() -> None:
    sheet = "\n".join(
        row.replace("t_2, J_2]", "t_1, J_2]").replace("t_2, j_2]", "t_1, j_2]") for row in ROWS[:5]
    )
    judged = judge_text(sheet, MERGED, Key(KEY))
    assert (judged.verdict, judged.mistake) == ("different", "line_1")
    assert judged.share == pytest.approx(3 / 4)
    assert "is not equal to what is asked for; the lines after it follow from one another" in judged.feedback


@pytest.mark.parametrize("slipped", range(1, 5))
def test_a_slip_in_one_line_is_named_by_that_line(slipped: int) -> None:
    rows = [
        row if at < slipped else row.replace("t_2, J_2]", "t_1, J_2]").replace("t_2, j_2]", "t_1, j_2]")
        for at, row in enumerate(ROWS[:5])
    ]
    judged = judge_text("\n".join(rows), MERGED, Key(KEY))
    assert (judged.verdict, judged.mistake) == ("different", f"line_{slipped + 1}")


def test_a_factor_that_is_lost_and_a_definition_that_is_false_are_named() -> None:
    lost = "\n".join([*ROWS[:2], ROWS[2].replace(r"\frac{1}{\sqrt{I}} ", ""), *ROWS[5:]])
    assert judge_text(lost, MERGED, Key(KEY)).mistake == "line_3"
    false = "\n".join([*ROWS[:5], ROWS[5].replace("j_1]", "j_2]", 2)])
    assert judge_text(false, MERGED, Key(KEY)).mistake == "line_6"


def test_a_line_that_cannot_be_read_or_has_no_type_is_named() -> None:
    judged = judge_text("\n".join([*ROWS[:2], "= softmax_{t_2} [ L[ ]"]), MERGED, Key(KEY))
    assert (judged.verdict, judged.feedback[:7]) == ("unparseable", "line 3:")
    judged = judge_text("\n".join([ROWS[0], "= softmax_{t_2} [ L[t_1, J] ]"]), MERGED, Key(KEY))
    assert (judged.verdict, judged.mistake) == ("different", "line_2")


def test_too_few_steps_earn_nothing() -> None:
    judged = judge_text("\n".join(ROWS[:2]), MERGED, Key(KEY))
    assert (judged.share, judged.mistake) == (0, "too_few_steps")
