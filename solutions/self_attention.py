"""Self-attention, answered, with the mistakes that must be caught."""

import math

import torch

from autograder import Reading, key, mistake, slip


def multi_head_self_attention(h_in, WQ, WK, WV):
    query = torch.einsum("kuj,tj->ktu", WQ, h_in)
    keys = torch.einsum("kuj,tj->ktu", WK, h_in)
    value = torch.einsum("kij,tj->kti", WV, h_in)
    scores = torch.einsum("ksu,ktu->kst", query, keys)
    alpha = torch.softmax(scores, dim=-1)
    out = torch.einsum("kst,kti->ski", alpha, value)
    return out.flatten(start_dim=1)


def _softmax_of_scores(query, keys):
    """query[U]  keys[T, U]   returns [T]"""
    return torch.softmax(keys @ query, dim=0)


softmax_time = key(
    "O(ln T + ln U)",
    Reading("O(U + ln T)", says="right, if each inner product is summed serially, as is common in practice"),
    measured=_softmax_of_scores,
)
layer_time = key(
    "O(ln T + ln J)",
    Reading("O(J + ln T)", says="right, if each inner product is summed serially, as is common in practice"),
)


def _heads(h_in, WQ, WK, WV):
    return (torch.einsum("kaj,tj->kta", W, h_in) for W in (WQ, WK, WV))


def _attend(query, keys, value, scale=1.0, dim=-1):
    alpha = torch.softmax(scale * query @ keys.mT, dim=dim)
    return _join(alpha @ value)


def _join(out):
    return out.transpose(0, 1).flatten(start_dim=1)


OF = "multi_head_self_attention"


@mistake(OF, "you scaled the scores by 1/√U: this layer has no scaling (scale=1.0 in torch's own function)")
def adds_sqrt_scaling(h_in, WQ, WK, WV):
    return _attend(*_heads(h_in, WQ, WK, WV), scale=1 / math.sqrt(WQ.shape[1]))


@mistake(
    OF,
    "you scaled the scores by 1/√J: this layer has no scaling, and J is the size of the model, not of a key",
)
def scales_by_model_dim(h_in, WQ, WK, WV):
    return _attend(*_heads(h_in, WQ, WK, WV), scale=1 / math.sqrt(WQ.shape[2]))


@mistake(
    OF, "your softmax runs over the queries t₁: for each query, the weights over the keys t₂ should sum to 1"
)
def softmax_over_queries(h_in, WQ, WK, WV):
    return _attend(*_heads(h_in, WQ, WK, WV), dim=-2)


@mistake(OF, "your softmax runs over the heads: each head has its own softmax, over the keys t₂")
def softmax_over_heads(h_in, WQ, WK, WV):
    return _attend(*_heads(h_in, WQ, WK, WV), dim=0)


@mistake(
    OF,
    "your softmax runs over all pairs of positions at once: each query needs weights of its own that sum to 1",
)
def global_softmax(h_in, WQ, WK, WV):
    query, keys, value = _heads(h_in, WQ, WK, WV)
    scores = query @ keys.mT
    return _join(torch.softmax(scores.flatten(1), dim=1).view_as(scores) @ value)


@mistake(
    OF,
    "your weights are divided by the sum over all heads and pairs of positions: each head and each query "
    "needs weights of its own that sum to 1",
)
def softmax_over_everything(h_in, WQ, WK, WV):
    query, keys, value = _heads(h_in, WQ, WK, WV)
    scores = query @ keys.mT
    return _join(torch.softmax(scores.flatten(), dim=0).view_as(scores) @ value)


@mistake(OF, "the softmax is missing: the scores themselves were used as weights")
def missing_softmax(h_in, WQ, WK, WV):
    query, keys, value = _heads(h_in, WQ, WK, WV)
    return _join(query @ keys.mT @ value)


@mistake(OF, "query and key are swapped: the score of (t₁, t₂) is the query at t₁ times the key at t₂")
def query_key_swapped(h_in, WQ, WK, WV):
    query, keys, value = _heads(h_in, WQ, WK, WV)
    return _attend(keys, query, value)


@mistake(
    OF, "the attention matrix is transposed when it averages the values: sum over t₂, the axis of the softmax"
)
def attention_transposed(h_in, WQ, WK, WV):
    query, keys, value = _heads(h_in, WQ, WK, WV)
    return _join(torch.softmax(query @ keys.mT, dim=-1).mT @ value)


@mistake(
    OF,
    "the heads are interleaved: head k should fill columns k·I to k·I + I − 1; mind the order before reshaping",
)
def heads_interleaved(h_in, WQ, WK, WV):
    query, keys, value = _heads(h_in, WQ, WK, WV)
    out = torch.softmax(query @ keys.mT, dim=-1) @ value
    return out.permute(1, 2, 0).flatten(start_dim=1)


