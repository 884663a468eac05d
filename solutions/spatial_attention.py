"""Spatial self-attention, answered, with the mistakes that must be caught."""

import math

import torch

from autograder import key, mistake, slip


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


@mistake(OF, "you scaled the scores by 1/√U: this layer has no scaling (scale=1.0 in torch's own function)")
def adds_sqrt_scaling(h_in, WQ, WK, WV):
    return _attend(*_heads(h_in, WQ, WK, WV), scale=1 / math.sqrt(WQ.shape[1]))


@mistake(
    OF,
    "you scaled the scores by 1/√J: this layer has no scaling, and J is the size of the model, not of a key",
)
def scales_by_model_dim(h_in, WQ, WK, WV):
    return _attend(*_heads(h_in, WQ, WK, WV), scale=1 / math.sqrt(WQ.shape[2]))


@mistake(
    OF, "you scaled the scores by 1/√I: this layer has no scaling, and I is the size of a value, not of a key"
)
def scales_by_value_dim(h_in, WQ, WK, WV):
    return _attend(*_heads(h_in, WQ, WK, WV), scale=1 / math.sqrt(WV.shape[1]))


@mistake(OF, "you divided the scores by U: this layer has no scaling")
def scales_without_root(h_in, WQ, WK, WV):
    return _attend(*_heads(h_in, WQ, WK, WV), scale=1 / WQ.shape[1])


@mistake(OF, "you multiplied the scores by √U: this layer has no scaling")
def scale_inverted(h_in, WQ, WK, WV):
    return _attend(*_heads(h_in, WQ, WK, WV), scale=math.sqrt(WQ.shape[1]))


@mistake(OF, "query and key are swapped: the score is the query at (x₁, y₁) times the key at (x₂, y₂)")
def query_key_swapped(h_in, WQ, WK, WV):
    query, keys, value = _heads(h_in, WQ, WK, WV)
    return _attend(keys, query, value)


@mistake(OF, "the keys are computed with W^Q: use W^K for the keys")
def keys_from_query_matrix(h_in, WQ, WK, WV):
    return _attend(*_heads(h_in, WQ, WQ, WV))


@mistake(OF, "the queries are computed with W^K: use W^Q for the queries")
def queries_from_key_matrix(h_in, WQ, WK, WV):
    return _attend(*_heads(h_in, WK, WK, WV))


@mistake(OF, "the scores have the wrong sign: the better query and key fit, the larger the weight")
def scores_negated(h_in, WQ, WK, WV):
    return _attend(*_heads(h_in, WQ, WK, WV), scale=-1.0)


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


@mistake(
    OF, "your weights are a softmax over x₂ times a softmax over y₂: take one softmax over all pairs (x₂, y₂)"
)
def product_of_softmaxes(h_in, WQ, WK, WV):
    query, keys, value = _heads(h_in, WQ, WK, WV)
    scores = _scores(query, keys)
    return _join(_average(_softmax(scores, (3,)) * _softmax(scores, (4,)), value))


@mistake(OF, "your weights are a softmax over y₂ divided by X: take one softmax over all pairs (x₂, y₂)")
def softmax_over_y_divided_by_rows(h_in, WQ, WK, WV):
    return _attend(*_heads(h_in, WQ, WK, WV), axes=(4,)) / h_in.shape[0]


@mistake(OF, "you took a softmax over x₂ and then another over y₂: take one softmax over all pairs (x₂, y₂)")
def softmax_x_then_y(h_in, WQ, WK, WV):
    query, keys, value = _heads(h_in, WQ, WK, WV)
    return _join(_average(_softmax(_softmax(_scores(query, keys), (3,)), (4,)), value))


@mistake(OF, "you took a softmax over y₂ and then another over x₂: take one softmax over all pairs (x₂, y₂)")
def softmax_y_then_x(h_in, WQ, WK, WV):
    query, keys, value = _heads(h_in, WQ, WK, WV)
    return _join(_average(_softmax(_softmax(_scores(query, keys), (4,)), (3,)), value))


@mistake(
    OF,
    "your softmax runs over the queries (x₁, y₁): for each query, the weights over the keys (x₂, y₂) should sum to 1",
)
def softmax_over_queries(h_in, WQ, WK, WV):
    return _attend(*_heads(h_in, WQ, WK, WV), axes=(1, 2))


