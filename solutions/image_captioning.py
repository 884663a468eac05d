"""Image captioning, answered, with the mistakes that must be caught."""

import torch

from autograder import key, mistake, slips_of


def caption_step(h_prev, M, W_key, W_auto, e, w_t, cell):
    P = torch.softmax(e @ (W_auto @ h_prev), dim=0)
    scores = M @ (h_prev @ W_key)
    # One softmax over the whole grid: flatten it, and give it its two axes again.
    alpha = torch.softmax(scores.flatten(), dim=0).view_as(scores)
    V = torch.einsum("xy,xyk->k", alpha, M)
    h_t = cell(h_prev, V, e[w_t])
    return P, alpha, V, h_t


caption_equations = key(
    """P(w_t | w_1, ..., w_{t-1}) = softmax_{w_t} e[w_t,I] W_auto[I,J] h[t-1,J]
alpha[x,y] = softmax_{x,y} h[t-1,J] W_key[J,K] M[x,y,K]
V[K] = sum_{x,y} alpha[x,y] M[x,y,K]
h[t,J] = CELL(h[t-1,J], V[K], e[w_t,I])"""
)


def _scores(h_prev, M, W_key):
    return M @ (h_prev @ W_key)


def _words(h, W_auto, e):
    return torch.softmax(e @ (W_auto @ h), dim=0)


def _grid(scores):
    return torch.softmax(scores.flatten(), dim=0).view_as(scores)


def _step(h_prev, M, W_auto, e, w_t, cell, alpha):
    """The step with these weights and all else right."""
    V = torch.einsum("xy,xyk->k", alpha, M)
    return _words(h_prev, W_auto, e), alpha, V, cell(h_prev, V, e[w_t])


def _summed(h_prev, M, W_key, W_auto, e, w_t, cell, V):
    """The step with this summary of the image and all else right."""
    return _words(h_prev, W_auto, e), _grid(_scores(h_prev, M, W_key)), V, cell(h_prev, V, e[w_t])


def _summary(h_prev, M, W_key):
    return torch.einsum("xy,xyk->k", _grid(_scores(h_prev, M, W_key)), M)


OF = "caption_step"


# ---------------------------------------------------------------- the attention weights


@mistake(
    OF,
    "your softmax runs over y alone: the weights of the whole grid, x and y together, should sum to 1",
)
def softmax_over_one_spatial_axis(h_prev, M, W_key, W_auto, e, w_t, cell):
    return _step(h_prev, M, W_auto, e, w_t, cell, torch.softmax(_scores(h_prev, M, W_key), dim=1))


@mistake(
    OF,
    "your softmax runs over x alone: the weights of the whole grid, x and y together, should sum to 1",
)
def softmax_over_x_only(h_prev, M, W_key, W_auto, e, w_t, cell):
    return _step(h_prev, M, W_auto, e, w_t, cell, torch.softmax(_scores(h_prev, M, W_key), dim=0))


@mistake(
    OF,
    "every place has the same weight 1/(X·Y): a softmax over the channels does that; score each place, then take one softmax over all places",
)
def softmax_wrong_axis(h_prev, M, W_key, W_auto, e, w_t, cell):
    return _step(h_prev, M, W_auto, e, w_t, cell, _grid(0 * _scores(h_prev, M, W_key)))


@mistake(OF, "every place has weight 1: a softmax over an axis of length 1 does that; take it over x and y")
def all_weights_one(h_prev, M, W_key, W_auto, e, w_t, cell):
    return _step(h_prev, M, W_auto, e, w_t, cell, torch.ones_like(_scores(h_prev, M, W_key)))


@mistake(
    OF, "each channel has a softmax of its own: sum over the channels first, then one softmax over x and y"
)
def softmax_for_each_channel(h_prev, M, W_key, W_auto, e, w_t, cell):
    weights = torch.softmax((M * (h_prev @ W_key)).flatten(0, 1), dim=0).view_as(M)
    return _step(h_prev, M, W_auto, e, w_t, cell, weights.mean(-1))


@mistake(
    OF,
    "your softmax runs over places and channels: sum over the channels first, then one softmax over x and y",
)
def softmax_over_places_and_channels(h_prev, M, W_key, W_auto, e, w_t, cell):
    weights = torch.softmax((M * (h_prev @ W_key)).flatten(), dim=0).view_as(M)
    return _step(h_prev, M, W_auto, e, w_t, cell, weights.sum(-1))


@mistake(
    OF, "your weights are a softmax over x times a softmax over y: take one softmax over all pairs (x, y)"
)
def product_of_softmaxes(h_prev, M, W_key, W_auto, e, w_t, cell):
    scores = _scores(h_prev, M, W_key)
    return _step(h_prev, M, W_auto, e, w_t, cell, torch.softmax(scores, dim=0) * torch.softmax(scores, dim=1))


