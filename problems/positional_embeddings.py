"""Positional embeddings: self-attention has no sense of order until positions are added to the words."""

from autograder import Choice, Code, Problem, case, double_precision, number, torch_dtype, views


def sinusoidal_positions(T, D, dtype):
    """Sines in the even columns, cosines in the odd ones, as a tensor of the given dtype.

    T positions, counted from 0, and D columns, D even
    returns [T, D]
    """


def transformer_almost(x, WQ, WK, WV):
    """Scaled self-attention with one head, on x plus its sinusoidal positions.

    x[T, D]  WQ[U, D]  WK[U, D]  WV[I, D]   with D even
    returns [T, I]
    """


STATEMENT = r"""
Self-attention compares every word with every other, wherever they stand: to it, a sentence is a bag of words.
The remedy is to add to each word a vector that tells its position. A learned vector for every position will do;
the original Transformer takes fixed waves instead, fast ones in the first columns, slow ones in the last.

**Positions.** For $T$ positions $t = 0, 1, \dots, T - 1$ and an even number $D$ of columns, the pair of columns
$2i$ and $2i + 1$ has one frequency, for $i = 0, \dots, D/2 - 1$:

$$\begin{aligned}
P[t,\; 2i] &= \sin\!\left(\frac{t}{10000^{2i/D}}\right) \\
P[t,\; 2i + 1] &= \cos\!\left(\frac{t}{10000^{2i/D}}\right)
\end{aligned}$$

![A table of positions by columns in colour: the left columns change quickly from one position to the next, those on
the right hardly at all](figures/positional_embeddings.svg)

*By hand.* For $D = 4$ the two frequencies are $1$ and $1/10000^{2/4} = 1/100$. Position 0 is $(0, 1, 0, 1)$, and
position 2 is $(\sin 2, \cos 2, \sin 0.02, \cos 0.02) = (0.909, -0.416, 0.020, 1.000)$.

**A Transformer, almost.** Add the positions to the words $x[T, D]$ and apply one layer of self-attention with a
single head, its scores scaled by the root of the size $U$ of queries and keys:

$$\begin{aligned}
h[t, D] &= x[t, D] + P[t, D] \\
\text{Query}[t, U] &= W^Q[U, D]\, h[t, D] \\
\text{Key}[t, U] &= W^K[U, D]\, h[t, D] \\
\text{Value}[t, I] &= W^V[I, D]\, h[t, D] \\
\alpha[t_1, t_2] &= \underset{t_2}{\text{softmax}}\; \frac{\text{Query}[t_1, U]\, \text{Key}[t_2, U]}{\sqrt{U}} \\
\text{Out}[t, I] &= \sum_{t'} \alpha[t, t']\, \text{Value}[t', I]
\end{aligned}$$

A capital index that occurs twice in a product is summed over. There is no mask, no residual connection and no
output matrix: a real Transformer adds these, several heads, layer normalisation and a feed-forward layer.

*By hand.* Two words, $D = 2$, $U = 4$, $I = 1$, and suppose that $h = x + P$ has the rows $(1, 0)$ and $(0, 1)$. Let all
four rows of $W^Q$ be $(1, 0)$, all four of $W^K$ be $(\tfrac12 \ln 3,\, 0)$, and $W^V = (4, 8)$. The first query is
$(1, 1, 1, 1)$; it meets the first key with $4 \cdot \tfrac12 \ln 3 = 2 \ln 3$ and the second with $0$. Divided by
$\sqrt 4$ the scores are $\ln 3$ and $0$, the weights $\tfrac34$ and $\tfrac14$, and the first output is
$\tfrac34 \cdot 4 + \tfrac14 \cdot 8 = 5$. The second query is zero: its weights are $\tfrac12$ and $\tfrac12$, its
output $6$.
"""

