"""Right answers to blank_language_model in many styles: each must earn full marks."""

BLANK_LM = {
    "matrix_products": """
import torch

def blank_lm(e, W_fwd, W_bwd, h_fwd, h_bwd, t):
    return torch.softmax(e @ W_fwd @ h_fwd[t - 1] + e @ W_bwd @ h_bwd[t + 1], dim=0)
""",
    "einsum": """
import torch

def blank_lm(e, W_fwd, W_bwd, h_fwd, h_bwd, t):
    left = torch.einsum("wi,ij,j->w", e, W_fwd, h_fwd[t - 1])
    right = torch.einsum("wi,ij,j->w", e, W_bwd, h_bwd[t + 1])
    return (left + right).softmax(-1)
""",
    "loops": """
import torch

def blank_lm(e, W_fwd, W_bwd, h_fwd, h_bwd, t):
    scores = []
    for w in range(e.size(0)):
        total = torch.zeros((), dtype=e.dtype)
        for i in range(e.size(1)):
            for j in range(W_fwd.size(1)):
                total = total + e[w, i] * (W_fwd[i, j] * h_fwd[t - 1, j] + W_bwd[i, j] * h_bwd[t + 1, j])
        scores.append(total)
    scores = torch.stack(scores)
    scores = torch.exp(scores - scores.max())
    return scores / scores.sum()
""",
    "one_matrix_for_both_sides": """
import torch

def blank_lm(e, W_fwd, W_bwd, h_fwd, h_bwd, t):
    W = torch.cat([W_fwd, W_bwd], dim=1)
    h = torch.cat([h_fwd[t - 1], h_bwd[t + 1]])
    return torch.nn.functional.softmax(torch.mv(e, torch.mv(W, h)), dim=-1)
""",
    "product_of_softmaxes_normalised_again": """
import torch

def blank_lm(e, W_fwd, W_bwd, h_fwd, h_bwd, t):
    left = torch.log_softmax(e @ (W_fwd @ h_fwd[t - 1]), dim=0)
    right = torch.log_softmax(e @ (W_bwd @ h_bwd[t + 1]), dim=0)
    both = left + right
    return torch.exp(both - both.logsumexp(0))
""",
    "numpy_inside": """
import numpy as np
import torch

def blank_lm(e, W_fwd, W_bwd, h_fwd, h_bwd, t):
    e, W_fwd, W_bwd, h_fwd, h_bwd = (x.detach().numpy() for x in (e, W_fwd, W_bwd, h_fwd, h_bwd))
    s = e.dot(W_fwd.dot(h_fwd[t - 1]) + W_bwd.dot(h_bwd[t + 1]))
    p = np.exp(s - s.max())
    return torch.tensor(p / p.sum())
""",
    "double_precision_inside": """
import torch

def softmax(s):
    s = torch.exp(s - s.max())
    return s / s.sum()

def blank_lm(e, W_fwd, W_bwd, h_fwd, h_bwd, t):
    left = W_fwd.double() @ h_fwd[t - 1].double()
    right = W_bwd.double() @ h_bwd[t + 1].double()
    return softmax(e.double() @ (left + right)).to(e.dtype)
""",
    "modules": """
import torch
from torch import nn

class Side(nn.Module):
    def __init__(self, W):
        super().__init__()
        self.linear = nn.Linear(W.shape[1], W.shape[0], bias=False, dtype=W.dtype)
        with torch.no_grad():
            self.linear.weight.copy_(W)

    def forward(self, h):
        return self.linear(h)

def blank_lm(e, W_fwd, W_bwd, h_fwd, h_bwd, t):
    context = Side(W_fwd)(h_fwd[t - 1]) + Side(W_bwd)(h_bwd[t + 1])
    return nn.Softmax(dim=-1)(nn.functional.linear(context, e))
""",
    "all_positions_then_one": """
import torch

def blank_lm(e, W_fwd, W_bwd, h_fwd, h_bwd, t):
    # Every position that has two neighbours; t is the (t - 1)-th of them.
    context = h_fwd[:-2] @ W_fwd.T + h_bwd[2:] @ W_bwd.T
    return torch.softmax(context @ e.T, dim=1)[t - 1]
""",
    "columns": """
import torch

def blank_lm(e, W_fwd, W_bwd, h_fwd, h_bwd, t):
    column = W_fwd @ h_fwd[t - 1].unsqueeze(1) + W_bwd @ h_bwd[t + 1].unsqueeze(1)
    return torch.softmax((e @ column).squeeze(1), dim=0)
""",
    "output_that_requires_grad": """
import torch

def blank_lm(e, W_fwd, W_bwd, h_fwd, h_bwd, t):
    e = torch.nn.Parameter(e.clone())
    scores = torch.inner(e, W_fwd @ h_fwd[t - 1]) + torch.inner(e, W_bwd @ h_bwd[t + 1])
    return torch.softmax(scores, 0)
""",
}

VARIANTS: dict[str, dict[str, str]] = {"blank_lm": BLANK_LM}
