"""What is read of an equation: ways of writing that mean the same, each tried, and listed in docs/equations.md."""

from __future__ import annotations

from dataclasses import dataclass

from autograder.course.model import Equation, Key, Tensor, key

INDEXED = Equation(
    "indexed",
    points=1,
    ask="",
    tensors=[
        Tensor("y", ["B", "I"]),
        Tensor("x", ["B", "T", "J"]),
        Tensor("A", ["I", "J"], [r"\hat{A}", "A^Q"]),
        Tensor("c", ["I"], [r"\gamma"]),
        Tensor("E", ["W", "I"]),
        Tensor("w", ["B"], entries="W"),
        Tensor("P", ["W"]),
        Tensor("g", ["I"]),
    ],
    functions=["sigma"],
)
MATRICES = Equation(
    "matrices",
    points=1,
    ask="",
    tensors=[
        Tensor("Y", ["K", "N", "M"]),
        Tensor("A", ["K", "D", "N"]),
        Tensor("B", ["K", "D", "M"]),
        Tensor("F", ["M", "N"]),
        Tensor("S", ["K", "N", "N"]),
    ],
    matrix=True,
)


@dataclass(frozen=True)
class Ways:
    """One meaning, and the ways to write it; the first is the plainest."""

    meaning: str
    part: Equation
    ways: tuple[str, ...]

    @property
    def key(self) -> Key:
        return key(self.ways[0].replace(" // ", "\n"))


