"""Rules of layers, losses and sorting against their closed forms, forward and backward."""

from __future__ import annotations

import pytest
import torch
import torch.nn.functional as F
from torch import nn

from autograder.cost.measure import measure
from autograder.cost.trace.tracer import trace

M, K, N = 3, 8, 5
E = M * K
TARGETS = torch.tensor([1, 0, 2])


def r(*shape: int) -> torch.Tensor:
    return torch.rand(shape)


def norm(name, *settings):
    return lambda x, *affine: getattr(F, name)(x, *settings, *affine)


def batch_norm(training):
    return lambda x, mean, var: F.batch_norm(x, mean, var, None, None, training)


# name, function, arguments, work, span
CLOSED_FORMS = [
    ("layer-norm", norm("layer_norm", (K,)), (r(M, K),), 5 * E + 4 * M, 2 * 3 + 7),
    ("layer-norm-affine", norm("layer_norm", (K,)), (r(M, K), r(K), r(K)), 7 * E + 4 * M, 2 * 3 + 9),
    ("group-norm", norm("group_norm", 2), (r(2, 4, 8),), 5 * 64 + 4 * 4, 2 * 4 + 7),
    (
        "batch-norm-training",
        batch_norm(True),
        (r(2, 4, 8), r(4), r(4)),
        5 * 64 + 4 * 4 + 6 * 4,
        2 * 4 + 7,
    ),
    ("batch-norm-fixed", batch_norm(False), (r(2, 4, 8), r(4), r(4)), 2 * 64 + 2 * 4, 3),
    ("sort", lambda x: x.sort(1), (r(M, K),), M * 4 * 6, 6),
    ("sort-down-the-columns", lambda x: x.sort(0), (r(4, N),), N * 2 * 3, 3),
    ("argsort", lambda x: x.argsort(1), (r(M, K),), M * 4 * 6, 6),
    ("topk", lambda x: x.topk(2, 1), (r(M, K),), M * 4 * 6, 6),
    ("median", lambda x: x.median(1), (r(M, K),), M * 4 * 6, 6),
    ("median-of-all", torch.median, (r(2, K),), 8 * 10, 10),
    ("unique", torch.unique, (torch.arange(8),), 4 * 6 + 4 * 8, 6 + 1 + 2 * 3 + 1),
    ("searchsorted", torch.searchsorted, (torch.arange(7.0), r(N)), N * 3, 3),
    ("bucketize", torch.bucketize, (r(N), torch.arange(7.0)), N * 3, 3),
    ("bincount", torch.bincount, (torch.arange(8),), 8 + 8, 1 + 3),
    ("max-pool-1d", lambda x: F.max_pool1d(x, 2), (r(2, 4, 8),), 32 * 2, 1),
    ("max-pool-2d", lambda x: F.max_pool2d(x, 2), (r(1, 2, 8, 8),), 32 * 4, 2),
    ("max-pool-2d-oblong", lambda x: F.max_pool2d(x, (2, 4)), (r(1, 2, 8, 8),), 16 * 8, 3),
    ("avg-pool-1d", lambda x: F.avg_pool1d(x, 2), (r(2, 4, 8),), 32 * 3, 1 + 1),
    ("avg-pool-2d", lambda x: F.avg_pool2d(x, 2), (r(1, 2, 8, 8),), 32 * 5, 2 + 1),
    ("adaptive-avg-pool", lambda x: F.adaptive_avg_pool1d(x, 2), (r(2, 4, 8),), 64 + 16, 2 + 1),
    ("adaptive-avg-pool-uneven", lambda x: F.adaptive_avg_pool1d(x, 2), (r(1, 1, 5),), 6 + 2, 2 + 1),
    ("adaptive-max-pool", lambda x: F.adaptive_max_pool1d(x, 2), (r(2, 4, 8),), 64, 2),
    ("mse", F.mse_loss, (r(4, K), r(4, K)), 3 * 32 + 1, 2 + 5 + 1),
    ("mse-sum", lambda a, b: F.mse_loss(a, b, reduction="sum"), (r(4, K), r(4, K)), 3 * 32, 2 + 5),
    ("mse-each", lambda a, b: F.mse_loss(a, b, reduction="none"), (r(4, K), r(4, K)), 2 * 32, 2),
    ("huber", F.huber_loss, (r(4, K), r(4, K)), 6 * 32 + 1, 5 + 5 + 1),
    ("bce", F.binary_cross_entropy, (r(4, K), r(4, K)), 9 * 32 + 1, 5 + 5 + 1),
    (
        "bce-of-logits",
        F.binary_cross_entropy_with_logits,
        (r(4, K), r(4, K)),
        8 * 32 + 1,
        5 + 5 + 1,
    ),
    ("nll", F.nll_loss, (r(M, K), TARGETS), 3 * M + 1, 2 + 2 + 1),
    (
        "nll-weighted",
        lambda x, t, w: F.nll_loss(x, t, w),
        (r(M, K), TARGETS, r(K)),
        5 * M + 1 + M,
        3 + 2 + 1,
    ),
    (
        "cross-entropy",
        F.cross_entropy,
        (r(M, K), TARGETS),
        5 * E + M + 3 * M + 1,
        2 * 3 + 4 + 2 + 2 + 1,
    ),
    ("cdist", torch.cdist, (r(M, K), r(N, K)), M * N * (2 * K + 1), 1 + 4 + 1),
    (
        "cdist-by-products",
        torch.cdist,
        (r(32, 6), r(64, 6)),
        96 * (2 * 6 + 2) + 32 * 64 * 10,
        (1 + 3) + 1 + (1 + 3) + 2,
    ),
    ("norm", lambda x: x.norm(1, 1), (r(M, K),), 2 * E + M, 3 + 2),
    ("frobenius", torch.linalg.norm, (r(4, K),), 2 * 32 + 1, 5 + 2),
    ("gelu", F.gelu, (r(M, K),), E, 1),
    ("silu", F.silu, (r(M, K),), E, 1),
    ("put", lambda x, i, v: x.put(i, v), (r(6), TARGETS, r(3)), 6 + 3, 1),
    (
        "scatter-reduce",
        lambda x, i, v: x.scatter_reduce(0, i, v, "amax"),
        (r(6), torch.tensor([1, 1, 0, 2]), r(4)),
        6 + 4,
        1 + 2,
    ),
    ("fold", lambda x: F.fold(x, (4, 4), 2, stride=2), (r(1, 8, 4),), 32 + 32, 1),
    ("linear-upsampling", lambda x: F.interpolate(x, 16, mode="linear"), (r(1, 2, 8),), 32 * 2, 2),
    ("cross-product", torch.linalg.cross, (r(4, 3), r(4, 3)), 36, 2),
    ("isin", torch.isin, (torch.arange(3), torch.arange(4)), 2 * 3 * 4, 1 + 2),
]


