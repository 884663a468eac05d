"""Heads and a feed-forward layer, answered, with the mistakes that must be caught."""

import math

import torch

from autograder import mistake, slips_of

layer_equation = "H_l = FF(sum_h delta_h (x) H_{l,h})"


def multihead_ff(H, Q, K, V, W_ff, b_ff):
    scores = (K @ H).mT @ (Q @ H)  # [h, N, N]: a row for each key, a column for each query
    heads = V @ H @ torch.softmax(scores, dim=1)
    stack = heads.flatten(0, 1)  # [h·D, N]: head 1 on top
    return torch.sigmoid(W_ff @ stack + b_ff[:, None])


def multihead_ff_backward(H, Q, K, V, W_ff, b_ff, G):
    q, k, v = Q @ H, K @ H, V @ H
    A = torch.softmax(k.mT @ q, dim=1)
    stack = (v @ A).flatten(0, 1)
    Y = torch.sigmoid(W_ff @ stack + b_ff[:, None])
    # Back through the sigmoid layer.
    dZ = G * Y * (1 - Y)
    dW_ff, db_ff = dZ @ stack.T, dZ.sum(dim=1)
    dheads = (W_ff.T @ dZ).unflatten(0, Q.shape[:2])
    # Back through every head: its output is v A, its scores are kᵀ q.
    dv = dheads @ A.mT
    dA = v.mT @ dheads
    dS = A * (dA - (A * dA).sum(dim=1, keepdim=True))
    dq = k @ dS
    dk = q @ dS.mT
    dH = (Q.mT @ dq + K.mT @ dk + V.mT @ dv).sum(dim=0)
    return dH, dq @ H.T, dk @ H.T, dv @ H.T, dW_ff, db_ff


# ---------------------------------------------------------------- mistakes of the level

LEVEL = "multihead_ff"


def _scores(H, Q, K):
    return (K @ H).mT @ (Q @ H)


def _heads(H, Q, K, V):
    return V @ H @ torch.softmax(_scores(H, Q, K), dim=1)


def _weighted(H, V, A, W_ff, b_ff):
    """The level with other attention weights."""
    return _feed(V @ H @ A, W_ff, b_ff)


def _feed(heads, W_ff, b_ff):
    return torch.sigmoid(_affine(heads, W_ff, b_ff))


def _affine(heads, W_ff, b_ff):
    return W_ff @ heads.flatten(0, 1) + b_ff[:, None]


@mistake(
    LEVEL, "the bias runs along the items: entry d belongs to row d, the same for every item: b_ff[:, None]"
)
def bias_broadcast_wrong_axis(H, Q, K, V, W_ff, b_ff):
    return torch.sigmoid(W_ff @ _heads(H, Q, K, V).flatten(0, 1) + b_ff)


@mistake(LEVEL, "the bias is subtracted: this layer adds it")
def bias_subtracted(H, Q, K, V, W_ff, b_ff):
    return _feed(_heads(H, Q, K, V), W_ff, -b_ff)


@mistake(LEVEL, "the bias is added after the sigmoid: it belongs inside, σ(W_ff C + b_ff)")
def bias_outside_activation(H, Q, K, V, W_ff, b_ff):
    return torch.sigmoid(W_ff @ _heads(H, Q, K, V).flatten(0, 1)) + b_ff[:, None]


@mistake(LEVEL, "the bias is added to each head's output: it belongs after the product with W_ff")
def bias_added_to_heads(H, Q, K, V, W_ff, b_ff):
    return torch.sigmoid(W_ff @ (_heads(H, Q, K, V) + b_ff[:, None]).flatten(0, 1))


def _with_activation(function, name):
    def answer(H, Q, K, V, W_ff, b_ff):
        return function(_affine(_heads(H, Q, K, V), W_ff, b_ff))

    return mistake(LEVEL, f"the last layer uses {name}: this one is a sigmoid", f"wrong_activation_{name}")(
        answer
    )


wrong_activation = [
    _with_activation(torch.relu, "relu"),
    _with_activation(torch.tanh, "tanh"),
    _with_activation(torch.nn.functional.gelu, "gelu"),
    _with_activation(torch.nn.functional.silu, "silu"),
    _with_activation(torch.nn.functional.softplus, "softplus"),
    _with_activation(lambda z: torch.softmax(z, dim=0), "softmax"),
]


