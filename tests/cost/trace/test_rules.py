"""Every rule against its closed form, and against torch's own count of flops where that has one."""

from __future__ import annotations

import pytest
import torch
import torch.nn.functional as F
from torch.utils.flop_counter import FlopCounterMode

from autograder.cost.trace.time_model import Model, UnknownOperation
from autograder.cost.trace.tracer import Cost, trace

M, K, N, B = 3, 8, 5, 2
TWO = torch.tensor([1, 2])


def r(*shape: int) -> torch.Tensor:
    return torch.rand(shape)


def at(tensor: torch.Tensor, *places: torch.Tensor) -> None:
    tensor[places] = 1.0


# name, function, arguments, work, span
CLOSED_FORMS = [
    ("dot", torch.dot, (r(K), r(K)), K, 1 + 3),
    ("mv", torch.mv, (r(M, K), r(K)), M * K, 1 + 3),
    ("mm", torch.mm, (r(M, K), r(K, N)), M * K * N, 1 + 3),
    ("bmm", torch.bmm, (r(B, M, K), r(B, K, N)), B * M * K * N, 1 + 3),
    ("addmm", torch.addmm, (r(N), r(M, K), r(K, N)), M * K * N + M * N, 2 + 3),
    ("addmv", torch.addmv, (r(M), r(M, K), r(K)), M * K + M, 2 + 3),
    ("baddbmm", torch.baddbmm, (r(B, M, N), r(B, M, K), r(B, K, N)), B * M * N * (K + 1), 2 + 3),
    ("addbmm", torch.addbmm, (r(M, N), r(B, M, K), r(B, K, N)), M * N * (B * K + 1), 2 + 4),
    ("outer", torch.outer, (r(M), r(N)), M * N, 1),
    ("linear", F.linear, (r(M, K), r(N, K), r(N)), M * K * N + M * N, 2 + 3),
    ("matmul-of-a-view", lambda a, b: a @ b.T, (r(M, K), r(N, K)), M * K * N, 1 + 3),
    ("einsum", lambda a, b: torch.einsum("mk,nk->mn", a, b), (r(M, K), r(N, K)), M * K * N, 1 + 3),
    ("add", torch.add, (r(M, 1), r(1, N)), M * N, 1),
    ("exp", torch.exp, (r(M, N),), M * N, 1),
    ("where", lambda a, b: torch.where(a > b, a, b), (r(M, N), r(M, N)), 2 * M * N, 2),
    ("masked-fill", lambda a, b: a.masked_fill(b > 2, 0.0), (r(M, N), r(M, N)), 2 * M * N, 2),
    ("maximum", torch.maximum, (r(M, N), r(M, N)), M * N, 1),
    ("max-of-two", torch.max, (r(M, N), r(M, N)), M * N, 1),
    ("max-of-all", torch.max, (r(M, K),), M * K, 5),
    ("sum-of-all", torch.sum, (r(4, K),), 4 * K, 5),
    ("sum-of-five", torch.sum, (r(5),), 5, 3),
    ("sum-of-one", torch.sum, (r(1),), 1, 0),
    ("sum-of-rows", lambda a: a.sum(1), (r(M, K),), M * K, 3),
    ("amax", lambda a: a.amax((0, 2)), (r(2, M, 4),), 24, 3),
    ("argmax", lambda a: a.argmax(1), (r(M, K),), M * K, 3),
    ("max-along", lambda a: a.max(1), (r(M, K),), M * K, 3),
    ("mean", lambda a: a.mean(1), (r(M, K),), M * K + M, 3 + 1),
    ("norm", lambda a: torch.linalg.vector_norm(a, dim=1), (r(M, K),), 2 * M * K + M, 3 + 2),
    ("logsumexp", lambda a: a.logsumexp(1), (r(M, K),), 4 * M * K + 2 * M, 2 * 3 + 4),
    ("softmax", lambda a: a.softmax(1), (r(M, K),), 5 * M * K, 2 * 3 + 3),
    ("softmax-of-a-vector", lambda a: a.softmax(0), (r(K),), 5 * K, 2 * 3 + 3),
    ("log-softmax", lambda a: a.log_softmax(1), (r(M, K),), 5 * M * K + M, 2 * 3 + 4),
    ("cumsum", lambda a: a.cumsum(1), (r(M, K),), 2 * M * K, 2 * 3),
    ("trace", torch.trace, (r(4, 4),), 4, 2),
    ("equal", torch.equal, (r(2, 4), r(2, 4)), 16, 1 + 3),
    ("clone", torch.clone, (r(M, N),), M * N, 1),
    ("stack", lambda a, b: torch.stack([a, b]), (r(M), r(M)), 2 * M, 1),
    ("cat", lambda a, b: torch.cat([a, b]), (r(M), r(N)), M + N, 1),
    ("pad", lambda a: F.pad(a, (1, 1)), (r(M, N),), M * (N + 2), 1),
    ("repeat", lambda a: a.repeat(2, 1), (r(M, N),), 2 * M * N, 1),
    ("flip", lambda a: a.flip(0), (r(M, N),), M * N, 1),
    ("embedding", lambda e, w: e[w], (r(7, N), torch.tensor([1, 2, 1])), 3 * N, 1),
    ("nn-embedding", lambda e, w: F.embedding(w, e), (r(7, N), torch.tensor([1, 2])), 2 * N, 1),
    ("index-select", lambda e, w: e.index_select(0, w), (r(7, N), torch.tensor([1, 2])), 2 * N, 1),
    ("gather", lambda e, w: e.gather(0, w), (r(7), torch.tensor([1, 2])), 2, 1),
    ("index-put", lambda a, w, v: a.index_put((w,), v), (r(6), torch.tensor([1, 2]), r(2)), 6 + 2, 1),
    (
        "index-add",
        lambda a, w, v: a.index_add(0, w, v),
        (r(6), torch.tensor([1, 1, 2, 2]), r(4)),
        6 + 4,
        1 + 2,
    ),
    ("scatter-a-number", lambda a, w: a.scatter(0, w, 1.0), (r(6), torch.tensor([1, 2])), 6 + 2, 1),
    ("index-fill-in-place", lambda a, w: a.index_fill_(0, w, 1.0), (r(6, N), TWO), 2 * N, 1),
    ("index-fill", lambda a, w: a.index_fill(1, w, 1.0), (r(M, 6), TWO), 6 * M + 2 * M, 1),
    ("index-copy-in-place", lambda a, w, v: a.index_copy_(0, w, v), (r(6, N), TWO, r(2, N)), 2 * N, 1),
    ("index-copy", lambda a, w, v: a.index_copy(0, w, v), (r(6, N), TWO, r(2, N)), 8 * N, 1),
    ("index-add-in-place", lambda a, w, v: a.index_add_(0, w, v), (r(6), TWO, r(2)), 2, 1 + 1),
    ("scatter-in-place", lambda a, w, v: a.scatter_(0, w, v), (r(6), TWO, r(2)), 2, 1),
    ("scatter-a-part-of-the-source", lambda a, w, v: a.scatter_(0, w, v), (r(6), TWO, r(6)), 2, 1),
    ("scatter-add-a-part", lambda a, w, v: a.scatter_add_(0, w, v), (r(6), TWO, r(6)), 2, 1 + 1),
    ("put-in-place", lambda a, w, v: a.put_(w, v), (r(M, 6), TWO, r(2)), 2, 1),
    ("masked-fill-in-place", lambda a, m: a.masked_fill_(m, 0.0), (r(M, N), r(M, N) > 2), M * N, 1),
    ("copy-into-a-slice", lambda a, v: a[1:3].copy_(v), (r(6, N), r(N)), 2 * N, 1),
    ("set-a-slice", lambda a, v: a.__setitem__(slice(1, 3), v), (r(6, N), r(N)), 2 * N, 1),
    ("set-rows-to-a-number", lambda a, w: a.__setitem__(w, 1.0), (r(6, N), TWO), 2 * N, 1),
    ("set-rows-to-one-row", lambda a, w, v: a.__setitem__(w, v), (r(6, N), TWO, r(N)), 2 * N, 1),
    ("set-columns", lambda a, w, v: a.__setitem__((..., w), v), (r(M, 6), TWO, r(1)), 2 * M, 1),
    ("set-a-table-of-places", lambda a, i, j: at(a, i[:, None], j), (r(6, 7), TWO, TWO), 4, 1),
    ("index-put-spread-out", lambda a, w, v: a.index_put((w,), v), (r(6, N), TWO, r(N)), 6 * N + 2 * N, 1),
    (
        "index-put-accumulating",
        lambda a, w, v: a.index_put_((w,), v, accumulate=True),
        (r(6, N), torch.tensor([1, 1, 2, 2]), r(1)),
        4 * N,
        1 + 5,
    ),
    ("set-a-mask-to-a-number", lambda a, m: at(a, m), (r(M, N), r(M, N) > 2), M * N, 1),
    ("set-masked-rows-to-a-number", lambda a, m: at(a, m), (r(8, N), torch.arange(8) > 5), 8 * N, 1),
    (
        "set-masked-rows-to-one-row",
        lambda a, m, v: a.__setitem__(m, v),
        (r(8, N), torch.arange(8) > 5, r(N)),
        8 * N + 3 * 8,
        1 + 7,
    ),
    ("masked-rows", lambda a, m: a[m], (r(8, N), torch.arange(8) > 5), 2 * N + 3 * 8, 1 + 7),
    ("rows-and-columns", lambda a, i, j: a[i[:, None], j], (r(6, 7), TWO, TWO), 4, 1),
    ("allclose", torch.allclose, (r(2, 4), r(4)), 7 * 8, 4 + 3),
    ("bilinear", F.bilinear, (r(M, 4), r(M, 2), r(N, 4, 2)), 2 * M * N * 8, 1 + 1 + 3),
    ("pdist", F.pdist, (r(N, K),), 10 * (2 * K + 1), 1 + 4 + 1),
    ("histc", lambda a: torch.histc(a, 4, 0, 1), (r(8),), 4 + 4 * 8, 3 + 1 + 3),
    ("histc-of-unknown-range", lambda a: torch.histc(a, 4), (r(8),), 4 + 6 * 8, 3 + 3 + 1 + 3),
    ("det", torch.linalg.det, (r(B, 4, 4),), B * (2 * 6 + 14 + 4), 3 * (2 + 3) + 2),
    ("det-of-a-number", torch.linalg.det, (r(1, 1),), 1, 0),
    ("expand-copy", lambda a: torch.expand_copy(a, (M, N)), (r(M, 1),), M * N, 1),
    ("unbind-copy", torch.unbind_copy, (r(M, N),), M * N, 1),
    ("conv1d", F.conv1d, (r(1, 4, 9), r(N, 4, 2)), 8 * N * 8, 1 + 3),
    ("conv1d-with-bias", F.conv1d, (r(1, 4, 9), r(N, 4, 2), r(N)), 8 * N * 9, 2 + 3),
    ("transposed-conv", F.conv_transpose1d, (r(1, 4, 9), r(4, N, 2)), 4 * 9 * N * 2, 1 + 3),
    ("zeros", lambda: torch.zeros(M, N), (), M * N, 1),
    ("numbers-from-python", lambda: torch.tensor([[1.0, 2.0], [3.0, 4.0]]), (), 4, 1),
    ("a-number-from-python", lambda: torch.tensor(1.0), (), 0, 0),
    ("empty", lambda: torch.empty(M, N), (), 0, 0),
    ("transpose", lambda a: a.T.reshape(-1, 1).expand(-1, 3)[1:], (r(M, 1),), 0, 0),
    ("diag", torch.diag, (r(4),), 16, 1),
    ("nonzero", torch.nonzero, (r(8),), 24, 7),
]


