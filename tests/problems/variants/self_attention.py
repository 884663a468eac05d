"""Right answers to self_attention in many styles: each must earn full marks."""

MULTI_HEAD_SELF_ATTENTION = {
    "einsum": """
import torch

def multi_head_self_attention(h_in, WQ, WK, WV):
    q = torch.einsum("kuj,tj->ktu", WQ, h_in)
    k = torch.einsum("kuj,tj->ktu", WK, h_in)
    v = torch.einsum("kij,tj->kti", WV, h_in)
    alpha = torch.einsum("kau,kbu->kab", q, k).softmax(-1)
    return torch.einsum("kab,kbi->aki", alpha, v).reshape(h_in.shape[0], -1)
""",
    "matrix_products": """
def multi_head_self_attention(h_in, WQ, WK, WV):
    T, J = h_in.shape
    Q, K, V = h_in @ WQ.mT, h_in @ WK.mT, h_in @ WV.mT
    return ((Q @ K.mT).softmax(dim=-1) @ V).transpose(0, 1).reshape(T, J)
""",
    "nested_loops": """
import math
import torch

def multi_head_self_attention(h_in, WQ, WK, WV):
    T, J = h_in.shape
    heads, U, _ = WQ.shape
    I = WV.shape[1]
    rows = []
    for t in range(T):
        row = []
        for k in range(heads):
            scores = []
            for s in range(T):
                score = 0.0
                for u in range(U):
                    score = score + (WQ[k, u] * h_in[t]).sum() * (WK[k, u] * h_in[s]).sum()
                scores.append(score)
            top = max(scores)
            weights = [torch.exp(score - top) for score in scores]
            total = sum(weights)
            for i in range(I):
                row.append(sum(w / total * (WV[k, i] * h_in[s]).sum() for s, w in enumerate(weights)))
        rows.append(torch.stack(row))
    return torch.stack(rows)
""",
    "filled_in_place": """
import torch

def multi_head_self_attention(h_in, WQ, WK, WV):
    T, I = len(h_in), WV.shape[1]
    out = torch.empty(T, WV.shape[0] * I, dtype=h_in.dtype)
    for k in range(WV.shape[0]):
        q, keys, v = h_in @ WQ[k].T, h_in @ WK[k].T, h_in @ WV[k].T
        out[:, k * I:(k + 1) * I] = torch.softmax(q @ keys.T, 1) @ v
    return out
""",
    "one_head_at_a_time": """
import torch

def head(h, wq, wk, wv):
    scores = (h @ wq.t()) @ (h @ wk.t()).t()
    return torch.nn.functional.softmax(scores, dim=1) @ (h @ wv.t())

def multi_head_self_attention(h_in, WQ, WK, WV):
    return torch.cat([head(h_in, *w) for w in zip(WQ, WK, WV)], dim=1)
""",
    "scaled_dot_product_attention": """
import torch.nn.functional as F

def multi_head_self_attention(h_in, WQ, WK, WV):
    q, k, v = (F.linear(h_in, W.reshape(-1, W.shape[-1])).unflatten(1, W.shape[:2]).transpose(0, 1)
               for W in (WQ, WK, WV))
    out = F.scaled_dot_product_attention(q[None], k[None], v[None], scale=1.0)[0]
    return out.transpose(0, 1).flatten(1)
""",
    "scaling_undone": """
import torch

def multi_head_self_attention(h_in, WQ, WK, WV):
    q = torch.einsum("kuj,tj->ktu", WQ, h_in) * WQ.shape[1] ** 0.5
    k = torch.einsum("kuj,tj->ktu", WK, h_in)
    v = torch.einsum("kij,tj->kti", WV, h_in)
    out = torch.nn.functional.scaled_dot_product_attention(q, k, v)
    return torch.cat(list(out), dim=-1)
""",
    "numpy_inside": """
import numpy as np
import torch

def multi_head_self_attention(h_in, WQ, WK, WV):
    h, wq, wk, wv = (x.detach().numpy() for x in (h_in, WQ, WK, WV))
    q, k, v = (np.einsum("kaj,tj->kta", w, h) for w in (wq, wk, wv))
    s = q @ k.transpose(0, 2, 1)
    s = np.exp(s - s.max(-1, keepdims=True))
    s /= s.sum(-1, keepdims=True)
    return torch.from_numpy(np.concatenate(list(s @ v), axis=-1))
""",
    "double_precision_inside": """
import torch

def multi_head_self_attention(h_in, WQ, WK, WV):
    h, wq, wk, wv = (x.double() for x in (h_in, WQ, WK, WV))
    parts = []
    for k in range(wq.size(0)):
        a = torch.softmax(h @ wq[k].T @ wk[k] @ h.T, dim=-1)
        parts.append(a @ h @ wv[k].T)
    return torch.hstack(parts).to(h_in.dtype)
""",
    "log_weights": """
import torch

def multi_head_self_attention(h_in, WQ, WK, WV):
    s = torch.einsum("tj,kuj,kui,si->kts", h_in, WQ, WK, h_in)
    alpha = (s - torch.logsumexp(s, dim=2, keepdim=True)).exp()
    return torch.einsum("kts,kij,sj->tki", alpha, WV, h_in).flatten(start_dim=1)
""",
    "linear_modules": """
import torch
from torch import nn

class Head(nn.Module):
    def __init__(self, wq, wk, wv):
        super().__init__()
        self.q, self.k, self.v = (self.layer(w) for w in (wq, wk, wv))

    @staticmethod
    def layer(w):
        layer = nn.Linear(w.shape[1], w.shape[0], bias=False, dtype=w.dtype)
        with torch.no_grad():
            layer.weight.copy_(w)
        return layer

    def forward(self, h):
        return nn.Softmax(dim=-1)(self.q(h) @ self.k(h).T) @ self.v(h)

def multi_head_self_attention(h_in, WQ, WK, WV):
    heads = nn.ModuleList(Head(*w) for w in zip(WQ, WK, WV))
    return torch.cat([head(h_in) for head in heads], dim=-1)
""",
    "keys_along_the_columns": """
import torch

def multi_head_self_attention(h_in, WQ, WK, WV):
    q, k, v = WQ @ h_in.T, WK @ h_in.T, WV @ h_in.T
    a = torch.softmax(k.transpose(1, 2) @ q, dim=1)
    return (v @ a).reshape(-1, h_in.size(0)).T
""",
    "views_and_bmm": """
import torch

def multi_head_self_attention(h_in, WQ, WK, WV):
    K, U, J = WQ.shape
    T = h_in.shape[0]
    I = WV.shape[1]
    q = (h_in @ WQ.view(K * U, J).T).view(T, K, U).permute(1, 0, 2)
    k = (h_in @ WK.view(K * U, J).T).view(T, K, U).permute(1, 2, 0)
    v = (h_in @ WV.view(K * I, J).T).view(T, K, I).permute(1, 0, 2)
    alpha = torch.softmax(torch.bmm(q, k), dim=2)
    return torch.bmm(alpha, v).permute(1, 0, 2).contiguous().view(T, K * I)
""",
    "vmap_over_heads": """
import torch

def multi_head_self_attention(h_in, WQ, WK, WV):
    def one(wq, wk, wv):
        return torch.softmax((h_in @ wq.T) @ (h_in @ wk.T).T, -1) @ (h_in @ wv.T)
    return torch.vmap(one, out_dims=1)(WQ, WK, WV).flatten(1)
""",
    "output_that_requires_grad": """
import torch

def multi_head_self_attention(h_in, WQ, WK, WV):
    WQ, WK, WV = (w if w.requires_grad else torch.nn.Parameter(w.clone()) for w in (WQ, WK, WV))
    q, k, v = (torch.tensordot(w, h_in, dims=([2], [1])).transpose(1, 2) for w in (WQ, WK, WV))
    return torch.cat(torch.unbind(torch.softmax(q @ k.transpose(-2, -1), -1) @ v), 1)
""",
}

VARIANTS: dict[str, dict[str, str]] = {"multi_head_self_attention": MULTI_HEAD_SELF_ATTENTION}
