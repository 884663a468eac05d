"""The reference of spatial_attention agrees with nested loops, torch's attention and the sentence layer."""

from __future__ import annotations

import math

import pytest
import torch
from torch import Tensor

from tests.problems.conftest import solution

SIZES = [(3, 5, 2, 6, 4), (4, 2, 3, 1, 5), (1, 1, 2, 3, 4), (1, 4, 1, 2, 3), (5, 1, 2, 4, 1)]  # X, Y, K, U, I


def _draw(X: int, Y: int, K: int, U: int, I: int) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    draw = torch.Generator().manual_seed(X * Y * K * U * I)
    shapes = ((X, Y, K * I), (K, U, K * I), (K, U, K * I), (K, I, K * I))
    h_in, WQ, WK, WV = (torch.randn(shape, dtype=torch.float64, generator=draw) for shape in shapes)
    return h_in, WQ / 2, WK / 2, WV


def _times(matrix: list[list[float]], vector: list[float]) -> list[float]:
    return [sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix]


def _loops(h_in: Tensor, WQ: Tensor, WK: Tensor, WV: Tensor) -> Tensor:
    """The six equations with x and y for t, one number at a time."""
    X, Y = h_in.shape[:2]
    grid = [(x, y) for x in range(X) for y in range(Y)]
    image = {(x, y): h_in[x, y].tolist() for x, y in grid}
    out: list[list[list[float]]] = [[[] for _ in range(Y)] for _ in range(X)]
    for query, key, value in zip(WQ.tolist(), WK.tolist(), WV.tolist(), strict=True):
        for x1, y1 in grid:
            asked = _times(query, image[x1, y1])
            fits = {p: sum(a * b for a, b in zip(asked, _times(key, image[p]), strict=True)) for p in grid}
            largest = max(fits.values())
            weights = {p: math.exp(fit - largest) for p, fit in fits.items()}
            total = sum(weights.values())
            values = {p: _times(value, image[p]) for p in grid}
            out[x1][y1] += [sum(weights[p] * values[p][i] for p in grid) / total for i in range(len(value))]
    return torch.tensor(out, dtype=torch.float64)


@pytest.mark.parametrize("sizes", SIZES)
def test_layer_follows_the_six_equations(sizes):
    inputs = _draw(*sizes)
    got = solution("spatial_attention").spatial_self_attention(*inputs)
    torch.testing.assert_close(got, _loops(*inputs))


@pytest.mark.parametrize("sizes", SIZES)
def test_layer_is_torchs_attention_over_all_places(sizes):
    h_in, WQ, WK, WV = _draw(*sizes)
    places = h_in.flatten(0, 1)
    out = torch.nn.functional.scaled_dot_product_attention(
        places @ WQ.mT, places @ WK.mT, places @ WV.mT, scale=1.0
    )
    want = torch.cat(list(out), dim=1).unflatten(0, h_in.shape[:2])
    torch.testing.assert_close(solution("spatial_attention").spatial_self_attention(h_in, WQ, WK, WV), want)


@pytest.mark.parametrize("sizes", SIZES)
def test_an_image_is_a_sentence_of_its_places(sizes):
    h_in, *weights = _draw(*sizes)
    sentence = solution("self_attention").multi_head_self_attention(h_in.flatten(0, 1), *weights)
    got = solution("spatial_attention").spatial_self_attention(h_in, *weights)
    torch.testing.assert_close(got, sentence.unflatten(0, h_in.shape[:2]))


def test_turning_the_image_turns_the_output():
    h_in, *weights = _draw(3, 5, 2, 6, 4)
    layer = solution("spatial_attention").spatial_self_attention
    torch.testing.assert_close(layer(h_in.transpose(0, 1), *weights), layer(h_in, *weights).transpose(0, 1))


def test_worked_example_of_the_statement_holds():
    h_in = torch.tensor([[[0.0], [0.0]], [[0.0], [1.0]]])
    one = torch.ones(1, 1, 1)
    out = solution("spatial_attention").spatial_self_attention(h_in, one, one * math.log(3), one * 6)
    torch.testing.assert_close(out[..., 0], torch.tensor([[1.5, 1.5], [1.5, 3.0]]))


def test_worked_slip_of_the_statement_holds():
    h_in = torch.tensor([[[0.0], [0.0]], [[0.0], [1.0]]])
    one = torch.ones(1, 1, 1)
    rows = solution("spatial_attention").softmax_over_one_spatial_axis.answer
    assert rows(h_in, one, one * math.log(3), one * 6)[1, 1, 0].item() == pytest.approx(4.5)
