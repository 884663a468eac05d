"""Blank language modelling, answered, with the mistakes that must be caught."""

import math

import torch

from autograder import key, mistake, slip


def blank_lm(e, W_fwd, W_bwd, h_fwd, h_bwd, t):
    context = W_fwd @ h_fwd[t - 1] + W_bwd @ h_bwd[t + 1]
    return torch.softmax(e @ context, dim=0)


blank_lm_equation = key(
    "P(w_t | rest) = softmax_{w_t} [e[w_t,I] W_fwd[I,J] h_fwd[t-1,J] + e[w_t,I] W_bwd[I,J] h_bwd[t+1,J]]"
)


def _sides(e, W_fwd, W_bwd, h_fwd, h_bwd, t):
    """The scores of every word from the left, and from the right."""
    return e @ W_fwd @ h_fwd[t - 1], e @ W_bwd @ h_bwd[t + 1]


def _meet(e, W_fwd, W_bwd, past, future):
    return torch.softmax(e @ (W_fwd @ past + W_bwd @ future), dim=0)


OF = "blank_lm"


# ---------------------------------------------------------------- which states


@mistake(OF, "you used the states at t: both have read the blanked word; take h_fwd[t − 1] and h_bwd[t + 1]")
def uses_states_at_blank(e, W_fwd, W_bwd, h_fwd, h_bwd, t):
    return _meet(e, W_fwd, W_bwd, h_fwd[t], h_bwd[t])


@mistake(OF, "you used h_fwd[t]: it has read the blanked word; take h_fwd[t − 1]")
def forward_state_at_blank(e, W_fwd, W_bwd, h_fwd, h_bwd, t):
    return _meet(e, W_fwd, W_bwd, h_fwd[t], h_bwd[t + 1])


@mistake(OF, "you used h_bwd[t]: it has read the blanked word; take h_bwd[t + 1]")
def backward_state_at_blank(e, W_fwd, W_bwd, h_fwd, h_bwd, t):
    return _meet(e, W_fwd, W_bwd, h_fwd[t - 1], h_bwd[t])


@mistake(OF, "t − 1 and t + 1 are swapped: the forward state comes from t − 1, the backward one from t + 1")
def neighbours_swapped(e, W_fwd, W_bwd, h_fwd, h_bwd, t):
    return _meet(e, W_fwd, W_bwd, h_fwd[t + 1], h_bwd[t - 1])


@mistake(OF, "both states come from t − 1: h_bwd[t − 1] has read the blanked word; take h_bwd[t + 1]")
def both_from_the_left(e, W_fwd, W_bwd, h_fwd, h_bwd, t):
    return _meet(e, W_fwd, W_bwd, h_fwd[t - 1], h_bwd[t - 1])


@mistake(OF, "both states come from t + 1: h_fwd[t + 1] has read the blanked word; take h_fwd[t − 1]")
def both_from_the_right(e, W_fwd, W_bwd, h_fwd, h_bwd, t):
    return _meet(e, W_fwd, W_bwd, h_fwd[t + 1], h_bwd[t + 1])


@mistake(OF, "both states are forward ones: what comes after the blank is in h_bwd[t + 1]")
def backward_states_unused(e, W_fwd, W_bwd, h_fwd, h_bwd, t):
    return _meet(e, W_fwd, W_bwd, h_fwd[t - 1], h_fwd[t + 1])


@mistake(OF, "both states are backward ones: what stands before the blank is in h_fwd[t − 1]")
def forward_states_unused(e, W_fwd, W_bwd, h_fwd, h_bwd, t):
    return _meet(e, W_fwd, W_bwd, h_bwd[t - 1], h_bwd[t + 1])


@mistake(OF, "only the forward state is used: add the score from h_bwd[t + 1]")
def ignores_backward_context(e, W_fwd, W_bwd, h_fwd, h_bwd, t):
    return torch.softmax(e @ W_fwd @ h_fwd[t - 1], dim=0)


