"""The references of merged_query_key agree with nested loops and with attention by queries and keys."""

from __future__ import annotations

import math

import pytest
import torch
from torch import Tensor

from tests.problems.conftest import solution

SIZES = [(5, 2, 3, 4), (1, 3, 2, 5), (4, 1, 6, 3), (3, 4, 1, 2)]  # T, K, I, J


def _tensors(*shapes: tuple[int, ...]) -> list[Tensor]:
    draw = torch.Generator().manual_seed(sum(shapes[0]))
    return [torch.randn(shape, dtype=torch.float64, generator=draw) for shape in shapes]


@pytest.mark.parametrize(("T", "K", "I", "J"), SIZES)
def test_the_merged_matrix_sums_over_the_keys_axis(T, K, I, J):
    WQ, WK = _tensors((K, I, J), (K, I, J))
    want = torch.zeros(K, J, J, dtype=torch.float64)
    for k in range(K):
        for a in range(J):
            for b in range(J):
                want[k, a, b] = sum(float(WQ[k, i, a] * WK[k, i, b]) for i in range(I)) / math.sqrt(I)
    torch.testing.assert_close(solution("merged_query_key").merged_key_query(WQ, WK), want)


@pytest.mark.parametrize(("T", "K", "I", "J"), SIZES)
def test_the_weights_are_a_softmax_over_the_second_position(T, K, I, J):
    L, W = _tensors((T, J), (K, J, J))
    want = torch.zeros(K, T, T, dtype=torch.float64)
    for k in range(K):
        for s in range(T):
            scores = [
                sum(float(L[s, a] * W[k, a, b] * L[t, b]) for a in range(J) for b in range(J))
                for t in range(T)
            ]
            powers = [math.exp(score - max(scores)) for score in scores]
            for t in range(T):
                want[k, s, t] = powers[t] / sum(powers)
    torch.testing.assert_close(solution("merged_query_key").merged_attention(L, W), want)


@pytest.mark.parametrize(("T", "K", "I", "J"), SIZES)
def test_both_together_are_torchs_scaled_attention(T, K, I, J):
    L, WQ, WK = _tensors((T, J), (K, I, J), (K, I, J))
    module = solution("merged_query_key")
    got = module.merged_attention(L, module.merged_key_query(WQ, WK))
    values = torch.eye(T, dtype=torch.float64).expand(K, T, T)
    want = torch.nn.functional.scaled_dot_product_attention(L @ WQ.mT, L @ WK.mT, values)
    torch.testing.assert_close(got, want)


def test_the_examples_by_hand_come_out_as_printed():
    module = solution("merged_query_key")
    merged = module.merged_key_query(torch.tensor([[[1.0, 2.0]]]), torch.tensor([[[3.0, 5.0]]]))
    assert merged.tolist() == [[[3, 5], [6, 10]]]
    alpha = module.merged_attention(torch.tensor([[1.0], [2.0]]), torch.tensor([[[math.log(2)]]]))
    torch.testing.assert_close(alpha[0], torch.tensor([[1 / 3, 2 / 3], [1 / 5, 4 / 5]]))
