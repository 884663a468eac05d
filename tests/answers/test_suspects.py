"""Structural slips are recognised from the wrong tensor alone."""

from __future__ import annotations

import pytest
import torch

from autograder.answers.suspects import common_suspect, find_suspects
from autograder.answers.tensors import Want

VALUES = torch.softmax(torch.randn(4, 5, generator=torch.Generator().manual_seed(3)).double() * 2, dim=1)
WANT = Want("", VALUES, torch.float32, 1e-6)
RAW = torch.randn(4, 5, generator=torch.Generator().manual_seed(4)).double()


@pytest.mark.parametrize(
    ("got", "id", "words"),
    [
        (VALUES.T, "transposed", "permute yours to (1, 0)"),
        (VALUES.flip(0), "reversed", "axis 0 runs backwards"),
        (VALUES.roll(1, 0), "shifted", "axis 0 is shifted by one"),
        (VALUES / 5**0.5, "constant_factor", "1/√J times"),
        (-VALUES, "constant_factor", "−1 times"),
        (VALUES + 0.25, "constant_offset", "off by the same 0.2500"),
        (VALUES.reshape(2, 10), "wrong_shape", "reshape them to [4, 5]"),
        (VALUES.reshape(5, 4), "wrong_shape", "reshape them to [4, 5]"),
        (VALUES.flatten()[torch.randperm(20)].view(4, 5), "right_values_wrong_places", "in the wrong places"),
        (torch.softmax(RAW, dim=0), "wrong_axis_normalised", "sums to 1 over axis 0; it should over axis 1"),
        (RAW.abs(), "not_normalised", "along axis 1 should sum to 1"),
    ],
    ids=lambda value: value if isinstance(value, str) and " " not in value else "",
)
def test_a_slip_is_named_with_its_fix(got, id, words):
    found = find_suspects(got.float(), WANT, {"I": 4, "J": 5})
    assert next(iter(found)) == id
    assert words in found[id]


def test_the_right_values_and_unrelated_ones_raise_no_suspicion():
    assert find_suspects(VALUES.float(), WANT, {}) == {}
    unrelated = Want("", RAW, torch.float32, 1e-6)
    assert find_suspects(torch.randn(4, 5), unrelated, {"J": 5}) == {}


def test_a_suspect_must_explain_every_failing_case():
    assert common_suspect([{"a": "x", "b": "y"}, {"b": "y"}]).id == "b"
    assert common_suspect([{"a": "x"}, {"b": "y"}]) is None
    assert common_suspect([]) is None
