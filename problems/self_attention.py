"""Multi-head self-attention: every position of a sequence looks at every other, in several ways at once."""

from autograder import Code, Growth, Problem, case, double_precision, normal, views


def multi_head_self_attention(h_in, WQ, WK, WV):
    """Self-attention with K heads, without scaling.

    h_in[T, J]  WQ[K, U, J]  WK[K, U, J]  WV[K, I, J]   with J = K·I
    returns [T, K*I]: head k fills columns k·I to k·I + I − 1
    """


STATEMENT = r"""
A self-attention layer turns a sequence of vectors $h_{\text{in}}[T, J]$ into a sequence of vectors
$h_{\text{out}}[T, J]$. It has $K$ *heads*; each may pick up a relation of its own between words, such as
"is the subject of". Every head compares **queries** with **keys** and averages **values** by how well they fit:

$$\begin{aligned}
\text{Query}[k, t, U] &= W^Q[k, U, J]\, h_{\text{in}}[t, J] \\
\text{Key}[k, t, U] &= W^K[k, U, J]\, h_{\text{in}}[t, J] \\
\alpha[k, t_1, t_2] &= \underset{t_2}{\text{softmax}}\; \text{Query}[k, t_1, U]\, \text{Key}[k, t_2, U] \\
\text{Value}[k, t, I] &= W^V[k, I, J]\, h_{\text{in}}[t, J] \\
\text{Out}[k, t, I] &= \sum_{t'} \alpha[k, t, t']\, \text{Value}[k, t', I] \\
h_{\text{out}}[t, J] &= \text{Out}[1, t, I];\; \dots;\; \text{Out}[K, t, I]
\end{aligned}$$

**Reading the notation.** A capital index stands for a whole axis; one that occurs twice in a product is summed
over, so $W^Q[k, U, J]\, h_{\text{in}}[t, J]$ is the matrix $W^Q[k]$ times the vector $h_{\text{in}}[t]$. A
lower-case index is one position. The semicolons put vectors end to end: with $I = J/K$, the $K$ outputs of
size $I$ make one vector of size $J$. There is no $1/\sqrt{U}$ in the softmax, no mask and no output matrix.

![For one head: a row of queries, a row of keys, the T by T table of attention weights whose rows sum to one,
and the values they average](figures/self_attention.svg)

**By hand.** One head, two positions, all sizes 1: let $h_{\text{in}} = (1, 2)$, $W^Q = 1$, $W^K = \ln 2$,
$W^V = 10$. Position 1 has query 1 and meets the keys $\ln 2$ and $2 \ln 2$, so its weights are proportional to
$2$ and $4$: they are $\tfrac13$ and $\tfrac23$. The values are 10 and 20, and its output is
$\tfrac13 \cdot 10 + \tfrac23 \cdot 20 = 16.67$.

**Time.** All times here are *parallel* times: whatever has its inputs ready runs at once, and a sum over $N$
terms takes $O(\log N)$, as a tree of pairwise sums.
"""

problem = Problem(
    title="Self-attention",
    source="TTIC 31230, transformer problems, problem 1",
    statement=STATEMENT,
    parts=[
        Code(
            multi_head_self_attention,
            points=6,
            # Half-size weights keep the ordinary scores small: only "large scores" may overflow.
            draws={"WQ": normal(0.5), "WK": normal(0.5)},
            ask="Write the layer as a torch function. Any style is fine: einsum, matrix products or loops.",
            cases=[
                case("two heads on a short sequence", T=5, K=2, U=3, I=4, J=8),
                case("more heads than positions", T=2, K=4, U=5, I=3, J=12),
                case("a single head", T=4, K=1, U=2, I=3, J=3),
                double_precision("h_in", T=3, K=2, U=4, I=5, J=10),
                case(
                    "a sequence of one word",
                    T=1,
                    K=3,
                    U=4,
                    I=2,
                    J=6,
                    hidden=True,
                    hint="with one position the attention weight is 1, and the output is the value itself",
                ),
                case(
                    "a longer sequence with other sizes",
                    T=7,
                    K=3,
                    U=2,
                    I=5,
                    J=15,
                    hidden=True,
                    hint="check which axis the softmax runs over, and that no size is assumed equal to another",
                ),
                case(
                    "large scores",
                    T=6,
                    K=2,
                    U=7,
                    I=3,
                    J=6,
                    scale={"WQ": 30.0, "WK": 30.0},
                    costs=0.25,
                    hidden=True,
                    hint="exp of a large score overflows: subtract the largest score first, or use torch.softmax",
                ),
                views("h_in", T=4, K=2, U=3, I=5, J=10),
            ],
        ),
        Growth(
            "softmax_time",
            points=2,
            variables=["T", "U"],
            words={
                "T": "sequence length, number of positions, number of keys",
                "U": "key dimension, dimension, query dimension",
            },
            serial=["U"],
            ask=r"""Take one head $k$ and one position $t_1$. The softmax first computes the scores
$\text{Query}[k, t_1, U]\,\text{Key}[k, t_2, U]$ for all $t_2$, then the normalising constant $Z$. What is its parallel
running time, as a function of $T$ and $U$? Queries and keys are given.""",
        ),
        Growth(
            "layer_time",
            points=2,
            variables=["T", "J", "K"],
            words={
                "T": "sequence length, number of positions",
                "J": "dimension, model dimension, embedding dimension",
                "K": "number of heads",
            },
            assumptions=["U <= J", "I = J/K", "K <= J"],
            measures="multi_head_self_attention",
            sizes={"U": "J", "I": "J//K"},
            serial=["J", "U"],
            ask=r"""What is the parallel running time of the whole layer, as a function of $T$, $J$ and $K$? Recall
$I = J/K$, and $U$ is at most $J$.""",
        ),
    ],
)
