"""Dot-product attention, answered, with the mistakes that must be caught."""

import torch

from autograder import key, mistake, slips_of


def dot_product_attention(q, keys, values):
    scores = keys @ q
    alpha = torch.softmax(scores, dim=0)
    return alpha, alpha @ values


context_vector = key("0.6 v1 + 0.1 v2 + 0.2 v3 + 0.1 v4")


def _scaled(q, keys, values, factor):
    alpha = torch.softmax(factor * (keys @ q), dim=0)
    return alpha, alpha @ values


OF = "dot_product_attention"


@mistake(OF, "the query is compared with the values: compare it with the keys")
def values_used_as_keys(q, keys, values):
    alpha = torch.softmax(values @ q, dim=0)
    return alpha, alpha @ values


@mistake(OF, "keys and values are swapped: the query meets the keys, the weights average the values")
def keys_and_values_swapped(q, keys, values):
    return dot_product_attention(q, values, keys)


@mistake(OF, "the softmax is missing: the scores themselves were used as weights")
def missing_softmax(q, keys, values):
    scores = keys @ q
    return scores, scores @ values


@mistake(OF, "the weights are right, but the context is made with the scores: average the values by alpha")
def scores_average_values(q, keys, values):
    scores = keys @ q
    return torch.softmax(scores, dim=0), scores @ values


@mistake(OF, "the context is right, but the scores were returned in the place of the weights")
def scores_returned(q, keys, values):
    return keys @ q, dot_product_attention(q, keys, values)[1]


@mistake(OF, "the scores are divided by their sum: a softmax takes the exponential of each first")
def normalised_without_exp(q, keys, values):
    scores = keys @ q
    alpha = scores / scores.sum()
    return alpha, alpha @ values


@mistake(OF, "the exponentials are not divided by their sum: the weights should sum to 1")
def not_normalised(q, keys, values):
    weights = torch.exp(keys @ q)
    return weights, weights @ values


@mistake(OF, "the weights are divided by the number of entries: divide the exponentials by their own sum")
def normalised_by_length(q, keys, values):
    weights = torch.exp(keys @ q) / len(keys)
    return weights, weights @ values


@mistake(
    OF, "the softmax runs over an axis of length 1, so every weight is 1: it should run over the N entries"
)
def softmax_wrong_axis(q, keys, values):
    alpha = torch.ones_like(keys @ q)
    return alpha, alpha @ values


@mistake(OF, "the softmax is taken of each feature over the entries: sum over the features first")
def softmax_before_sum(q, keys, values):
    alpha = torch.softmax(keys * q, dim=0).sum(1)
    return alpha, alpha @ values


@mistake(OF, "the weights are right, but the context is the plain mean of the values: weigh them by alpha")
def plain_mean_of_values(q, keys, values):
    return torch.softmax(keys @ q, dim=0), values.mean(0)


@mistake(OF, "the weights are right, but the context is the plain sum of the values: weigh them by alpha")
def plain_sum_of_values(q, keys, values):
    return torch.softmax(keys @ q, dim=0), values.sum(0)


@mistake(OF, "the weights are the logarithms of a softmax: use softmax, not log_softmax")
def log_softmax(q, keys, values):
    alpha = torch.log_softmax(keys @ q, dim=0)
    return alpha, alpha @ values


@mistake(OF, "the best entry takes all the weight: the softmax shares it out")
def hard_attention(q, keys, values):
    scores = keys @ q
    alpha = torch.nn.functional.one_hot(scores.argmax(), len(keys)).to(q.dtype)
    return alpha, alpha @ values


@mistake(
    OF,
    "the weights are right, but the context is the best entry's value: average all values by their weights",
)
def best_value_as_context(q, keys, values):
    scores = keys @ q
    return torch.softmax(scores, dim=0), values[scores.argmax()]


@mistake(OF, "each score went through a sigmoid by itself: a softmax makes the weights sum to 1")
def sigmoid_weights(q, keys, values):
    alpha = torch.sigmoid(keys @ q)
    return alpha, alpha @ values


