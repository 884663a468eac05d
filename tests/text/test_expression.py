"""What is read from plain text, unicode, LaTeX and words, shown in the notation that students type."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.errors import AnswerError
from autograder.text.expression.names import names_of, squeeze
from autograder.text.expression.read import read
from autograder.text.expression.render import latex, plain

NAMES = ("T", "U", "n", "m", "d", "V", "E", "X", "Y", "J", "beta", "x_1", "v1", "L")


def shown(text: str) -> str:
    return " = ".join(plain(side) for side in read(text, NAMES, ("T",)).sides)


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("1/(2n)", "1/(2*n)"),
        ("1/(2*n)", "1/(2*n)"),
        ("\\frac{1}{2n}", "1/(2*n)"),
        ("4/(2 n d)", "4/(2*n*d)"),
        ("3/5 n", "(3/5)*n"),
        ("1/2n", "(1/2)*n"),
        ("ln T + ln U", "ln(T) + ln(U)"),
        ("ln TU", "ln(T*U)"),
        ("ln T U^2", "ln(T*U^2)"),
        ("ln(T)U", "ln(T)*U"),
        ("ln T * U", "ln(T)*U"),
        ("ln T (U + 1)", "ln(T)*(U + 1)"),
        ("log n log n", "log(n)*log(n)"),
        ("log log n", "log(log(n))"),
        ("loglogn", "log(log(n))"),
        ("nlogn", "n*log(n)"),
        ("log n^2", "log(n^2)"),
        ("log(n)^2", "log(n)^2"),
        ("log^2 n", "log(n)^2"),
        ("log_2^2 n", "log_2(n)^2"),
        ("log2 n", "log_2(n)"),
        ("log2n", "log_2(n)"),
        ("log 2 (n)", "log_2(n)"),
        ("log 2n", "log(2*n)"),
        ("ln2", "ln(2)"),
        ("lg n", "log_2(n)"),
        ("log base 2 of n", "log_2(n)"),
        ("log* n", "log*(n)"),
        ("\\log^* n", "log*(n)"),
        ("log(n, 2)", "log_2(n)"),
        ("log n!", "log(n!)"),
        ("2^log n", "2^log(n)"),
        ("sqrt n log n", "sqrt(n)*log(n)"),
        ("√2β", "sqrt(2)*beta"),
        ("\\sqrt[3]{n}", "n^(1/3)"),
        ("\\frac12 n", "(1/2)*n"),
        ("\\frac{T}{d U}", "T/(d*U)"),
        ("1/2 n", "(1/2)*n"),
        ("T/dU", "T/(d*U)"),
        ("T/d*U", "T*U/d"),
        ("T^2d", "T^2*d"),
        ("T²d", "T^2*d"),
        ("T^-1", "1/T"),
        ("2^-n", "2^(-n)"),
        ("n^1/2", "n^1/2"),
        ("n^½", "sqrt(n)"),
        ("-T^2", "-T^2"),
        ("x₁ + x1 + x_{1}", "x_1 + x_1 + x_1"),
        ("v₁", "v1"),
        ("\\beta β beta", "beta*beta*beta"),
        ("|V||E|", "|V|*|E|"),
        ("⌈n/2⌉", "ceil(n/2)"),
        ("n choose 2", "binom(n, 2)"),
        ("T x T", "T*T"),
        ("e^{2 n}", "e^(2*n)"),
        ("exp(n)", "e^n"),
        ("O(T) O(d)", "T*d"),
        ("T squared times d", "T^2*d"),
        ("the product of m and n", "m*n"),
        ("quadratic in T and linear in d", "T^2*d"),
        ("logarithmic in X, Y and J", "log(X) + log(Y) + log(J)"),
        ("linear", "T"),
        ("cost = O(T)", "T"),
        ("T = n", "T = n"),
        ("0.1 n", "0.1*n"),
        ("0.6 n + 0.1 d", "0.6*n + 0.1*d"),
        ("3/5 n + 1/10 d", "(3/5)*n + (1/10)*d"),
        ("-2.50 n", "-2.5*n"),
        ("d/n^1.5", "d/n^1.5"),
        ("1e-9 n", "0.000000001*n"),
    ],
)
def test_text_is_read_as(text: str, tree: str) -> None:
    assert shown(text) == tree


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "there is nothing to read"),
        ("T^^2", "cannot read '^2' at column 3"),
        ("T +", "the answer stops after '+'"),
        ("(T", "cannot read '(' at column 1: this bracket is never closed"),
        ("T)", "cannot read ')' at column 2: this bracket closes nothing"),
        ("banana", "cannot read 'banana': the names here are T, U"),
        ("T; import os", "cannot read 'import'"),
        ("T ? U", "cannot read '?' at column 3: this character has no meaning"),
        ("\\foo T", "cannot read '\\foo' at column 1: this LaTeX command has no meaning"),
        ("Ω(T)", "a lower bound says nothing of the cost from above"),
        ("T U very fast", "cannot read 'very'"),
        ("linear in T and U", "may mean a sum or a product: write T + U or T*U"),
        ("1e999999999", "this number is too large to mean anything"),
        ("T" * 900, "the answer has 900 characters: write at most 800"),
        ("(" * 40 + "T" + ")" * 40, "the brackets are nested too deeply"),
        ("T^" * 20 + "2", "powers of powers are nested too deeply"),
        ("O(T) or O(d)", "cannot read 'or'"),
        ("²T^", "cannot read"),
    ],
)
def test_what_cannot_be_read_is_quoted_with_its_column_and_a_fix(text: str, message: str) -> None:
    with pytest.raises(AnswerError) as caught:
        read(text, NAMES, ("T", "U"))
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("text", "rendered"),
    [
        ("T^2 d", "T^{2} d"),
        ("ln(T) + log_2(U)", "\\ln T + \\log_{2} U"),
        ("n log n", "n \\log n"),
        ("(log n)^2", "\\left(\\log n\\right)^{2}"),
        ("ln(TU)", "\\ln\\left(T U\\right)"),
        ("1/2 J", "\\frac{1}{2} J"),
        ("T/(2d)", "\\frac{T}{2 d}"),
        ("sqrt(2) beta x_1", "\\sqrt{2} \\beta x_{1}"),
        ("2*3^n", "2 \\cdot 3^{n}"),
        ("(T + d) U", "\\left(T + d\\right) U"),
        ("T - d", "T - d"),
        ("0.6 T + T/0.2", "0.6 T + \\frac{T}{0.2}"),
        ("T^0.1 + n^(1/10)", "T^{0.1} + \\sqrt[10]{n}"),
        ("T^1", "T^{1}"),
    ],
)
def test_what_was_read_is_rendered(text: str, rendered: str) -> None:
    assert latex(read(text, NAMES).sides[0]) == rendered


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("ln T * U", "the logarithm ends before *: ln(T)*U; for the other reading write ln(T*U)"),
        ("ln T / U", "the logarithm ends before /: ln(T)/U; for the other reading write ln(T/U)"),
        ("ln T U", "the logarithm reaches over all of it: ln(T*U); for the other reading write U*ln(T)"),
        ("n^1/2", "the exponent ends before /: n^1/2; for the other reading write n^(1/2)"),
        ("T/dU", "all of d*U was read as the denominator; for the other reading write T/d*U"),
        ("log_b n", "the base b of the logarithm was read as a constant"),
    ],
)
def test_an_ambiguous_text_is_read_with_a_note(text: str, note: str) -> None:
    assert read(text, NAMES).notes == (note,)


@pytest.mark.parametrize(
    "text", ["ln(T)*U", "ln(T U)", "n^(1/2)", "T/(d U)", "1/2 n", "n log n", "log 2n", "T^2/3"]
)
def test_a_clear_text_has_no_note(text: str) -> None:
    assert read(text, NAMES).notes == ()


def test_spellings_of_one_name_agree() -> None:
    assert {squeeze(name) for name in ("x_1", "x1", "x_{1}")} == {"x1"}
    assert names_of(("beta",)).find("β") == "beta"
    assert [unit.text for unit in names_of(("n", "m")).split("nlogmn")] == ["n", "log", "m", "n"]


@settings(max_examples=300)
@given(st.text(alphabet="TUn+-*/^()logsqrt 2!{}\\|,=²√", max_size=40))
def test_what_is_read_reads_back_the_same(text: str) -> None:
    try:
        first = shown(text)
    except AnswerError:
        return
    assert shown(first) == first