@mistake(OF, "your softmax runs over the heads: each head has its own softmax, over the places (x₂, y₂)")
def softmax_over_heads(h_in, WQ, WK, WV):
    return _attend(*_heads(h_in, WQ, WK, WV), axes=(0,))


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


@mistake(OF, "the softmax is missing: the scores themselves were used as weights")
def missing_softmax(h_in, WQ, WK, WV):
    query, keys, value = _heads(h_in, WQ, WK, WV)
    return _join(_average(_scores(query, keys), value))


@mistake(OF, "the scores are divided by their sum without an exponential: a softmax exponentiates first")
def normalises_without_exp(h_in, WQ, WK, WV):
    query, keys, value = _heads(h_in, WQ, WK, WV)
    scores = _scores(query, keys)
    return _join(_average(scores / scores.sum((3, 4), keepdim=True), value))


@mistake(OF, "the exponentials are not normalised: divide by their sum over x₂ and y₂")
def missing_normaliser(h_in, WQ, WK, WV):
    query, keys, value = _heads(h_in, WQ, WK, WV)
    return _join(_average(torch.exp(_scores(query, keys)), value))


@mistake(OF, "the weights come from a sigmoid: they should come from a softmax over x₂ and y₂")
def sigmoid_for_softmax(h_in, WQ, WK, WV):
    query, keys, value = _heads(h_in, WQ, WK, WV)
    return _join(_average(torch.sigmoid(_scores(query, keys)), value))


@mistake(OF, "only the best-fitting place is taken: average all values with the softmax weights")
def hard_attention(h_in, WQ, WK, WV):
    query, keys, value = _heads(h_in, WQ, WK, WV)
    scores = _scores(query, keys)
    best = scores == scores.amax((3, 4), keepdim=True)
    return _join(_average(best.to(scores.dtype), value))


@mistake(OF, "the softmax overflows on large scores: subtract the largest score first, or call torch.softmax")
def softmax_overflows(h_in, WQ, WK, WV):
    query, keys, value = _heads(h_in, WQ, WK, WV)
    weights = torch.exp(_scores(query, keys))
    return _join(_average(weights / weights.sum((3, 4), keepdim=True), value))


# ---------------------------------------------------------------- what is averaged


@mistake(OF, "every place gets the plain average of all values: weigh them by the attention")
def uniform_attention(h_in, WQ, WK, WV):
    query, keys, value = _heads(h_in, WQ, WK, WV)
    return _join(
        _average(torch.softmax(0 * _scores(query, keys).flatten(3), 3).view_as(_scores(query, keys)), value)
    )


@mistake(
    OF,
    "the attention weights are transposed when they average the values: sum over (x₂, y₂), the places of the softmax",
)
def attention_transposed(h_in, WQ, WK, WV):
    query, keys, value = _heads(h_in, WQ, WK, WV)
    return _join(_average(_softmax(_scores(query, keys)).permute(0, 3, 4, 1, 2), value))


@mistake(OF, "the keys are averaged: average the values, computed with W^V")
def keys_used_as_values(h_in, WQ, WK, WV):
    query, keys, _ = _heads(h_in, WQ, WK, WV)
    return _attend(query, keys, keys)


@mistake(OF, "keys and values are swapped: the query meets the key, and the values are averaged")
def keys_values_swapped(h_in, WQ, WK, WV):
    query, keys, value = _heads(h_in, WQ, WK, WV)
    return _attend(query, value, keys)


@mistake(OF, "the queries are averaged: average the values, computed with W^V")
def queries_used_as_values(h_in, WQ, WK, WV):
    query, keys, _ = _heads(h_in, WQ, WK, WV)
    return _attend(query, keys, query)


@mistake(OF, "the inputs themselves are averaged: average the values, W^V times the input")
def values_not_projected(h_in, WQ, WK, WV):
    query, keys, _ = _heads(h_in, WQ, WK, WV)
    return _attend(query, keys, h_in.expand(len(WQ), *h_in.shape))


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


@mistake(OF, "places only look at earlier ones: this layer has no causal mask, every place sees all others")
def causal_mask(h_in, WQ, WK, WV):
    places = h_in.shape[0] * h_in.shape[1]
    return _masked(h_in, WQ, WK, WV, torch.ones(places, places, dtype=torch.bool).triu(1))