@mistake(LEVEL, "the sigmoid is applied to the heads, before W_ff: it comes last")
def activation_before_weights(H, Q, K, V, W_ff, b_ff):
    return _affine(torch.sigmoid(_heads(H, Q, K, V)), W_ff, b_ff)


@mistake(LEVEL, "the sigmoid is applied twice, to the heads and at the end: only the end has one")
def activation_twice(H, Q, K, V, W_ff, b_ff):
    return _feed(torch.sigmoid(_heads(H, Q, K, V)), W_ff, b_ff)


@mistake(LEVEL, "you divided the scores by √D: these heads have no scaling")
def adds_sqrt_scaling(H, Q, K, V, W_ff, b_ff):
    return _weighted(H, V, torch.softmax(_scores(H, Q, K) / math.sqrt(len(H)), dim=1), W_ff, b_ff)


@mistake(
    LEVEL,
    "you divided the scores by √(D/h): these heads have no scaling, and each works with all D dimensions",
)
def scales_by_head_share(H, Q, K, V, W_ff, b_ff):
    scale = math.sqrt(len(Q) / len(H))
    return _weighted(H, V, torch.softmax(_scores(H, Q, K) * scale, dim=1), W_ff, b_ff)


@mistake(LEVEL, "you divided the scores by √(h·D): these heads have no scaling")
def scales_by_model_dim(H, Q, K, V, W_ff, b_ff):
    scale = math.sqrt(len(Q) * len(H))
    return _weighted(H, V, torch.softmax(_scores(H, Q, K) / scale, dim=1), W_ff, b_ff)


@mistake(LEVEL, "you multiplied the scores by √D: these heads have no scaling")
def scale_inverted(H, Q, K, V, W_ff, b_ff):
    return _weighted(H, V, torch.softmax(_scores(H, Q, K) * math.sqrt(len(H)), dim=1), W_ff, b_ff)


@mistake(LEVEL, "the softmax is missing: the scores themselves were used as weights")
def missing_softmax(H, Q, K, V, W_ff, b_ff):
    return _weighted(H, V, _scores(H, Q, K), W_ff, b_ff)


@mistake(
    LEVEL,
    "query and key are swapped: column j of the scores should hold query j against every key, (K H)ᵀ Q H",
)
def query_key_swapped(H, Q, K, V, W_ff, b_ff):
    return multihead_ff(H, K, Q, V, W_ff, b_ff)


@mistake(
    LEVEL,
    "the attention weights are transposed when they average the values: a head's output is V H A, not V H Aᵀ",
)
def attention_transposed(H, Q, K, V, W_ff, b_ff):
    return _weighted(H, V, torch.softmax(_scores(H, Q, K), dim=1).mT, W_ff, b_ff)


@mistake(LEVEL, "the transpose of K got lost: (K H)ᵀ is Hᵀ Kᵀ, so the scores are Hᵀ Kᵀ Q H, not Hᵀ K Q H")
def key_matrix_not_transposed(H, Q, K, V, W_ff, b_ff):
    return _weighted(H, V, torch.softmax(H.T @ K @ Q @ H, dim=1), W_ff, b_ff)


@mistake(LEVEL, "the matrices are transposed: the query is Q H, not Qᵀ H, and likewise for K and V")
def weights_transposed(H, Q, K, V, W_ff, b_ff):
    return multihead_ff(H, Q.mT, K.mT, V.mT, W_ff, b_ff)


@mistake(LEVEL, "W_ff is transposed: the layer is W_ff C, with W_ff of shape D × h·D")
def feedforward_transposed(H, Q, K, V, W_ff, b_ff):
    return multihead_ff(H, Q, K, V, W_ff.T, b_ff)


@mistake(LEVEL, "the keys are averaged: the weights belong to the values V H")
def keys_used_as_values(H, Q, K, V, W_ff, b_ff):
    return multihead_ff(H, Q, K, K, W_ff, b_ff)


@mistake(LEVEL, "V is not used: the weights average the values V H, not the items themselves")
def value_matrix_missing(H, Q, K, V, W_ff, b_ff):
    return _feed(H @ torch.softmax(_scores(H, Q, K), dim=1), W_ff, b_ff)