@pytest.mark.parametrize(
    ("function", "args", "work", "span"),
    [case[1:] for case in CLOSED_FORMS],
    ids=[c[0] for c in CLOSED_FORMS],
)
def test_an_operation_costs_its_closed_form(function, args, work, span):
    cost = trace(function, *args)
    assert (cost.work, cost.span) == (work, span)


def test_attention_in_one_call_counts_scores_softmax_and_average():
    T, S, E, V = 4, 8, 16, 2
    cost = trace(F.scaled_dot_product_attention, r(1, 1, T, E), r(1, 1, S, E), r(1, 1, S, V))
    # V differs from E, so torch takes the plain path: two scalings, product, softmax, product.
    assert cost.work == T * E + S * E + T * S * E + 5 * T * S + T * S * V
    fused = trace(F.scaled_dot_product_attention, r(1, 1, T, E), r(1, 1, S, E), r(1, 1, S, E))
    assert fused.work == T * S * (E + 1 + 5 + E)
    assert fused.span == (1 + 4) + 1 + (2 * 3 + 3) + (1 + 3)


FLOPS = [
    ("mm", torch.mm, (r(M, K), r(K, N)), 0),
    ("bmm", torch.bmm, (r(B, M, K), r(B, K, N)), 0),
    ("addmm", torch.addmm, (r(N), r(M, K), r(K, N)), M * N),
    ("baddbmm", torch.baddbmm, (r(B, M, N), r(B, M, K), r(B, K, N)), B * M * N),
    ("conv1d", F.conv1d, (r(2, 4, 9), r(6, 4, 3)), 0),
    ("conv2d", F.conv2d, (r(2, 4, 9, 7), r(6, 4, 3, 2)), 0),
    ("grouped-conv", lambda x, w: F.conv1d(x, w, groups=2), (r(2, 4, 9), r(6, 2, 3)), 0),
    ("strided-conv", lambda x, w: F.conv1d(x, w, stride=2), (r(2, 4, 9), r(6, 4, 3)), 0),
    ("transposed-conv", F.conv_transpose1d, (r(2, 4, 9), r(4, 6, 3)), 0),
]


