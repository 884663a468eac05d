"""Query and key merged: the two matrices of an attention head act only through their product."""

from autograder import Code, Equation, Formula, Problem, Tensor, case, double_precision, views


def merged_key_query(WQ, WK):
    """The one matrix a head that does the work of its query matrix and its key matrix, scaling included.

    WQ[K, I, J]  WK[K, I, J]
    returns [K, J, J]: entry [k, j1, j2] belongs to feature j1 of the query's position and j2 of the key's
    """


def merged_attention(L, W_tilde):
    """The attention weights of every head, through the merged matrix.

    L[T, J]  W_tilde[K, J, J]
    returns [K, T, T]: entry [k, t1, t2] is how much position t1 attends to position t2 in head k
    """


STATEMENT = r"""
In a transformer, head $k$ of layer $\ell + 1$ compares positions $t_1$ and $t_2$ of the layer $L_\ell[T, J]$ below by means
of a query and a key, each of size $I$:

$$\begin{aligned}
\text{Query}_{\ell+1}[k, t, i] &= W^Q_{\ell+1}[k, i, J]\, L_\ell[t, J] \\
\text{Key}_{\ell+1}[k, t, i] &= W^K_{\ell+1}[k, i, J]\, L_\ell[t, J] \\
\alpha_{\ell+1}[k, t_1, t_2] &= \underset{t_2}{\text{softmax}} \left[ \frac{1}{\sqrt{I}}\;
\text{Query}_{\ell+1}[k, t_1, I]\, \text{Key}_{\ell+1}[k, t_2, I] \right]
\end{aligned}$$

A capital index is a whole axis, and one that occurs twice in a product is summed over. Both $W^Q$ and $W^K$ have shape
$[K, I, J]$, usually with $I < J$. Neither is ever used without the other. For fixed $k$, let $h_1 = L_\ell[t_1]$ be the
vector that asks and $h_2 = L_\ell[t_2]$ the one that is looked at: what stands inside the softmax has the form
$h_1^\top\, \tilde{W}^Q h_2$, with a single $J \times J$ matrix $\tilde{W}^Q[k, J_1, J_2]$ for each head. Everything that is
not in $L$, the factor $1/\sqrt{I}$ included, is inside that matrix. From here on the index $\ell$ of the layer is dropped.

![On the left the score of two positions is computed with a query of size I and a key of size I; on the right with one
J by J matrix between the two positions](figures/merged_query_key.svg)

**By hand.** *The matrix.* One head, $I = 1$, $J = 2$: let $W^Q = (1 \;\; 2)$ and $W^K = (3 \;\; 5)$. The query of a
vector $a$ is $a_1 + 2 a_2$, the key of a vector $b$ is $3 b_1 + 5 b_2$, and $\sqrt{I} = 1$. Their product is
$3\, a_1 b_1 + 5\, a_1 b_2 + 6\, a_2 b_1 + 10\, a_2 b_2$, which is $a^\top \tilde{W}^Q b$ with

$$\tilde{W}^Q = \begin{pmatrix} 3 & 5 \\ 6 & 10 \end{pmatrix}.$$

*The attention.* One head, $J = 1$, two positions: $L = (1, 2)$ and $\tilde{W}^Q = \ln 2$. Position 1 scores
$1 \cdot \ln 2 \cdot 1 = \ln 2$ with itself and $1 \cdot \ln 2 \cdot 2 = 2 \ln 2$ with position 2, so its weights are
proportional to 2 and 4: they are $\tfrac13$ and $\tfrac23$. Position 2 scores $2 \ln 2$ and $4 \ln 2$; its weights are
$\tfrac15$ and $\tfrac45$.

**Names to type.**

| tensor | plain text | LaTeX |
|---|---|---|
| $W^Q[k, i, j]$, $W^K[k, i, j]$ | `WQ`, `WK` | `W^Q`, `W^K` |
| $\tilde{W}^Q[k, j_1, j_2]$ | `W_tilde` | `\tilde{W}^Q` |
| $L[t, j]$ | `L` | `L_\ell` |
| $\alpha[k, t_1, t_2]$ | `alpha` | `\alpha` |

A softmax over $t_2$ is typed `softmax_{t2} [ … ]`, a sum `sum_i …` (or repeat a capital index), a root `sqrt(…)`.
"""

