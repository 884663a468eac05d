"""Query and key merged, answered, with the mistakes that must be caught."""

import math

import torch

from autograder import key, mistake, slip

# ---------------------------------------------------------------- the merged matrix


def merged_key_query(WQ, WK):
    return torch.einsum("kia,kib->kab", WQ, WK) / math.sqrt(WQ.shape[1])


merged_equation = key("W_tilde[k,j1,j2] = (1/sqrt(I)) WQ[k,I,j1] WK[k,I,j2]")

MERGE = "merged_key_query"


def _product(WQ, WK):
    return WQ.mT @ WK


def _root(WQ):
    return math.sqrt(WQ.shape[1])


@mistake(
    MERGE,
    "the factor 1/√I is missing: it has to go into the merged matrix, since the attention has none left",
)
def missing_scaling(WQ, WK):
    return _product(WQ, WK)


@mistake(MERGE, "you divided by √J: the factor is 1/√I, with the size of a key, not of the model")
def scales_by_model_dim(WQ, WK):
    return _product(WQ, WK) / math.sqrt(WQ.shape[2])


@mistake(MERGE, "you multiplied by √I: the scores are divided by √I")
def scale_inverted(WQ, WK):
    return _product(WQ, WK) * _root(WQ)


@mistake(
    MERGE, "you divided by I: the factor is 1/√I, once for the pair, not once for each of the two matrices"
)
def missing_square_root(WQ, WK):
    return _product(WQ, WK) / WQ.shape[1]


@mistake(MERGE, "you divided by J: the factor is 1/√I")
def divides_by_model_dim(WQ, WK):
    return _product(WQ, WK) / WQ.shape[2]


@mistake(MERGE, "you divided by √K: the factor is 1/√I, with the size of a key, not the number of heads")
def scales_by_heads(WQ, WK):
    return _product(WQ, WK) / math.sqrt(WQ.shape[0])


@mistake(MERGE, "the factor is 1/√(J/K): the size of a key is I, the second axis of WQ")
def scales_by_model_dim_per_head(WQ, WK):
    return _product(WQ, WK) / math.sqrt(WQ.shape[2] / WQ.shape[0])


@mistake(
    MERGE,
    "the result is transposed (query and key are exchanged): the first index, j₁, belongs to WQ, the second to WK",
)
def result_transposed(WQ, WK):
    return _product(WK, WQ) / _root(WQ)


@mistake(MERGE, "the result is transposed, and the factor 1/√I is missing: j₁ belongs to WQ, j₂ to WK")
def result_transposed_without_scaling(WQ, WK):
    return _product(WK, WQ)


@mistake(
    MERGE,
    "the result is transposed, and you divided by √J: j₁ belongs to WQ, j₂ to WK, and the factor is 1/√I",
)
def result_transposed_and_scaled_by_model_dim(WQ, WK):
    return _product(WK, WQ) / math.sqrt(WQ.shape[2])


@mistake(MERGE, "the query matrix stands on both sides: the second factor is WK")
def query_matrix_twice(WQ, WK):
    return _product(WQ, WQ) / _root(WQ)


@mistake(MERGE, "the key matrix stands on both sides: the first factor is WQ")
def key_matrix_twice(WQ, WK):
    return _product(WK, WK) / _root(WQ)


@mistake(
    MERGE, "the sum runs over J, which leaves an I × I matrix: sum over I, the axis that query and key share"
)
def sums_over_model_axis(WQ, WK):
    return WQ @ WK.mT / _root(WQ)


@mistake(
    MERGE,
    "the sum runs over J, and the factor 1/√I is missing: sum over I, the axis that query and key share",
)
def sums_over_model_axis_without_scaling(WQ, WK):
    return WQ @ WK.mT


@mistake(
    MERGE,
    "the sum runs over J, and you divided by √J: sum over I, the axis that query and key share, and divide by √I",
)
def sums_over_and_scales_by_model_axis(WQ, WK):
    return WQ @ WK.mT / math.sqrt(WQ.shape[2])


@mistake(MERGE, "the transpose is missing: W̃ = WQᵀ·WK / √I, a product of J × I and I × J")
def missing_transpose(WQ, WK):
    return WQ @ WK / _root(WQ)


