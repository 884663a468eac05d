"""Linear attention, answered, with the mistakes that must be caught."""

import math

import torch

from autograder import Reading, also, key, mistake, slips_of


def linear_attention(q, k, v):
    state = k.T @ v  # [d, dv]: shared by all positions, so it is formed once
    total = k.sum(0)
    return (q @ state) / (q @ total).unsqueeze(1)


linear_equation = key("y_i = (sum_j <q_i,k_j> v_j) / (sum_j <q_i,k_j>)")


def _standard_attention(q, k, v):
    """q[T, d]  k[T, d]  v[T, d]   returns [T, d]"""
    return torch.softmax(q @ k.T, dim=1) @ v


standard_time = key(
    "O(T^2 d)",
    Reading(
        "O(T^2)",
        share=0.5,
        says="right in T; each of the T² scores is an inner product of length d, so it is T² d",
    ),
    measured=_standard_attention,
)
linear_time = key(
    "O(T d^2)",
    Reading("O(T)", share=0.5, says="right in T; each position multiplies by a d × d matrix, so it is T d²"),
)

why_linear = """
Without the exponential the numerator is q_i applied to the sum of k_j v_jᵀ over j, and the denominator is q_i applied to the sum of
the k_j. Neither sum depends on i: both are formed once, in T·d·dv and T·d operations, and every position then needs only d·dv
more. It is the re-bracketing (q kᵀ) v = q (kᵀ v). The exponential of ⟨q_i, k_j⟩ is not a product of something of i and something
of j, so with it nothing can be pulled out of the sum. It is not true that there are no matrix products: there are two smaller
ones. Leaving the exponential out merely permits the re-bracketing; from the left, the T × T table and the T² work are still there.
"""

OF = "linear_attention"


@also("linear_attention")
def with_a_table_of_weights(q, k, v):
    scores = q @ k.T
    weights = scores / scores.sum(1, keepdim=True)
    return weights @ v


def _average(weights, v):
    return weights @ v / weights.sum(1, keepdim=True)


@mistake(
    OF,
    "the weights are normalised over the queries i: for each i, the weights over the keys j should sum to 1",
)
def normaliser_wrong_axis(q, k, v):
    return q @ (k.T @ (v / (k @ q.sum(0)).unsqueeze(1)))


@mistake(
    OF, "row i is divided by the sum over queries, Σ ⟨q_j, k_i⟩: divide by the sum over keys, Σ ⟨q_i, k_j⟩"
)
def normaliser_of_the_key(q, k, v):
    return q @ (k.T @ v) / (k @ q.sum(0)).unsqueeze(1)


@mistake(
    OF,
    "you divided by the product of two sums of entries: ⟨q_i, Σ_j k_j⟩ multiplies entry by entry, then adds",
)
def normaliser_product_of_sums(q, k, v):
    return q @ (k.T @ v) / (q.sum(1, keepdim=True) * k.sum())


@mistake(OF, "row i is divided by its own score ⟨q_i, k_i⟩: divide by the sum over all j")
def normaliser_own_score(q, k, v):
    return q @ (k.T @ v) / (q * k).sum(1, keepdim=True)


@mistake(OF, "the length of the scores' row stands below the line: divide by its sum, Σ_j ⟨q_i, k_j⟩")
def normaliser_is_norm(q, k, v):
    return q @ (k.T @ v) / (q @ k.T).norm(dim=1, keepdim=True)


@mistake(OF, "the denominator keeps the exponential: it is the plain sum of the scores")
def normaliser_keeps_exponential(q, k, v):
    return q @ (k.T @ v) / torch.exp(q @ k.T).sum(1, keepdim=True)


@mistake(
    OF,
    "the sum is applied to the wrong axis of the result: divide row i by its own number, with unsqueeze(1)",
)
def normaliser_broadcast_wrong_axis(q, k, v):
    return q @ (k.T @ v) / (q @ k.sum(0))


