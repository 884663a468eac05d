"""Right answers to multihead_feedforward in many styles: each must earn full marks."""

LEVEL = {
    "batched_products": """
import torch

def multihead_ff(H, Q, K, V, W_ff, b_ff):
    q, k, v = Q @ H, K @ H, V @ H
    C = (v @ torch.softmax(k.mT @ q, dim=1)).flatten(0, 1)
    return torch.sigmoid(W_ff @ C + b_ff[:, None])
""",
    "einsum": """
import torch

def multihead_ff(H, Q, K, V, W_ff, b_ff):
    k = torch.einsum("hde,en->hdn", K, H)
    q = torch.einsum("hde,en->hdn", Q, H)
    v = torch.einsum("hde,en->hdn", V, H)
    A = torch.einsum("hdj,hdn->hjn", k, q).softmax(1)
    C = torch.einsum("hdj,hjn->hdn", v, A)
    W3 = W_ff.view(W_ff.shape[0], *C.shape[:2])
    return torch.sigmoid(torch.einsum("ohd,hdn->on", W3, C) + b_ff[:, None])
""",
    "loop_over_heads": """
import torch

def head(H, Q, K, V):
    return V @ H @ torch.softmax((K @ H).T @ Q @ H, dim=0)

def multihead_ff(H, Q, K, V, W_ff, b_ff):
    stacked = torch.cat([head(H, Q[i], K[i], V[i]) for i in range(len(Q))], dim=0)
    return 1 / (1 + torch.exp(-(W_ff @ stacked + b_ff.unsqueeze(1))))
""",
    "one_hot_kronecker": """
import torch

def multihead_ff(H, Q, K, V, W_ff, b_ff):
    n = Q.shape[0]
    C = 0
    for h in range(n):
        delta = torch.zeros(n, 1, dtype=H.dtype)
        delta[h, 0] = 1
        C = C + torch.kron(delta, V[h] @ H @ ((K[h] @ H).T @ (Q[h] @ H)).softmax(0))
    return (W_ff @ C + b_ff.reshape(-1, 1)).sigmoid()
""",
    "plain_python": """
import math
import torch

def multihead_ff(H, Q, K, V, W_ff, b_ff):
    D, N = H.shape
    x, w, b = H.tolist(), W_ff.tolist(), b_ff.tolist()
    def project(M):
        return [[sum(M[d][e] * x[e][n] for e in range(D)) for n in range(N)] for d in range(D)]
    C = []
    for Mq, Mk, Mv in zip(Q.tolist(), K.tolist(), V.tolist()):
        q, k, v = project(Mq), project(Mk), project(Mv)
        head = [[0.0] * N for _ in range(D)]
        for j in range(N):
            e = [math.exp(sum(k[d][i] * q[d][j] for d in range(D))) for i in range(N)]
            for d in range(D):
                head[d][j] = sum(e[i] * v[d][i] for i in range(N)) / sum(e)
        C += head
    out = [[1 / (1 + math.exp(-b[d] - sum(w[d][r] * C[r][j] for r in range(len(C))))) for j in range(N)]
           for d in range(D)]
    return torch.tensor(out, dtype=H.dtype)
""",
    "numpy_inside": """
import numpy as np
import torch

def multihead_ff(H, Q, K, V, W_ff, b_ff):
    h, q, k, v, w, b = (x.detach().numpy() for x in (H, Q, K, V, W_ff, b_ff))
    s = np.swapaxes(k @ h, 1, 2) @ (q @ h)
    e = np.exp(s - s.max(axis=1, keepdims=True))
    heads = v @ h @ (e / e.sum(axis=1, keepdims=True))
    z = w @ np.concatenate(list(heads), axis=0) + b[:, None]
    return torch.from_numpy(1 / (1 + np.exp(-z)))
""",
    "torch_functions": """
import torch
import torch.nn.functional as F

def multihead_ff(H, Q, K, V, W_ff, b_ff):
    X = H.T
    O = F.scaled_dot_product_attention(X @ Q.mT, X @ K.mT, X @ V.mT, scale=1.0)
    return torch.sigmoid(F.linear(O.permute(1, 0, 2).flatten(1), W_ff, b_ff)).T
""",
    "modules": """
import torch
from torch import nn

def multihead_ff(H, Q, K, V, W_ff, b_ff):
    n, D, _ = Q.shape
    ff = nn.Sequential(nn.Linear(n * D, D).to(H.dtype), nn.Sigmoid())
    ff[0].weight = nn.Parameter(W_ff)
    ff[0].bias = nn.Parameter(b_ff)
    heads = [V[h] @ H @ nn.Softmax(dim=0)((K[h] @ H).T @ (Q[h] @ H)) for h in range(n)]
    return ff(torch.vstack(heads).T).T
""",
    "double_inside": """
import torch

def multihead_ff(H, Q, K, V, W_ff, b_ff):
    h, q, k, v, w, b = (x.double() for x in (H, Q, K, V, W_ff, b_ff))
    A = torch.softmax((k @ h).transpose(1, 2) @ (q @ h), dim=-2)
    return torch.sigmoid(w @ (v @ h @ A).reshape(-1, h.shape[1]) + b.view(-1, 1)).to(H.dtype)
""",
    "affine_with_addmm": """
import torch

def multihead_ff(H, Q, K, V, W_ff, b_ff):
    n, D, _ = Q.shape
    N = H.size(1)
    h = H.expand(n, D, N)
    S = torch.bmm(torch.bmm(K, h).transpose(1, 2), torch.bmm(Q, h))
    C = torch.bmm(torch.bmm(V, h), S.softmax(dim=1)).reshape(n * D, N)
    return torch.addmm(b_ff[:, None], W_ff, C).sigmoid().requires_grad_(True)
""",
}