@mistake(MERGE, "both matrices are transposed: only WQ is, W̃ = WQᵀ·WK / √I")
def both_transposed(WQ, WK):
    return WQ.mT @ WK.mT / _root(WQ)


@mistake(MERGE, "WQ was reshaped to [K, J, I], which scrambles it: exchange its axes with transpose(1, 2)")
def reshape_instead_of_transpose(WQ, WK):
    K, I, J = WQ.shape
    return WQ.reshape(K, J, I) @ WK / _root(WQ)


@mistake(MERGE, "the matrices are multiplied entry by entry: sum over I for every pair j₁, j₂")
def elementwise_product(WQ, WK):
    return WQ * WK / _root(WQ)


@mistake(MERGE, "the matrices are multiplied entry by entry, without 1/√I: sum over I for every pair j₁, j₂")
def elementwise_product_without_scaling(WQ, WK):
    return WQ * WK


@mistake(MERGE, "the sum over I is missing: the result has an axis too many")
def missing_sum(WQ, WK):
    return torch.einsum("kia,kib->kiab", WQ, WK) / _root(WQ)


@mistake(MERGE, "the two matrices are added: the score is a product of query and key")
def sum_instead_of_product(WQ, WK):
    return (WQ.sum(1).unsqueeze(2) + WK.sum(1).unsqueeze(1)) / _root(WQ)


@mistake(MERGE, "WQ and WK are summed over I one by one: multiply first, then sum over I")
def sums_before_product(WQ, WK):
    return torch.einsum("kia,kjb->kab", WQ, WK) / _root(WQ)


@mistake(MERGE, "the heads are added up: each head has a matrix of its own, [K, J, J]")
def heads_summed(WQ, WK):
    return (_product(WQ, WK) / _root(WQ)).sum(0)


@mistake(MERGE, "the heads are averaged: each head has a matrix of its own, [K, J, J]")
def heads_averaged(WQ, WK):
    return (_product(WQ, WK) / _root(WQ)).mean(0)


@mistake(
    MERGE, "every head gets the sum of all heads' matrices: WQ[k] and WK[k] make the matrix of head k alone"
)
def heads_summed_and_repeated(WQ, WK):
    return (_product(WQ, WK) / _root(WQ)).sum(0).expand(len(WQ), -1, -1)


@mistake(MERGE, "only the diagonal is filled: every pair j₁, j₂ has an entry, summed over I")
def only_diagonal_kept(WQ, WK):
    return (WQ * WK).sum(1).diag_embed() / _root(WQ)


@mistake(
    MERGE, "every head gets the sum over all heads: the head k is not summed over, WQ[k] meets WK[k] only"
)
def heads_mixed(WQ, WK):
    return torch.einsum("kia,lib->kab", WQ, WK) / _root(WQ)


@mistake(MERGE, "every head uses the first head's matrices: head k has WQ[k] and WK[k]")
def one_head_for_all(WQ, WK):
    return (_product(WQ, WK) / _root(WQ))[:1].expand(WQ.shape[0], -1, -1)


@mistake(MERGE, "the head axis stands last: the result is [K, J, J], with k first")
def output_axes_permuted(WQ, WK):
    return torch.einsum("kia,kib->abk", WQ, WK) / _root(WQ)


@mistake(MERGE, "the head axis stands in the middle: the result is [K, J, J], with k first")
def head_axis_in_the_middle(WQ, WK):
    return torch.einsum("kia,kib->akb", WQ, WK) / _root(WQ)


@mistake(MERGE, "a softmax is applied to the matrix: the softmax belongs to the scores of positions, later")
def softmax_of_matrix(WQ, WK):
    return torch.softmax(_product(WQ, WK) / _root(WQ), dim=-1)


@mistake(
    MERGE, "the matrix was made symmetric: query and key play different parts, and W̃[j₁, j₂] is not W̃[j₂, j₁]"
)
def made_symmetric(WQ, WK):
    merged = _product(WQ, WK) / _root(WQ)
    return (merged + merged.mT) / 2


# ---------------------------------------------------------------- attention through it


