"""What is told of wrong tensors: the slice where they differ, and prints that tell equal ones."""

from __future__ import annotations

import json
from dataclasses import asdict

import pytest
import torch

from autograder.calls.compare_tensors import Want
from autograder.calls.requests_and_outcomes import ShownSlice
from autograder.calls.shown_values import MOST_COLUMNS, MOST_ROWS, show, values_print
from autograder.grade.report import CaseResult


def want(values: torch.Tensor, name: str = "") -> Want:
    return Want(name, values.double(), torch.float32, 1e-5)


def test_the_slice_of_the_first_difference_is_shown():
    right = torch.arange(24.0).reshape(2, 3, 4)
    wrong = right.clone()
    wrong[1, 2, 3] = float("nan")
    shown = show([wrong], [want(right, "alpha")])
    assert shown is not None
    assert (shown.name, shown.where) == ("alpha", (1,))
    assert shown.want[2] == "20 21 22 23"
    assert shown.got[2] == "20 21 22 nan"
    assert shown.wrong == ("0000", "0000", "0001")


def test_a_vector_is_one_row_and_a_number_one_entry():
    assert show([torch.ones(3)], [want(torch.zeros(3))]).want == ("0 0 0",)  # type: ignore[union-attr]
    assert show([torch.ones(())], [want(torch.zeros(()))]).got == ("1",)  # type: ignore[union-attr]


def test_other_shapes_stand_side_by_side_without_a_difference():
    shown = show([torch.ones(3, 2)], [want(torch.zeros(2, 3))])
    assert shown is not None
    assert (len(shown.want), len(shown.got), shown.wrong) == (2, 3, ())


def test_large_tensors_are_cut():
    shown = show([torch.ones(50, 60)], [want(torch.zeros(50, 60))])
    assert shown is not None
    assert shown.cut
    assert len(shown.got) == MOST_ROWS
    assert len(shown.got[0].split()) == MOST_COLUMNS


@pytest.mark.parametrize(
    "got",
    [[], ["text"], [torch.zeros(2)], [torch.zeros(0)], [torch.zeros(2, dtype=torch.complex64) + 1]],
    ids=["nothing", "no tensor", "right", "empty", "complex"],
)
def test_what_cannot_be_drawn_is_not(got):
    assert show(got, [want(torch.zeros(2))]) is None


def test_a_slice_is_plain_json():
    shown = show([torch.tensor([float("inf"), 1.0])], [want(torch.zeros(2))])
    assert shown is not None
    assert json.loads(json.dumps(asdict(shown), allow_nan=False))["got"] == ["inf 1"]


def test_a_hidden_case_cannot_show_values():
    with pytest.raises(ValueError, match="'large' is hidden: its values are not shown"):
        CaseResult("large", False, True, "hint", ShownSlice("", ("1",), ("2",)))


def test_equal_values_have_equal_prints_up_to_the_last_digits():
    values = torch.tensor([0.123456, 2.0])
    assert values_print([values]) == values_print([values + 1e-8])
    assert values_print([values]) != values_print([values + 0.01])
    assert values_print([values]) != values_print([values[None]])


def test_what_is_no_number_or_too_much_has_no_print():
    assert values_print(["text"]) == ""
    assert values_print([torch.zeros(100, 100)]) == ""
    assert values_print([]) == ""