@mistake(OF, "a place only looks at its neighbours: it should look at the whole grid, near and far")
def local_window(h_in, WQ, WK, WV):
    x, y = torch.meshgrid(*(torch.arange(size) for size in h_in.shape[:2]), indexing="ij")
    far = torch.maximum(_apart(x), _apart(y)) > 1
    return _masked(h_in, WQ, WK, WV, far)


@mistake(OF, "a place only looks along its row and its column: it should look at the whole grid")
def criss_cross(h_in, WQ, WK, WV):
    x, y = torch.meshgrid(*(torch.arange(size) for size in h_in.shape[:2]), indexing="ij")
    return _masked(h_in, WQ, WK, WV, torch.minimum(_apart(x), _apart(y)) > 0)


@mistake(OF, "a place does not look at itself: this layer has no mask, every place sees itself too")
def self_is_masked(h_in, WQ, WK, WV):
    return _masked(h_in, WQ, WK, WV, torch.eye(h_in.shape[0] * h_in.shape[1], dtype=torch.bool))


@mistake(OF, "the input is added to the output: this layer has no residual connection")
def adds_residual(h_in, WQ, WK, WV):
    return spatial_self_attention(h_in, WQ, WK, WV) + h_in


# ---------------------------------------------------------------- the places and the heads of the result


@mistake(
    OF,
    "the places end up in the wrong order: flatten x, y and unflatten x, y in the same order, without swapping them on the way",
)
def spatial_axes_transposed(h_in, WQ, WK, WV):
    out = spatial_self_attention(h_in, WQ, WK, WV)
    return out.transpose(0, 1).reshape(out.shape)


@mistake(
    OF,
    "the values are flattened in another order than the keys: weights and values belong to different places",
)
def values_in_another_order(h_in, WQ, WK, WV):
    query, keys, value = _heads(h_in, WQ, WK, WV)
    return _attend(query, keys, value.transpose(1, 2).reshape(value.shape))


@mistake(OF, "x and y are swapped in the result: it should be [X, Y, K·I]")
def result_transposed(h_in, WQ, WK, WV):
    return spatial_self_attention(h_in, WQ, WK, WV).transpose(0, 1)


@mistake(OF, "the grid is lost: part the X·Y places into x and y again before returning")
def grid_left_flat(h_in, WQ, WK, WV):
    return spatial_self_attention(h_in, WQ, WK, WV).flatten(0, 1)


@mistake(OF, "the heads have an axis of their own: put them side by side, K·I channels in all")
def heads_not_joined(h_in, WQ, WK, WV):
    query, keys, value = _heads(h_in, WQ, WK, WV)
    return _average(_softmax(_scores(query, keys)), value)


@mistake(
    OF,
    "the heads are interleaved: head k should fill channels k·I to k·I + I − 1; mind the order before reshaping",
)
def heads_interleaved(h_in, WQ, WK, WV):
    query, keys, value = _heads(h_in, WQ, WK, WV)
    return _join(_average(_softmax(_scores(query, keys)), value).transpose(2, 3))


@mistake(OF, "heads and places are mixed up in the reshape: move the head axis behind the places first")
def reshape_without_transpose(h_in, WQ, WK, WV):
    query, keys, value = _heads(h_in, WQ, WK, WV)
    out = _average(_softmax(_scores(query, keys)), value).permute(2, 0, 1, 3)
    return out.reshape(*h_in.shape[:2], -1)


@mistake(OF, "the heads come in reverse order: head k should fill channels k·I to k·I + I − 1")
def heads_reversed(h_in, WQ, WK, WV):
    query, keys, value = _heads(h_in, WQ, WK, WV)
    return _join(_average(_softmax(_scores(query, keys)), value).flip(2))


@mistake(OF, "the heads are added up: they should stand side by side, K·I channels in all")
def heads_summed(h_in, WQ, WK, WV):
    query, keys, value = _heads(h_in, WQ, WK, WV)
    return _average(_softmax(_scores(query, keys)), value).sum(2)


@mistake(OF, "the heads are averaged: they should stand side by side, K·I channels in all")
def heads_averaged(h_in, WQ, WK, WV):
    query, keys, value = _heads(h_in, WQ, WK, WV)
    return _average(_softmax(_scores(query, keys)), value).mean(2)


