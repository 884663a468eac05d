"""Column attention, answered, with the mistakes that must be caught."""

import math

import torch

from autograder import mistake, slips_of

head_equation = "H_{l,h} = V_{l,h} H_{l-1} SoftMax((K_{l,h} H_{l-1})^T Q_{l,h} H_{l-1})"


def column_attention_head(H, Q, K, V):
    scores = (K @ H).T @ (Q @ H)  # a row for each key, a column for each query
    return V @ H @ torch.softmax(scores, dim=0)


def column_attention_head_backward(H, Q, K, V, G):
    q, k, v = Q @ H, K @ H, V @ H
    A = torch.softmax(k.T @ q, dim=0)
    # The output is v A, the scores are kᵀ q.
    dv = G @ A.T
    dA = v.T @ G
    dS = A * (dA - (A * dA).sum(dim=0, keepdim=True))
    dq = k @ dS
    dk = q @ dS.T
    dH = Q.T @ dq + K.T @ dk + V.T @ dv
    return dH, dq @ H.T, dk @ H.T, dv @ H.T


# ---------------------------------------------------------------- mistakes of the head

HEAD = "column_attention_head"


def _scores(H, Q, K):
    return (K @ H).T @ (Q @ H)


@mistake(HEAD, "you divided the scores by √D: this head has no scaling (scale=1.0 in torch's own function)")
def adds_sqrt_scaling(H, Q, K, V):
    return V @ H @ torch.softmax(_scores(H, Q, K) / math.sqrt(H.shape[0]), dim=0)


@mistake(HEAD, "you multiplied the scores by √D: this head has no scaling at all")
def scale_inverted(H, Q, K, V):
    return V @ H @ torch.softmax(_scores(H, Q, K) * math.sqrt(H.shape[0]), dim=0)


@mistake(HEAD, "you divided the scores by D: this head has no scaling")
def scales_by_dimension(H, Q, K, V):
    return V @ H @ torch.softmax(_scores(H, Q, K) / H.shape[0], dim=0)


@mistake(HEAD, "the softmax is missing: the scores themselves were used as weights")
def missing_softmax(H, Q, K, V):
    return V @ H @ _scores(H, Q, K)


@mistake(HEAD, "the weights are exp of the scores, but not divided by their sum: each column should sum to 1")
def missing_normalisation(H, Q, K, V):
    return V @ H @ torch.exp(_scores(H, Q, K))


@mistake(
    HEAD,
    "query and key are swapped: column j of the scores should hold query j against every key, (K H)ᵀ Q H",
)
def query_key_swapped(H, Q, K, V):
    return V @ H @ torch.softmax(_scores(H, K, Q), dim=0)


@mistake(
    HEAD, "the attention weights are transposed when they average the values: the output is V H A, not V H Aᵀ"
)
def attention_transposed(H, Q, K, V):
    return V @ H @ torch.softmax(_scores(H, Q, K), dim=0).T


@mistake(HEAD, "a transpose is missing: the scores are (K H)ᵀ Q H, an N × N matrix, not K H Q H")
def missing_transpose(H, Q, K, V):
    return V @ H @ torch.softmax(K @ H @ (Q @ H), dim=0)


@mistake(HEAD, "the transpose of K got lost: (K H)ᵀ is Hᵀ Kᵀ, so the scores are Hᵀ Kᵀ Q H, not Hᵀ K Q H")
def key_matrix_not_transposed(H, Q, K, V):
    return V @ H @ torch.softmax(H.T @ K @ Q @ H, dim=0)


@mistake(HEAD, "the weights stand on the left of the values: items are columns, so the output is V H A")
def weights_on_the_left(H, Q, K, V):
    return torch.softmax(_scores(H, Q, K), dim=0) @ (V @ H)


@mistake(
    HEAD, "your items are the rows of H: here they are the columns, and the matrices multiply from the left"
)
def rows_as_items(H, Q, K, V):
    return torch.softmax(H @ Q @ (H @ K).T, dim=1) @ (H @ V)


@mistake(
    HEAD,
    "your items are the rows of H, as for nn.Linear: here they are columns; transpose on the way in and out",
)
def rows_as_items_of_linear_layers(H, Q, K, V):
    return torch.softmax(H @ Q.T @ (H @ K.T).T, dim=1) @ (H @ V.T)


@mistake(HEAD, "the dimensions attend to one another, K H (Q H)ᵀ: the scores should be N × N, between items")
def attends_over_dimensions(H, Q, K, V):
    return torch.softmax(K @ H @ (Q @ H).T, dim=0).T @ (V @ H)