@mistake(OF, "only the backward state is used: add the score from h_fwd[t − 1]")
def ignores_forward_context(e, W_fwd, W_bwd, h_fwd, h_bwd, t):
    return torch.softmax(e @ W_bwd @ h_bwd[t + 1], dim=0)


@mistake(
    OF, "you counted positions from 1: here t is 0-based, so the states are h_fwd[t − 1] and h_bwd[t + 1]"
)
def counts_from_one(e, W_fwd, W_bwd, h_fwd, h_bwd, t):
    return _meet(e, W_fwd, W_bwd, h_fwd[t - 2], h_bwd[t])


@mistake(OF, "the states are one step too far away: take h_fwd[t − 1] and h_bwd[t + 1]")
def skips_a_word_each_side(e, W_fwd, W_bwd, h_fwd, h_bwd, t):
    return _meet(e, W_fwd, W_bwd, h_fwd[t - 2], h_bwd[t + 2])


@mistake(OF, "the forward state is one step too far away: take h_fwd[t − 1]")
def forward_state_too_early(e, W_fwd, W_bwd, h_fwd, h_bwd, t):
    return _meet(e, W_fwd, W_bwd, h_fwd[t - 2], h_bwd[t + 1])


@mistake(OF, "the backward state is one step too far away: take h_bwd[t + 1]")
def backward_state_too_late(e, W_fwd, W_bwd, h_fwd, h_bwd, t):
    return _meet(e, W_fwd, W_bwd, h_fwd[t - 1], h_bwd[t + 2])


@mistake(OF, "you flipped the backward states: h_bwd[t] already belongs to position t; take h_bwd[t + 1]")
def backward_states_reversed(e, W_fwd, W_bwd, h_fwd, h_bwd, t):
    return _meet(e, W_fwd, W_bwd, h_fwd[t - 1], h_bwd.flip(0)[t + 1])


@mistake(OF, "you used the final states, which have read the whole sentence and the blanked word with it")
def uses_final_states(e, W_fwd, W_bwd, h_fwd, h_bwd, t):
    return _meet(e, W_fwd, W_bwd, h_fwd[-1], h_bwd[0])


@mistake(OF, "you used the states farthest from the blank: take its neighbours h_fwd[t − 1] and h_bwd[t + 1]")
def uses_outermost_states(e, W_fwd, W_bwd, h_fwd, h_bwd, t):
    return _meet(e, W_fwd, W_bwd, h_fwd[0], h_bwd[-1])


@mistake(
    OF, "you added up all states of each side: h_fwd[t − 1] has already read everything before the blank"
)
def sums_all_states(e, W_fwd, W_bwd, h_fwd, h_bwd, t):
    return _meet(e, W_fwd, W_bwd, h_fwd[:t].sum(0), h_bwd[t + 1 :].sum(0))


@mistake(
    OF, "you averaged all states of each side: h_fwd[t − 1] has already read everything before the blank"
)
def averages_all_states(e, W_fwd, W_bwd, h_fwd, h_bwd, t):
    return _meet(e, W_fwd, W_bwd, h_fwd[:t].mean(0), h_bwd[t + 1 :].mean(0))


# ---------------------------------------------------------------- which matrices


@mistake(OF, "the matrices are swapped: W_fwd belongs to the forward state, W_bwd to the backward one")
def matrices_swapped(e, W_fwd, W_bwd, h_fwd, h_bwd, t):
    return _meet(e, W_bwd, W_fwd, h_fwd[t - 1], h_bwd[t + 1])


@mistake(OF, "the states are swapped: h_fwd comes with W_fwd and t − 1, h_bwd with W_bwd and t + 1")
def states_swapped(e, W_fwd, W_bwd, h_fwd, h_bwd, t):
    return _meet(e, W_fwd, W_bwd, h_bwd[t - 1], h_fwd[t + 1])


