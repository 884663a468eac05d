"""The reference of linear_attention agrees with nested loops, and never makes a table of all pairs."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode

from tests.problems.conftest import solution

SIZES = [(5, 3, 4), (1, 4, 2), (7, 2, 1), (6, 1, 3)]  # T, d, dv


def _tensors(T: int, d: int, dv: int) -> tuple[Tensor, Tensor, Tensor]:
    draw = torch.Generator().manual_seed(T)
    q, k = (torch.rand(T, d, dtype=torch.float64, generator=draw) + 0.1 for _ in range(2))
    return q, k, torch.randn(T, dv, dtype=torch.float64, generator=draw)


@pytest.mark.parametrize("sizes", SIZES)
def test_each_row_is_the_average_of_the_values_weighted_by_its_scores(sizes):
    T, d, dv = sizes
    q, k, v = _tensors(*sizes)
    want = torch.zeros(T, dv, dtype=torch.float64)
    for i in range(T):
        scores = [sum(float(q[i, a] * k[j, a]) for a in range(d)) for j in range(T)]
        for b in range(dv):
            want[i, b] = sum(score * float(v[j, b]) for j, score in enumerate(scores)) / sum(scores)
    torch.testing.assert_close(solution("linear_attention").linear_attention(q, k, v), want)


@pytest.mark.parametrize("sizes", SIZES)
def test_it_is_softmax_attention_of_the_scores_logarithms(sizes):
    q, k, v = _tensors(*sizes)
    want = torch.softmax(torch.log(q @ k.T), dim=1) @ v
    torch.testing.assert_close(solution("linear_attention").linear_attention(q, k, v), want)


class _Largest(TorchDispatchMode):
    """Remembers the largest number of entries that any operation returned."""

    entries = 0

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        out = func(*args, **(kwargs or {}))
        self.entries = max(self.entries, out.numel())
        return out


def test_no_tensor_on_the_way_is_larger_than_the_values():
    q, k, v = _tensors(50, 3, 4)
    with _Largest() as seen:
        solution("linear_attention").linear_attention(q, k, v)
    assert 0 < seen.entries <= 50 * 4


def test_the_example_by_hand_comes_out_as_printed():
    q, k, v = (torch.tensor(x).view(2, 1) for x in ([1.0, 5.0], [1.0, 3.0], [10.0, 20.0]))
    assert solution("linear_attention").linear_attention(q, k, v).flatten().tolist() == [17.5, 17.5]
