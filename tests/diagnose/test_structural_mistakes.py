"""Structural slips are recognised from the wrong tensors alone, and named only where the name is true."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from autograder.calls.compare_tensors import Want
from autograder.diagnose.structural_mistakes import Beside, Suspect, structural_slip


def draw(*shape: int, seed: int = 4) -> Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed)).double()


VALUES = torch.softmax(draw(4, 5, seed=3) * 2, dim=1)
RAW = draw(4, 5)


def beside(got: Tensor, want: Tensor, name: str = "", **sizes: int) -> Beside:
    return Beside((got.float(),), (Want(name, want, torch.float32, 1e-6),), sizes)


@pytest.mark.parametrize(
    ("got", "id", "words"),
    [
        (VALUES.T, "transposed", "permute yours to (1, 0)"),
        (VALUES.flip(0), "reversed", "axis 0 runs backwards"),
        (VALUES.roll(1, 0), "shifted", "axis 0 is shifted by one"),
        (VALUES / 5**0.5, "constant_factor", "1/√J times"),
        (-VALUES, "constant_factor", "−1 times"),
        (VALUES + 0.25, "constant_offset", "off by the same 0.2500"),
        (VALUES.reshape(2, 10), "wrong_shape", "not their shape: reshape them"),
        (VALUES.reshape(5, 4), "wrong_shape", "not their shape: reshape them"),
        (VALUES.flatten()[torch.randperm(20)].view(4, 5), "right_values_wrong_places", "in the wrong places"),
        (torch.softmax(RAW, dim=0), "wrong_axis_normalised", "sums to 1 over axis 0; it should over axis 1"),
        (RAW.abs(), "not_normalised", "along axis 1 should sum to 1"),
    ],
    ids=lambda value: value if isinstance(value, str) and " " not in value else "",
)
def test_a_slip_is_named_with_its_fix(got, id, words):
    found = structural_slip([beside(got, VALUES, I=4, J=5)])
    assert found is not None
    assert found.id == id
    assert words in found.says


def test_the_right_values_and_unrelated_ones_raise_no_suspicion():
    assert structural_slip([beside(VALUES, VALUES)]) is None
    assert structural_slip([beside(draw(4, 5, seed=9), RAW, J=5)]) is None
    assert structural_slip([]) is None


def test_a_sentence_must_be_true_of_every_failing_case():
    flipped = beside(RAW.flip(0), RAW)
    assert structural_slip([flipped, beside(RAW.flip(0), RAW)]).says == "axis 0 runs backwards: flip it"
    assert structural_slip([flipped, beside(RAW.flip(1), RAW)]).id == "right_values_wrong_places"
    assert structural_slip([flipped, beside(-RAW, RAW)]) is None


def test_a_slip_that_would_spoil_a_case_that_passes_is_not_the_one():
    assert structural_slip([beside(-RAW, RAW), beside(RAW, RAW)]).says == (
        "where it fails, all values are off by one and the same factor"
    )
    assert structural_slip([beside(RAW.flip(0), RAW), beside(RAW, RAW)]).id == "right_values_wrong_places"
    # One row is the same backwards, and zeros are the same however they are multiplied.
    one, zeros = draw(1, 5), torch.zeros(4, 5).double()
    assert structural_slip([beside(RAW.flip(0), RAW), beside(one, one)]).id == "reversed"
    assert structural_slip([beside(-RAW, RAW), beside(zeros, zeros)]).says.startswith("every value is −1")


def scaled(by: str, **sizes: int) -> Beside:
    values = draw(3, 4, seed=sum(sizes.values()))
    return beside(values * eval(by, {}, dict(sizes)), values, **sizes)


@pytest.mark.parametrize(
    ("by", "cases", "words"),
    [
        ("1 / E", [{"D": 4, "E": 2}, {"D": 9, "E": 5}], "every value is 1/E times"),
        ("D ** -0.5", [{"D": 4, "E": 2}, {"D": 9, "E": 5}], "every value is 1/√D times"),
        ("B / (B - 1)", [{"B": 5, "D": 3}, {"B": 7, "D": 4}], "every value is B/(B − 1) times"),
        ("0.5", [{"D": 4, "E": 2}, {"D": 9, "E": 5}], "every value is 1/2 times"),
        ("0.5", [{"D": 4, "E": 2}], "every value is 1/2 times"),
        ("1 / E", [{"D": 4, "E": 2}], "every value is 1/2 times"),
        ("D ** 0.3", [{"D": 4}, {"D": 9}], "where it fails, all values are off by one and the same factor"),
        ("0.8137", [{"D": 4}, {"D": 9}], "every value is 0.8137 times"),
        ("1 / T", [{"T": 4, "D": 3}, {"T": 1, "D": 5}, {"T": 6, "D": 6}], "every value is 1/T times"),
    ],
    ids=["one-over-e", "root", "bessel", "half", "half-once", "unsure", "no-name", "number", "length-one"],
)
def test_a_factor_is_named_by_an_axis_only_if_one_expression_fits_all_cases(by, cases, words):
    assert structural_slip([scaled(by, **sizes) for sizes in cases]).says.startswith(words)


def test_a_result_of_one_number_needs_two_cases_that_agree():
    first, second = (beside(value / n, value, N=n) for value, n in ((draw(1), 4), (draw(1, seed=8), 9)))
    assert structural_slip([first, second]).says == "every value is 1/N times what it should be"
    assert structural_slip([first]) is None
    assert structural_slip([first, beside(draw(1, seed=5), draw(1, seed=6), N=9)]) is None


def test_a_factor_is_not_lost_where_one_case_overflows():
    overflown = beside(torch.full((4, 5), torch.nan), RAW, J=5)
    assert structural_slip([beside(RAW * 2, RAW, J=5), overflown]).says.startswith("every value is 2 times")


def test_of_several_results_the_wrong_one_is_named():
    wants = tuple(Want(name, RAW, torch.float32, 1e-6) for name in ("dQ", "dK"))
    right, minus = RAW.float(), -RAW.float()
    assert structural_slip([Beside((minus, right), wants, {})]) == Suspect(
        "constant_factor", "dQ: every value is −1 times what it should be"
    )
    both = structural_slip([Beside((minus, minus), wants, {})])
    assert both is not None
    assert both.says == "every value is −1 times what it should be"
    assert structural_slip([Beside((minus, right.flip(0)), wants, {})]) is None


@pytest.mark.parametrize(
    "dtype", [torch.uint64, torch.uint32, torch.uint16, torch.bool, torch.bfloat16, torch.int8]
)
def test_a_result_of_any_dtype_is_looked_at(dtype):
    got = draw(3, 4).abs().mul(9).to(dtype)
    want = Want("", got.double(), torch.float32, 1e-6)
    slip = structural_slip([Beside((got,), (want,), {})])
    assert slip is not None
    assert slip.says == f"the values are right, but in {str(dtype)[6:]}, and float32 is asked for"
    assert structural_slip([Beside((got,), (Want("", draw(3, 4), torch.float32, 1e-6),), {})]) is None


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_what_is_rounded_by_its_dtype_is_told_of_the_dtype_alone(dtype):
    want = Want("", VALUES, torch.float32, 1e-6)
    slip = structural_slip([Beside((VALUES.to(dtype),), (want,), {})])
    assert slip == Suspect(
        "wrong_dtype", f"the values are right, but in {str(dtype)[6:]}, and float32 is asked for"
    )
    rough = Beside(
        (torch.softmax(RAW.to(dtype) * 1.01, dim=1),),
        (Want("", torch.softmax(RAW, 1), torch.float32, 1e-6),),
        {},
    )
    assert "sum to 1" not in str(structural_slip([rough]))
