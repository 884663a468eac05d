"""Attention between sums of orthogonal vectors, answered, with the mistakes that must be caught."""

import math

import torch

from autograder import mistake, slip

norm_1 = "beta*sqrt(2)"
norm_2 = "beta"
norm_3 = "beta*sqrt(2)"
score_13 = "beta^2"
output_1 = "(e^(2*beta^2)*x_1 + x_2 + e^(beta^2)*x_3) / (e^(2*beta^2) + e^(beta^2) + 1)"
output_2 = "(x_1 + e^(beta^2)*x_2 + x_3) / (e^(beta^2) + 2)"
output_3 = "(e^(beta^2)*x_1 + x_2 + e^(2*beta^2)*x_3) / (e^(2*beta^2) + e^(beta^2) + 1)"
limit_outputs = "y_1 = d + b, y_2 = a, y_3 = c + d"

why_copying = r"""
The scores are $\langle x_1, x_1 \rangle = \langle x_3, x_3 \rangle = 2\beta^2$, $\langle x_2, x_2 \rangle = \beta^2$,
$\langle x_1, x_3 \rangle = \beta^2$, and 0 between $x_2$ and the others. In every row the token's score with itself is the
largest, by at least $\beta^2$. The softmax turns this gap into a ratio of weights of at least $e^{\beta^2}$, which grows
without bound: the weight of the token itself tends to 1, the others tend to 0, and $y_i$ tends to $x_i$.

The tokens need not be orthogonal, and here they are not: $x_1$ and $x_3$ share $d$. What counts is the long norm, which
makes a token's score with itself beat all others by a wide margin. For small $\beta$ all scores are close to 0, the weights
close to one third, and the layer mixes: each output is near the mean of the three tokens.
"""


def orthogonal_self_attention(a, b, c, d):
    x = torch.stack([d + b, a, c + d])
    weights = torch.softmax(x @ x.T, dim=1)
    return x.norm(dim=1), weights @ x


OF = "orthogonal_self_attention"


def _tokens(a, b, c, d):
    return torch.stack([d + b, a, c + d])


def _attend(x, scores):
    return x.norm(dim=1), torch.softmax(scores, dim=1) @ x


def _scaled(x, scale):
    return _attend(x, scale * x @ x.T)


@mistake(
    OF,
    "the outputs are the tokens themselves: that is the limit for large β, the softmax always mixes a little",
)
def identity_attention(a, b, c, d):
    x = _tokens(a, b, c, d)
    return x.norm(dim=1), x


@mistake(OF, "you divided the scores by √3, the number of tokens: this layer has no scaling")
def scales_by_number_of_tokens(a, b, c, d):
    return _scaled(_tokens(a, b, c, d), 1 / math.sqrt(3))


@mistake(OF, "you divided the scores by β: this layer has no scaling")
def scales_by_norm(a, b, c, d):
    return _scaled(_tokens(a, b, c, d), 1 / a.norm())


@mistake(OF, "you divided the scores by β²: this layer has no scaling, long vectors attend more sharply")
def scales_by_squared_norm(a, b, c, d):
    return _scaled(_tokens(a, b, c, d), 1 / (a @ a))


@mistake(OF, "the scores are cosines: the tokens' norms belong into ⟨x_i, x_j⟩, so do not normalise")
def cosine_scores(a, b, c, d):
    x = _tokens(a, b, c, d)
    unit = x / x.norm(dim=1, keepdim=True)
    return _attend(x, unit @ unit.T)


@mistake(OF, "the tokens are normalised to length 1: use them as they are")
def tokens_normalised(a, b, c, d):
    x = _tokens(a, b, c, d)
    unit = x / x.norm(dim=1, keepdim=True)
    return x.norm(dim=1), torch.softmax(unit @ unit.T, dim=1) @ unit


@mistake(
    OF,
    "you took β² for every token's score with itself and 0 for the rest: multiply out ⟨x₁, x₁⟩ and ⟨x₁, x₃⟩",
)
def equal_diagonal_scores(a, b, c, d):
    x = _tokens(a, b, c, d)
    return _attend(x, (a @ a) * torch.eye(3, dtype=a.dtype))


@mistake(OF, "the scores use norms where inner products belong: ⟨x_i, x_i⟩ is the square of the norm")
def norms_as_scores(a, b, c, d):
    x = _tokens(a, b, c, d)
    return _attend(x, torch.diag(x.norm(dim=1)))


@mistake(OF, "the tokens are added to the outputs: this layer has no residual connection")
def adds_residual(a, b, c, d):
    norms, y = orthogonal_self_attention(a, b, c, d)
    return norms, y + _tokens(a, b, c, d)


