"""Spatial self-attention: every place of an image looks at every other place, in several ways at once."""

from autograder import Code, Equation, Growth, Problem, Tensor, case, double_precision, normal, views


def spatial_self_attention(h_in, WQ, WK, WV):
    """Self-attention over the places of an image, with K heads and without scaling.

    h_in[X, Y, J]  WQ[K, U, J]  WK[K, U, J]  WV[K, I, J]   with J = K·I
    returns [X, Y, K*I]: head k fills channels k·I to k·I + I − 1
    """


STATEMENT = r"""
A sentence is a line of words; an image is a grid of places. A self-attention layer carries over from one to the
other: replace the position $t$ by a pair $x, y$. The layer turns $h_{\text{in}}[X, Y, J]$ into
$h_{\text{out}}[X, Y, J]$, where each of the $X \cdot Y$ places has a vector of size $J$.

For a sentence $h_{\text{in}}[T, J]$ the layer with $K$ heads reads

$$\begin{aligned}
\text{Query}[k, t, U] &= W^Q[k, U, J]\, h_{\text{in}}[t, J] \\
\text{Key}[k, t, U] &= W^K[k, U, J]\, h_{\text{in}}[t, J] \\
\alpha[k, t_1, t_2] &= \underset{t_2}{\text{softmax}}\; \text{Query}[k, t_1, U]\, \text{Key}[k, t_2, U] \\
\text{Value}[k, t, I] &= W^V[k, I, J]\, h_{\text{in}}[t, J] \\
\text{Out}[k, t, I] &= \sum_{t'} \alpha[k, t, t']\, \text{Value}[k, t', I] \\
h_{\text{out}}[t, J] &= \text{Out}[1, t, I];\; \dots;\; \text{Out}[K, t, I]
\end{aligned}$$

The parameters $W^Q[K, U, J]$, $W^K[K, U, J]$ and $W^V[K, I, J]$ keep their shapes: the same matrices serve every
place. As before $I = J/K$, and there is no $1/\sqrt{U}$ in the softmax, no mask, no output matrix, and nothing that
tells the layer how far apart two places are.

**Reading the notation.** A capital index stands for a whole axis; one that occurs twice in a product is summed
over. A lower-case index is one position. $\underset{a,\, b}{\text{softmax}}$ normalises over *all pairs* $(a, b)$
together: the weights add up to 1 over both indices, not over each of them. The semicolons put vectors end to end.

**Names.** In code and in typed answers `h_in` is $h_{\text{in}}$, `h_out` is $h_{\text{out}}$, `WQ`, `WK` and `WV` are
$W^Q$, $W^K$ and $W^V$, and `alpha` is $\alpha$; `Query`, `Key`, `Value` and `Out` keep their names.

![One place of a small image sends its query to every place of the grid; the weights of the whole grid add up to
one](figures/spatial_attention.svg)

**By hand.** An image of $2 \times 2$ places, one head, all other sizes 1: $h_{\text{in}}$ is 0 in three corners and
1 at $(2, 2)$; $W^Q = 1$, $W^K = \ln 3$, $W^V = 6$. The place $(2, 2)$ has query 1 and meets the keys $0, 0, 0$ and
$\ln 3$: its weights are proportional to $1, 1, 1, 3$, that is $\tfrac16, \tfrac16, \tfrac16, \tfrac12$. The values
are $0, 0, 0, 6$, so its output is $3$. At the other places the query is 0, all weights are $\tfrac14$, and the output
is $1.5$. A softmax over $y$ alone would give the place $(2, 2)$ the weights $\tfrac12, \tfrac12$ in one row and
$\tfrac14, \tfrac34$ in the other, which add up to 2, and an output of $4.5$.

**Time.** All times here are *parallel* times: whatever has its inputs ready runs at once, and a sum over $N$ terms
takes $O(\log N)$, as a tree of pairwise sums.
"""

