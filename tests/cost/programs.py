"""Programs of the course's subjects in several styles, and a part that asks for one of them."""

from __future__ import annotations

import torch
import torch.nn.functional as F

from autograder.cost.grading import count_on_grid
from autograder.cost.measured_function import bounded
from autograder.cost.trace.count_a_call import count, read_count
from autograder.course.cases import case, positive
from autograder.course.model import Code


def count_trusted(function, part):
    """The counts of code that is trusted, in the form in which a student's come back."""
    subject = bounded(part)
    return count_on_grid(
        part, lambda grid, most: [read_count(count(function, subject.made(sizes), most)) for sizes in grid]
    )


def self_attention(h, WQ, WK, WV):
    """h[T, J]  WQ[K, U, J]  WK[K, U, J]  WV[K, I, J]   returns [T, K*I]"""
    query, keys, value = (torch.einsum("kaj,tj->kta", W, h) for W in (WQ, WK, WV))
    alpha = torch.softmax(query @ keys.mT, dim=-1)
    return (alpha @ value).transpose(0, 1).flatten(1)


def attention_by_heads(h, WQ, WK, WV):
    """h[T, J]  WQ[K, U, J]  WK[K, U, J]  WV[K, I, J]   returns [T, K*I]"""
    heads = []
    for q, k, v in zip(WQ, WK, WV, strict=True):
        alpha = torch.softmax((h @ q.T) @ (h @ k.T).T, dim=-1)
        heads.append(alpha @ (h @ v.T))
    return torch.cat(heads, dim=1)


def spatial_attention(h, WQ, WK, WV):
    """h[X, Y, J]  WQ[K, U, J]  WK[K, U, J]  WV[K, I, J]   returns [X, Y, K*I]"""
    return self_attention(h.flatten(0, 1), WQ, WK, WV).unflatten(0, h.shape[:2])


def softmax_of_scores(query, keys):
    """query[U]  keys[T, U]   returns [T]"""
    return torch.softmax(keys @ query, dim=0)


def standard_attention(q, k, v):
    """q[T, d]  k[T, d]  v[T, d]   returns [T, d]"""
    return torch.softmax(q @ k.T, dim=1) @ v