@mistake(OF, "the scores are distances: the score is the dot product of query and key")
def distance_scores(q, keys, values):
    alpha = torch.softmax(-(keys - q).norm(dim=1), dim=0)
    return alpha, alpha @ values


@mistake(OF, "the sign of the scores is turned: the best fit should have the largest weight")
def scores_negated(q, keys, values):
    return _scaled(q, keys, values, -1.0)


@mistake(OF, "the softmax is applied twice")
def softmax_twice(q, keys, values):
    alpha = torch.softmax(torch.softmax(keys @ q, dim=0), dim=0)
    return alpha, alpha @ values


@mistake(OF, "the weighted values are not summed: the context is one vector of size V")
def values_not_summed(q, keys, values):
    alpha = torch.softmax(keys @ q, dim=0)
    return alpha, alpha[:, None] * values


@mistake(OF, "the weights run along the columns of values: they belong to its rows, alpha @ values")
def values_transposed(q, keys, values):
    alpha = torch.softmax(keys @ q, dim=0)
    return alpha, values @ alpha


@mistake(OF, "the weights multiply the columns of values: they belong to its rows, alpha[:, None] * values")
def weights_broadcast_wrong_axis(q, keys, values):
    alpha = torch.softmax(keys @ q, dim=0)
    return alpha, (alpha * values).sum(0)


@mistake(OF, "the weighted values are summed over their features: sum over the entries, axis 0")
def sums_over_features(q, keys, values):
    alpha = torch.softmax(keys @ q, dim=0)
    return alpha, (alpha[:, None] * values).sum(1)


@mistake(OF, "the keys are transposed: rows of keys are entries, so the scores are keys @ q")
def keys_transposed(q, keys, values):
    alpha = torch.softmax(keys.T @ q, dim=0)
    return alpha, alpha @ values


@mistake(OF, "only the context is returned: return the weights too, (alpha, context)")
def only_context_returned(q, keys, values):
    return dot_product_attention(q, keys, values)[1]


@mistake(OF, "only the weights are returned: return the context too, (alpha, context)")
def only_weights_returned(q, keys, values):
    return dot_product_attention(q, keys, values)[0]


@mistake(OF, "the query is added to the context: there is no residual connection here")
def adds_residual(q, keys, values):
    alpha, context = dot_product_attention(q, keys, values)
    return alpha, context + q


@mistake(OF, "the softmax overflows on large scores: subtract the largest first, or call torch.softmax")
def softmax_overflows(q, keys, values):
    weights = torch.exp(keys @ q)
    alpha = weights / weights.sum()
    return alpha, alpha @ values


slips = [
    *slips_of(
        "context_vector",
        {
            "missing_softmax": (
                "ln(6) v1 + ln(2) v3",
                "the scores were used as weights: take the softmax of them first",
            ),
            "not_normalised": (
                "6 v1 + v2 + 2 v3 + v4",
                "the exponentials are 6, 1, 2 and 1: divide them by their sum, 10",
            ),
            "uniform_weights": (
                "(v1 + v2 + v3 + v4)/4",
                "that is the plain mean: the weights follow from the scores",
            ),
            "hard_attention": ("v1", "the best entry does not take all: its weight is 6/10"),
            "zero_scores_dropped": (
                "3/4 v1 + 1/4 v3",
                "a score of 0 still has the weight e⁰ = 1 before it is divided by the sum",
            ),
            "normalised_without_exp": (
                "ln(6)/ln(12) v1 + ln(2)/ln(12) v3",
                "the scores were divided by their sum: a softmax takes the exponential of each first",
            ),
            "keys_used_as_values": (
                "0.6 k1 + 0.1 k2 + 0.2 k3 + 0.1 k4",
                "the weights are right, but they average the keys: the context is an average of the values",
            ),
            "plain_sum_of_values": (
                "v1 + v2 + v3 + v4",
                "that is the plain sum: each value is multiplied by its weight",
            ),
        },
    ),
]
