"""Right answers with a remark: one that only explains, and one that says something else than the equation."""

from __future__ import annotations

RIGHT = {
    "attention_equation": "alpha[k,t1,t2] = softmax_{t2} [L[t1,J1] W_tilde[k,J1,J2] L[t2,J2]]",
    "merged_equation": "W_tilde[k,j1,j2] = (1/sqrt(I)) WQ[k,I,j1] WK[k,I,j2]",
    "final_output": "Y_T = sigmoid(1000 (H_0 + sum_{t=1}^{T} (-1)^t X_t))",
    "linear_equation": "y_i = (sum_j <q_i,k_j> v_j) / (sum_j <q_i,k_j>)",
    "head_equation": "H_{l,h} = V H softmax((K H)^T Q H)",
}
# Part -> remarks; what follows "equal" explains, the rest changes what is meant.
EXPLAINS = {
    "attention_equation": (
        " for all k, t1, t2", " (softmax over the keys)", " # each row sums to one",
        " where softmax(x)_i = exp(x_i) / sum_j exp(x_j)", " for t1 = 1, ..., T", " (row-wise softmax over positions)",
        ", softmax over t2", " (softmax over t2)", ", normalised over keys", ", normalised over all positions t2",
        ", with W_tilde[k,a,b] = sum_i WQ[k,i,a] WK[k,i,b] / sqrt(I)",
        ", summing over J1 and J2", ". The softmax runs over t2.", ", i.e. a softmax over the keys", ", for each head k",
    ),
    "merged_equation": (" where I is the head dimension", " (I is the head dimension)", " for 1 <= k <= K", ", summing over I"),
    "final_output": (" where T is even", " for even T", " where T = 2n", " since T is even", " for T >= 2",
        ", t = 1, ..., T",
    ),
    "linear_equation": (" where j runs over all positions", " with positive q and k"),
    "head_equation": (", where the softmax runs down each column", " and the softmax is taken over each column",
        ", softmax over each column", ", where A = (K H)^T Q H",
    ),
}  # fmt: skip
CHANGES = {
    "attention_equation": (
        " for k = 1", " for t1 < t2", " with t1 and t2 swapped", " (softmax over the queries)", " # softmax over t1",
        " (then normalised)", " with temperature 2", " where softmax(x) = exp(x)", " where W_tilde is symmetric",
        " where W_tilde = WQ WK", ", with W_tilde[k,j1,j2] = WQ[k,I,j1] WK[k,I,j2]", ", softmax over t1", ", softmax over k",
        ", normalised over t1", ", normalised over the queries", ", summing over t2", ", summing over J1 only",
        ", softmax over t1 and t2", ", with head size 3", ", softmax over the vocabulary",
        " for K = 1 only", " where the softmax is taken over the first position", " // scaled by sqrt(I)",
        " for the first head", ", where softmax means argmax", ", with future positions set to -inf",
        ", i.e. half of it", ", that is, without the scaling", ", i.e. the softmax is left out", "\nWQ = WK",
        "\nWK[k,i,j] = 0",
    ),
    "merged_equation": (" for I = J", " where WQ and WK are swapped", " where W^Q = W^K", " where I denotes J", " where i = 1", ", summing over k",
        ", with stride 2",
    ),
    "final_output": (" where T is odd", " for odd T", " since T is odd", " for T = 4", " where T = 2n + 1",
        ", where the sum starts at 2", " for half of the entries", ", t = 0, ..., T-1", " for t in {2, 3}",
        ", where t runs from 2 to T",
    ),
    "linear_equation": (", i.e. no normalisation", " for j <= i", " for i = 1", " where v_j = k_j", " where k_j = q_j", " where q_i is normalised"),
    "head_equation": (" (softmax over the rows)", ", then averaged", ", then ReLU", " for small inputs",
        ", i.e. each row sums to one",
    ),
}  # fmt: skip


def rows() -> list[tuple[str, str, str]]:
    """Part, verdict and answer."""
    return [
        (part, verdict, RIGHT[part] + remark)
        for verdict, table in (("equal", EXPLAINS), ("unparseable", CHANGES))
        for part, remarks in table.items()
        for remark in remarks
    ]