@mistake(
    LEVEL,
    "the heads are interleaved, dimension by dimension: stack whole heads, head k in rows k·D to k·D + D − 1",
)
def heads_interleaved(H, Q, K, V, W_ff, b_ff):
    return torch.sigmoid(W_ff @ _heads(H, Q, K, V).transpose(0, 1).flatten(0, 1) + b_ff[:, None])


@mistake(LEVEL, "heads and items are mixed up in the reshape: from [h, D, N], flatten the first two axes")
def reshape_scrambles(H, Q, K, V, W_ff, b_ff):
    heads = _heads(H, Q, K, V)
    return torch.sigmoid(W_ff @ heads.reshape(H.shape[1], -1).T + b_ff[:, None])


@mistake(
    LEVEL,
    "heads and items are mixed up in the reshape: after moving the items in front, transpose back before W_ff",
)
def items_first_then_reshaped(H, Q, K, V, W_ff, b_ff):
    heads = _heads(H, Q, K, V)
    return torch.sigmoid(W_ff @ heads.permute(2, 0, 1).reshape(-1, H.shape[1]) + b_ff[:, None])


@mistake(LEVEL, "the heads are stacked in the opposite order: head 1 is on top")
def heads_reversed(H, Q, K, V, W_ff, b_ff):
    return _feed(_heads(H, Q, K, V).flip(0), W_ff, b_ff)


@mistake(LEVEL, "the heads are added up: each should meet its own D columns of W_ff, so stack them")
def heads_summed(H, Q, K, V, W_ff, b_ff):
    heads = _heads(H, Q, K, V)
    return torch.sigmoid(W_ff[:, : len(H)] @ heads.sum(0) + b_ff[:, None])


@mistake(LEVEL, "the heads are averaged: each should meet its own D columns of W_ff, so stack them")
def heads_averaged(H, Q, K, V, W_ff, b_ff):
    heads = _heads(H, Q, K, V)
    return _feed(heads.mean(0, keepdim=True).expand_as(heads), W_ff, b_ff)


@mistake(LEVEL, "the heads are averaged and meet the first D columns of W_ff only: stack them")
def heads_averaged_on_one_block(H, Q, K, V, W_ff, b_ff):
    return torch.sigmoid(W_ff[:, : len(H)] @ _heads(H, Q, K, V).mean(0) + b_ff[:, None])


@mistake(
    LEVEL,
    "each head has a sigmoid of its own before they are added up: the sigmoid comes last, over all heads",
)
def activation_per_head(H, Q, K, V, W_ff, b_ff):
    blocks = W_ff.unflatten(1, Q.shape[:2]).transpose(0, 1)  # [h, D, D]
    return torch.sigmoid(blocks @ _heads(H, Q, K, V) + b_ff[:, None]).sum(0)


@mistake(LEVEL, "the sum of all heads stands in for each of them: stack the heads themselves")
def sum_repeated(H, Q, K, V, W_ff, b_ff):
    heads = _heads(H, Q, K, V)
    return _feed(heads.sum(0, keepdim=True).expand_as(heads), W_ff, b_ff)


@mistake(
    LEVEL, "every head uses the first head's attention weights: each compares with its own queries and keys"
)
def one_attention_for_all_heads(H, Q, K, V, W_ff, b_ff):
    return _weighted(H, V, torch.softmax(_scores(H, Q[:1], K[:1]), dim=1), W_ff, b_ff)


@mistake(LEVEL, "only the first head is used: stack all h heads")
def first_head_only(H, Q, K, V, W_ff, b_ff):
    return torch.sigmoid(W_ff[:, : len(H)] @ _heads(H, Q, K, V)[0] + b_ff[:, None])


@mistake(LEVEL, "the last head is left out: stack all h heads")
def last_head_missing(H, Q, K, V, W_ff, b_ff):
    heads = _heads(H, Q, K, V)
    return _feed(torch.cat([heads[:-1], torch.zeros_like(heads[-1:])]), W_ff, b_ff)


@mistake(LEVEL, "the heads follow one another, each working on the previous one's output: all work on H")
def heads_chained(H, Q, K, V, W_ff, b_ff):
    outputs, X = [], H
    for head in zip(Q, K, V, strict=True):
        X = _heads(X, *(matrix[None] for matrix in head))[0]
        outputs.append(X)
    return _feed(torch.stack(outputs), W_ff, b_ff)


