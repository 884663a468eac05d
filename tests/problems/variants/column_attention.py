"""Right answers to column_attention in many styles: each must earn full marks."""

HEAD = {
    "matrix_products": """
import torch

def column_attention_head(H, Q, K, V):
    return V @ H @ torch.softmax((K @ H).T @ (Q @ H), dim=0)
""",
    "einsum": """
import torch

def column_attention_head(H, Q, K, V):
    scores = torch.einsum("di,dj->ij", torch.einsum("de,ei->di", K, H), torch.einsum("de,ej->dj", Q, H))
    return torch.einsum("di,ij->dj", torch.einsum("de,ei->di", V, H), scores.softmax(0))
""",
    "loops_over_items": """
import torch

def column_attention_head(H, Q, K, V):
    N = H.shape[1]
    columns = []
    for j in range(N):
        query = Q @ H[:, j]
        scores = torch.stack([(K @ H[:, i]) @ query for i in range(N)])
        weights = torch.exp(scores - scores.max())
        weights = weights / weights.sum()
        columns.append(sum(weights[i] * (V @ H[:, i]) for i in range(N)))
    return torch.stack(columns, dim=1)
""",
    "plain_python": """
import math
import torch

def column_attention_head(H, Q, K, V):
    D, N = H.shape
    h = H.tolist()
    def project(W):
        W = W.tolist()
        return [[sum(W[d][e] * h[e][n] for e in range(D)) for n in range(N)] for d in range(D)]
    q, k, v = project(Q), project(K), project(V)
    out = torch.empty(D, N, dtype=H.dtype)
    for j in range(N):
        e = [math.exp(sum(k[d][i] * q[d][j] for d in range(D))) for i in range(N)]
        for d in range(D):
            out[d, j] = sum(e[i] * v[d][i] for i in range(N)) / sum(e)
    return out
""",
    "numpy_inside": """
import numpy as np
import torch

def column_attention_head(H, Q, K, V):
    h, q, k, v = (x.detach().numpy() for x in (H, Q, K, V))
    s = (k @ h).T @ (q @ h)
    e = np.exp(s - s.max(axis=0, keepdims=True))
    return torch.from_numpy(v @ h @ (e / e.sum(axis=0, keepdims=True)))
""",
    "scaled_dot_product_attention": """
import torch.nn.functional as F

def column_attention_head(H, Q, K, V):
    X = H.T
    return F.scaled_dot_product_attention(X @ Q.T, X @ K.T, X @ V.T, scale=1.0).T
""",
    "linear_modules": """
import torch
from torch import nn

def column_attention_head(H, Q, K, V):
    D = H.shape[0]
    def linear(W):
        layer = nn.Linear(D, D, bias=False, dtype=W.dtype)
        with torch.no_grad():
            layer.weight.copy_(W)
        return layer
    x = H.t()
    attn = nn.Softmax(dim=-1)(linear(Q)(x) @ linear(K)(x).t())
    return (attn @ linear(V)(x)).t()
""",
    "double_inside": """
import torch

def column_attention_head(H, Q, K, V):
    h, q, k, v = (x.double() for x in (H, Q, K, V))
    e = torch.exp((k @ h).T @ (q @ h))
    return (v @ h @ (e / e.sum(0))).to(H.dtype)
""",
    "log_sum_exp_and_helper": """
import torch

def softmax_columns(M):
    return torch.exp(M - torch.logsumexp(M, dim=0, keepdim=True))

def column_attention_head(H, Q, K, V):
    M = H.T @ (K.T @ Q) @ H
    return V @ (H @ softmax_columns(M))
""",
    "stacked_projection": """
import torch

def column_attention_head(H, Q, K, V):
    q, k, v = (torch.cat([Q, K, V]) @ H).chunk(3)
    return v.matmul(torch.softmax(torch.mm(k.t(), q), 0)).requires_grad_(True)
""",
}

