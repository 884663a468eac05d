"""Convolution-style models, answered, with the mistakes that must be caught."""

import torch
import torch.nn.functional as F

from autograder import key, mistake, slips_of


def sequence_convolution(x, W, b):
    T, width = len(x), len(W)
    reach = (width - 1) // 2
    padded = F.pad(x, (0, 0, reach, reach))
    y = b.expand(T, -1)
    for d in range(width):
        y = y + padded[d : d + T] @ W[d]
    return y


receptive_field = key("L*(w - 1) + 1")
layers_needed = key("O(N/w)")


def _convolve(padded, W, b):
    """Every window that fits into what is already padded."""
    return F.conv1d(padded.T[None], W.permute(2, 1, 0), b)[0].T


def _pad(x, left, right, mode="constant"):
    return F.pad(x.T[None], (left, right), mode=mode)[0].T


def _reach(W):
    return (len(W) - 1) // 2


def _inner_windows(x, W, b, outside):
    """Windows that lie within the sequence; every other position is `outside`."""
    T, reach = len(x), _reach(W)
    rows = [outside] * T
    for t in range(reach, T - reach):
        rows[t] = b + sum(x[t + d - reach] @ W[d] for d in range(len(W)))
    return torch.stack(rows)


OF = "sequence_convolution"


@mistake(OF, "the bias is added along the positions: b[j] belongs to output channel j, the last axis")
def bias_broadcast_wrong_axis(x, W, b):
    return sequence_convolution(x, W, torch.zeros_like(b)) + b[:, None]


@mistake(OF, "the window ends at position t: it should be centred there, with (D − 1)/2 zeros on either side")
def causal_padding(x, W, b):
    return _convolve(_pad(x, len(W) - 1, 0), W, b)


@mistake(
    OF, "the window starts at position t: it should be centred there, with (D − 1)/2 zeros on either side"
)
def window_starts_at_position(x, W, b):
    return _convolve(_pad(x, 0, len(W) - 1), W, b)


@mistake(OF, "there is no padding, so the result is too short: put (D − 1)/2 zeros on either side")
def padding_missing(x, W, b):
    return _convolve(x, W, b)


@mistake(
    OF, "there is too much padding, so the result is too long: (D − 1)/2 zeros on either side are enough"
)
def padding_too_wide(x, W, b):
    return _convolve(_pad(x, len(W) - 1, len(W) - 1), W, b)


@mistake(OF, "the padding is one position whatever the width: it should be (D − 1)/2")
def padding_fixed_at_one(x, W, b):
    return _convolve(_pad(x, 1, 1), W, b)


@mistake(OF, "the padding is D // 2 + 1: it should be (D − 1)/2, which is D // 2 for odd D")
def padding_one_too_many(x, W, b):
    return _convolve(_pad(x, _reach(W) + 1, _reach(W) + 1), W, b)


@mistake(OF, "the sequence is closed to a ring (as torch.roll does): positions outside it count as zeros")
def circular_padding(x, W, b):
    places = torch.arange(-_reach(W), len(x) + _reach(W)) % len(x)
    return _convolve(x[places], W, b)


@mistake(OF, "the first and last words are repeated outside the sequence: positions there count as zeros")
def edges_repeated(x, W, b):
    places = torch.arange(-_reach(W), len(x) + _reach(W)).clamp(0, len(x) - 1)
    return _convolve(x[places], W, b)


@mistake(OF, "the sequence is mirrored at its ends: positions outside it count as zeros")
def reflected_padding(x, W, b):
    return _convolve(_pad(x, _reach(W), _reach(W), mode="reflect"), W, b)


@mistake(
    OF, "a negative index wraps round to the end of the sequence: positions before the first count as zeros"
)
def negative_index_wraps(x, W, b):
    rows = []
    for t in range(len(x)):
        row = b
        for d in range(len(W)):
            place = t + d - _reach(W)
            if place < len(x):
                row = row + x[place] @ W[d]
        rows.append(row)
    return torch.stack(rows)


@mistake(
    OF, "the result is padded instead of the input: windows that reach over the edge still see some words"
)
def pads_result_with_zeros(x, W, b):
    return _inner_windows(x, W, b, outside=torch.zeros_like(b))


