"""Language CNNs: a sentence becomes vectors, and stride-2 convolutions halve it layer by layer."""

from autograder import Code, Equation, Growth, Problem, Tensor, case, double_precision, function, views, whole


def language_cnn_embed(e, w):
    """The word vectors of a batch of sentences.

    e[W, I]  a row for each word of the vocabulary
    w[B, T]  whole numbers from 0 to W − 1: word t of sentence b
    returns [B, T, I]
    """


def language_cnn_layer(L, W, B, sigma):
    """One stride-2 convolution along the sentence, then the activation.

    L[b, T, C]  W[D, C, I]  B[I]: b sentences, T positions, C numbers in and I numbers out at each
    sigma is a function that acts on every entry of a tensor; the bias is subtracted
    windows of D positions start at 0, 2, 4, …; only those that fit count, nothing is padded
    returns [b, (T - D)//2 + 1, I]
    """


STATEMENT = r"""
Convolutions read sentences as well as images. A language CNN has the parameters

$$\Phi = \bigl(e[w, i],\; W_1[\Delta t, i', i],\; B_1[i],\; \dots,\; W_L[\Delta t, i', i],\; B_L[i]\bigr).$$

The matrix $e$ holds one vector for each word of the vocabulary: row $e[w, I]$ is the vector of word $w$. Layer 0
replaces the words of a batch of sentences, $w[b, t]$, by their vectors. Every later layer slides a window of $D$
positions over the layer below. It moves on by **two** positions at a time (*stride* 2), so that a sentence gets
about half as long with each layer.

![Windows of three positions that start at positions 0, 2 and 4 of a sentence of eight; the last position is left
over because no further window fits](figures/language_cnn.svg)

**What is fixed here.** Positions and offsets count from 0: $t = 0, 1, \dots$ and $\Delta t = 0, \dots, D - 1$.
Output $t$ reads inputs $2t, \dots, 2t + D - 1$. There is no padding; a window that sticks out at the end is not
computed, so $T$ inputs give $\lfloor (T - D)/2 \rfloor + 1$ outputs. In $W_{\ell+1}[\Delta t, i', i]$ the second index is
the input's, the third the output's. The kernel is not flipped. The bias is **subtracted**, as a threshold, before
the activation $\sigma$. The batch index $b$ is carried along everywhere: sentences do not mix.

**By hand.** *Layer 0.* Let word 0 have the vector $(1, 0)$ and word 1 the vector $(5, 7)$. The sentence
$w = (1, 0, 1)$ becomes the rows $(5, 7)$, $(1, 0)$, $(5, 7)$. *A layer.* One sentence of five positions with one
number each, $L = (1, 2, 3, 4, 5)$; a window of $D = 2$ with weights $10$ and $1$; $B = 4$ and $\sigma(x) = x$. The
windows start at 0 and 2; a third, at 4, would stick out. The outputs are $10 \cdot 1 + 1 \cdot 2 - 4 = 8$ and
$10 \cdot 3 + 1 \cdot 4 - 4 = 30$.

**Names to type.**

| tensor | plain text | LaTeX |
|---|---|---|
| $L_0[b, t, i]$, the embedded words | `L_0` | `L_0` |
| $w[b, t]$, the words | `w` | `w` |
| $e[w, i]$, the word vectors | `e` | `e` |
| $L_\ell[b, t, i]$, a layer | `L_l` | `L_\ell` |
| $L_{\ell+1}[b, t, i]$, the layer above | `L_{l+1}` | `L_{\ell+1}` |
| $W_{\ell+1}[\Delta t, i', i]$, its weights | `W_{l+1}` | `W_{\ell+1}` |
| $B_{\ell+1}[i]$, its bias | `B_{l+1}` | `B_{\ell+1}` |
| $\Delta t$, $i'$, $\sigma$ | `dt`, `i'`, `sigma` | `\Delta t`, `i'`, `\sigma` |

A sum is typed `sum_{dt,i'} …`, an index of the form $2a + 1$ as `2a+1`. Growth rates are typed as `O(n log n)`.
"""

