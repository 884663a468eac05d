"""The reference of self_attention agrees with nested loops and with torch's own attention."""

from __future__ import annotations

import math

import pytest
import torch
from torch import Tensor

from tests.problems.conftest import solution

SIZES = [(5, 2, 3, 4), (2, 4, 5, 3), (1, 3, 4, 2), (6, 1, 2, 7), (4, 3, 1, 1)]  # T, K, U, I


def _draw(T: int, K: int, U: int, I: int) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    draw = torch.Generator().manual_seed(T * K * U * I)
    shapes = ((T, K * I), (K, U, K * I), (K, U, K * I), (K, I, K * I))
    h_in, WQ, WK, WV = (torch.randn(shape, dtype=torch.float64, generator=draw) for shape in shapes)
    return h_in, WQ / 2, WK / 2, WV


def _times(matrix: list[list[float]], vector: list[float]) -> list[float]:
    return [sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix]


def _loops(h_in: Tensor, WQ: Tensor, WK: Tensor, WV: Tensor) -> Tensor:
    """The six equations, one number at a time."""
    words = h_in.tolist()
    rows: list[list[float]] = [[] for _ in words]
    for query, key, value in zip(WQ.tolist(), WK.tolist(), WV.tolist(), strict=True):
        for t, word in enumerate(words):
            asked = _times(query, word)
            fits = [sum(a * b for a, b in zip(asked, _times(key, w), strict=True)) for w in words]
            weights = [math.exp(fit - max(fits)) for fit in fits]
            values = [_times(value, w) for w in words]
            for i in range(len(value)):
                rows[t].append(sum(a * v[i] for a, v in zip(weights, values, strict=True)) / sum(weights))
    return torch.tensor(rows, dtype=torch.float64)


@pytest.mark.parametrize("sizes", SIZES)
def test_layer_follows_the_six_equations(sizes):
    inputs = _draw(*sizes)
    got = solution("self_attention").multi_head_self_attention(*inputs)
    torch.testing.assert_close(got, _loops(*inputs))


@pytest.mark.parametrize("sizes", SIZES)
def test_layer_is_torchs_attention_with_scale_one(sizes):
    h_in, WQ, WK, WV = _draw(*sizes)
    query, key, value = (torch.nn.functional.linear(h_in, W.flatten(0, 1)) for W in (WQ, WK, WV))
    heads = (x.unflatten(1, (len(WQ), -1)).transpose(0, 1) for x in (query, key, value))
    out = torch.nn.functional.scaled_dot_product_attention(*heads, scale=1.0)
    got = solution("self_attention").multi_head_self_attention(h_in, WQ, WK, WV)
    torch.testing.assert_close(got, torch.cat(list(out), dim=1))


@pytest.mark.parametrize(("T", "K", "I"), [(5, 2, 3), (3, 4, 2), (1, 1, 4)])
def test_layer_is_torchs_multi_head_attention_once_its_scaling_is_undone(T, K, I):
    h_in, WQ, WK, WV = _draw(T, K, I, I)
    module = torch.nn.MultiheadAttention(K * I, K, bias=False, batch_first=True, dtype=torch.float64)
    with torch.no_grad():
        module.in_proj_weight.copy_(
            torch.cat([(WQ * math.sqrt(I)).flatten(0, 1), WK.flatten(0, 1), WV.flatten(0, 1)])
        )
        module.out_proj.weight.copy_(torch.eye(K * I))
    want, _ = module(h_in[None], h_in[None], h_in[None], need_weights=False)
    got = solution("self_attention").multi_head_self_attention(h_in, WQ, WK, WV)
    torch.testing.assert_close(got, want[0].detach())


def test_worked_example_of_the_statement_holds():
    h_in = torch.tensor([[1.0], [2.0]])
    one = torch.ones(1, 1, 1)
    out = solution("self_attention").multi_head_self_attention(h_in, one, one * math.log(2), one * 10)
    assert out[0, 0].item() == pytest.approx(50 / 3)
