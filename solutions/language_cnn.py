"""Language CNNs, answered, with the mistakes that must be caught."""

import math

import torch
import torch.nn.functional as F

from autograder import Reading, key, mistake, slip

# ---------------------------------------------------------------- layer 0


def language_cnn_embed(e, w):
    return e[w]


embedding_equation = key("L_0[b,t,i] = e[w[b,t],i]")

EMBED = "language_cnn_embed"


@mistake(
    EMBED,
    "the axes come as [B, I, T]: that is conv1d's order; here the numbers of a word stand last, [B, T, I]",
)
def output_axes_permuted(e, w):
    return e[w].transpose(1, 2)


@mistake(EMBED, "the positions come first, [T, B, I]: keep the order of w, [B, T, I]")
def time_axis_first(e, w):
    return e[w.T]


@mistake(EMBED, "e[:, w] puts the numbers of a word first, [I, B, T]: take whole rows with e[w]")
def vector_axis_first(e, w):
    return e[:, w]


@mistake(
    EMBED,
    "the axes were exchanged by a reshape, which tears the vectors apart: a reshape never moves an axis, and none has to move here",
)
def reshape_instead_of_transpose(e, w):
    return e[w].transpose(1, 2).reshape(*w.shape, -1)


@mistake(EMBED, "sentences and positions were mixed up by a reshape: look up w as it is, without transposing")
def sentences_scrambled(e, w):
    return e[w.T].reshape(*w.shape, -1)


@mistake(EMBED, "batch and positions are flattened into one axis: the result has three axes, [B, T, I]")
def batch_flattened(e, w):
    return e[w.flatten()]


@mistake(
    EMBED,
    "the row was chosen by the position t in the sentence: take the row of the word that stands there, w[b, t]",
)
def indexes_by_position(e, w):
    return e[torch.arange(w.shape[1]) % e.shape[0]].expand(w.shape[0], -1, -1)


@mistake(EMBED, "the row was chosen by the number b of the sentence: take the row of the word w[b, t]")
def indexes_by_sentence(e, w):
    return e[torch.arange(w.shape[0]) % e.shape[0]].unsqueeze(1).expand(-1, w.shape[1], -1)


@mistake(EMBED, "the whole vocabulary is returned for each sentence: pick the rows that w names")
def whole_vocabulary(e, w):
    return e.expand(w.shape[0], -1, -1)


@mistake(EMBED, "words are counted from 1: word w has row w of e, and the first word is number 0")
def words_counted_from_one(e, w):
    return e[w - 1]


@mistake(EMBED, "the row after the word's own was taken: word w has row w of e")
def next_row_taken(e, w):
    return e[(w + 1) % e.shape[0]]


@mistake(
    EMBED, "the words are shifted by one position: position t holds the vector of w[b, t], not of w[b, t − 1]"
)
def shifted_in_time(e, w):
    return e[w.roll(1, 1)]


@mistake(
    EMBED, "the words are shifted by one position: position t holds the vector of w[b, t], not of w[b, t + 1]"
)
def shifted_ahead(e, w):
    return e[w.roll(-1, 1)]


@mistake(EMBED, "the sentences run backwards: position t holds the vector of w[b, t]")
def sentence_reversed(e, w):
    return e[w.flip(1)]


@mistake(EMBED, "the table is transposed: a word's vector is a row of e, not a column")
def table_transposed(e, w):
    return e.T[w]


@mistake(
    EMBED,
    "the words are shifted by one position, with zeros in front: position t holds the vector of w[b, t]",
)
def shifted_behind_zeros(e, w):
    return torch.cat([torch.zeros_like(e[w[:, :1]]), e[w[:, :-1]]], dim=1)


@mistake(EMBED, "only the first word of each sentence is looked up: the result has a row for every position")
def first_word_only(e, w):
    return e[w[:, 0]]


@mistake(
    EMBED,
    "the one-hot words meet the transposed table: multiply them by e itself, whose rows are the words' vectors",
)
def one_hot_meets_transposed_table(e, w):
    return F.one_hot(w, e.shape[0]).to(e.dtype) @ e.T


@mistake(EMBED, "the vectors of a sentence are added up: each position keeps a vector of its own")
def words_summed(e, w):
    return e[w].sum(1)


@mistake(EMBED, "the vectors of a sentence are averaged: each position keeps a vector of its own")
def words_averaged(e, w):
    return e[w].mean(1)


