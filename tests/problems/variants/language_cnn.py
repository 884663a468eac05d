"""Correct answers to language_cnn in many styles: function name, style, the text of the answer cell."""

VARIANTS: dict[str, dict[str, str]] = {
    "language_cnn_embed": {
        "indexing": """
def language_cnn_embed(e, w):
    return e[w]
""",
        "functional": """
import torch.nn.functional as F

def language_cnn_embed(e, w):
    return F.embedding(w, e)
""",
        "module": """
import torch

def language_cnn_embed(e, w):
    layer = torch.nn.Embedding.from_pretrained(e, freeze=False)
    return layer(w)
""",
        "nested loops": """
import torch

def language_cnn_embed(e, w):
    B, T = w.shape
    out = torch.zeros(B, T, e.shape[1], dtype=e.dtype)
    for b in range(B):
        for t in range(T):
            for i in range(e.shape[1]):
                out[b, t, i] = e[w[b, t], i]
    return out
""",
        "stacked rows": """
import torch

def language_cnn_embed(e, w):
    return torch.stack([torch.stack([e[word.item()] for word in sentence]) for sentence in w])
""",
        "one-hot product": """
import torch
import torch.nn.functional as F

def language_cnn_embed(e, w):
    return F.one_hot(w, num_classes=e.shape[0]).to(e.dtype) @ e
""",
        "one-hot einsum": """
import torch

def language_cnn_embed(e, w):
    table = torch.eye(e.shape[0], dtype=e.dtype)
    return torch.einsum("btw,wi->bti", table[w], e)
""",
        "index_select and view": """
import torch

def language_cnn_embed(e, w):
    B, T = w.shape
    return torch.index_select(e, 0, w.view(-1)).view(B, T, -1)
""",
        "gather": """
import torch

def language_cnn_embed(e, w):
    B, T = w.shape
    rows = w.reshape(-1, 1).expand(-1, e.shape[1])
    return e.gather(0, rows).reshape(B, T, e.shape[1])
""",
        "numpy inside": """
import numpy as np
import torch

def language_cnn_embed(e, w):
    return torch.from_numpy(np.take(e.detach().numpy(), w.numpy(), axis=0))
""",
        "helper and a non-contiguous result": """
import torch

def look_up(table, sentence):
    return table[sentence]

def language_cnn_embed(e, w):
    columns = torch.stack([look_up(e, w[:, t]) for t in range(w.shape[1])])
    return columns.transpose(0, 1)
""",
    },
    "language_cnn_layer": {
        "conv1d": """
import torch.nn.functional as F

def language_cnn_layer(L, W, B, sigma):
    y = F.conv1d(L.transpose(1, 2), W.permute(2, 1, 0), bias=-B, stride=2)
    return sigma(y.transpose(1, 2))
""",
        "conv1d and a subtraction": """
import torch

def language_cnn_layer(L, W, B, sigma):
    y = torch.conv1d(L.mT, W.permute(2, 1, 0), stride=2) - B[:, None]
    return sigma(y).permute(0, 2, 1)
""",
        "module": """
import torch

def language_cnn_layer(L, W, B, sigma):
    D, C, I = W.shape
    conv = torch.nn.Conv1d(C, I, D, stride=2, bias=False).to(L.dtype)
    conv.weight = torch.nn.Parameter(W.detach().permute(2, 1, 0).clone())
    with torch.no_grad():
        return sigma(conv(L.transpose(1, 2)).transpose(1, 2) - B)
""",
        "unfold and einsum": """
import torch

def language_cnn_layer(L, W, B, sigma):
    windows = L.unfold(1, W.shape[0], 2)
    return sigma(torch.einsum("btcd,dci->bti", windows, W) - B)
""",
        "loop over windows": """
import torch

def language_cnn_layer(L, W, B, sigma):
    D = W.shape[0]
    out = []
    for start in range(0, L.shape[1] - D + 1, 2):
        out.append(torch.einsum("bdc,dci->bi", L[:, start:start + D], W) - B)
    return sigma(torch.stack(out, dim=1))
""",
        "loop over taps": """
import torch

def language_cnn_layer(L, W, B, sigma):
    D, C, I = W.shape
    n = (L.shape[1] - D) // 2 + 1
    total = -B.expand(L.shape[0], n, I)
    for dt in range(D):
        total = total + L[:, dt:dt + 2 * n - 1:2] @ W[dt]
    return sigma(total)
""",
        "nested loops": """
import torch

def language_cnn_layer(L, W, B, sigma):
    b, T, C = L.shape
    D, _, I = W.shape
    n = (T - D) // 2 + 1
    out = torch.zeros(b, n, I, dtype=L.dtype)
    for s in range(b):
        for t in range(n):
            for i in range(I):
                total = -B[i]
                for dt in range(D):
                    total = total + (W[dt, :, i] * L[s, 2 * t + dt]).sum()
                out[s, t, i] = total
    return sigma(out)
""",
        "windows flattened by view": """
import torch

def language_cnn_layer(L, W, B, sigma):
    D, C, I = W.shape
    n = (L.shape[1] - D) // 2 + 1
    rows = torch.cat([L[:, dt:dt + 2 * n - 1:2] for dt in range(D)], dim=2)
    return sigma(torch.addmm(-B, rows.reshape(-1, D * C), W.reshape(D * C, I)).view(L.shape[0], n, I))
""",
        "every second of all windows": """
import torch.nn.functional as F

def language_cnn_layer(L, W, B, sigma):
    y = F.conv1d(L.transpose(1, 2), W.permute(2, 1, 0))[:, :, ::2]
    return sigma(y.transpose(1, 2) - B)
""",
        "two-dimensional convolution": """
import torch.nn.functional as F

def language_cnn_layer(L, W, B, sigma):
    image = L.transpose(1, 2).unsqueeze(2)
    kernel = W.permute(2, 1, 0).unsqueeze(2)
    y = F.conv2d(image, kernel, stride=(1, 2)).squeeze(2)
    return sigma(y.transpose(1, 2) - B)
""",
        "numpy inside": """
import numpy as np
import torch

def language_cnn_layer(L, W, B, sigma):
    l, weights, bias = (x.detach().numpy() for x in (L, W, B))
    D = weights.shape[0]
    starts = range(0, l.shape[1] - D + 1, 2)
    rows = [np.tensordot(l[:, s:s + D], weights, axes=([1, 2], [0, 1])) for s in starts]
    return sigma(torch.from_numpy(np.stack(rows, axis=1) - bias))
""",
        "double precision inside": """
import torch

def language_cnn_layer(L, W, B, sigma):
    windows = L.double().unfold(1, W.shape[0], 2)
    sums = torch.tensordot(windows, W.double().transpose(0, 1), dims=([2, 3], [0, 1]))
    return sigma(sums - B.double()).to(L.dtype)
""",
        "one sentence at a time": """
import torch

def window_sum(window, W):
    return (window.unsqueeze(-1) * W).sum(dim=(0, 1))

def language_cnn_layer(L, W, B, sigma):
    D = W.shape[0]
    starts = range(0, L.shape[1] - D + 1, 2)
    return torch.stack([torch.stack([sigma(window_sum(x[s:s + D], W) - B) for s in starts]) for x in L])
""",
        "a result that requires gradients": """
import torch

def language_cnn_layer(L, W, B, sigma):
    windows = L.unfold(1, W.shape[0], 2).permute(0, 1, 3, 2)
    scale = torch.ones((), dtype=L.dtype, requires_grad=True)
    return sigma(scale * torch.einsum("btdc,dci->bti", windows, W) - B)
""",
    },
}