problem = Problem(
    title="Spatial self-attention",
    source="TTIC 31230, transformer problems, problem 2",
    statement=STATEMENT,
    parts=[
        Equation(
            "spatial_equations",
            points=6,
            ask=r"""Rewrite all six equations for an image, with $x, y$ in place of $t$. Write one equation a line, as plain text or
as LaTeX. Two places may be called `x1,y1` and `x2,y2`, or `x,y` and `x',y'`. The sentence's layer would begin

```
Query[k,t,U] = WQ[k,U,J] h_in[t,J]
```

and its other marks are typed `softmax_{t2} Query[k,t1,U] ...`, `sum_{t'} ...`, and `Out[1,t,I]; ...; Out[K,t,I]` for
vectors put end to end.""",
            tensors=[
                Tensor("h_in", ["X", "Y", "J"], [r"h_{\text{in}}"]),
                Tensor("WQ", ["K", "U", "J"], ["W^Q"]),
                Tensor("WK", ["K", "U", "J"], ["W^K"]),
                Tensor("WV", ["K", "I", "J"], ["W^V"]),
                Tensor("Query", ["K", "X", "Y", "U"], [r"\text{Query}", "Q"]),
                Tensor("Key", ["K", "X", "Y", "U"], [r"\text{Key}", "K"]),
                Tensor("alpha", ["K", "X", "Y", "X", "Y"], [r"\alpha"]),
                Tensor("Value", ["K", "X", "Y", "I"], [r"\text{Value}", "V"]),
                Tensor("Out", ["K", "X", "Y", "I"], [r"\text{Out}"]),
                Tensor("h_out", ["X", "Y", "J"], [r"h_{\text{out}}"]),
            ],
            sizes={"J": "K*I"},
        ),
        Code(
            spatial_self_attention,
            points=6,
            ask="""Write the layer as a torch function. Any style is fine: einsum over five axes, a detour over a sequence of
X·Y places, or loops.""",
            # Scores of moderate size: only the case made for it asks for a softmax that does not overflow.
            draws={"WQ": normal(0.5), "WK": normal(0.5)},
            cases=[
                case("a small image and two heads", X=3, Y=5, K=2, U=6, I=4, J=8),
                case("a tall image and more heads", X=4, Y=2, K=3, U=6, I=5, J=15),
                case("a single head", X=2, Y=3, K=1, U=2, I=4, J=4),
                double_precision("h_in", X=2, Y=3, K=2, U=4, I=5, J=10),
                case(
                    "an image of one place",
                    X=1,
                    Y=1,
                    K=3,
                    U=4,
                    I=2,
                    J=6,
                    hidden=True,
                    hint="with one place the attention weight is 1, and the output is the value itself",
                ),
                case(
                    "an image of one column",
                    X=5,
                    Y=1,
                    K=2,
                    U=3,
                    I=4,
                    J=8,
                    hidden=True,
                    hint="a single column is a sequence along x: every place still sees all the others",
                ),
                case(
                    "an image of one row",
                    X=1,
                    Y=6,
                    K=2,
                    U=3,
                    I=4,
                    J=8,
                    hidden=True,
                    hint="a single row is a sequence along y: every place still sees all the others",
                ),
                case(
                    "a square image, with U = I",
                    X=4,
                    Y=4,
                    K=2,
                    U=3,
                    I=3,
                    J=6,
                    hidden=True,
                    hint="when sizes agree, swapped axes go unnoticed: check each einsum and reshape, and what is query, key and value",
                ),
                case(
                    "a wide image with other sizes",
                    X=2,
                    Y=7,
                    K=4,
                    U=3,
                    I=5,
                    J=20,
                    hidden=True,
                    hint="check that the softmax covers x₂ and y₂ together, and that no size is assumed equal to another",
                ),
                case(
                    "large scores",
                    X=2,
                    Y=3,
                    K=2,
                    U=7,
                    I=4,
                    J=8,
                    scale={"WQ": 10.0, "WK": 10.0},
                    costs=0.25,
                    hidden=True,
                    hint="exp of a large score overflows: subtract the largest score first, or use torch.softmax",
                ),
                views("h_in", X=2, Y=4, K=2, U=3, I=5, J=10),
            ],
        ),
        Growth(
            "spatial_time",
            points=2,
            variables=["X", "Y", "J", "K"],
            words={
                "X": "width, image width",
                "Y": "height, image height",
                "J": "dimension, model dimension",
                "K": "number of heads",
            },
            assumptions=["U <= J", "I = J/K", "K <= J"],
            measures="spatial_self_attention",
            sizes={"U": "J", "I": "J//K"},
            ask=r"""What is the parallel running time of the whole layer, as a function of $X$, $Y$, $J$ and $K$? Every sum,
inner products too, takes logarithmic time. Recall $I = J/K$, and $U$ is at most $J$. Write a growth rate such as
`O(X + ln J)`; `ln XY` is read as $\ln(X \cdot Y)$.""",
        ),
    ],
)