def _with_tokens(name, tokens, says):
    """The layer on other tokens."""

    def answer(a, b, c, d):
        x = torch.stack(tokens(a, b, c, d))
        return _attend(x, x @ x.T)

    return mistake(OF, says, name)(answer)


_THEY_ARE = "they are d + b, a, c + d"
wrong_tokens = [
    _with_tokens(
        "tokens_reordered",
        lambda a, b, c, d: (a, d + b, c + d),
        f"the tokens are in another order: {_THEY_ARE}",
    ),
    _with_tokens(
        "tokens_reversed",
        lambda a, b, c, d: (c + d, a, d + b),
        f"the tokens are in reverse order: {_THEY_ARE}",
    ),
    _with_tokens(
        "blocks_as_tokens", lambda a, b, c, d: (b, a, c), f"the tokens are built without d: {_THEY_ARE}"
    ),
    _with_tokens(
        "first_three_as_tokens",
        lambda a, b, c, d: (a, b, c),
        f"a, b, c are taken for the tokens: {_THEY_ARE}",
    ),
    _with_tokens(
        "first_token_wrong", lambda a, b, c, d: (a + b, a, c + d), "the first token is d + b, not a + b"
    ),
    _with_tokens(
        "third_token_wrong", lambda a, b, c, d: (d + b, a, b + c), "the third token is c + d, not b + c"
    ),
    _with_tokens(
        "first_token_without_d", lambda a, b, c, d: (b, a, c + d), "the first token is d + b, not b alone"
    ),
    _with_tokens(
        "third_token_without_d", lambda a, b, c, d: (d + b, a, c), "the third token is c + d, not c alone"
    ),
    _with_tokens(
        "first_token_with_c", lambda a, b, c, d: (c + b, a, c + d), "the first token is d + b, not c + b"
    ),
    _with_tokens(
        "third_token_with_a", lambda a, b, c, d: (d + b, a, c + a), "the third token is c + d, not c + a"
    ),
    _with_tokens(
        "second_token_a_sum",
        lambda a, b, c, d: (d + b, a + b, c + d),
        "the second token is a alone, not a + b",
    ),
    _with_tokens("second_token_wrong", lambda a, b, c, d: (d + b, b, c + d), "the second token is a, not b"),
    _with_tokens(
        "difference_for_sum",
        lambda a, b, c, d: (d - b, a, c - d),
        "the tokens are sums, d + b and c + d, not differences",
    ),
    _with_tokens(
        "averages_for_sums",
        lambda a, b, c, d: ((d + b) / 2, a, (c + d) / 2),
        "the tokens are sums, d + b and c + d, not averages",
    ),
]


def _with_norms(name, norms, says):
    """The right outputs with other norms."""

    def answer(a, b, c, d):
        right, y = orthogonal_self_attention(a, b, c, d)
        return norms(_tokens(a, b, c, d), right, y, a.norm()), y

    return mistake(OF, says, name)(answer)


wrong_norms = [
    _with_norms(
        "norms_added",
        lambda x, right, y, beta: torch.stack([2 * beta, beta, 2 * beta]),
        "norms of orthogonal vectors do not add up: ‖d + b‖² = ‖d‖² + ‖b‖²",
    ),
    _with_norms(
        "squared_norms",
        lambda x, right, y, beta: right**2,
        "these are the squares of the norms: take the root",
    ),
    _with_norms(
        "norm_of_building_blocks",
        lambda x, right, y, beta: beta.expand(3).clone(),
        "these are the norms of a, b, c, d: x₁ and x₃ are longer",
    ),
    _with_norms(
        "norms_of_outputs",
        lambda x, right, y, beta: y.norm(dim=1),
        "these are the norms of the outputs: asked are those of the tokens",
    ),
    _with_norms(
        "norm_over_wrong_axis",
        lambda x, right, y, beta: x.norm(dim=0),
        "the norms run over the tokens: each token has one norm, dim=1",
    ),
    _with_norms(
        "norm_of_everything",
        lambda x, right, y, beta: x.norm(),
        "this is one norm of the whole matrix: each token has its own, dim=1",
    ),
    _with_norms(
        "absolute_sum_norm",
        lambda x, right, y, beta: x.abs().sum(dim=1),
        "this is the sum of absolute values: the norm is the root of the sum of squares",
    ),
    _with_norms(
        "largest_entry_norm",
        lambda x, right, y, beta: x.abs().amax(dim=1),
        "this is the largest entry: the norm is the root of the sum of squares",
    ),
    _with_norms(
        "root_mean_square",
        lambda x, right, y, beta: right / math.sqrt(x.shape[1]),
        "this is the root of the mean square: the norm sums the squares",
    ),
    _with_norms(
        "norms_keep_axis",
        lambda x, right, y, beta: right[:, None],
        "the norms have an axis too many: their shape is [3]",
    ),
    _with_norms(
        "normalised_norms",
        lambda x, right, y, beta: right / beta,
        "the norms are divided by β: give them as they are",
    ),
]


