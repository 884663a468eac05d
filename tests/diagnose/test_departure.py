"""The first line that departs: named where it is known, never a line before the slip, else silence."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pytest
import torch

from autograder.calls.expected import call_trusted, plan_case
from autograder.calls.inputs import as_given, revive
from autograder.calls.note_tensors import Noting, take_notes
from autograder.diagnose.axis_sums import compare_sums, name_axes
from autograder.diagnose.cell_statements import from_first_line, read_layout, read_line, statements
from autograder.diagnose.departure import Departure, find_departure
from autograder.diagnose.departure_words import say_departure
from autograder.diagnose.intermediates import note_reference
from autograder.diagnose.rearranged import arrangements, factor, same

SELF = "def multi_head_self_attention(h_in, WQ, WK, WV):\n"
QKV = """    q = torch.einsum("kuj,tj->tku", WQ, h_in)
    k = torch.einsum("kuj,tj->tku", WK, h_in)
    v = torch.einsum("kij,tj->tki", WV, h_in)
    s = torch.einsum("tku,sku->kts", q, k)
"""
JOIN = '    return torch.einsum("kts,ski->tki", a, v).flatten(1)\n'
RNN = "def rnn_jacobian(h0, x, W, U, b):\n    h, J = h0, torch.eye(len(h0), dtype=h0.dtype)\n"
HEAD = "def column_attention_head(H, Q, K, V):\n    q, k, v = Q @ H, K @ H, V @ H\n"


@dataclass(frozen=True)
class Written:
    problem: str
    source: str  # the slip is in the line that ends with "# slip", if a line is to be found


FOUND = {
    "softmax over queries": Written("self_attention", SELF + QKV + "    a = s.softmax(1)  # slip\n" + JOIN),
    "softmax written out": Written(
        "self_attention",
        SELF + QKV + "    e = torch.exp(s - s.max())\n    a = e / e.sum(1, keepdim=True)  # slip\n" + JOIN,
    ),
    "the total on a line of its own": Written(
        "self_attention",
        SELF + QKV + "    e = torch.exp(s)\n    z = e.sum(1, keepdim=True)  # slip\n    a = e / z\n" + JOIN,
    ),
    "a factor too many": Written(
        "self_attention",
        SELF + QKV + "    s = s / math.sqrt(q.shape[-1])  # slip\n    a = s.softmax(-1)\n" + JOIN,
    ),
    "a loop over heads": Written(
        "self_attention",
        SELF
        + """    heads = []
    for i in range(len(WQ)):
        q, k, v = h_in @ WQ[i].T, h_in @ WK[i].T, h_in @ WV[i].T
        w = torch.softmax(q @ k.T, dim=0)  # slip
        heads.append(w @ v)
    return torch.cat(heads, dim=1)
""",
    ),
    "heads not side by side": Written(
        "self_attention",
        SELF
        + QKV
        + "    a = s.softmax(-1)\n    out = a @ v.transpose(0, 1)\n    return out.reshape(len(h_in), -1)  # slip\n",
    ),
    "the wrong neighbour": Written(
        "blank_language_model",
        "def blank_lm(e, W_fwd, W_bwd, h_fwd, h_bwd, t):\n    left = W_fwd @ h_fwd[t]  # slip\n"
        "    right = W_bwd @ h_bwd[t + 1]\n    return torch.softmax(e @ (left + right), 0)\n",
    ),
    "windows that fill a tensor": Written(
        "language_cnn",
        """def language_cnn_layer(L, W, B, sigma):
    D, count = len(W), (L.shape[1] - len(W)) // 2 + 1
    out = torch.zeros(len(L), count, W.shape[2], dtype=L.dtype)
    for t in range(count):
        window = L[:, t:t + D]  # slip
        z = torch.einsum("bdc,dci->bi", window, W)
        out[:, t] = sigma(z - B)
    return out