@mistake(OF, "heads and positions are mixed up in the reshape: move the head axis behind the positions first")
def reshape_without_transpose(h_in, WQ, WK, WV):
    query, keys, value = _heads(h_in, WQ, WK, WV)
    return (torch.softmax(query @ keys.mT, dim=-1) @ value).reshape(h_in.shape[0], -1)


@mistake(OF, "the heads are added up: they should stand side by side, K·I columns in all")
def heads_summed(h_in, WQ, WK, WV):
    query, keys, value = _heads(h_in, WQ, WK, WV)
    return (torch.softmax(query @ keys.mT, dim=-1) @ value).sum(0)


@mistake(OF, "the heads are averaged: they should stand side by side, K·I columns in all")
def heads_averaged(h_in, WQ, WK, WV):
    query, keys, value = _heads(h_in, WQ, WK, WV)
    return (torch.softmax(query @ keys.mT, dim=-1) @ value).mean(0)


@mistake(
    OF, "every head's columns hold the average of all heads: each head keeps its own output, side by side"
)
def heads_averaged_and_repeated(h_in, WQ, WK, WV):
    return heads_averaged.answer(h_in, WQ, WK, WV).repeat(1, len(WQ))


@mistake(
    OF, "every head uses the first head's attention weights: each head compares with its own queries and keys"
)
def one_attention_for_all_heads(h_in, WQ, WK, WV):
    query, keys, value = _heads(h_in, WQ, WK, WV)
    return _join(torch.softmax(query[:1] @ keys[:1].mT, dim=-1) @ value)


@mistake(OF, "the last head is left out of the result: join all K heads")
def last_head_missing(h_in, WQ, WK, WV):
    query, keys, value = _heads(h_in, WQ, WK, WV)
    out = torch.softmax(query @ keys.mT, dim=-1) @ value
    return torch.cat([_join(out[:-1]), torch.zeros_like(out[-1])], dim=1)


@mistake(OF, "positions only look backwards: this layer has no causal mask, every position sees all others")
def causal_mask(h_in, WQ, WK, WV):
    query, keys, value = _heads(h_in, WQ, WK, WV)
    scores = query @ keys.mT
    future = torch.ones_like(scores, dtype=torch.bool).triu(1)
    return _join(torch.softmax(scores.masked_fill(future, -torch.inf), dim=-1) @ value)


@mistake(OF, "the input is added to the output: this layer has no residual connection")
def adds_residual(h_in, WQ, WK, WV):
    return multi_head_self_attention(h_in, WQ, WK, WV) + h_in


@mistake(OF, "the queries are compared with queries: compute the keys with W^K, not W^Q")
def keys_from_query_matrix(h_in, WQ, WK, WV):
    return _attend(*_heads(h_in, WQ, WQ, WV))


@mistake(OF, "the softmax overflows on large scores: subtract the row's maximum first, or call torch.softmax")
def softmax_overflows(h_in, WQ, WK, WV):
    query, keys, value = _heads(h_in, WQ, WK, WV)
    weights = torch.exp(query @ keys.mT)
    return _join(weights / weights.sum(-1, keepdim=True) @ value)


@mistake(OF, "you scaled the scores by 1/√I: this layer has no scaling")
def scales_by_value_dim(h_in, WQ, WK, WV):
    return _attend(*_heads(h_in, WQ, WK, WV), scale=1 / math.sqrt(WV.shape[1]))


@mistake(OF, "you scaled the scores by 1/√T: this layer has no scaling, least of all by the length")
def scales_by_length(h_in, WQ, WK, WV):
    return _attend(*_heads(h_in, WQ, WK, WV), scale=1 / math.sqrt(h_in.shape[0]))


@mistake(OF, "you divided the scores by U: this layer has no scaling")
def scales_without_root(h_in, WQ, WK, WV):
    return _attend(*_heads(h_in, WQ, WK, WV), scale=1 / WQ.shape[1])


@mistake(OF, "you multiplied the scores by √U: this layer has no scaling")
def scale_inverted(h_in, WQ, WK, WV):
    return _attend(*_heads(h_in, WQ, WK, WV), scale=math.sqrt(WQ.shape[1]))


@mistake(OF, "the result is transposed: positions are rows, K·I columns")
def result_transposed(h_in, WQ, WK, WV):
    return multi_head_self_attention(h_in, WQ, WK, WV).T


@mistake(OF, "the heads stand in reverse order: head 0 comes first")
def heads_reversed(h_in, WQ, WK, WV):
    return multi_head_self_attention(h_in, WQ.flip(0), WK.flip(0), WV.flip(0))