problem = Problem(
    title="Language CNNs",
    source="TTIC 31230, language modelling, translation and attention, problem 3",
    statement=STATEMENT,
    parts=[
        Code(
            language_cnn_embed,
            points=3,
            ask="Write layer 0: look up the vector of every word of every sentence.",
            draws={"w": whole("W")},
            cases=[
                case("two sentences of five words", W=7, I=3, B=2, T=5),
                case("vectors longer than the vocabulary", W=4, I=6, B=3, T=8),
                double_precision(
                    W=6, I=4, B=2, T=3, hint="the vectors keep the dtype of e: do not convert them"
                ),
                case(
                    "a batch of one sentence",
                    W=5,
                    I=3,
                    B=1,
                    T=9,
                    hidden=True,
                    hint="the batch axis stays, even where it has length 1",
                ),
                case(
                    "sentences of one word",
                    W=9,
                    I=2,
                    B=4,
                    T=1,
                    hidden=True,
                    hint="the axis of positions stays, even where it has length 1",
                ),
                case(
                    "a large vocabulary",
                    W=29,
                    I=2,
                    B=3,
                    T=4,
                    hidden=True,
                    hint="most words of the vocabulary do not occur: w says which row of e to take",
                ),
                case(
                    "every size is four",
                    W=4,
                    I=4,
                    B=4,
                    T=4,
                    hidden=True,
                    hint="where all sizes agree, mixed-up axes no longer raise an error: check their order",
                ),
                case(
                    "a table that is a view of a larger one, and gradients",
                    W=5,
                    I=7,
                    B=2,
                    T=6,
                    layout="strided",
                    grad=["e"],
                    costs=0.25,
                    hidden=True,
                    hint="e need not be contiguous, and training needs gradients with respect to the word vectors",
                ),
            ],
        ),
        Equation(
            "embedding_equation",
            points=2,
            ask=r"Give the equation of layer 0: $L_0[b, t, i]$ from the word vectors $e$ and the words $w[b, t]$.",
            tensors=[
                Tensor("L_0", ["B", "T", "I"]),
                Tensor("e", ["W", "I"]),
                Tensor("w", ["B", "T"], entries="W"),
            ],
            ranges={"T": "0..T-1"},
        ),
        Code(
            language_cnn_layer,
            points=6,
            ask="""Write one layer. `sigma` is handed to you: call it on a tensor and it acts on every entry. Any style is
fine, `torch.nn.functional.conv1d` included; mind the order of the axes it wants.""",
            draws={"sigma": function("tanh")},
            cases=[
                case("windows of three", b=2, T=9, D=3, C=5, I=4, sigma="tanh"),
                case("one position is left over", b=3, T=8, D=3, C=2, I=5, sigma="identity"),
                case("windows of one position", b=2, T=7, D=1, C=3, I=6, sigma="sigmoid"),
                double_precision("L", b=2, T=10, D=3, C=4, I=5, sigma="softplus"),
                case(
                    "one sentence, and windows of four",
                    b=1,
                    T=7,
                    D=4,
                    C=7,
                    I=2,
                    sigma="softplus",
                    hidden=True,
                    hint="windows start at 0, 2, 4, …, whatever their width; the batch axis stays where it has length 1",
                ),
                case(
                    "one window only",
                    b=3,
                    T=6,
                    D=5,
                    C=2,
                    I=4,
                    sigma="relu",
                    hidden=True,
                    hint="six positions hold one window of five: there are (T − D)//2 + 1 outputs",
                ),
                case(
                    "single numbers in and out",
                    b=4,
                    T=12,
                    D=2,
                    C=1,
                    I=1,
                    sigma="tanh",
                    hidden=True,
                    hint="axes of length 1 stay; use the sigma you are given, after the bias",
                ),
                case(
                    "every size is three",
                    b=3,
                    T=8,
                    D=3,
                    C=3,
                    I=3,
                    sigma="identity",
                    hidden=True,
                    hint="where all sizes agree, mixed-up axes no longer raise an error: check the order of each tensor's axes",
                ),
                views("L", "W", "B", b=2, T=7, D=3, C=4, I=6, sigma="sigmoid"),
            ],
        ),
        Equation(
            "layer_equation",
            points=4,
            ask=r"""Give the equation of a layer: $L_{\ell+1}[b, t, i]$ from $L_\ell$, $W_{\ell+1}[\Delta t, i', i]$ and
$B_{\ell+1}[i]$, with stride 2. Write the sum out, with the indices it runs over.""",
            tensors=[
                Tensor("L_{l+1}", ["B", "S", "I"], [r"L_{\ell+1}"]),
                Tensor("L_l", ["B", "T", "I'"], [r"L_\ell"]),
                Tensor("W_{l+1}", ["D", "I'", "I"], [r"W_{\ell+1}"]),
                Tensor("B_{l+1}", ["I"], [r"B_{\ell+1}"]),
            ],
            sizes={"T": "D + 2*R", "S": "R + 1"},
            ranges={"T": "0..T-1", "S": "0..S-1", "D": "0..D-1"},
            functions=["sigma"],
        ),
        Growth(
            "cnn_time",
            points=2,
            variables=["T", "L"],
            words={"T": "sequence length, sentence length, number of words", "L": "number of layers, depth"},
            ask=r"""Whatever has its inputs ready runs at once, and all parameter tensors have size $O(1)$. What is the parallel
running time of a language CNN, as a function of the length $T$ and the number of layers $L$?""",
        ),
        Growth(
            "rnn_time",
            points=2,
            variables=["T", "L"],
            words={"T": "sequence length, sentence length, number of words", "L": "number of layers, depth"},
            ask=r"""And what is it for an RNN? Either take a single layer, or $L$ layers in which a cell starts as soon as the
states it reads (the one before it in time, and the one below it) are there.""",
        ),
    ],
)