problem = Problem(
    title="Positional embeddings",
    source="COMP3361, week 4: self-attention in the Transformer, positional embeddings",
    statement=STATEMENT,
    parts=[
        Code(
            sinusoidal_positions,
            points=4,
            draws={"T": number(), "D": number(), "dtype": torch_dtype()},
            # A table made in float32 and cast is as good as any: its error at these positions stays below this.
            tolerance=5e-5,
            ask="""Write the table of positions as a torch function. `dtype` is the dtype of the result, such as
`torch.float32`; a table that is made in `float32` and cast is exact enough.""",
            cases=[
                case("five positions, four columns", T=5, D=4),
                case("more columns than positions", T=3, D=8),
                case("double precision", T=4, D=6, dtype="float64", costs=0.5),
                case(
                    "a single position",
                    T=1,
                    D=6,
                    hidden=True,
                    hint="position 0 is sin 0 = 0 in the even columns and cos 0 = 1 in the odd ones",
                ),
                case(
                    "as many columns as positions",
                    T=4,
                    D=4,
                    hidden=True,
                    hint="rows are positions, columns are the waves",
                ),
                case(
                    "more positions than columns",
                    T=9,
                    D=4,
                    hidden=True,
                    hint="pair i of columns has the frequency 1/10000^(2i/D), sine and cosine alike",
                ),
                case(
                    "many columns",
                    T=2,
                    D=16,
                    hidden=True,
                    hint="pair i of columns has the frequency 1/10000^(2i/D), with i from 0 to D/2 − 1",
                ),
            ],
        ),
        Code(
            transformer_almost,
            points=5,
            # It may call sinusoidal_positions, where a table made in float32 and cast is right.
            precision="float32",
            ask="Write the layer as a torch function. It may call your `sinusoidal_positions`.",
            cases=[
                case("a short sentence", T=3, D=4, U=2, I=5),
                case("queries longer than words", T=5, D=4, U=6, I=3),
                case(
                    "a sentence of one word",
                    T=1,
                    D=6,
                    U=3,
                    I=2,
                    hidden=True,
                    hint="with one word the weight is 1 and the output is its value: W^V (x + P)",
                ),
                case(
                    "a longer sentence",
                    T=8,
                    D=6,
                    U=5,
                    I=4,
                    hidden=True,
                    hint="check the scaling 1/√U, the axis of the softmax, and that positions reach queries, keys and values",
                ),
                case(
                    "sizes that coincide",
                    T=4,
                    D=4,
                    U=4,
                    I=4,
                    hidden=True,
                    hint="check which way round the matrices and the table of positions are",
                ),
                case(
                    "a single query feature",
                    T=6,
                    D=2,
                    U=1,
                    I=3,
                    hidden=True,
                    hint="with U = 1 the scaling is 1",
                ),
                double_precision(
                    T=4,
                    D=6,
                    U=3,
                    I=5,
                    hint="keep the dtype of the input: add the positions as a tensor of dtype x.dtype",
                ),
                case(
                    "large scores",
                    T=12,
                    D=8,
                    U=6,
                    I=3,
                    scale={"WQ": 4.0, "WK": 4.0},
                    costs=0.25,
                    hidden=True,
                    hint="exp of a large score overflows: subtract the largest score first, or use torch.softmax",
                ),
                views("x", T=5, D=6, U=4, I=2),
            ],
        ),
        Choice(
            "without_positions",
            points=2,
            ask=r"""Leave the positions out: a self-attention layer without a mask works on the words $x[T, D]$ alone. Now reorder the
words of the sentence. What becomes of the layer's output?""",
            options={
                "A": "it stays as it is, row by row: the first row of the output is the same as before",
                "B": "its rows are reordered in the same way as the words, and are otherwise the same",
                "C": "its rows change to other vectors, since each word now attends to other neighbours",
                "D": "its rows are reordered the opposite way, by the inverse of the reordering",
                "E": "all rows become equal, since without positions no word can be told from another",
            },
        ),
    ],
)