@mistake(OF, "you took a softmax over x and then another over y: take one softmax over all pairs (x, y)")
def softmax_x_then_y(h_prev, M, W_key, W_auto, e, w_t, cell):
    alpha = torch.softmax(torch.softmax(_scores(h_prev, M, W_key), dim=0), dim=1)
    return _step(h_prev, M, W_auto, e, w_t, cell, alpha)


@mistake(OF, "you took a softmax over y and then another over x: take one softmax over all pairs (x, y)")
def softmax_y_then_x(h_prev, M, W_key, W_auto, e, w_t, cell):
    alpha = torch.softmax(torch.softmax(_scores(h_prev, M, W_key), dim=1), dim=0)
    return _step(h_prev, M, W_auto, e, w_t, cell, alpha)


@mistake(OF, "your weights are a softmax over y divided by X: take one softmax over all pairs (x, y)")
def softmax_over_y_divided_by_rows(h_prev, M, W_key, W_auto, e, w_t, cell):
    alpha = torch.softmax(_scores(h_prev, M, W_key), dim=1) / M.shape[0]
    return _step(h_prev, M, W_auto, e, w_t, cell, alpha)


@mistake(OF, "the softmax of the attention is missing: the scores themselves were used as weights")
def missing_softmax(h_prev, M, W_key, W_auto, e, w_t, cell):
    return _step(h_prev, M, W_auto, e, w_t, cell, _scores(h_prev, M, W_key))


@mistake(OF, "the weights come from a sigmoid: they should come from a softmax over x and y")
def sigmoid_for_softmax(h_prev, M, W_key, W_auto, e, w_t, cell):
    return _step(h_prev, M, W_auto, e, w_t, cell, torch.sigmoid(_scores(h_prev, M, W_key)))


@mistake(OF, "the scores are divided by their sum without an exponential: a softmax exponentiates first")
def normalises_without_exp(h_prev, M, W_key, W_auto, e, w_t, cell):
    scores = _scores(h_prev, M, W_key)
    return _step(h_prev, M, W_auto, e, w_t, cell, scores / scores.sum())


@mistake(OF, "the exponentials of the scores are not normalised: divide by their sum over x and y")
def missing_normaliser(h_prev, M, W_key, W_auto, e, w_t, cell):
    return _step(h_prev, M, W_auto, e, w_t, cell, torch.exp(_scores(h_prev, M, W_key)))


@mistake(OF, "only the best-fitting place is taken: average all places with the softmax weights")
def hard_attention(h_prev, M, W_key, W_auto, e, w_t, cell):
    scores = _scores(h_prev, M, W_key)
    return _step(h_prev, M, W_auto, e, w_t, cell, (scores == scores.max()).to(scores.dtype))


@mistake(OF, "the attention scores have the wrong sign: the better a place fits, the larger its weight")
def scores_negated(h_prev, M, W_key, W_auto, e, w_t, cell):
    return _step(h_prev, M, W_auto, e, w_t, cell, _grid(-_scores(h_prev, M, W_key)))


@mistake(OF, "the key matrix is transposed: a score is h[J] W_key[J, K] M[x, y, K]")
def key_matrix_transposed(h_prev, M, W_key, W_auto, e, w_t, cell):
    return _step(h_prev, M, W_auto, e, w_t, cell, _grid(M @ (W_key @ h_prev)))


@mistake(
    OF, "the scores come from the word w_t: the state h_prev looks at the image, before the word is read"
)
def query_from_word(h_prev, M, W_key, W_auto, e, w_t, cell):
    return _step(h_prev, M, W_auto, e, w_t, cell, _grid(_scores(e[w_t] @ W_auto, M, W_key)))


@mistake(
    OF,
    "the weights end up at the wrong places: flatten the grid and part it again in the same order, x then y",
)
def weights_misplaced(h_prev, M, W_key, W_auto, e, w_t, cell):
    scores = _scores(h_prev, M, W_key)
    return _step(h_prev, M, W_auto, e, w_t, cell, _grid(scores.T.reshape(scores.shape)))


# ---------------------------------------------------------------- the summary of the image


@mistake(OF, "V is the plain average of the image: weigh the places by alpha")
def average_pooling(h_prev, M, W_key, W_auto, e, w_t, cell):
    return _summed(h_prev, M, W_key, W_auto, e, w_t, cell, M.mean((0, 1)))


@mistake(OF, "V is the plain sum of the image: weigh the places by alpha")
def sum_pooling(h_prev, M, W_key, W_auto, e, w_t, cell):
    return _summed(h_prev, M, W_key, W_auto, e, w_t, cell, M.sum((0, 1)))


@mistake(OF, "V is the largest value of each channel: sum the places, weighed by alpha")
def max_pooling(h_prev, M, W_key, W_auto, e, w_t, cell):
    return _summed(h_prev, M, W_key, W_auto, e, w_t, cell, M.amax((0, 1)))