@pytest.mark.parametrize(
    ("function", "args", "additions"), [case[1:] for case in FLOPS], ids=[case[0] for case in FLOPS]
)
def test_work_agrees_with_torchs_own_count(function, args, additions):
    # torch counts a multiply-add as two, and leaves out what addmm adds.
    with FlopCounterMode(display=False) as counter:
        function(*args)
    assert 2 * (trace(function, *args).work - additions) == counter.get_total_flops()


def test_work_of_a_backward_pass_agrees_with_torchs_own_count():
    x, w = r(2, 4, 9), r(6, 4, 3)
    with FlopCounterMode(display=False) as counter:
        a, b = x.clone().requires_grad_(), w.clone().requires_grad_()
        out = F.conv1d(a, b)
        torch.autograd.grad(out, [a, b], torch.ones_like(out))
    assert 2 * (trace(F.conv1d, x, w, backward=True).work - out.numel()) == counter.get_total_flops()


def test_attention_with_its_backward_pass_agrees_with_torchs_own_count_up_to_the_softmax():
    q, k, v = r(1, 2, 4, 16), r(1, 2, 8, 16), r(1, 2, 8, 16)
    pairs = 2 * 4 * 8
    forward = trace(F.scaled_dot_product_attention, q, k, v)
    assert forward.work - 6 * pairs == pairs * (16 + 16)
    both = trace(F.scaled_dot_product_attention, q, k, v, backward=True)
    products = pairs * 5 * 16
    assert both.work - forward.work == products + 11 * pairs + 2 * 4 * 16