@mistake(LEVEL, "the input is added inside the sigmoid: this level has no residual connection")
def adds_residual_inside(H, Q, K, V, W_ff, b_ff):
    return torch.sigmoid(H + _affine(_heads(H, Q, K, V), W_ff, b_ff))


@mistake(LEVEL, "the input is added to each head's output: this level has no residual connection")
def adds_residual_to_heads(H, Q, K, V, W_ff, b_ff):
    return _feed(H + _heads(H, Q, K, V), W_ff, b_ff)


# ---------------------------------------------------------------- mistakes of the gradients

BACKWARD = "multihead_ff_backward"


def _forward(H, Q, K, V, W_ff, b_ff):
    """Queries, keys, values, weights, the stack and the layer's value before the sigmoid."""
    q, k, v = Q @ H, K @ H, V @ H
    A = torch.softmax(k.mT @ q, dim=1)
    stack = (v @ A).flatten(0, 1)
    return q, k, v, A, stack, W_ff @ stack + b_ff[:, None]


def _through_softmax(A, dA):
    return A * (dA - (A * dA).sum(dim=1, keepdim=True))


def _sigmoid_slope(Z):
    return torch.sigmoid(Z) * (1 - torch.sigmoid(Z))


def _backward(H, Q, K, V, W_ff, b_ff, G, slope=_sigmoid_slope, softmax=_through_softmax):
    """The gradients by queries, keys, values, W_ff and b_ff, with two rules to replace."""
    q, k, v, A, stack, Z = _forward(H, Q, K, V, W_ff, b_ff)
    dZ = G * slope(Z)
    dheads = (W_ff.T @ dZ).unflatten(0, Q.shape[:2])
    dS = softmax(A, v.mT @ dheads)
    return k @ dS, q @ dS.mT, dheads @ A.mT, dZ @ stack.T, dZ.sum(dim=1)


def _head_gradient(H, Q, K, V, W_ff, b_ff, G):
    dZ = G * _sigmoid_slope(_forward(H, Q, K, V, W_ff, b_ff)[-1])
    return (W_ff.T @ dZ).unflatten(0, Q.shape[:2])


def _score_gradient(H, Q, K, V, W_ff, b_ff, G):
    _, _, v, A, _, _ = _forward(H, Q, K, V, W_ff, b_ff)
    return _through_softmax(A, v.mT @ _head_gradient(H, Q, K, V, W_ff, b_ff, G))


def _collect(H, Q, K, V, dq, dk, dv, dW_ff, db_ff):
    dH = (Q.mT @ dq + K.mT @ dk + V.mT @ dv).sum(dim=0)
    return dH, dq @ H.T, dk @ H.T, dv @ H.T, dW_ff, db_ff


def _backward_of(wrong):
    """The right gradients of a wrong level."""

    def answer(H, Q, K, V, W_ff, b_ff, G):
        leaves = [x.detach().clone().requires_grad_(True) for x in (H, Q, K, V, W_ff, b_ff)]
        return torch.autograd.grad(wrong.answer(*leaves), leaves, G, materialize_grads=True)

    return mistake(BACKWARD, f"these are the gradients of another level: {wrong.says}", wrong.id)(answer)


of_another_level = [
    _backward_of(wrong)
    for wrong in (
        bias_broadcast_wrong_axis,
        wrong_activation[1],  # relu and no activation at all are told by their slopes, below
        bias_subtracted,
        activation_twice,
        adds_sqrt_scaling,
        scale_inverted,
        scales_by_model_dim,
        missing_softmax,
        query_key_swapped,
        attention_transposed,
        weights_transposed,
        key_matrix_not_transposed,
        keys_used_as_values,
        value_matrix_missing,
        heads_interleaved,
        heads_reversed,
        one_attention_for_all_heads,
    )
]


def _with_slope(name, slope, says):
    def answer(H, Q, K, V, W_ff, b_ff, G):
        return _collect(H, Q, K, V, *_backward(H, Q, K, V, W_ff, b_ff, G, slope=slope))

    return mistake(BACKWARD, says, name)(answer)


