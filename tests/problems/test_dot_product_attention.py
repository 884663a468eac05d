"""The reference attention against plain loops and torch's own, and the weights of the question by hand."""

from __future__ import annotations

import math

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

from tests.problems.conftest import solution

SIZES = [(4, 3, 2), (3, 2, 7), (1, 4, 3), (5, 1, 1), (4, 4, 4), (9, 6, 4)]


def draw(N: int, D: int, V: int) -> tuple[Tensor, ...]:
    generator = torch.Generator().manual_seed(100 * N + 10 * D + V)
    shapes = [(D,), (N, D), (N, V)]
    return tuple(torch.randn(*shape, generator=generator, dtype=torch.float64) for shape in shapes)


def by_loops(q: Tensor, keys: Tensor, values: Tensor) -> tuple[Tensor, Tensor]:
    exponentials = [math.exp(sum(a * b for a, b in zip(q.tolist(), k, strict=True))) for k in keys.tolist()]
    alpha = [value / sum(exponentials) for value in exponentials]
    context = [0.0] * values.shape[1]
    for weight, value in zip(alpha, values.tolist(), strict=True):
        context = [c + weight * v for c, v in zip(context, value, strict=True)]
    return torch.tensor(alpha, dtype=torch.float64), torch.tensor(context, dtype=torch.float64)


@pytest.mark.parametrize("sizes", SIZES)
def test_attention_agrees_with_plain_loops(sizes):
    arguments = draw(*sizes)
    got = solution("dot_product_attention").dot_product_attention(*arguments)
    torch.testing.assert_close(got, by_loops(*arguments))


@pytest.mark.parametrize("sizes", SIZES)
def test_the_context_agrees_with_torchs_own_attention(sizes):
    q, keys, values = draw(*sizes)
    want = F.scaled_dot_product_attention(q[None, None], keys[None], values[None], scale=1.0)[0, 0]
    _, context = solution("dot_product_attention").dot_product_attention(q, keys, values)
    torch.testing.assert_close(context, want)


def test_the_worked_example_of_the_statement_holds():
    keys = torch.tensor([[math.log(3), 5.0], [0.0, 7.0]])
    got = solution("dot_product_attention").dot_product_attention(
        torch.tensor([1.0, 0.0]), keys, torch.tensor([[8.0], [0.0]])
    )
    torch.testing.assert_close(got, (torch.tensor([0.75, 0.25]), torch.tensor([6.0])))


def test_the_key_has_the_softmax_of_the_scores_in_the_question():
    scores = torch.tensor([[math.log(6)], [0.0], [math.log(2)], [0.0]])
    alpha, _ = solution("dot_product_attention").dot_product_attention(torch.ones(1), scores, torch.eye(4))
    torch.testing.assert_close(alpha, torch.tensor([0.6, 0.1, 0.2, 0.1]))
    assert solution("dot_product_attention").context_vector.answer == "0.6 v1 + 0.1 v2 + 0.2 v3 + 0.1 v4"
