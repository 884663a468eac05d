"""The reference of image_captioning agrees with nested loops and with torch's own attention."""

from __future__ import annotations

import math

import pytest
import torch
from torch import Tensor

from autograder.calls import function_arguments
from tests.problems.conftest import solution

# X, Y, K, J, I, W, w_t
SIZES = [(3, 5, 4, 6, 2, 7, 3), (6, 2, 3, 4, 5, 3, 2), (1, 1, 5, 3, 4, 6, 0), (2, 3, 1, 1, 1, 4, 1)]


def _draw(X: int, Y: int, K: int, J: int, I: int, W: int, w_t: int) -> tuple:
    draw = torch.Generator().manual_seed(X * Y * K * J)
    shapes = ((J,), (X, Y, K), (J, K), (I, J), (W, I))
    tensors = [torch.randn(shape, dtype=torch.float64, generator=draw) for shape in shapes]
    matrices = [torch.randn(J, size, dtype=torch.float64, generator=draw) / 2 for size in (J, K, I)]
    cell = function_arguments.build(
        function_arguments.MIXER, {str(place): matrix for place, matrix in enumerate(matrices)}
    )
    return *tensors, w_t, cell


def _softmax(scores: list[float]) -> list[float]:
    weights = [math.exp(score - max(scores)) for score in scores]
    return [weight / sum(weights) for weight in weights]


def _loops(h: Tensor, M: Tensor, W_key: Tensor, W_auto: Tensor, e: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """The first three equations, one number at a time."""
    (X, Y, K), (I, J) = M.shape, W_auto.shape
    words = [
        sum(float(e[w, i] * W_auto[i, j] * h[j]) for i in range(I) for j in range(J)) for w in range(len(e))
    ]
    grid = [(x, y) for x in range(X) for y in range(Y)]
    fits = [sum(float(h[j] * W_key[j, k] * M[x, y, k]) for j in range(J) for k in range(K)) for x, y in grid]
    weights = dict(zip(grid, _softmax(fits), strict=True))
    V = [sum(weights[place] * float(M[*place, k]) for place in grid) for k in range(K)]
    alpha = [[weights[x, y] for y in range(Y)] for x in range(X)]
    P, a, v = (torch.tensor(table, dtype=torch.float64) for table in (_softmax(words), alpha, V))
    return P, a, v


@pytest.mark.parametrize("sizes", SIZES)
def test_step_follows_the_four_equations(sizes):
    h_prev, M, W_key, W_auto, e, w_t, cell = _draw(*sizes)
    *got, h_t = solution("image_captioning").caption_step(h_prev, M, W_key, W_auto, e, w_t, cell)
    want = _loops(h_prev, M, W_key, W_auto, e)
    torch.testing.assert_close(tuple(got), want)
    torch.testing.assert_close(h_t, cell(h_prev, want[2], e[w_t]))


@pytest.mark.parametrize("sizes", SIZES)
def test_summary_is_torchs_attention_over_all_places(sizes):
    h_prev, M, W_key, W_auto, e, w_t, cell = _draw(*sizes)
    places = M.flatten(0, 1)
    V = torch.nn.functional.scaled_dot_product_attention((h_prev @ W_key)[None], places, places, scale=1.0)
    got = solution("image_captioning").caption_step(h_prev, M, W_key, W_auto, e, w_t, cell)[2]
    torch.testing.assert_close(got, V[0])


@pytest.mark.parametrize("sizes", SIZES)
def test_word_and_weights_are_distributions(sizes):
    P, alpha, _, _ = solution("image_captioning").caption_step(*_draw(*sizes))
    assert P.sum().item() == pytest.approx(1)
    assert alpha.sum().item() == pytest.approx(1)


def test_worked_example_of_the_statement_holds():
    M = torch.tensor([[0.0, 1.0], [1.0, 2.0]])[..., None]
    P, alpha, V, h_t = solution("image_captioning").caption_step(
        torch.ones(1),
        M,
        torch.full((1, 1), math.log(2)),
        torch.full((1, 1), math.log(3)),
        torch.tensor([[0.0], [1.0]]),
        1,
        lambda h, V, e_w: h + V + e_w,
    )
    torch.testing.assert_close(alpha, torch.tensor([[1.0, 2.0], [2.0, 4.0]]) / 9)
    torch.testing.assert_close(P, torch.tensor([0.25, 0.75]))
    assert V.item() == pytest.approx(4 / 3)
    assert h_t.item() == pytest.approx(10 / 3)