@mistake(OF, "V is the feature vector of the best place alone: sum all places, weighed by alpha")
def takes_best_place(h_prev, M, W_key, W_auto, e, w_t, cell):
    V = M.flatten(0, 1)[_scores(h_prev, M, W_key).argmax()]
    return _summed(h_prev, M, W_key, W_auto, e, w_t, cell, V)


@mistake(OF, "V is divided by the number of places: the weights sum to 1 already, so only sum")
def mean_of_weighted_places(h_prev, M, W_key, W_auto, e, w_t, cell):
    V = _summary(h_prev, M, W_key) / (M.shape[0] * M.shape[1])
    return _summed(h_prev, M, W_key, W_auto, e, w_t, cell, V)


@mistake(OF, "V is weighed with the scores: weigh the places by alpha, after the softmax")
def scores_used_as_weights(h_prev, M, W_key, W_auto, e, w_t, cell):
    V = torch.einsum("xy,xyk->k", _scores(h_prev, M, W_key), M)
    return _summed(h_prev, M, W_key, W_auto, e, w_t, cell, V)


@mistake(OF, "alpha is transposed when it weighs the image: weight (x, y) belongs to place (x, y)")
def attention_transposed(h_prev, M, W_key, W_auto, e, w_t, cell):
    V = torch.einsum("yx,xyk->k", _grid(_scores(h_prev, M, W_key)), M)
    return _summed(h_prev, M, W_key, W_auto, e, w_t, cell, V)


@mistake(OF, "V sums the keys W_key M: sum the features M themselves, weighed by alpha")
def keys_used_as_values(h_prev, M, W_key, W_auto, e, w_t, cell):
    V = W_key @ _summary(h_prev, M, W_key)
    return _summed(h_prev, M, W_key, W_auto, e, w_t, cell, V)


# ---------------------------------------------------------------- the word


@mistake(OF, "the softmax of P is missing: turn the scores of the words into probabilities")
def word_softmax_missing(h_prev, M, W_key, W_auto, e, w_t, cell):
    return e @ (W_auto @ h_prev), *caption_step(h_prev, M, W_key, W_auto, e, w_t, cell)[1:]


@mistake(OF, "P holds logarithms of probabilities: return the probabilities")
def returns_log_probabilities(h_prev, M, W_key, W_auto, e, w_t, cell):
    P = torch.log_softmax(e @ (W_auto @ h_prev), dim=0)
    return P, *caption_step(h_prev, M, W_key, W_auto, e, w_t, cell)[1:]


@mistake(OF, "P comes from a sigmoid: take a softmax over the words, so that they share one probability")
def word_sigmoid_for_softmax(h_prev, M, W_key, W_auto, e, w_t, cell):
    return torch.sigmoid(e @ (W_auto @ h_prev)), *caption_step(h_prev, M, W_key, W_auto, e, w_t, cell)[1:]


@mistake(OF, "W_auto is transposed: a word's score is e[w, I] W_auto[I, J] h[J]")
def word_matrix_transposed(h_prev, M, W_key, W_auto, e, w_t, cell):
    return _words(h_prev, W_auto.T, e), *caption_step(h_prev, M, W_key, W_auto, e, w_t, cell)[1:]


@mistake(OF, "P is the probability of w_t alone: return the probabilities of all words")
def probability_of_one_word(h_prev, M, W_key, W_auto, e, w_t, cell):
    P, *rest = caption_step(h_prev, M, W_key, W_auto, e, w_t, cell)
    return P[w_t], *rest


# ---------------------------------------------------------------- the next state


@mistake(
    OF,
    "the cell reads the word after w_t in the vocabulary: words are numbered from 0, so the word is e[w_t]",
)
def word_one_too_far(h_prev, M, W_key, W_auto, e, w_t, cell):
    P, alpha, V, _ = caption_step(h_prev, M, W_key, W_auto, e, w_t, cell)
    return P, alpha, V, cell(h_prev, V, e[w_t + 1])


@mistake(OF, "the cell reads the average word under P: it should read the word that was written, e[w_t]")
def reads_expected_word(h_prev, M, W_key, W_auto, e, w_t, cell):
    P, alpha, V, _ = caption_step(h_prev, M, W_key, W_auto, e, w_t, cell)
    return P, alpha, V, cell(h_prev, V, P @ e)


@mistake(OF, "the cell reads the likeliest word: it should read the word that was written, e[w_t]")
def reads_likeliest_word(h_prev, M, W_key, W_auto, e, w_t, cell):
    P, alpha, V, _ = caption_step(h_prev, M, W_key, W_auto, e, w_t, cell)
    return P, alpha, V, cell(h_prev, V, e[P.argmax()])


