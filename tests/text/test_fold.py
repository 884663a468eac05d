"""Unicode becomes plain text that one table gives a meaning, and every character keeps its column."""

from __future__ import annotations

import unicodedata

import pytest

from autograder.text.fold import fold
from autograder.text.symbols import COMMANDS, GREEK, MARKS, SIGNS, SPELLED


@pytest.mark.parametrize(
    ("typed", "plain"),
    [
        ("x² + yᵢⱼ", "x^(2) + y_{ij}"),
        ("Xᵀ 10⁻³", "X^(T) 10^(-3)"),
        ("½ n ÷ 2", "(1/2) n / 2"),
        ("2½n", "2 1/2 n"),
        ("β√2", "β\\sqrt2"),
        ("T²·d", "T^(2)\\cdot d"),
        ("√T·U", "\\sqrt T\\cdot U"),
        ("T ⊗ U", "T \\otimes U"),
        ("⌈log₂ T⌉", "\\lceil log_{2} T\\rceil"),
        ("W̃ᵢ h⃗ ã", "\\tilde{W}_{i} \\vec{h} \\tilde{a}"),
        ("𝑂(log 𝑇)", "O(log T)"),
        ("Ｏ（ｌｎ Ｔ）", "O(ln T)"),
        ("О(Т)", "O(T)"),
        ("√\u200bT", "\\sqrt T"),
        ("T − 1 ≤ “n”", 'T - 1 <= "n"'),
    ],
)
def test_text_is_folded_to(typed: str, plain: str) -> None:
    folded = fold(typed)
    assert folded.text == plain
    assert len(folded.columns) == len(plain)


def test_folding_keeps_the_columns_of_the_text_as_typed() -> None:
    folded = fold("T²+½")
    assert folded.text == "T^(2)+(1/2)"
    assert [folded.column(at) for at in (0, 1, 5, 6)] == [1, 2, 3, 4]


def test_a_fold_quotes_what_was_typed() -> None:
    folded = fold("2 ⊗ √T")
    at = folded.text.index("\\sqrt")
    assert folded.quote(at, at + 5) == "√"
    assert folded.quote(len(folded.text), len(folded.text) + 3) == ""


def test_every_sign_is_spelled_in_plain_characters_with_the_same_meaning() -> None:
    for sign, meaning in SIGNS.items():
        spelled = SPELLED.get(meaning, meaning)
        assert spelled.isascii(), sign
        if spelled.startswith("\\"):
            assert COMMANDS[spelled[1:]] == meaning, sign
        else:
            assert not spelled.isalpha(), f"{sign}: a word without a command"


def test_no_character_has_two_meanings() -> None:
    assert not set(GREEK) & set(SIGNS)
    assert all(unicodedata.combining(mark) for mark in MARKS)
