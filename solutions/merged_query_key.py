"""Query and key merged, answered, with the mistakes that must be caught."""

import math

import torch

from autograder import key, mistake, slips_of

# ---------------------------------------------------------------- the merged matrix


def merged_key_query(WQ, WK):
    return torch.einsum("kia,kib->kab", WQ, WK) / math.sqrt(WQ.shape[1])


merged_equation = key("W_tilde[k,j1,j2] = (1/sqrt(I)) WQ[k,I,j1] WK[k,I,j2]")

MERGE = "merged_key_query"


def _product(WQ, WK):
    return WQ.mT @ WK


def _root(WQ):
    return math.sqrt(WQ.shape[1])


@mistake(MERGE, "the factor is 1/√(J/K): the size of a key is I, the second axis of WQ")
def scales_by_model_dim_per_head(WQ, WK):
    return _product(WQ, WK) / math.sqrt(WQ.shape[2] / WQ.shape[0])


@mistake(MERGE, "the result is transposed, and the factor 1/√I is missing: j₁ belongs to WQ, j₂ to WK")
def result_transposed_without_scaling(WQ, WK):
    return _product(WK, WQ)


@mistake(
    MERGE,
    "the result is transposed, and you divided by √J: j₁ belongs to WQ, j₂ to WK, and the factor is 1/√I",
)
def result_transposed_and_scaled_by_model_dim(WQ, WK):
    return _product(WK, WQ) / math.sqrt(WQ.shape[2])


@mistake(
    MERGE,
    "the sum runs over J, and the factor 1/√I is missing: sum over I, the axis that query and key share",
)
def sums_over_model_axis_without_scaling(WQ, WK):
    return WQ @ WK.mT


@mistake(MERGE, "the transpose is missing: W̃ = WQᵀ·WK / √I, a product of J × I and I × J")
def missing_transpose(WQ, WK):
    return WQ @ WK / _root(WQ)


@mistake(MERGE, "both matrices are transposed: only WQ is, W̃ = WQᵀ·WK / √I")
def both_transposed(WQ, WK):
    return WQ.mT @ WK.mT / _root(WQ)


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


# ---------------------------------------------------------------- attention through it


def merged_attention(L, W_tilde):
    scores = torch.einsum("sa,kab,tb->kst", L, W_tilde, L)
    return torch.softmax(scores, dim=-1)


attention_equation = key(
    "alpha[k,t1,t2] = softmax_{t2} [L[t1,J1] W_tilde[k,J1,J2] L[t2,J2]]", holds=[merged_equation.answer]
)

ATTEND = "merged_attention"


def _scores(L, W_tilde):
    return L @ W_tilde @ L.T


@mistake(ATTEND, "the scores are divided by √(J/K): the factor is inside W̃ already")
def scales_by_head_size(L, W_tilde):
    return torch.softmax(_scores(L, W_tilde) / math.sqrt(L.shape[1] / W_tilde.shape[0]), dim=-1)


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


@mistake(ATTEND, "only the first head's weights are returned: there are K heads, [K, T, T]")
def first_head_only(L, W_tilde):
    return torch.softmax(_scores(L, W_tilde[0]), dim=-1)


@mistake(ATTEND, "all weight goes to the best position: a softmax gives each t₂ its share")
def hard_attention(L, W_tilde):
    scores = _scores(L, W_tilde)
    return (scores == scores.amax(-1, keepdim=True)).to(L.dtype)


# ---------------------------------------------------------------- counting parameters

original_parameters = key("2*I*J")
merged_parameters = key("J^2")
break_even = key("I = J/2")

slips = [
    *slips_of(
        "merged_equation",
        {
            "scaled_by_J": (
                "W_tilde[k,j1,j2] = (1/sqrt(J)) WQ[k,I,j1] WK[k,I,j2]",
                "the factor is 1/sqrt(J): the inner product has length I",
            ),
            "heads_summed": (
                "W_tilde[k,j1,j2] = (1/sqrt(I)) sum_k WQ[k,I,j1] WK[k,I,j2]",
                "the heads are added: each keeps its own matrix",
            ),
        },
    ),
    *slips_of(
        "attention_equation",
        {
            "same_position_twice": (
                "alpha[k,t1,t2] = softmax_{t2} [L[t1,J1] W_tilde[k,J1,J2] L[t1,J2]]",
                "t1 stands where t2 belongs: the score does not depend on t2, and every weight is 1/T",
            ),
            "transposed": (
                "alpha[k,t1,t2] = softmax_{t2} [L[t2,J1] W_tilde[k,J1,J2] L[t1,J2]]",
                "the two sides are swapped: the first index of W_tilde belongs to the query at t1",
            ),
            "scaled_twice": (
                "alpha[k,t1,t2] = softmax_{t2} [(1/sqrt(I)) L[t1,J1] W_tilde[k,J1,J2] L[t2,J2]]",
                "1/sqrt(I) is already inside W_tilde",
            ),
            "scaled_by_J": (
                "alpha[k,t1,t2] = softmax_{t2} [(1/sqrt(J)) L[t1,J1] W_tilde[k,J1,J2] L[t2,J2]]",
                "no factor is left to write: 1/sqrt(I) is already inside W_tilde",
            ),
            "one_index_for_two": (
                "alpha[k,t1,t2] = softmax_{t2} [L[t1,J] W_tilde[k,J,J] L[t2,J]]",
                "J stands for both indices of W_tilde, so only its diagonal is used: name them J1 and J2",
            ),
        },
    ),
    *slips_of(
        "original_parameters",
        {
            "one_matrix_only": ("I*J", "that is one of the two: a head has a query matrix and a key matrix"),
            "counts_value_matrix": ("3*I*J", "the value matrix is not asked for: count query and key only"),
            "sizes_added": ("2*(I + J)", "a matrix with I rows and J columns holds I·J numbers, not I + J"),
            "product_of_counts": (
                "I^2*J^2",
                "the two matrices stand side by side: their counts add, they do not multiply",
            ),
            "square_matrices": ("2*J^2", "the matrices are I × J: they map J numbers to I"),
            "merged_count": ("J^2", "that is the merged matrix: the original pair is two matrices of I × J"),
        },
    ),
    *slips_of(
        "merged_parameters",
        {
            "product_kept_narrow": ("I*J", "WQᵀ·WK is J × I times I × J: that makes J × J"),
            "original_count": (
                "2*I*J",
                "that is the original pair: the merged matrix is a single one, J × J",
            ),
            "square_of_keys": ("I^2", "the sum runs over I: what is left is J × J"),
            "symmetric_count": (
                "J*(J + 1)/2",
                "the merged matrix is not symmetric: all its J·J entries count",
            ),
            "two_merged": ("2*J^2", "the merged matrix takes the place of both: there is one a head"),
        },
    ),
    *slips_of(
        "break_even",
        {
            "equal_sizes": (
                "I = J",
                "at I = J the pair has 2·J² numbers, twice as many as the merged matrix",
            ),
            "inverted": ("I = 2*J", "set 2·I·J equal to J² and divide by 2·J"),
            "square_kept": ("I = J^2/2", "set 2·I·J equal to J² and divide by 2·J: one J is left"),
            "root_taken": ("I = sqrt(J)", "set 2·I·J equal to J² and divide by 2·J: there is no root"),
            "quarter": ("I = J/4", "set 2·I·J equal to J² and divide by 2·J"),
        },
    ),
]
