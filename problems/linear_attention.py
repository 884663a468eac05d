"""Linear attention: without the exponential, attention never needs the table of all pairs of positions."""

from autograder import Code, Equation, Growth, Problem, Prose, Tensor, case, double_precision, positive, views


def linear_attention(q, k, v):
    """Attention with the scores themselves as weights, divided by their sum.

    q[T, d]  k[T, d]   positive numbers
    v[T, dv]
    returns [T, dv]: row i is the average of the rows of v, weighted by ⟨q_i, k_j⟩
    Work grows linearly in T: no table of T × T entries.
    """


STATEMENT = r"""
Standard attention gives position $i$ an average of the values $v_j$, weighted by a softmax of the scores
$\langle q_i, k_j \rangle$:

$$y_i = \sum_{j=1}^{T} \frac{e^{\langle q_i, k_j \rangle}}{\sum_{j'=1}^{T} e^{\langle q_i, k_{j'} \rangle}}\; v_j .$$

*Linear attention* leaves the exponential out. The weights of position $i$ are the scores themselves, divided by their sum
over $j$, so that they still sum to 1. For this to make sense the scores must not cancel: here every entry of $q$ and $k$ is
**positive** (in practice a feature map such as $\text{elu}(x) + 1$ sees to it). There is no $1/\sqrt{d}$; it would cancel.

Queries and keys have size $d$, values size $d_v$; all of $q[T, d]$, $k[T, d]$, $v[T, d_v]$ are given.

**Why anyone wants this.** Computed as it stands, a sum over $j$ for every $i$, it is no cheaper than the original. But
without the exponential the numerator is a plain product of three matrices, and such a product may be bracketed in two ways.

![Two ways to bracket the product of q, k transposed and v: above, a T by T table is formed first; below, a small d by d_v
matrix](figures/linear_attention.svg)

**By hand.** $T = 2$, $d = 1$, $d_v = 1$: let $q = (1, 5)$, $k = (1, 3)$, $v = (10, 20)$. Position 1 has the scores
$1 \cdot 1 = 1$ and $1 \cdot 3 = 3$, so its weights are $\tfrac14$ and $\tfrac34$ and $y_1 = 2.5 + 15 = 17.5$. Position 2 has
the scores 5 and 15: the same weights, and $y_2 = 17.5$ too. (With $d = 1$ the query cancels; with larger $d$ it does not.)

**How to write.** An inner product is typed `<q_i, k_j>` (LaTeX `\langle q_i, k_j \rangle`), a sum `sum_j …`, a fraction with
`/` or `\frac`. Growth rates are typed as `O(n^2 log n)`.
"""

problem = Problem(
    title="Linear attention",
    source="a deep-learning homework, 2024, question 3",
    statement=STATEMENT,
    parts=[
        Equation(
            "linear_equation",
            points=3,
            ask=r"""Give $y_i$ of linear attention from the inner products $\langle q_i, k_j \rangle$ and the values $v_j$. Do not leave the
division by the sum out.""",
            tensors=[
                Tensor("q", ["T", "d"], draw="positive"),
                Tensor("k", ["T", "d"], draw="positive"),
                Tensor("v", ["T", "dv"]),
                Tensor("y", ["T", "dv"]),
            ],
            matrix=True,
        ),
        Code(
            linear_attention,
            points=6,
            ask=r"""Write it so that the work grows linearly in $T$. Look for what the outputs of all positions $i$ have in common, and
compute that once. A $T \times T$ table anywhere on the way costs half of the marks.""",
            draws={"q": positive(0.1, 2.0), "k": positive(0.1, 2.0)},
            # A small constant in the denominator is common practice and right: it must pass in double precision too.
            tolerance=2e-5,
            work="T*d*dv",
            large={"T": 524288, "d": 2, "dv": 1},
            cases=[
                case("five positions", T=5, d=3, dv=4),
                case("more features than positions", T=3, d=6, dv=2),
                double_precision("q", T=6, d=4, dv=3),
                case(
                    "a single position",
                    T=1,
                    d=4,
                    dv=3,
                    hidden=True,
                    hint="with one position the weight is 1, and the output is the value itself",
                ),
                case(
                    "values of size one",
                    T=7,
                    d=4,
                    dv=1,
                    hidden=True,
                    hint="the axis of the values stays where it has length 1; each position is divided by its own sum",
                ),
                case(
                    "a longer sequence",
                    T=17,
                    d=5,
                    dv=3,
                    hidden=True,
                    hint="the weights of position i are its scores with all keys j, divided by their sum over j",
                ),
                case(
                    "every size is four",
                    T=4,
                    d=4,
                    dv=4,
                    hidden=True,
                    hint="where all sizes agree, mixed-up axes no longer raise an error: check each transpose and division",
                ),
                views("q", "k", "v", T=5, d=2, dv=3),
            ],
        ),
        Growth(
            "standard_time",
            points=2,
            variables=["T", "d"],
            words={
                "T": "sequence length, number of positions, number of tokens",
                "d": "dimension, head dimension",
            },
            quantity="work",
            ask=r"""How many operations does **standard** attention take, with its exponential, for all $T$ positions? Count the total work,
not the parallel time, as a function of $T$ and $d$; let $d_v = d$.""",
        ),
        Growth(
            "linear_time",
            points=2,
            variables=["T", "d"],
            words={
                "T": "sequence length, number of positions, number of tokens",
                "d": "dimension, head dimension",
            },
            measures="linear_attention",
            quantity="work",
            sizes={"dv": "d"},
            ask=r"And **linear** attention, computed as cleverly as you can? Again the total work, with $d_v = d$.",
        ),
        Prose(
            "why_linear",
            points=3,
            ask="""In three to five sentences: where does the saving come from? Say which sums are formed once and shared by all positions, for
the numerator and for the denominator; why the exponential forbids it; and whether it is true that linear attention does
without matrix products.""",
            guide="""One point each: (1) the product is re-bracketed, (q kᵀ) v = q (kᵀ v): the d × dv sum of k_j v_jᵀ for the numerator and the
sum of the k_j for the denominator do not depend on i, are formed once and shared; (2) the exponential of an inner product does
not split into a factor of i and a factor of j, so nothing can be pulled out of the sum over j; (3) no: there are still matrix
products, only smaller ones, and leaving the exponential out saves nothing until they are re-bracketed.""",
        ),
    ],
)
