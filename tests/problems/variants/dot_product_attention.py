"""Right answers to dot_product_attention in many styles: each earns full marks."""

VARIANTS: dict[str, dict[str, str]] = {
    "dot_product_attention": {
        "matmul": """
import torch

def dot_product_attention(q, keys, values):
    alpha = torch.softmax(keys @ q, dim=0)
    return alpha, alpha @ values
""",
        "einsum, a list": """
import torch

def dot_product_attention(q, keys, values):
    a = torch.einsum("d,nd->n", q, keys).softmax(-1)
    return [a, torch.einsum("n,nv->v", a, values)]
""",
        "torch's own attention": """
import torch
import torch.nn.functional as F

def dot_product_attention(q, keys, values):
    n = keys.shape[0]
    q, k = q[None, None], keys[None]
    alpha = F.scaled_dot_product_attention(q, k, torch.eye(n, dtype=q.dtype)[None], scale=1.0)[0, 0]
    context = F.scaled_dot_product_attention(q, k, values[None], scale=1.0)[0, 0]
    return alpha, context
""",
        "broadcasting": """
import torch

def dot_product_attention(q, keys, values):
    s = (keys * q[None, :]).sum(dim=1)
    w = torch.exp(s - s.max())
    alpha = w / w.sum()
    return alpha, (alpha.unsqueeze(-1) * values).sum(dim=0)
""",
        "log-sum-exp": """
import torch

def dot_product_attention(q, keys, values):
    s = torch.mv(keys, q)
    alpha = torch.exp(s - torch.logsumexp(s, 0))
    return alpha, values.T @ alpha
""",
        "loops over the memory": """
import torch

def dot_product_attention(q, keys, values):
    s = torch.stack([torch.dot(q, k) for k in keys])
    alpha = torch.nn.Softmax(dim=0)(s)
    c = torch.zeros(values.shape[1], dtype=values.dtype)
    for a, v in zip(alpha, values):
        c = c + a * v
    return alpha, c
""",
        "plain loops": """
import math
import torch

def dot_product_attention(q, keys, values):
    N, D = keys.shape
    s = [sum(q[d].item() * keys[n, d].item() for d in range(D)) for n in range(N)]
    top = max(s)
    e = [math.exp(v - top) for v in s]
    a = [v / sum(e) for v in e]
    c = [sum(a[n] * values[n, j].item() for n in range(N)) for j in range(values.shape[1])]
    return torch.tensor(a, dtype=q.dtype), torch.tensor(c, dtype=q.dtype)
""",
        "numpy inside": """
import numpy as np
import torch

def dot_product_attention(q, keys, values):
    qn, kn, vn = (t.detach().numpy() for t in (q, keys, values))
    s = kn @ qn
    e = np.exp(s - s.max())
    a = e / e.sum()
    return torch.from_numpy(a), torch.from_numpy(a @ vn)
""",
        "column vectors, views": """
import torch

def dot_product_attention(q, keys, values):
    scores = keys.matmul(q.view(-1, 1))
    alpha = torch.softmax(scores, dim=0)
    context = alpha.transpose(0, 1) @ values
    return alpha.squeeze(1), context.squeeze(0)
""",
        "a batch of one query, double inside": """
import torch

def _attend(Q, K, V):
    A = torch.softmax(Q @ K.transpose(-1, -2), dim=-1)
    return A, A @ V

def dot_product_attention(q, keys, values):
    A, C = _attend(q.double().unsqueeze(0), keys.double(), values.double())
    return A[0].to(q.dtype), C[0].to(q.dtype)
""",
        "outputs that need a gradient": """
import torch

def dot_product_attention(q, keys, values):
    if not keys.requires_grad:
        keys = keys.clone().requires_grad_(True)
    alpha = (keys @ q).softmax(0)
    return (alpha, (values * alpha[:, None]).sum(0))
""",
    },
}
