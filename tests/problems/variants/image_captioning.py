"""Right answers to image_captioning in many styles: each must earn full marks."""

CAPTION_STEP = {
    "einsum": """
import torch

def caption_step(h_prev, M, W_key, W_auto, e, w_t, cell):
    P = torch.softmax(torch.einsum("wi,ij,j->w", e, W_auto, h_prev), dim=-1)
    scores = torch.einsum("j,jk,xyk->xy", h_prev, W_key, M)
    alpha = torch.softmax(scores.reshape(-1), dim=0).reshape(scores.shape)
    V = torch.einsum("xy,xyk->k", alpha, M)
    return P, alpha, V, cell(h_prev, V, e[w_t])
""",
    "matrix_products": """
import torch.nn.functional as F

def caption_step(h_prev, M, W_key, W_auto, e, w_t, cell):
    X, Y, K = M.shape
    flat = M.view(X * Y, K)
    alpha = F.softmax(flat @ W_key.T @ h_prev, dim=0)
    V = alpha @ flat
    return F.softmax(e @ W_auto @ h_prev, dim=0), alpha.view(X, Y), V, cell(h_prev, V, e[w_t])
""",
    "loops": """
import torch

def caption_step(h_prev, M, W_key, W_auto, e, w_t, cell):
    X, Y, K = M.shape
    scores = torch.zeros(X, Y, dtype=M.dtype)
    query = torch.stack([sum(h_prev[j] * W_key[j, k] for j in range(len(h_prev))) for k in range(K)])
    for x in range(X):
        for y in range(Y):
            scores[x, y] = (query * M[x, y]).sum()
    alpha = torch.exp(scores - scores.max())
    alpha = alpha / alpha.sum()
    V = torch.zeros(K, dtype=M.dtype)
    for x in range(X):
        for y in range(Y):
            V = V + alpha[x, y] * M[x, y]
    words = torch.stack([e[w] @ (W_auto @ h_prev) for w in range(e.shape[0])])
    words = torch.exp(words - words.max())
    return words / words.sum(), alpha, V, cell(h_prev, V, e[w_t])
""",
    "a_list_for_a_tuple": """
import torch

def caption_step(h_prev, M, W_key, W_auto, e, w_t, cell):
    P = (e @ (W_auto @ h_prev)).softmax(0)
    s = torch.matmul(M, torch.matmul(h_prev, W_key))
    alpha = (s - s.logsumexp(dim=(0, 1))).exp()
    V = (alpha[..., None] * M).sum((0, 1))
    return [P, alpha, V, cell(h_prev, V, e[w_t])]
""",
    "numpy_inside": """
import numpy as np
import torch

def softmax(z):
    z = np.exp(z - z.max())
    return z / z.sum()

def caption_step(h_prev, M, W_key, W_auto, e, w_t, cell):
    h, m, wk, wa, ee = (x.detach().numpy() for x in (h_prev, M, W_key, W_auto, e))
    P = softmax(ee @ wa @ h)
    alpha = softmax(m @ (h @ wk))
    V = torch.from_numpy(np.tensordot(alpha, m, axes=2))
    h_t = cell(h_prev.detach(), V, torch.from_numpy(ee[w_t]))
    return torch.from_numpy(P), torch.from_numpy(alpha), V, h_t
""",
    "double_precision_inside": """
import torch

def caption_step(h_prev, M, W_key, W_auto, e, w_t, cell):
    kind = M.dtype
    h, m = h_prev.double(), M.double()
    P = torch.softmax(e.double() @ W_auto.double() @ h, 0).to(kind)
    alpha = torch.softmax((m @ W_key.double().T @ h).flatten(), 0).unflatten(0, m.shape[:2])
    V = torch.tensordot(alpha, m, dims=2).to(kind)
    return P, alpha.to(kind), V, cell(h_prev, V, e[w_t])
""",
    "scaled_dot_product_attention": """
import torch
import torch.nn.functional as F

def caption_step(h_prev, M, W_key, W_auto, e, w_t, cell):
    flat = M.flatten(0, 1)
    query = (h_prev @ W_key).unsqueeze(0)
    V = F.scaled_dot_product_attention(query[None], flat[None], flat[None], scale=1.0)[0, 0]
    alpha = torch.softmax(query @ flat.T, dim=-1).view(M.shape[:2])
    return torch.softmax(F.linear(h_prev, e @ W_auto), dim=-1), alpha, V, cell(h_prev, V, e[w_t])
""",
    "embedding_and_softmax2d": """
import torch
from torch import nn

def attend(h, M, W_key):
    keys = nn.functional.linear(M, W_key)
    scores = (keys * h).sum(dim=-1)
    return nn.Softmax(dim=0)(scores.ravel()).reshape(scores.shape)

def caption_step(h_prev, M, W_key, W_auto, e, w_t, cell):
    alpha = attend(h_prev, M, W_key)
    V = torch.mul(alpha.unsqueeze(2), M).sum(0).sum(0)
    word = nn.functional.embedding(torch.tensor(w_t), e)
    return torch.softmax(torch.mv(e, torch.mv(W_auto, h_prev)), 0), alpha, V, cell(h_prev, V, word)
""",
    "one_hot_word": """
import torch

def caption_step(h_prev, M, W_key, W_auto, e, w_t, cell):
    one_hot = torch.zeros(e.shape[0], dtype=e.dtype)
    one_hot[w_t] = 1
    P = torch.exp(torch.log_softmax((h_prev @ W_auto.T) @ e.T, dim=-1))
    alpha = torch.softmax((M @ W_key.T @ h_prev).flatten(), -1).view(M.size(0), M.size(1))
    V = torch.stack([(alpha * M[:, :, k]).sum() for k in range(M.size(2))])
    return P, alpha, V, cell(h_prev, V, one_hot @ e)
""",
    "column_by_column": """
import torch

def caption_step(h_prev, M, W_key, W_auto, e, w_t, cell):
    turned = M.permute(1, 0, 2)
    scores = turned @ (W_key.T @ h_prev)
    alpha = torch.softmax(scores.flatten(), dim=0).reshape(scores.shape).T
    V = torch.einsum("yx,yxk->k", alpha.T, turned)
    h_t = cell(h_prev, V, e[w_t])
    P = torch.softmax(e @ W_auto @ h_prev, dim=0)
    return P, alpha, V, h_t
""",
    "output_that_requires_grad": """
import torch

def caption_step(h_prev, M, W_key, W_auto, e, w_t, cell):
    W_key, W_auto = torch.nn.Parameter(W_key.clone()), torch.nn.Parameter(W_auto.clone())
    P = torch.softmax(e @ W_auto @ h_prev, dim=0)
    s = M @ (h_prev @ W_key)
    alpha = torch.softmax(s.flatten(), dim=0).view_as(s)
    V = (alpha.unsqueeze(-1) * M).sum(dim=(0, 1))
    return P, alpha, V, cell(h_prev, V, e[w_t])
""",
}

VARIANTS: dict[str, dict[str, str]] = {"caption_step": CAPTION_STEP}