@mistake(HEAD, "the dimensions attend to one another, Q H (K H)ᵀ: the scores should be N × N, (K H)ᵀ Q H")
def attends_over_dimensions_by_rows(H, Q, K, V):
    return torch.softmax(Q @ H @ (K @ H).T, dim=0) @ (V @ H)


@mistake(HEAD, "the matrices are transposed: the query is Q H, not Qᵀ H, and likewise for K and V")
def weights_transposed(H, Q, K, V):
    return column_attention_head(H, Q.T, K.T, V.T)


@mistake(HEAD, "the keys are averaged: the weights belong to the values V H")
def keys_used_as_values(H, Q, K, V):
    return column_attention_head(H, Q, K, K)


@mistake(HEAD, "V is not used: the weights average the values V H, not the items themselves")
def value_matrix_missing(H, Q, K, V):
    return H @ torch.softmax(_scores(H, Q, K), dim=0)


@mistake(HEAD, "the scores compare the items themselves, Hᵀ H: compare keys with queries, (K H)ᵀ Q H")
def scores_without_matrices(H, Q, K, V):
    return V @ H @ torch.softmax(H.T @ H, dim=0)


@mistake(HEAD, "items only look backwards: this head has no causal mask, every item sees all others")
def causal_mask(H, Q, K, V):
    S = _scores(H, Q, K)
    later = torch.ones_like(S, dtype=torch.bool).tril(-1)  # keys in rows: key i > query j
    return V @ H @ torch.softmax(S.masked_fill(later, -torch.inf), dim=0)


@mistake(
    HEAD, "the softmax overflows on large scores: subtract the column's maximum first, or call torch.softmax"
)
def softmax_overflows(H, Q, K, V):
    E = torch.exp(_scores(H, Q, K))
    return V @ H @ (E / E.sum(dim=0, keepdim=True))


# ---------------------------------------------------------------- mistakes of the gradients

BACKWARD = "column_attention_head_backward"


def _values(H, Q, K, V):
    q, k, v = Q @ H, K @ H, V @ H
    return q, k, v, torch.softmax(k.T @ q, dim=0)


def _through_softmax(A, dA):
    return A * (dA - (A * dA).sum(dim=0, keepdim=True))


def _collect(H, Q, K, V, dq, dk, dv):
    return Q.T @ dq + K.T @ dk + V.T @ dv, dq @ H.T, dk @ H.T, dv @ H.T


def _with_score_gradient(H, Q, K, V, G, rule):
    """The gradients when `rule` takes the weights and their gradient to the gradient by the scores."""
    q, k, v, A = _values(H, Q, K, V)
    dS = rule(A, v.T @ G)
    return _collect(H, Q, K, V, k @ dS, q @ dS.T, G @ A.T)


def _parts(H, Q, K, V, G):
    """The right gradients by the queries, the keys and the values."""
    q, k, v, A = _values(H, Q, K, V)
    dS = _through_softmax(A, v.T @ G)
    return k @ dS, q @ dS.T, G @ A.T


def _backward_of(wrong):
    """The right gradients of a wrong head."""

    def answer(H, Q, K, V, G):
        leaves = [x.detach().clone().requires_grad_(True) for x in (H, Q, K, V)]
        return torch.autograd.grad(wrong.answer(*leaves), leaves, G, materialize_grads=True)

    return mistake(BACKWARD, f"these are the gradients of another head: {wrong.says}", wrong.id)(answer)


of_another_head = [
    _backward_of(wrong)
    for wrong in (
        adds_sqrt_scaling,
        scale_inverted,
        scales_by_dimension,
        missing_softmax,
        missing_normalisation,
        query_key_swapped,
        attention_transposed,
        weights_transposed,
        key_matrix_not_transposed,
        keys_used_as_values,
        value_matrix_missing,
        causal_mask,
        softmax_overflows,
    )
]


@mistake(
    BACKWARD,
    "a transpose is missing in the gradient by the values: it is G Aᵀ, not G A",
    id="missing_transpose",
)
def missing_transpose_of_weights(H, Q, K, V, G):
    dq, dk, _ = _parts(H, Q, K, V, G)
    return _collect(H, Q, K, V, dq, dk, G @ _values(H, Q, K, V)[3])


@mistake(BACKWARD, "the gradient by the weights is transposed: it is (V H)ᵀ G, a row for each key")
def weight_gradient_transposed(H, Q, K, V, G):
    return _with_score_gradient(H, Q, K, V, G, lambda A, dA: _through_softmax(A, dA.T))