""",
    ),
    "heads in numpy, queries and keys exchanged": Written(
        "self_attention",
        SELF
        + """    x, heads = h_in.numpy(), []
    for wq, wk, wv in zip(WQ.numpy(), WK.numpy(), WV.numpy()):
        q, k, v = x @ wq.T, x @ wk.T, x @ wv.T
        s = k @ q.T  # slip
        w = np.exp(s - s.max(axis=1, keepdims=True))
        w = w / w.sum(axis=1, keepdims=True)
        heads.append(w @ v)
    return torch.from_numpy(np.ascontiguousarray(np.concatenate(heads, axis=1)))
""",
    ),
    "a helper for both directions": Written(
        "bidirectional_rnn",
        """def run(seq, W, U, b):
    h, out = torch.zeros_like(b), []
    for z in seq @ W.T + b:
        h = torch.sigmoid(z + U @ h)  # slip
        out.append(h)
    return torch.stack(out)

def birnn_forward(x, W_f, U_f, b_f, W_b, U_b, b_b):
    return run(x, W_f, U_f, b_f), run(x.flip(0), W_b, U_b, b_b).flip(0)
""",
    ),
    "a right tensor used for another": Written(
        "column_attention",
        HEAD + "    s = v.T @ q  # slip\n    a = torch.softmax(s, 0)\n    return v @ a\n",
    ),
    "a helper that gives every gradient turned": Written(
        "column_attention",
        """def linear(W, X, dY):
    return W.T @ dY, X @ dY.T  # slip

def column_attention_head_backward(H, Q, K, V, G):
    q, k, v = Q @ H, K @ H, V @ H
    A = torch.softmax(k.T @ q, dim=0)
    dA = v.T @ G
    dS = A * (dA - (A * dA).sum(dim=0, keepdim=True))
    by_q, dQ = linear(Q, H, k @ dS)
    by_k, dK = linear(K, H, q @ dS.T)
    by_v, dV = linear(V, H, G @ A.T)
    return by_q + by_k + by_v, dQ, dK, dV
""",
    ),
    "a sum without one of its terms, returned by its name": Written(
        "column_attention",
        """def column_attention_head_backward(H, Q, K, V, G):
    q, k, v = Q @ H, K @ H, V @ H
    A = torch.softmax(k.T @ q, dim=0)
    dA = v.T @ G
    dS = A * (dA - (A * dA).sum(dim=0, keepdim=True))
    dq, dk, dv = k @ dS, q @ dS.T, G @ A.T
    dH = Q.T @ dq + K.T @ dk  # slip
    return dH, dq @ H.T, dk @ H.T, dv @ H.T
""",
    ),
    "a recurrence": Written(
        "rnn_paths",
        RNN
        + """    for t in range(len(x)):
        h = torch.tanh(W @ h + U @ x[t] + b)
        J = torch.diag(1 - h) @ W @ J  # slip
    return J
