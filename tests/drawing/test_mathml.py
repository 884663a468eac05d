"""LaTeX as MathML: what browsers can show, and nothing that could be anything but mathematics."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.drawing.mathml import ATTRIBUTES, ELEMENTS, to_mathml

HOSTILE = [
    r"\text{<script>alert(1)</script>}",
    r"\text{<img/src=x onerror=alert(1)>}",
    r"\text{&lt;script&gt;}",
    r"\text{&#60;script&#62;}",
    r"\href{javascript:alert(1)}{x}",
    r"\style{background:url(http://evil)}{x}",
    r"\class{x}{y}",
    r"\unicode{x3c}script\unicode{x3e}",
    r"\mathrm{</math><script>}",
    r"\begin{array}{c\" onload=alert(1)}x\end{array}",
    r"\rule{1em\" onclick=\"alert(1)}{1em}",
    "a]]><script>",
    "\\color{red\" onclick='alert(1)'}{x}",
]


def check_is_harmless(math: str) -> None:
    tree = ElementTree.fromstring(math)
    for element in tree.iter():
        assert element.tag in ELEMENTS
        assert set(element.keys()) <= ATTRIBUTES | {"style", "mathvariant"}
        style = element.get("style")
        assert style is None or re.fullmatch(
            r"(text-align:(left|right|-webkit-right);)+padding:[.\dem ]+", style
        )


@pytest.mark.parametrize("latex", HOSTILE)
def test_nothing_but_mathematics_comes_through(latex):
    math = to_mathml(latex)
    if math is not None:
        check_is_harmless(math)
        assert "<script" not in math
        assert "javascript" not in math


FRAGMENTS = [
    *HOSTILE,
    "{",
    "}",
    "$",
    "&",
    "\\",
    "<",
    ">",
    '"',
    "'",
    "^",
    "_",
    r"\frac",
    r"\left(",
    r"\begin{matrix}",
]


@given(st.lists(st.sampled_from(FRAGMENTS) | st.text(max_size=6), max_size=8).map("".join))
def test_any_text_gives_harmless_mathematics_or_none(latex):
    math = to_mathml(latex)
    if math is not None:
        # Control characters can be written in HTML but not in XML, which the test reads with.
        check_is_harmless(re.sub(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]", "", math))


@pytest.mark.parametrize(
    "latex",
    [
        r"\newcommand{\a}{\b\b}\newcommand{\b}{\c\c}\a",
        r"\def\a{\a\a}\a",
        "{" * 900 + "}" * 900,
        r"\left(" * 150 + "x" + r"\right)" * 150,
        "x" * 10_000,
        r"\frac",
        "",
    ],
    ids=["macros", "endless", "braces", "brackets", "long", "unfinished", "empty"],
)
def test_what_cannot_be_set_is_left_to_the_caller(latex):
    assert to_mathml(latex) is None


def test_equations_are_aligned_at_their_signs():
    math = to_mathml(r"\begin{aligned}a &= b \\ c &= d\end{aligned}", display=True)
    assert math is not None
    assert math.startswith('<math display="block">')
    assert math.count("<mtr>") == 2
    assert "text-align:right" in math
    assert "text-align:left" in math


@pytest.mark.parametrize(
    ("latex", "letter"),
    [(r"\mathbb R", "ℝ"), (r"\mathbb{A}", "𝔸"), (r"\mathbf{W}", "𝐖"), (r"\mathbf{x}", "𝐱")],
)
def test_styled_letters_are_those_of_unicode(latex, letter):
    assert f">{letter}<" in str(to_mathml(latex))


def test_a_function_stands_off_from_its_argument():
    assert "<mi>ln</mi><mspace" in str(to_mathml(r"\ln T"))
    assert "<mi>ln</mi><mo" in str(to_mathml(r"\ln(T)"))