@mistake(OF, "both states go through W_fwd: the backward state has its own matrix W_bwd")
def forward_matrix_for_both(e, W_fwd, W_bwd, h_fwd, h_bwd, t):
    return _meet(e, W_fwd, W_fwd, h_fwd[t - 1], h_bwd[t + 1])


@mistake(OF, "both states go through W_bwd: the forward state has its own matrix W_fwd")
def backward_matrix_for_both(e, W_fwd, W_bwd, h_fwd, h_bwd, t):
    return _meet(e, W_bwd, W_bwd, h_fwd[t - 1], h_bwd[t + 1])


@mistake(
    OF, "the matrices are added up and applied to the sum of the states: each matrix belongs to one state"
)
def matrices_summed(e, W_fwd, W_bwd, h_fwd, h_bwd, t):
    return torch.softmax(e @ ((W_fwd + W_bwd) @ (h_fwd[t - 1] + h_bwd[t + 1])), dim=0)


@mistake(OF, "the matrices are transposed: a score is e[w, I] W[I, J] h[J], which needs no transpose")
def matrices_transposed(e, W_fwd, W_bwd, h_fwd, h_bwd, t):
    return _meet(e, W_fwd.T, W_bwd.T, h_fwd[t - 1], h_bwd[t + 1])


@mistake(OF, "the matrices are missing: a score is e[w, I] W[I, J] h[J], and I and J need not agree")
def matrices_unused(e, W_fwd, W_bwd, h_fwd, h_bwd, t):
    return torch.softmax(e @ (h_fwd[t - 1] + h_bwd[t + 1]), dim=0)


# ---------------------------------------------------------------- how the two sides meet


@mistake(
    OF,
    "you averaged two softmaxes: add the scores of both sides first, then take one softmax",
    id="mixture_instead_of_product",
)
def mixture(e, W_fwd, W_bwd, h_fwd, h_bwd, t):
    left, right = _sides(e, W_fwd, W_bwd, h_fwd, h_bwd, t)
    return (torch.softmax(left, dim=0) + torch.softmax(right, dim=0)) / 2


@mistake(OF, "you added two softmaxes, which sum to 2: add the scores of both sides, then take one softmax")
def adds_two_softmaxes(e, W_fwd, W_bwd, h_fwd, h_bwd, t):
    left, right = _sides(e, W_fwd, W_bwd, h_fwd, h_bwd, t)
    return torch.softmax(left, dim=0) + torch.softmax(right, dim=0)


@mistake(OF, "you multiplied two softmaxes without normalising again: the result should sum to 1")
def product_not_normalised(e, W_fwd, W_bwd, h_fwd, h_bwd, t):
    left, right = _sides(e, W_fwd, W_bwd, h_fwd, h_bwd, t)
    return torch.softmax(left, dim=0) * torch.softmax(right, dim=0)


@mistake(OF, "you took the root of the product of two softmaxes: add the scores, then take one softmax")
def geometric_mean(e, W_fwd, W_bwd, h_fwd, h_bwd, t):
    left, right = _sides(e, W_fwd, W_bwd, h_fwd, h_bwd, t)
    return torch.exp((torch.log_softmax(left, dim=0) + torch.log_softmax(right, dim=0)) / 2)


@mistake(OF, "your softmax covers the forward score only: it should cover the sum of both scores")
def softmax_closed_too_early(e, W_fwd, W_bwd, h_fwd, h_bwd, t):
    left, right = _sides(e, W_fwd, W_bwd, h_fwd, h_bwd, t)
    return torch.softmax(left, dim=0) + right


@mistake(OF, "your softmax covers the backward score only: it should cover the sum of both scores")
def softmax_opened_too_late(e, W_fwd, W_bwd, h_fwd, h_bwd, t):
    left, right = _sides(e, W_fwd, W_bwd, h_fwd, h_bwd, t)
    return left + torch.softmax(right, dim=0)


