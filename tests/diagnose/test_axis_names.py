"""Lengths get the names of axes that fit in every case, and no others; two slips in the same words are told once."""

from __future__ import annotations

from autograder.diagnose.edits.edit import Edit, Rank
from autograder.diagnose.match_edits import suspect
from autograder.diagnose.observe import Observed, Seen

SIZES = ({"B": 2, "T": 3, "D": 4}, {"B": 3, "T": 2, "D": 5})


def names(*shapes: tuple[int, ...]) -> tuple[str, ...]:
    return Observed(SIZES, {}).names_of([Seen("tensor", shape, True) for shape in shapes])


def test_a_length_has_the_name_that_fits_in_every_case():
    assert names((2, 4), (3, 5)) == ("B", "D")
    assert names((6, 3), (6, 4)) == ("B·T", "D \u2212 1")


def test_a_length_of_one_is_half_of_no_axis():
    assert names((2, 3, 1), (3, 2, 1)) == ("B", "T", "")


def test_a_half_is_no_name_where_something_is_left_over():
    assert names((2,), (2,)) == ("",)  # D // 2 in both cases, and half of D in one


def test_two_slips_in_the_same_words_are_told_once():
    edit = Edit("extra_mask", "the diagonal is masked", Rank.PUT_IN, {})
    told = suspect([edit, edit])
    assert (told.id, told.says) == ("extra_mask", "the diagonal is masked; and the same in another place")