@mistake(OF, "the cell does not see the image: its second argument is V")
def image_not_read(h_prev, M, W_key, W_auto, e, w_t, cell):
    P, alpha, V, _ = caption_step(h_prev, M, W_key, W_auto, e, w_t, cell)
    return P, alpha, V, cell(h_prev, torch.zeros_like(V), e[w_t])


@mistake(OF, "V and the word are swapped in the cell: call cell(h_prev, V, e[w_t])")
def cell_swaps_image_and_word(h_prev, M, W_key, W_auto, e, w_t, cell):
    P, alpha, V, _ = caption_step(h_prev, M, W_key, W_auto, e, w_t, cell)
    return P, alpha, V, cell(h_prev, e[w_t], V)


@mistake(OF, "the state and V are swapped in the cell: call cell(h_prev, V, e[w_t])")
def cell_swaps_state_and_image(h_prev, M, W_key, W_auto, e, w_t, cell):
    P, alpha, V, _ = caption_step(h_prev, M, W_key, W_auto, e, w_t, cell)
    return P, alpha, V, cell(V, h_prev, e[w_t])


# ---------------------------------------------------------------- what is returned


@mistake(OF, "the new state is returned first: return P, alpha, V, h_t")
def new_state_first(h_prev, M, W_key, W_auto, e, w_t, cell):
    P, alpha, V, h_t = caption_step(h_prev, M, W_key, W_auto, e, w_t, cell)
    return h_t, P, alpha, V


@mistake(OF, "alpha holds the scores: return the weights, after the softmax")
def returns_scores(h_prev, M, W_key, W_auto, e, w_t, cell):
    P, _, V, h_t = caption_step(h_prev, M, W_key, W_auto, e, w_t, cell)
    return P, _scores(h_prev, M, W_key), V, h_t


@mistake(OF, "the softmax over the words overflows: subtract the largest score first, or call torch.softmax")
def word_softmax_overflows(h_prev, M, W_key, W_auto, e, w_t, cell):
    weights = torch.exp(e @ (W_auto @ h_prev))
    return weights / weights.sum(), *caption_step(h_prev, M, W_key, W_auto, e, w_t, cell)[1:]


@mistake(OF, "the softmax over the places overflows: subtract the largest score first, or call torch.softmax")
def attention_softmax_overflows(h_prev, M, W_key, W_auto, e, w_t, cell):
    weights = torch.exp(_scores(h_prev, M, W_key))
    return _step(h_prev, M, W_auto, e, w_t, cell, weights / weights.sum())


@mistake(
    OF, "both softmaxes overflow on large scores: subtract the largest score first, or call torch.softmax"
)
def softmax_overflows(h_prev, M, W_key, W_auto, e, w_t, cell):
    P = word_softmax_overflows.answer(h_prev, M, W_key, W_auto, e, w_t, cell)[0]
    return P, *attention_softmax_overflows.answer(h_prev, M, W_key, W_auto, e, w_t, cell)[1:]


slips = [
    *slips_of(
        "caption_equations",
        {
            "product_of_softmaxes": (
                "alpha[x,y] = (softmax_x h[t-1,J] W_key[J,K] M[x,y,K]) (softmax_y h[t-1,J] W_key[J,K] M[x,y,K])",
                "a product of a softmax over x and one over y is no distribution over the image: one softmax runs over x and y together",
            ),
            "attention_from_present_state": (
                "alpha[x,y] = softmax_{x,y} h[t,J] W_key[J,K] M[x,y,K]",
                "h[t] is not known yet when the attention is computed: use h[t-1]",
            ),
            "average_pooling": (
                "V[K] = (1/(X Y)) sum_{x,y} M[x,y,K]",
                "this is the average of the image: weigh each position by alpha[x,y]",
            ),
            "word_from_present_state": (
                "P(w_t | w_1, ..., w_{t-1}) = softmax_{w_t} e[w_t,I] W_auto[I,J] h[t,J]",
                "h[t] has already read w_t: predict it from h[t-1]",
            ),
            "previous_word_consumed": (
                "h[t,J] = CELL(h[t-1,J], V[K], e[w_{t-1},I])",
                "the cell at t reads the word w_t, not the one before it",
            ),
            "state_feeds_itself": (
                "h[t,J] = CELL(h[t,J], V[K], e[w_t,I])",
                "h[t] is defined by itself: the cell takes h[t-1]",
            ),
            "scaled_scores": (
                "alpha[x,y] = softmax_{x,y} [h[t-1,J] W_key[J,K] M[x,y,K] / sqrt(K)]",
                "these equations have no 1/sqrt(K)",
            ),
            "features_in_the_states_size": (
                "alpha[x,y] = softmax_{x,y} h[t-1,J] W_key[J,J] M[x,y,J]",
                "the features have K channels and the key matrix is W_key[J,K]: the state has size J, the image K",
            ),
        },
    ),
]