@mistake(OF, "only the first head is computed: join all K heads")
def first_head_only(h_in, WQ, WK, WV):
    return spatial_self_attention(h_in, WQ[:1], WK[:1], WV[:1])


@mistake(
    OF, "every head uses the first head's attention weights: each head compares with its own queries and keys"
)
def one_attention_for_all_heads(h_in, WQ, WK, WV):
    query, keys, value = _heads(h_in, WQ, WK, WV)
    return _attend(query[:1].expand_as(query), keys[:1].expand_as(keys), value)


@mistake(OF, "every head uses the first head's values: each head has its own matrix W^V[k]")
def one_value_for_all_heads(h_in, WQ, WK, WV):
    query, keys, value = _heads(h_in, WQ, WK, WV)
    return _attend(query, keys, value[:1].expand_as(value))


@mistake(OF, "the heads share one table of scores, summed over the heads: sum over U only, and keep k")
def scores_summed_over_heads(h_in, WQ, WK, WV):
    query, keys, value = _heads(h_in, WQ, WK, WV)
    scores = _scores(query, keys)
    return _join(_average(_softmax(scores.sum(0, keepdim=True).expand_as(scores)), value))


@mistake(
    OF, "the heads share one table of weights, the average over the heads: each head averages with its own"
)
def attention_averaged_over_heads(h_in, WQ, WK, WV):
    query, keys, value = _heads(h_in, WQ, WK, WV)
    alpha = _softmax(_scores(query, keys))
    return _join(_average(alpha.mean(0, keepdim=True).expand_as(alpha), value))


