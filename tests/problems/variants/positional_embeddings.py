"""Right answers to positional_embeddings in many styles: each earns full marks."""

_TABLE = """
import torch

def sinusoidal_positions(T, D, dtype):
    pos = torch.arange(T, dtype=dtype)[:, None]
    div = 10000 ** (torch.arange(0, D, 2, dtype=dtype) / D)
    return torch.stack([torch.sin(pos / div), torch.cos(pos / div)], -1).flatten(1)
"""

VARIANTS: dict[str, dict[str, str]] = {
    "sinusoidal_positions": {
        "stacked and flattened": _TABLE,
        "the tutorial's way, cast at the end": """
import math
import torch

def sinusoidal_positions(T, D, dtype):
    pe = torch.zeros(T, D)
    position = torch.arange(0, T, dtype=torch.float).unsqueeze(1)
    div_term = torch.exp(torch.arange(0, D, 2).float() * (-math.log(10000.0) / D))
    pe[:, 0::2] = torch.sin(position * div_term)
    pe[:, 1::2] = torch.cos(position * div_term)
    return pe.to(dtype)
""",
        "a sine with a phase": """
import math
import torch

def sinusoidal_positions(T, D, dtype):
    j = torch.arange(D)
    freq = torch.tensor(10000.0, dtype=torch.float64) ** (-(2 * (j // 2)).double() / D)
    ang = torch.arange(T, dtype=torch.float64)[:, None] * freq
    return torch.sin(ang + (j % 2) * (math.pi / 2)).to(dtype)
""",
        "plain loops": """
import math
import torch

def sinusoidal_positions(T, D, dtype):
    rows = []
    for t in range(T):
        row = []
        for j in range(D):
            angle = t / 10000 ** (2 * (j // 2) / D)
            row.append(math.sin(angle) if j % 2 == 0 else math.cos(angle))
        rows.append(row)
    return torch.tensor(rows, dtype=dtype)
""",
        "entries set one by one": """
import math
import torch

def sinusoidal_positions(T, D, dtype):
    P = torch.empty((T, D), dtype=dtype)
    for t in range(T):
        for i in range(0, D, 2):
            P[t, i] = math.sin(t / (10000 ** (i / D)))
            P[t, i + 1] = math.cos(t / (10000 ** (i / D)))
    return P
""",
        "numpy inside": """
import numpy as np
import torch

def sinusoidal_positions(T, D, dtype):
    angle = np.arange(T)[:, np.newaxis] / np.power(10000, 2 * (np.arange(D)[np.newaxis, :] // 2) / D)
    angle[:, 0::2] = np.sin(angle[:, 0::2])
    angle[:, 1::2] = np.cos(angle[:, 1::2])
    return torch.tensor(angle, dtype=dtype)
""",
        "complex waves": """
import torch

def sinusoidal_positions(T, D, dtype):
    freq = torch.logspace(0, -4, D // 2 + 1, dtype=torch.float64)[:-1]
    angle = torch.outer(torch.arange(T).double(), freq)
    wave = torch.polar(torch.ones_like(angle), angle)
    return torch.view_as_real(wave).flip(-1).reshape(T, D).type(dtype)
""",
        "a choice by column, needs a gradient": """
import torch

def sinusoidal_positions(T, D, dtype):
    col = torch.arange(D)
    rate = torch.pow(torch.tensor(1e4, dtype=dtype, requires_grad=True), ((col - col % 2) / D).to(dtype))
    angle = torch.arange(T, dtype=dtype).view(T, 1) / rate.view(1, D)
    return torch.where(col % 2 == 0, angle.sin(), angle.cos())
""",
    },
    "transformer_almost": {
        "positions made in single precision and cast": """
import math
import torch

def sinusoidal_positions(T, D, dtype):
    position = torch.arange(0, T, dtype=torch.float).unsqueeze(1)
    div_term = torch.exp(torch.arange(0, D, 2).float() * (-math.log(10000.0) / D))
    pe = torch.zeros(T, D)
    pe[:, 0::2] = torch.sin(position * div_term)
    pe[:, 1::2] = torch.cos(position * div_term)
    return pe.to(dtype)

def transformer_almost(x, WQ, WK, WV):
    h = x + sinusoidal_positions(*x.shape, x.dtype)
    q, k, v = h @ WQ.T, h @ WK.T, h @ WV.T
    return torch.softmax(q @ k.T / WQ.shape[0] ** 0.5, dim=-1) @ v
""",
        "matmul": _TABLE
        + """
def transformer_almost(x, WQ, WK, WV):
    h = x + sinusoidal_positions(x.shape[0], x.shape[1], x.dtype)
    q, k, v = h @ WQ.T, h @ WK.T, h @ WV.T
    return torch.softmax(q @ k.T / WQ.shape[0] ** 0.5, dim=-1) @ v
""",
        "torch's own attention": _TABLE
        + """
import torch.nn.functional as F

def transformer_almost(x, WQ, WK, WV):
    h = x + sinusoidal_positions(*x.shape, x.dtype)
    q, k, v = (F.linear(h, W)[None] for W in (WQ, WK, WV))
    return F.scaled_dot_product_attention(q, k, v)[0]
""",
        "einsum": _TABLE
        + """
import math

def transformer_almost(x, WQ, WK, WV):
    T, D = x.shape
    h = x + sinusoidal_positions(T, D, x.dtype)
    q = torch.einsum("ud,td->tu", WQ, h)
    k = torch.einsum("ud,td->tu", WK, h)
    v = torch.einsum("id,td->ti", WV, h)
    a = (torch.einsum("su,tu->st", q, k) / math.sqrt(q.size(-1))).softmax(dim=1)
    return torch.einsum("st,ti->si", a, v)
""",
        "nn.Linear": _TABLE
        + """
from torch import nn

def _linear(W):
    layer = nn.Linear(W.shape[1], W.shape[0], bias=False, dtype=W.dtype)
    layer.weight = nn.Parameter(W.detach().clone())
    return layer

def transformer_almost(x, WQ, WK, WV):
    h = x + sinusoidal_positions(x.size(0), x.size(1), x.dtype)
    q, k, v = _linear(WQ)(h), _linear(WK)(h), _linear(WV)(h)
    scores = q.matmul(k.transpose(0, 1)).div(k.size(1) ** 0.5)
    return nn.Softmax(dim=-1)(scores).matmul(v)
""",
        "loops over words": _TABLE
        + """
def transformer_almost(x, WQ, WK, WV):
    T, D = x.shape
    P = sinusoidal_positions(T, D, x.dtype)
    h = [x[t] + P[t] for t in range(T)]
    out = []
    for t1 in range(T):
        s = torch.stack([(WQ @ h[t1]) @ (WK @ h[t2]) for t2 in range(T)]) / WQ.shape[0] ** 0.5
        w = torch.exp(s - s.max())
        w = w / w.sum()
        out.append(sum(w[t2] * (WV @ h[t2]) for t2 in range(T)))
    return torch.stack(out)
""",
        "numpy inside, positions written out": """
import numpy as np
import torch

def transformer_almost(x, WQ, WK, WV):
    X, Q, K, V = (a.detach().numpy().astype(np.float64) for a in (x, WQ, WK, WV))
    T, D = X.shape
    angle = np.arange(T)[:, None] / 10000.0 ** (np.arange(0, D, 2) / D)
    P = np.zeros((T, D))
    P[:, ::2], P[:, 1::2] = np.sin(angle), np.cos(angle)
    H = X + P
    S = (H @ Q.T) @ (H @ K.T).T / np.sqrt(Q.shape[0])
    A = np.exp(S - S.max(1, keepdims=True))
    A /= A.sum(1, keepdims=True)
    return torch.from_numpy(A @ (H @ V.T)).to(x.dtype)
""",
        "merged query and key, double inside": _TABLE
        + """
def transformer_almost(x, WQ, WK, WV):
    kind = x.dtype
    x, WQ, WK, WV = x.double(), WQ.double(), WK.double(), WV.double()
    h = x + sinusoidal_positions(x.shape[0], x.shape[1], torch.float64)
    scores = h @ (WQ.T @ WK) @ h.T / WQ.shape[0] ** 0.5
    return (torch.softmax(scores, dim=1) @ h @ WV.T).to(kind)
""",
    },
}
