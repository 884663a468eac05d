"""Correct answers to alternating_rnn in many styles: function name, style, the text of the answer cell."""

VARIANTS: dict[str, dict[str, str]] = {
    "alternating_rnn": {
        "loop over inputs": """
import torch

def alternating_rnn(X, H0):
    H = H0
    for x in X:
        H = x - H
    return torch.sigmoid(1000 * H)
""",
        "loop over indices": """
import torch

def alternating_rnn(X, H0):
    states = [H0]
    for t in range(X.shape[0]):
        states.append(X[t] - states[t])
    return (1000.0 * states[-1]).sigmoid()
""",
        "even minus odd": """
import torch

def alternating_rnn(X, H0):
    return torch.sigmoid(1000 * (X[1::2].sum() - X[::2].sum() + H0))
""",
        "pairs by view": """
import torch

def alternating_rnn(X, H0):
    pairs = X.view(-1, 2)
    return torch.sigmoid(1000 * ((pairs[:, 1] - pairs[:, 0]).sum() + H0))
""",
        "powers of minus one": """
import torch

def alternating_rnn(X, H0):
    T = len(X)
    signs = torch.tensor([(-1.0) ** t for t in range(1, T + 1)], dtype=X.dtype)
    return torch.sigmoid(1000 * (signs @ X + (-1) ** T * H0))
""",
        "einsum": """
import torch

def alternating_rnn(X, H0):
    signs = torch.ones_like(X)
    signs[::2] = -1
    return torch.sigmoid(1000 * (torch.einsum("t,t->", signs, X) + H0))
""",
        "logistic written out": """
import torch

def alternating_rnn(X, H0):
    H = H0.clone()
    for x in X:
        H = x - H
    return 1 / (1 + torch.exp(-1000 * H))
""",
        "softmax of two": """
import torch

def alternating_rnn(X, H0):
    H = H0
    for x in X:
        H = x - H
    return torch.softmax(torch.stack([1000 * H, torch.zeros_like(H)]), dim=0)[0]
""",
        "tanh of half": """
import torch

def alternating_rnn(X, H0):
    H = (X[1::2] - X[0::2]).sum() + H0
    return (torch.tanh(500 * H) + 1) / 2
""",
        "rnn module": """
import torch

def alternating_rnn(X, H0):
    cell = torch.nn.Linear(2, 1, bias=False).to(X.dtype)
    with torch.no_grad():
        cell.weight.copy_(torch.tensor([[1.0, -1.0]]))
    H = H0.reshape(1)
    for x in X:
        H = cell(torch.cat([x.reshape(1), H]))
    return torch.sigmoid(1000 * H).squeeze()
""",
        "numpy inside": """
import numpy as np
import torch

def alternating_rnn(X, H0):
    x = X.detach().numpy().astype(np.float64)
    h = float(H0)
    for value in x:
        h = value - h
    return torch.sigmoid(torch.tensor(1000 * h)).to(X.dtype)
""",
        "double precision inside": """
import torch

def alternating_rnn(X, H0):
    h = H0.double()
    for x in X.double():
        h = x - h
    return torch.sigmoid(1000 * h).to(X.dtype)
""",
        "recursion in a helper": """
import torch

def state(X, H0):
    if len(X) == 0:
        return H0
    return X[-1] - state(X[:-1], H0)

def alternating_rnn(X, H0):
    return torch.sigmoid(1000 * state(X, H0))
""",
        "functools": """
from functools import reduce
import torch

def alternating_rnn(X, H0):
    return torch.special.expit(1000 * reduce(lambda h, x: x - h, X, H0))
""",
    },
}
