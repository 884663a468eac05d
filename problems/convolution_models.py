"""Convolutions over a sequence: all positions at once, but each sees only its neighbours."""

from autograder import Code, Formula, Growth, Problem, case, double_precision, views


def sequence_convolution(x, W, b):
    """A convolution over a sequence, zero-padded so that its length stays the same.

    x[T, I]  W[D, I, J]  b[J]   with D odd
    returns [T, J]: position t is computed from a window of D positions centred at t
    """


STATEMENT = r"""
The states of a recurrent network have to wait for one another. A convolution does not wait: it looks at a window
of neighbouring words and computes every position from its window at once, with the same weights everywhere.
Take a sequence $x[T, I]$, an odd window width $D$, weights $W[D, I, J]$ and a bias $b[J]$. With $p = (D - 1)/2$ and
positions and offsets counted from 0,

$$y[t, j] = b[j] + \sum_{d=0}^{D-1} \sum_{i} W[d, i, j]\; x[t + d - p,\, i] ,
\qquad t = 0, \dots, T - 1 .$$

Positions outside the sequence count as **zeros**, so $y$ has as many positions as $x$. Offset $d = p$ is the word
itself, $d = 0$ lies farthest to its left. There is no activation function, and the window is not turned round:
$d$ and the position grow together, as in torch's own `conv1d`.

![Three layers of windows of width three: one position at the top sees three positions in the layer below, five in
the one below that, and seven words](figures/convolution_models.svg)

**By hand.** $T = D = 3$ and one channel: $x = (1, 2, 3)$, $W = (1, 10, 100)$, $b = 5$. Then
$y_0 = 1 \cdot 0 + 10 \cdot 1 + 100 \cdot 2 + 5 = 215$, where the 0 is padding; $y_1 = 1 + 20 + 300 + 5 = 326$; and
$y_2 = 2 + 30 + 0 + 5 = 37$.

**Deep stacks.** One layer of width $w$ sees $w$ words. A second layer of the same kind sees windows of positions
that have windows themselves, and so on: this is how far words get to interact. The **receptive field** of a
position at the top of $L$ layers is the number of words that can have an effect on it. All layers here have
stride 1, no gaps in their windows (no dilation), and the same width $w$; take a position far from both ends.
Two words **interact** as soon as some position lies within reach of both.
"""

problem = Problem(
    title="Convolution-style models",
    source="COMP3361, week 4: convolution-style models",
    statement=STATEMENT,
    parts=[
        Code(
            sequence_convolution,
            points=6,
            ask="""Write the layer as a torch function. Loops, shifted matrix products or torch's own convolution are fine; mind the
order of the axes of `W` in the last.""",
            cases=[
                case("windows of three words", T=6, D=3, I=2, J=4),
                case("windows of five words", T=7, D=5, I=3, J=2),
                case(
                    "windows of a single word",
                    T=4,
                    D=1,
                    I=3,
                    J=2,
                    hidden=True,
                    hint="with D = 1 there is nothing to pad: each position is W[0] applied to its word, plus b",
                ),
                case(
                    "a sequence shorter than the window",
                    T=3,
                    D=5,
                    I=2,
                    J=4,
                    hidden=True,
                    hint="every position outside the sequence counts as zero, however far the window reaches",
                ),
                case(
                    "a sequence of one word",
                    T=1,
                    D=3,
                    I=4,
                    J=2,
                    hidden=True,
                    hint="with one word only the middle of the window meets it; the result keeps its axis, [1, J]",
                ),
                case(
                    "sizes that coincide",
                    T=4,
                    D=3,
                    I=4,
                    J=4,
                    hidden=True,
                    hint="W[d] takes inputs along its first axis and outputs along its second; b belongs to the outputs",
                ),
                case(
                    "a wide window over one channel",
                    T=8,
                    D=7,
                    I=1,
                    J=3,
                    hidden=True,
                    hint="pad by (D − 1)/2 on either side, whatever D is",
                ),
                double_precision(
                    T=5, D=3, I=4, J=2, hint="keep the dtype of the input: the padding should take x.dtype"
                ),
                views("x", T=6, D=5, I=2, J=3),
            ],
        ),
        Formula(
            "receptive_field",
            points=2,
            variables=["L", "w"],
            ask=r"""How many words does a position at the top of $L$ layers of width $w$ see? Write an exact expression in $L$ and $w$ as
text, such as `"2*L + w"`.""",
        ),
        Growth(
            "layers_needed",
            points=2,
            variables=["N", "w"],
            words={
                "N": "distance, number of words",
                "w": "width, window width, window size, kernel size, filter width",
            },
            assumptions=["w <= N"],
            ask=r"""Two words stand $N$ positions apart, and the windows are $w$ wide, with $2 \le w \le N$. How many layers does it take
before they interact? Give the growth in $N$ and $w$, as text such as `"O(n log n)"`.""",
        ),
    ],
)
