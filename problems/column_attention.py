"""Column attention: one attention head in matrix notation, items as columns, and its gradients by hand."""

from autograder import Code, Equation, Problem, Tensor, case, double_precision, normal, views


def column_attention_head(H, Q, K, V):
    """One attention head on items that are the columns of H; softmax down each column, no scaling.

    H[D, N]  Q[D, D]  K[D, D]  V[D, D]
    returns [D, N]: a column for each item, the average of the values that it attends to
    """


def column_attention_head_backward(H, Q, K, V, G):
    """The gradients of a loss through column_attention_head, given its gradient G by the head's output.

    H[D, N]  Q[D, D]  K[D, D]  V[D, D]  G[D, N]
    returns (dH[D, N], dQ[D, D], dK[D, D], dV[D, D])
    """


STATEMENT = r"""
Level $\ell$ of a transformer receives $N$ items. Each is a vector of size $D$, and the items are the **columns**
of one matrix $\mathbf H_{\ell-1} \in \mathbb R^{D \times N}$. A *head* $h$ has three square matrices
$\mathbf Q_{\ell,h}, \mathbf K_{\ell,h}, \mathbf V_{\ell,h} \in \mathbb R^{D \times D}$. Multiplying on the left, they
turn every column into a query, a key and a value:

$$\mathbf q = \mathbf Q \mathbf H, \qquad \mathbf k = \mathbf K \mathbf H, \qquad \mathbf v = \mathbf V \mathbf H
\qquad\text{each } D \times N.$$

Entry $(i, j)$ of the **scores** $\mathbf S = \mathbf k^\top \mathbf q \in \mathbb R^{N \times N}$ is the inner product
of key $i$ with query $j$. Down each column $j$ a softmax makes weights of the scores: how much item $j$ takes from
every item $i$, itself included. The output for item $j$ is the average of the values by these weights.

$$\mathbf A = \text{SoftMax}(\mathbf S), \qquad
\mathbf A_{ij} = \frac{\exp \mathbf S_{ij}}{\sum_{i'} \exp \mathbf S_{i'j}}, \qquad
\mathbf H_{\ell,h} = \mathbf v\, \mathbf A .$$

![Three matrices: the values, D by N, times the attention weights, N by N, give the output, D by N. One column of the
weights is marked; it sums to one and makes the column of the output below it](figures/column_attention.svg)

Three things differ from what you may have seen elsewhere. Items are columns, so the softmax runs down the columns
(`dim=0` in torch) and the weights stand to the right of the values. The scores are not divided by $\sqrt D$. There is
no mask and no residual connection.

**The head by hand.** Let $D = 1$ and $N = 2$, with $\mathbf H = (1\;\; 2)$, $\mathbf Q = 1$, $\mathbf K = \ln 2$,
$\mathbf V = 10$. The queries are $(1\;\; 2)$, the keys $(\ln 2\;\; 2 \ln 2)$, the values $(10\;\; 20)$, and

$$\mathbf S = \begin{pmatrix} \ln 2 & 2 \ln 2 \\ 2 \ln 2 & 4 \ln 2 \end{pmatrix}, \qquad
\exp \mathbf S = \begin{pmatrix} 2 & 4 \\ 4 & 16 \end{pmatrix}, \qquad
\mathbf A = \begin{pmatrix} \tfrac13 & \tfrac15 \\ \tfrac23 & \tfrac45 \end{pmatrix} .$$

Each column of $\mathbf A$ sums to one, its rows do not. The output is
$\left(\tfrac13 \cdot 10 + \tfrac23 \cdot 20 \;\;\; \tfrac15 \cdot 10 + \tfrac45 \cdot 20\right) = (16.67\;\; 18)$.

**How to write the equation.** In plain text or LaTeX, with a left side. Matrices stand next to each other to be
multiplied, `^T` (or `^\top`) transposes, `SoftMax(…)` works down each column. The names are `H_{l,h}`
($\mathbf H_{\ell,h}$), `H_{l-1}` ($\mathbf H_{\ell-1}$), `Q_{l,h}` ($\mathbf Q_{\ell,h}$), `K_{l,h}` ($\mathbf K_{\ell,h}$)
and `V_{l,h}` ($\mathbf V_{\ell,h}$); on the right you may drop the subscripts and write `H`, `Q`, `K`, `V`. For instance,
`H_{l,h} = Q^T H` would be a line that reads well but is wrong.

**Backward.** Training asks how a loss changes with every number that went in. Let $\mathbf G$ be the gradient of the
loss by the output: $\mathbf G_{dj}$ is the derivative by entry $(d, j)$ of $\mathbf H_{\ell,h}$. Write $\mathrm d\mathbf X$
for the gradient by $\mathbf X$; it has the shape of $\mathbf X$. Two rules are enough:

- *Product.* If $\mathbf P = \mathbf M \mathbf X$, then $\mathrm d\mathbf M = \mathrm d\mathbf P\, \mathbf X^\top$ and
  $\mathrm d\mathbf X = \mathbf M^\top\, \mathrm d\mathbf P$.
- *Softmax of one column.* If $a = \text{softmax}(s)$, then
  $\partial a_i / \partial s_m = a_i\,(\delta_{im} - a_m)$, where $\delta_{im}$ is 1 for $i = m$ and 0 otherwise. Every
  weight depends on **all** the scores of its column.

A matrix that is used several times collects a gradient from each of its uses. $\mathbf H$ is used three times.

**The gradients by hand.** In the example above let $\mathbf G = (1\;\; 0)$: only the first output matters. The gradient
by the values is $(\tfrac13\;\; \tfrac23)$, so $\mathrm d\mathbf V = \tfrac13 \cdot 1 + \tfrac23 \cdot 2 = \tfrac53$.
The gradient by the first column of weights is $(10, 20)$. By the softmax rule the gradient by the first score is
$10 \cdot \tfrac13 (1 - \tfrac13) - 20 \cdot \tfrac23 \cdot \tfrac13 = -\tfrac{20}9$, and by the second it is
$\tfrac{20}9$. From there $\mathrm d\mathbf Q = \tfrac{20}9 \ln 2 = 1.54$, $\mathrm d\mathbf K = \tfrac{20}9 = 2.22$ and
$\mathrm d\mathbf H = (3.33\;\; 8.21)$.
"""