@mistake(OF, "only the first head is computed, and repeated: each head has matrices of its own")
def first_head_repeated(h_in, WQ, WK, WV):
    first = multi_head_self_attention(h_in, WQ[:1], WK[:1], WV[:1])
    return first.repeat(1, WQ.shape[0])


@mistake(OF, "only one head is returned: join all K of them side by side")
def only_first_head(h_in, WQ, WK, WV):
    return multi_head_self_attention(h_in, WQ[:1], WK[:1], WV[:1])


@mistake(OF, "every head uses the first head's values: head k has its own W^V[k]")
def one_value_for_all_heads(h_in, WQ, WK, WV):
    query, keys, value = _heads(h_in, WQ, WK, WV)
    return _attend(query, keys, value[:1].expand_as(value))


@mistake(OF, "the heads' scores are added before the softmax: each head has a softmax of its own")
def scores_summed_over_heads(h_in, WQ, WK, WV):
    query, keys, value = _heads(h_in, WQ, WK, WV)
    return _join(torch.softmax((query @ keys.mT).sum(0, keepdim=True), dim=-1) @ value)


@mistake(OF, "one attention pattern, averaged over the heads, is used for all: each head keeps its own")
def attention_averaged_over_heads(h_in, WQ, WK, WV):
    query, keys, value = _heads(h_in, WQ, WK, WV)
    return _join(torch.softmax(query @ keys.mT, dim=-1).mean(0, keepdim=True) @ value)


@mistake(OF, "the keys are compared with keys: compute the queries with W^Q, not W^K")
def keys_compared_with_keys(h_in, WQ, WK, WV):
    _, keys, value = _heads(h_in, WQ, WK, WV)
    return _attend(keys, keys, value)


@mistake(OF, "queries and keys are the input itself: multiply by W^Q and W^K first")
def no_query_key_projection(h_in, WQ, WK, WV):
    value = torch.einsum("kij,tj->kti", WV, h_in)
    return _join(torch.softmax(h_in @ h_in.T, dim=-1) @ value)


@mistake(OF, "the attention is not used: the values of each position are returned as they are")
def attention_not_used(h_in, WQ, WK, WV):
    return _join(torch.einsum("kij,tj->kti", WV, h_in))


@mistake(OF, "all positions get the same weight: the scores are not used")
def uniform_attention(h_in, WQ, WK, WV):
    value = torch.einsum("kij,tj->kti", WV, h_in)
    return _join(value.mean(1, keepdim=True).expand_as(value))


@mistake(OF, "each position attends to the best key alone: a softmax gives every key a share")
def hard_attention(h_in, WQ, WK, WV):
    query, keys, value = _heads(h_in, WQ, WK, WV)
    scores = query @ keys.mT
    one_hot = torch.nn.functional.one_hot(scores.argmax(-1), scores.shape[-1]).to(value.dtype)
    return _join(one_hot @ value)


@mistake(OF, "a sigmoid took the place of the softmax: the weights of a query should sum to 1")
def sigmoid_instead_of_softmax(h_in, WQ, WK, WV):
    query, keys, value = _heads(h_in, WQ, WK, WV)
    return _join(torch.sigmoid(query @ keys.mT) @ value)


@mistake(OF, "log_softmax took the place of the softmax: weights are the probabilities, not their logarithms")
def log_softmax_instead_of_softmax(h_in, WQ, WK, WV):
    query, keys, value = _heads(h_in, WQ, WK, WV)
    return _join(torch.log_softmax(query @ keys.mT, dim=-1) @ value)


@mistake(OF, "exp without the normaliser: divide by Z, the sum over t₂")
def missing_normaliser(h_in, WQ, WK, WV):
    query, keys, value = _heads(h_in, WQ, WK, WV)
    return _join(torch.exp(query @ keys.mT) @ value)


@mistake(OF, "the scores are divided by their sum: a softmax exponentiates them first")
def normalised_without_exp(h_in, WQ, WK, WV):
    query, keys, value = _heads(h_in, WQ, WK, WV)
    scores = query @ keys.mT
    return _join(scores / scores.sum(-1, keepdim=True) @ value)


@mistake(OF, "the exponentials are divided by T: divide by their own sum over t₂")
def normalises_by_length(h_in, WQ, WK, WV):
    query, keys, value = _heads(h_in, WQ, WK, WV)
    return _join(torch.exp(query @ keys.mT) @ value / h_in.shape[0])


@mistake(OF, "the softmax is applied twice: once is enough")
def softmax_twice(h_in, WQ, WK, WV):
    query, keys, value = _heads(h_in, WQ, WK, WV)
    return _join(torch.softmax(torch.softmax(query @ keys.mT, dim=-1), dim=-1) @ value)


