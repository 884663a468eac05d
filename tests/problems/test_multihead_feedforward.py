"""The references of multihead_feedforward agree with loops, torch's own modules and finite differences."""

from __future__ import annotations

import math

import pytest
import torch
from torch import Tensor, nn

from tests.problems.conftest import solution
from tests.problems.test_column_attention import loop_head

SIZES = [(2, 3, 4), (3, 2, 1), (1, 3, 2), (4, 1, 3), (2, 3, 3)]  # heads, D, N


def _tensors(h: int, D: int, N: int) -> tuple[Tensor, ...]:
    draw = torch.Generator().manual_seed(100 * h + 10 * D + N)
    shapes = ((D, N), (h, D, D), (h, D, D), (h, D, D), (D, h * D), (D,), (D, N))
    return tuple(torch.randn(shape, dtype=torch.float64, generator=draw) / 2 for shape in shapes)


def _loop_level(H: Tensor, Q: Tensor, K: Tensor, V: Tensor, W_ff: Tensor, b_ff: Tensor) -> Tensor:
    """The level in plain Python, one number at a time."""
    rows = [row for head in zip(Q, K, V, strict=True) for row in loop_head(H, *head).tolist()]
    weights, bias = W_ff.tolist(), b_ff.tolist()
    return torch.tensor(
        [
            [
                1
                / (1 + math.exp(-bias[d] - sum(w * row[n] for w, row in zip(weights[d], rows, strict=True))))
                for n in range(H.shape[1])
            ]
            for d in range(len(bias))
        ],
        dtype=torch.float64,
    )


@pytest.mark.parametrize(("h", "D", "N"), SIZES)
def test_the_level_agrees_with_nested_loops(h, D, N):
    *inputs, _ = _tensors(h, D, N)
    torch.testing.assert_close(solution("multihead_feedforward").multihead_ff(*inputs), _loop_level(*inputs))


@pytest.mark.parametrize(("h", "D", "N"), SIZES)
def test_the_level_agrees_with_torchs_attention_and_linear_layer(h, D, N):
    H, Q, K, V, W_ff, b_ff, _ = _tensors(h, D, N)
    items = H.T
    heads = nn.functional.scaled_dot_product_attention(items @ Q.mT, items @ K.mT, items @ V.mT, scale=1.0)
    layer = nn.Linear(h * D, D, dtype=torch.float64)
    layer.load_state_dict({"weight": W_ff, "bias": b_ff})
    want = torch.sigmoid(layer(torch.cat(list(heads), dim=1))).T
    got = solution("multihead_feedforward").multihead_ff(H, Q, K, V, W_ff, b_ff)
    torch.testing.assert_close(got, want.detach())


@pytest.mark.parametrize(("h", "D", "N"), SIZES)
def test_the_stack_is_a_sum_of_one_hot_columns_times_heads(h, D, N):
    H, Q, K, V, W_ff, b_ff, _ = _tensors(h, D, N)
    one_hot = torch.eye(h, dtype=torch.float64)
    head = solution("column_attention").column_attention_head
    stack = sum(torch.kron(one_hot[:, [i]], head(H, Q[i], K[i], V[i])) for i in range(h))
    want = torch.sigmoid(W_ff @ stack + b_ff[:, None])
    torch.testing.assert_close(solution("multihead_feedforward").multihead_ff(H, Q, K, V, W_ff, b_ff), want)


@pytest.mark.parametrize(("h", "D", "N"), SIZES)
def test_the_gradients_agree_with_automatic_differentiation(h, D, N):
    *inputs, G = _tensors(h, D, N)
    module = solution("multihead_feedforward")
    leaves = [x.clone().requires_grad_(True) for x in inputs]
    want = torch.autograd.grad(module.multihead_ff(*leaves), leaves, G)
    torch.testing.assert_close(module.multihead_ff_backward(*inputs, G), want)


def test_the_gradients_agree_with_differences_of_the_looped_level():
    *inputs, G = _tensors(2, 2, 3)
    got = solution("multihead_feedforward").multihead_ff_backward(*inputs, G)
    step = 1e-5
    for position, gradient in enumerate(got):
        want = torch.zeros_like(gradient)
        for place in range(want.numel()):
            losses = []
            for sign in (1, -1):
                moved = [x.clone() for x in inputs]
                moved[position].view(-1)[place] += sign * step
                losses.append(float((G * _loop_level(*moved)).sum()))
            want.view(-1)[place] = (losses[0] - losses[1]) / (2 * step)
        torch.testing.assert_close(gradient, want, atol=1e-8, rtol=1e-6)


def test_the_examples_by_hand_come_out_as_printed():
    inputs = (
        torch.tensor([[1.0, 2.0]]),
        torch.tensor([[[1.0]], [[0.0]]]),
        torch.tensor([[[math.log(2)]], [[1.0]]]),
        torch.tensor([[[10.0]], [[-10.0]]]),
        torch.tensor([[0.9, 1.0]]),
        torch.tensor([1.0]),
    )
    module = solution("multihead_feedforward")
    torch.testing.assert_close(
        module.multihead_ff(*inputs), torch.tensor([[0.731, 0.900]]), atol=5e-4, rtol=0
    )
    *_, dW_ff, db_ff = module.multihead_ff_backward(*inputs, torch.tensor([[1.0, 0.0]]))
    torch.testing.assert_close(dW_ff, torch.tensor([[3.28, -2.95]]), atol=5e-3, rtol=0)
    torch.testing.assert_close(db_ff, torch.tensor([0.197]), atol=5e-4, rtol=0)
