"""Self-attention, answered, with the mistakes that must be caught."""

import torch

from autograder import Reading, key, mistake, slips_of


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


def _join(out):
    return out.transpose(0, 1).flatten(start_dim=1)


OF = "multi_head_self_attention"


@mistake(OF, "you scaled the scores by 1/√U: this layer has no scaling (scale=1.0 in torch's own function)")
def adds_sqrt_scaling(h_in, WQ, WK, WV):
    query, keys, value = _heads(h_in, WQ, WK, WV)
    return _join(torch.softmax(query @ keys.mT / WQ.shape[1] ** 0.5, dim=-1) @ value)


@mistake(OF, "heads and positions are mixed up in the reshape: move the head axis behind the positions first")
def reshape_without_transpose(h_in, WQ, WK, WV):
    query, keys, value = _heads(h_in, WQ, WK, WV)
    return (torch.softmax(query @ keys.mT, dim=-1) @ value).reshape(h_in.shape[0], -1)


@mistake(OF, "the heads are averaged: they should stand side by side, K·I columns in all")
def heads_averaged(h_in, WQ, WK, WV):
    query, keys, value = _heads(h_in, WQ, WK, WV)
    return (torch.softmax(query @ keys.mT, dim=-1) @ value).mean(0)


@mistake(
    OF, "every head's columns hold the average of all heads: each head keeps its own output, side by side"
)
def heads_averaged_and_repeated(h_in, WQ, WK, WV):
    return heads_averaged.answer(h_in, WQ, WK, WV).repeat(1, len(WQ))


@mistake(OF, "the last head is left out of the result: join all K heads")
def last_head_missing(h_in, WQ, WK, WV):
    query, keys, value = _heads(h_in, WQ, WK, WV)
    out = torch.softmax(query @ keys.mT, dim=-1) @ value
    return torch.cat([_join(out[:-1]), torch.zeros_like(out[-1])], dim=1)


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


@mistake(OF, "the attention is not used: the values of each position are returned as they are")
def attention_not_used(h_in, WQ, WK, WV):
    return _join(torch.einsum("kij,tj->kti", WV, h_in))


@mistake(OF, "no position looks at itself: the sum over t' runs over all positions, its own included")
def self_excluded(h_in, WQ, WK, WV):
    query, keys, value = _heads(h_in, WQ, WK, WV)
    scores = query @ keys.mT
    own = torch.eye(h_in.shape[0], dtype=torch.bool)
    return _join(torch.softmax(scores.masked_fill(own, -torch.inf), dim=-1).nan_to_num() @ value)


@mistake(OF, "the attention weights are returned: they still have to average the values")
def returns_attention(h_in, WQ, WK, WV):
    query, keys, _ = _heads(h_in, WQ, WK, WV)
    return torch.softmax(query @ keys.mT, dim=-1)


@mistake(OF, "the heads are left as an axis of their own: join them to K·I columns")
def heads_not_joined(h_in, WQ, WK, WV):
    query, keys, value = _heads(h_in, WQ, WK, WV)
    return torch.softmax(query @ keys.mT, dim=-1) @ value


@mistake(OF, "the result is always float32: keep the dtype of the input")
def always_single(h_in, WQ, WK, WV):
    return multi_head_self_attention(h_in, WQ, WK, WV).float()


slips = [
    *slips_of(
        "softmax_time",
        {
            "forgets_scores": (
                "O(ln T)",
                "that is the time for Z alone: the scores are inner products of length U",
            ),
            "forgets_normaliser": ("O(ln U)", "that is the time for the scores alone: Z sums over T terms"),
            "product_not_sum": (
                "O(ln T ln U)",
                "the two steps follow one another: their times add, they do not multiply",
            ),
            "work_not_span": ("O(T U)", "that counts all the work; in parallel, sums take logarithmic time"),
            "serial_sums": ("O(T + U)", "a sum over N terms takes O(log N) in parallel, not O(N)"),
        },
    ),
    *slips_of(
        "layer_time",
        {
            "forgets_positions": (
                "O(ln J)",
                "the softmax and the average run over T positions: that takes ln T",
            ),
            "forgets_products": (
                "O(ln T)",
                "queries, keys and values are inner products of length J: that takes ln J",
            ),
            "heads_one_after_another": (
                "O(K (ln T + ln J))",
                "the heads do not wait for one another: they run in parallel",
            ),
            "work_not_span": (
                "O(T^2 J)",
                "that counts all the work; in parallel, sums take logarithmic time",
            ),
            "product_not_sum": (
                "O(ln T ln J)",
                "steps that follow one another add their times, they do not multiply them",
            ),
        },
    ),
]