@mistake(OF, "one softmax covers the 2·W scores of both sides: add the two scores of each word first")
def softmax_over_both_sides(e, W_fwd, W_bwd, h_fwd, h_bwd, t):
    return (
        torch.softmax(torch.stack(_sides(e, W_fwd, W_bwd, h_fwd, h_bwd, t)).flatten(), 0).view(2, -1).sum(0)
    )


@mistake(
    OF,
    "you multiplied the two transformed states entry by entry: add them, so that the scores add up",
    id="elementwise_product_of_contexts",
)
def product_of_contexts(e, W_fwd, W_bwd, h_fwd, h_bwd, t):
    return torch.softmax(e @ ((W_fwd @ h_fwd[t - 1]) * (W_bwd @ h_bwd[t + 1])), dim=0)


@mistake(OF, "you multiplied the two scores of each word: add them")
def product_of_scores(e, W_fwd, W_bwd, h_fwd, h_bwd, t):
    left, right = _sides(e, W_fwd, W_bwd, h_fwd, h_bwd, t)
    return torch.softmax(left * right, dim=0)


@mistake(OF, "you took the larger of the two scores: add them")
def maximum_of_scores(e, W_fwd, W_bwd, h_fwd, h_bwd, t):
    return torch.softmax(torch.maximum(*_sides(e, W_fwd, W_bwd, h_fwd, h_bwd, t)), dim=0)


@mistake(OF, "you averaged the two scores: add them")
def averages_scores(e, W_fwd, W_bwd, h_fwd, h_bwd, t):
    left, right = _sides(e, W_fwd, W_bwd, h_fwd, h_bwd, t)
    return torch.softmax((left + right) / 2, dim=0)


@mistake(OF, "there is an extra axis: the result is a vector with one probability a word, [W]")
def extra_axis(e, W_fwd, W_bwd, h_fwd, h_bwd, t):
    return blank_lm(e, W_fwd, W_bwd, h_fwd, h_bwd, t).unsqueeze(0)


@mistake(OF, "you subtracted the backward score: add it")
def subtracts_backward(e, W_fwd, W_bwd, h_fwd, h_bwd, t):
    left, right = _sides(e, W_fwd, W_bwd, h_fwd, h_bwd, t)
    return torch.softmax(left - right, dim=0)


@mistake(OF, "the scores are scaled by 1/√J: this model has no scaling")
def adds_sqrt_scaling(e, W_fwd, W_bwd, h_fwd, h_bwd, t):
    left, right = _sides(e, W_fwd, W_bwd, h_fwd, h_bwd, t)
    return torch.softmax((left + right) / math.sqrt(W_fwd.shape[1]), dim=0)


@mistake(OF, "the scores are scaled by 1/√I: this model has no scaling")
def scales_by_word_dim(e, W_fwd, W_bwd, h_fwd, h_bwd, t):
    left, right = _sides(e, W_fwd, W_bwd, h_fwd, h_bwd, t)
    return torch.softmax((left + right) / math.sqrt(e.shape[1]), dim=0)


@mistake(OF, "there is a tanh between the states and the word vectors: the scores are plain inner products")
def adds_tanh(e, W_fwd, W_bwd, h_fwd, h_bwd, t):
    return torch.softmax(e @ torch.tanh(W_fwd @ h_fwd[t - 1] + W_bwd @ h_bwd[t + 1]), dim=0)


@mistake(OF, "there is a ReLU between the states and the word vectors: the scores are plain inner products")
def adds_relu(e, W_fwd, W_bwd, h_fwd, h_bwd, t):
    return torch.softmax(e @ torch.relu(W_fwd @ h_fwd[t - 1] + W_bwd @ h_bwd[t + 1]), dim=0)


# ---------------------------------------------------------------- what is returned


