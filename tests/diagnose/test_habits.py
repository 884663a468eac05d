"""Habits are recognised from what was returned, whatever the function computes."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from autograder.calls.compare_tensors import Want
from autograder.calls.requests_and_outcomes import Outcome
from autograder.diagnose.habits import differs, habit
from autograder.diagnose.structural_mistakes import Beside


def draw(*shape: int, seed: int = 4) -> Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


def beside(got: Tensor, want: Tensor, **given: Tensor) -> Beside:
    return Beside((got,), (Want("", want.double(), torch.float32, 1e-6),), {}, given)


VALUES, OTHER = draw(3, 4), draw(5, 4, seed=7)
ONE = draw(1, 4)


def test_an_input_that_comes_back_is_named():
    x, W = draw(3, 4, seed=1), draw(3, 4, seed=2)
    found = habit([beside(W, VALUES, x=x, W=W)])
    assert found.id == "returns_its_input"
    assert found.says == "what is returned is the input W, as it came"
    # In the next case it is another input, or none.
    assert habit([beside(W, VALUES, x=x, W=W), beside(x, VALUES, x=x, W=W)]) is None
    assert habit([beside(W, VALUES, x=x, W=W), beside(W + 1, VALUES, x=x, W=W)]) is None


@pytest.mark.parametrize(
    ("got", "want"),
    [
        (ONE[0], ONE),
        (ONE.T.squeeze(), ONE.T),
        (draw(1, 3, 1).squeeze(), draw(1, 3, 1)),
        (ONE[0, 0], ONE[:, :1]),
    ],
    ids=["row", "column", "both", "number"],
)
def test_a_squeeze_that_takes_an_axis_of_length_one_is_named(got, want):
    found = habit([beside(VALUES, VALUES), beside(got, want)])
    assert found.id == "axis_of_length_one_lost"
    assert found.says == (
        "the values are right, but an axis of length 1 is gone: squeeze() without an axis does that"
    )


@pytest.mark.parametrize(
    ("got", "want"),
    [(ONE[0] + 1, ONE), (VALUES.reshape(-1), VALUES), (ONE.reshape(2, 2), ONE), (ONE[None], ONE)],
    ids=["other-values", "flattened", "reshaped", "axis-added"],
)
def test_another_shape_is_no_squeeze(got, want):
    found = habit([beside(got, want)])
    assert found is None or found.id != "axis_of_length_one_lost"


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda v: v[0], "only the first entries along axis 0 are there: does return stand inside the loop?"),
        (lambda v: v[:1], "only the first entries along axis 0 are there"),
        (lambda v: v[:, :2], "only the first entries along axis 1 are there"),
        (
            lambda v: torch.cat([v[:1], 0 * v[1:]]),
            "only the first entry along axis 0 is filled in, and zeros follow",
        ),
    ],
    ids=["entry", "row", "columns", "zeros"],
)
def test_a_return_inside_the_loop_is_asked_after(make, says):
    # Of one row there is only the first: where an axis is lost it is lost there, too.
    only = make(ONE) if make(VALUES).ndim == 1 else ONE
    found = habit([beside(make(VALUES), VALUES), beside(make(OTHER), OTHER), beside(only, ONE)])
    assert found.id == "stops_after_the_first"
    assert found.says.startswith(says)


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda v: torch.cat([0 * v[:1], v[1:]]), "only the first entry along axis 0 is wrong"),
        (lambda v: torch.cat([v[:-1], 0 * v[-1:]]), "only the last entry along axis 0 is wrong"),
        (lambda v: torch.cat([0 * v[:, :1], v[:, 1:]], 1), "only the first entry along axis 1 is wrong"),
    ],
    ids=["first-row", "last-row", "first-column"],
)
def test_an_entry_that_a_loop_leaves_out_is_told(make, says):
    found = habit([beside(make(VALUES), VALUES), beside(make(OTHER), OTHER)])
    assert found.id == "entry_left_at_zero"
    assert found.says == f"{says}: it is left at zero, as by a loop that begins or ends elsewhere"
    # Of one entry there is none but that.
    short = draw(1, 1, seed=3)
    assert habit([beside(make(VALUES), VALUES), beside(0 * short, short)]) == found
    # Elsewhere more is wrong than that, or it is no zero.
    assert habit([beside(make(VALUES), VALUES), beside(OTHER + 1, OTHER)]) is None
    assert habit([beside(torch.cat([VALUES[:1] + 1, VALUES[1:]]), VALUES)]) is None


@pytest.mark.parametrize(
    "make", [lambda v: v[1:], lambda v: v[-1], lambda v: 0 * v, lambda v: v + 1, lambda v: v], ids=range(5)
)
def test_other_results_are_no_habit(make):
    assert habit([beside(make(VALUES), VALUES), beside(make(OTHER), OTHER)]) is None


def test_two_answers_to_one_question_differ_unless_it_is_rounding():
    def outcome(value: object) -> Outcome:
        return Outcome("ok", (value,), "tensor", ("tensor",))

    assert differs(outcome(VALUES), outcome(VALUES + 0.1))
    assert differs(outcome(VALUES), outcome(OTHER))
    assert not differs(outcome(VALUES), outcome(VALUES * (1 + 1e-7)))
    assert not differs(outcome(VALUES * torch.nan), outcome(VALUES * torch.nan))
    assert not differs(outcome(VALUES), Outcome("raised", error="ValueError"))