@mistake(BACKWARD, "a transpose is missing in the gradient by the keys: it is Q H dSᵀ, not Q H dS")
def missing_transpose_in_keys(H, Q, K, V, G):
    q, k, v, A = _values(H, Q, K, V)
    dS = _through_softmax(A, v.T @ G)
    return _collect(H, Q, K, V, k @ dS, q @ dS, G @ A.T)


@mistake(BACKWARD, "the gradient by the queries has one transpose too many: it is K H dS, not K H dSᵀ")
def extra_transpose_in_queries(H, Q, K, V, G):
    q, k, v, A = _values(H, Q, K, V)
    dS = _through_softmax(A, v.T @ G)
    return _collect(H, Q, K, V, k @ dS.T, q @ dS.T, G @ A.T)


@mistake(
    BACKWARD,
    "the score gradient is transposed: keys get Q H dSᵀ and queries K H dS, yours are the other way round",
)
def score_gradient_transposed(H, Q, K, V, G):
    return _with_score_gradient(H, Q, K, V, G, lambda A, dA: _through_softmax(A, dA).T)


@mistake(
    BACKWARD,
    "the gradient by the queries is made of the keys, and the other way round: dq = K H dS, dk = Q H dSᵀ",
)
def factors_swapped(H, Q, K, V, G):
    q, k, v, A = _values(H, Q, K, V)
    dS = _through_softmax(A, v.T @ G)
    return _collect(H, Q, K, V, q @ dS, k @ dS.T, G @ A.T)


@mistake(BACKWARD, "the softmax is skipped on the way back: its Jacobian stands between dA and dS")
def softmax_jacobian_missing(H, Q, K, V, G):
    return _with_score_gradient(H, Q, K, V, G, lambda A, dA: dA)


@mistake(
    BACKWARD, "half of the softmax's Jacobian is missing: subtract the column's average of dA, weighted by A"
)
def softmax_average_missing(H, Q, K, V, G):
    return _with_score_gradient(H, Q, K, V, G, lambda A, dA: A * dA)


@mistake(
    BACKWARD, "in the softmax's Jacobian the average of row j is subtracted from column j: sum over dim=0"
)
def softmax_average_broadcast_wrong(H, Q, K, V, G):
    return _with_score_gradient(H, Q, K, V, G, lambda A, dA: A * (dA - (A * dA).sum(dim=1)))


@mistake(BACKWARD, "in the softmax's Jacobian the average of dA is not weighted: its weights are A")
def softmax_average_unweighted(H, Q, K, V, G):
    return _with_score_gradient(H, Q, K, V, G, lambda A, dA: A * (dA - dA.sum(dim=0, keepdim=True)))


@mistake(BACKWARD, "in the softmax's Jacobian the plain mean of dA is subtracted: its weights are A")
def softmax_plain_mean(H, Q, K, V, G):
    return _with_score_gradient(H, Q, K, V, G, lambda A, dA: A * (dA - dA.mean(dim=0, keepdim=True)))


@mistake(BACKWARD, "the softmax's Jacobian has a wrong sign: the average of dA is subtracted, not added")
def softmax_average_added(H, Q, K, V, G):
    return _with_score_gradient(H, Q, K, V, G, lambda A, dA: A * (dA + (A * dA).sum(dim=0, keepdim=True)))


@mistake(
    BACKWARD,
    "the gradients by the scores are divided by √D: the head has no scaling, so its gradients have none",
)
def scales_backward_only(H, Q, K, V, G):
    return _with_score_gradient(H, Q, K, V, G, lambda A, dA: _through_softmax(A, dA) / math.sqrt(len(H)))


@mistake(BACKWARD, "the attention weights are taken for constants: they depend on Q, K and H too")
def attention_held_constant(H, Q, K, V, G):
    _, _, dv = _parts(H, Q, K, V, G)
    return V.T @ dv, torch.zeros_like(Q), torch.zeros_like(K), dv @ H.T


@mistake(BACKWARD, "the gradient by H counts the values only: H also makes the queries and the keys")
def input_gradient_of_values_only(H, Q, K, V, G):
    dq, dk, dv = _parts(H, Q, K, V, G)
    return V.T @ dv, dq @ H.T, dk @ H.T, dv @ H.T


@mistake(BACKWARD, "the gradient by H leaves out the values: H makes queries, keys and values")
def input_gradient_without_values(H, Q, K, V, G):
    dq, dk, dv = _parts(H, Q, K, V, G)
    return Q.T @ dq + K.T @ dk, dq @ H.T, dk @ H.T, dv @ H.T