slips = [
    slip(
        "spatial_equations",
        "softmax_over_one_axis",
        "alpha[k,x1,y1,x2,y2] = softmax_{x2} Query[k,x1,y1,U] Key[k,x2,y2,U]",
        "the softmax runs over x2 alone: the weights of one position must add up to 1 over the whole image, "
        "x2 and y2 together",
    ),
    slip(
        "spatial_equations",
        "softmax_over_the_other_axis",
        "alpha[k,x1,y1,x2,y2] = softmax_{y2} Query[k,x1,y1,U] Key[k,x2,y2,U]",
        "the softmax runs over y2 alone: the weights of one position must add up to 1 over the whole image, "
        "x2 and y2 together",
    ),
    slip(
        "spatial_equations",
        "softmax_over_queries",
        "alpha[k,x1,y1,x2,y2] = softmax_{x1,y1} Query[k,x1,y1,U] Key[k,x2,y2,U]",
        "the softmax runs over the positions that ask; it must run over those that are looked at",
    ),
    slip(
        "spatial_equations",
        "query_key_swapped",
        "alpha[k,x1,y1,x2,y2] = softmax_{x2,y2} Key[k,x1,y1,U] Query[k,x2,y2,U]",
        "key and query are swapped: the first position asks, the second answers with its key",
    ),
    slip(
        "spatial_equations",
        "same_position_twice",
        "alpha[k,x1,y1,x2,y2] = softmax_{x2,y2} Query[k,x1,y1,U] Key[k,x1,y1,U]",
        "the score does not depend on the second position, so every weight is the same: the key stands at x2, y2",
    ),
    slip(
        "spatial_equations",
        "no_softmax",
        "alpha[k,x1,y1,x2,y2] = Query[k,x1,y1,U] Key[k,x2,y2,U]",
        "these are the scores: the weights are their softmax",
    ),
    slip(
        "spatial_equations",
        "scaled_scores",
        "alpha[k,x1,y1,x2,y2] = softmax_{x2,y2} [Query[k,x1,y1,U] Key[k,x2,y2,U] / sqrt(U)]",
        "these equations have no 1/sqrt(U)",
    ),
    slip(
        "spatial_equations",
        "weights_transposed",
        "Out[k,x,y,I] = sum_{x',y'} alpha[k,x',y',x,y] Value[k,x',y',I]",
        "alpha is read the wrong way round: the position that asks comes first",
    ),
    slip(
        "spatial_equations",
        "value_not_moved",
        "Out[k,x,y,I] = sum_{x',y'} alpha[k,x,y,x',y'] Value[k,x,y,I]",
        "the value is taken where the query stands: it belongs to the position that is looked at",
    ),
    slip(
        "spatial_equations",
        "concatenation_summed",
        "h_out[x,y,J] = sum_k Out[k,x,y,I]",
        "the heads are added, which leaves I numbers: they are put one after another, which makes J = K*I",
    ),
    slip(
        "spatial_equations",
        "heads_reversed",
        "h_out[x,y,J] = Out[K,x,y,I]; ...; Out[1,x,y,I]",
        "the heads are put together in the wrong order",
    ),
    slip(
        "spatial_equations",
        "query_from_key_matrix",
        "Query[k,x,y,U] = WK[k,U,J] h_in[x,y,J]",
        "the query is made with the key's matrix: use WQ",
    ),
    slip(
        "spatial_equations",
        "key_from_query_matrix",
        "Key[k,x,y,U] = WQ[k,U,J] h_in[x,y,J]",
        "the key is made with the query's matrix: use WK",
    ),
    slip(
        "spatial_equations",
        "query_matrix_transposed",
        "Query[k,x,y,U] = WQ[k,J,U] h_in[x,y,J]",
        "WQ is transposed: it is [K,U,J], from inputs to queries",
    ),
    slip(
        "spatial_equations",
        "value_from_key_matrix",
        "Value[k,x,y,I] = WK[k,I,J] h_in[x,y,J]",
        "the value is made with the key's matrix: use WV",
    ),
    slip(
        "spatial_equations",
        "product_of_softmaxes",
        "alpha[k,x1,y1,x2,y2] = (softmax_{x2} Query[k,x1,y1,U] Key[k,x2,y2,U]) (softmax_{y2} Query[k,x1,y1,U] Key[k,x2,y2,U])",
        "a product of a softmax over x2 and one over y2 is no distribution over the image: one softmax runs over both",
    ),
    slip(
        "spatial_equations",
        "own_row_only",
        "Out[k,x,y,I] = sum_{y'} alpha[k,x,y,x,y'] Value[k,x,y',I]",
        "the sum runs along one row: it must run over the whole image, x' and y'",
    ),
    slip(
        "spatial_equations",
        "own_column_only",
        "Out[k,x,y,I] = sum_{x'} alpha[k,x,y,x',y] Value[k,x',y,I]",
        "the sum runs along one column: it must run over the whole image, x' and y'",
    ),
    slip(
        "spatial_time",
        "forgets_positions",
        "O(ln J)",
        "the softmax and the average run over X·Y places: that takes ln X + ln Y",
    ),
    slip(
        "spatial_time",
        "forgets_products",
        "O(ln X + ln Y)",
        "queries, keys and values are inner products of length J: that takes ln J",
    ),
    slip(
        "spatial_time",
        "forgets_y",
        "O(ln X + ln J)",
        "the softmax runs over x₂ and y₂, X·Y terms: ln Y is missing",
    ),
    slip(
        "spatial_time",
        "forgets_x",
        "O(ln Y + ln J)",
        "the softmax runs over x₂ and y₂, X·Y terms: ln X is missing",
    ),
    slip(
        "spatial_time",
        "product_of_logs",
        "O(ln X ln Y + ln J)",
        "a sum over X·Y terms takes ln(X·Y) = ln X + ln Y, not the product of the two logarithms",
    ),
    slip(
        "spatial_time",
        "product_not_sum",
        "O((ln X + ln Y) ln J)",
        "steps that follow one another add their times, they do not multiply them",
    ),
    slip(
        "spatial_time",
        "heads_one_after_another",
        "O(K (ln X + ln Y + ln J))",
        "the heads do not wait for one another: they run in parallel",
    ),
    slip(
        "spatial_time",
        "work_not_span",
        "O(X^2 Y^2 J)",
        "that counts all the work; in parallel, sums take logarithmic time",
    ),
    slip(
        "spatial_time",
        "serial_sums",
        "O(X Y + J)",
        "a sum over N terms takes O(log N) in parallel, not O(N)",
    ),
    slip(
        "spatial_time",
        "serial_inner_products",
        "O(J + ln X + ln Y)",
        "inner products are sums too, and here every sum takes logarithmic time: ln J, not J",
    ),
]
