"""The reference convolution against loops and torch's own, and the counts of layers against sets of words."""

from __future__ import annotations

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

from tests.problems.conftest import solution

SIZES = [(6, 3, 2, 4), (7, 5, 3, 2), (4, 1, 3, 2), (2, 7, 2, 3), (1, 3, 1, 1), (5, 5, 5, 5)]


def draw(T: int, D: int, I: int, J: int) -> tuple[Tensor, ...]:
    generator = torch.Generator().manual_seed(1000 * T + 100 * D + 10 * I + J)
    shapes = [(T, I), (D, I, J), (J,)]
    return tuple(torch.randn(*shape, generator=generator, dtype=torch.float64) for shape in shapes)


def by_loops(x: Tensor, W: Tensor, b: Tensor) -> Tensor:
    D, I, J = W.shape
    words = dict(enumerate(x.tolist()))
    y = [[b[j].item() for j in range(J)] for _ in words]
    for t in words:
        for d in range(D):
            word = words.get(t + d - (D - 1) // 2, [0.0] * I)
            for i in range(I):
                for j in range(J):
                    y[t][j] += W[d, i, j].item() * word[i]
    return torch.tensor(y, dtype=torch.float64)


@pytest.mark.parametrize("sizes", SIZES)
def test_the_convolution_agrees_with_plain_loops(sizes):
    arguments = draw(*sizes)
    torch.testing.assert_close(
        solution("convolution_models").sequence_convolution(*arguments), by_loops(*arguments)
    )


@pytest.mark.parametrize("sizes", SIZES)
def test_the_convolution_agrees_with_torchs_own(sizes):
    x, W, b = draw(*sizes)
    want = F.conv1d(x.T[None], W.permute(2, 1, 0), b, padding=(len(W) - 1) // 2)[0].T
    torch.testing.assert_close(solution("convolution_models").sequence_convolution(x, W, b), want)


def test_the_worked_example_of_the_statement_holds():
    x, W = torch.tensor([[1.0], [2.0], [3.0]]), torch.tensor([1.0, 10.0, 100.0]).view(3, 1, 1)
    got = solution("convolution_models").sequence_convolution(x, W, torch.tensor([5.0]))
    assert got.flatten().tolist() == [215.0, 326.0, 37.0]


def words_seen(layers: int, width: int) -> set[int]:
    """The words within reach of position 0 at the top, found by walking down layer by layer."""
    seen = {0}
    for _ in range(layers):
        seen = {place + offset for place in seen for offset in range(width)}
    return seen


@pytest.mark.parametrize("width", [2, 3, 5, 8])
@pytest.mark.parametrize("layers", [1, 2, 3, 6])
def test_the_key_counts_the_words_that_a_position_sees(layers, width):
    assert solution("convolution_models").receptive_field.answer == "L*(w - 1) + 1"
    assert len(words_seen(layers, width)) == layers * (width - 1) + 1


@pytest.mark.parametrize("width", [2, 3, 5, 8])
@pytest.mark.parametrize("gap", [8, 20, 33])
def test_words_interact_after_a_number_of_layers_within_twice_the_key(gap, width):
    assert solution("convolution_models").layers_needed.answer == "O(N/w)"
    layers = next(count for count in range(1, gap + 1) if max(words_seen(count, width)) >= gap)
    assert gap / width <= layers <= 2 * gap / width + 1