@pytest.mark.parametrize(
    ("function", "args", "work", "span"),
    [case[1:] for case in CLOSED_FORMS],
    ids=[case[0] for case in CLOSED_FORMS],
)
def test_a_layer_costs_its_closed_form(function, args, work, span):
    cost = trace(function, *args)
    assert (cost.work, cost.span) == (work, span)


# name, function, arguments, the work that the backward pass adds, its first ones included
BACKWARD = [
    ("layer-norm", norm("layer_norm", (K,)), (r(M, K),), E + 9 * E + 2 * M),
    ("layer-norm-affine", norm("layer_norm", (K,)), (r(M, K), r(K), r(K)), E + 13 * E + 2 * M),
    ("group-norm", norm("group_norm", 2), (r(2, 4, 8),), 64 + 9 * 64 + 2 * 4),
    ("batch-norm", lambda x: F.batch_norm(x, None, None, None, None, True), (r(2, 4, 8),), 10 * 64 + 2 * 4),
    ("max-pool", lambda x: F.max_pool1d(x, 2), (r(2, 4, 8),), 32 + 64 + 32),
    ("avg-pool", lambda x: F.avg_pool1d(x, 2), (r(2, 4, 8),), 32 + 64 + 32 * 3),
    ("nll", lambda x: F.nll_loss(x, TARGETS), (r(M, K),), 1 + E + 2 * M),
]


@pytest.mark.parametrize(
    ("function", "args", "work"), [case[1:] for case in BACKWARD], ids=[case[0] for case in BACKWARD]
)
def test_a_backward_pass_costs_its_closed_form(function, args, work):
    assert trace(function, *args, backward=True).work - trace(function, *args).work == work


@pytest.mark.parametrize("batch_first", [False, True], ids=["time-first", "batch-first"])
def test_a_layer_of_lstm_counts_gates_and_cells_and_waits_step_after_step(batch_first):
    steps, batch, width, hidden = 8, 2, 4, 16
    shape = (batch, steps, width) if batch_first else (steps, batch, width)
    copied = steps * batch * width if batch_first else 0  # time is brought to the front
    cost = trace(nn.LSTM(width, hidden, batch_first=batch_first), r(*shape))
    each = 4 * hidden * (width + hidden) + 4 * hidden * 3 + 4 * hidden + 5 * hidden
    states = 2 * batch * hidden  # hidden and cell: zeros at first, and copied at the end
    assert cost.work == steps * batch * each + 2 * states + copied
    assert cost.span == 1 + (1 + 2) + 1 + steps * ((1 + 4) + 7) + 1


@pytest.mark.parametrize("batch_first", [False, True], ids=["time-first", "batch-first"])
def test_the_backward_pass_of_an_lstm_waits_step_after_step(batch_first):
    batch, width, hidden = 2, 4, 16

    def spans(steps):
        shape = (batch, steps, width) if batch_first else (steps, batch, width)
        layer = nn.LSTM(width, hidden, batch_first=batch_first)
        args = (lambda x: layer(x)[0], r(*shape))
        return trace(*args, backward=True).span - trace(*args).span

    # An inner product over four gates and eight steps, each time; one more doubling of positions.
    assert spans(16) - spans(8) == 8 * ((1 + 6) + 8) + 1


@pytest.mark.parametrize("layer", [nn.LSTM, nn.GRU, nn.RNN])
def test_recurrent_layers_of_torch_grow_with_the_length(layer):
    def run(x):
        return layer(4, 4)(x)[0]

    measured = measure(run, lambda sizes: (r(sizes["T"], 4),), ["T"], quantities=["work", "span"])
    assert (measured.work, measured.span) == ("T", "T")


def test_running_means_are_written_and_results_are_new_memory():
    def follow(x, mean, var):
        out = F.batch_norm(x, mean, var, None, None, True)
        return out.exp() + mean.exp().sum()

    cost = trace(follow, r(2, 4, 8), torch.zeros(4), torch.ones(4))
    assert cost.memory >= 2 * 4 * 64
    assert cost.span == (2 * 4 + 7) + 1 + 2 + 1  # normalise; exp, sum of the means; add


def test_sorting_grows_as_its_network():
    measured = measure(torch.sort, lambda sizes: (r(sizes["N"]),), ["N"], quantities=["work", "span"])
    assert (measured.work, measured.span) == ("N (ln N)^2", "(ln N)^2")


@pytest.mark.parametrize("mode", ["train", "eval"])
def test_a_transformer_layer_is_measured(mode):
    layer = getattr(nn.TransformerEncoderLayer(8, 2, 16, batch_first=True), mode)()
    assert trace(layer, r(2, 4, 8)).work > 0
