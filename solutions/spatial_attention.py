"""Spatial self-attention, answered, with the mistakes that must be caught."""

import torch

from autograder import key, mistake, slips_of


def spatial_self_attention(h_in, WQ, WK, WV):
    query = torch.einsum("kuj,xyj->kxyu", WQ, h_in)
    keys = torch.einsum("kuj,xyj->kxyu", WK, h_in)
    value = torch.einsum("kij,xyj->kxyi", WV, h_in)
    scores = torch.einsum("kxyu,kvwu->kxyvw", query, keys)
    # One softmax over the whole grid: join the two axes of the places looked at, and part them again.
    alpha = torch.softmax(scores.flatten(start_dim=3), dim=3).view_as(scores)
    out = torch.einsum("kxyvw,kvwi->xyki", alpha, value)
    return out.flatten(start_dim=2)


spatial_equations = key(
    """Query[k,x,y,U] = WQ[k,U,J] h_in[x,y,J]
Key[k,x,y,U] = WK[k,U,J] h_in[x,y,J]
alpha[k,x1,y1,x2,y2] = softmax_{x2,y2} Query[k,x1,y1,U] Key[k,x2,y2,U]
Value[k,x,y,I] = WV[k,I,J] h_in[x,y,J]
Out[k,x,y,I] = sum_{x',y'} alpha[k,x,y,x',y'] Value[k,x',y',I]
h_out[x,y,J] = Out[1,x,y,I]; ...; Out[K,x,y,I]"""
)
spatial_time = key("O(ln X + ln Y + ln J)")


def _heads(h_in, WQ, WK, WV):
    """Queries, keys and values of every place, each [K, X, Y, ·]."""
    return (torch.einsum("kaj,xyj->kxya", W, h_in) for W in (WQ, WK, WV))


def _scores(query, keys):
    return torch.einsum("kxyu,kvwu->kxyvw", query, keys)


def _softmax(scores, axes=(3, 4)):
    """The softmax over several axes of the scores [K, X, Y, X, Y] at once."""
    largest = scores.amax(axes, keepdim=True)
    weights = torch.exp(scores - largest)
    return weights / weights.sum(axes, keepdim=True)


def _average(alpha, value):
    """Each place's average of the values, heads behind the places: [X, Y, K, ·]."""
    return torch.einsum("kxyvw,kvwi->xyki", alpha, value)


def _join(out):
    return out.flatten(start_dim=2)


def _attend(query, keys, value, scale=1.0, axes=(3, 4)):
    return _join(_average(_softmax(scale * _scores(query, keys), axes), value))


def _masked(h_in, WQ, WK, WV, hide):
    """Attention in which `hide`, a table over pairs of places in reading order, marks what is not seen."""
    query, keys, value = (part.flatten(1, 2) for part in _heads(h_in, WQ, WK, WV))
    scores = (query @ keys.mT).masked_fill(hide, -torch.inf)
    out = torch.softmax(scores, dim=-1) @ value
    return out.transpose(0, 1).reshape(*h_in.shape[:2], -1)


def _apart(coordinate):
    """How far apart two places are along one axis, for all pairs in reading order."""
    return (coordinate.flatten()[:, None] - coordinate.flatten()).abs()


OF = "spatial_self_attention"


# ---------------------------------------------------------------- the scores


# ---------------------------------------------------------------- the softmax


@mistake(
    OF,
    "your softmax runs over y₂ alone: for each place, the weights over the whole grid, x₂ and y₂ together, should sum to 1",
)
def softmax_over_one_spatial_axis(h_in, WQ, WK, WV):
    return _attend(*_heads(h_in, WQ, WK, WV), axes=(4,))


@mistake(
    OF,
    "your softmax runs over x₂ alone: for each place, the weights over the whole grid, x₂ and y₂ together, should sum to 1",
)
def softmax_over_x_only(h_in, WQ, WK, WV):
    return _attend(*_heads(h_in, WQ, WK, WV), axes=(3,))


@mistake(OF, "your weights are a softmax over y₂ divided by X: take one softmax over all pairs (x₂, y₂)")
def softmax_over_y_divided_by_rows(h_in, WQ, WK, WV):
    return _attend(*_heads(h_in, WQ, WK, WV), axes=(4,)) / h_in.shape[0]