""",
    ),
    "a statement on several lines": Written(
        "column_attention",
        HEAD + "    a = torch.softmax(  # slip\n        k.T @ q,\n        dim=1,\n    )\n    return v @ a\n",
    ),
    "the last step": Written(
        "column_attention", HEAD + "    a = torch.softmax(k.T @ q, 0)\n    return v @ a.T  # slip\n"
    ),
    "a sum where the reference sums otherwise": Written(
        "linear_attention",
        "def linear_attention(q, k, v):\n    s = q @ k.T\n    w = s / s.sum(0, keepdim=True)  # slip\n"
        "    return w @ v\n",
    ),
    "in a function that is called": Written(
        "self_attention",
        "def attend(q, k, v):\n    w = torch.softmax(q @ k.T, 0)  # slip\n    return w @ v\n\n"
        + SELF
        + "    heads = [attend(h_in @ a.T, h_in @ b.T, h_in @ c.T) for a, b, c in zip(WQ, WK, WV)]\n"
        "    return torch.cat(heads, 1)\n",
    ),
    "at one of two calls": Written(
        "blank_language_model",
        "def pick(W, h, t):\n    return W @ h[t]\n\n"
        "def blank_lm(e, W_fwd, W_bwd, h_fwd, h_bwd, t):\n    left = pick(W_fwd, h_fwd, t - 1)\n"
        "    right = pick(W_bwd, h_bwd, t)  # slip\n    return torch.softmax(e @ (left + right), 0)\n",
    ),
    "the first of two": Written(
        "dot_product_attention",
        "def dot_product_attention(q, keys, values):\n    s = keys @ q / len(q)  # slip\n"
        "    a = torch.softmax(s, 0)\n    return a, (a[:, None] * values).mean(0)\n",
    ),
    "the wrong thing returned": Written(
        "dot_product_attention",
        "def dot_product_attention(q, keys, values):\n    s = keys @ q\n    a = torch.softmax(s, 0)\n"
        "    return s, a @ values  # slip\n",
    ),
    "a right tensor in another's place": Written(
        "column_attention",
        HEAD + "    s = q.T @ k  # slip\n    a = torch.softmax(s, 0)\n    return v @ a\n",
    ),
    "the same head in every round": Written(
        "self_attention",
        SELF
        + """    heads = []
    for i in range(len(WQ)):
        a = torch.softmax((h_in @ WQ[i].T) @ (h_in @ WK[i].T).T, dim=1)
        v = h_in @ WV[0].T  # slip
        heads.append(a @ v)
    return torch.cat(heads, dim=1)