def cnn(x, W, B):
    """x[b, C, T]  W[L, C, C, D]  B[L, C]   returns [b, C, T]"""
    for weight, bias in zip(W, B, strict=True):
        x = torch.relu(F.conv1d(x, weight, -bias, stride=2, padding=weight.shape[-1] // 2))
    return x


def rnn(x, W, U):
    """x[T, J]  W[J, J]  U[J, J]   returns [J]"""
    state = torch.zeros(len(W))
    for word in x:
        state = torch.tanh(W @ word + U @ state)
    return state


def deep_rnn(x, W, U):
    """x[T, J]  W[L, J, J]  U[L, J, J]   returns [J]"""
    states = [torch.zeros(x.shape[1]) for _ in W]
    below = x[0]
    for word in x:
        below = word
        for layer, (w, u) in enumerate(zip(W, U, strict=True)):
            states[layer] = below = torch.tanh(w @ below + u @ states[layer])
    return below


def linear_attention(q, k, v):
    """q[T, d]  k[T, d]  v[T, dv]   returns [T, dv]"""
    return (q @ (k.T @ v)) / (q @ k.sum(0)).unsqueeze(1)


def by_einsum(q, k, v):
    state = torch.einsum("sd,se->de", k, v)
    return torch.einsum("td,de->te", q, state) / torch.einsum("td,sd->t", q, k.sum(0, keepdim=True))[:, None]


def by_outer_products(q, k, v):
    state = (k.unsqueeze(2) * v.unsqueeze(1)).sum(0)
    return (q.unsqueeze(2) * state).sum(1) / (q * k.sum(0)).sum(1, keepdim=True)


def by_ones_column(q, k, v):
    extended = q @ (k.T @ torch.cat([v, torch.ones(len(v), 1)], dim=1))
    return extended[:, :-1] / extended[:, -1:]


def by_loops(q, k, v):
    state, total = torch.zeros(k.shape[1], v.shape[1]), torch.zeros(k.shape[1])
    for key, value in zip(k, v, strict=True):
        state = state + torch.outer(key, value)
        total = total + key
    return torch.stack([query @ state / (query @ total) for query in q])


def by_loops_in_place(q, k, v):
    state, total = torch.zeros(k.shape[1], v.shape[1]), torch.zeros(k.shape[1])
    for t in range(len(k)):
        state += k[t][:, None] * v[t][None, :]
        total += k[t]
    out = torch.empty_like(v)
    for t in range(len(q)):
        out[t] = q[t] @ state / torch.dot(q[t], total).item()
    return out


def by_rows_of_batches(q, k, v):
    state = torch.bmm(k.unsqueeze(2), v.unsqueeze(1)).sum(0)
    return torch.baddbmm(torch.zeros(1, 1, 1), q[None], state[None])[0] / (q @ k.sum(0)).unsqueeze(1)


def by_index_copy(q, k, v):
    state, total = k.T @ v, k.sum(0)
    out = torch.zeros_like(v)
    for t in range(len(q)):
        out.index_copy_(0, torch.tensor([t]), (q[t] @ state / (q[t] @ total)).unsqueeze(0))
    return out


LINEAR = (
    linear_attention,
    by_einsum,
    by_outer_products,
    by_ones_column,
    by_loops,
    by_loops_in_place,
    by_rows_of_batches,
    by_index_copy,
)


def table_first(q, k, v):
    weights = q @ k.T
    return weights @ v / weights.sum(1, keepdim=True)


def einsum_in_one(q, k, v):
    return torch.einsum("td,sd,se->te", q, k, v) / (q @ k.sum(0)).unsqueeze(1)


def einsum_scores(q, k, v):
    scores = torch.einsum("td,sd->ts", q, k)
    return torch.einsum("ts,se->te", scores / scores.sum(1, keepdim=True), v)


def rows_of_scores(q, k, v):
    return torch.stack([(k @ query) @ v / (k @ query).sum() for query in q])


def state_again_for_every_row(q, k, v):
    return torch.stack([query @ (k.T @ v) / (query @ k.sum(0)) for query in q])


def blocks_of_rows(q, k, v):
    parts = []
    for block in q.split(2):
        scores = block @ k.T
        parts.append(scores @ v / scores.sum(1, keepdim=True))
    return torch.cat(parts)


def pairs_in_loops(q, k, v):
    rows = []
    for query in q:
        top, bottom = torch.zeros(v.shape[1]), torch.zeros(())
        for key, value in zip(k, v, strict=True):
            weight = query @ key
            top, bottom = top + weight * value, bottom + weight
        rows.append(top / bottom)
    return torch.stack(rows)


def table_of_copies(q, k, v):
    total = k.sum(0).expand(len(q), len(k), -1).contiguous()[:, 0]
    return (q @ (k.T @ v)) / (q * total).sum(1, keepdim=True)


def table_filled_by_index(q, k, v):
    total = torch.empty(len(q), len(k))
    total[torch.arange(len(q))] = k[:, 0]
    return (q @ (k.T @ v)) / (q[:, 0] * total.sum(1) + q[:, 1:] @ k[:, 1:].sum(0)).unsqueeze(1)


QUADRATIC = (
    table_first,
    einsum_in_one,
    einsum_scores,
    rows_of_scores,
    state_again_for_every_row,
    blocks_of_rows,
    pairs_in_loops,
    table_of_copies,
    table_filled_by_index,
)

PART = Code(
    linear_attention,
    points=6,
    cases=[case("five positions", T=5, d=3, dv=4)],
    draws={"q": positive(), "k": positive()},
    work="T d dv",
    memory="T d + T dv + d dv",
    large={"T": 1 << 17, "d": 16, "dv": 16},
)
