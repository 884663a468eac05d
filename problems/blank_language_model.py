"""Blank language modelling: guess a blanked word from what stands before it and what comes after it."""

from autograder import Code, Equation, Problem, Tensor, case, double_precision, normal, number, views


def blank_lm(e, W_fwd, W_bwd, h_fwd, h_bwd, t):
    """The probability of each word at the blanked position t, 0-based with 1 ≤ t ≤ T − 2.

    e[W, I]  W_fwd[I, J]  W_bwd[I, J]  h_fwd[T, J]  h_bwd[T, J]  t: a whole number
    returns [W]
    """


STATEMENT = r"""
Take a sentence $w_1, \dots, w_T$, blank out one word, and ask for it back: *the cat ▁ on the mat*. A model trained on
this game, as BERT is, learns from both sides of the gap. Its loss is the cross-entropy of the blanked word, averaged
over sentences and over the place $t$ of the blank:

$$\Phi^* = \underset{\Phi}{\text{argmin}}\;\; \mathbb{E}_{w,\, t}\; -\ln P_\Phi(w_t \mid w_1, \dots, w_{t-1}, w_{t+1}, \dots, w_T)$$

Here the two sides are read by a bidirectional RNN. Its forward state $\vec{h}[t, J]$ has read $w_1, \dots, w_t$; its
backward state $\tilde{h}[t, J]$ has read $w_T, \dots, w_t$. Both contain the word at $t$ itself, so neither may be
used at $t$: what is known about the gap is $\vec{h}[t-1, J]$ and $\tilde{h}[t+1, J]$.

![A sentence with a blank at t; the forward states read up to t minus 1, the backward states from the end down to t plus
1, and the two meet in one softmax over the words](figures/blank_language_model.svg)

**The model.** Word $w$ has the vector $e[w, I]$; $I$ and $J$ need not agree, so each state passes through a matrix of
its own, $\vec{W}[I, J]$ or $\tilde{W}[I, J]$. A word's score is the sum of two inner products: its vector with the
transformed state from the left, and its vector with the transformed state from the right. **One** softmax over the
words turns the scores into probabilities. Adding scores multiplies the odds that the two sides give; averaging two
softmaxes would be another model.

**Names.** In code and in typed answers:

| tensor | plain name | shape |
|---|---|---|
| word vectors $e$ | `e` | $[W, I]$ |
| forward matrix $\vec{W}$ | `W_fwd` | $[I, J]$ |
| backward matrix $\tilde{W}$ | `W_bwd` | $[I, J]$ |
| forward states $\vec{h}$ | `h_fwd` | $[T, J]$ |
| backward states $\tilde{h}$ | `h_bwd` | $[T, J]$ |

In code, positions start at 0, and $t$ is never the first or the last: both neighbours exist.

**By hand.** Two words with vectors $e = (0, 1)$, $I = J = 1$, both matrices 1, $T = 3$, and the blank in the middle
($t = 1$ in code): $\vec{h} = (\ln 2, 7, 7)$ and $\tilde{h} = (7, 7, \ln 3)$. The scores are $0$ and
$\ln 2 + \ln 3 = \ln 6$, so $P = (\tfrac17, \tfrac67)$. The sevens have read the blanked word or stand on the wrong side;
they play no part. Averaging one softmax for each side would give $\tfrac12 (\tfrac23 + \tfrac34) = \tfrac{17}{24}$ for
the second word instead.
"""

problem = Problem(
    title="Blank language modelling",
    source="TTIC 31230, language modelling, translation and attention, problem 1",
    statement=STATEMENT,
    parts=[
        Equation(
            "blank_lm_equation",
            points=4,
            ask=r"""Give the probability of the blanked word as one equation. The left side is `P(w_t | rest)`; after the bar anything
may stand. Use the tensors of the table with their indices, as plain text or as LaTeX, and bracket what the softmax
covers: `softmax_{w_t} [ ... ]`. The vector of word $w_t$ is `e[w_t,I]`.""",
            tensors=[
                Tensor("P", ["W"], [r"P_\Phi", r"P_\theta", "p", r"\Pr"]),
                Tensor("e", ["W", "I"]),
                Tensor("W_fwd", ["I", "J"], [r"\vec{W}", r"\overrightarrow{W}"]),
                Tensor("W_bwd", ["I", "J"], [r"\tilde{W}", r"\overleftarrow{W}"]),
                Tensor("h_fwd", ["T", "J"], [r"\vec{h}", r"\overrightarrow{h}"]),
                Tensor("h_bwd", ["T", "J"], [r"\tilde{h}", r"\overleftarrow{h}"]),
                Tensor("w", ["T"], entries="W"),
            ],
            ranges={"T": "0..T-1", "t": "1..T-2"},
        ),
        Code(
            blank_lm,
            points=5,
            ask="Write the model as a torch function: the probabilities of all W words at position t.",
            # Scores of moderate size: only the case made for it asks for a softmax that does not overflow.
            draws={"t": number(), "e": normal(0.7), "W_fwd": normal(0.7), "W_bwd": normal(0.7)},
            cases=[
                case("a blank near the start", W=6, I=3, J=4, T=7, t=2),
                case("a blank near the end, and few words", W=2, I=5, J=3, T=8, t=6),
                case("vectors of size one", W=5, I=1, J=1, T=4, t=1),
                double_precision(
                    W=4,
                    I=3,
                    J=5,
                    T=6,
                    t=3,
                    hint="keep the dtype of the inputs: tensors you create should take e.dtype",
                ),
                case(
                    "the shortest sentence with two neighbours",
                    W=7,
                    I=4,
                    J=2,
                    T=3,
                    t=1,
                    hidden=True,
                    hint="with three words and the blank in the middle, only h_fwd[0] and h_bwd[2] are used",
                ),
                case(
                    "the first position that may be blanked",
                    W=9,
                    I=2,
                    J=5,
                    T=6,
                    t=1,
                    hidden=True,
                    hint="at t = 1 the forward state is h_fwd[0]: positions start at 0",
                ),
                case(
                    "word vectors and states of one size",
                    W=5,
                    I=4,
                    J=4,
                    T=7,
                    t=4,
                    hidden=True,
                    hint="when I = J a transposed matrix goes unnoticed: the score is e[w, I] W[I, J] h[J]",
                ),
                case(
                    "a longer sentence with other sizes",
                    W=3,
                    I=6,
                    J=5,
                    T=10,
                    t=7,
                    hidden=True,
                    hint="check which state is taken at which position, and that one softmax covers the sum of both scores",
                ),
                case(
                    "a vocabulary of one word",
                    W=1,
                    I=3,
                    J=2,
                    T=5,
                    t=2,
                    hidden=True,
                    hint="with one word its probability is 1, and the result still has shape [1]",
                ),
                case(
                    "large scores",
                    W=40,
                    I=5,
                    J=6,
                    T=5,
                    t=3,
                    # on one side only: the product of two softmaxes, divided by its sum, is right as well
                    scale={"W_fwd": 200.0},
                    costs=0.25,
                    hidden=True,
                    hint="exp of a large score overflows: subtract the largest score first, or use torch.softmax",
                ),
                views(
                    "h_fwd",
                    "h_bwd",
                    W=5,
                    I=3,
                    J=4,
                    T=6,
                    t=2,
                    hint="the inputs need not be contiguous, and training needs gradients through the softmax",
                ),
            ],
        ),
    ],
)
