"""Positional embeddings, answered, with the mistakes that must be caught."""

import math

import torch

from autograder import mistake, slips_of


def sinusoidal_positions(T, D, dtype):
    position = torch.arange(T, dtype=dtype)[:, None]
    angle = position / 10000 ** (torch.arange(0, D, 2, dtype=dtype) / D)
    table = torch.empty(T, D, dtype=dtype)
    table[:, 0::2] = torch.sin(angle)
    table[:, 1::2] = torch.cos(angle)
    return table


def transformer_almost(x, WQ, WK, WV):
    T, D = x.shape
    h = x + sinusoidal_positions(T, D, x.dtype)
    query, keys, value = h @ WQ.T, h @ WK.T, h @ WV.T
    scores = query @ keys.T / math.sqrt(WQ.shape[0])
    return torch.softmax(scores, dim=1) @ value


without_positions = "B"


def _angles(T, D, dtype, base=10000.0, first=0, exponents=None):
    """positions / base^exponent, one column for each pair of columns."""
    position = torch.arange(first, T + first, dtype=dtype)[:, None]
    if exponents is None:
        exponents = torch.arange(0, D, 2, dtype=dtype) / D
    return position / base**exponents


def _weave(even, odd):
    """Two tables, column by column in turn."""
    return torch.stack([even, odd], dim=-1).flatten(1)


def _waves(angles):
    return _weave(torch.sin(angles), torch.cos(angles))


OF = "sinusoidal_positions"


