"""The references of language_cnn agree with nested loops and with torch's own layers."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from autograder.calls.function_arguments import ELEMENTWISE
from tests.problems.conftest import solution

EMBEDDINGS = [(7, 3, 2, 5), (4, 6, 1, 8), (9, 2, 3, 1)]
LAYERS = [(2, 9, 3, 5, 4), (1, 8, 3, 2, 5), (3, 7, 1, 3, 6), (2, 5, 5, 1, 2), (2, 6, 5, 4, 1)]


def _table(W: int, I: int, B: int, T: int) -> tuple[Tensor, Tensor]:
    draw = torch.Generator().manual_seed(W * T)
    return torch.randn(W, I, dtype=torch.float64, generator=draw), torch.randint(W, (B, T), generator=draw)


def _layer(b: int, T: int, D: int, C: int, I: int) -> tuple[Tensor, Tensor, Tensor]:
    draw = torch.Generator().manual_seed(T * D)
    shapes = ((b, T, C), (D, C, I), (I,))
    L, W, B = (torch.randn(shape, dtype=torch.float64, generator=draw) for shape in shapes)
    return L, W, B


@pytest.mark.parametrize("sizes", EMBEDDINGS)
def test_embedding_looks_up_each_word_of_each_sentence(sizes):
    e, w = _table(*sizes)
    got = solution("language_cnn").language_cnn_embed(e, w)
    want = [
        [[float(e[w[b, t], i]) for i in range(sizes[1])] for t in range(sizes[3])] for b in range(sizes[2])
    ]
    assert torch.equal(got, torch.tensor(want, dtype=torch.float64))


@pytest.mark.parametrize("sizes", EMBEDDINGS)
def test_embedding_is_torchs_embedding(sizes):
    e, w = _table(*sizes)
    assert torch.equal(solution("language_cnn").language_cnn_embed(e, w), torch.nn.functional.embedding(w, e))


@pytest.mark.parametrize("sizes", LAYERS)
@pytest.mark.parametrize("sigma", ["identity", "tanh", "softplus"])
def test_layer_sums_each_window_that_fits(sizes, sigma):
    b, T, D, C, I = sizes
    L, W, B = _layer(*sizes)
    got = solution("language_cnn").language_cnn_layer(L, W, B, ELEMENTWISE[sigma])
    starts = [start for start in range(0, T, 2) if start + D <= T]
    want = torch.zeros(b, len(starts), I, dtype=torch.float64)
    for s in range(b):
        for t, start in enumerate(starts):
            for i in range(I):
                terms = [float(W[dt, c, i] * L[s, start + dt, c]) for dt in range(D) for c in range(C)]
                want[s, t, i] = sum(terms) - B[i]
    torch.testing.assert_close(got, ELEMENTWISE[sigma](want))


@pytest.mark.parametrize("sizes", LAYERS)
def test_layer_is_conv1d_with_stride_two_and_the_bias_negated(sizes):
    L, W, B = _layer(*sizes)
    got = solution("language_cnn").language_cnn_layer(L, W, B, torch.tanh)
    want = torch.nn.functional.conv1d(L.transpose(1, 2), W.permute(2, 1, 0), bias=-B, stride=2)
    torch.testing.assert_close(got, torch.tanh(want).transpose(1, 2))


def test_the_examples_by_hand_come_out_as_printed():
    module = solution("language_cnn")
    e = torch.tensor([[1.0, 0.0], [5.0, 7.0]])
    assert module.language_cnn_embed(e, torch.tensor([[1, 0, 1]])).tolist() == [[[5, 7], [1, 0], [5, 7]]]
    L, W, B = (
        torch.arange(1.0, 6.0).view(1, 5, 1),
        torch.tensor([10.0, 1.0]).view(2, 1, 1),
        torch.tensor([4.0]),
    )
    assert module.language_cnn_layer(L, W, B, lambda x: x).flatten().tolist() == [8, 30]