@mistake(EMBED, "every sentence of the batch shows the first one: look up w[b, t], not w[0, t]")
def first_sentence_only(e, w):
    return e[w[:1]].expand(w.shape[0], -1, -1)


@mistake(EMBED, "only the first sentence is returned: the result has the batch axis too, [B, T, I]")
def batch_dropped(e, w):
    return e[w[0]]


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


@mistake(
    EMBED, "the vectors are multiplied by √I, as transformers do: layer 0 holds the rows of e as they are"
)
def adds_sqrt_scaling(e, w):
    return e[w] * math.sqrt(e.shape[1])


@mistake(EMBED, "the vectors are scaled to length 1: layer 0 holds the rows of e as they are")
def vectors_normalised(e, w):
    return F.normalize(e[w], dim=-1)


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


@mistake(LAYER, "the bias is missing: subtract B[i] before the activation")
def missing_bias(L, W, B, sigma):
    return sigma(_sums(L, W))


@mistake(
    LAYER, "the bias is added: in this layer it is a threshold, and is subtracted (conv1d adds its bias)"
)
def bias_added(L, W, B, sigma):
    return sigma(_sums(L, W) + B)


@mistake(LAYER, "the bias is subtracted after the activation: it belongs inside, σ(sum − B)")
def bias_outside_activation(L, W, B, sigma):
    return sigma(_sums(L, W)) - B


@mistake(LAYER, "the bias is added after the activation: it is subtracted inside, σ(sum − B)")
def bias_added_outside(L, W, B, sigma):
    return sigma(_sums(L, W)) + B


@mistake(LAYER, "the bias varies along the positions: it is B[i] for output i, the same at every position")
def bias_broadcast_wrong_axis(L, W, B, sigma):
    return sigma(_sums(L, W) - B[:, None])


@mistake(LAYER, "the bias varies over the batch: it is B[i] for output i, the same for every sentence")
def bias_over_batch(L, W, B, sigma):
    return sigma(_sums(L, W) - B[:, None, None])


@mistake(LAYER, "the bias is subtracted once for each Δt: it stands outside the sum and is subtracted once")
def bias_inside_window_sum(L, W, B, sigma):
    return sigma(_sums(L, W) - W.shape[0] * B)


@mistake(
    LAYER,
    "the bias is subtracted in every term: it stands outside the sum over Δt and i′, and is subtracted once",
)
def bias_inside_sum(L, W, B, sigma):
    return sigma(_sums(L, W) - W.shape[0] * W.shape[1] * B)


@mistake(LAYER, "the bias is subtracted twice: once is enough")
def bias_twice(L, W, B, sigma):
    return sigma(_sums(L, W) - 2 * B)


@mistake(LAYER, "only the first entry of the bias is used: output i has its own B[i]")
def bias_of_first_output(L, W, B, sigma):
    return sigma(_sums(L, W) - B[0])


@mistake(LAYER, "GELU is built in: use the sigma that is handed to the function")
def wrong_activation(L, W, B, sigma):
    return F.gelu(_sums(L, W) - B)


@mistake(LAYER, "ReLU is built in: use the sigma that is handed to the function")
def wrong_activation_relu(L, W, B, sigma):
    return F.relu(_sums(L, W) - B)


@mistake(LAYER, "tanh is built in: use the sigma that is handed to the function")
def wrong_activation_tanh(L, W, B, sigma):
    return torch.tanh(_sums(L, W) - B)


@mistake(
    LAYER,
    "the logistic sigmoid is built in: use the sigma that is handed to the function, which may be another",
)
def wrong_activation_sigmoid(L, W, B, sigma):
    return torch.sigmoid(_sums(L, W) - B)


@mistake(LAYER, "softplus is built in: use the sigma that is handed to the function")
def wrong_activation_softplus(L, W, B, sigma):
    return F.softplus(_sums(L, W) - B)


@mistake(LAYER, "SiLU is built in: use the sigma that is handed to the function")
def wrong_activation_silu(L, W, B, sigma):
    return F.silu(_sums(L, W) - B)


@mistake(LAYER, "leaky ReLU is built in: use the sigma that is handed to the function")
def wrong_activation_leaky_relu(L, W, B, sigma):
    return F.leaky_relu(_sums(L, W) - B)


@mistake(LAYER, "the activation is missing: return σ(sum − B)")
def missing_activation(L, W, B, sigma):
    return _sums(L, W) - B


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