@mistake(
    OF,
    "norms are added up as ‖d‖ + ‖b‖, and the outputs are the tokens themselves: neither holds for finite β",
)
def norms_added_and_identity(a, b, c, d):
    beta = a.norm()
    return torch.stack([2 * beta, beta, 2 * beta]), _tokens(a, b, c, d)


@mistake(OF, "the attention weights are returned: asked are the outputs, weights times tokens")
def returns_weights(a, b, c, d):
    x = _tokens(a, b, c, d)
    return x.norm(dim=1), torch.softmax(x @ x.T, dim=1)


def _norm_slips(part):
    return [
        slip(part, "norms_added", "2*beta", "norms of orthogonal vectors do not add up: their squares do"),
        slip(part, "squared_norm", "2*beta^2", "that is the square of the norm: take the root"),
        slip(
            part,
            "norm_of_building_block",
            "beta",
            "that is the norm of one building block: this token is a sum of two",
        ),
        slip(part, "forgets_beta", "sqrt(2)", "that is right for β = 1 only: the norm grows with β"),
        slip(
            part, "beta_not_rooted", "beta^2*sqrt(2)", "the root of 2β² is β√2: β comes out of the root once"
        ),
        slip(
            part,
            "beta_under_root",
            "sqrt(2*beta)",
            "the squares of the norms add up: β² + β² under the root, not 2β",
        ),
    ]


_ONE_HOT = "that is the limit for large β: at any finite β the softmax gives every token some weight"
_SUM = "the weights should sum to 1: divide by the sum of the exponentials"
_ZERO = "a score of 0 has weight e⁰ = 1, not 0: that token takes part too"
_EVEN = "equal weights need equal scores: a token's score with itself is larger"