""",
    ),
    "a neighbour that is picked on its own line": Written(
        "blank_language_model",
        "def blank_lm(e, W_fwd, W_bwd, h_fwd, h_bwd, t):\n    left = h_fwd[t]  # slip\n"
        "    right = h_bwd[t + 1]\n    return torch.softmax(e @ (W_fwd @ left + W_bwd @ right), 0)\n",
    ),
    "an argument turned round": Written(
        "convolution_models",
        """def sequence_convolution(x, W, b):
    weight = W.flip(0).permute(2, 1, 0)  # slip
    y = torch.nn.functional.conv1d(x.T[None], weight, padding=len(W) // 2)
    return y[0].T + b
""",
    ),
    "a bias that the reference begins with": Written(
        "convolution_models",
        """def sequence_convolution(x, W, b):
    y = torch.nn.functional.conv1d(x.T[None], W.permute(2, 1, 0), padding=len(W) // 2)
    y = y[0].T
    return y - b  # slip
""",
    ),
    "weights that are turned where they are used": Written(
        "column_attention",
        """def column_attention_head(H, Q, K, V):
    X = H.T
    weights = torch.softmax((X @ Q.T) @ (X @ K.T).T, dim=1)
    out = weights.T @ (X @ V.T)  # slip
    return out.T
""",
    ),
    "one result for two": Written(
        "column_attention",
        """def column_attention_head_backward(H, Q, K, V, G):
    q, k, v = Q @ H, K @ H, V @ H
    A = torch.softmax(k.T @ q, dim=0)
    dA = v.T @ G
    dS = A * (dA - (A * dA).sum(0))
    dq = k @ dS
    dk = q @ dS.T
    dv = G @ A.T
    dH = Q.T @ dq + K.T @ dk + V.T @ dv
    dQ = dq @ H.T
    dK = dq @ H.T  # slip
    return dH, dQ, dK, dv @ H.T
""",
    ),
    "a step that two lines miss": Written(
        "column_attention",
        """def column_attention_head_backward(H, Q, K, V, G):
    q, k, v = Q @ H, K @ H, V @ H
    A = torch.softmax(k.T @ q, dim=0)
    dS = A * (v.T @ G)  # slip
    dq = k @ dS
    dk = q @ dS.T
    dv = G @ A.T
    dH = Q.T @ dq + K.T @ dk + V.T @ dv
    return dH, dq @ H.T, dk @ H.T, dv @ H.T
""",
    ),
    "a result that lacks a step, returned by its name": Written(
        "dot_product_attention",
        """def dot_product_attention(q, keys, values):
    alpha = torch.softmax(keys @ q, 0)
    for n in range(len(values)):
        context = alpha[n] * values[n]  # slip
    return alpha, context
""",
    ),
    "beside numpy": Written(
        "dot_product_attention",
        """def dot_product_attention(q, keys, values):
    e = np.exp(keys.numpy() @ q.numpy())
    alpha = torch.from_numpy(e / e.sum())
    context = (alpha[:, None] * values).mean(0)  # slip
    return alpha, context
""",
    ),
    "padding on one side": Written(
        "convolution_models",
        """def sequence_convolution(x, W, b):
    T, D = len(x), len(W)
    padded = torch.cat([torch.zeros(D - 1, x.shape[1], dtype=x.dtype), x])  # slip
    out = b.expand(T, -1).clone()
    for d in range(D):
        out = out + padded[d:d + T] @ W[d]
    return out
""",
    ),
    "a softmax over one of two axes": Written(
        "spatial_attention",
        """def spatial_self_attention(h_in, WQ, WK, WV):
    q = torch.einsum("kuj,xyj->kxyu", WQ, h_in)
    k = torch.einsum("kuj,xyj->kxyu", WK, h_in)
    s = torch.einsum("kxyu,kabu->kxyab", q, k)
    a = torch.softmax(s, dim=-2)  # slip
    return torch.einsum("kxyab,abj,kij->xyki", a, h_in, WV).flatten(2)
""",
    ),
    "in a function that is called twice, right in its first round": Written(
        "bidirectional_rnn",
        """def run(x, W, U, b):
    h, out = torch.zeros(b.shape, dtype=x.dtype), []
    for row in x:
        h = torch.tanh(W @ row + U.T @ h + b)  # slip
        out.append(h)
    return torch.stack(out)

def birnn_forward(x, W_f, U_f, b_f, W_b, U_b, b_b):
    forward = run(x, W_f, U_f, b_f)
    return forward, run(x.flip(0), W_b, U_b, b_b).flip(0)
""",
    ),
    "a mask of the shape of the scores": Written(
        "self_attention",
        SELF
        + QKV
        + """    mask = torch.triu(torch.ones_like(s[0]), 1).bool()
    s = s.masked_fill(mask, -math.inf)  # slip
    a = s.softmax(-1)
"""
        + JOIN,
    ),
    "in numpy": Written(
        "dot_product_attention",
        """def dot_product_attention(q, keys, values):
    s = np.dot(keys.numpy(), q.numpy())
    w = np.exp(s - s.max())
    w /= np.linalg.norm(w)  # slip
    return torch.tensor(w), torch.from_numpy(w @ values.numpy())
""",
    ),
    "through numpy and back": Written(
        "dot_product_attention",
        """def dot_product_attention(q, keys, values):
    e = np.exp(keys.numpy() @ q.numpy())
    alpha = torch.from_numpy(e / e.sum() ** 2)  # slip
    return alpha, alpha @ values
""",
    ),
    "an argument spoilt in numpy": Written(
        "linear_attention",
        """def linear_attention(q, k, v):
    q, k, v = (each.detach().numpy() for each in (q, k, v))
    k = k / k.sum(axis=1, keepdims=True)  # slip
    return torch.from_numpy(q.dot(k.T.dot(v)) / q.dot(k.sum(axis=0))[:, None])
""",
    ),
    "on from a right result, in two lines": Written(
        "language_cnn",
        """def language_cnn_embed(e, w):
    found = e[w]
    size = found.norm(dim=-1, keepdim=True)  # slip
    return found / size
""",
    ),
    "weights of single numbers, without the exponential": Written(
        "orthogonal_attention",
        """def orthogonal_self_attention(a, b, c, d):
    xs = [d + b, a, c + d]
    ys = []
    for x in xs:
        s = [x @ other for other in xs]
        total = s[0] + s[1] + s[2]
        w = [each / total for each in s]  # slip
        ys.append(w[0] * xs[0] + w[1] * xs[1] + w[2] * xs[2])
    return torch.stack([x.norm() for x in xs]), torch.stack(ys)
""",
    ),
    "a result turned before its last step": Written(
        "merged_query_key",
        """def merged_key_query(WQ, WK):
    product = torch.einsum("kia,kib->kba", WQ, WK)  # slip
    return product / WQ.shape[1] ** 0.5
""",
    ),
}

SILENT = {
    "another algorithm": Written(
        "linear_attention",
        "def linear_attention(q, k, v):\n    s = torch.cdist(q, k)\n    w = s / s.sum(0, keepdim=True)\n"
        "    return w @ v\n",
    ),
    "through numbers of Python": Written(
        "dot_product_attention",
        """def dot_product_attention(q, keys, values):
    e = [math.exp(s) for s in (keys @ q).tolist()]
    alpha = torch.tensor([each / sum(e) ** 2 for each in e])
    return alpha, alpha @ values
""",
    ),
    "pieces joined in the other order, which the reference never joins": Written(
        "blank_language_model",
        """def blank_lm(e, W_fwd, W_bwd, h_fwd, h_bwd, t):
    W = torch.cat([W_bwd, W_fwd], dim=1)
    h = torch.cat([h_fwd[t - 1], h_bwd[t + 1]])
    return torch.softmax(e @ (W @ h), 0)
""",
    ),
    "two tensors exchanged where a function is called, or in it": Written(
        "multihead_feedforward",
        """def attend(H, q, k, v):
    scores = torch.einsum("dn,dm->nm", k @ H, q @ H)
    return v @ H @ scores.softmax(0)

def multihead_ff(H, Q, K, V, W_ff, b_ff):
    stacked = torch.vstack([attend(H, K[i], Q[i], V[i]) for i in range(len(Q))])
    return torch.sigmoid(W_ff @ stacked + b_ff[:, None])
""",
    ),
    "a step that is missing in one of two lines, the first of which goes into the second": Written(
        "dot_product_attention",
        """def dot_product_attention(q, keys, values):
    s = torch.stack([q @ k for k in keys])
    total = s.sum()
    alpha = s / total
    return alpha, alpha @ values
""",
    ),
    "an answer of zeros": Written(
        "column_attention", "def column_attention_head(H, Q, K, V):\n    return torch.zeros_like(V @ H)\n"
    ),
}


def departure(course, written: Written, way=None) -> Departure | None:
    """What is said of a wrong function, on the first case that all may see."""
    problem = course.problems[written.problem]
    name = next(part.name for part in problem.parts if f"def {part.name}(" in written.source)
    part, reference = problem.part(name), course.solutions[written.problem].answers[name]
    call = plan_case(problem, part, next(case for case in part.cases if not case.hidden), "", "")
    names = {"torch": torch, "np": np, "math": math}
    exec(compile(written.source, "<cell 1>", "exec"), names)
    got = call_trusted(names[name], call, as_given)
    assert not got.raised
    arguments = [revive(argument) for argument in call.arguments]
    notes = take_notes(names[name], arguments, Noting(lambda file: file == "<cell 1>"))
    outputs = [output.double().numpy() for output in got.outputs]
    right = note_reference(way or reference, call)
    assert right is not None
    return find_departure(notes, right, outputs, read_layout(written.source, name))


@pytest.mark.parametrize("name", FOUND)
def test_the_line_with_the_slip_is_found(real, name):
    lines = FOUND[name].source.split("\n")
    slip = next(n for n, line in enumerate(lines, start=1) if line.endswith("# slip"))
    found = departure(real, FOUND[name])
    assert found is not None
    assert found.line == slip


@pytest.mark.parametrize("name", SILENT)
def test_nothing_is_said_where_the_line_is_not_known(real, name):
    assert departure(real, SILENT[name]) is None


def spread(h0, x, W, U, b):
    P = torch.diag(b**2)
    for _ in x:
        P = W @ P @ W.T + torch.diag(h0**2)
        P = P - 0.1 * P @ P
    return P


def test_nothing_is_said_where_a_round_is_left_unfinished(real):
    unfinished = """def rnn_jacobian(h0, x, W, U, b):
    P = torch.diag(b**2)
    for _ in x:
        P = W @ P @ W.T + torch.diag(h0**2)
    return P
"""
    assert departure(real, Written("rnn_paths", unfinished), spread) is None


def test_a_slip_on_another_right_way_is_found_by_a_further_reference(real):
    source = (
        RNN
        + """    slopes = []
    for t in range(len(x)):
        h = torch.tanh(W @ h + U @ x[t] + b)
        slopes.append(1 - h**2)
    for slope in reversed(slopes):
        J = J @ (W * slope)  # slip
    return J
"""
    )
    way = real.solutions["rnn_paths"].further[0].function
    found = departure(real, Written("rnn_paths", source), way)
    assert found is not None
    assert found.line == 8


def test_the_last_right_line_is_one_that_the_slip_builds_on(real):
    assert departure(real, FOUND["softmax over queries"]) == Departure(line=6, after=5)


def test_a_line_that_repeats_another_is_named_with_it(real):
    source = SELF + QKV.replace("WK", "WQ") + "    a = s.softmax(-1)\n" + JOIN
    assert departure(real, Written("self_attention", source)) == Departure(line=3, twin=2)


def test_the_round_in_which_the_states_of_a_recurrence_part_is_known(real):
    found = departure(real, FOUND["a recurrence"])
    assert found is not None
    assert (len(found.beside), found.parting) == (3, 0)


def test_what_sums_to_one_is_compared_and_axes_are_named():
    rows = np.array([[0.25, 0.75], [0.5, 0.5], [1.0, 0.0]])
    assert compare_sums(rows.T, rows.T) == ""
    assert compare_sums(rows / rows.sum(0), rows) == "its columns sum to 1; in a right solution, the rows do"
    assert compare_sums(2 * rows, rows) == "its rows should sum to 1, and do not"
    assert name_axes((2, 5, 5), {"K": 2, "T": 5, "J": 3}) == "K × T × T"
    assert name_axes((2, 5), {"K": 2, "T": 5, "J": 5}) == ""


def test_axes_may_be_reordered_joined_and_split_but_not_scrambled():
    x = np.random.default_rng(0).standard_normal((2, 3, 4))
    assert same(x.transpose(2, 0, 1), x)
    assert same(x.transpose(1, 0, 2).reshape(3, 8), x)
    assert same(x, x.transpose(1, 0, 2).reshape(3, 8))
    assert same(x[:, None], x)
    assert not same(x.reshape(3, 2, 4), x)
    assert not same(x.reshape(4, 6), x)
    assert not same(x + 1e-2, x)
    assert list(arrangements(x, (5, 5))) == []


def test_a_constant_factor_is_measured_with_its_sign():
    x = np.random.default_rng(0).standard_normal((2, 3))
    assert factor(-2 * x.T, x) == pytest.approx(-2)
    assert factor(x + 1, x) is None


def test_a_line_is_read_from_the_first_that_is_not_blank():
    source = from_first_line("\n  \n\nx = f(\n    1,\n)  # one\ny = 2  # two")
    assert statements(source) == {1: 1, 2: 1, 3: 1, 4: 4}
    assert read_line(source, 4) == "y = 2"
    assert statements("x = (") == {}


@pytest.mark.parametrize(
    "result",
    ['    return torch.einsum("kts,ski->tik", a, v).flatten(1)\n', "    return a\n"],
    ids=["the result in another order", "a tensor on the way"],
)
def test_right_numbers_in_the_wrong_place_are_told_as_such(real, result):
    source = SELF + QKV + "    a = s.softmax(-1)\n" + result
    found = departure(real, Written("self_attention", source))
    assert found is not None
    says = say_departure(found, source)
    assert says.endswith(", gives numbers that a right solution has as well, but not as the result asked for")