@mistake(OF, "this is standard attention: leave the exponential out, the scores themselves are the weights")
def keeps_softmax(q, k, v):
    return torch.softmax(q @ k.T, dim=1) @ v


@mistake(
    OF,
    "this is standard attention with its 1/√d: the scores themselves are the weights, divided by their sum",
)
def keeps_scaled_softmax(q, k, v):
    return torch.softmax(q @ k.T / math.sqrt(q.shape[1]), dim=1) @ v


@mistake(
    OF,
    "this is standard attention, with its softmax over the queries: here the scores are divided by their sum over j",
)
def keeps_softmax_over_queries(q, k, v):
    return torch.softmax(q @ k.T, dim=0) @ v


@mistake(OF, "the exponential is kept and the division is missing: here it is the other way round")
def exponential_without_normaliser(q, k, v):
    return torch.exp(q @ k.T) @ v


@mistake(
    OF,
    "the keys go through a softmax over the positions: use them as they are, and divide by the sum of the scores",
)
def softmax_of_keys(q, k, v):
    return q @ (torch.softmax(k, dim=0).T @ v)


@mistake(OF, "queries and keys go through a softmax of their own: here they are used as they are")
def softmax_of_queries_and_keys(q, k, v):
    return torch.softmax(q, dim=1) @ (torch.softmax(k, dim=0).T @ v)


@mistake(OF, "queries and keys are scaled to length 1: use them as they are")
def unit_vectors(q, k, v):
    unit = torch.nn.functional.normalize
    return linear_attention(q, unit(k, dim=1), v)


@mistake(OF, "the scores are squared: use them as they are")
def squared_scores(q, k, v):
    return _average((q @ k.T) ** 2, v)


@mistake(
    OF,
    "the keys are normalised over the positions, feature by feature: divide by the sum of the scores instead",
)
def keys_normalised(q, k, v):
    return q @ ((k / k.sum(0)).T @ v)


@mistake(OF, "queries and keys are normalised one by one: the sum of their products is another number")
def factors_normalised_separately(q, k, v):
    return (q / q.sum(1, keepdim=True)) @ ((k / k.sum(0)).T @ v)


@mistake(
    OF,
    "the weights are transposed when they average the values: sum over j, the axis they are normalised over",
)
def attention_transposed(q, k, v):
    weights = q @ k.T
    return (weights / weights.sum(1, keepdim=True)).T @ v


@mistake(OF, "every position averages with the same weights: they depend on its query q_i")
def query_ignored(q, k, v):
    return _average(k.sum(1).expand(len(q), -1), v)


@mistake(OF, "all positions count alike: the weights are the scores ⟨q_i, k_j⟩, not 1/T")
def uniform_average(q, k, v):
    return v.mean(0).expand(len(q), -1)


@mistake(OF, "only the pairs i = j are used: position i meets all keys k_j")
def own_key_only(q, k, v):
    return (q * k).sum(1, keepdim=True) * v


@mistake(OF, "only the pairs i = j are used, divided by the sum over them: position i meets all keys k_j")
def own_key_only_normalised(q, k, v):
    own = (q * k).sum(1, keepdim=True)
    return own * v / own.sum()


@mistake(OF, "positions only look backwards (a running sum): every position sees all others")
def causal_sum(q, k, v):
    return _average((q @ k.T).tril(), v)


@mistake(
    OF,
    "positions only look backwards, and the division is missing: sum over all j, and divide by the sum of the scores",
)
def causal_without_normaliser(q, k, v):
    return (q @ k.T).tril() @ v


@mistake(
    OF,
    "the numerator is a running sum, over earlier positions only: it runs over all j, as the denominator does",
)
def causal_numerator(q, k, v):
    weights = q @ k.T
    return weights.tril() @ v / weights.sum(1, keepdim=True)


@mistake(OF, "position i itself is left out: the sums run over all j")
def self_left_out(q, k, v):
    return _average((q @ k.T).fill_diagonal_(0), v)


