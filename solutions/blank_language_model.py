"""Blank language modelling, answered, with the mistakes that must be caught."""

import torch

from autograder import key, mistake, slips_of


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


@mistake(OF, "the states are one step too far away: take h_fwd[t − 1] and h_bwd[t + 1]")
def skips_a_word_each_side(e, W_fwd, W_bwd, h_fwd, h_bwd, t):
    return _meet(e, W_fwd, W_bwd, h_fwd[t - 2], h_bwd[t + 2])


@mistake(OF, "the backward state is one step too far away: take h_bwd[t + 1]")
def backward_state_too_late(e, W_fwd, W_bwd, h_fwd, h_bwd, t):
    return _meet(e, W_fwd, W_bwd, h_fwd[t - 1], h_bwd[t + 2])


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


@mistake(OF, "you multiplied the two scores of each word: add them")
def product_of_scores(e, W_fwd, W_bwd, h_fwd, h_bwd, t):
    left, right = _sides(e, W_fwd, W_bwd, h_fwd, h_bwd, t)
    return torch.softmax(left * right, dim=0)


@mistake(OF, "you took the larger of the two scores: add them")
def maximum_of_scores(e, W_fwd, W_bwd, h_fwd, h_bwd, t):
    return torch.softmax(torch.maximum(*_sides(e, W_fwd, W_bwd, h_fwd, h_bwd, t)), dim=0)


@mistake(OF, "there is a tanh between the states and the word vectors: the scores are plain inner products")
def adds_tanh(e, W_fwd, W_bwd, h_fwd, h_bwd, t):
    return torch.softmax(e @ torch.tanh(W_fwd @ h_fwd[t - 1] + W_bwd @ h_bwd[t + 1]), dim=0)


@mistake(OF, "there is a ReLU between the states and the word vectors: the scores are plain inner products")
def adds_relu(e, W_fwd, W_bwd, h_fwd, h_bwd, t):
    return torch.softmax(e @ torch.relu(W_fwd @ h_fwd[t - 1] + W_bwd @ h_bwd[t + 1]), dim=0)


# ---------------------------------------------------------------- what is returned


@mistake(OF, "your softmax runs over an axis of length 1, so every entry is 1: it should run over the words")
def softmax_wrong_axis(e, W_fwd, W_bwd, h_fwd, h_bwd, t):
    return torch.softmax(sum(_sides(e, W_fwd, W_bwd, h_fwd, h_bwd, t))[None], dim=0)[0]


@mistake(OF, "you marked the likeliest word only: return the probabilities of all words")
def one_hot_of_the_best(e, W_fwd, W_bwd, h_fwd, h_bwd, t):
    scores = sum(_sides(e, W_fwd, W_bwd, h_fwd, h_bwd, t))
    return (scores == scores.max()).to(scores.dtype)


slips = [
    *slips_of(
        "blank_lm_equation",
        {
            "states_see_the_word": (
                "P(w_t | rest) = softmax_{w_t} [e[w_t,I] W_fwd[I,J] h_fwd[t,J] + e[w_t,I] W_bwd[I,J] h_bwd[t,J]]",
                "h_fwd[t] and h_bwd[t] have read the word that is to be predicted: use h_fwd[t-1] and h_bwd[t+1]",
            ),
            "neighbours_swapped": (
                "P(w_t | rest) = softmax_{w_t} [e[w_t,I] W_fwd[I,J] h_fwd[t+1,J] + e[w_t,I] W_bwd[I,J] h_bwd[t-1,J]]",
                "the neighbours are swapped: the forward state comes from the left, the backward state from the right",
            ),
            "sum_of_softmaxes": (
                "P(w_t | rest) = (softmax_{w_t} e[w_t,I] W_fwd[I,J] h_fwd[t-1,J]) + (softmax_{w_t} e[w_t,I] W_bwd[I,J] h_bwd[t+1,J])",
                "two distributions are added, which gives 2 in total: add the scores, then take one softmax",
            ),
            "word_vectors_match_states": (
                "P(w_t | rest) = softmax_{w_t} [e[w_t,I] h_fwd[t-1,I] + e[w_t,I] h_bwd[t+1,I]]",
                "the word vectors need not be as long as the states: put W_fwd and W_bwd between them",
            ),
            "average_of_softmaxes": (
                "P(w_t | rest) = 1/2 (softmax_{w_t} e[w_t,I] W_fwd[I,J] h_fwd[t-1,J]) + 1/2 (softmax_{w_t} e[w_t,I] W_bwd[I,J] h_bwd[t+1,J])",
                "two distributions are averaged: add the scores, then take one softmax",
            ),
            "product_of_scores": (
                "P(w_t | rest) = softmax_{w_t} [(e[w_t,I] W_fwd[I,J] h_fwd[t-1,J]) (e[w_t,I] W_bwd[I,J] h_bwd[t+1,J])]",
                "the two scores are multiplied: add them",
            ),
        },
    ),
]
