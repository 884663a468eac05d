"""The references of column_attention agree with loops, torch's own attention and finite differences."""

from __future__ import annotations

import math

import pytest
import torch
from torch import Tensor

from tests.problems.conftest import solution

SIZES = [(3, 4), (4, 3), (1, 5), (5, 1), (4, 4)]  # D, N


def _tensors(D: int, N: int) -> tuple[Tensor, ...]:
    draw = torch.Generator().manual_seed(100 * D + N)
    shapes = ((D, N), (D, D), (D, D), (D, D), (D, N))
    return tuple(torch.randn(shape, dtype=torch.float64, generator=draw) / 2 for shape in shapes)


def loop_head(H: Tensor, Q: Tensor, K: Tensor, V: Tensor) -> Tensor:
    """The head in plain Python, one number at a time."""
    D, N = H.shape
    h = H.tolist()

    def project(matrix: Tensor) -> list[list[float]]:
        w = matrix.tolist()
        return [[sum(w[d][e] * h[e][n] for e in range(D)) for n in range(N)] for d in range(D)]

    q, k, v = project(Q), project(K), project(V)
    out = [[0.0] * N for _ in range(D)]
    for j in range(N):
        powers = [math.exp(sum(k[d][i] * q[d][j] for d in range(D))) for i in range(N)]
        for d in range(D):
            out[d][j] = sum(powers[i] * v[d][i] for i in range(N)) / sum(powers)
    return torch.tensor(out, dtype=torch.float64)


@pytest.mark.parametrize(("D", "N"), SIZES)
def test_the_head_agrees_with_nested_loops(D, N):
    *inputs, _ = _tensors(D, N)
    torch.testing.assert_close(
        solution("column_attention").column_attention_head(*inputs), loop_head(*inputs)
    )


@pytest.mark.parametrize(("D", "N"), SIZES)
def test_the_head_is_torchs_attention_on_the_transposed_items(D, N):
    H, Q, K, V, _ = _tensors(D, N)
    items = H.T
    want = torch.nn.functional.scaled_dot_product_attention(
        items @ Q.T, items @ K.T, items @ V.T, scale=1.0
    ).T
    torch.testing.assert_close(solution("column_attention").column_attention_head(H, Q, K, V), want)


@pytest.mark.parametrize(("D", "N"), SIZES)
def test_the_gradients_agree_with_differences_of_the_looped_head(D, N):
    *inputs, G = _tensors(D, N)
    got = solution("column_attention").column_attention_head_backward(*inputs, G)
    for position, gradient in enumerate(got):
        torch.testing.assert_close(gradient, _differences(inputs, position, G), atol=1e-7, rtol=1e-6)


@pytest.mark.parametrize(("D", "N"), SIZES)
def test_the_gradients_agree_with_automatic_differentiation(D, N):
    *inputs, G = _tensors(D, N)
    module = solution("column_attention")
    leaves = [x.clone().requires_grad_(True) for x in inputs]
    want = torch.autograd.grad(module.column_attention_head(*leaves), leaves, G)
    torch.testing.assert_close(module.column_attention_head_backward(*inputs, G), want)


def test_the_examples_by_hand_come_out_as_printed():
    H, Q, K, V = (torch.tensor(x) for x in ([[1.0, 2.0]], [[1.0]], [[math.log(2)]], [[10.0]]))
    module = solution("column_attention")
    close = {"atol": 5e-3, "rtol": 0.0}
    torch.testing.assert_close(
        module.column_attention_head(H, Q, K, V), torch.tensor([[16.67, 18.0]]), **close
    )
    got = module.column_attention_head_backward(H, Q, K, V, torch.tensor([[1.0, 0.0]]))
    for gradient, want in zip(got, ([[3.33, 8.21]], [[1.54]], [[2.22]], [[5 / 3]]), strict=True):
        torch.testing.assert_close(gradient, torch.tensor(want), **close)


def _differences(inputs: list[Tensor], position: int, G: Tensor, step: float = 1e-5) -> Tensor:
    """The gradient by one input, from central differences of the loss G · head."""
    slope = torch.zeros_like(inputs[position])
    for place in range(slope.numel()):
        losses = []
        for sign in (1, -1):
            moved = [x.clone() for x in inputs]
            moved[position].view(-1)[place] += sign * step
            losses.append(float((G * loop_head(*moved)).sum()))
        slope.view(-1)[place] = (losses[0] - losses[1]) / (2 * step)
    return slope
