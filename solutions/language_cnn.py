"""Language CNNs, answered, with the mistakes that must be caught."""

import torch
import torch.nn.functional as F

from autograder import Reading, key, mistake, slips_of

# ---------------------------------------------------------------- layer 0


def language_cnn_embed(e, w):
    return e[w]


embedding_equation = key("L_0[b,t,i] = e[w[b,t],i]")

EMBED = "language_cnn_embed"


@mistake(EMBED, "the whole vocabulary is returned for each sentence: pick the rows that w names")
def whole_vocabulary(e, w):
    return e.expand(w.shape[0], -1, -1)


@mistake(
    EMBED,
    "the one-hot words meet the transposed table: multiply them by e itself, whose rows are the words' vectors",
)
def one_hot_meets_transposed_table(e, w):
    return F.one_hot(w, e.shape[0]).to(e.dtype) @ e.T


@mistake(EMBED, "the words are one-hot vectors still: multiply them by e, or index e with w")
def one_hot_returned(e, w):
    return F.one_hot(w, e.shape[0]).to(e.dtype)


@mistake(EMBED, "the numbers of the words are returned: look up their vectors in e")
def word_numbers_returned(e, w):
    return w.unsqueeze(-1).expand(*w.shape, e.shape[1]).to(e.dtype)


@mistake(EMBED, "word 0 is treated as padding: it is a word like any other, and has row 0 of e")
def word_zero_as_padding(e, w):
    return e[w] * (w != 0).unsqueeze(-1)


@mistake(EMBED, "the position is added to the vector of the word: layer 0 is the word's row of e alone")
def positions_added(e, w):
    return e[w] + torch.arange(w.shape[1], dtype=e.dtype).unsqueeze(1)


@mistake(EMBED, "long vectors are cut down to length 1 (max_norm): layer 0 holds the rows of e as they are")
def vectors_clipped(e, w):
    return e[w] / e[w].norm(dim=-1, keepdim=True).clamp(min=1)


# ---------------------------------------------------------------- a stride-2 layer


def language_cnn_layer(L, W, B, sigma):
    windows = L.unfold(1, W.shape[0], 2)  # [b, windows, C, D]
    return sigma(torch.einsum("btcd,dci->bti", windows, W) - B)


layer_equation = key("L_{l+1}[b,t,i] = sigma(sum_{dt,i'} W_{l+1}[dt,i',i] L_l[b,2t+dt,i'] - B_{l+1}[i])")


