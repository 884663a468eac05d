"""The reference of alternating_rnn agrees with its closed form and with torch's own recurrent cell."""

from __future__ import annotations

import math

import pytest
import torch
from torch import Tensor

from tests.problems.conftest import solution

LENGTHS = [2, 4, 6, 10]


def _inputs(T: int) -> tuple[Tensor, Tensor]:
    draw = torch.Generator().manual_seed(T)
    X, H0 = (1e-3 * torch.randn(shape, dtype=torch.float64, generator=draw) for shape in ((T,), ()))
    return X, H0


def _sigmoid(x: float) -> float:
    return 1 / (1 + math.exp(-x))


@pytest.mark.parametrize("T", LENGTHS)
def test_the_output_is_the_sigmoid_of_even_minus_odd_positions_plus_the_first_state(T):
    X, H0 = _inputs(T)
    state = float(H0)
    for i in range(1, T // 2 + 1):
        state += float(X[2 * i - 1]) - float(X[2 * i - 2])
    got = solution("alternating_rnn").alternating_rnn(X, H0)
    assert got.shape == ()
    assert float(got) == pytest.approx(_sigmoid(1000 * state), abs=1e-12)


@pytest.mark.parametrize("T", LENGTHS)
def test_a_rectified_rnn_cell_with_weights_one_and_minus_one_computes_it_from_both_signs(T):
    # relu(z) − relu(−z) = z: two rectified units carry the state that has no activation.
    cell = torch.nn.RNN(1, 2, nonlinearity="relu", bias=False).double()
    with torch.no_grad():
        cell.weight_ih_l0.copy_(torch.tensor([[1.0], [-1.0]]))
        cell.weight_hh_l0.copy_(torch.tensor([[-1.0, 1.0], [1.0, -1.0]]))
        X, H0 = _inputs(T)
        _, last = cell(X.view(T, 1), torch.stack([H0.clamp(min=0), (-H0).clamp(min=0)]).view(1, 2))
    got = solution("alternating_rnn").alternating_rnn(X, H0)
    torch.testing.assert_close(got, torch.sigmoid(1000 * (last[0, 0] - last[0, 1])))


def test_the_examples_by_hand_come_out_as_printed():
    unit = solution("alternating_rnn").alternating_rnn
    assert float(unit(torch.tensor([3.0, 5.0]), torch.tensor(1.0))) == 1
    small = unit(torch.tensor([0.003, 0.005]), torch.tensor(0.001))
    assert float(small) == pytest.approx(0.953, abs=5e-4)


@pytest.mark.parametrize(("X", "want"), [([1, 2, 3, 5], 1), ([2, 1, 5, 3], 0), ([4, 1, 2, 5], 0.5)])
def test_whole_numbers_decide_whether_even_positions_outweigh_odd_ones(X, want):
    got = solution("alternating_rnn").alternating_rnn(torch.tensor(X, dtype=torch.float64), torch.tensor(0.0))
    assert float(got) == want
