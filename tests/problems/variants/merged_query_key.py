"""Correct answers to merged_query_key in many styles: function name, style, the text of the answer cell."""

VARIANTS: dict[str, dict[str, str]] = {
    "merged_key_query": {
        "one of the matrices a parameter": """
import torch

def merged_key_query(WQ, WK):
    WK = torch.nn.Parameter(WK)
    return WQ.mT @ WK / WQ.shape[1] ** 0.5
""",
        "einsum": """
import math
import torch

def merged_key_query(WQ, WK):
    return torch.einsum("kia,kib->kab", WQ, WK) / math.sqrt(WQ.shape[1])
""",
        "batched product": """
import torch

def merged_key_query(WQ, WK):
    return torch.bmm(WQ.transpose(1, 2), WK) * WQ.shape[1] ** -0.5
""",
        "one head at a time": """
import torch

def merged_key_query(WQ, WK):
    scale = 1 / torch.tensor(WQ.shape[1], dtype=WQ.dtype).sqrt()
    return torch.stack([scale * (q.T @ k) for q, k in zip(WQ, WK)])
""",
        "nested loops": """
import torch

def merged_key_query(WQ, WK):
    K, I, J = WQ.shape
    out = torch.zeros(K, J, J, dtype=WQ.dtype)
    for k in range(K):
        for a in range(J):
            for b in range(J):
                for i in range(I):
                    out[k, a, b] += WQ[k, i, a] * WK[k, i, b]
    return out / I ** 0.5
""",
        "sum of outer products": """
import torch

def merged_key_query(WQ, WK):
    I = WQ.size(1)
    total = sum(torch.einsum("ka,kb->kab", WQ[:, i], WK[:, i]) for i in range(I))
    return total / I ** 0.5
""",
        "broadcast and sum": """
import torch

def merged_key_query(WQ, WK):
    return (WQ.unsqueeze(3) * WK.unsqueeze(2)).sum(dim=1).div(WQ.shape[1] ** 0.5)
""",
        "query scaled first": """
import torch

def scaled(W):
    return W / torch.sqrt(torch.tensor(W.shape[1]))

def merged_key_query(WQ, WK):
    return scaled(WQ).mT @ WK
""",
        "transposed twice, not contiguous": """
import torch

def merged_key_query(WQ, WK):
    return ((WK.mT @ WQ) / WQ.shape[1] ** 0.5).mT
""",
        "numpy inside": """
import numpy as np
import torch

def merged_key_query(WQ, WK):
    q, k = WQ.detach().numpy(), WK.detach().numpy()
    merged = np.einsum("kia,kib->kab", q, k) / np.sqrt(q.shape[1])
    return torch.from_numpy(merged.astype(q.dtype))
""",
        "double precision inside": """
import torch

def merged_key_query(WQ, WK):
    q, k = WQ.double(), WK.double()
    return (q.transpose(-1, -2) @ k / q.shape[-2] ** 0.5).to(WQ.dtype)
""",
        "vmap": """
import torch

def merged_key_query(WQ, WK):
    return torch.vmap(lambda q, k: q.T @ k)(WQ, WK) / WQ.shape[1] ** 0.5
""",
        "a result that requires gradients": """
import torch

def merged_key_query(WQ, WK):
    scale = torch.tensor(WQ.shape[1] ** -0.5, dtype=WQ.dtype, requires_grad=True)
    return torch.matmul(WQ.permute(0, 2, 1), WK) * scale
""",
    },
    "merged_attention": {
        "einsum": """
import torch

def merged_attention(L, W_tilde):
    return torch.softmax(torch.einsum("sa,kab,tb->kst", L, W_tilde, L), dim=-1)
""",
        "matrix products": """
import torch

def merged_attention(L, W_tilde):
    return (L @ W_tilde @ L.T).softmax(-1)
""",
        "functional": """
import torch
import torch.nn.functional as F

def merged_attention(L, W_tilde):
    return F.softmax(torch.matmul(torch.matmul(L.unsqueeze(0), W_tilde), L.t()), dim=2)
""",
        "torch's attention with identity values": """
import torch
import torch.nn.functional as F

def merged_attention(L, W_tilde):
    K, T = W_tilde.shape[0], L.shape[0]
    v = torch.eye(T, dtype=L.dtype).expand(K, T, T)
    return F.scaled_dot_product_attention(L @ W_tilde, L.expand(K, *L.shape), v, scale=1.0)
""",
        "one head at a time": """
import torch

def merged_attention(L, W_tilde):
    return torch.stack([torch.softmax(L @ W @ L.T, dim=1) for W in W_tilde])
""",
        "nested loops": """
import torch

def merged_attention(L, W_tilde):
    K, T = len(W_tilde), len(L)
    alpha = torch.zeros(K, T, T, dtype=L.dtype)
    for k in range(K):
        for t1 in range(T):
            scores = torch.stack([L[t1] @ W_tilde[k] @ L[t2] for t2 in range(T)])
            weights = torch.exp(scores - scores.max())
            alpha[k, t1] = weights / weights.sum()
    return alpha
""",
        "maximum subtracted by hand": """
import torch

def row_softmax(s):
    s = s - s.amax(dim=-1, keepdim=True)
    return s.exp() / s.exp().sum(dim=-1, keepdim=True)

def merged_attention(L, W_tilde):
    return row_softmax(L @ (W_tilde @ L.T))
""",
        "logsumexp": """
import torch

def merged_attention(L, W_tilde):
    s = L @ W_tilde @ L.T
    return torch.exp(s - torch.logsumexp(s, dim=-1, keepdim=True))
""",
        "bilinear": """
import torch

def merged_attention(L, W_tilde):
    T, J = L.shape
    left = L.repeat_interleave(T, dim=0)
    right = L.repeat(T, 1)
    scores = torch.nn.functional.bilinear(left, right, W_tilde)
    return torch.softmax(scores.view(T, T, -1), dim=1).permute(2, 0, 1)
""",
        "module": """
import torch

def merged_attention(L, W_tilde):
    return torch.nn.Softmax(dim=-1)(torch.einsum("kta,sa->kts", L @ W_tilde, L))
""",
        "numpy inside": """
import numpy as np
import torch

def merged_attention(L, W_tilde):
    l, w = L.detach().numpy(), W_tilde.detach().numpy()
    s = l @ w @ l.T
    s = np.exp(s - s.max(axis=-1, keepdims=True))
    return torch.from_numpy(s / s.sum(axis=-1, keepdims=True))
""",
        "double precision inside": """
import torch

def merged_attention(L, W_tilde):
    l = L.to(torch.float64)
    return torch.softmax(l @ W_tilde.double() @ l.T, dim=-1).to(L.dtype)
""",
        "keys first": """
import torch

def merged_attention(L, W_tilde):
    scores = torch.einsum("kab,tb,sa->kts", W_tilde, L, L)
    return torch.softmax(scores, dim=1).transpose(1, 2)
""",
    },
}
