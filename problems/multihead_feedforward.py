"""Multi-head feed-forward layer: several heads stacked by rows, one sigmoid layer on top, and its gradients."""

from autograder import Code, Equation, Problem, Tensor, case, double_precision, normal, views


def multihead_ff(H, Q, K, V, W_ff, b_ff):
    """One level of a transformer: h attention heads, stacked by rows, then a sigmoid layer.

    H[D, N]  Q[h, D, D]  K[h, D, D]  V[h, D, D]  W_ff[D, h*D]  b_ff[D]
    returns [D, N]: sigmoid(W_ff C + b_ff) with the heads' outputs one below the other in C
    """


def multihead_ff_backward(H, Q, K, V, W_ff, b_ff, G):
    """The gradients of a loss through multihead_ff, given its gradient G by the level's output.

    H[D, N]  Q[h, D, D]  K[h, D, D]  V[h, D, D]  W_ff[D, h*D]  b_ff[D]  G[D, N]
    returns (dH[D, N], dQ[h, D, D], dK[h, D, D], dV[h, D, D], dW_ff[D, h*D], db_ff[D])
    """


STATEMENT = r"""
Items are the **columns** of $\mathbf H_{\ell-1} \in \mathbb R^{D \times N}$. Level $\ell$ of the transformer has $n$
heads (the first axis of `Q`, `K` and `V` in the code). Head $h$ has its own matrices
$\mathbf Q_{\ell,h}, \mathbf K_{\ell,h}, \mathbf V_{\ell,h} \in \mathbb R^{D \times D}$. They turn the items into queries,
keys and values, $\mathbf q = \mathbf Q_{\ell,h} \mathbf H_{\ell-1}$ and likewise $\mathbf k$ and $\mathbf v$, and

$$\mathbf S = \mathbf k^\top \mathbf q, \qquad
\mathbf A_{ij} = \frac{\exp \mathbf S_{ij}}{\sum_{i'} \exp \mathbf S_{i'j}}, \qquad
\mathbf H_{\ell,h} = \mathbf v\, \mathbf A \;\in \mathbb R^{D \times N} .$$

The softmax runs down each column (`dim=0` of an $N \times N$ matrix), and nothing scales the scores. The heads'
outputs are **stacked by rows**: head 1 on top, head $n$ at the bottom. A sigmoid layer FF then maps each column of
size $nD$ back to size $D$, with weights $\mathbf W_{\text{ff}} \in \mathbb R^{D \times nD}$ and a bias
$\mathbf b_{\text{ff}} \in \mathbb R^D$ that is the same for all items:

$$\mathbf C = \begin{bmatrix} \mathbf H_{\ell,1} \\ \vdots \\ \mathbf H_{\ell,n} \end{bmatrix} \in \mathbb R^{nD \times N},
\qquad
\text{FF}(\mathbf C) = \sigma\!\left(\mathbf W_{\text{ff}}\, \mathbf C + \mathbf b_{\text{ff}}\, \mathbf 1^\top\right),
\qquad
\sigma(z) = \frac{1}{1 + e^{-z}} .$$

![The heads, each D by N, are stacked one below the other; a wide weight matrix, D by nD, and a bias column map the stack
back to D by N through a sigmoid](figures/multihead_feedforward.svg)

**The level by hand.** Let $D = 1$, $N = 2$, $n = 2$ and $\mathbf H = (1\;\; 2)$. Head 1 has $\mathbf Q = 1$,
$\mathbf K = \ln 2$, $\mathbf V = 10$: its scores have columns $(\ln 2, 2 \ln 2)$ and $(2 \ln 2, 4 \ln 2)$, its weights
$(\tfrac13, \tfrac23)$ and $(\tfrac15, \tfrac45)$, its output is $(16.67\;\; 18)$. Head 2 has $\mathbf Q = 0$ and
$\mathbf V = -10$: all its scores are 0, all its weights $\tfrac12$, its output is $(-15\;\; {-15})$. With
$\mathbf W_{\text{ff}} = (0.9\;\; 1)$ and $\mathbf b_{\text{ff}} = 1$

$$\mathbf C = \begin{pmatrix} 16.67 & 18 \\ -15 & -15 \end{pmatrix}, \qquad
\mathbf W_{\text{ff}}\, \mathbf C + \mathbf b_{\text{ff}}\, \mathbf 1^\top = (1\;\; 2.2), \qquad
\mathbf H_\ell = (0.731\;\; 0.900) .$$

**How to write the equation.** In plain text or LaTeX, with a left side. The names are `H_l` ($\mathbf H_\ell$), `H_{l,h}`
($\mathbf H_{\ell,h}$), `W_ff` ($\mathbf W_{\text{ff}}$), `b_ff` ($\mathbf b_{\text{ff}}$) and the function `FF(…)`. There are two
ways to stack. Semicolons put one matrix below another, as in `[H_{l,1}; H_{l,2}]`, and dots fill in a range. Or use the
one-hot columns `delta_h` ($\delta_h \in \mathbb R^n$, with a 1 in place $h$ and 0 elsewhere) and the Kronecker product
`(x)` ($\otimes$): $\mathbf A \otimes \mathbf B$ puts $\mathbf A_{ij}\, \mathbf B$ in place of every entry
$\mathbf A_{ij}$. The two sides of $\otimes$ cannot be exchanged: one order stacks the heads, the other interleaves their
rows.

**Backward.** Let $\mathbf G$ be the gradient of a loss by $\mathbf H_\ell$, and write $\mathrm d\mathbf X$ for the
gradient by $\mathbf X$, which has the shape of $\mathbf X$. Four rules are enough:

- *Sigmoid.* $\sigma'(z) = \sigma(z)\,(1 - \sigma(z))$, entry by entry.
- *Product.* If $\mathbf P = \mathbf M \mathbf X$, then $\mathrm d\mathbf M = \mathrm d\mathbf P\, \mathbf X^\top$ and
  $\mathrm d\mathbf X = \mathbf M^\top\, \mathrm d\mathbf P$.
- *Softmax of one column.* If $a = \text{softmax}(s)$, then $\partial a_i / \partial s_m = a_i\,(\delta_{im} - a_m)$.
- *Sharing.* What is used several times sums the gradients of its uses: the bias over all items, $\mathbf H_{\ell-1}$
  over queries, keys and values of all heads.

**The gradients by hand.** In the example let $\mathbf G = (1\;\; 0)$. Before the sigmoid the gradient is
$(0.731 \cdot 0.269\;\;\; 0) = (0.197\;\; 0)$. So $\mathrm d\mathbf b_{\text{ff}} = 0.197$ and
$\mathrm d\mathbf W_{\text{ff}} = (0.197 \cdot 16.67\;\;\; {-0.197} \cdot 15) = (3.28\;\; {-2.95})$. Head 1 receives
$0.9 \cdot (0.197\;\; 0)$, head 2 receives $(0.197\;\; 0)$; from there on each head is on its own, and their gradients
by $\mathbf H$ add up.
"""

