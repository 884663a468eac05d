"""Dot-product attention: one query asks a memory of keys and values."""

from autograder import Code, Formula, Problem, case, double_precision, views


def dot_product_attention(q, keys, values):
    """Softmax attention of one query, without scaling.

    q[D]  keys[N, D]  values[N, V]
    returns (alpha[N], context[V])
    """


STATEMENT = r"""
A convolution sees a window, a recurrent network a state that fades. Attention sees a whole memory at once. The
memory has $N$ entries; entry $n$ has a **key** $k_n$, by which it is found, and a **value** $v_n$, which is what it
tells. A **query** $q$ is compared with every key by a dot product, and a softmax turns the $N$ scores into weights:

$$\begin{aligned}
s_n &= q \cdot k_n && n = 1, \dots, N \\
\alpha_n &= \frac{e^{s_n}}{\sum_{m=1}^{N} e^{s_m}} \\
c &= \sum_{n=1}^{N} \alpha_n\, v_n
\end{aligned}$$

The weights $\alpha[N]$ are positive and sum to 1, so the **context vector** $c[V]$ is an average of the values.
Query and keys have size $D$, values have size $V$. The scores are not scaled by $1/\sqrt{D}$.

![A query meets four keys; the four scores become weights that sum to one, shown as bars, and the weighted
values add up to the context vector](figures/dot_product_attention.svg)

**By hand.** Let $q = (1, 0)$, with keys $k_1 = (\ln 3,\, 5)$ and $k_2 = (0,\, 7)$ and values $v_1 = (8)$ and $v_2 = (0)$.
The scores are $\ln 3$ and $0$, their exponentials $3$ and $1$, so $\alpha = (\tfrac34, \tfrac14)$ and
$c = \tfrac34 \cdot 8 + \tfrac14 \cdot 0 = 6$.
"""

problem = Problem(
    title="Dot-product attention",
    source="COMP3361, week 4: dot-product-softmax attention",
    statement=STATEMENT,
    parts=[
        Code(
            dot_product_attention,
            points=5,
            ask="Write it as a torch function that returns the weights and the context vector, in this order.",
            cases=[
                case("a memory of four entries", N=4, D=3, V=2),
                case("values longer than keys", N=3, D=2, V=7),
                case(
                    "a memory of one entry",
                    N=1,
                    D=4,
                    V=3,
                    hidden=True,
                    hint="with one entry its weight is 1 and the context is its value; alpha keeps its axis, [1]",
                ),
                case(
                    "sizes that coincide",
                    N=4,
                    D=4,
                    V=4,
                    hidden=True,
                    hint="rows of keys and values are entries of the memory: the sum over entries runs over axis 0",
                ),
                case(
                    "a longer memory",
                    N=9,
                    D=6,
                    V=4,
                    hidden=True,
                    hint="the softmax runs over the N entries, and the scores are not scaled",
                ),
                case(
                    "queries, keys and values of one number",
                    N=5,
                    D=1,
                    V=1,
                    hidden=True,
                    hint="the context keeps its axis, [1], and the weights theirs, [N]",
                ),
                double_precision("q", N=5, D=3, V=4),
                case(
                    "large scores",
                    N=64,
                    D=24,
                    V=3,
                    scale={"q": 20.0},
                    costs=0.25,
                    hidden=True,
                    hint="exp of a large score overflows: subtract the largest score first, or use torch.softmax",
                ),
                views(
                    "keys",
                    N=6,
                    D=2,
                    V=3,
                    hint="the inputs need not be contiguous, and training needs gradients through the weights",
                ),
            ],
        ),
        Formula(
            "context_vector",
            points=2,
            variables=[],
            vectors=["v1", "v2", "v3", "v4", "k1", "k2", "k3", "k4"],
            defines="c",
            ask=r"""A query meets four keys with the scores $\ln 6$, $0$, $\ln 2$ and $0$. What is the context vector, in the values
$v_1, \dots, v_4$ of the four entries? Write it as text, with a number before each vector, such as `"0.5 v1 + 0.5 v2"`.""",
        ),
    ],
)
