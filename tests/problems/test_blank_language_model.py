"""The reference of blank_language_model agrees with nested loops and with torch's own layers."""

from __future__ import annotations

import math

import pytest
import torch
from torch import Tensor

from tests.problems.conftest import solution

SIZES = [(6, 3, 4, 7, 2), (2, 5, 3, 8, 6), (5, 1, 1, 3, 1), (1, 4, 2, 5, 3), (9, 4, 4, 6, 1)]  # W, I, J, T, t


def _draw(W: int, I: int, J: int, T: int, t: int) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor, int]:
    draw = torch.Generator().manual_seed(W * I * J * T * t)
    shapes = ((W, I), (I, J), (I, J), (T, J), (T, J))
    e, W_fwd, W_bwd, h_fwd, h_bwd = (
        torch.randn(shape, dtype=torch.float64, generator=draw) for shape in shapes
    )
    return e, W_fwd, W_bwd, h_fwd, h_bwd, t


@pytest.mark.parametrize("sizes", SIZES)
def test_each_word_scores_against_both_neighbours_of_the_blank(sizes):
    e, W_fwd, W_bwd, h_fwd, h_bwd, t = _draw(*sizes)
    words, I, J = sizes[:3]
    scores = []
    for w in range(words):
        left = [float(e[w, i] * W_fwd[i, j] * h_fwd[t - 1, j]) for i in range(I) for j in range(J)]
        right = [float(e[w, i] * W_bwd[i, j] * h_bwd[t + 1, j]) for i in range(I) for j in range(J)]
        scores.append(sum(left) + sum(right))
    weights = [math.exp(score - max(scores)) for score in scores]
    want = torch.tensor([weight / sum(weights) for weight in weights], dtype=torch.float64)
    got = solution("blank_language_model").blank_lm(e, W_fwd, W_bwd, h_fwd, h_bwd, t)
    torch.testing.assert_close(got, want)


@pytest.mark.parametrize("sizes", SIZES)
def test_the_sum_of_scores_is_torchs_bilinear_form(sizes):
    e, W_fwd, W_bwd, h_fwd, h_bwd, t = _draw(*sizes)
    past, future = (h.expand(len(e), -1).contiguous() for h in (h_fwd[t - 1], h_bwd[t + 1]))
    bilinear = torch.nn.functional.bilinear
    scores = bilinear(e, past, W_fwd[None]) + bilinear(e, future, W_bwd[None])
    got = solution("blank_language_model").blank_lm(e, W_fwd, W_bwd, h_fwd, h_bwd, t)
    torch.testing.assert_close(got, torch.softmax(scores[:, 0], dim=0))


@pytest.mark.parametrize("sizes", SIZES)
def test_states_that_have_read_the_blank_play_no_part(sizes):
    e, W_fwd, W_bwd, h_fwd, h_bwd, t = _draw(*sizes)
    blind_fwd, blind_bwd = h_fwd.clone(), h_bwd.clone()
    blind_fwd[t:] = math.nan
    blind_bwd[: t + 1] = math.nan
    model = solution("blank_language_model").blank_lm
    got = model(e, W_fwd, W_bwd, blind_fwd, blind_bwd, t)
    assert torch.equal(got, model(e, W_fwd, W_bwd, h_fwd, h_bwd, t))


def _mixture(e, W_fwd, W_bwd, h_fwd, h_bwd, t):
    sides = e @ W_fwd @ h_fwd[t - 1], e @ W_bwd @ h_bwd[t + 1]
    return sum(torch.softmax(side, dim=0) for side in sides) / 2


@pytest.mark.parametrize(("model", "second"), [("blank_lm", 6 / 7), (_mixture, 17 / 24)])
def test_worked_example_of_the_statement_holds(model, second):
    model = getattr(solution("blank_language_model"), model) if isinstance(model, str) else model
    h_fwd, h_bwd = torch.tensor([[math.log(2)], [7], [7]]), torch.tensor([[7], [7], [math.log(3)]])
    P = model(torch.tensor([[0.0], [1.0]]), torch.ones(1, 1), torch.ones(1, 1), h_fwd, h_bwd, 1)
    assert P[1].item() == pytest.approx(second)