@mistake(
    OF,
    "your softmax runs over all pairs of places at once: each query needs weights of its own that sum to 1",
)
def global_softmax(h_in, WQ, WK, WV):
    return _attend(*_heads(h_in, WQ, WK, WV), axes=(1, 2, 3, 4))


@mistake(OF, "your softmax runs over y₁ and y₂: it should run over the place looked at, x₂ and y₂")
def softmax_over_both_y(h_in, WQ, WK, WV):
    return _attend(*_heads(h_in, WQ, WK, WV), axes=(2, 4))


@mistake(OF, "your softmax runs over x₁ and x₂: it should run over the place looked at, x₂ and y₂")
def softmax_over_both_x(h_in, WQ, WK, WV):
    return _attend(*_heads(h_in, WQ, WK, WV), axes=(1, 3))


# ---------------------------------------------------------------- what is averaged


@mistake(
    OF,
    "the attention weights are transposed when they average the values: sum over (x₂, y₂), the places of the softmax",
)
def attention_transposed(h_in, WQ, WK, WV):
    query, keys, value = _heads(h_in, WQ, WK, WV)
    return _join(_average(_softmax(_scores(query, keys)).permute(0, 3, 4, 1, 2), value))


@mistake(OF, "keys and values are swapped: the query meets the key, and the values are averaged")
def keys_values_swapped(h_in, WQ, WK, WV):
    query, keys, value = _heads(h_in, WQ, WK, WV)
    return _attend(query, value, keys)


@mistake(OF, "each place only looks along its own row: it should look at the whole grid, all x₂ and all y₂")
def attends_within_row(h_in, WQ, WK, WV):
    query, keys, value = _heads(h_in, WQ, WK, WV)
    return _join((torch.softmax(query @ keys.mT, dim=-1) @ value).permute(1, 2, 0, 3))


@mistake(
    OF, "each place only looks along its own column: it should look at the whole grid, all x₂ and all y₂"
)
def attends_within_column(h_in, WQ, WK, WV):
    return attends_within_row.answer(h_in.transpose(0, 1), WQ, WK, WV).transpose(0, 1)


@mistake(
    OF,
    "each place looks along its row and along its column and adds the two: take one softmax over the whole grid",
)
def axial_attention(h_in, WQ, WK, WV):
    return attends_within_row.answer(h_in, WQ, WK, WV) + attends_within_column.answer(h_in, WQ, WK, WV)


@mistake(OF, "a place only looks at its neighbours: it should look at the whole grid, near and far")
def local_window(h_in, WQ, WK, WV):
    x, y = torch.meshgrid(*(torch.arange(size) for size in h_in.shape[:2]), indexing="ij")
    far = torch.maximum(_apart(x), _apart(y)) > 1
    return _masked(h_in, WQ, WK, WV, far)


@mistake(OF, "a place only looks along its row and its column: it should look at the whole grid")
def criss_cross(h_in, WQ, WK, WV):
    x, y = torch.meshgrid(*(torch.arange(size) for size in h_in.shape[:2]), indexing="ij")
    return _masked(h_in, WQ, WK, WV, torch.minimum(_apart(x), _apart(y)) > 0)


# ---------------------------------------------------------------- the places and the heads of the result


@mistake(
    OF,
    "the values are flattened in another order than the keys: weights and values belong to different places",
)
def values_in_another_order(h_in, WQ, WK, WV):
    query, keys, value = _heads(h_in, WQ, WK, WV)
    return _attend(query, keys, value.transpose(1, 2).reshape(value.shape))


@mistake(OF, "heads and places are mixed up in the reshape: move the head axis behind the places first")
def reshape_without_transpose(h_in, WQ, WK, WV):
    query, keys, value = _heads(h_in, WQ, WK, WV)
    out = _average(_softmax(_scores(query, keys)), value).permute(2, 0, 1, 3)
    return out.reshape(*h_in.shape[:2], -1)


@mistake(OF, "the heads come in reverse order: head k should fill channels k·I to k·I + I − 1")
def heads_reversed(h_in, WQ, WK, WV):
    query, keys, value = _heads(h_in, WQ, WK, WV)
    return _join(_average(_softmax(_scores(query, keys)), value).flip(2))