@mistake(OF, "the scores have the wrong sign: a large inner product should give a large weight")
def scores_negated(h_in, WQ, WK, WV):
    return _attend(*_heads(h_in, WQ, WK, WV), scale=-1.0)


@mistake(OF, "positions only look ahead: this layer has no mask, every position sees all others")
def anticausal_mask(h_in, WQ, WK, WV):
    query, keys, value = _heads(h_in, WQ, WK, WV)
    scores = query @ keys.mT
    past = torch.ones_like(scores, dtype=torch.bool).tril(-1)
    return _join(torch.softmax(scores.masked_fill(past, -torch.inf), dim=-1) @ value)


@mistake(OF, "no position looks at itself: the sum over t' runs over all positions, its own included")
def self_excluded(h_in, WQ, WK, WV):
    query, keys, value = _heads(h_in, WQ, WK, WV)
    scores = query @ keys.mT
    own = torch.eye(h_in.shape[0], dtype=torch.bool)
    return _join(torch.softmax(scores.masked_fill(own, -torch.inf), dim=-1).nan_to_num() @ value)


@mistake(OF, "positions up to t are averaged, later ones dropped after the softmax: no mask is asked for")
def mask_after_softmax(h_in, WQ, WK, WV):
    query, keys, value = _heads(h_in, WQ, WK, WV)
    return _join(torch.softmax(query @ keys.mT, dim=-1).tril() @ value)


@mistake(OF, "the values are computed from W^K: use W^V for the values")
def keys_used_as_values(h_in, WQ, WK, WV):
    query, keys, _ = _heads(h_in, WQ, WK, WV)
    return _join(torch.softmax(query @ keys.mT, dim=-1) @ keys)


@mistake(OF, "the values are the input itself: multiply by W^V first")
def values_not_projected(h_in, WQ, WK, WV):
    query, keys, _ = _heads(h_in, WQ, WK, WV)
    return _join(torch.softmax(query @ keys.mT, dim=-1) @ h_in)


@mistake(OF, "the attention weights are returned: they still have to average the values")
def returns_attention(h_in, WQ, WK, WV):
    query, keys, _ = _heads(h_in, WQ, WK, WV)
    return torch.softmax(query @ keys.mT, dim=-1)


@mistake(OF, "the heads are left as an axis of their own: join them to K·I columns")
def heads_not_joined(h_in, WQ, WK, WV):
    query, keys, value = _heads(h_in, WQ, WK, WV)
    return torch.softmax(query @ keys.mT, dim=-1) @ value


@mistake(OF, "the heads are left as an axis of their own, behind the positions: flatten the last two axes")
def heads_not_flattened(h_in, WQ, WK, WV):
    query, keys, value = _heads(h_in, WQ, WK, WV)
    return (torch.softmax(query @ keys.mT, dim=-1) @ value).transpose(0, 1)


@mistake(OF, "the result is always float32: keep the dtype of the input")
def always_single(h_in, WQ, WK, WV):
    return multi_head_self_attention(h_in, WQ, WK, WV).float()


@mistake(OF, "the output goes through another softmax: the layer ends with the average of the values")
def softmax_on_output(h_in, WQ, WK, WV):
    return torch.softmax(multi_head_self_attention(h_in, WQ, WK, WV), dim=-1)


slips = [
    slip(
        "softmax_time",
        "forgets_scores",
        "O(ln T)",
        "that is the time for Z alone: the scores are inner products of length U",
    ),
    slip(
        "softmax_time",
        "forgets_normaliser",
        "O(ln U)",
        "that is the time for the scores alone: Z sums over T terms",
    ),
    slip(
        "softmax_time",
        "product_not_sum",
        "O(ln T ln U)",
        "the two steps follow one another: their times add, they do not multiply",
    ),
    slip(
        "softmax_time",
        "work_not_span",
        "O(T U)",
        "that counts all the work; in parallel, sums take logarithmic time",
    ),
    slip(
        "softmax_time", "serial_sums", "O(T + U)", "a sum over N terms takes O(log N) in parallel, not O(N)"
    ),
    slip(
        "layer_time",
        "forgets_positions",
        "O(ln J)",
        "the softmax and the average run over T positions: that takes ln T",
    ),
    slip(
        "layer_time",
        "forgets_products",
        "O(ln T)",
        "queries, keys and values are inner products of length J: that takes ln J",
    ),
    slip(
        "layer_time",
        "heads_one_after_another",
        "O(K (ln T + ln J))",
        "the heads do not wait for one another: they run in parallel",
    ),
    slip(
        "layer_time",
        "work_not_span",
        "O(T^2 J)",
        "that counts all the work; in parallel, sums take logarithmic time",
    ),
    slip(
        "layer_time",
        "product_not_sum",
        "O(ln T ln J)",
        "steps that follow one another add their times, they do not multiply them",
    ),
]
