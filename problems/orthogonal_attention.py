"""Orthogonal attention: three tokens made of orthogonal vectors, attending to each other by inner products."""

from autograder import Code, Formula, Problem, Prose, case, double_precision, orthogonal, views


def orthogonal_self_attention(a, b, c, d):
    """Self-attention on the tokens x₁ = d + b, x₂ = a, x₃ = c + d, which are queries, keys and values at once.

    a[D]  b[D]  c[D]  d[D]   mutually orthogonal, all of the same norm β
    returns (norms[3], Y[3, D]): the norms of x₁, x₂, x₃, and the outputs y₁, y₂, y₃ as rows
    """


STATEMENT = r"""
Let $a, b, c, d \in \mathbb R^D$ be mutually orthogonal vectors, each of norm $\beta > 0$. A sequence of three tokens is
made of them:

$$x_1 = d + b, \qquad x_2 = a, \qquad x_3 = c + d .$$

They pass through a self-attention layer without any matrices: query, key and value of token $i$ are the token itself,
$q_i = k_i = v_i = x_i$. There is no scaling.

$$s_{ij} = \langle x_i, x_j \rangle, \qquad
w_{ij} = \frac{e^{s_{ij}}}{\sum_{j'=1}^3 e^{s_{ij'}}}, \qquad
y_i = \sum_{j=1}^3 w_{ij}\, x_j .$$

Mind what is orthogonal here: the *building blocks* $a, b, c, d$ are. Whether two tokens are depends on the blocks they
share.

![Four tables of attention weights between three tokens, for norms one half, one, two and three: as the norm grows,
the tables turn from nearly even to nearly the identity](figures/orthogonal_attention.svg)

**A smaller example by hand.** Let $p$ and $q$ be orthogonal with norm $\beta$, and take two tokens $u_1 = p$ and
$u_2 = p + 2q$. Inner products multiply out, and $\langle p, q \rangle = 0$ drops out:

$$\langle u_1, u_1 \rangle = \beta^2, \qquad
\langle u_1, u_2 \rangle = \langle p, p \rangle + 2 \langle p, q \rangle = \beta^2, \qquad
\langle u_2, u_2 \rangle = \langle p, p \rangle + 4 \langle q, q \rangle = 5 \beta^2 .$$

The norm of a token is the root of its inner product with itself: $\|u_2\| = \beta \sqrt 5$, not $\beta + 2 \beta$. With
$\beta^2 = \ln 2$ the second token has scores $\ln 2$ and $5 \ln 2$, weights proportional to $2$ and $32$, and so
$y_2 = \tfrac1{17}\, u_1 + \tfrac{16}{17}\, u_2$. The first has equal scores, and $y_1 = \tfrac12\, u_1 + \tfrac12\, u_2$.

**How to write formulas.** As text, in plain notation or LaTeX: `beta` (or `β`), `sqrt(5)`, `beta^2`, `e^(3 beta)` or
`exp(3 beta)`, and `x_1`, `x_2`, `x_3` for the tokens. The second output above would be `(x_1 + 16 x_2)/17`. Any form
that is equal earns the marks.
"""

# what the exercise says of its building blocks, for answers such as sqrt(||d||^2 + ||b||^2)
_BLOCKS = [
    "||a|| = ||b|| = ||c|| = ||d|| = beta",
    "<a, b> = <a, c> = <a, d> = <b, c> = <b, d> = <c, d> = 0",
]
_NORM = "Write the norm of $x_%d$ in terms of $\\beta$."
_OUTPUT = r"""Write $y_%d$ exactly, for any $\beta > 0$, as a combination of $x_1$, $x_2$ and $x_3$. Do not
approximate the softmax."""


def _norm(token):
    return Formula(
        f"norm_{token}",
        points=1,
        ask=_NORM % token,
        variables=["beta"],
        assumptions=["beta > 0", *_BLOCKS],
        defines=f"||x_{token}||",
    )


def _output(token):
    return Formula(
        f"output_{token}",
        points=2,
        ask=_OUTPUT % token,
        variables=["beta"],
        vectors=["x_1", "x_2", "x_3"],
        assumptions=["beta > 0", "x_1 = d + b", "x_2 = a", "x_3 = c + d"],
        defines=f"y_{token}",
    )


problem = Problem(
    title="Attention between sums of orthogonal vectors",
    source="a solved deep-learning homework, question 2",
    statement=STATEMENT,
    parts=[
        _norm(1),
        _norm(2),
        _norm(3),
        Formula(
            "score_13",
            points=1,
            ask=r"Write the score $\langle x_1, x_3 \rangle$ between the first and the third token in terms of $\beta$.",
            variables=["beta"],
            assumptions=["beta > 0", *_BLOCKS],
            defines="<x_1, x_3>",
        ),
        Code(
            orthogonal_self_attention,
            points=4,
            ask=r"""Write the layer as a torch function of the four vectors. It returns the three norms, and the three
outputs as the rows of a matrix.""",
            draws={name: orthogonal() for name in "abcd"},
            cases=[
                case("unit vectors", D=5, norm=1.0),
                case("short vectors: the tokens mix", D=6, norm=0.5),
                case("longer vectors: mostly themselves", D=4, norm=1.4),
                case(
                    "another norm",
                    D=7,
                    norm=0.8,
                    hidden=True,
                    hint="x₁ and x₃ share d, so their score is not 0; compute the scores from the tokens",
                ),
                case(
                    "many dimensions",
                    D=17,
                    norm=1.2,
                    hidden=True,
                    hint="nothing scales the scores: the result does not depend on D",
                ),
                case(
                    "very short vectors",
                    D=4,
                    norm=0.25,
                    hidden=True,
                    hint="when β is small all scores are near 0, and every output is near the mean of the tokens",
                ),
                double_precision("a", D=8, norm=1.1),
                case(
                    "very long vectors",
                    D=6,
                    scale=12.0,
                    costs=0.25,
                    hidden=True,
                    hint="exp of a large score overflows: subtract the row's largest score first, or use torch.softmax",
                ),
                views(
                    "a",
                    "b",
                    "c",
                    "d",
                    D=5,
                    norm=0.9,
                    hint="the inputs need not be contiguous, and gradients should flow through norms and outputs",
                ),
            ],
        ),
        _output(1),
        _output(2),
        _output(3),
        Formula(
            "limit_outputs",
            points=2,
            ask=r"""What do $y_1$, $y_2$ and $y_3$ come close to as $\beta \to \infty$? Write all three in terms of $a$, $b$, $c$
and $d$, as in `y_1 = a + b, y_2 = b, y_3 = c`.""",
            variables=["beta"],
            vectors=["a", "b", "c", "d"],
            assumptions=["beta > 0"],
        ),
        Prose(
            "why_copying",
            points=3,
            ask=r"""As $\beta$ grows, this layer copies its input: each output is its own token. Explain in a few sentences
why. What in the scores brings it about? Does it need the tokens to be orthogonal? What does the layer do when $\beta$
is small?""",
            guide=r"""One point each. (1) The cause is the gap: in every row a token's score with itself exceeds every other by
at least $\beta^2$, and softmax turns a gap $\beta^2$ into a ratio $e^{\beta^2}$ of weights, so the own weight tends to 1.
(2) The tokens are not orthogonal, as $\langle x_1, x_3 \rangle = \beta^2$; it suffices that each token's largest score is
with itself, by a growing margin. Crediting orthogonality alone earns no point here. (3) The weights are never exactly 0 or 1:
for small $\beta$ all scores are near 0 and each output is near the mean of the three tokens.""",
        ),
    ],
)