@mistake(OF, "the heads are averaged: they should stand side by side, K·I channels in all")
def heads_averaged(h_in, WQ, WK, WV):
    query, keys, value = _heads(h_in, WQ, WK, WV)
    return _average(_softmax(_scores(query, keys)), value).mean(2)


@mistake(OF, "only the first head is computed: join all K heads")
def first_head_only(h_in, WQ, WK, WV):
    return spatial_self_attention(h_in, WQ[:1], WK[:1], WV[:1])


slips = [
    *slips_of(
        "spatial_equations",
        {
            "same_position_twice": (
                "alpha[k,x1,y1,x2,y2] = softmax_{x2,y2} Query[k,x1,y1,U] Key[k,x1,y1,U]",
                "the score does not depend on the second position, so every weight is the same: the key stands at x2, y2",
            ),
            "scaled_scores": (
                "alpha[k,x1,y1,x2,y2] = softmax_{x2,y2} [Query[k,x1,y1,U] Key[k,x2,y2,U] / sqrt(U)]",
                "these equations have no 1/sqrt(U)",
            ),
            "weights_transposed": (
                "Out[k,x,y,I] = sum_{x',y'} alpha[k,x',y',x,y] Value[k,x',y',I]",
                "alpha is read the wrong way round: the position that asks comes first",
            ),
            "value_not_moved": (
                "Out[k,x,y,I] = sum_{x',y'} alpha[k,x,y,x',y'] Value[k,x,y,I]",
                "the value is taken where the query stands: it belongs to the position that is looked at",
            ),
            "concatenation_summed": (
                "h_out[x,y,J] = sum_k Out[k,x,y,I]",
                "the heads are added, which leaves I numbers: they are put one after another, which makes J = K*I",
            ),
            "heads_reversed": (
                "h_out[x,y,J] = Out[K,x,y,I]; ...; Out[1,x,y,I]",
                "the heads are put together in the wrong order",
            ),
            "product_of_softmaxes": (
                "alpha[k,x1,y1,x2,y2] = (softmax_{x2} Query[k,x1,y1,U] Key[k,x2,y2,U]) (softmax_{y2} Query[k,x1,y1,U] Key[k,x2,y2,U])",
                "a product of a softmax over x2 and one over y2 is no distribution over the image: one softmax runs over both",
            ),
            "own_row_only": (
                "Out[k,x,y,I] = sum_{y'} alpha[k,x,y,x,y'] Value[k,x,y',I]",
                "the sum runs along one row: it must run over the whole image, x' and y'",
            ),
            "own_column_only": (
                "Out[k,x,y,I] = sum_{x'} alpha[k,x,y,x',y] Value[k,x',y,I]",
                "the sum runs along one column: it must run over the whole image, x' and y'",
            ),
        },
    ),
    *slips_of(
        "spatial_time",
        {
            "forgets_positions": (
                "O(ln J)",
                "the softmax and the average run over X·Y places: that takes ln X + ln Y",
            ),
            "forgets_products": (
                "O(ln X + ln Y)",
                "queries, keys and values are inner products of length J: that takes ln J",
            ),
            "forgets_y": ("O(ln X + ln J)", "the softmax runs over x₂ and y₂, X·Y terms: ln Y is missing"),
            "forgets_x": ("O(ln Y + ln J)", "the softmax runs over x₂ and y₂, X·Y terms: ln X is missing"),
            "product_of_logs": (
                "O(ln X ln Y + ln J)",
                "a sum over X·Y terms takes ln(X·Y) = ln X + ln Y, not the product of the two logarithms",
            ),
            "product_not_sum": (
                "O((ln X + ln Y) ln J)",
                "steps that follow one another add their times, they do not multiply them",
            ),
            "heads_one_after_another": (
                "O(K (ln X + ln Y + ln J))",
                "the heads do not wait for one another: they run in parallel",
            ),
            "work_not_span": (
                "O(X^2 Y^2 J)",
                "that counts all the work; in parallel, sums take logarithmic time",
            ),
            "serial_sums": ("O(X Y + J)", "a sum over N terms takes O(log N) in parallel, not O(N)"),
            "serial_inner_products": (
                "O(J + ln X + ln Y)",
                "inner products are sums too, and here every sum takes logarithmic time: ln J, not J",
            ),
        },
    ),
]
