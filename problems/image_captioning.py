"""Image captioning: a recurrent decoder writes a sentence and looks at the image before each word."""

from autograder import (
    Code,
    Equation,
    Problem,
    Tensor,
    case,
    double_precision,
    function,
    normal,
    number,
    views,
)


def caption_step(h_prev, M, W_key, W_auto, e, w_t, cell):
    """One step of the decoder: predict word t, look at the image, read the true word w_t, move on.

    h_prev[J]  M[X, Y, K]  W_key[J, K]  W_auto[I, J]  e[W, I]
    w_t: the word's number    cell(h, V, e_w): takes vectors of sizes J, K and I and gives one of size J
    returns (P[W], alpha[X, Y], V[K], h_t[J])
    """


STATEMENT = r"""
A translation model with attention reads a sentence into vectors $M[T_{\text{in}}, J]$ and writes another, word by word.
At step $t$ its decoder has the state $h[t-1, J]$. From it come the probabilities of the next word and, by attention, a
summary $V$ of the source; the state then moves on with $V$ and the word $w_t$ that was really written:

$$\begin{aligned}
P(w_t \mid w_1, \dots, w_{t-1}) &= \underset{w_t}{\text{softmax}}\; e[w_t, I]\, W^{\text{auto}}[I, J]\, h[t-1, J] \\
\alpha[t_{\text{in}}] &= \underset{t_{\text{in}}}{\text{softmax}}\; h[t-1, J_1]\, W^{\text{key}}[J_1, J_2]\, M[t_{\text{in}}, J_2] \\
V[J] &= \sum_{t_{\text{in}}} \alpha[t_{\text{in}}]\, M[t_{\text{in}}, J] \\
h[t, J] &= \text{CELL}_\Phi(h[t-1, J],\, V[J],\, e[w_t, I])
\end{aligned}$$

CELL is any recurrent cell: here it takes two vectors of size $J$ and one of size $I$ and gives one of size $J$.

**From sentences to images.** Captioning an image is translation from pictures. Instead of one vector for each word
of a source sentence, a vision network gives one vector for each place of a grid: $M[x, y, K]$, with $K$ channels.
Nothing else of the model need change but what touches $M$: the key matrix is now $W^{\text{key}}[J, K]$, the summary
has size $K$, and CELL takes vectors of sizes $J$, $K$ and $I$. There is no scaling in the softmax. The state $h[0, J]$
is given.

![The decoder's state scores every place of a grid of features; the weights of the whole grid add up to one and average
the features into V; V, the state and the word go through the cell](figures/image_captioning.svg)

**Reading the notation.** A capital index stands for a whole axis; one that occurs twice in a product is summed over. A
lower-case index is one position. A softmax over two indices normalises over all pairs together. As in the
equations above, $\alpha$ and $V$ belong to step $t$ without saying so.

**Names.** In code and in typed answers:

| tensor | plain name | shape |
|---|---|---|
| features of the image $M$ | `M` | $[X, Y, K]$ |
| key matrix $W^{\text{key}}$ | `W_key` | $[J, K]$ |
| word-prediction matrix $W^{\text{auto}}$ | `W_auto` | $[I, J]$ |
| word vectors $e$ | `e` | $[W, I]$ |
| decoder states $h[t]$ | `h` (in code: `h_prev`, `h_t`) | $[J]$ for each $t$ |
| attention weights $\alpha$ | `alpha` | $[X, Y]$ |
| summary of the image $V$ | `V` | $[K]$ |

In code, words are numbered from 0, and $P$ is computed before the word is read: from `h_prev`, not from `h_t`.

**By hand.** A grid of $2 \times 2$ places, all vectors of size 1, two words. Let $h[t-1] = 1$,
$W^{\text{key}} = \ln 2$, $W^{\text{auto}} = \ln 3$, $e = (0, 1)$ and

$$M = \begin{pmatrix} 0 & 1 \\ 1 & 2 \end{pmatrix}, \qquad
\alpha = \frac{1}{9} \begin{pmatrix} 1 & 2 \\ 2 & 4 \end{pmatrix}.$$

The scores are $0$, $\ln 2$, $\ln 2$ and $2 \ln 2$, so the weights are proportional to $1, 2, 2, 4$, and
$V = \tfrac19 (0 + 2 + 2 + 8) = \tfrac43$. The words score $0$ and $\ln 3$, so $P = (\tfrac14, \tfrac34)$. If the word
written is number 1 of $\{0, 1\}$ and CELL merely adds its arguments, $h[t] = 1 + \tfrac43 + 1 = \tfrac{10}{3}$.
"""