def merged_attention(L, W_tilde):
    scores = torch.einsum("sa,kab,tb->kst", L, W_tilde, L)
    return torch.softmax(scores, dim=-1)


attention_equation = key("alpha[k,t1,t2] = softmax_{t2} [L[t1,J1] W_tilde[k,J1,J2] L[t2,J2]]")

ATTEND = "merged_attention"


def _scores(L, W_tilde):
    return L @ W_tilde @ L.T


@mistake(
    ATTEND, "the weights are transposed: entry [k, t₁, t₂] says how much t₁ attends to t₂, so rows sum to 1"
)
def attention_transposed(L, W_tilde):
    return torch.softmax(_scores(L, W_tilde), dim=-1).mT


@mistake(ATTEND, "your softmax runs over the queries t₁: for each t₁, the weights over t₂ should sum to 1")
def softmax_over_queries(L, W_tilde):
    return torch.softmax(_scores(L, W_tilde), dim=-2)


@mistake(ATTEND, "your softmax runs over the heads: each head has its own softmax, over t₂")
def softmax_over_heads(L, W_tilde):
    return torch.softmax(_scores(L, W_tilde), dim=0)


@mistake(ATTEND, "your softmax runs over all pairs of positions at once: each t₁ needs weights that sum to 1")
def global_softmax(L, W_tilde):
    scores = _scores(L, W_tilde)
    return torch.softmax(scores.flatten(1), dim=1).view_as(scores)


@mistake(ATTEND, "your softmax runs over all heads and positions at once: each head and each t₁ has its own")
def softmax_over_everything(L, W_tilde):
    scores = _scores(L, W_tilde)
    return torch.softmax(scores.flatten(), dim=0).view_as(scores)


@mistake(ATTEND, "the softmax is missing: the scores themselves are returned")
def missing_softmax(L, W_tilde):
    return _scores(L, W_tilde)


@mistake(ATTEND, "the logarithm of the weights is returned: use softmax, not log_softmax")
def log_softmax(L, W_tilde):
    return torch.log_softmax(_scores(L, W_tilde), dim=-1)


@mistake(ATTEND, "a sigmoid stands for the softmax: the weights of each t₁ should sum to 1")
def sigmoid_instead_of_softmax(L, W_tilde):
    return torch.sigmoid(_scores(L, W_tilde))


@mistake(ATTEND, "the exponentials are not divided by their sum: the weights of each t₁ should sum to 1")
def missing_normaliser(L, W_tilde):
    return torch.exp(_scores(L, W_tilde))


@mistake(ATTEND, "the scores are divided by their sum without the exponential: that is no softmax")
def missing_exponential(L, W_tilde):
    scores = _scores(L, W_tilde)
    return scores / scores.sum(-1, keepdim=True)


@mistake(ATTEND, "the softmax is applied twice: once is enough")
def softmax_twice(L, W_tilde):
    return torch.softmax(torch.softmax(_scores(L, W_tilde), dim=-1), dim=-1)


@mistake(ATTEND, "the merged matrix is not used: the score is L[t₁]·W̃·L[t₂], not L[t₁]·L[t₂]")
def merged_matrix_not_used(L, W_tilde):
    return torch.softmax(L @ L.T, dim=-1).expand(W_tilde.shape[0], -1, -1)


@mistake(ATTEND, "the scores are divided by √J: the factor is inside W̃ already, and it was 1/√I")
def adds_sqrt_scaling(L, W_tilde):
    return torch.softmax(_scores(L, W_tilde) / math.sqrt(L.shape[1]), dim=-1)


@mistake(ATTEND, "the scores are divided by J: the factor is inside W̃ already")
def divides_by_model_dim_again(L, W_tilde):
    return torch.softmax(_scores(L, W_tilde) / L.shape[1], dim=-1)


@mistake(ATTEND, "the scores are divided by √K: the factor is inside W̃ already")
def scales_by_number_of_heads(L, W_tilde):
    return torch.softmax(_scores(L, W_tilde) / math.sqrt(W_tilde.shape[0]), dim=-1)


