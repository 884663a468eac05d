"""Right answers to spatial_attention in many styles: each must earn full marks."""

SPATIAL_SELF_ATTENTION = {
    "einsum_over_five_axes": """
import torch

def spatial_self_attention(h_in, WQ, WK, WV):
    q = torch.einsum("kuj,xyj->kxyu", WQ, h_in)
    k = torch.einsum("kuj,xyj->kxyu", WK, h_in)
    v = torch.einsum("kij,xyj->kxyi", WV, h_in)
    s = torch.einsum("kabu,kcdu->kabcd", q, k)
    alpha = torch.softmax(s.reshape(*s.shape[:3], -1), dim=-1).reshape(s.shape)
    return torch.einsum("kabcd,kcdi->abki", alpha, v).reshape(*h_in.shape[:2], -1)
""",
    "as_a_sequence": """
import torch

def spatial_self_attention(h_in, WQ, WK, WV):
    X, Y, J = h_in.shape
    h = h_in.view(X * Y, J)
    q, k, v = (h @ W.mT for W in (WQ, WK, WV))
    out = torch.softmax(q @ k.mT, dim=-1) @ v
    return torch.cat(list(out), dim=-1).view(X, Y, J)
""",
    "column_by_column": """
import torch

def spatial_self_attention(h_in, WQ, WK, WV):
    X, Y, J = h_in.shape
    h = h_in.transpose(0, 1).reshape(Y * X, J)
    q, k, v = (torch.einsum("kaj,nj->kna", W, h) for W in (WQ, WK, WV))
    out = (q @ k.mT).softmax(-1) @ v
    return out.permute(1, 0, 2).reshape(Y, X, J).transpose(0, 1)
""",
    "loops_over_places": """
import torch

def spatial_self_attention(h_in, WQ, WK, WV):
    X, Y, J = h_in.shape
    heads, I = WV.shape[:2]
    out = torch.zeros(X, Y, heads * I, dtype=h_in.dtype)
    for k in range(heads):
        for x1 in range(X):
            for y1 in range(Y):
                q = WQ[k] @ h_in[x1, y1]
                s = torch.stack([torch.dot(q, WK[k] @ h_in[x2, y2]) for x2 in range(X) for y2 in range(Y)])
                w = torch.exp(s - s.max())
                w = w / w.sum()
                acc = torch.zeros(I, dtype=h_in.dtype)
                n = 0
                for x2 in range(X):
                    for y2 in range(Y):
                        acc = acc + w[n] * (WV[k] @ h_in[x2, y2])
                        n += 1
                out[x1, y1, k * I:(k + 1) * I] = acc
    return out
""",
    "scaled_dot_product_attention": """
import torch
import torch.nn.functional as F

def spatial_self_attention(h_in, WQ, WK, WV):
    h = h_in.flatten(0, 1)
    q, k, v = (torch.einsum("kaj,nj->kna", W, h).unsqueeze(0) for W in (WQ, WK, WV))
    out = F.scaled_dot_product_attention(q, k, v, scale=1.0).squeeze(0)
    return out.transpose(0, 1).flatten(1).unflatten(0, h_in.shape[:2])
""",
    "numpy_inside": """
import numpy as np
import torch

def spatial_self_attention(h_in, WQ, WK, WV):
    h, wq, wk, wv = (np.asarray(x.detach()) for x in (h_in, WQ, WK, WV))
    X, Y, J = h.shape
    q, k, v = (np.einsum("kaj,xyj->kxya", w, h) for w in (wq, wk, wv))
    s = np.einsum("kabu,kcdu->kabcd", q, k)
    s = np.exp(s - s.max(axis=(3, 4), keepdims=True))
    s = s / s.sum(axis=(3, 4), keepdims=True)
    out = np.einsum("kabcd,kcdi->abki", s, v)
    return torch.from_numpy(out.reshape(X, Y, -1))
""",
    "double_precision_inside": """
import torch

def softmax_2d(s):
    s = torch.exp(s - s.amax(dim=(-2, -1), keepdim=True))
    return s / s.sum(dim=(-2, -1), keepdim=True)

def spatial_self_attention(h_in, WQ, WK, WV):
    h = h_in.to(torch.float64)
    heads = []
    for wq, wk, wv in zip(WQ.double(), WK.double(), WV.double()):
        q, k, v = h @ wq.T, h @ wk.T, h @ wv.T
        alpha = softmax_2d(torch.einsum("xyu,abu->xyab", q, k))
        heads.append(torch.tensordot(alpha, v, dims=2))
    return torch.cat(heads, dim=-1).to(h_in.dtype)
""",
    "linear_layers": """
import torch
import torch.nn.functional as F
from torch import nn

class Layer(nn.Module):
    def __init__(self, WQ, WK, WV):
        super().__init__()
        self.weights = (WQ, WK, WV)

    def forward(self, h):
        X, Y, _ = h.shape
        q, k, v = (F.linear(h.flatten(0, 1), w.flatten(0, 1)).view(X * Y, *w.shape[:2]) for w in self.weights)
        a = F.softmax(torch.einsum("nku,mku->knm", q, k), dim=2)
        return torch.einsum("knm,mki->nki", a, v).reshape(X, Y, -1)

def spatial_self_attention(h_in, WQ, WK, WV):
    return Layer(WQ, WK, WV)(h_in)
""",
    "built_on_the_sequence_layer": """
import torch

def sequence_layer(h, WQ, WK, WV):
    heads = []
    for k in range(WQ.shape[0]):
        scores = (h @ WQ[k].T) @ (h @ WK[k].T).T
        heads.append(torch.softmax(scores, dim=1) @ (h @ WV[k].T))
    return torch.hstack(heads)

def spatial_self_attention(h_in, WQ, WK, WV):
    X, Y, J = h_in.shape
    return sequence_layer(h_in.reshape(-1, J), WQ, WK, WV).reshape(X, Y, -1)
""",
    "log_weights": """
import torch

def spatial_self_attention(h_in, WQ, WK, WV):
    s = torch.einsum("xyj,kuj,kui,abi->kxyab", h_in, WQ, WK, h_in)
    log_alpha = s - s.logsumexp(dim=(3, 4), keepdim=True)
    return torch.einsum("kxyab,kij,abj->xyki", log_alpha.exp(), WV, h_in).flatten(2)
""",
    "output_that_requires_grad": """
import torch

def spatial_self_attention(h_in, WQ, WK, WV):
    X, Y, J = h_in.shape
    if not WQ.requires_grad:
        WQ = torch.nn.Parameter(WQ.clone())
    h = torch.stack([h_in[x, y] for x in range(X) for y in range(Y)])
    out = torch.stack([torch.softmax(h @ q.T @ k @ h.T, -1) @ h @ v.T for q, k, v in zip(WQ, WK, WV)], dim=1)
    return out.reshape(X, Y, J)
""",
}

VARIANTS: dict[str, dict[str, str]] = {"spatial_self_attention": SPATIAL_SELF_ATTENTION}