def _cnn(x, W, B):
    """x[b, C, T]  W[L, C, C, D]  B[L, C]   returns [b, C, T]"""
    for weight, bias in zip(W, B, strict=True):
        x = torch.relu(F.conv1d(x, weight, -bias, stride=2, padding=weight.shape[-1] // 2))
    return x


def _rnn(x, W, U):
    """x[T, J]  W[J, J]  U[J, J]   returns [J]"""
    state = torch.zeros(len(W))
    for word in x:
        state = torch.tanh(W @ word + U @ state)
    return state


def _deep_rnn(x, W, U):
    """x[T, J]  W[L, J, J]  U[L, J, J]   returns [J]"""
    states = [torch.zeros(x.shape[1]) for _ in W]
    for word in x:
        below = word
        for layer, (w, u) in enumerate(zip(W, U, strict=True)):
            states[layer] = below = torch.tanh(w @ below + u @ states[layer])
    return below


cnn_time = key("O(L)", measured=_cnn)
rnn_time = key(
    "O(T)",
    Reading(
        "O(T + L)",
        says="right for L layers, which work as a pipeline; a single layer takes O(T)",
        measured=_deep_rnn,
    ),
    measured=_rnn,
)

LAYER = "language_cnn_layer"


def _sums(L, W, **settings):
    """The sums of all windows, before bias and activation, as [b, windows, I]."""
    return F.conv1d(L.mT, W.permute(2, 1, 0), **({"stride": 2} | settings)).mT


@mistake(
    LAYER, "the bias is added: in this layer it is a threshold, and is subtracted (conv1d adds its bias)"
)
def bias_added(L, W, B, sigma):
    return sigma(_sums(L, W) + B)


@mistake(LAYER, "the bias is added after the activation: it is subtracted inside, σ(sum − B)")
def bias_added_outside(L, W, B, sigma):
    return sigma(_sums(L, W)) + B


@mistake(LAYER, "the bias varies over the batch: it is B[i] for output i, the same for every sentence")
def bias_over_batch(L, W, B, sigma):
    return sigma(_sums(L, W) - B[:, None, None])


@mistake(
    LAYER,
    "the bias is subtracted in every term: it stands outside the sum over Δt and i′, and is subtracted once",
)
def bias_inside_sum(L, W, B, sigma):
    return sigma(_sums(L, W) - W.shape[0] * W.shape[1] * B)


@mistake(LAYER, "the activation is applied twice: once is enough")
def activation_twice(L, W, B, sigma):
    return sigma(sigma(_sums(L, W) - B))


@mistake(LAYER, "the activation is applied to the input: it comes last, on the sum minus the bias")
def activation_on_input(L, W, B, sigma):
    return _sums(sigma(L), W) - B


@mistake(
    LAYER, "the activation is applied to each Δt by itself: sum over the window first, then apply σ once"
)
def activation_inside_sum(L, W, B, sigma):
    windows = L.unfold(1, W.shape[0], 2)
    return sigma(torch.einsum("btcd,dci->btdi", windows, W)).sum(2) - B


@mistake(
    LAYER,
    "bias and activation are applied to each Δt by itself: sum over the window first, then subtract B and "
    "apply σ once",
)
def activation_and_bias_inside_sum(L, W, B, sigma):
    windows = L.unfold(1, W.shape[0], 2)
    return sigma(torch.einsum("btcd,dci->btdi", windows, W) - B).sum(2)


@mistake(LAYER, "the sign is turned round: subtract the bias from the sum, not the sum from the bias")
def result_negated(L, W, B, sigma):
    return sigma(B - _sums(L, W))


@mistake(
    LAYER,
    "all windows are computed and the largest of each pair kept: that is pooling; stride 2 skips every other window",
)
def max_pooling_instead_of_stride(L, W, B, sigma):
    return F.max_pool1d(sigma(_sums(L, W, stride=1) - B).mT, 2).mT


@mistake(
    LAYER, "all windows are computed and pairs averaged: that is pooling; stride 2 skips every other window"
)
def mean_pooling_instead_of_stride(L, W, B, sigma):
    return F.avg_pool1d(sigma(_sums(L, W, stride=1) - B).mT, 2).mT


@mistake(
    LAYER,
    "half as many outputs as positions are computed: only the windows that fit count, (T − D)//2 + 1 of them",
)
def half_as_many_windows(L, W, B, sigma):
    starts = range(0, L.shape[1] // 2 * 2, 2)
    windows = torch.stack([L[:, [t + dt for dt in range(W.shape[0])]] for t in starts], dim=1)
    return sigma(torch.einsum("btdc,dci->bti", windows, W) - B)


@mistake(
    LAYER,
    "T//2 outputs are computed, with zeros past the end of the sentence: only the windows that fit count, "
    "(T − D)//2 + 1 of them",
)
def half_as_many_windows_padded(L, W, B, sigma):
    return sigma(_sums(F.pad(L, (0, 0, 0, W.shape[0])), W)[:, : L.shape[1] // 2] - B)


@mistake(LAYER, "a last window that sticks out is filled up with a zero: only windows that fit count")
def partial_window_kept(L, W, B, sigma):
    return sigma(_sums(F.pad(L, (0, 0, 0, (L.shape[1] - W.shape[0]) % 2)), W) - B)


@mistake(LAYER, "only the first position of each window is read: sum over all Δt = 0, …, D − 1")
def only_first_tap(L, W, B, sigma):
    starts = L[:, : L.shape[1] - W.shape[0] + 1]
    return sigma(_sums(starts, W[:1]) - B)


@mistake(LAYER, "the last position of each window is left out: Δt runs from 0 to D − 1")
def last_tap_missing(L, W, B, sigma):
    kept = torch.cat([W[:-1], torch.zeros_like(W[-1:])])
    return sigma(_sums(L, kept) - B)


@mistake(LAYER, "the window is averaged: the layer sums over Δt, it does not divide by D")
def window_averaged(L, W, B, sigma):
    return sigma(_sums(L, W) / W.shape[0] - B)


@mistake(
    LAYER, "the sum is divided by its number of terms: the layer sums over Δt and i′, it does not average"
)
def terms_averaged(L, W, B, sigma):
    return sigma(_sums(L, W) / (W.shape[0] * W.shape[1]) - B)


@mistake(
    LAYER,
    "W's input and output index are exchanged: in W[Δt, i′, i] the second is summed over, the third is the output's",
)
def channels_swapped(L, W, B, sigma):
    return sigma(_sums(L, W.mT) - B)


@mistake(
    LAYER,
    "W's window index and input index are exchanged: W[Δt, i′, i] has the window first; conv1d wants W.permute(2, 1, 0)",
)
def window_and_input_swapped(L, W, B, sigma):
    return sigma(_sums(L, W.transpose(0, 1)) - B)


@mistake(
    LAYER, "W's axes are in the wrong order for conv1d: it wants [output, input, window], W.permute(2, 1, 0)"
)
def weights_rotated(L, W, B, sigma):
    return sigma(F.conv1d(L.mT, W, stride=2).mT - B)


@mistake(
    LAYER,
    "the convolution runs along the numbers of a position: it runs along the sentence; conv1d wants [b, C, T]",
)
def convolves_wrong_axis(L, W, B, sigma):
    return sigma(F.conv1d(L, W.permute(2, 1, 0), stride=2).mT - B)


# ---------------------------------------------------------------- slips in the written answers

slips = [
    *slips_of(
        "embedding_equation",
        {
            "summed_over_time": (
                "L_0[b,t,i] = sum_t e[w[b,t],i]",
                "the sum over t makes one vector of the whole sentence: each position keeps its own",
            ),
            "batch_forgotten": (
                "L_0[b,t,i] = e[w[t],i]",
                "w needs the sentence as well as the position: w[b,t]",
            ),
            "word_itself": ("L_0[b,t,i] = w[b,t,i]", "w holds words, not vectors: look the word up in e"),
            "summed_over_the_batch": (
                "L_0[b,t,i] = sum_b e[w[b,t],i]",
                "the sum over b mixes all sentences of the batch: each keeps its own",
            ),
        },
    ),
    *slips_of(
        "layer_equation",
        {
            "bias_added": (
                "L_{l+1}[b,t,i] = sigma(sum_{dt,i'} W_{l+1}[dt,i',i] L_l[b,2t+dt,i'] + B_{l+1}[i])",
                "the bias is added: here it is a threshold, which is subtracted",
            ),
            "dilation_for_stride": (
                "L_{l+1}[b,t,i] = sigma(sum_{dt,i'} W_{l+1}[dt,i',i] L_l[b,t+2dt,i'] - B_{l+1}[i])",
                "this doubles the step inside the window (a dilation): the stride doubles t",
            ),
            "window_doubled_too": (
                "L_{l+1}[b,t,i] = sigma(sum_{dt,i'} W_{l+1}[dt,i',i] L_l[b,2t+2dt,i'] - B_{l+1}[i])",
                "only t is doubled; the window itself has step 1",
            ),
            "window_reversed": (
                "L_{l+1}[b,t,i] = sigma(sum_{dt,i'} W_{l+1}[dt,i',i] L_l[b,2t-dt,i'] - B_{l+1}[i])",
                "the window runs backwards: read 2t+dt",
            ),
            "bias_in_every_term": (
                "L_{l+1}[b,t,i] = sigma(sum_{dt,i'} (W_{l+1}[dt,i',i] L_l[b,2t+dt,i'] - B_{l+1}[i]))",
                "the bias is subtracted once for each term of the sum: subtract it once, after the sum",
            ),
            "batch_forgotten": (
                "L_{l+1}[b,t,i] = sigma(sum_{dt,i'} W_{l+1}[dt,i',i] L_l[2t+dt,i'] - B_{l+1}[i])",
                "L_l has lost its batch index: write L_l[b,2t+dt,i']",
            ),
        },
    ),
    *slips_of(
        "cnn_time",
        {
            "positions_one_after_another": (
                "O(T L)",
                "the positions of a layer do not wait for one another: a layer takes O(1), whatever T is",
            ),
            "time_of_an_rnn": (
                "O(T)",
                "no position waits for the one before it; what waits is each layer, for the layer below",
            ),
            "adds_length": (
                "O(T + L)",
                "the length adds nothing: all positions of a layer are computed at once",
            ),
            "layers_to_one_position": (
                "O(log T)",
                "that is the number of layers if they halve the sentence down to one position; with L layers the time is L",
            ),
            "layers_at_once": ("O(1)", "a layer is computed in O(1), but it waits for the layer below it"),
            "tree_sum_over_positions": (
                "O(L log T)",
                "a window has D = O(1) positions: no sum runs over the whole sentence",
            ),
        },
    ),
    *slips_of(
        "rnn_time",
        {
            "time_of_a_cnn": ("O(L)", "each state waits for the one before it: T steps follow one another"),
            "layers_after_layers": (
                "O(T L)",
                "layer 2 starts as soon as layer 1 has its first state: the times add, they do not multiply",
            ),
            "tree_over_time": (
                "O(log T)",
                "the recurrence is not a sum: the states cannot be combined in a tree, they follow one another",
            ),
            "all_at_once": ("O(1)", "each state waits for the one before it: T steps follow one another"),
            "pairs_of_positions": (
                "O(T^2)",
                "each step reads one earlier state, not all of them: T steps of O(1)",
            ),
        },
    ),
]