NOTATION = (
    Ways("a sum over an index", INDEXED, (
        "y[b,i] = sum_{t,j} A[i,j] x[b,t,j]", "y[b,i] = sum_t A[i,J] x[b,t,J]",
        r"y[b,i] = \sum_{t=1}^{T}\sum_{j=1}^{J} A[i,j]\, x[b,t,j]", "y_{b,i} = Σ_{t,j} A_{i,j} x_{b,t,j}",
        "y[b,i] = ∑_{t=0}^{T-1} A[i,J] x[b,t,J]",
        "y[b,i] = sum(A[i] @ x[b,t] for t in range(T))",
    )),
    Ways("the last index left out, on both sides", INDEXED, (
        "y[b] = sum_t A x[b,t]", "y[b,:] = sum_t A x[b,t,:]", r"y_b = \sum_t A\, x_{b,t}",
        "y[b] = sum_t A @ x[b,t]", r"y[b,\cdot] = \sum_t A x[b,t,\cdot]",
    )),
    Ways("an inner product", INDEXED, (
        "c[i] = sum_{b,t} <A[i], x[b,t]>", "c[i] = sum_{b,t} A[i] · x[b,t]", "c[i] = sum_{b,t} A[i]^T x[b,t]",
        r"c[i] = \sum_{b,t} \langle A[i,:], x[b,t,:] \rangle", "c[i] = sum_{b,t} A[i] @ x[b,t]",
        "c[i] = sum_{b,t} dot(A[i], x[b,t])", "c[i] = sum_{b,t} A[i] x[b,t]^T",
    )),
    Ways("a word used as an index", INDEXED, (
        "y[b,i] = E[w[b],i]", "y[b] = E[w[b]]", "y[b,:] = E[w_b, :]", "y[b] = E^T onehot(w[b])", "y = E[w]",
        "y = F.embedding(w, E)",
        "y[b,i] = sum_v onehot(w[b])[v] E[v,i]", "y[b,i] = sum_v 1[w[b] = v] E[v,i]",
        r"y[b,i] = \sum_v \delta_{v, w[b]} E[v,i]", "y = np.take(E, w, axis=0)",
    )),
    Ways("a softmax over an index", INDEXED, (
        "P(v | rest) = softmax_v E[v,I] c[I]", "P(v) = softmax_{v}[E[v]^T c]", "P = softmax(E c)",
        r"P(v \mid \dots) = \underset{v}{\text{softmax}}\; E[v,I]\, c[I]", "P = torch.softmax(E @ c, dim=-1)",
        "P(v) = exp(E[v,I] c[I]) / sum_u exp(E[u,I] c[I])", "P(v) = softmax(E c)[v]",
        "P(v) = softmax over v of E[v,I] c[I]", "P = nn.Softmax(dim=-1)(E @ c)",
        "P(v) = softmax_v E[v,I] c[I], softmax over v", "P(v) = softmax_v E[v,I] c[I], normalised over all words",
        "P(v) = softmax_v E[v,I] c[I], summing over I",
    )),
    Ways("a softmax along the rows of a matrix", MATRICES, (
        "Y[k] = softmax_{row}(A[k]^T B[k])", "Y[k] = RowSoftMax(A[k]^T B[k])",
        "Y[k] = softmax(A[k].T @ B[k], dim=-1)", "Y[k] = softmax(A[k]^T B[k], axis=1)",
        "Y[k] = softmax(A[k]^T B[k])", "Y[k,n,m] = softmax_m A[k,D,n] B[k,D,m]",
        "Y[k,n,m] = softmax(A[k,D,n] B[k,D,m], dim=2)", "Y[k] = (A[k].T @ B[k]).softmax(-1)",
        "Y[k] = softmax(A[k]^T B[k]), softmax along each row", "Y[k] = softmax(A[k]^T B[k]) (row-wise)",
        r"Y_k = \operatorname{diag}(G_k \mathbf{1})^{-1} G_k, \quad G_k = \exp(A_k^\top B_k)",
    )),
    Ways("a softmax down the columns of a matrix", MATRICES, (
        "Y[k] = softmax_{col}(A[k]^T B[k])", "Y[k] = ColSoftMax(A[k]^T B[k])",
        "Y[k] = torch.softmax(A[k].T @ B[k], dim=0)", "Y[k,n,m] = softmax_n A[k,D,n] B[k,D,m]",
        "Y[k] = softmax(A[k]^T B[k]), softmax down each column",
    )),
    Ways("a softmax over two axes", MATRICES, (
        "Y[k,n,m] = softmax_{n,m} A[k,D,n] B[k,D,m]", "Y = softmax(A.mT @ B, dim=(1, 2))",
        "Y[k,n,m] = softmax over (n, m) of A[k,D,n] B[k,D,m]", "Y_{k,(n,m)} = softmax_{(n,m)} A[k,D,n] B[k,D,m]",
        "Y = torch.softmax(torch.einsum('kdn,kdm->knm', A, B), dim=(-2, -1))",
    )),
    Ways("matrices and transposes", MATRICES, (
        "Y[k] = A[k]^T B[k]", r"Y_k = A_k^\top B_k", "Y[k] = A[k].T @ B[k]", "Y[k] = (B[k]^T A[k])^T",
        "Y[k] = np.dot(A[k].T, B[k])", "Y[k,n,m] = (A[k]^T B[k])[n,m]",
    )),
    Ways("torch and numpy, all heads at once", MATRICES, (
        "Y[k,n,m] = A[k,D,n] B[k,D,m]", "Y = torch.einsum('kdn,kdm->knm', A, B)",
        'Y = np.einsum("kdn,kdm->knm", A, B)', "Y = A.transpose(1, 2) @ B", "Y = A.mT @ B",
        "Y = einops.einsum(A, B, 'k d n, k d m -> k n m')",
        "Y = torch.matmul(A.transpose(-1, -2), B)", "Y = A.mT; Y = Y @ B",
    )),
    Ways("sums along an axis of an array", MATRICES, (
        "F[m,n] = sum_k Y[k,n,m]", "F = Y.sum(0).T", "F = np.sum(Y, axis=0).T",
        "F = torch.einsum('knm->mn', Y)",
    )),
    Ways("a fraction, a root, a power", INDEXED, (
        "c[i] = g[i] / sqrt(I)", r"c[i] = \frac{g[i]}{\sqrt{I}}", "c[i] = I^{-1/2} g[i]", "c[i] = g[i] ÷ √I",
        r"c[i] = \nicefrac{1}{\sqrt{I}}\, g[i]", "c[i] = g[i] / math.sqrt(I)", "c[i] = I**-0.5 * g[i]",
        "c[i] = I^{-½} g[i]", r"c[i] = g[i] / (\sqrt[4]{I} \sqrt[4]{I})", "c[i] = g[i].div(sqrt(I))", "c[i] = g[i] / np.sqrt(A.shape[0])",
    )),
    Ways("definitions on the way", INDEXED, (
        "y[b,i] = sigma(sum_{t,j} A[i,j] x[b,t,j])", "y[b,i] = sigma(z[b,i]), where z[b,i] = sum_t A[i,J] x[b,t,J]",
        "Let s[b] = sum_t x[b,t]. Then y[b] = sigma(A s[b])",
        "y[b,i] = sigma(sum_t f(A[i], x[b,t])), f(u,v) = u^T v",
    )),
    Ways("a matrix by its entries", MATRICES, (
        "Y[k] = A[k]^T B[k]", "Y[k] = G, G_{nm} = A[k,D,n] B[k,D,m]", "Y[k] = G[k], G[k,n,m] = A[k,D,n] B[k,D,m]",
        "Y[k] = G^T, G_{mn} = A[k,D,n] B[k,D,m]",
    )),
    Ways("remarks and Markdown", INDEXED, (
        "c[i] = g[i]", "c[i] = g[i] for all i", "**c[i] = g[i]**", "- c[i] = g[i]", "`c[i] = g[i]`",
        "Answer: c[i] = g[i]", "for every i: c[i] = g[i]", "c[i] = g[i]  # a remark", "c[i] = g[i] (as we have seen)", "$$c[i] = g[i].$$",
    )),
)  # fmt: skip