problem = Problem(
    title="Query and key merged",
    source="TTIC 31230, language modelling, translation and attention, problem 6",
    statement=STATEMENT,
    parts=[
        Equation(
            "merged_equation",
            points=20,
            ask=r"""Give an equation for $\tilde{W}^Q[k, j_1, j_2]$ from $W^Q$ and $W^K$. Start from the score for a fixed $k$, in matrices
if you like, but write the answer with indices, $k$ first.""",
            tensors=[
                Tensor("WQ", ["K", "I", "J"], ["W^Q", r"W_{\ell+1}^Q"]),
                Tensor("WK", ["K", "I", "J"], ["W^K", r"W_{\ell+1}^K"]),
                Tensor(
                    "W_tilde", ["K", "J", "J"], [r"\tilde{W}^Q", r"\tilde{W}", r"\tilde{W}_{\ell+1}^Q", "W~"]
                ),
            ],
            matrix=True,
        ),
        Code(
            merged_key_query,
            points=6,
            ask="Write the merged matrix of every head as a torch function.",
            cases=[
                case("two heads", K=2, I=3, J=5),
                case("keys longer than the model's vectors", K=4, I=6, J=3),
                double_precision("WQ", K=2, I=4, J=3),
                case(
                    "a single head",
                    K=1,
                    I=2,
                    J=7,
                    hidden=True,
                    hint="the axis of heads stays, even where it has length 1",
                ),
                case(
                    "keys of size one",
                    K=3,
                    I=1,
                    J=4,
                    hidden=True,
                    hint="with I = 1 the factor 1/√I is 1, and each head's matrix is an outer product",
                ),
                case(
                    "more heads, longer keys",
                    K=5,
                    I=7,
                    J=6,
                    hidden=True,
                    hint="check the factor, which axis is summed over, and which index of the result belongs to the query",
                ),
                case(
                    "keys as long as the model's vectors",
                    K=3,
                    I=4,
                    J=4,
                    hidden=True,
                    hint="where I = J a missing transpose no longer raises an error: the sum runs over I",
                ),
                views(
                    "WQ",
                    "WK",
                    K=2,
                    I=4,
                    J=5,
                    hint="the inputs need not be contiguous, and training needs gradients with respect to both",
                ),
            ],
        ),
        Equation(
            "attention_equation",
            points=5,
            ask=r"Write the attention with the merged matrix: $\alpha[k, t_1, t_2]$ from $L$ and $\tilde{W}^Q$ alone.",
            tensors=[
                Tensor("L", ["T", "J"], [r"L_\ell", "L_l"]),
                Tensor(
                    "W_tilde", ["K", "J", "J"], [r"\tilde{W}^Q", r"\tilde{W}", r"\tilde{W}_{\ell+1}^Q", "W~"]
                ),
                Tensor("alpha", ["K", "T", "T"], [r"\alpha", r"\alpha_{\ell+1}", "alpha_{l+1}"]),
                Tensor("WQ", ["K", "I", "J"], ["W^Q", r"W_{\ell+1}^Q"]),
                Tensor("WK", ["K", "I", "J"], ["W^K", r"W_{\ell+1}^K"]),
            ],
            matrix=True,
        ),
        Code(
            merged_attention,
            points=6,
            ask="Write the attention weights as a torch function, from the merged matrix.",
            cases=[
                case("two heads on a short sequence", T=5, J=3, K=2),
                case("more heads than positions", T=2, J=5, K=4),
                double_precision("L", T=4, J=3, K=2),
                case(
                    "a single head",
                    T=6,
                    J=2,
                    K=1,
                    hidden=True,
                    hint="the axis of heads stays, even where it has length 1",
                ),
                case(
                    "a sequence of one word",
                    T=1,
                    J=4,
                    K=3,
                    hidden=True,
                    hint="with one position every weight is 1",
                ),
                case(
                    "a longer sequence with other sizes",
                    T=7,
                    J=4,
                    K=3,
                    scale=0.7,
                    hidden=True,
                    hint="check which axis the softmax runs over, and on which side of the matrix t₁ stands",
                ),
                case(
                    "every size is three",
                    T=3,
                    J=3,
                    K=3,
                    hidden=True,
                    hint="where all sizes agree, mixed-up axes no longer raise an error: check their order",
                ),
                case(
                    "large scores",
                    T=6,
                    J=5,
                    K=2,
                    scale={"W_tilde": 30.0},
                    costs=0.25,
                    hidden=True,
                    hint="exp of a large score overflows: subtract the largest score first, or use torch.softmax",
                ),
                views(
                    "L",
                    "W_tilde",
                    T=4,
                    J=5,
                    K=2,
                    scale=0.7,
                    hint="the inputs need not be contiguous, and training needs gradients through the weights",
                ),
            ],
        ),
        Formula(
            "original_parameters",
            points=2,
            variables=["I", "J"],
            ask=r"""How many numbers do the query matrix and the key matrix of **one head** hold together, in the original layer? Answer
in $I$ and $J$.""",
        ),
        Formula(
            "merged_parameters",
            points=2,
            variables=["I", "J"],
            ask="How many numbers does the merged matrix of **one head** hold?",
        ),
        Formula(
            "break_even",
            points=1,
            variables=["I", "J"],
            ask=r"""For which $I$ are the two counts equal? Answer with an equation, such as `I = 3 J`. (A layer has $K$ such heads, and so
$2KIJ$ numbers against $KJ^2$: the same $I$ makes these equal. Below it the merged matrix is the larger one, although it
can do all that the pair could, and more: the pair's product has rank at most $I$.)""",
        ),
    ],
)