@mistake(ATTEND, "the scores are divided by √T: the factor is inside W̃ already")
def scales_by_length(L, W_tilde):
    return torch.softmax(_scores(L, W_tilde) / math.sqrt(L.shape[0]), dim=-1)


@mistake(ATTEND, "the scores are divided by √(J/K): the factor is inside W̃ already")
def scales_by_head_size(L, W_tilde):
    return torch.softmax(_scores(L, W_tilde) / math.sqrt(L.shape[1] / W_tilde.shape[0]), dim=-1)


@mistake(ATTEND, "W̃ is transposed (query and key exchanged): t₁ stands on its left, t₂ on its right")
def merged_matrix_transposed(L, W_tilde):
    return torch.softmax(_scores(L, W_tilde.mT), dim=-1)


@mistake(
    ATTEND, "t₁ stands on both sides of W̃: the score is then the same for all t₂ and every weight is 1/T"
)
def same_position_twice(L, W_tilde):
    own = torch.einsum("ta,kab,tb->kt", L, W_tilde, L)
    return torch.softmax(own.unsqueeze(-1).expand(-1, -1, L.shape[0]), dim=-1)


@mistake(ATTEND, "t₂ stands on both sides of W̃: the weights are then the same for all t₁")
def key_position_twice(L, W_tilde):
    own = torch.einsum("ta,kab,tb->kt", L, W_tilde, L)
    return torch.softmax(own.unsqueeze(-2).expand(-1, L.shape[0], -1), dim=-1)


@mistake(ATTEND, "W̃ is applied on both sides: it stands for query and key together, so it occurs once")
def merged_matrix_twice(L, W_tilde):
    mapped = L @ W_tilde
    return torch.softmax(mapped @ mapped.mT, dim=-1)


@mistake(ATTEND, "the product with L[t₂] is missing: the score is L[t₁]·W̃·L[t₂]")
def one_side_only(L, W_tilde):
    return torch.softmax(L @ W_tilde, dim=-1)


@mistake(ATTEND, "positions and features are exchanged: the sums run over J, and positions are the rows of L")
def positions_and_features_swapped(L, W_tilde):
    return torch.softmax(L.T @ W_tilde @ L, dim=-1)


@mistake(ATTEND, "the transpose is missing: the scores are L·W̃·Lᵀ", id="missing_transpose")
def _attention_without_transpose(L, W_tilde):
    return torch.softmax(L @ W_tilde @ L, dim=-1)


@mistake(ATTEND, "the weighted averages of L are returned: the weights themselves are asked for, [K, T, T]")
def output_instead_of_weights(L, W_tilde):
    return torch.softmax(_scores(L, W_tilde), dim=-1) @ L


@mistake(ATTEND, "the heads are averaged: each head has its own weights, [K, T, T]", id="heads_averaged")
def _attention_heads_averaged(L, W_tilde):
    return torch.softmax(_scores(L, W_tilde), dim=-1).mean(0)


@mistake(ATTEND, "the heads are added up: each head has its own weights, [K, T, T]", id="heads_summed")
def _attention_heads_summed(L, W_tilde):
    return torch.softmax(_scores(L, W_tilde), dim=-1).sum(0)


@mistake(ATTEND, "the scores of all heads are added up before the softmax: each head has its own weights")
def scores_summed_over_heads(L, W_tilde):
    return torch.softmax(_scores(L, W_tilde).sum(0), dim=-1)


@mistake(ATTEND, "every head has the first head's weights: head k uses W̃[k]", id="one_head_for_all")
def _attention_of_one_head(L, W_tilde):
    return torch.softmax(_scores(L, W_tilde[:1]), dim=-1).expand(W_tilde.shape[0], -1, -1)


@mistake(ATTEND, "only the first head's weights are returned: there are K heads, [K, T, T]")
def first_head_only(L, W_tilde):
    return torch.softmax(_scores(L, W_tilde[0]), dim=-1)


@mistake(
    ATTEND, "the head axis stands last: the result is [K, T, T], with k first", id="output_axes_permuted"
)
def _attention_axes_permuted(L, W_tilde):
    return torch.softmax(_scores(L, W_tilde), dim=-1).permute(1, 2, 0)