problem = Problem(
    title="Column attention",
    source="CSE 5523, lecture notes 17, section 1",
    statement=STATEMENT,
    parts=[
        Equation(
            "head_equation",
            points=2,
            ask=r"""Write one head in a single line: $\mathbf H_{\ell,h}$ in terms of $\mathbf H_{\ell-1}$,
$\mathbf Q_{\ell,h}$, $\mathbf K_{\ell,h}$ and $\mathbf V_{\ell,h}$.""",
            tensors=[
                Tensor("H_{l,h}", ["D", "N"], [r"\mathbf{H}_{\ell,h}"]),
                Tensor("H_{l-1}", ["D", "N"], [r"\mathbf{H}_{\ell-1}", "H"]),
                Tensor("H_l", ["D", "N"], [r"\mathbf{H}_{\ell}"]),
                Tensor("Q_{l,h}", ["D", "D"], [r"\mathbf{Q}_{\ell,h}", "Q", "Q_h"]),
                Tensor("K_{l,h}", ["D", "D"], [r"\mathbf{K}_{\ell,h}", "K", "K_h"]),
                Tensor("V_{l,h}", ["D", "D"], [r"\mathbf{V}_{\ell,h}", "V", "V_h"]),
            ],
            matrix=True,
            columns=True,
        ),
        Code(
            column_attention_head,
            points=4,
            ask="Write the head as a torch function. Any style is fine: matrix products, einsum or loops.",
            draws={"Q": normal(0.4), "K": normal(0.4)},
            cases=[
                case("three items of size five", D=5, N=3),
                case("more items than dimensions", D=2, N=6),
                case("numbers for items", D=1, N=4),
                case(
                    "as many items as dimensions",
                    D=4,
                    N=4,
                    hidden=True,
                    hint="items are columns, whatever the sizes: (K H)ᵀ Q H has a row for each key and a column for each query",
                ),
                case(
                    "another size",
                    D=6,
                    N=7,
                    hidden=True,
                    hint="check that the softmax runs down the columns, dim=0, and that nothing scales the scores",
                ),
                case(
                    "a single item",
                    D=3,
                    N=1,
                    hidden=True,
                    hint="with one item its weight is 1, and the output is its value V H",
                ),
                double_precision("H", D=4, N=5),
                case(
                    "large scores",
                    # Enough items that some columns still mix, so that rounding has its say in the tolerance.
                    D=24,
                    N=20,
                    scale={"Q": 1.6, "K": 1.6},
                    costs=0.25,
                    hidden=True,
                    hint="exp of a large score overflows: subtract the largest of each column first, or use torch.softmax",
                ),
                views(
                    "H",
                    D=3,
                    N=5,
                    hint="the inputs need not be contiguous, and training needs gradients through the head",
                ),
            ],
        ),
        Code(
            column_attention_head_backward,
            points=6,
            ask=r"""Return the gradients by $\mathbf H$, $\mathbf Q$, $\mathbf K$ and $\mathbf V$, in this order. Work them out
with the two rules; torch's automatic differentiation is a good way to check yourself. Only the values count.""",
            draws={"Q": normal(0.4), "K": normal(0.4)},
            cases=[
                case("three items of size four", D=4, N=3),
                case("more items than dimensions", D=2, N=5),
                case("numbers for items", D=1, N=4),
                case(
                    "as many items as dimensions",
                    D=3,
                    N=3,
                    hidden=True,
                    hint="mind every transpose: with square matrices a missing one raises no error",
                ),
                case(
                    "another size",
                    D=5,
                    N=6,
                    hidden=True,
                    hint="each gradient has the shape of what it belongs to, and H collects gradients from queries, keys and values",
                ),
                double_precision("H", D=3, N=4),
                case(
                    "large scores",
                    # Enough items that some columns still mix: gradients through the softmax stay measurable.
                    D=24,
                    N=20,
                    scale={"Q": 1.6, "K": 1.6},
                    costs=0.25,
                    hidden=True,
                    hint="exp of a large score overflows: subtract the largest of each column first, or use torch.softmax",
                ),
                views(D=4, N=6),
            ],
        ),
    ],
)
