"""Answers to the layers."""

import torch

from autograder import mistake


class Linear(torch.nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.randn(outputs, inputs) / inputs**0.5)

    def forward(self, x):
        return x @ self.weight.T


class Embedding(torch.nn.Module):
    def __init__(self, words, size):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.randn(words, size))

    def forward(self, ids):
        return self.weight[ids]


class RMSNorm(torch.nn.Module):
    def __init__(self, size, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = torch.nn.Parameter(torch.ones(size))

    def forward(self, x):
        return x / torch.sqrt((x * x).mean(-1, keepdim=True) + self.eps) * self.weight


class SwiGLU(torch.nn.Module):
    def __init__(self, size, hidden):
        super().__init__()
        self.gate = torch.nn.Parameter(torch.randn(hidden, size))
        self.up = torch.nn.Parameter(torch.randn(hidden, size))
        self.down = torch.nn.Parameter(torch.randn(size, hidden))

    def forward(self, x):
        gate = x @ self.gate.T
        return (gate * torch.sigmoid(gate) * (x @ self.up.T)) @ self.down.T


def rotated(x, positions):
    size = x.shape[-1]
    turn = 10000 ** (-torch.arange(0, size, 2, dtype=x.dtype) / size)
    angle = positions[:, None].to(x.dtype) * turn
    even, odd = x[..., 0::2], x[..., 1::2]
    first = even * angle.cos() - odd * angle.sin()
    second = even * angle.sin() + odd * angle.cos()
    return torch.stack([first, second], dim=-1).flatten(-2)


def rotary_scores(q, k, positions):
    return rotated(q, positions) @ rotated(k, positions).T


class Attention(torch.nn.Module):
    def __init__(self, size, heads):
        super().__init__()
        self.heads = heads
        for name in ("q", "k", "v", "out"):
            setattr(self, name, torch.nn.Parameter(torch.randn(size, size) / size**0.5))

    def _split(self, x):
        return x.unflatten(-1, (self.heads, -1)).transpose(1, 2)

    def forward(self, x, mask=None):
        q, k, v = (self._split(x @ weight.T) for weight in (self.q, self.k, self.v))
        scores = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, float("-inf"))
        mixed = torch.softmax(scores, dim=-1) @ v
        return mixed.transpose(1, 2).flatten(-2) @ self.out.T


@mistake("Linear", "your weight is laid out the other way: it has one row for each output")
class weight_transposed(torch.nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.randn(outputs, inputs))

    def forward(self, x):
        return x @ self.weight.reshape(x.shape[-1], -1)


@mistake("RMSNorm", "eps stands outside of the root: add it to the mean of the squares")
class eps_outside(torch.nn.Module):
    def __init__(self, size, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = torch.nn.Parameter(torch.ones(size))

    def forward(self, x):
        return x / ((x * x).mean(-1, keepdim=True).sqrt() + self.eps) * self.weight


@mistake("SwiGLU", "the sigmoid alone is no silu: multiply it by the gate")
class gated_by_sigmoid(torch.nn.Module):
    def __init__(self, size, hidden):
        super().__init__()
        self.gate = torch.nn.Parameter(torch.randn(hidden, size))
        self.up = torch.nn.Parameter(torch.randn(hidden, size))
        self.down = torch.nn.Parameter(torch.randn(size, hidden))

    def forward(self, x):
        return (torch.sigmoid(x @ self.gate.T) * (x @ self.up.T)) @ self.down.T


@mistake("Attention", "the scores are divided by the root of the whole size: a head is smaller")
class scaled_by_the_whole(torch.nn.Module):
    def __init__(self, size, heads):
        super().__init__()
        self.heads, self.size = heads, size
        for name in ("q", "k", "v", "out"):
            setattr(self, name, torch.nn.Parameter(torch.randn(size, size)))

    def _split(self, x):
        return x.unflatten(-1, (self.heads, -1)).transpose(1, 2)

    def forward(self, x, mask=None):
        q, k, v = (self._split(x @ weight.T) for weight in (self.q, self.k, self.v))
        scores = q @ k.transpose(-1, -2) / self.size**0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, float("-inf"))
        mixed = torch.softmax(scores, dim=-1) @ v
        return mixed.transpose(1, 2).flatten(-2) @ self.out.T