@mistake(ATTEND, "the head axis stands in the middle: the result is [K, T, T], with k first")
def head_axis_second(L, W_tilde):
    return torch.softmax(_scores(L, W_tilde), dim=-1).transpose(0, 1)


@mistake(ATTEND, "positions do not see themselves: this attention has no mask")
def self_masked(L, W_tilde):
    scores = _scores(L, W_tilde)
    own = torch.eye(L.shape[0], dtype=torch.bool)
    return torch.softmax(scores.masked_fill(own, -torch.inf), dim=-1)


@mistake(ATTEND, "the scores are made symmetric: t₁ asks and t₂ answers, W̃[j₁, j₂] is not W̃[j₂, j₁]")
def symmetric_scores(L, W_tilde):
    return torch.softmax(_scores(L, (W_tilde + W_tilde.mT) / 2), dim=-1)


@mistake(ATTEND, "all weight goes to the best position: a softmax gives each t₂ its share")
def hard_attention(L, W_tilde):
    scores = _scores(L, W_tilde)
    return (scores == scores.amax(-1, keepdim=True)).to(L.dtype)


@mistake(ATTEND, "positions only look backwards: this attention has no causal mask")
def causal_mask(L, W_tilde):
    scores = _scores(L, W_tilde)
    future = torch.ones_like(scores, dtype=torch.bool).triu(1)
    return torch.softmax(scores.masked_fill(future, -torch.inf), dim=-1)


@mistake(
    ATTEND, "the softmax overflows on large scores: subtract the row's maximum first, or call torch.softmax"
)
def softmax_overflows(L, W_tilde):
    weights = torch.exp(_scores(L, W_tilde))
    return weights / weights.sum(-1, keepdim=True)


@mistake(
    ATTEND,
    "the largest score of all is subtracted: where scores are large, whole rows become 0/0; subtract each row's own maximum",
)
def softmax_underflows(L, W_tilde):
    scores = _scores(L, W_tilde)
    weights = torch.exp(scores - scores.max())
    return weights / weights.sum(-1, keepdim=True)


# ---------------------------------------------------------------- counting parameters

original_parameters = key("2*I*J")
merged_parameters = key("J^2")
break_even = key("I = J/2")

