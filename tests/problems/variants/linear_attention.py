"""Correct answers to linear_attention in many styles, all linear in T: function, style, answer cell."""

VARIANTS: dict[str, dict[str, str]] = {
    "linear_attention": {
        "re-bracketed product": """
import torch

def linear_attention(q, k, v):
    kv = k.T @ v
    z = q @ k.sum(dim=0)
    return (q @ kv) / z.unsqueeze(-1)
""",
        "einsum": """
import torch

def linear_attention(q, k, v):
    top = torch.einsum("id,de->ie", q, torch.einsum("jd,je->de", k, v))
    bottom = torch.einsum("id,d->i", q, k.sum(0))
    return top / bottom[:, None]
""",
        "a column of ones": """
import torch

def linear_attention(q, k, v):
    both = q @ (k.T @ torch.cat([v, torch.ones_like(v[:, :1])], dim=1))
    return both[:, :-1] / both[:, -1:]
""",
        "running sums": """
import torch

def linear_attention(q, k, v):
    S = torch.zeros(k.shape[1], v.shape[1], dtype=v.dtype)
    s = torch.zeros(k.shape[1], dtype=k.dtype)
    for j in range(k.shape[0]):
        S = S + torch.outer(k[j], v[j])
        s = s + k[j]
    return torch.stack([(q[i] @ S) / (q[i] @ s) for i in range(q.shape[0])])
""",
        "nested loops": """
import torch

def linear_attention(q, k, v):
    T, d = q.shape
    dv = v.shape[1]
    S = [[sum(k[j, a] * v[j, b] for j in range(T)) for b in range(dv)] for a in range(d)]
    s = [sum(k[j, a] for j in range(T)) for a in range(d)]
    rows = []
    for i in range(T):
        z = sum(q[i, a] * s[a] for a in range(d))
        rows.append(torch.stack([sum(q[i, a] * S[a][b] for a in range(d)) / z for b in range(dv)]))
    return torch.stack(rows)
""",
        "query normalised first": """
import torch

def normalised(q, k):
    return q / (q * k.sum(0)).sum(-1, keepdim=True)

def linear_attention(q, k, v):
    return normalised(q, k) @ (k.mT @ v)
""",
        "a small constant below the line": """
import torch

def linear_attention(q, k, v, eps=1e-6):
    z = 1 / (torch.matmul(q, k.sum(0)) + eps)
    return torch.einsum("nd,dm,n->nm", q, k.t().mm(v), z)
""",
        "outer products summed by broadcasting": """
import torch

def linear_attention(q, k, v):
    state = (k[:, :, None] * v[:, None, :]).sum(0)
    return torch.div(q.matmul(state), q.matmul(k.sum(0, keepdim=True).T))
""",
        "a batch axis and modules' functions": """
import torch
import torch.nn.functional as F

def linear_attention(q, k, v):
    Q, K, V = (x.unsqueeze(0) for x in (q, k, v))
    top = torch.bmm(Q, torch.bmm(K.transpose(1, 2), V))
    bottom = F.linear(Q, K.sum(1))
    return (top / bottom).squeeze(0)
""",
        "numpy inside": """
import numpy as np
import torch

def linear_attention(q, k, v):
    a, b, c = (x.detach().numpy() for x in (q, k, v))
    return torch.from_numpy((a @ (b.T @ c)) / (a @ b.sum(axis=0))[:, np.newaxis])
""",
        "double precision inside": """
import torch

def linear_attention(q, k, v):
    a, b, c = q.double(), k.double(), v.double()
    return ((a @ (b.T @ c)) / (a @ b.sum(0))[:, None]).to(v.dtype)
""",
        "transposed and not contiguous": """
import torch

def linear_attention(q, k, v):
    top = (v.T @ k) @ q.T
    return (top / (k.sum(0) @ q.T)).T
""",
        "a result that requires gradients": """
import torch

def linear_attention(q, k, v):
    one = torch.ones((), dtype=q.dtype, requires_grad=True)
    return one * (q @ (k.T @ v)) / (q @ k.T.sum(1)).view(-1, 1)
""",
    },
}