@mistake(BACKWARD, "the gradient by H leaves out the keys: H makes queries, keys and values")
def input_gradient_without_keys(H, Q, K, V, G):
    dq, dk, dv = _parts(H, Q, K, V, G)
    return Q.T @ dq + V.T @ dv, dq @ H.T, dk @ H.T, dv @ H.T


@mistake(BACKWARD, "the gradient by H leaves out the queries: H makes queries, keys and values")
def input_gradient_without_queries(H, Q, K, V, G):
    dq, dk, dv = _parts(H, Q, K, V, G)
    return K.T @ dk + V.T @ dv, dq @ H.T, dk @ H.T, dv @ H.T


@mistake(BACKWARD, "transposes are missing in the gradient by H: it is Qᵀ dq + Kᵀ dk + Vᵀ dv")
def input_gradient_missing_transposes(H, Q, K, V, G):
    dq, dk, dv = _parts(H, Q, K, V, G)
    return Q @ dq + K @ dk + V @ dv, dq @ H.T, dk @ H.T, dv @ H.T


@mistake(
    BACKWARD,
    "the gradients by queries, keys and values are added up as they are: pass them through Qᵀ, Kᵀ and Vᵀ first",
)
def input_gradient_without_matrices(H, Q, K, V, G):
    dq, dk, dv = _parts(H, Q, K, V, G)
    return dq + dk + dv, dq @ H.T, dk @ H.T, dv @ H.T


@mistake(BACKWARD, "the weights are missing in the gradient by V: it is G Aᵀ Hᵀ, not G Hᵀ")
def value_gradient_without_weights(H, Q, K, V, G):
    dH, dQ, dK, _ = column_attention_head_backward(H, Q, K, V, G)
    return dH, dQ, dK, G @ H.T


@mistake(BACKWARD, "the gradient by H comes last: the order is dH, dQ, dK, dV")
def results_in_another_order(H, Q, K, V, G):
    dH, dQ, dK, dV = column_attention_head_backward(H, Q, K, V, G)
    return dQ, dK, dV, dH


@mistake(BACKWARD, "G is not used: these are the gradients of the sum of the outputs")
def upstream_gradient_ignored(H, Q, K, V, G):
    return column_attention_head_backward(H, Q, K, V, torch.ones_like(G))


@mistake(
    BACKWARD, "the gradients are divided by the number of items: the loss sums over items, it takes no mean"
)
def gradients_averaged(H, Q, K, V, G):
    return tuple(d / H.shape[1] for d in column_attention_head_backward(H, Q, K, V, G))


@mistake(
    BACKWARD, "the gradients have the wrong sign: return the gradients themselves, not the step downhill"
)
def sign_flipped(H, Q, K, V, G):
    return tuple(-d for d in column_attention_head_backward(H, Q, K, V, G))


# ---------------------------------------------------------------- mistakes of the equation

slips = [
    *slips_of(
        "head_equation",
        {
            "query_key_swapped": (
                "H_{l,h} = V_{l,h} H_{l-1} SoftMax((Q_{l,h} H_{l-1})^T K_{l,h} H_{l-1})",
                "key and query are swapped: the keys are transposed, so that each column holds the scores of one query",
            ),
            "softmax_of_rows": (
                "H_{l,h} = V_{l,h} H_{l-1} softmax_{row}((K_{l,h} H_{l-1})^T Q_{l,h} H_{l-1})",
                "the softmax works along the rows: the weights of one item stand in a column",
            ),
            "scaled": (
                "H_{l,h} = V_{l,h} H_{l-1} SoftMax((K_{l,h} H_{l-1})^T Q_{l,h} H_{l-1} / sqrt(D))",
                "these notes do not divide by sqrt(D)",
            ),
            "weights_transposed": (
                "H_{l,h} = V_{l,h} H_{l-1} SoftMax((K_{l,h} H_{l-1})^T Q_{l,h} H_{l-1})^T",
                "the attention matrix is transposed: its columns already belong to the items that ask",
            ),
            "transpose_missing": (
                "H_{l,h} = V_{l,h} H_{l-1} SoftMax(K_{l,h} H_{l-1} Q_{l,h} H_{l-1})",
                "the keys are not transposed: a D x N matrix cannot be multiplied by another one",
            ),
            "transposed_the_queries": (
                "H_{l,h} = V_{l,h} H_{l-1} SoftMax(K_{l,h} H_{l-1} (Q_{l,h} H_{l-1})^T)",
                "this attention matrix is D x D: it must compare the N items, so transpose the keys",
            ),
        },
    ),
]