wrong_slope = [
    _with_slope(
        "derivative_uses_preactivation",
        lambda Z: Z * (1 - Z),
        "the sigmoid's slope is Y(1 − Y) with Y the output, not Z(1 − Z) with Z before the sigmoid",
    ),
    _with_slope(
        "sigmoid_derivative_missing",
        torch.ones_like,
        "the sigmoid is skipped on the way back: multiply G by its slope Y(1 − Y)",
    ),
    _with_slope(
        "derivative_half_missing",
        torch.sigmoid,
        "half of the sigmoid's slope is missing: it is Y(1 − Y), not Y",
    ),
    _with_slope(
        "derivative_other_half_missing",
        lambda Z: 1 - torch.sigmoid(Z),
        "half of the sigmoid's slope is missing: it is Y(1 − Y), not 1 − Y",
    ),
    _with_slope(
        "derivative_of_tanh",
        lambda Z: 1 - torch.sigmoid(Z) ** 2,
        "1 − Y² is the slope of tanh: the sigmoid's is Y(1 − Y)",
    ),
    _with_slope(
        "derivative_is_sigmoid_of_sigmoid",
        lambda Z: _sigmoid_slope(torch.sigmoid(Z)),
        "the sigmoid is applied twice in its slope: Y(1 − Y) takes the output Y as it is",
    ),
    _with_slope(
        "derivative_of_relu",
        lambda Z: (Z > 0).to(Z.dtype),
        "a step is the slope of relu: the sigmoid's is Y(1 − Y)",
    ),
]


def _with_score_gradient(name, rule, says):
    def answer(H, Q, K, V, W_ff, b_ff, G):
        return _collect(H, Q, K, V, *_backward(H, Q, K, V, W_ff, b_ff, G, softmax=rule))

    return mistake(BACKWARD, says, name)(answer)


wrong_score_gradient = [
    _with_score_gradient(
        "softmax_jacobian_missing",
        lambda A, dA: dA,
        "the softmax is skipped on the way back: its Jacobian stands between dA and dS",
    ),
    _with_score_gradient(
        "softmax_average_missing",
        lambda A, dA: A * dA,
        "half of the softmax's Jacobian is missing: subtract the column's average of dA, weighted by A",
    ),
    _with_score_gradient(
        "softmax_jacobian_diagonal_only",
        lambda A, dA: A * (1 - A) * dA,
        "only the diagonal of the softmax's Jacobian is used, A(1 − A): every weight depends on all scores of its column",
    ),
    _with_score_gradient(
        "softmax_average_over_queries",
        lambda A, dA: A * (dA - (A * dA).sum(dim=2, keepdim=True)),
        "in the softmax's Jacobian the average runs along the rows: it belongs to a column",
    ),
    _with_score_gradient(
        "softmax_average_over_heads",
        lambda A, dA: A * (dA - (A * dA).sum(dim=0, keepdim=True)),
        "in the softmax's Jacobian the average runs over the heads: with the heads in front, a column is dim=1",
    ),
    _with_score_gradient(
        "softmax_average_over_all",
        lambda A, dA: A * (dA - (A * dA).sum(dim=(1, 2), keepdim=True)),
        "in the softmax's Jacobian one average is taken over a head's whole matrix: each column has its own",
    ),
    _with_score_gradient(
        "softmax_average_unweighted",
        lambda A, dA: A * (dA - dA.sum(dim=1, keepdim=True)),
        "in the softmax's Jacobian the average of dA is not weighted: its weights are A",
    ),
    _with_score_gradient(
        "softmax_average_added",
        lambda A, dA: A * (dA + (A * dA).sum(dim=1, keepdim=True)),
        "the softmax's Jacobian has a wrong sign: the average of dA is subtracted, not added",
    ),
    _with_score_gradient(
        "score_gradient_transposed",
        lambda A, dA: _through_softmax(A, dA).mT,
        "the score gradient is transposed: keys get Q H dSᵀ and queries K H dS, yours are the other way round",
    ),
    _with_score_gradient(
        "weight_gradient_transposed",
        lambda A, dA: _through_softmax(A, dA.mT),
        "the gradient by the weights is transposed: it has a row for each key and a column for each query",
    ),
    _with_score_gradient(
        "attention_held_constant",
        lambda A, dA: torch.zeros_like(A),
        "the attention weights are taken for constants: they depend on Q, K and H too",
    ),
]


