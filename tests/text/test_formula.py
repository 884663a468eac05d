"""Exact formulas as students type them, each with its verdict; slips, several outputs, and hostile input."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.course.model import Formula, Mistake, Reading, key
from autograder.errors import AnswerError
from autograder.text.formula.judge import check_formula_key, judge_formula, read_formula

LIMIT = "y1 = d + b, y2 = a, y3 = c + d"
TABLE = tomllib.loads(Path(__file__).with_name("formula_answers.toml").read_text(encoding="utf-8"))
ENDLESS = ("2IJ" * 400, "(" * 300, "I^" * 200, "\n" * 3000)


def verdicts(family: dict[str, Any], answers: list[str]) -> dict[str, str]:
    part = Formula("part", 1, "", family["variables"], (), family.get("assumptions", ()))
    return {text: judge_formula(text, part, key(family["key"])).verdict for text in answers}


@pytest.mark.parametrize("family", TABLE["family"], ids=lambda family: family["name"])
@pytest.mark.parametrize("verdict", ["equal", "different", "unparseable"])
def test_equal_formulas_are_equal_and_others_are_not(family: dict[str, Any], verdict: str) -> None:
    answers = family.get(verdict, [])
    assert verdicts(family, answers) == dict.fromkeys(answers, verdict)


def test_code_and_garbage_are_unparseable_with_a_reason() -> None:
    answers = [*TABLE["garbage"], *ENDLESS]
    assert verdicts({"variables": ("I", "J"), "key": "2IJ"}, answers) == dict.fromkeys(answers, "unparseable")


@pytest.mark.parametrize(
    ("answer", "slip", "words"),
    [
        ("IJ", "constant_factor", "off by the constant factor 1/2"),
        ("2KIJ", "extra_factor", "off by the factor K"),
        ("-2IJ", "sign", "the sign is wrong"),
        ("2.001IJ", "constant_factor", "off by a constant factor"),
        ("2IJ + b", "extra_variable", "the answer is to be written in I, J, K, without b"),
        ("2IJ + b c d", "extra_variable", "the answer is to be written in I, J, K, without b, c and d"),
    ],
)
def test_a_slip_is_named(answer: str, slip: str, words: str) -> None:
    judgement = judge_formula(answer, Formula("part", 1, "", ("I", "J", "K")), key("2IJ"))
    assert judgement.mistake == slip
    assert words in judgement.feedback


def test_a_missing_term_is_named() -> None:
    judgement = judge_formula("L(w-1)", Formula("part", 1, "", ("L", "w")), key("L(w-1) + 1"))
    assert (judgement.mistake, judgement.share) == ("missing_term", 0.0)


def test_a_known_mistake_comes_before_a_slip() -> None:
    known = Mistake("one_matrix", "part", "query and key both count", "IJ")
    judgement = judge_formula("JI", Formula("part", 1, "", ("I", "J")), key("2IJ"), [known])
    assert (judgement.mistake, judgement.feedback) == ("one_matrix", "query and key both count")


def test_a_further_reading_earns_its_share() -> None:
    answer = key("2IJ", Reading("2KIJ", 0.5, "that is per layer"))
    judgement = judge_formula("2*K*I*J", Formula("part", 1, "", ("I", "J", "K")), answer)
    assert (judgement.verdict, judgement.share, judgement.feedback) == ("different", 0.5, "that is per layer")


def test_each_output_has_a_line_and_missing_ones_are_listed() -> None:
    part = Formula("part", 1, "", ("a", "b", "c", "d"))
    judgement = judge_formula("y_2 = a, y_1 = d", part, key(LIMIT))
    assert [(line.defines, line.verdict) for line in judgement.lines] == [
        ("y1", "different"),
        ("y2", "equal"),
    ]
    assert judgement.missing == ("y3",)


def test_what_was_read_says_nothing_about_right_or_wrong() -> None:
    back = read_formula("√2β + q", Formula("part", 1, "", ("beta",)))
    assert back.plain == "sqrt(2)*beta + q"
    assert back.latex == "\\sqrt{2} \\beta + q"
    assert back.notes == ("the answer is to be written in beta, without q",)
    with pytest.raises(AnswerError, match="nothing to read"):
        read_formula("  ", Formula("part", 1, "", ("beta",)))


def test_faults_of_the_author_are_told() -> None:
    part = Formula("part", 1, "", ("I", "J"), (), ("I = J/K",))
    assert check_formula_key(part, key("2IJ")) == []
    assert check_formula_key(part, key("2IJ)"))[0].startswith("part: key '2IJ)': cannot read ')'")
    assert check_formula_key(part, key("2QJ")) == [
        "part: the key uses Q, which the question does not declare"
    ]
    same = Mistake("same", "part", "no", "2J^2/K")
    assert check_formula_key(part, key("2IJ"), [same]) == ["part: mistake 'same' equals the key: '2J^2/K'"]
    assert check_formula_key(part, key("2IJ", Reading("2I(", 0.5)))[0].startswith("part: reading 1: ")
    broken = Formula("part", 1, "", ("I", "J"), (), ("I = (",))
    assert check_formula_key(broken, key("2IJ"))[0].startswith("part: assumption 'I = ('")


@settings(max_examples=300)
@given(
    st.text(max_size=40),
    st.sampled_from(["2*I*J", "I = J/2", "\\frac{J}{2}", "y1 = I, y2 = J"]),
    st.integers(0, 12),
)
def test_no_text_makes_the_judge_raise(noise: str, answer: str, at: int) -> None:
    part = Formula("part", 1, "", ("I", "J"))
    for text in (noise, answer[:at] + noise + answer[at:]):
        for wanted in ("2*I*J", "I = J/2", "y1 = I, y2 = J"):
            assert judge_formula(text, part, key(wanted)).verdict in ("equal", "different", "unparseable")


@pytest.mark.parametrize(
    "left",
    [
        "<x_1, x_3>",
        r"\langle x_3, x_1 \rangle",
        r"x_1 \cdot x_3",
        "x_1 · x_3",
        "x_1^T x_3",
        r"x_1^{\top} x_3",
        r"\mathbf{x}_1^\top \mathbf{x}_3",
        "dot(x_1, x_3)",
    ],
)
def test_an_inner_product_may_be_named_in_any_notation(left: str) -> None:
    part = Formula("part", 1, "", ("beta",), defines="<x_1, x_3>")
    assert judge_formula(f"{left} = beta^2", part, key("beta^2")).verdict == "equal"


@pytest.mark.parametrize("left", ["||x_1||", r"\|x_1\|", r"\lVert x_1 \rVert", "‖x_1‖", "||x_1||_2"])
def test_a_norm_may_be_named_in_any_notation(left: str) -> None:
    part = Formula("part", 1, "", ("beta",), defines="||x_1||")
    assert judge_formula(rf"{left} = \sqrt2 \beta", part, key("beta sqrt(2)")).verdict == "equal"


def test_a_vector_may_be_written_by_what_it_is_made_of() -> None:
    part = Formula("part", 1, "", ("beta",), ("x_1", "x_2"), ("x_1 = b + d", "x_2 = a"))
    wanted = key("(e^beta x_1 + x_2) / (e^beta + 1)")
    assert judge_formula("(e^beta (b + d) + a) / (e^beta + 1)", part, wanted).verdict == "equal"
    assert judge_formula("(e^beta b + a) / (e^beta + 1)", part, wanted).verdict == "different"


@pytest.mark.parametrize(
    ("right", "answer"),
    [("12", "4"), ("8/3", "-8/3"), ("12", "12 n"), ("ln 4", "ln 2"), ("[2, 3]", "2, 4"), ("I = 4", "I = 2")],
)
def test_how_far_off_a_plain_number_is_would_give_it_away(right, answer):
    judged = judge_formula(answer, Formula("f", 1, "", ["n"]), key(right))
    assert judged.verdict == "different"
    assert "factor" not in judged.feedback
    assert "sign" not in judged.feedback
