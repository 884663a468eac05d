"""A bidirectional recurrent network: every position sees what comes before it and what comes after."""

from autograder import Code, Growth, Problem, case, double_precision, normal, views


def birnn_forward(x, W_f, U_f, b_f, W_b, U_b, b_b):
    """The states of a bidirectional network, both indexed by position.

    x[T, I]  W_f[J, I]  U_f[J, J]  b_f[J]  W_b[J, I]  U_b[J, J]  b_b[J]
    returns (h_fwd[T, J], h_bwd[T, J]): row t of each belongs to word t of x
    """


STATEMENT = r"""
A recurrent network that reads from left to right knows, at word $t$, only the words up to $t$. Often the words
behind it matter as much: in "the bank of the river", *bank* is settled by *river*. A **bidirectional** network
runs two recurrences over the sentence $x[T, I]$, one in each direction, each with weights of its own:

$$\begin{aligned}
\overrightarrow{h}_t &= \tanh\!\left(W_f\, x_t + U_f\, \overrightarrow{h}_{t-1} + b_f\right)
  & t &= 1, 2, \dots, T, & \overrightarrow{h}_0 &= 0 \\
\overleftarrow{h}_t &= \tanh\!\left(W_b\, x_t + U_b\, \overleftarrow{h}_{t+1} + b_b\right)
  & t &= T, T-1, \dots, 1, & \overleftarrow{h}_{T+1} &= 0
\end{aligned}$$

$W_f$ and $W_b$ are $J \times I$ and meet the input; $U_f$ and $U_b$ are $J \times J$ and meet the state; the biases
have size $J$. Both directions start from zeros.

![Two chains of states above the same words: the forward chain runs from the first word to the last, the backward
chain from the last to the first, and each word has one state of both](figures/bidirectional_rnn.svg)

**Positions.** Both results are in the order of the words. Row $t$ of `h_fwd` has read the words from the first up
to $t$; row $t$ of `h_bwd` has read the words from the last down to $t$. So the first row of `h_bwd` has read the
whole sentence.

**By hand.** One unit, one input, two words: $x = (\tfrac12 \ln 3,\ \tfrac12 \ln 3 - \tfrac12) \approx (0.549, 0.049)$.

- Forward with $W_f = U_f = 1$, $b_f = 0$: $\overrightarrow{h}_1 = \tanh(\tfrac12 \ln 3) = \tfrac12$, and
  $\overrightarrow{h}_2 = \tanh(\tfrac12 \ln 3 - \tfrac12 + \tfrac12) = \tfrac12$.
- Backward with $W_b = 1$, $U_b = 2$, $b_b = 0$: first $\overleftarrow{h}_2 = \tanh(0.049) = 0.049$, then
  $\overleftarrow{h}_1 = \tanh(0.549 + 2 \cdot 0.049) = 0.570$.

The answer is `h_fwd` $= (0.5, 0.5)$ and `h_bwd` $= (0.570, 0.049)$.
"""

problem = Problem(
    title="Bidirectional recurrent network",
    source="COMP3361, week 4: bidirectional recurrent networks",
    statement=STATEMENT,
    parts=[
        Code(
            birnn_forward,
            points=6,
            draws={name: normal(0.6) for name in ("W_f", "U_f", "b_f", "W_b", "U_b", "b_b")},
            ask="Write both directions as one torch function. Loops, or torch's own recurrent layer, are fine.",
            cases=[
                case("a short sentence", T=4, I=3, J=2),
                case("more units than words", T=3, I=2, J=5),
                case(
                    "a sentence of one word",
                    T=1,
                    I=4,
                    J=3,
                    hidden=True,
                    hint="with one word both directions start from zeros and take one step",
                ),
                case(
                    "a longer sentence",
                    T=7,
                    I=2,
                    J=3,
                    hidden=True,
                    hint="check that each direction starts from zeros, and that row t of both belongs to word t",
                ),
                case(
                    "as many inputs as units",
                    T=5,
                    I=3,
                    J=3,
                    hidden=True,
                    hint="check which matrix meets the input (W) and which the state (U), and that neither is transposed",
                ),
                case(
                    "a single unit",
                    T=6,
                    I=2,
                    J=1,
                    hidden=True,
                    hint="the results keep both axes, [T, 1], and must not be squeezed",
                ),
                double_precision(
                    T=4, I=5, J=3, hint="keep the dtype of the input: the zero state should take x.dtype"
                ),
                views(
                    "x",
                    T=5,
                    I=4,
                    J=2,
                    hint="the inputs need not be contiguous, and training needs gradients through both directions",
                ),
            ],
        ),
        Growth(
            "birnn_time",
            points=2,
            variables=["N"],
            words={"N": "sentence length, sequence length, number of words"},
            measures="birnn_forward",
            sizes={"T": "N"},
            ask=r"""With as many processors as you like, how many steps must follow one another before all states of a sentence of
$N$ words are known? Count one application of $\tanh(W x + U h + b)$ as one step, and give the growth in $N$, as text such
as `"O(n log n)"`.""",
        ),
    ],
)