problem = Problem(
    title="Image captioning",
    source="TTIC 31230, language modelling, translation and attention, problem 2",
    statement=STATEMENT,
    parts=[
        Equation(
            "caption_equations",
            points=8,
            ask=r"""Rewrite the four equations for an image with features $M[x, y, K]$. Write one equation a line, as plain text or as
LaTeX, with the names of the table. The translation model's first and last line would be

```
P(w_t | w_1, ..., w_{t-1}) = softmax_{w_t} e[w_t,I] W_auto[I,J] h[t-1,J]
h[t,J] = CELL(h[t-1,J], V[J], e[w_t,I])
```

and a sum is typed `sum_{t_in} ...`. After the bar of $P$ anything may stand.""",
            tensors=[
                Tensor("M", ["X", "Y", "K"]),
                Tensor("e", ["W", "I"]),
                Tensor("W_auto", ["I", "J"], [r"W^{\text{auto}}"]),
                Tensor("W_key", ["J", "K"], [r"W^{\text{key}}"]),
                Tensor("h", ["T", "J"]),
                Tensor("w", ["T"], entries="W"),
                Tensor("P", ["W"], [r"P_\Phi", r"P_\theta", "p", r"\Pr"]),
                Tensor("alpha", ["X", "Y"], [r"\alpha"]),
                Tensor("V", ["K"]),
            ],
            ranges={"T": "0..T-1", "t": "1..T-2"},
            functions=["CELL([J], [K], [I]) -> [J]"],
        ),
        Code(
            caption_step,
            points=6,
            ask="""Write one step of the decoder as a torch function. `cell` is handed to you: call it as
`cell(h_prev, V, e[w_t])`. Return the four tensors in the order of the docstring.""",
            # Scores of moderate size: only the case made for it asks for a softmax that does not overflow.
            draws={
                "w_t": number(),
                "cell": function("mixer", takes=["J", "K", "I"], gives="J"),
                "W_key": normal(0.6),
                "W_auto": normal(0.6),
            },
            cases=[
                case("a small image", X=3, Y=5, K=4, J=6, I=2, W=7, w_t=3),
                case("a tall image and few words", X=6, Y=2, K=3, J=4, I=5, W=3, w_t=2),
                case("vectors of size one", X=2, Y=3, K=1, J=1, I=1, W=4, w_t=1),
                double_precision(
                    X=2,
                    Y=4,
                    K=3,
                    J=5,
                    I=6,
                    W=8,
                    w_t=5,
                    hint="keep the dtype of the inputs: tensors you create should take M.dtype",
                ),
                case(
                    "an image of one place",
                    X=1,
                    Y=1,
                    K=5,
                    J=3,
                    I=4,
                    W=6,
                    w_t=4,
                    hidden=True,
                    hint="with one place its weight is 1, V is its feature vector, and alpha still has shape [1, 1]",
                ),
                case(
                    "an image of one column",
                    X=5,
                    Y=1,
                    K=3,
                    J=4,
                    I=2,
                    W=6,
                    w_t=2,
                    hidden=True,
                    hint="a single column is a sequence along x: the weights still sum to 1 over all places",
                ),
                case(
                    "a square image and vectors of one size",
                    X=4,
                    Y=4,
                    K=3,
                    J=3,
                    I=3,
                    W=5,
                    w_t=1,
                    hidden=True,
                    hint="when sizes agree, swapped axes and arguments go unnoticed: check each product and the order in cell(h, V, e_w)",
                ),
                case(
                    "the first word, and other sizes",
                    X=2,
                    Y=6,
                    K=7,
                    J=3,
                    I=4,
                    W=9,
                    w_t=0,
                    hidden=True,
                    hint="check that the softmax covers x and y together, that V has size K, and that word 0 is the row e[0]",
                ),
                case(
                    "large scores",
                    X=5,
                    Y=6,
                    K=4,
                    J=8,
                    I=7,
                    W=40,
                    w_t=11,
                    scale={"W_key": 200.0, "W_auto": 200.0},
                    costs=0.25,
                    hidden=True,
                    hint="exp of a large score overflows: subtract the largest score first, or use torch.softmax, in both places",
                ),
                views(
                    "h_prev",
                    "M",
                    X=3,
                    Y=2,
                    K=4,
                    J=5,
                    I=6,
                    W=7,
                    w_t=6,
                    hint="the inputs need not be contiguous, and training needs gradients through all four results",
                ),
            ],
        ),
    ],
)