@mistake(
    OF, "windows that reach over the edge are left out, and only b is put there: they still see some words"
)
def pads_result_with_bias(x, W, b):
    return _inner_windows(x, W, b, outside=b)


@mistake(OF, "every second position is skipped: this layer has stride 1")
def stride_two(x, W, b):
    return sequence_convolution(x, W, b)[::2]


@mistake(OF, "the window has gaps: the words in it are neighbours, without dilation")
def dilated(x, W, b):
    padded = _pad(x, len(W) - 1, len(W) - 1)
    return b + sum(padded[2 * d : 2 * d + len(x)] @ W[d] for d in range(len(W)))


@mistake(OF, "the channels of W are swapped: its axes are offset, input, output")
def channels_swapped(x, W, b):
    return sequence_convolution(x, W.transpose(1, 2), b)


@mistake(OF, "the sum over the window is divided by D: sum it, do not average it")
def averages_window(x, W, b):
    return sequence_convolution(x, W / len(W), b)


@mistake(OF, "only the word in the middle of the window is used: sum over all D offsets")
def only_the_centre(x, W, b):
    return x @ W[_reach(W)] + b


@mistake(OF, "the window lies one position too far to the right: offset d meets x[t + d − p]")
def window_shifted_right(x, W, b):
    padded = _pad(x, _reach(W), _reach(W) + 1)
    return _convolve(padded[1:], W, b)


@mistake(OF, "the window lies one position too far to the left: offset d meets x[t + d − p]")
def window_shifted_left(x, W, b):
    padded = _pad(x, _reach(W) + 1, _reach(W))
    return _convolve(padded[:-1], W, b)


@mistake(OF, "the input is added to the result: this layer has no residual connection")
def adds_residual(x, W, b):
    return sequence_convolution(x, W, b) + x


slips = [
    *slips_of(
        "receptive_field",
        {
            "windows_added": (
                "L*w",
                "neighbouring windows overlap: each further layer adds w − 1 words, not w",
            ),
            "forgets_itself": (
                "L*(w - 1)",
                "with L = 1 this gives w − 1, but one layer sees w words: the position itself counts too",
            ),
            "grows_exponentially": (
                "w^L",
                "the windows overlap at stride 1, so the field grows by w − 1 a layer; w^L needs stride w or dilation",
            ),
            "one_side": (
                "L*(w - 1)/2 + 1",
                "a window reaches (w − 1)/2 words to the left and as many to the right: count both sides",
            ),
            "one_too_many": (
                "L*w + 1",
                "with L = 1 this gives w + 1, but one layer sees w words: each layer adds w − 1",
            ),
            "width_alone": ("w", "that is one layer: each of the other L − 1 layers adds w − 1 words"),
            "both_sides_by_width": (
                "2*L*w + 1",
                "the whole window is w wide, so it reaches (w − 1)/2 to either side, not w",
            ),
            "one_layer_too_many": (
                "(L + 1)*(w - 1) + 1",
                "with L = 1 this gives 2w − 1, but one layer sees w words",
            ),
        },
    ),
    *slips_of(
        "layers_needed",
        {
            "ignores_width": ("O(N)", "wider windows need fewer layers: each layer adds w − 1 words"),
            "tree": (
                "O(log N)",
                "a tree of windows needs stride or dilation; at stride 1 the field grows by w − 1 a layer",
            ),
            "dilated_tree": (
                "O(log N / log w)",
                "log_w N layers are enough with stride w or growing dilation; at stride 1 the field grows by w − 1 a layer",
            ),
            "constant": (
                "O(1)",
                "one layer sees w words only: that is enough for words within a window, not for words N apart",
            ),
            "multiplies": ("O(N w)", "wider windows need fewer layers, not more: divide by w"),
            "width_alone": (
                "O(w)",
                "words farther apart need more layers: the number of layers grows with N, and falls with w",
            ),
            "root_of_distance": (
                "O(sqrt(N/w))",
                "each layer adds the same w − 1 words, so the field grows in proportion to the number of layers",
            ),
        },
    ),
]