@mistake(OF, "the softmax is missing: turn the scores into probabilities that sum to 1 over the words")
def missing_softmax(e, W_fwd, W_bwd, h_fwd, h_bwd, t):
    return sum(_sides(e, W_fwd, W_bwd, h_fwd, h_bwd, t))


@mistake(OF, "you returned the logarithms of the probabilities: return the probabilities")
def returns_log_probabilities(e, W_fwd, W_bwd, h_fwd, h_bwd, t):
    return torch.log_softmax(sum(_sides(e, W_fwd, W_bwd, h_fwd, h_bwd, t)), dim=0)


@mistake(OF, "a sigmoid judges each word on its own: take a softmax, so that the words share one probability")
def sigmoid_for_softmax(e, W_fwd, W_bwd, h_fwd, h_bwd, t):
    return torch.sigmoid(sum(_sides(e, W_fwd, W_bwd, h_fwd, h_bwd, t)))


@mistake(OF, "the exponentials are not normalised: divide by their sum over the words")
def missing_normaliser(e, W_fwd, W_bwd, h_fwd, h_bwd, t):
    return torch.exp(sum(_sides(e, W_fwd, W_bwd, h_fwd, h_bwd, t)))


@mistake(OF, "the scores are divided by their sum without an exponential: a softmax exponentiates first")
def normalises_without_exp(e, W_fwd, W_bwd, h_fwd, h_bwd, t):
    scores = sum(_sides(e, W_fwd, W_bwd, h_fwd, h_bwd, t))
    return scores / scores.sum()


@mistake(OF, "the softmax is taken twice: once is enough")
def softmax_twice(e, W_fwd, W_bwd, h_fwd, h_bwd, t):
    return torch.softmax(blank_lm(e, W_fwd, W_bwd, h_fwd, h_bwd, t), dim=0)


@mistake(OF, "the scores have the wrong sign: the better a word fits, the larger its probability")
def scores_negated(e, W_fwd, W_bwd, h_fwd, h_bwd, t):
    return torch.softmax(-sum(_sides(e, W_fwd, W_bwd, h_fwd, h_bwd, t)), dim=0)


@mistake(OF, "your softmax runs over an axis of length 1, so every entry is 1: it should run over the words")
def softmax_wrong_axis(e, W_fwd, W_bwd, h_fwd, h_bwd, t):
    return torch.softmax(sum(_sides(e, W_fwd, W_bwd, h_fwd, h_bwd, t))[None], dim=0)[0]


@mistake(OF, "you marked the likeliest word only: return the probabilities of all words")
def one_hot_of_the_best(e, W_fwd, W_bwd, h_fwd, h_bwd, t):
    scores = sum(_sides(e, W_fwd, W_bwd, h_fwd, h_bwd, t))
    return (scores == scores.max()).to(scores.dtype)


@mistake(OF, "the softmax overflows on large scores: subtract the largest score first, or call torch.softmax")
def softmax_overflows(e, W_fwd, W_bwd, h_fwd, h_bwd, t):
    weights = torch.exp(sum(_sides(e, W_fwd, W_bwd, h_fwd, h_bwd, t)))
    return weights / weights.sum()