_DRAWS = {"Q": normal(0.4), "K": normal(0.4), "V": normal(0.5), "W_ff": normal(0.5)}

problem = Problem(
    title="Heads and a feed-forward layer",
    source="CSE 5523, lecture notes 17, section 2",
    statement=STATEMENT,
    parts=[
        Equation(
            "layer_equation",
            points=2,
            ask=r"Write the output $\mathbf H_\ell$ of the level in terms of its heads $\mathbf H_{\ell,h}$, with FF.",
            tensors=[
                Tensor("H_l", ["D", "N"], [r"\mathbf{H}_\ell"]),
                Tensor("H_{l,*}", ["n", "D", "N"], [r"\mathbf{H}_{\ell,*}"]),
                Tensor("delta_*", ["n", "n"], [r"\delta_{*}"], draw="identity"),
                Tensor("W_ff", ["D", "M"], [r"W_{\text{ff}}", "W_{FF}", r"\mathbf{W}_{\text{ff}}"]),
                Tensor("b_ff", ["D"], [r"b_{\text{ff}}", "b_{FF}", r"\mathbf{b}_{\text{ff}}"]),
            ],
            sizes={"M": "n*D"},
            functions=["FF(C) = sigmoid(W_ff C + b_ff)"],
            matrix=True,
        ),
        Code(
            multihead_ff,
            points=4,
            ask="Write the level as a torch function. Any style is fine: matrix products, einsum or loops.",
            draws=_DRAWS,
            cases=[
                case("two heads on three items", h=2, D=4, N=3),
                case("more heads than dimensions", h=5, D=2, N=4),
                case("a single head", h=1, D=3, N=5),
                case(
                    "as many items as dimensions",
                    h=2,
                    D=4,
                    N=4,
                    hidden=True,
                    hint="the bias belongs to the rows and is the same for every item: b_ff[:, None]",
                ),
                case(
                    "other sizes",
                    h=3,
                    D=5,
                    N=7,
                    hidden=True,
                    hint="head k fills rows k·D to k·D + D − 1 of the stack; the softmax runs down the columns of each head",
                ),
                case(
                    "a single item of size one",
                    h=3,
                    D=1,
                    N=1,
                    hidden=True,
                    hint="with one item each head gives its value, and the output has shape [1, 1]",
                ),
                double_precision("H", h=2, D=3, N=4),
                case(
                    "large scores",
                    # Enough items that some columns still mix, so that rounding has its say in the tolerance.
                    h=2,
                    D=24,
                    N=20,
                    scale={"Q": 1.5, "K": 1.5, "V": 0.5, "W_ff": 0.4},
                    costs=0.25,
                    hidden=True,
                    hint="exp of a large score overflows: subtract the largest of each column first, or use torch.softmax",
                ),
                views(
                    "H",
                    h=2,
                    D=3,
                    N=5,
                    hint="the inputs need not be contiguous, and training needs gradients through the level",
                ),
            ],
        ),
        Code(
            multihead_ff_backward,
            points=6,
            ask=r"""Return the gradients by $\mathbf H$, $\mathbf Q$, $\mathbf K$, $\mathbf V$, $\mathbf W_{\text{ff}}$ and
$\mathbf b_{\text{ff}}$, in this order. Work them out with the four rules; torch's automatic differentiation is a good way
to check yourself. Only the values count.""",
            draws=_DRAWS,
            cases=[
                case("two heads on four items", h=2, D=3, N=4),
                case("more heads than dimensions", h=5, D=2, N=3),
                case("a single head", h=1, D=4, N=5),
                case(
                    "as many items as dimensions",
                    h=2,
                    D=3,
                    N=3,
                    hidden=True,
                    hint="mind every transpose: with square matrices a missing one raises no error",
                ),
                case(
                    "other sizes",
                    h=3,
                    D=4,
                    N=6,
                    hidden=True,
                    hint="H collects gradients from queries, keys and values of every head, the bias from every item",
                ),
                case(
                    "items of size one",
                    h=3,
                    D=1,
                    N=4,
                    hidden=True,
                    hint="each gradient keeps the shape of what it belongs to, axes of length one included",
                ),
                double_precision("H", h=2, D=3, N=5),
                case(
                    "large scores",
                    # Enough items that some columns still mix: gradients through the softmax stay measurable.
                    h=2,
                    D=24,
                    N=20,
                    scale={"Q": 1.5, "K": 1.5, "V": 0.5, "W_ff": 0.4},
                    costs=0.25,
                    hidden=True,
                    hint="exp of a large score overflows: subtract the largest of each column first, or use torch.softmax",
                ),
                views(h=2, D=4, N=5),
            ],
        ),
    ],
)