@mistake(LAYER, "the stride is missing: windows start at every second position, 2t, not at every one")
def stride_ignored(L, W, B, sigma):
    return sigma(_sums(L, W, stride=1) - B)


@mistake(LAYER, "output t reads the window that starts at t: with stride 2 it starts at 2t")
def stride_ignored_in_index(L, W, B, sigma):
    count = (L.shape[1] - W.shape[0]) // 2 + 1
    return sigma(_sums(L, W, stride=1)[:, :count] - B)


@mistake(LAYER, "the windows do not overlap, they move on by their own width D: move on by 2")
def stride_is_window(L, W, B, sigma):
    return sigma(_sums(L, W, stride=W.shape[0]) - B)


@mistake(
    LAYER, "the step of 2 is between the taps (t + 2Δt, dilation): it belongs between the windows, 2t + Δt"
)
def dilation_instead_of_stride(L, W, B, sigma):
    return sigma(_sums(L, W, stride=1, dilation=2) - B)


@mistake(
    LAYER,
    "there is a step of 2 between the taps too (2t + 2Δt): a window is D neighbouring positions, 2t + Δt",
)
def dilation_and_stride(L, W, B, sigma):
    return sigma(_sums(L, W, dilation=2) - B)


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


@mistake(LAYER, "the windows start at 1, 3, 5, …: positions count from 0, so output t starts at 2t")
def windows_start_at_one(L, W, B, sigma):
    return sigma(_sums(L, W, stride=1)[:, 1::2] - B)


@mistake(LAYER, "the last window is missing: (T − D)//2 + 1 of them fit")
def last_window_dropped(L, W, B, sigma):
    return sigma(_sums(L, W)[:, :-1] - B)


@mistake(
    LAYER, "the last window is missing, and nothing is left where only one fits: there are (T − D)//2 + 1"
)
def last_window_dropped_to_none(L, W, B, sigma):
    return sigma(torch.stack(_sums(L, W).unbind(1)[:-1], dim=1) - B)