slips = [
    slip(
        "blank_lm_equation",
        "states_see_the_word",
        "P(w_t | rest) = softmax_{w_t} [e[w_t,I] W_fwd[I,J] h_fwd[t,J] + e[w_t,I] W_bwd[I,J] h_bwd[t,J]]",
        "h_fwd[t] and h_bwd[t] have read the word that is to be predicted: use h_fwd[t-1] and h_bwd[t+1]",
    ),
    slip(
        "blank_lm_equation",
        "neighbours_swapped",
        "P(w_t | rest) = softmax_{w_t} [e[w_t,I] W_fwd[I,J] h_fwd[t+1,J] + e[w_t,I] W_bwd[I,J] h_bwd[t-1,J]]",
        "the neighbours are swapped: the forward state comes from the left, the backward state from the right",
    ),
    slip(
        "blank_lm_equation",
        "softmax_closed_early",
        "P(w_t | rest) = (softmax_{w_t} e[w_t,I] W_fwd[I,J] h_fwd[t-1,J]) + e[w_t,I] W_bwd[I,J] h_bwd[t+1,J]",
        "the softmax ends before the second score: it must cover the sum, or the result is no distribution",
    ),
    slip(
        "blank_lm_equation",
        "sum_of_softmaxes",
        "P(w_t | rest) = (softmax_{w_t} e[w_t,I] W_fwd[I,J] h_fwd[t-1,J]) "
        "+ (softmax_{w_t} e[w_t,I] W_bwd[I,J] h_bwd[t+1,J])",
        "two distributions are added, which gives 2 in total: add the scores, then take one softmax",
    ),
    slip(
        "blank_lm_equation",
        "no_softmax",
        "P(w_t | rest) = e[w_t,I] W_fwd[I,J] h_fwd[t-1,J] + e[w_t,I] W_bwd[I,J] h_bwd[t+1,J]",
        "these are scores: a softmax over w_t makes them a distribution",
    ),
    slip(
        "blank_lm_equation",
        "left_context_only",
        "P(w_t | rest) = softmax_{w_t} e[w_t,I] W_fwd[I,J] h_fwd[t-1,J]",
        "only the words before the blank are used: add the score of the backward state",
    ),
    slip(
        "blank_lm_equation",
        "word_vectors_match_states",
        "P(w_t | rest) = softmax_{w_t} [e[w_t,I] h_fwd[t-1,I] + e[w_t,I] h_bwd[t+1,I]]",
        "the word vectors need not be as long as the states: put W_fwd and W_bwd between them",
    ),
    slip(
        "blank_lm_equation",
        "one_matrix",
        "P(w_t | rest) = softmax_{w_t} [e[w_t,I] W_fwd[I,J] h_fwd[t-1,J] + e[w_t,I] W_fwd[I,J] h_bwd[t+1,J]]",
        "both directions use W_fwd: the backward state has its own matrix W_bwd",
    ),
    slip(
        "blank_lm_equation",
        "right_context_only",
        "P(w_t | rest) = softmax_{w_t} e[w_t,I] W_bwd[I,J] h_bwd[t+1,J]",
        "only the words after the blank are used: add the score of the forward state",
    ),
    slip(
        "blank_lm_equation",
        "matrices_swapped",
        "P(w_t | rest) = softmax_{w_t} [e[w_t,I] W_bwd[I,J] h_fwd[t-1,J] + e[w_t,I] W_fwd[I,J] h_bwd[t+1,J]]",
        "the matrices are swapped: W_fwd goes with the forward state, W_bwd with the backward one",
    ),
    slip(
        "blank_lm_equation",
        "average_of_softmaxes",
        "P(w_t | rest) = 1/2 (softmax_{w_t} e[w_t,I] W_fwd[I,J] h_fwd[t-1,J]) + 1/2 (softmax_{w_t} e[w_t,I] W_bwd[I,J] h_bwd[t+1,J])",
        "two distributions are averaged: add the scores, then take one softmax",
    ),
    slip(
        "blank_lm_equation",
        "product_of_scores",
        "P(w_t | rest) = softmax_{w_t} [(e[w_t,I] W_fwd[I,J] h_fwd[t-1,J]) (e[w_t,I] W_bwd[I,J] h_bwd[t+1,J])]",
        "the two scores are multiplied: add them",
    ),
    slip(
        "blank_lm_equation",
        "scores_subtracted",
        "P(w_t | rest) = softmax_{w_t} [e[w_t,I] W_fwd[I,J] h_fwd[t-1,J] - e[w_t,I] W_bwd[I,J] h_bwd[t+1,J]]",
        "the backward score is subtracted: add it",
    ),
]
