"""Values of any kind are compared by structure, and the place of the first difference is said."""

from __future__ import annotations

import pytest
import torch

from autograder.calls.compare_tensors import Want, compare_tensor, tolerance
from autograder.calls.compare_values import compare_value, show, wanted
from autograder.calls.script_steps import Held

MERGES = [(b"a", b"b"), (b"c", b"d"), (b"e", b"f"), (b"a", b"t")]


@pytest.mark.parametrize(
    ("want", "got", "says"),
    [
        (MERGES, [*MERGES[:3], (b"t", b"h")], "[3]: expected (b'a', b't'), got (b't', b'h')"),
        (MERGES, MERGES[:3], "expected 4 entries, got 3"),
        (MERGES, tuple(MERGES), "expected [(b'a', b'b'), "),
        ({"a": {"b": 1}}, {"a": {"b": 2}}, "['a']['b']: expected 1, got 2"),
        ({"a": 1}, {}, "there is no key 'a'"),
        ({}, {"a": 1}, "the key 'a' should not be there"),
        ({1, 2}, {1, 3}, "2 is missing"),
        (3, 3.0, "expected 3, got 3.0"),
        (1, True, "expected 1, got True"),
        (0.5, 0.6, "expected 0.5000, got 0.6000"),
        (0.5, float("nan"), "expected 0.5000, got nan"),
        (0.5, "0.5", "expected a number, got '0.5'"),
        ("ab", "ac", "expected 'ab', got 'ac'"),
        (None, 0, "expected None, got 0"),
        ([torch.ones(2)], [torch.zeros(2)], "[0]: 2 of 2 values differ"),
        ([torch.ones(2)], [[1.0, 1.0]], "[0]: expected a torch tensor, got [1.0, 1.0]"),
    ],
)
def test_the_place_of_the_first_difference_is_said(want, got, says):
    difference = compare_value(got, wanted(want, (), torch.float32))
    assert difference is not None
    assert difference.message.startswith(says)


@pytest.mark.parametrize("value", [MERGES, {"a": [0.1, {1, 2}]}, None, [torch.ones(2), "x"], (1, 2.5), b""])
def test_a_value_equals_itself(value):
    assert compare_value(value, wanted(value, (), torch.float32)) is None


def test_whole_numbers_and_truth_values_are_exact():
    large = torch.tensor([10_000_000, 2**60])
    want = Want("", large, torch.int64, tolerance(large, [large], torch.float32))
    assert compare_tensor(large, want) is None
    assert compare_tensor(large + torch.tensor([0, 1]), want).message.endswith(
        f"expected {2**60}, got {2**60 + 1}"
    )
    flags = torch.tensor([True, False])
    want = Want("", flags, torch.bool, tolerance(flags, [flags], torch.float32))
    assert compare_tensor(flags, want) is None
    assert "expected False, got True" in compare_tensor(flags | True, want).message


def test_tensors_and_objects_inside_of_a_value_are_shown_in_words():
    held = Held(4096, "Value")
    assert (
        show([torch.zeros(2, 3), {"a": held}])
        == "[a tensor of shape [2, 3], {'a': an object of the class Value}]"
    )


def test_a_set_is_shown_in_one_order():
    assert show({"b", "c", "a"}) == "{'a', 'b', 'c'}"
    assert show([({"b", "a"}, set()), {1: frozenset({2})}]) == "[({'a', 'b'}, set()), {1: {2}}]"