@mistake(LAYER, "the last window is missing where T − D is even: (T − D)//2 + 1 of them fit")
def last_window_dropped_if_even(L, W, B, sigma):
    return sigma(_sums(L, W)[:, : (L.shape[1] - W.shape[0] + 1) // 2] - B)


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


@mistake(LAYER, "the sentence is padded with zeros on both sides: this layer has no padding")
def adds_padding(L, W, B, sigma):
    return sigma(_sums(L, W, padding=W.shape[0] // 2) - B)


@mistake(LAYER, "the sentence is padded with one zero on each side: this layer has no padding")
def adds_padding_of_one(L, W, B, sigma):
    return sigma(_sums(L, W, padding=1) - B)


@mistake(
    LAYER, "the sentence is padded with zeros in front: this layer has no padding, and window t starts at 2t"
)
def pads_in_front(L, W, B, sigma):
    return sigma(_sums(F.pad(L, (0, 0, W.shape[0] - 1, 0)), W) - B)


@mistake(LAYER, "the sentence is padded with zeros at the end: windows that stick out are not computed")
def pads_at_end(L, W, B, sigma):
    return sigma(_sums(F.pad(L, (0, 0, 0, W.shape[0] - 1)), W) - B)


@mistake(LAYER, "a last window that sticks out is filled up with a zero: only windows that fit count")
def partial_window_kept(L, W, B, sigma):
    return sigma(_sums(F.pad(L, (0, 0, 0, (L.shape[1] - W.shape[0]) % 2)), W) - B)


@mistake(LAYER, "the window is read backwards: W[Δt] meets position 2t + Δt, the kernel is not flipped")
def kernel_flipped(L, W, B, sigma):
    return sigma(_sums(L, W.flip(0)) - B)


@mistake(LAYER, "only the first position of each window is read: sum over all Δt = 0, …, D − 1")
def only_first_tap(L, W, B, sigma):
    starts = L[:, : L.shape[1] - W.shape[0] + 1]
    return sigma(_sums(starts, W[:1]) - B)


@mistake(LAYER, "the last position of each window is left out: Δt runs from 0 to D − 1")
def last_tap_missing(L, W, B, sigma):
    kept = torch.cat([W[:-1], torch.zeros_like(W[-1:])])
    return sigma(_sums(L, kept) - B)


@mistake(LAYER, "every Δt uses the weights of Δt = 0: position 2t + Δt has its own weights W[Δt]")
def same_weights_for_all_taps(L, W, B, sigma):
    return sigma(_sums(L, W[:1].expand_as(W)) - B)


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
    LAYER,
    "the windows' axes are exchanged in the sum: L.unfold(1, D, 2) gives [b, windows, C, D], with the window last",
)
def unfolded_axes_swapped(L, W, B, sigma):
    return sigma(torch.einsum("btdc,dci->bti", L.unfold(1, W.shape[0], 2), W) - B)


@mistake(
    LAYER, "W's axes are in the wrong order for conv1d: it wants [output, input, window], W.permute(2, 1, 0)"
)
def weights_rotated(L, W, B, sigma):
    return sigma(F.conv1d(L.mT, W, stride=2).mT - B)


@mistake(LAYER, "W was reshaped for conv1d, which scrambles the weights: move its axes with permute(2, 1, 0)")
def weights_reshaped(L, W, B, sigma):
    D, C, I = W.shape
    return sigma(F.conv1d(L.mT, W.reshape(I, C, D), stride=2).mT - B)


@mistake(
    LAYER,
    "L was reshaped to [b, C, T], which mixes positions and numbers: move its axes with transpose(1, 2)",
)
def input_reshaped(L, W, B, sigma):
    b, T, C = L.shape
    return sigma(F.conv1d(L.reshape(b, C, T), W.permute(2, 1, 0), stride=2).mT - B)


@mistake(
    LAYER,
    "the result was reshaped from [b, I, windows], which mixes positions and numbers: use transpose(1, 2)",
)
def output_reshaped(L, W, B, sigma):
    sums = _sums(L, W) - B
    return sigma(sums.mT.reshape(sums.shape))


@mistake(
    LAYER,
    "the convolution runs along the numbers of a position: it runs along the sentence; conv1d wants [b, C, T]",
)
def convolves_wrong_axis(L, W, B, sigma):
    return sigma(F.conv1d(L, W.permute(2, 1, 0), stride=2).mT - B)


@mistake(
    LAYER,
    "the axes come as [b, I, windows], conv1d's order: move the numbers of a position to the end",
    id="output_axes_permuted",
)
def _layer_axes_permuted(L, W, B, sigma):
    return sigma(_sums(L, W) - B).mT


@mistake(LAYER, "only the first sentence is computed: the result has the batch axis too", id="batch_dropped")
def _layer_batch_dropped(L, W, B, sigma):
    return sigma(_sums(L, W) - B)[0]


@mistake(LAYER, "every sentence shows the result of the first one: carry the batch index along")
def first_sentence_repeated(L, W, B, sigma):
    return sigma(_sums(L, W) - B)[:1].expand(L.shape[0], -1, -1)


# ---------------------------------------------------------------- slips in the written answers

slips = [
    slip(
        "embedding_equation",
        "previous_word",
        "L_0[b,t,i] = e[w[b,t-1],i]",
        "position t gets the vector of the word before it: use w[b,t]",
    ),
    slip(
        "embedding_equation",
        "next_word",
        "L_0[b,t,i] = e[w[b,t+1],i]",
        "position t gets the vector of the word after it: use w[b,t]",
    ),
    slip(
        "embedding_equation",
        "summed_over_time",
        "L_0[b,t,i] = sum_t e[w[b,t],i]",
        "the sum over t makes one vector of the whole sentence: each position keeps its own",
    ),
    slip(
        "embedding_equation",
        "batch_forgotten",
        "L_0[b,t,i] = e[w[t],i]",
        "w needs the sentence as well as the position: w[b,t]",
    ),
    slip(
        "embedding_equation",
        "word_itself",
        "L_0[b,t,i] = w[b,t,i]",
        "w holds words, not vectors: look the word up in e",
    ),
    slip(
        "embedding_equation",
        "summed_over_the_batch",
        "L_0[b,t,i] = sum_b e[w[b,t],i]",
        "the sum over b mixes all sentences of the batch: each keeps its own",
    ),
    slip(
        "layer_equation",
        "bias_added",
        "L_{l+1}[b,t,i] = sigma(sum_{dt,i'} W_{l+1}[dt,i',i] L_l[b,2t+dt,i'] + B_{l+1}[i])",
        "the bias is added: here it is a threshold, which is subtracted",
    ),
    slip(
        "layer_equation",
        "stride_forgotten",
        "L_{l+1}[b,t,i] = sigma(sum_{dt,i'} W_{l+1}[dt,i',i] L_l[b,t+dt,i'] - B_{l+1}[i])",
        "the stride is forgotten: position t of the new layer starts at 2t of the old one",
    ),
    slip(
        "layer_equation",
        "dilation_for_stride",
        "L_{l+1}[b,t,i] = sigma(sum_{dt,i'} W_{l+1}[dt,i',i] L_l[b,t+2dt,i'] - B_{l+1}[i])",
        "this doubles the step inside the window (a dilation): the stride doubles t",
    ),
    slip(
        "layer_equation",
        "window_doubled_too",
        "L_{l+1}[b,t,i] = sigma(sum_{dt,i'} W_{l+1}[dt,i',i] L_l[b,2t+2dt,i'] - B_{l+1}[i])",
        "only t is doubled; the window itself has step 1",
    ),
    slip(
        "layer_equation",
        "window_reversed",
        "L_{l+1}[b,t,i] = sigma(sum_{dt,i'} W_{l+1}[dt,i',i] L_l[b,2t-dt,i'] - B_{l+1}[i])",
        "the window runs backwards: read 2t+dt",
    ),
    slip(
        "layer_equation",
        "bias_outside",
        "L_{l+1}[b,t,i] = sigma(sum_{dt,i'} W_{l+1}[dt,i',i] L_l[b,2t+dt,i']) - B_{l+1}[i]",
        "the bias is subtracted after sigma: it belongs inside",
    ),
    slip(
        "layer_equation",
        "no_activation",
        "L_{l+1}[b,t,i] = sum_{dt,i'} W_{l+1}[dt,i',i] L_l[b,2t+dt,i'] - B_{l+1}[i]",
        "sigma is missing",
    ),
    slip(
        "layer_equation",
        "no_bias",
        "L_{l+1}[b,t,i] = sigma(sum_{dt,i'} W_{l+1}[dt,i',i] L_l[b,2t+dt,i'])",
        "the bias B_{l+1}[i] is missing",
    ),
    slip(
        "layer_equation",
        "bias_in_every_term",
        "L_{l+1}[b,t,i] = sigma(sum_{dt,i'} (W_{l+1}[dt,i',i] L_l[b,2t+dt,i'] - B_{l+1}[i]))",
        "the bias is subtracted once for each term of the sum: subtract it once, after the sum",
    ),
    slip(
        "layer_equation",
        "batch_forgotten",
        "L_{l+1}[b,t,i] = sigma(sum_{dt,i'} W_{l+1}[dt,i',i] L_l[2t+dt,i'] - B_{l+1}[i])",
        "L_l has lost its batch index: write L_l[b,2t+dt,i']",
    ),
    slip(
        "cnn_time",
        "positions_one_after_another",
        "O(T L)",
        "the positions of a layer do not wait for one another: a layer takes O(1), whatever T is",
    ),
    slip(
        "cnn_time",
        "time_of_an_rnn",
        "O(T)",
        "no position waits for the one before it; what waits is each layer, for the layer below",
    ),
    slip(
        "cnn_time",
        "adds_length",
        "O(T + L)",
        "the length adds nothing: all positions of a layer are computed at once",
    ),
    slip(
        "cnn_time",
        "layers_to_one_position",
        "O(log T)",
        "that is the number of layers if they halve the sentence down to one position; with L layers the time is L",
    ),
    slip(
        "cnn_time",
        "layers_at_once",
        "O(1)",
        "a layer is computed in O(1), but it waits for the layer below it",
    ),
    slip(
        "cnn_time",
        "tree_sum_over_positions",
        "O(L log T)",
        "a window has D = O(1) positions: no sum runs over the whole sentence",
    ),
    slip(
        "rnn_time",
        "time_of_a_cnn",
        "O(L)",
        "each state waits for the one before it: T steps follow one another",
    ),
    slip(
        "rnn_time",
        "layers_after_layers",
        "O(T L)",
        "layer 2 starts as soon as layer 1 has its first state: the times add, they do not multiply",
    ),
    slip(
        "rnn_time",
        "tree_over_time",
        "O(log T)",
        "the recurrence is not a sum: the states cannot be combined in a tree, they follow one another",
    ),
    slip(
        "rnn_time",
        "all_at_once",
        "O(1)",
        "each state waits for the one before it: T steps follow one another",
    ),
    slip(
        "rnn_time",
        "pairs_of_positions",
        "O(T^2)",
        "each step reads one earlier state, not all of them: T steps of O(1)",
    ),
]