@mistake(OF, "the exponent of pair i is i/D, as if the base were 100: it should be 2i/D")
def exponent_not_doubled(T, D, dtype):
    return _waves(_angles(T, D, dtype, exponents=torch.arange(D // 2, dtype=dtype) / D))


@mistake(OF, "the cosines have frequencies of their own: columns 2i and 2i + 1 share the exponent 2i/D")
def own_frequency_for_odd_columns(T, D, dtype):
    angles = _angles(T, D, dtype, exponents=torch.arange(D, dtype=dtype) / D)
    return _weave(torch.sin(angles[:, 0::2]), torch.cos(angles[:, 1::2]))


@mistake(
    OF, "the number of the column is doubled in the exponent: columns 2i and 2i + 1 share the exponent 2i/D"
)
def column_number_doubled(T, D, dtype):
    angles = _angles(T, D, dtype, exponents=2 * torch.arange(D, dtype=dtype) / D)
    return _weave(torch.sin(angles[:, 0::2]), torch.cos(angles[:, 1::2]))


@mistake(OF, "the cosines have the next pair's frequency: columns 2i and 2i + 1 share the exponent 2i/D")
def odd_columns_one_pair_ahead(T, D, dtype):
    later = torch.arange(2, D + 2, 2, dtype=dtype) / D
    return _weave(torch.sin(_angles(T, D, dtype)), torch.cos(_angles(T, D, dtype, exponents=later)))


@mistake(OF, "pairs are counted from 1: the first pair of columns has i = 0 and the frequency 1")
def pairs_start_at_one(T, D, dtype):
    return _waves(_angles(T, D, dtype, exponents=torch.arange(2, D + 2, 2, dtype=dtype) / D))


@mistake(OF, "all columns are sines: the odd ones should be cosines")
def only_sines(T, D, dtype):
    angles = _angles(T, D, dtype)
    return _weave(torch.sin(angles), torch.sin(angles))


@mistake(OF, "all columns are cosines: the even ones should be sines")
def only_cosines(T, D, dtype):
    angles = _angles(T, D, dtype)
    return _weave(torch.cos(angles), torch.cos(angles))


@mistake(
    OF,
    "every column is a sine with a frequency of its own: odd columns are cosines with their left neighbour's",
)
def sines_of_every_column(T, D, dtype):
    return torch.sin(_angles(T, D, dtype, exponents=torch.arange(D, dtype=dtype) / D))


@mistake(OF, "there is a factor 2π in the angle: the angle is t / 10000^(2i/D)")
def adds_two_pi(T, D, dtype):
    return _waves(2 * math.pi * _angles(T, D, dtype))


@mistake(OF, "the sine is divided by 10000^(2i/D): divide the position, inside the sine and the cosine")
def division_outside_sine(T, D, dtype):
    position = torch.arange(T, dtype=dtype)[:, None]
    scale = 10000 ** (torch.arange(0, D, 2, dtype=dtype) / D)
    return _weave(torch.sin(position) / scale, torch.cos(position) / scale)


@mistake(OF, "sine and cosine take turns over the positions: they should take turns over the columns")
def alternates_over_positions(T, D, dtype):
    angles = _angles(T, D, dtype).repeat_interleave(2, dim=1)
    odd = (torch.arange(T) % 2 == 1)[:, None]
    return torch.where(odd, torch.cos(angles), torch.sin(angles))


@mistake(OF, "every column has the frequency 1 (2i // D is 0 for all of them): use / in the exponent")
def integer_exponent(T, D, dtype):
    return _waves(_angles(T, D, dtype, exponents=torch.zeros(D // 2, dtype=dtype)))


@mistake(
    OF,
    "sines and cosines are stacked and reshaped in the wrong order: make them the last axis before flattening",
)
def reshape_scrambles(T, D, dtype):
    angles = _angles(T, D, dtype)
    return torch.stack([torch.sin(angles), torch.cos(angles)]).reshape(T, D)


@mistake(OF, "the frequencies run the wrong way: the first columns are the fast ones")
def frequencies_reversed(T, D, dtype):
    return _waves(_angles(T, D, dtype).flip(1))


@mistake(OF, "the exponents run from 0 to 1, both included: they are 2i/D, and the last is 1 − 2/D")
def exponents_reach_one(T, D, dtype):
    return _waves(_angles(T, D, dtype, exponents=torch.linspace(0, 1, D // 2, dtype=dtype)))


@mistake(OF, "the exponent is divided by T, the number of positions: divide by D, the number of columns")
def exponent_divided_by_length(T, D, dtype):
    return _waves(_angles(T, D, dtype, exponents=torch.arange(0, D, 2, dtype=dtype) / T))


@mistake(OF, "the exponent is not divided by D: it is 2i/D")
def exponent_not_divided(T, D, dtype):
    return _waves(_angles(T, D, dtype, exponents=torch.arange(0, D, 2, dtype=dtype)))


@mistake(OF, "log10 takes the place of the natural logarithm: 10000^(−2i/D) is exp(−2i/D · ln 10000)")
def decimal_logarithm(T, D, dtype):
    return _waves(_angles(T, D, dtype, base=math.exp(math.log10(10000))))


@mistake(OF, "only the sines are returned, D/2 columns: weave the cosines in between")
def half_the_columns(T, D, dtype):
    return torch.sin(_angles(T, D, dtype))


@mistake(OF, "the angles are returned: take their sine and cosine")
def angles_returned(T, D, dtype):
    return _angles(T, D, dtype).repeat_interleave(2, dim=1)


@mistake(
    OF, "the dtype is ignored: the values are right, but always float32; create the tensors with dtype=dtype"
)
def dtype_ignored(T, D, dtype):
    return sinusoidal_positions(T, D, torch.float32)


@mistake(
    OF, "the cosines fill the left half and the sines the right: sines and cosines take turns, sines first"
)
def halves_cosine_first(T, D, dtype):
    angles = _angles(T, D, dtype)
    return torch.cat([torch.cos(angles), torch.sin(angles)], dim=1)


@mistake(
    OF, "10000 ** (2i) / D is read as (10000 ** (2i)) / D: put brackets round the exponent, 10000 ** (2i / D)"
)
def power_before_division(T, D, dtype):
    position = torch.arange(T, dtype=dtype)[:, None]
    return _waves(position / (10000.0 ** torch.arange(0, D, 2, dtype=dtype) / D))


@mistake(
    OF,
    "two things differ: sines and cosines should take turns, and the exponents are 2i/D, so that the last is 1 − 2/D",
)
def halves_whose_exponents_reach_one(T, D, dtype):
    angles = _angles(T, D, dtype, exponents=torch.linspace(0, 1, D // 2, dtype=dtype))
    return torch.cat([torch.sin(angles), torch.cos(angles)], dim=1)


LAYER = "transformer_almost"


def _positions(x):
    return sinusoidal_positions(*x.shape, x.dtype)


def _parts(h, WQ, WK, WV):
    return h @ WQ.T, h @ WK.T, h @ WV.T


def _attend(query, keys, value, factor=None, dim=1):
    factor = 1 / math.sqrt(query.shape[1]) if factor is None else factor
    return torch.softmax(factor * (query @ keys.T), dim=dim) @ value


def _layer(h, WQ, WK, WV, **options):
    return _attend(*_parts(h, WQ, WK, WV), **options)


@mistake(LAYER, "the positions are missing: the layer works on x + P")
def missing_positions(x, WQ, WK, WV):
    return _layer(x, WQ, WK, WV)


@mistake(LAYER, "the scaling is missing: divide the scores by √U")
def missing_scaling(x, WQ, WK, WV):
    return _layer(x + _positions(x), WQ, WK, WV, factor=1.0)


@mistake(LAYER, "the scores are multiplied by √U: divide by it")
def scale_inverted(x, WQ, WK, WV):
    return _layer(x + _positions(x), WQ, WK, WV, factor=math.sqrt(WQ.shape[0]))


@mistake(LAYER, "the weights are scaled after the softmax: divide the scores by √U before it")
def scales_after_softmax(x, WQ, WK, WV):
    return _layer(x + _positions(x), WQ, WK, WV, factor=1.0) / math.sqrt(WQ.shape[0])


@mistake(LAYER, "the values are made of x alone: queries, keys and values are all made of x + P")
def values_without_positions(x, WQ, WK, WV):
    query, keys, _ = _parts(x + _positions(x), WQ, WK, WV)
    return _attend(query, keys, x @ WV.T)


@mistake(LAYER, "the keys are made of x alone: queries, keys and values are all made of x + P")
def keys_without_positions(x, WQ, WK, WV):
    query, _, value = _parts(x + _positions(x), WQ, WK, WV)
    return _attend(query, x @ WK.T, value)


@mistake(LAYER, "the queries are made of x alone: queries, keys and values are all made of x + P")
def queries_without_positions(x, WQ, WK, WV):
    _, keys, value = _parts(x + _positions(x), WQ, WK, WV)
    return _attend(x @ WQ.T, keys, value)


@mistake(LAYER, "only the values have positions: queries and keys are made of x + P too")
def positions_only_in_values(x, WQ, WK, WV):
    query, keys, _ = _parts(x, WQ, WK, WV)
    return _attend(query, keys, (x + _positions(x)) @ WV.T)


@mistake(LAYER, "the positions are added to the output: add them to x, before the layer")
def positions_added_to_output(x, WQ, WK, WV):
    return _layer(x, WQ, WK, WV) + _positions(x)


@mistake(LAYER, "the positions are multiplied with x: add them")
def positions_multiplied(x, WQ, WK, WV):
    return _layer(x * _positions(x), WQ, WK, WV)


@mistake(LAYER, "the plain numbers of the positions are added: add the table of sines and cosines")
def position_numbers_added(x, WQ, WK, WV):
    return _layer(x + torch.arange(len(x), dtype=x.dtype).unsqueeze(1), WQ, WK, WV)


@mistake(LAYER, "the positions are added twice: add the table once")
def positions_added_twice(x, WQ, WK, WV):
    return _layer(x + 2 * _positions(x), WQ, WK, WV)


@mistake(
    LAYER, "the words are multiplied by √D before the positions are added: this layer adds them to x itself"
)
def words_scaled_up(x, WQ, WK, WV):
    return _layer(math.sqrt(x.shape[1]) * x + _positions(x), WQ, WK, WV)


@mistake(LAYER, "the table of positions is transposed: row t belongs to word t")
def positions_transposed(x, WQ, WK, WV):
    T, D = x.shape
    return _layer(x + sinusoidal_positions(D, T, x.dtype).T, WQ, WK, WV)


@mistake(LAYER, "every word has the position of the first: word t has row t of the table")
def first_position_everywhere(x, WQ, WK, WV):
    return _layer(x + _positions(x)[0], WQ, WK, WV)


@mistake(LAYER, "the words average themselves: average the values, W^V (x + P)")
def values_not_projected(x, WQ, WK, WV):
    h = x + _positions(x)
    query, keys, _ = _parts(h, WQ, WK, WV)
    return _attend(query, keys, h)


@mistake(LAYER, "the matrices are transposed: W^Q h is h @ WQ.T, not h @ WQ")
def matrices_transposed(x, WQ, WK, WV):
    return _layer(x + _positions(x), WQ.T, WK.T, WV.T)


@mistake(LAYER, "x is added to the output: this layer has no residual connection")
def adds_residual(x, WQ, WK, WV):
    return transformer_almost(x, WQ, WK, WV) + x


@mistake(LAYER, "x + P is added to the output: this layer has no residual connection")
def adds_residual_with_positions(x, WQ, WK, WV):
    return transformer_almost(x, WQ, WK, WV) + x + _positions(x)


@mistake(LAYER, "the weights were returned: average the values with them")
def weights_returned(x, WQ, WK, WV):
    query, keys, _ = _parts(x + _positions(x), WQ, WK, WV)
    return torch.softmax(query @ keys.T / math.sqrt(WQ.shape[0]), dim=1)


def _on_wrong_positions(table):
    """The layer, right in itself, on a wrong table of positions."""

    def layer(x, WQ, WK, WV):
        return _layer(x + table.answer(*x.shape, x.dtype), WQ, WK, WV)

    says = f"the attention is right, but not its positions: {table.says}"
    return mistake(LAYER, says, id=f"positions_{table.id.removeprefix('positions_')}")(layer)


# A wrong sinusoidal_positions that transformer_almost calls: the same slip, seen a second time.
carried_over = [
    _on_wrong_positions(table)
    for table in (
        exponent_not_doubled,
        own_frequency_for_odd_columns,
        column_number_doubled,
        pairs_start_at_one,
        only_sines,
        integer_exponent,
    )
]

slips = [
    *slips_of(
        "without_positions",
        {
            "invariance": (
                "A",
                "the first row belongs to the first word: when another word comes first, its row does too",
            ),
            "sees_neighbours": (
                "C",
                "without positions no word has neighbours: each still meets the same set of words, with the same scores",
            ),
            "inverse_order": (
                "D",
                "row t is computed from word t and the set of all words: it moves along with its word, the same way",
            ),
            "all_alike": (
                "E",
                "words differ by what they are: each has its own query, so its own weights and its own row",
            ),
        },
    ),
]
