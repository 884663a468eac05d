"""A squeeze() without an axis is spoken of only where it can be the reason."""

from __future__ import annotations

import pytest
import torch

from autograder.calls.compare_tensors import Want
from autograder.diagnose.squeezes import Tried, has_axis_of_one, lost_axis

HEAD = "\ndef scores(q, k):\n    s = {}\n    return s\n"
PLAIN, ONE = Tried(False), Tried(True)
RAISED, OTHER = Tried(True, "no value"), Tried(True, "values")
SAYS = (
    "it fails only where an axis has length 1: line 2, `s = {}`, has a squeeze() without an axis, and that takes "
    "away every axis of length 1: name the one to take, as in squeeze(-1), or leave it out"
)


@pytest.mark.parametrize("line", ["(q @ k.T).squeeze()", "torch.squeeze(q) @ k.T", "q.squeeze_() @ k.T"])
@pytest.mark.parametrize("calls", [[PLAIN, RAISED], [PLAIN, ONE, OTHER], [OTHER, RAISED, PLAIN]])
def test_a_function_that_fails_only_at_length_one_is_told_of_its_squeeze(line, calls):
    found = lost_axis(HEAD.format(line), calls)
    assert found is not None
    assert (found.id, found.says) == ("axis_of_length_one_lost", SAYS.format(line))


@pytest.mark.parametrize(
    "line",
    ["(q @ k.T).squeeze(0)", "torch.squeeze(q, 0)", "q.squeeze(dim=0)", "torch.squeeze(q, dim=0)", "q @ k.T"],
)
def test_one_that_names_its_axis_is_not_spoken_of(line):
    assert lost_axis(HEAD.format(line), [PLAIN, RAISED]) is None


@pytest.mark.parametrize(
    "calls",
    [
        [PLAIN, ONE],
        [Tried(False, "values"), RAISED],
        [RAISED, RAISED],
        [PLAIN, Tried(True, "dtype")],
        [PLAIN, Tried(True, "again"), RAISED],
    ],
    ids=["nothing-fails", "fails-elsewhere", "no-other-case", "another-dtype", "chance"],
)
def test_a_failure_with_another_reason_is_not_laid_to_it(calls):
    assert lost_axis(HEAD.format("(q @ k.T).squeeze()"), calls) is None


def test_a_cell_that_cannot_be_read_has_none():
    assert lost_axis("def scores(q, k:\n    return q.squeeze()", [PLAIN, RAISED]) is None


def test_an_axis_of_length_one_may_be_given_or_asked_for():
    want = Want("", torch.zeros(3, 1), torch.float32, 0.0)
    assert has_axis_of_one([torch.zeros(3, 2)], [want])
    assert has_axis_of_one([torch.zeros(1, 2), 5], [])
    assert not has_axis_of_one([torch.zeros(3, 2), 1], [Want("", torch.zeros(3), torch.float32, 0.0)])
