"""The reference table and layer against loops and torch's own attention, and what reordering words does."""

from __future__ import annotations

import math

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

from tests.problems.conftest import solution

TABLES = [(1, 2), (5, 4), (3, 8), (6, 6), (40, 16)]
LAYERS = [(3, 4, 2, 5), (1, 6, 3, 2), (5, 4, 6, 3), (4, 4, 4, 4), (6, 2, 1, 3)]


def draw(T: int, D: int, U: int, I: int) -> tuple[Tensor, ...]:
    generator = torch.Generator().manual_seed(1000 * T + 100 * D + 10 * U + I)
    shapes = [(T, D), (U, D), (U, D), (I, D)]
    return tuple(torch.randn(*shape, generator=generator, dtype=torch.float64) for shape in shapes)


def table(T: int, D: int) -> list[list[float]]:
    wave = (math.sin, math.cos)
    return [[wave[j % 2](t / 10000 ** ((j - j % 2) / D)) for j in range(D)] for t in range(T)]


def times(matrix: Tensor, vector: list[float]) -> list[float]:
    return [sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix.tolist()]


def by_loops(x: Tensor, WQ: Tensor, WK: Tensor, WV: Tensor) -> Tensor:
    positions = table(*x.shape)
    h = [[a + b for a, b in zip(*rows, strict=True)] for rows in zip(x.tolist(), positions, strict=True)]
    out = []
    for word in h:
        query = times(WQ, word)
        scores = [sum(a * b for a, b in zip(query, times(WK, other), strict=True)) for other in h]
        weights = [math.exp((score - max(scores)) / math.sqrt(len(query))) for score in scores]
        values = [times(WV, other) for other in h]
        total = [sum(w * v[i] for w, v in zip(weights, values, strict=True)) for i in range(len(WV))]
        out.append([entry / sum(weights) for entry in total])
    return torch.tensor(out, dtype=torch.float64)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("sizes", TABLES)
def test_the_table_agrees_with_plain_loops(sizes, dtype):
    got = solution("positional_embeddings").sinusoidal_positions(*sizes, dtype)
    assert got.dtype == dtype
    want = torch.tensor(table(*sizes), dtype=dtype)
    torch.testing.assert_close(got, want, atol=5e-6 if dtype == torch.float32 else 1e-12, rtol=0)


@pytest.mark.parametrize("sizes", LAYERS)
def test_the_layer_agrees_with_plain_loops(sizes):
    arguments = draw(*sizes)
    got = solution("positional_embeddings").transformer_almost(*arguments)
    torch.testing.assert_close(got, by_loops(*arguments))


@pytest.mark.parametrize("sizes", LAYERS)
def test_the_layer_agrees_with_torchs_own_attention(sizes):
    x, WQ, WK, WV = draw(*sizes)
    h = x + torch.tensor(table(*x.shape), dtype=torch.float64)
    want = F.scaled_dot_product_attention((h @ WQ.T)[None], (h @ WK.T)[None], (h @ WV.T)[None])[0]
    torch.testing.assert_close(solution("positional_embeddings").transformer_almost(x, WQ, WK, WV), want)


def test_the_worked_examples_of_the_statement_hold():
    answers = solution("positional_embeddings")
    row = answers.sinusoidal_positions(3, 4, torch.float64)[2]
    torch.testing.assert_close(row, torch.tensor([0.909, -0.416, 0.020, 1.0]).double(), atol=5e-4, rtol=0)
    x = torch.eye(2) - answers.sinusoidal_positions(2, 2, torch.float32)
    WQ, WK = torch.tensor([[1.0, 0.0]]).expand(4, 2), torch.tensor([[math.log(3) / 2, 0.0]]).expand(4, 2)
    got = answers.transformer_almost(x, WQ, WK, torch.tensor([[4.0, 8.0]]))
    torch.testing.assert_close(got, torch.tensor([[5.0], [6.0]]))


def test_without_positions_the_rows_move_with_their_words_and_with_positions_they_do_not():
    x, WQ, WK, WV = draw(5, 4, 3, 2)
    answers = solution("positional_embeddings")
    order = torch.tensor([3, 0, 4, 1, 2])
    plain = answers.missing_positions.answer
    torch.testing.assert_close(plain(x[order], WQ, WK, WV), plain(x, WQ, WK, WV)[order])
    placed = answers.transformer_almost(x, WQ, WK, WV)[order]
    assert not torch.allclose(answers.transformer_almost(x[order], WQ, WK, WV), placed)
    assert answers.without_positions == "B"
