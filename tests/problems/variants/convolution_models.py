"""Right answers to convolution_models in many styles: each earns full marks."""

VARIANTS: dict[str, dict[str, str]] = {
    "sequence_convolution": {
        "functional conv1d": """
import torch
import torch.nn.functional as F

def sequence_convolution(x, W, b):
    y = F.conv1d(x.T.unsqueeze(0), W.permute(2, 1, 0), bias=b, padding=(W.shape[0] - 1) // 2)
    return y.squeeze(0).T
""",
        "conv1d with padding same": """
import torch

def sequence_convolution(x, W, b):
    return torch.conv1d(x.t()[None], W.permute(2, 1, 0).contiguous(), b, padding="same")[0].t().contiguous()
""",
        "nn.Conv1d": """
import torch
from torch import nn

def sequence_convolution(x, W, b):
    D, I, J = W.shape
    layer = nn.Conv1d(I, J, D, padding=D // 2, dtype=x.dtype)
    with torch.no_grad():
        layer.weight.copy_(W.permute(2, 1, 0))
        layer.bias.copy_(b)
    return layer(x.T[None])[0].T
""",
        "unfold and einsum": """
import torch
import torch.nn.functional as F

def sequence_convolution(x, W, b):
    p = W.shape[0] // 2
    windows = F.pad(x, (0, 0, p, p)).unfold(0, W.shape[0], 1)
    return torch.einsum("tid,dij->tj", windows, W) + b
""",
        "shifted matrix products": """
import torch

def sequence_convolution(x, W, b):
    T, I = x.shape
    p = (len(W) - 1) // 2
    zeros = torch.zeros(p, I, dtype=x.dtype)
    padded = torch.cat([zeros, x, zeros])
    return sum(padded[d:d + T] @ W[d] for d in range(len(W))) + b
""",
        "loops with a bounds check": """
import torch

def sequence_convolution(x, W, b):
    T, I = x.shape
    D, _, J = W.shape
    p = (D - 1) // 2
    y = torch.zeros(T, J, dtype=x.dtype)
    for t in range(T):
        acc = b.clone()
        for d in range(D):
            s = t + d - p
            if 0 <= s < T:
                acc = acc + x[s] @ W[d]
        y[t] = acc
    return y
""",
        "plain loops": """
import torch

def sequence_convolution(x, W, b):
    T, I = x.shape
    D, _, J = W.shape
    y = [[b[j].item() for j in range(J)] for _ in range(T)]
    for t in range(T):
        for d in range(D):
            s = t + d - D // 2
            if s < 0 or s >= T:
                continue
            for i in range(I):
                for j in range(J):
                    y[t][j] += W[d, i, j].item() * x[s, i].item()
    return torch.tensor(y, dtype=x.dtype)
""",
        "numpy inside": """
import numpy as np
import torch

def sequence_convolution(x, W, b):
    a, k = x.detach().numpy(), W.detach().numpy()
    p = k.shape[0] // 2
    a = np.pad(a, ((p, p), (0, 0)))
    rows = [np.tensordot(a[t:t + k.shape[0]], k, axes=([0, 1], [0, 1])) for t in range(len(x))]
    return torch.from_numpy(np.stack(rows) + b.detach().numpy())
""",
        "windows as rows of a matrix": """
import torch

def sequence_convolution(x, W, b):
    T, I = x.shape
    D, _, J = W.shape
    p = D // 2
    padded = x.new_zeros(T + 2 * p, I)
    padded[p:p + T] = x
    rows = torch.stack([padded[t:t + D].reshape(-1) for t in range(T)])
    return torch.addmm(b, rows, W.reshape(D * I, J))
""",
        "conv2d, double inside": """
import torch
import torch.nn.functional as F

def sequence_convolution(x, W, b):
    kernel = W.double().permute(2, 0, 1).unsqueeze(1)
    y = F.conv2d(x.double()[None, None], kernel, b.double(), padding=(W.shape[0] // 2, 0))
    return y[0, :, :, 0].T.to(x.dtype)
""",
        "a matrix of places": """
import torch

def sequence_convolution(x, W, b):
    T = x.shape[0]
    y = b.expand(T, -1).clone()
    for d in range(W.shape[0]):
        shift = torch.diag(torch.ones(T - abs(d - W.shape[0] // 2), dtype=x.dtype), d - W.shape[0] // 2) \\
            if abs(d - W.shape[0] // 2) < T else torch.zeros(T, T, dtype=x.dtype)
        y += shift @ x @ W[d]
    return y
""",
    },
}
