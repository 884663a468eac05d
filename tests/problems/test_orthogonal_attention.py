"""The reference of orthogonal_attention agrees with loops, torch's own attention and the written formulas."""

from __future__ import annotations

import math

import pytest
import torch
from torch import Tensor

from tests.problems.conftest import solution

SETTINGS = [(4, 1.0), (5, 0.5), (7, 1.3), (9, 2.0), (6, 0.1)]  # D, the norm


def _blocks(D: int, norm: float) -> tuple[Tensor, ...]:
    """Four orthogonal vectors of one norm."""
    draw = torch.Generator().manual_seed(D)
    rotation, _ = torch.linalg.qr(torch.randn(D, D, dtype=torch.float64, generator=draw))
    return tuple(norm * rotation[:, :4].T)


def _tokens(a: Tensor, b: Tensor, c: Tensor, d: Tensor) -> list[list[float]]:
    return [(d + b).tolist(), a.tolist(), (c + d).tolist()]


@pytest.mark.parametrize(("D", "norm"), SETTINGS)
def test_norms_and_outputs_agree_with_nested_loops(D, norm):
    blocks = _blocks(D, norm)
    x = _tokens(*blocks)
    norms, y = solution("orthogonal_attention").orthogonal_self_attention(*blocks)
    for i in range(3):
        powers = [math.exp(sum(p * q for p, q in zip(x[i], x[j], strict=True))) for j in range(3)]
        want = [sum(powers[j] * x[j][e] for j in range(3)) / sum(powers) for e in range(D)]
        torch.testing.assert_close(y[i], torch.tensor(want, dtype=torch.float64))
        assert float(norms[i]) == pytest.approx(math.sqrt(sum(p * p for p in x[i])))


@pytest.mark.parametrize(("D", "norm"), SETTINGS)
def test_the_outputs_are_torchs_attention_without_scaling(D, norm):
    blocks = _blocks(D, norm)
    x = torch.tensor(_tokens(*blocks), dtype=torch.float64)
    want = torch.nn.functional.scaled_dot_product_attention(x, x, x, scale=1.0)
    torch.testing.assert_close(solution("orthogonal_attention").orthogonal_self_attention(*blocks)[1], want)


@pytest.mark.parametrize(("D", "norm"), SETTINGS)
def test_the_exact_mixtures_in_the_norm_alone_are_the_outputs(D, norm):
    blocks = _blocks(D, norm)
    x = torch.tensor(_tokens(*blocks), dtype=torch.float64)
    once, twice = math.exp(norm**2), math.exp(2 * norm**2)
    weights = torch.tensor([[twice, 1, once], [1, once, 1], [once, 1, twice]], dtype=torch.float64)
    want = weights / weights.sum(dim=1, keepdim=True) @ x
    norms, y = solution("orthogonal_attention").orthogonal_self_attention(*blocks)
    torch.testing.assert_close(y, want)
    long = norm * math.sqrt(2)
    torch.testing.assert_close(norms, torch.tensor([long, norm, long], dtype=torch.float64))


def test_the_layer_copies_long_tokens_and_averages_short_ones():
    layer = solution("orthogonal_attention").orthogonal_self_attention
    long, short = _blocks(5, 7.0), _blocks(5, 1e-3)
    torch.testing.assert_close(layer(*long)[1], torch.tensor(_tokens(*long), dtype=torch.float64))
    mean = torch.tensor(_tokens(*short), dtype=torch.float64).mean(dim=0)
    torch.testing.assert_close(layer(*short)[1], mean.expand(3, 5), atol=1e-8, rtol=0)