BACKWARD = {
    "matrix_calculus": """
import torch

def multihead_ff_backward(H, Q, K, V, W_ff, b_ff, G):
    n, D, _ = Q.shape
    q, k, v = Q @ H, K @ H, V @ H
    A = (k.mT @ q).softmax(1)
    C = (v @ A).reshape(n * D, -1)
    Y = torch.sigmoid(W_ff @ C + b_ff[:, None])
    dZ = G * Y * (1 - Y)
    dC = (W_ff.T @ dZ).view(n, D, -1)
    dv, dA = dC @ A.mT, v.mT @ dC
    dS = A * (dA - (A * dA).sum(1, keepdim=True))
    dq, dk = k @ dS, q @ dS.mT
    dH = (Q.mT @ dq + K.mT @ dk + V.mT @ dv).sum(0)
    return dH, dq @ H.T, dk @ H.T, dv @ H.T, dZ @ C.T, dZ.sum(1)
""",
    "loop_over_heads": """
import torch

def multihead_ff_backward(H, Q, K, V, W_ff, b_ff, G):
    n, D, _ = Q.shape
    weights = [torch.softmax((K[i] @ H).T @ (Q[i] @ H), dim=0) for i in range(n)]
    C = torch.cat([V[i] @ H @ weights[i] for i in range(n)])
    Y = torch.sigmoid(W_ff @ C + b_ff.unsqueeze(-1))
    dZ = G * Y * (1 - Y)
    dH = torch.zeros_like(H)
    dQ, dK, dV = torch.zeros_like(Q), torch.zeros_like(K), torch.zeros_like(V)
    for i in range(n):
        A = weights[i]
        dO = W_ff[:, i * D:(i + 1) * D].T @ dZ
        dv = dO @ A.T
        dA = (V[i] @ H).T @ dO
        dS = A * (dA - (A * dA).sum(dim=0, keepdim=True))
        dq, dk = K[i] @ H @ dS, Q[i] @ H @ dS.T
        dQ[i], dK[i], dV[i] = dq @ H.T, dk @ H.T, dv @ H.T
        dH += Q[i].T @ dq + K[i].T @ dk + V[i].T @ dv
    return dH, dQ, dK, dV, dZ @ C.T, dZ.sum(dim=1)
""",
    "autograd": """
import torch

def multihead_ff_backward(H, Q, K, V, W_ff, b_ff, G):
    leaves = [x.detach().clone().requires_grad_(True) for x in (H, Q, K, V, W_ff, b_ff)]
    h, q, k, v, w, b = leaves
    A = torch.softmax((k @ h).mT @ (q @ h), dim=1)
    Y = torch.sigmoid(w @ (v @ h @ A).flatten(0, 1) + b[:, None])
    return torch.autograd.grad(Y, leaves, grad_outputs=G)
""",
    "loss_backward": """
from torch import nn
import torch
import torch.nn.functional as F

def multihead_ff_backward(H, Q, K, V, W_ff, b_ff, G):
    p = [nn.Parameter(x.detach().clone()) for x in (H, Q, K, V, W_ff, b_ff)]
    X = p[0].T
    O = F.scaled_dot_product_attention(X @ p[1].mT, X @ p[2].mT, X @ p[3].mT, scale=1.0)
    Y = torch.sigmoid(F.linear(O.permute(1, 0, 2).flatten(1), p[4], p[5])).T
    (Y * G).sum().backward()
    return [x.grad for x in p]
""",
    "functional_vjp": """
import torch

def level(H, Q, K, V, W_ff, b_ff):
    A = torch.softmax((K @ H).mT @ (Q @ H), dim=-2)
    return torch.sigmoid(W_ff @ torch.vstack(list(V @ H @ A)) + b_ff[:, None])

def multihead_ff_backward(H, Q, K, V, W_ff, b_ff, G):
    return torch.func.vjp(level, H, Q, K, V, W_ff, b_ff)[1](G)
""",
    "numpy_inside": """
import numpy as np
import torch

def multihead_ff_backward(H, Q, K, V, W_ff, b_ff, G):
    h, Qn, Kn, Vn, w, b, g = (x.detach().numpy() for x in (H, Q, K, V, W_ff, b_ff, G))
    n, D, _ = Qn.shape
    T = lambda x: np.swapaxes(x, -1, -2)
    q, k, v = Qn @ h, Kn @ h, Vn @ h
    s = T(k) @ q
    A = np.exp(s - s.max(1, keepdims=True))
    A = A / A.sum(1, keepdims=True)
    C = (v @ A).reshape(n * D, -1)
    y = 1 / (1 + np.exp(-(w @ C + b[:, None])))
    dz = g * y * (1 - y)
    dO = (w.T @ dz).reshape(n, D, -1)
    dA = T(v) @ dO
    dS = A * (dA - (A * dA).sum(1, keepdims=True))
    dq, dk, dv = k @ dS, q @ T(dS), dO @ T(A)
    dH = (T(Qn) @ dq + T(Kn) @ dk + T(Vn) @ dv).sum(0)
    return tuple(torch.from_numpy(x) for x in (dH, dq @ h.T, dk @ h.T, dv @ h.T, dz @ C.T, dz.sum(1)))
""",
    "double_inside": """
import torch

def multihead_ff_backward(H, Q, K, V, W_ff, b_ff, G):
    args = [x.detach().double().requires_grad_(True) for x in (H, Q, K, V, W_ff, b_ff)]
    h, q, k, v, w, b = args
    out = torch.cat([v[i] @ h @ torch.softmax((k[i] @ h).T @ (q[i] @ h), 0) for i in range(len(q))])
    torch.sigmoid(w @ out + b[:, None]).backward(G.double())
    return tuple(x.grad.to(H.dtype) for x in args)
""",
    "einsum": """
import torch

def multihead_ff_backward(H, Q, K, V, W_ff, b_ff, G):
    e = torch.einsum
    n, D = Q.shape[:2]
    q, k, v = (e("hde,en->hdn", M, H) for M in (Q, K, V))
    A = e("hdi,hdj->hij", k, q).softmax(1)
    O = e("hdi,hij->hdj", v, A)
    W = W_ff.reshape(D, n, D)
    Y = torch.sigmoid(e("ohd,hdj->oj", W, O) + b_ff[:, None])
    dZ = G * Y * (1 - Y)
    dO = e("ohd,oj->hdj", W, dZ)
    dA = e("hdi,hdj->hij", v, dO)
    dS = A * dA - A * e("hij,hij->hj", A, dA)[:, None]
    dq, dk, dv = e("hdi,hij->hdj", k, dS), e("hdj,hij->hdi", q, dS), e("hdj,hij->hdi", dO, A)
    dH = sum(e("hde,hdn->en", M, d) for M, d in ((Q, dq), (K, dk), (V, dv)))
    dQ, dK, dV = (e("hdn,en->hde", d, H) for d in (dq, dk, dv))
    return dH, dQ, dK, dV, e("oj,hdj->ohd", dZ, O).reshape(D, n * D), dZ.sum(-1)
""",
}

VARIANTS: dict[str, dict[str, str]] = {
    "multihead_ff": LEVEL,
    "multihead_ff_backward": BACKWARD,
}
