"""The reference Jacobian against loops that follow every path, and against torch's own differentiation."""

from __future__ import annotations

import math

import pytest
import torch
from torch import Tensor

from tests.problems.conftest import solution

SIZES = [(1, 1, 1), (1, 3, 2), (3, 4, 2), (5, 2, 6), (8, 5, 3)]


def draw(T: int, J: int, I: int) -> tuple[Tensor, ...]:
    generator = torch.Generator().manual_seed(100 * T + 10 * J + I)

    def normal(*shape: int) -> Tensor:
        return 0.7 * torch.randn(*shape, generator=generator, dtype=torch.float64)

    return normal(J), normal(T, I), normal(J, J), normal(J, I), normal(J)


def by_paths(h0: Tensor, x: Tensor, W: Tensor, U: Tensor, b: Tensor) -> list[list[float]]:
    """d h_T[i] / d h_0[j] with nothing but numbers: each step sums over the units a path can go through."""
    J, h = len(h0), h0.tolist()
    slopes = [[1.0 if i == j else 0.0 for j in range(J)] for i in range(J)]
    for word in x.tolist():
        z = [
            b[i].item()
            + sum(W[i, k].item() * h[k] for k in range(J))
            + sum(U[i, m].item() * word[m] for m in range(len(word)))
            for i in range(J)
        ]
        h = [math.tanh(value) for value in z]
        slopes = [
            [sum(W[i, k].item() * slopes[k][j] for k in range(J)) / math.cosh(z[i]) ** 2 for j in range(J)]
            for i in range(J)
        ]
    return slopes


@pytest.mark.parametrize("sizes", SIZES)
def test_the_jacobian_is_the_sum_over_all_paths(sizes):
    arguments = draw(*sizes)
    want = torch.tensor(by_paths(*arguments), dtype=torch.float64)
    torch.testing.assert_close(solution("rnn_paths").rnn_jacobian(*arguments), want)


@pytest.mark.parametrize("sizes", SIZES)
def test_the_jacobian_is_what_torch_differentiates(sizes):
    h0, x, W, U, b = draw(*sizes)

    def last(h: Tensor) -> Tensor:
        for word in x:
            h = torch.tanh(W @ h + U @ word + b)
        return h

    want = torch.func.jacrev(last)(h0)
    torch.testing.assert_close(solution("rnn_paths").rnn_jacobian(h0, x, W, U, b), want)


def test_the_worked_example_of_the_statement_holds():
    half = math.log(3) / 2
    one, zero = torch.ones(1, 1), torch.zeros(1)
    x = torch.tensor([[half], [half - 1]])
    got = solution("rnn_paths").rnn_jacobian(zero, x, 2 * one, one, zero)
    torch.testing.assert_close(got, torch.tensor([[2.25]]))
