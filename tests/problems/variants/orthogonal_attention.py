"""Right answers to orthogonal_attention in many styles: each must earn full marks."""

LAYER = {
    "matrix_products": """
import torch

def orthogonal_self_attention(a, b, c, d):
    X = torch.stack([d + b, a, c + d])
    W = torch.softmax(X @ X.T, dim=1)
    return X.norm(dim=1), W @ X
""",
    "einsum_list": """
import torch

def orthogonal_self_attention(a, b, c, d):
    X = torch.stack((b + d, a, d + c), dim=0)
    W = torch.einsum("id,jd->ij", X, X).softmax(-1)
    return [torch.einsum("id,id->i", X, X).sqrt(), torch.einsum("ij,jd->id", W, X)]
""",
    "loops": """
import torch

def orthogonal_self_attention(a, b, c, d):
    tokens = [d + b, a, c + d]
    norms = torch.stack([torch.sqrt((x * x).sum()) for x in tokens])
    rows = []
    for query in tokens:
        scores = [torch.dot(query, key) for key in tokens]
        top = max(scores)
        weights = [torch.exp(s - top) for s in scores]
        total = sum(weights)
        rows.append(sum(w / total * x for w, x in zip(weights, tokens)))
    return norms, torch.stack(rows)
""",
    "numpy_inside": """
import numpy as np
import torch

def orthogonal_self_attention(a, b, c, d):
    a, b, c, d = (x.detach().numpy() for x in (a, b, c, d))
    X = np.vstack([d + b, a, c + d])
    S = X @ X.T
    E = np.exp(S - S.max(axis=1, keepdims=True))
    Y = E / E.sum(axis=1, keepdims=True) @ X
    return torch.from_numpy(np.linalg.norm(X, axis=1)), torch.from_numpy(Y)
""",
    "scaled_dot_product_attention": """
import torch
import torch.nn.functional as F

def orthogonal_self_attention(a, b, c, d):
    X = torch.stack([d + b, a, c + d])
    Y = F.scaled_dot_product_attention(X[None], X[None], X[None], scale=1.0)[0]
    return torch.linalg.vector_norm(X, dim=1), Y
""",
    "double_inside": """
import torch

def orthogonal_self_attention(a, b, c, d):
    X = torch.stack([d + b, a, c + d]).double()
    E = torch.exp(X @ X.T)
    Y = (E / E.sum(dim=1, keepdim=True)) @ X
    return X.norm(dim=1).to(a.dtype), Y.to(a.dtype)
""",
    "from_the_norm_alone": """
import math
import torch

def orthogonal_self_attention(a, b, c, d):
    beta = a.norm()
    s = beta ** 2
    zero = torch.zeros_like(s)
    rows = [[2 * s, zero, s], [zero, s, zero], [s, zero, 2 * s]]
    S = torch.stack([torch.stack(row) for row in rows])
    X = torch.stack([d + b, a, c + d])
    norms = torch.stack([beta * math.sqrt(2), beta, beta * math.sqrt(2)])
    return norms.detach(), (S.softmax(dim=1) @ X).detach()
""",
    "helper_functions": """
import torch

def norm(x):
    return x.pow(2).sum(-1).sqrt()

def attend(q, keys, values):
    return torch.softmax(keys @ q, dim=0) @ values

def orthogonal_self_attention(a, b, c, d):
    X = torch.cat([(d + b)[None], a[None], (c + d)[None]])
    return norm(X), torch.stack([attend(x, X, X) for x in X])
""",
    "items_as_columns": """
import torch

def orthogonal_self_attention(a, b, c, d):
    X = torch.stack([d + b, a, c + d], dim=1)
    S = X.T @ X
    return S.diagonal().sqrt(), (X @ torch.softmax(S, dim=0)).T
""",
    "requires_grad": """
import torch

def orthogonal_self_attention(a, b, c, d):
    X = torch.nn.Parameter(torch.stack([d + b, a, c + d]).detach())
    return X.norm(p=2, dim=-1), torch.nn.Softmax(dim=-1)(X @ X.mT) @ X
""",
}

VARIANTS: dict[str, dict[str, str]] = {"orthogonal_self_attention": LAYER}