@mistake(BACKWARD, "a transpose is missing in the gradient by the keys: it is Q H dSᵀ, not Q H dS")
def missing_transpose_in_keys(H, Q, K, V, W_ff, b_ff, G):
    dq, _, dv, dW_ff, db_ff = _backward(H, Q, K, V, W_ff, b_ff, G)
    dS = _score_gradient(H, Q, K, V, W_ff, b_ff, G)
    return _collect(H, Q, K, V, dq, Q @ H @ dS, dv, dW_ff, db_ff)


@mistake(BACKWARD, "the gradient by the queries has one transpose too many: it is K H dS, not K H dSᵀ")
def extra_transpose_in_queries(H, Q, K, V, W_ff, b_ff, G):
    _, dk, dv, dW_ff, db_ff = _backward(H, Q, K, V, W_ff, b_ff, G)
    dS = _score_gradient(H, Q, K, V, W_ff, b_ff, G)
    return _collect(H, Q, K, V, K @ H @ dS.mT, dk, dv, dW_ff, db_ff)


@mistake(
    BACKWARD,
    "the gradient by the queries is made of the keys, and the other way round: dq = K H dS, dk = Q H dSᵀ",
)
def factors_swapped(H, Q, K, V, W_ff, b_ff, G):
    _, _, dv, dW_ff, db_ff = _backward(H, Q, K, V, W_ff, b_ff, G)
    dS = _score_gradient(H, Q, K, V, W_ff, b_ff, G)
    return _collect(H, Q, K, V, Q @ H @ dS, K @ H @ dS.mT, dv, dW_ff, db_ff)


@mistake(
    BACKWARD,
    "the gradient by the stack is cut into heads the wrong way: rows k·D to k·D + D − 1 belong to head k",
)
def stack_gradient_interleaved(H, Q, K, V, W_ff, b_ff, G):
    q, k, v, A, stack, Z = _forward(H, Q, K, V, W_ff, b_ff)
    dZ = G * _sigmoid_slope(Z)
    dheads = (W_ff.T @ dZ).reshape(H.shape[0], len(Q), -1).transpose(0, 1)
    dS = _through_softmax(A, v.mT @ dheads)
    return _collect(H, Q, K, V, k @ dS, q @ dS.mT, dheads @ A.mT, dZ @ stack.T, dZ.sum(dim=1))


@mistake(BACKWARD, "a transpose is missing on the way back through W_ff: the stack's gradient is W_ffᵀ dZ")
def feedforward_not_transposed(H, Q, K, V, W_ff, b_ff, G):
    q, k, v, A, stack, Z = _forward(H, Q, K, V, W_ff, b_ff)
    dZ = G * _sigmoid_slope(Z)
    dheads = (W_ff @ dZ).unflatten(0, Q.shape[:2])
    dS = _through_softmax(A, v.mT @ dheads)
    return _collect(H, Q, K, V, k @ dS, q @ dS.mT, dheads @ A.mT, dZ @ stack.T, dZ.sum(dim=1))


@mistake(BACKWARD, "the gradient by H counts the values only: H also makes the queries and the keys")
def input_gradient_of_values_only(H, Q, K, V, W_ff, b_ff, G):
    dq, dk, dv, dW_ff, db_ff = _backward(H, Q, K, V, W_ff, b_ff, G)
    dH = (V.mT @ dv).sum(dim=0)
    return dH, dq @ H.T, dk @ H.T, dv @ H.T, dW_ff, db_ff


@mistake(BACKWARD, "the gradient by H leaves out the values: H makes queries, keys and values")
def input_gradient_without_values(H, Q, K, V, W_ff, b_ff, G):
    dq, dk, dv, dW_ff, db_ff = _backward(H, Q, K, V, W_ff, b_ff, G)
    dH = (Q.mT @ dq + K.mT @ dk).sum(dim=0)
    return dH, dq @ H.T, dk @ H.T, dv @ H.T, dW_ff, db_ff


@mistake(BACKWARD, "the gradient by H leaves out the keys: H makes queries, keys and values")
def input_gradient_without_keys(H, Q, K, V, W_ff, b_ff, G):
    dq, dk, dv, dW_ff, db_ff = _backward(H, Q, K, V, W_ff, b_ff, G)
    dH = (Q.mT @ dq + V.mT @ dv).sum(dim=0)
    return dH, dq @ H.T, dk @ H.T, dv @ H.T, dW_ff, db_ff


