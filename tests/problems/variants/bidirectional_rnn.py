"""Right answers to bidirectional_rnn in many styles: each earns full marks."""

VARIANTS: dict[str, dict[str, str]] = {
    "birnn_forward": {
        "two loops over preallocated states": """
import torch

def birnn_forward(x, W_f, U_f, b_f, W_b, U_b, b_b):
    T, J = x.shape[0], b_f.shape[0]
    h_fwd = torch.zeros(T, J, dtype=x.dtype)
    h_bwd = torch.zeros(T, J, dtype=x.dtype)
    h = torch.zeros(J, dtype=x.dtype)
    for t in range(T):
        h = torch.tanh(W_f @ x[t] + U_f @ h + b_f)
        h_fwd[t] = h
    h = torch.zeros(J, dtype=x.dtype)
    for t in range(T - 1, -1, -1):
        h = torch.tanh(W_b @ x[t] + U_b @ h + b_b)
        h_bwd[t] = h
    return h_fwd, h_bwd
""",
        "in place, reading its own rows": """
import torch

def birnn_forward(x, W_f, U_f, b_f, W_b, U_b, b_b):
    T, J = x.shape[0], len(b_f)
    f, r = x.new_zeros(T + 2, J), x.new_zeros(T + 2, J)
    for t in range(1, T + 1):
        f[t] = torch.tanh(W_f @ x[t - 1] + U_f @ f[t - 1] + b_f)
    for t in range(T, 0, -1):
        r[t] = torch.tanh(W_b @ x[t - 1] + U_b @ r[t + 1] + b_b)
    return f[1:-1], r[1:-1]
""",
        "flip, one helper, a list": """
import torch

def _run(seq, W, U, b):
    h, out = torch.zeros_like(b), []
    for z in seq @ W.T + b:
        h = torch.tanh(z + U @ h)
        out.append(h)
    return torch.stack(out)

def birnn_forward(x, W_f, U_f, b_f, W_b, U_b, b_b):
    return [_run(x, W_f, U_f, b_f), _run(x.flip(0), W_b, U_b, b_b).flip(0)]
""",
        "nn.RNN": """
import torch
from torch import nn

def birnn_forward(x, W_f, U_f, b_f, W_b, U_b, b_b):
    J, I = W_f.shape
    rnn = nn.RNN(I, J, nonlinearity="tanh", bidirectional=True).to(x.dtype)
    with torch.no_grad():
        rnn.weight_ih_l0.copy_(W_f); rnn.weight_hh_l0.copy_(U_f)
        rnn.bias_ih_l0.copy_(b_f); rnn.bias_hh_l0.zero_()
        rnn.weight_ih_l0_reverse.copy_(W_b); rnn.weight_hh_l0_reverse.copy_(U_b)
        rnn.bias_ih_l0_reverse.copy_(b_b); rnn.bias_hh_l0_reverse.zero_()
    out, _ = rnn(x.unsqueeze(1))
    out = out.squeeze(1)
    return out[:, :J], out[:, J:]
""",
        "nn.RNNCell in both directions": """
import torch
from torch import nn

def _cell(W, U, b):
    cell = nn.RNNCell(W.shape[1], W.shape[0]).to(W.dtype)
    cell.load_state_dict({"weight_ih": W, "weight_hh": U, "bias_ih": b, "bias_hh": torch.zeros_like(b)})
    return cell

def birnn_forward(x, W_f, U_f, b_f, W_b, U_b, b_b):
    fwd, bwd = _cell(W_f, U_f, b_f), _cell(W_b, U_b, b_b)
    T = x.size(0)
    f, r = [], []
    h = torch.zeros(1, len(b_f), dtype=x.dtype)
    for t in range(T):
        h = fwd(x[t:t + 1], h)
        f.append(h[0])
    h = torch.zeros(1, len(b_b), dtype=x.dtype)
    for t in reversed(range(T)):
        h = bwd(x[t:t + 1], h)
        r.insert(0, h[0])
    return torch.stack(f), torch.stack(r)
""",
        "numpy inside": """
import numpy as np
import torch

def birnn_forward(x, W_f, U_f, b_f, W_b, U_b, b_b):
    args = [a.detach().cpu().numpy() for a in (x, W_f, U_f, b_f, W_b, U_b, b_b)]
    X, Wf, Uf, bf, Wb, Ub, bb = args
    T, J = X.shape[0], bf.shape[0]
    F, B = np.zeros((T, J), X.dtype), np.zeros((T, J), X.dtype)
    h = np.zeros(J, X.dtype)
    for t in range(T):
        h = np.tanh(Wf @ X[t] + Uf @ h + bf)
        F[t] = h
    h = np.zeros(J, X.dtype)
    for t in range(T)[::-1]:
        h = np.tanh(Wb @ X[t] + Ub @ h + bb)
        B[t] = h
    return torch.from_numpy(F), torch.from_numpy(B)
""",
        "plain loops": """
import math
import torch

def _direction(x, W, U, b, order):
    T, I = x.shape
    J = len(b)
    rows = [None] * T
    h = [0.0] * J
    for t in order:
        new = []
        for j in range(J):
            z = b[j].item()
            for i in range(I):
                z += W[j, i].item() * x[t, i].item()
            for k in range(J):
                z += U[j, k].item() * h[k]
            new.append(math.tanh(z))
        h = new
        rows[t] = h
    return torch.tensor(rows, dtype=x.dtype)

def birnn_forward(x, W_f, U_f, b_f, W_b, U_b, b_b):
    T = len(x)
    return _direction(x, W_f, U_f, b_f, range(T)), _direction(x, W_b, U_b, b_b, reversed(range(T)))
""",
        "recursive, double inside, columns": """
import torch

def _scan(columns, W, U, b):
    if columns.shape[1] == 0:
        return []
    before = _scan(columns[:, :-1], W, U, b)
    h = before[-1] if before else torch.zeros(len(b), 1, dtype=torch.float64)
    return before + [torch.tanh(W @ columns[:, -1:] + U @ h + b[:, None])]

def birnn_forward(x, W_f, U_f, b_f, W_b, U_b, b_b):
    kind = x.dtype
    x, W_f, U_f, b_f, W_b, U_b, b_b = (a.double() for a in (x, W_f, U_f, b_f, W_b, U_b, b_b))
    f = torch.cat(_scan(x.t(), W_f, U_f, b_f), dim=1)
    r = torch.cat(_scan(x.t().flip(1), W_b, U_b, b_b)[::-1], dim=1)
    return f.t().to(kind), r.t().to(kind)
""",
        "joined weights": """
import torch

def birnn_forward(x, W_f, U_f, b_f, W_b, U_b, b_b):
    J = b_f.numel()
    W = torch.stack([W_f, W_b]); U = torch.stack([U_f, U_b]); b = torch.stack([b_f, b_b])
    both = torch.stack([x, x.flip(0)])
    h = torch.zeros(2, J, dtype=x.dtype)
    out = []
    for t in range(x.shape[0]):
        h = torch.tanh(torch.einsum("dji,di->dj", W, both[:, t]) + torch.einsum("djk,dk->dj", U, h) + b)
        out.append(h)
    out = torch.stack(out, dim=1).requires_grad_() if not h.requires_grad else torch.stack(out, dim=1)
    return out[0], out[1].flip(0)
""",
    },
}
