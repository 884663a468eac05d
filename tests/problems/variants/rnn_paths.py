"""Right answers to rnn_paths in many styles: each earns full marks."""

VARIANTS: dict[str, dict[str, str]] = {
    "rnn_jacobian": {
        "left accumulation": """
import torch

def rnn_jacobian(h0, x, W, U, b):
    h, J = h0, torch.eye(h0.shape[0], dtype=h0.dtype)
    for t in range(x.shape[0]):
        h = torch.tanh(W @ h + U @ x[t] + b)
        J = torch.diag(1 - h ** 2) @ W @ J
    return J
""",
        "right accumulation over stored states": """
import torch

def rnn_jacobian(h0, x, W, U, b):
    states = [h0]
    for xt in x:
        states.append(torch.tanh(W @ states[-1] + U @ xt + b))
    J = torch.eye(len(h0)).to(h0)
    for h in reversed(states[1:]):
        J = J @ ((1 - h * h).unsqueeze(1) * W)
    return J
""",
        "autograd functional": """
import torch
from torch.autograd.functional import jacobian

def rnn_jacobian(h0, x, W, U, b):
    def last(h):
        for xt in x:
            h = torch.tanh(W @ h + U @ xt + b)
        return h
    return jacobian(last, h0)
""",
        "jacrev": """
import torch

def rnn_jacobian(h0, x, W, U, b):
    def f(h):
        for xt in x:
            h = (W @ h + U @ xt + b).tanh()
        return h
    return torch.func.jacrev(f)(h0)
""",
        "forward mode": """
import torch

def rnn_jacobian(h0, x, W, U, b):
    def f(h):
        for xt in x:
            h = torch.tanh(torch.mv(W, h) + torch.mv(U, xt) + b)
        return h
    return torch.func.jacfwd(f)(h0)
""",
        "a gradient for each row": """
import torch

def rnn_jacobian(h0, x, W, U, b):
    start = h0.detach().clone().requires_grad_(True)
    h = start
    for xt in x:
        h = torch.tanh(W @ h + U @ xt + b)
    rows = [torch.autograd.grad(h[i], start, retain_graph=True)[0] for i in range(len(h))]
    return torch.stack(rows)
""",
        "numpy inside": """
import numpy as np
import torch

def rnn_jacobian(h0, x, W, U, b):
    h, X, Wn, Un, bn = (a.detach().numpy().astype(np.float64) for a in (h0, x, W, U, b))
    J = np.eye(len(h))
    for t in range(len(X)):
        h = np.tanh(Wn.dot(h) + Un.dot(X[t]) + bn)
        J = np.diag(1 - h**2).dot(Wn).dot(J)
    return torch.from_numpy(J).to(h0.dtype)
""",
        "plain loops": """
import math
import torch

def rnn_jacobian(h0, x, W, U, b):
    n, m = len(h0), x.shape[1]
    h = [float(v) for v in h0]
    J = [[1.0 if i == j else 0.0 for j in range(n)] for i in range(n)]
    for t in range(len(x)):
        new = []
        for i in range(n):
            z = float(b[i])
            for j in range(n):
                z += float(W[i, j]) * h[j]
            for j in range(m):
                z += float(U[i, j]) * float(x[t, j])
            new.append(math.tanh(z))
        h = new
        J = [[(1 - h[i] ** 2) * sum(float(W[i, k]) * J[k][j] for k in range(n)) for j in range(n)]
             for i in range(n)]
    return torch.tensor(J, dtype=h0.dtype)
""",
        "secant squared, double inside": """
import torch

def _step(h, xt, W, U, b):
    z = W @ h + U @ xt + b
    return torch.tanh(z), torch.cosh(z) ** -2

def rnn_jacobian(h0, x, W, U, b):
    kind = h0.dtype
    h, x, W, U, b = (a.double() for a in (h0, x, W, U, b))
    J = torch.eye(len(h), dtype=torch.float64)
    for xt in x:
        h, slope = _step(h, xt, W, U, b)
        J = torch.einsum("i,ik,kj->ij", slope, W, J)
    return J.to(kind)
""",
        "an output that needs a gradient": """
import torch

def rnn_jacobian(h0, x, W, U, b):
    W = W.clone().requires_grad_(True)
    h, factors = h0, []
    for xt in x:
        h = torch.tanh(W @ h + U @ xt + b)
        factors.insert(0, (1 - h.square())[:, None] * W)
    return torch.linalg.multi_dot(factors) if len(factors) > 1 else factors[0]
""",
    },
}
