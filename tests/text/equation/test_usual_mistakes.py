"""Slips of an equation that no author listed: told from the key alone."""

from __future__ import annotations

import pytest

from autograder.course.model import Equation, Key, Tensor
from autograder.text.equation import judge_equation
from autograder.text.verdict import Judgement
from tests.text.equation.parts import PARTS


def judge(part: str, answer: str) -> Judgement:
    _, equation, right, _ = PARTS[part]
    return judge_equation(answer, equation, right)


@pytest.mark.parametrize(
    ("part", "change", "words"),
    [
        ("blank_lm_equation", ("softmax_{w_t}", ""), "the softmax is missing"),
        ("blank_lm_equation", ("W_bwd", "W_fwd"), "W_fwd stands where W_bwd belongs"),
        ("layer_equation", (" - B", " + B"), "B_{l+1} is added: it should be subtracted"),
        ("layer_equation", ("2t", "t"), "the factor 2 in the index of L_l is missing"),
        ("merged_equation", ("sqrt(I)", "I"), "the root of I is missing"),
        ("attention_equation", ("softmax_{t2}", "softmax_{t1}"), "runs over t1: it should run over t2"),
        ("caption_equations", ("softmax_{x,y}", "softmax_{x}"), "runs over x: it should run over x and y"),
        ("caption_equations", ("alpha[x,y] M", "M"), "the factor alpha is missing"),
    ],
)
def test_a_slip_of_the_key_is_told(part, change, words):
    right = PARTS[part][2].answer
    wrong = right.replace(*change)
    assert wrong != right
    judged = judge(part, wrong)
    assert judged.mistake
    assert words in judged.feedback


@pytest.mark.parametrize("part", PARTS)
def test_a_right_answer_makes_no_slip(part):
    judged = judge(part, PARTS[part][2].answer)
    assert (judged.verdict, judged.mistake) == ("equal", None)


def test_a_steep_sigmoid_gives_too_few_numbers_to_name_a_slip():
    right = PARTS["final_output"][2].answer
    wrong = right.replace("X_{2i} - X_{2i-1}", "X_{2i-1} - X_{2i}")
    judged = judge("final_output", wrong)
    assert wrong != right
    assert (judged.verdict, judged.mistake) == ("different", None)


@pytest.mark.parametrize(
    ("right", "wrong", "words"),
    [
        ("-x[t]", "x[t]", "the minus sign in front of x is missing"),
        (
            "1/(1 + exp(-2 x[t]))",
            "1/(1 + exp(2 x[t]))",
            "the minus sign in front of the term with x is missing",
        ),
        ("exp(-x[t])", "x[t]", "entries differ"),
    ],
)
def test_a_key_with_a_minus_sign_in_front_is_one_to_judge_by(right, wrong, words):
    part = Equation("y", 1, "y?", [Tensor("y", ["T"]), Tensor("x", ["T"])])
    judged = judge_equation(f"y[t] = {wrong}", part, Key(f"y[t] = {right}"))
    assert judged.verdict == "different"
    assert words in judged.feedback