slips = [
    slip(
        "merged_equation",
        "scale_missing",
        "W_tilde[k,j1,j2] = WQ[k,I,j1] WK[k,I,j2]",
        "the factor 1/sqrt(I) is missing: nothing else in the new equation can supply it",
    ),
    slip(
        "merged_equation",
        "scaled_by_I",
        "W_tilde[k,j1,j2] = (1/I) WQ[k,I,j1] WK[k,I,j2]",
        "the factor is 1/I: the square root is missing",
    ),
    slip(
        "merged_equation",
        "scaled_by_J",
        "W_tilde[k,j1,j2] = (1/sqrt(J)) WQ[k,I,j1] WK[k,I,j2]",
        "the factor is 1/sqrt(J): the inner product has length I",
    ),
    slip(
        "merged_equation",
        "scale_inverted",
        "W_tilde[k,j1,j2] = sqrt(I) WQ[k,I,j1] WK[k,I,j2]",
        "sqrt(I) multiplies: it must divide",
    ),
    slip(
        "merged_equation",
        "query_key_swapped",
        "W_tilde[k,j1,j2] = (1/sqrt(I)) WK[k,I,j1] WQ[k,I,j2]",
        "key and query are swapped: j1 belongs to the query",
    ),
    slip(
        "merged_equation",
        "query_twice",
        "W_tilde[k,j1,j2] = (1/sqrt(I)) WQ[k,I,j1] WQ[k,I,j2]",
        "WQ stands twice: the second factor is WK",
    ),
    slip(
        "merged_equation",
        "heads_summed",
        "W_tilde[k,j1,j2] = (1/sqrt(I)) sum_k WQ[k,I,j1] WK[k,I,j2]",
        "the heads are added: each keeps its own matrix",
    ),
    slip(
        "attention_equation",
        "same_position_twice",
        "alpha[k,t1,t2] = softmax_{t2} [L[t1,J1] W_tilde[k,J1,J2] L[t1,J2]]",
        "t1 stands where t2 belongs: the score does not depend on t2, and every weight is 1/T",
    ),
    slip(
        "attention_equation",
        "softmax_over_queries",
        "alpha[k,t1,t2] = softmax_{t1} [L[t1,J1] W_tilde[k,J1,J2] L[t2,J2]]",
        "the softmax runs over t1: the weights of one t1 must add up to 1 over t2",
    ),
    slip(
        "attention_equation",
        "transposed",
        "alpha[k,t1,t2] = softmax_{t2} [L[t2,J1] W_tilde[k,J1,J2] L[t1,J2]]",
        "the two sides are swapped: the first index of W_tilde belongs to the query at t1",
    ),
    slip(
        "attention_equation",
        "scaled_twice",
        "alpha[k,t1,t2] = softmax_{t2} [(1/sqrt(I)) L[t1,J1] W_tilde[k,J1,J2] L[t2,J2]]",
        "1/sqrt(I) is already inside W_tilde",
    ),
    slip(
        "attention_equation",
        "scaled_by_J",
        "alpha[k,t1,t2] = softmax_{t2} [(1/sqrt(J)) L[t1,J1] W_tilde[k,J1,J2] L[t2,J2]]",
        "no factor is left to write: 1/sqrt(I) is already inside W_tilde",
    ),
    slip(
        "attention_equation",
        "no_softmax",
        "alpha[k,t1,t2] = L[t1,J1] W_tilde[k,J1,J2] L[t2,J2]",
        "this is the score: the attention is its softmax over t2",
    ),
    slip(
        "attention_equation",
        "one_index_for_two",
        "alpha[k,t1,t2] = softmax_{t2} [L[t1,J] W_tilde[k,J,J] L[t2,J]]",
        "J stands for both indices of W_tilde, so only its diagonal is used: name them J1 and J2",
    ),
    slip(
        "original_parameters",
        "one_matrix_only",
        "I*J",
        "that is one of the two: a head has a query matrix and a key matrix",
    ),
    slip(
        "original_parameters",
        "counts_value_matrix",
        "3*I*J",
        "the value matrix is not asked for: count query and key only",
    ),
    slip(
        "original_parameters",
        "sizes_added",
        "2*(I + J)",
        "a matrix with I rows and J columns holds I·J numbers, not I + J",
    ),
    slip(
        "original_parameters",
        "product_of_counts",
        "I^2*J^2",
        "the two matrices stand side by side: their counts add, they do not multiply",
    ),
    slip(
        "original_parameters", "square_matrices", "2*J^2", "the matrices are I × J: they map J numbers to I"
    ),
    slip(
        "original_parameters",
        "merged_count",
        "J^2",
        "that is the merged matrix: the original pair is two matrices of I × J",
    ),
    slip("merged_parameters", "product_kept_narrow", "I*J", "WQᵀ·WK is J × I times I × J: that makes J × J"),
    slip(
        "merged_parameters",
        "original_count",
        "2*I*J",
        "that is the original pair: the merged matrix is a single one, J × J",
    ),
    slip("merged_parameters", "square_of_keys", "I^2", "the sum runs over I: what is left is J × J"),
    slip(
        "merged_parameters",
        "symmetric_count",
        "J*(J + 1)/2",
        "the merged matrix is not symmetric: all its J·J entries count",
    ),
    slip(
        "merged_parameters",
        "two_merged",
        "2*J^2",
        "the merged matrix takes the place of both: there is one a head",
    ),
    slip(
        "break_even",
        "equal_sizes",
        "I = J",
        "at I = J the pair has 2·J² numbers, twice as many as the merged matrix",
    ),
    slip("break_even", "inverted", "I = 2*J", "set 2·I·J equal to J² and divide by 2·J"),
    slip("break_even", "square_kept", "I = J^2/2", "set 2·I·J equal to J² and divide by 2·J: one J is left"),
    slip(
        "break_even", "root_taken", "I = sqrt(J)", "set 2·I·J equal to J² and divide by 2·J: there is no root"
    ),
    slip("break_even", "quarter", "I = J/4", "set 2·I·J equal to J² and divide by 2·J"),
]