@mistake(BACKWARD, "the gradient by H leaves out the queries: H makes queries, keys and values")
def input_gradient_without_queries(H, Q, K, V, W_ff, b_ff, G):
    dq, dk, dv, dW_ff, db_ff = _backward(H, Q, K, V, W_ff, b_ff, G)
    dH = (K.mT @ dk + V.mT @ dv).sum(dim=0)
    return dH, dq @ H.T, dk @ H.T, dv @ H.T, dW_ff, db_ff


@mistake(BACKWARD, "transposes are missing in the gradient by H: each head brings Qᵀ dq + Kᵀ dk + Vᵀ dv")
def input_gradient_missing_transposes(H, Q, K, V, W_ff, b_ff, G):
    dq, dk, dv, dW_ff, db_ff = _backward(H, Q, K, V, W_ff, b_ff, G)
    dH = (Q @ dq + K @ dk + V @ dv).sum(dim=0)
    return dH, dq @ H.T, dk @ H.T, dv @ H.T, dW_ff, db_ff


@mistake(BACKWARD, "the gradient by H comes last: the order is dH, dQ, dK, dV, dW_ff, db_ff")
def results_in_another_order(H, Q, K, V, W_ff, b_ff, G):
    dH, dQ, dK, dV, dW_ff, db_ff = multihead_ff_backward(H, Q, K, V, W_ff, b_ff, G)
    return dQ, dK, dV, dW_ff, db_ff, dH


@mistake(
    BACKWARD,
    "the weights are missing in the gradient by V: the gradient of each head meets Aᵀ before it meets Hᵀ",
)
def value_gradient_without_weights(H, Q, K, V, W_ff, b_ff, G):
    dH, dQ, dK, _, *others = multihead_ff_backward(H, Q, K, V, W_ff, b_ff, G)
    return dH, dQ, dK, _head_gradient(H, Q, K, V, W_ff, b_ff, G) @ H.T, *others


@mistake(
    BACKWARD,
    "the gradient by W_ff leaves out the sigmoid: its slope Y(1 − Y) comes between G and the product",
)
def feedforward_gradient_without_slope(H, Q, K, V, W_ff, b_ff, G):
    *others, _, db_ff = multihead_ff_backward(H, Q, K, V, W_ff, b_ff, G)
    return *others, G @ _forward(H, Q, K, V, W_ff, b_ff)[4].T, db_ff


@mistake(BACKWARD, "the gradient by the bias is the sum of G: the sigmoid's slope Y(1 − Y) comes in between")
def bias_gradient_without_slope(H, Q, K, V, W_ff, b_ff, G):
    *others, _ = multihead_ff_backward(H, Q, K, V, W_ff, b_ff, G)
    return *others, G.sum(dim=1)


@mistake(
    BACKWARD, "the gradients are divided by the number of items: the loss sums over items, it takes no mean"
)
def gradients_averaged(H, Q, K, V, W_ff, b_ff, G):
    return tuple(d / H.shape[1] for d in multihead_ff_backward(H, Q, K, V, W_ff, b_ff, G))


@mistake(
    BACKWARD, "the gradients have the wrong sign: return the gradients themselves, not the step downhill"
)
def sign_flipped(H, Q, K, V, W_ff, b_ff, G):
    return tuple(-d for d in multihead_ff_backward(H, Q, K, V, W_ff, b_ff, G))


# ---------------------------------------------------------------- mistakes of the equation

slips = [
    *slips_of(
        "layer_equation",
        {
            "heads_interleaved": (
                "H_l = FF(sum_h H_{l,h} (x) delta_h)",
                "H_{l,h} (x) delta_h interleaves the rows of the heads: delta_h (x) H_{l,h} stacks them",
            ),
            "heads_reversed": (
                "H_l = FF([H_{l,n}; ...; H_{l,1}])",
                "the heads are stacked in the wrong order",
            ),
            "concatenation_summed": (
                "H_l = FF(sum_h H_{l,h})",
                "the heads are added, which leaves D rows: FF takes all n*D rows of the stack",
            ),
            "feedforward_of_each_head": (
                "H_l = sum_h FF(H_{l,h})",
                "FF takes the whole stack, not one head at a time",
            ),
            "bias_forgotten": ("H_l = sigmoid(W_ff [H_{l,1}; ...; H_{l,n}])", "the bias b_ff is missing"),
        },
    ),
]
