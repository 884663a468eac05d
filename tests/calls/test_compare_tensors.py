"""Comparison of tensors: kind, shape, dtype, values."""

from __future__ import annotations

import pytest
import torch

from autograder.calls.compare_tensors import Want, compare, compare_tensor, tolerance


def want(values, dtype=torch.float32, close=1e-5, name="alpha"):
    return Want(name, torch.as_tensor(values, dtype=torch.float64), dtype, close)


GRID = torch.arange(6.0).view(2, 3)


@pytest.mark.parametrize(
    ("got", "what", "message"),
    [
        (torch.zeros(1), "shape", "expected shape [2, 3], got [1]"),
        (GRID.T, "shape", "expected shape [2, 3], got [3, 2]"),
        (GRID.double(), "dtype", "expected float32, got float64"),
        (GRID + 1, "values", "6 of 6 values differ; first at [0, 0]: expected 0, got 1.0000"),
        (
            GRID + torch.tensor([0, 0, 0.5]),
            "values",
            "2 of 6 values differ; first at [0, 2]: expected 2.0000, got 2.5000",
        ),
        (GRID * torch.nan, "values", "6 of 6 values are NaN"),
        (torch.where(GRID == 5, torch.inf, GRID), "values", "1 of 6 values are infinite"),
    ],
    ids=["broadcastable", "transposed", "dtype", "all", "some", "nan", "infinite"],
)
def test_the_first_difference_is_said(got, what, message):
    difference = compare_tensor(got, want(GRID))
    assert difference is not None
    assert (difference.what, difference.message) == (what, message)


@pytest.mark.parametrize(
    ("right", "mine", "said"),
    [
        (1.09101, 1.09104, "expected 1.09101, got 1.09104"),
        (1.0910, 1.0920, "expected 1.0910, got 1.0920"),
        (123456.0, 123457.0, "expected 123456, got 123457"),
        (1e-9, 1.00001e-9, "expected 1e-09, got 1.00001e-09"),
        (1.0, 1.0 + 2**-52, "expected 1.0000000000000000, got 1.0000000000000002"),
    ],
    ids=str,
)
def test_two_numbers_have_as_many_digits_as_it_takes_to_tell_them_apart(right, mine, said):
    wanted = want([right], torch.float64, close=0.0)
    difference = compare_tensor(torch.tensor([mine], dtype=torch.float64), wanted)
    assert difference is not None
    assert difference.message.endswith(said)


def test_equal_tensors_and_equal_infinities_agree():
    values = torch.tensor([1.0, torch.inf])
    assert compare_tensor(values, want(values)) is None


def test_nan_is_not_equal_to_nan():
    values = torch.tensor([torch.nan])
    assert compare_tensor(values, want(values)) is not None


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("none", "expected a torch tensor, got None: does the function end with return?"),
        ("ndarray", "expected a torch tensor, got a numpy array: wrap it in torch.from_numpy(…)"),
        ("tuple", "expected a torch tensor, got a tuple: return the tensor itself"),
        ("number", "expected a torch tensor, got a number"),
    ],
    ids=str,
)
def test_a_wrong_kind_says_what_to_return(kind, message):
    difference = compare(kind, [kind], [GRID], [want(GRID)], many=False)
    assert difference is not None
    assert difference.message == message


def test_a_list_will_do_where_a_tuple_is_asked():
    assert compare("list", ["tensor"] * 2, [GRID, GRID], [want(GRID), want(GRID)], many=True) is None


def test_results_of_a_tuple_are_named():
    difference = compare(
        "tuple", ["tensor"] * 2, [GRID, GRID + 1], [want(GRID), want(GRID, name="V")], many=True
    )
    assert difference is not None
    assert difference.message.startswith("V: 6 of 6 values differ")


def test_a_missing_result_is_counted():
    difference = compare("tuple", ["tensor"], [GRID], [want(GRID), want(GRID, name="V")], many=True)
    assert difference is not None
    assert difference.message == "expected 2 results (alpha, V), got 1"


def test_tolerance_follows_the_reference_own_rounding():
    wide = torch.tensor([1.0, 2.0], dtype=torch.float64)
    rough = tolerance(wide, [(wide + 1e-3).float(), wide], torch.float32)
    exact = tolerance(wide, [wide.float()], torch.float32)
    assert rough == pytest.approx(0.064, rel=0.01)
    assert exact < 1e-4
    assert tolerance(wide, [(wide + 1e-3).float()], torch.float64) < 1e-9
