"""The reference network against plain loops, and against torch's own bidirectional layer."""

from __future__ import annotations

import math
from collections.abc import Iterable

import pytest
import torch
from torch import Tensor, nn

from tests.problems.conftest import solution

SIZES = [(1, 1, 1), (1, 3, 2), (4, 3, 2), (6, 2, 5), (7, 4, 4)]


def draw(T: int, I: int, J: int) -> tuple[Tensor, ...]:
    generator = torch.Generator().manual_seed(100 * T + 10 * I + J)
    shapes = [(T, I), (J, I), (J, J), (J,), (J, I), (J, J), (J,)]
    return tuple(torch.randn(*shape, generator=generator, dtype=torch.float64) for shape in shapes)


def by_loops(x: Tensor, W: Tensor, U: Tensor, b: Tensor, order: Iterable[int]) -> Tensor:
    J, rows = len(b), {}
    h = [0.0] * J
    for t in order:
        h = [
            math.tanh(
                b[j].item()
                + sum(W[j, i].item() * x[t, i].item() for i in range(x.shape[1]))
                + sum(U[j, k].item() * h[k] for k in range(J))
            )
            for j in range(J)
        ]
        rows[t] = h
    return torch.tensor([rows[t] for t in range(len(x))], dtype=torch.float64)


@pytest.mark.parametrize("sizes", SIZES)
def test_both_directions_agree_with_plain_loops(sizes):
    x, W_f, U_f, b_f, W_b, U_b, b_b = arguments = draw(*sizes)
    h_fwd, h_bwd = solution("bidirectional_rnn").birnn_forward(*arguments)
    torch.testing.assert_close(h_fwd, by_loops(x, W_f, U_f, b_f, range(len(x))))
    torch.testing.assert_close(h_bwd, by_loops(x, W_b, U_b, b_b, reversed(range(len(x)))))


@pytest.mark.parametrize("sizes", SIZES)
def test_both_directions_agree_with_torchs_own_layer(sizes):
    x, W_f, U_f, b_f, W_b, U_b, b_b = arguments = draw(*sizes)
    layer = nn.RNN(x.shape[1], len(b_f), bidirectional=True, dtype=torch.float64)
    zero = torch.zeros_like(b_f)
    layer.load_state_dict(
        {
            "weight_ih_l0": W_f,
            "weight_hh_l0": U_f,
            "bias_ih_l0": b_f,
            "bias_hh_l0": zero,
            "weight_ih_l0_reverse": W_b,
            "weight_hh_l0_reverse": U_b,
            "bias_ih_l0_reverse": b_b,
            "bias_hh_l0_reverse": zero,
        }
    )
    both, _ = layer(x)
    got = solution("bidirectional_rnn").birnn_forward(*arguments)
    torch.testing.assert_close(torch.cat(got, dim=1), both.detach())


def test_the_worked_example_of_the_statement_holds():
    half, one, zero = math.log(3) / 2, torch.ones(1, 1), torch.zeros(1)
    x = torch.tensor([[half], [half - 0.5]])
    h_fwd, h_bwd = solution("bidirectional_rnn").birnn_forward(x, one, one, zero, one, 2 * one, zero)
    torch.testing.assert_close(h_fwd, torch.tensor([[0.5], [0.5]]))
    torch.testing.assert_close(h_bwd, torch.tensor([[0.570], [0.049]]), atol=5e-4, rtol=0)
