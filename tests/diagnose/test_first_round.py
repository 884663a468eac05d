"""Whoever returns inside the loop answers as the reference does for the first entry alone."""

from __future__ import annotations

import pytest
import torch

from autograder.course.cases import case
from autograder.course.model import Code
from autograder.diagnose.cell_statements import returns_in_loop
from autograder.diagnose.first_round import first_rounds


def last_state(x, W, b):
    """The last state.   x[T, I]  W[J, I]  b[2*J]   returns [J]"""
    h = torch.zeros(len(W))
    for row in x:
        h = torch.tanh(W @ row + h) + b[: len(W)]
    return h


PART = Code(last_state, 1, [case("", T=3, I=2, J=4)])


def test_there_is_one_for_each_axis_with_its_sentence():
    found = {mistake.id: mistake.says for mistake in first_rounds(PART, last_state)}
    assert list(found) == ["first_of_T_alone", "first_of_I_alone", "first_of_J_alone"]
    assert found["first_of_T_alone"] == (
        "the result is what the first entry along T alone gives: does return stand inside the loop over T?"
    )


@pytest.mark.parametrize(("axis", "shape"), [("T", 4), ("I", 4), ("J", 1)])
def test_the_others_axes_stay_as_they_are(axis, shape):
    x, W, b = torch.randn(3, 2), torch.randn(4, 2), torch.randn(8)
    by_id = {mistake.id: mistake.answer for mistake in first_rounds(PART, last_state)}
    got = by_id[f"first_of_{axis}_alone"](x, W, b)
    assert got.shape == (shape,)
    if axis == "T":
        assert torch.equal(got, torch.tanh(W @ x[0]) + b[:4])


LOOPS = {
    "in-a-for": ("    for k in q:\n        s = k\n        return s", 4),
    "in-a-while": ("    while t < 3:\n        t += 1\n        return t", 4),
    "in-the-inner-loop": ("    for k in q:\n        for j in k:\n            return j\n    return q", 4),
    "behind-the-loop": ("    for k in q:\n        s = k\n    return s", 0),
    "on-a-condition": ("    for k in q:\n        if k:\n            return k", 0),
    "unless-a-round-is-left-out": (
        "    for k in q:\n        if k:\n            continue\n        return k",
        0,
    ),
    "in-a-loop-that-only-a-return-ends": ("    while True:\n        return q", 0),
    "no-python": ("    for k in q\n        return k", 0),
}


@pytest.mark.parametrize(("body", "line"), LOOPS.values(), ids=LOOPS)
def test_a_return_inside_a_loop_is_told_by_its_line(body, line):
    found = returns_in_loop(f"def f(q):\n{body}\n", "f")
    assert (found[0] if found else 0) == line
    if found:
        assert found[1].endswith(": only its first round is run")


def test_a_loop_of_another_function_is_not_told():
    assert (
        returns_in_loop("def g(q):\n    for k in q:\n        return k\n\ndef f(q):\n    return g(q)", "f")
        is None
    )