slips = [
    *_norm_slips("norm_1"),
    slip("norm_2", "squared_norm", "beta^2", "that is the square of the norm: take the root"),
    slip(
        "norm_2",
        "norm_of_a_sum",
        "beta*sqrt(2)",
        "that is the norm of a sum of two building blocks: x₂ is a alone",
    ),
    slip("norm_2", "norms_added", "2*beta", "x₂ is a alone, and a has norm β"),
    slip("norm_2", "taken_for_unit", "1", "the building blocks have norm β, which need not be 1"),
    slip("norm_2", "rooted_twice", "sqrt(beta)", "β is the norm already: there is no root left to take"),
    *_norm_slips("norm_3"),
    slip("score_13", "tokens_taken_for_orthogonal", "0", "x₁ and x₃ share d: ⟨d + b, c + d⟩ contains ⟨d, d⟩"),
    slip(
        "score_13",
        "score_with_itself",
        "2*beta^2",
        "that is ⟨x₁, x₁⟩: x₁ and x₃ share only one building block",
    ),
    slip("score_13", "norm_for_inner_product", "beta", "⟨d, d⟩ is the square of the norm of d"),
    slip(
        "score_13",
        "product_of_norms",
        "4*beta^2",
        "three of the four products are between orthogonal vectors and vanish",
    ),
    slip("score_13", "taken_for_unit", "1", "the building blocks have norm β, which need not be 1"),
    slip(
        "score_13", "cosine", "1/2", "that is the cosine of the angle: the score is not divided by the norms"
    ),
    slip("output_1", "identity_attention", "x_1", _ONE_HOT),
    slip(
        "output_1",
        "equal_diagonal_scores",
        "(e^(beta^2)*x_1 + x_2 + x_3) / (e^(beta^2) + 2)",
        "that takes β² for every token's score with itself and 0 for the rest: multiply out ⟨x₁, x₁⟩ and ⟨x₁, x₃⟩",
    ),
    slip(
        "output_1",
        "tokens_taken_for_orthogonal",
        "(e^(2*beta^2)*x_1 + x_2 + x_3) / (e^(2*beta^2) + 2)",
        "x₁ and x₃ share d: their score is β², not 0",
    ),
    slip(
        "output_1",
        "missing_softmax",
        "2*beta^2*x_1 + beta^2*x_3",
        "the scores themselves are used as weights: apply the softmax",
    ),
    slip(
        "output_1",
        "normalised_without_exp",
        "(2*x_1 + x_3)/3",
        "the scores are divided by their sum: a softmax exponentiates first",
    ),
    slip(
        "output_1",
        "zero_score_dropped",
        "(e^(2*beta^2)*x_1 + e^(beta^2)*x_3) / (e^(2*beta^2) + e^(beta^2))",
        _ZERO,
    ),
    slip("output_1", "missing_normalisation", "e^(2*beta^2)*x_1 + x_2 + e^(beta^2)*x_3", _SUM),
    slip("output_1", "uniform_weights", "(x_1 + x_2 + x_3)/3", _EVEN),
    slip(
        "output_1",
        "scores_without_squares",
        "(e^(2*beta)*x_1 + x_2 + e^(beta)*x_3) / (e^(2*beta) + e^(beta) + 1)",
        "inner products bring the square of the norm: β², not β",
    ),
    slip(
        "output_1",
        "weights_of_the_third",
        "(e^(beta^2)*x_1 + x_2 + e^(2*beta^2)*x_3) / (e^(2*beta^2) + e^(beta^2) + 1)",
        "these are the weights of y₃: in y₁ the first token has the largest",
    ),
    slip("output_2", "identity_attention", "x_2", _ONE_HOT),
    slip("output_2", "zero_scores_dropped", "e^(beta^2)*x_2 / (e^(beta^2) + 2)", _ZERO),
    slip(
        "output_2",
        "missing_softmax",
        "beta^2*x_2",
        "the scores themselves are used as weights: apply the softmax",
    ),
    slip("output_2", "missing_normalisation", "x_1 + e^(beta^2)*x_2 + x_3", _SUM),
    slip("output_2", "uniform_weights", "(x_1 + x_2 + x_3)/3", _EVEN),
    slip(
        "output_2",
        "score_of_a_sum",
        "(x_1 + e^(2*beta^2)*x_2 + x_3) / (e^(2*beta^2) + 2)",
        "x₂ is one building block: ⟨x₂, x₂⟩ = β², not 2β²",
    ),
    slip(
        "output_2",
        "scores_without_squares",
        "(x_1 + e^(beta)*x_2 + x_3) / (e^(beta) + 2)",
        "inner products bring the square of the norm: β², not β",
    ),
    slip("output_3", "identity_attention", "x_3", _ONE_HOT),
    slip(
        "output_3",
        "equal_diagonal_scores",
        "(x_1 + x_2 + e^(beta^2)*x_3) / (e^(beta^2) + 2)",
        "that takes β² for every token's score with itself and 0 for the rest: multiply out ⟨x₃, x₃⟩ and ⟨x₃, x₁⟩",
    ),
    slip(
        "output_3",
        "tokens_taken_for_orthogonal",
        "(x_1 + x_2 + e^(2*beta^2)*x_3) / (e^(2*beta^2) + 2)",
        "x₁ and x₃ share d: their score is β², not 0",
    ),
    slip(
        "output_3",
        "missing_softmax",
        "beta^2*x_1 + 2*beta^2*x_3",
        "the scores themselves are used as weights: apply the softmax",
    ),
    slip(
        "output_3",
        "normalised_without_exp",
        "(x_1 + 2*x_3)/3",
        "the scores are divided by their sum: a softmax exponentiates first",
    ),
    slip(
        "output_3",
        "zero_score_dropped",
        "(e^(beta^2)*x_1 + e^(2*beta^2)*x_3) / (e^(2*beta^2) + e^(beta^2))",
        _ZERO,
    ),
    slip("output_3", "missing_normalisation", "e^(beta^2)*x_1 + x_2 + e^(2*beta^2)*x_3", _SUM),
    slip("output_3", "uniform_weights", "(x_1 + x_2 + x_3)/3", _EVEN),
    slip(
        "output_3",
        "weights_of_the_first",
        "(e^(2*beta^2)*x_1 + x_2 + e^(beta^2)*x_3) / (e^(2*beta^2) + e^(beta^2) + 1)",
        "these are the weights of y₁: in y₃ the third token has the largest",
    ),
    slip(
        "limit_outputs",
        "shared_block_dropped",
        "y_1 = b, y_2 = a, y_3 = c",
        "d belongs to x₁ and x₃: each output comes close to its whole token",
    ),
    slip(
        "limit_outputs",
        "small_norm_limit",
        "y_1 = (a + b + c + 2*d)/3, y_2 = (a + b + c + 2*d)/3, y_3 = (a + b + c + 2*d)/3",
        "equal weights are the limit for β → 0: for large β the largest score takes all the weight",
    ),
    slip(
        "limit_outputs",
        "outputs_swapped",
        "y_1 = c + d, y_2 = a, y_3 = d + b",
        "y₁ and y₃ are swapped: the largest score of a token is with itself",
    ),
    slip(
        "limit_outputs",
        "shared_block_mixes",
        "y_1 = (b + c + 2*d)/2, y_2 = a, y_3 = (b + c + 2*d)/2",
        "x₁ and x₃ share d, but the score of a token with itself is larger by β²: it takes all the weight",
    ),
    slip(
        "limit_outputs",
        "blocks_copied",
        "y_1 = a, y_2 = b, y_3 = c",
        "the tokens are d + b, a and c + d: the outputs come close to these",
    ),
]