BACKWARD = {
    "matrix_calculus": """
import torch

def column_attention_head_backward(H, Q, K, V, G):
    q, k, v = Q @ H, K @ H, V @ H
    A = torch.softmax(k.T @ q, dim=0)
    dv, dA = G @ A.T, v.T @ G
    dS = A * (dA - (A * dA).sum(0))
    dq, dk = k @ dS, q @ dS.T
    return Q.T @ dq + K.T @ dk + V.T @ dv, dq @ H.T, dk @ H.T, dv @ H.T
""",
    "autograd": """
import torch

def column_attention_head_backward(H, Q, K, V, G):
    H, Q, K, V = (x.detach().clone().requires_grad_(True) for x in (H, Q, K, V))
    out = V @ H @ torch.softmax((K @ H).T @ (Q @ H), dim=0)
    return torch.autograd.grad(out, (H, Q, K, V), grad_outputs=G)
""",
    "loss_backward_list": """
import torch

def column_attention_head_backward(H, Q, K, V, G):
    leaves = [torch.nn.Parameter(x.detach().clone()) for x in (H, Q, K, V)]
    h, q, k, v = leaves
    (G * (v @ h @ torch.softmax((k @ h).T @ q @ h, 0))).sum().backward()
    return [x.grad for x in leaves]
""",
    "functional_vjp": """
import torch
from torch.func import vjp

def head(H, Q, K, V):
    return V @ H @ torch.softmax((K @ H).T @ (Q @ H), dim=0)

def column_attention_head_backward(H, Q, K, V, G):
    _, pull = vjp(head, H, Q, K, V)
    return pull(G)
""",
    "scaled_dot_product_attention": """
import torch
import torch.nn.functional as F

def column_attention_head_backward(H, Q, K, V, G):
    H, Q, K, V = (x.detach().clone().requires_grad_(True) for x in (H, Q, K, V))
    X = H.T
    out = F.scaled_dot_product_attention(X @ Q.T, X @ K.T, X @ V.T, scale=1.0).T
    out.backward(G)
    return H.grad, Q.grad, K.grad, V.grad
""",
    "jacobian_of_each_column": """
import torch

def column_attention_head_backward(H, Q, K, V, G):
    q, k, v = Q @ H, K @ H, V @ H
    N = H.shape[1]
    dq, dk, dv = torch.zeros_like(q), torch.zeros_like(k), torch.zeros_like(v)
    for j in range(N):
        a = torch.softmax(k.T @ q[:, j], dim=0)
        dv += torch.outer(G[:, j], a)
        J = torch.diag(a) - torch.outer(a, a)
        ds = J @ (v.T @ G[:, j])
        dq[:, j] = k @ ds
        dk += torch.outer(q[:, j], ds)
    dH = Q.T @ dq + K.T @ dk + V.T @ dv
    return dH, dq @ H.T, dk @ H.T, dv @ H.T
""",
    "numpy_inside": """
import numpy as np
import torch

def column_attention_head_backward(H, Q, K, V, G):
    h, q_, k_, v_, g = (np.asarray(x.detach()) for x in (H, Q, K, V, G))
    q, k, v = q_ @ h, k_ @ h, v_ @ h
    s = k.T @ q
    a = np.exp(s - s.max(0))
    a /= a.sum(0)
    dv, da = g @ a.T, v.T @ g
    ds = a * da - a * np.einsum("ij,ij->j", a, da)
    dq, dk = k @ ds, q @ ds.T
    grads = q_.T @ dq + k_.T @ dk + v_.T @ dv, dq @ h.T, dk @ h.T, dv @ h.T
    return tuple(torch.from_numpy(np.ascontiguousarray(x)) for x in grads)
""",
    "double_inside": """
import torch

def column_attention_head_backward(H, Q, K, V, G):
    h, q, k, v, g = (x.double() for x in (H, Q, K, V, G))
    A = ((k @ h).T @ (q @ h)).softmax(0)
    dA = (v @ h).T @ g
    dS = A * (dA - (A * dA).sum(0, keepdim=True))
    dQ = k @ h @ dS @ h.T
    dK = q @ h @ dS.T @ h.T
    dV = g @ A.T @ h.T
    dH = q.T @ k @ h @ dS + k.T @ q @ h @ dS.T + v.T @ g @ A.T
    return tuple(x.to(H.dtype) for x in (dH, dQ, dK, dV))
""",
    "einsum": """
import torch

def column_attention_head_backward(H, Q, K, V, G):
    e = torch.einsum
    q, k, v = (e("de,en->dn", W, H) for W in (Q, K, V))
    A = e("di,dj->ij", k, q).softmax(dim=0)
    dA = e("di,dj->ij", v, G)
    dS = A * dA - A * e("ij,ij->j", A, dA)
    dq, dk, dv = e("di,ij->dj", k, dS), e("dj,ij->di", q, dS), e("dj,ij->di", G, A)
    dH = sum(e("de,dn->en", W, d) for W, d in ((Q, dq), (K, dk), (V, dv)))
    return (dH, *(e("dn,en->de", d, H) for d in (dq, dk, dv)))
""",
}

VARIANTS: dict[str, dict[str, str]] = {
    "column_attention_head": HEAD,
    "column_attention_head_backward": BACKWARD,
}