@mistake(OF, "the last position is left out of the sums: j runs over all T positions")
def last_position_missing(q, k, v):
    return linear_attention(q, k[:-1], v[:-1])


@mistake(OF, "the sum of k_j v_jᵀ is transposed: q meets its side of length d")
def state_transposed(q, k, v):
    return q @ (v.T @ k) / (q @ k.sum(0)).unsqueeze(1)


@mistake(OF, "the transpose of k is missing: the sum runs over the positions j, k.T @ v")
def missing_transpose(q, k, v):
    return q @ (k @ v) / (q @ k.sum(0)).unsqueeze(1)


@mistake(OF, "the keys are summed over their features: the shared sum runs over the positions j")
def keys_summed_over_features(q, k, v):
    return q @ (k.T @ v) / (q @ k.sum(1)).unsqueeze(1)


@mistake(OF, "keys and values are summed apart: form Σ_j k_j v_jᵀ, the sum of the products")
def sums_before_product(q, k, v):
    return q @ torch.outer(k.sum(0), v.sum(0)) / (q @ k.sum(0)).unsqueeze(1)


@mistake(OF, "the shared sum of k_j v_jᵀ is returned: it still has to meet the queries")
def state_returned(q, k, v):
    return k.T @ v


slips = [
    *slips_of(
        "linear_equation",
        {
            "softmax_kept": (
                "y_i = sum_j softmax_j(<q_i,k_j>) v_j",
                "this is ordinary attention: the exponential is to be left out",
            ),
            "value_at_i": (
                "y_i = (sum_j <q_i,k_j> v_i) / (sum_j <q_i,k_j>)",
                "v_i does not depend on j, so everything cancels and y_i = v_i: use v_j",
            ),
            "normalised_over_queries": (
                "y_i = sum_j (<q_i,k_j> / (sum_l <q_l,k_j>)) v_j",
                "the weights are normalised over the queries: for one i they must add up to 1 over j",
            ),
            "divided_by_length": (
                "y_i = (1/T) sum_j <q_i,k_j> v_j",
                "divided by T: divide by the sum of the weights instead",
            ),
            "score_with_itself": (
                "y_i = (sum_j <q_j,k_j> v_j) / (sum_j <q_j,k_j>)",
                "the result does not depend on i: the query stands at i",
            ),
        },
    ),
    *slips_of(
        "standard_time",
        {
            "linear_cost": (
                "O(T d^2)",
                "that is linear attention: the exponential needs each of the T² scores by itself",
            ),
            "forgets_pairs": ("O(T d)", "every position meets every other: that makes T² scores"),
            "square_of_both": (
                "O(T^2 d^2)",
                "a score is one inner product of length d: d operations, not d²",
            ),
            "adds_instead": ("O(T^2 + d)", "each of the T² scores costs d operations: they multiply"),
            "parallel_time": (
                "O(log T + log d)",
                "that is the parallel time: the question is about the total work",
            ),
            "cubic": ("O(T^3)", "the table has T² entries and meets T × d values: T² d in all"),
        },
    ),
    *slips_of(
        "linear_time",
        {
            "quadratic_cost": (
                "O(T^2 d)",
                "that is standard attention: form the sum of k_j v_jᵀ once, and no pair of positions is left",
            ),
            "vector_not_matrix": (
                "O(T d)",
                "the shared sum is a d × d matrix, and every position multiplies by it: d² each",
            ),
            "length_forgotten": (
                "O(d^2)",
                "every one of the T positions goes into the sum, and reads it: T times d²",
            ),
            "adds_matrix": ("O(T + d^2)", "every position costs d² operations: they multiply"),
            "square_of_both": (
                "O(T^2 d^2)",
                "no pair of positions is left when k_j v_jᵀ is summed first: T, not T²",
            ),
            "sorts": ("O(T log T d)", "nothing is sorted or halved: each position costs d²"),
        },
    ),
]