@pytest.mark.parametrize("length", [1, 2, 3, 7, 8, 9, 1024])
def test_a_sum_is_a_tree(length):
    depth, width = 0, length
    while width > 1:
        width, depth = -(-width // 2), depth + 1
    assert Model().sum(length) == depth


def test_serial_inner_products_take_a_step_for_each_term():
    assert trace(torch.mm, r(M, K), r(K, N), serial=True).span == K
    assert trace(torch.mm, r(M, K), r(K, N), serial={K}).span == K
    assert trace(torch.mm, r(M, K), r(K, N), serial={K + 1}).span == 1 + 3


def test_plain_sums_stay_trees_when_inner_products_are_serial():
    assert trace(torch.sum, r(K), serial=True).span == 3


def test_an_operation_without_a_rule_is_named():
    with pytest.raises(UnknownOperation, match=r"aten\.linalg_inv_ex.*not measured"):
        trace(torch.linalg.inv, r(3, 3))


def test_a_program_cannot_hide_an_operation_without_a_rule_by_catching_the_error():
    def sly(x):
        try:
            return torch.linalg.inv(x)
        except Exception:
            return x

    with pytest.raises(UnknownOperation, match="linalg_inv"):
        trace(sly, r(3, 3))


def test_a_sparse_tensor_is_not_measured():
    with pytest.raises(UnknownOperation, match="not measured"):
        trace(lambda x: x.to_sparse() * 2, r(3, 3))


def test_composite_operations_are_taken_apart_in_inference_mode_too():
    args = (r(M, K), r(N, K), r(N))
    with torch.inference_mode():
        assert trace(F.linear, *args) == trace(F.linear, *args)
        assert trace(lambda a: (a @ a.T).softmax(1), r(4, 8)) == Cost(
            4 * 4 * 8 + 5 * 16, 1 + 3 + 7, 2 * 4 * 16
        )
