"""Answers to the optimisers and the layers with a memory."""

import math

import torch

from autograder import mistake


class AdamW:
    def __init__(self, parameters, rate=0.1, betas=(0.9, 0.99), eps=1e-8, decay=0.01):
        self.parameters = list(parameters)
        self.rate, self.betas, self.eps, self.decay = rate, betas, eps, decay
        self.kept = {}

    def step(self):
        for number, p in enumerate(self.parameters):
            if p.grad is None:
                continue
            t, m, v = self.kept.get(number, (0, torch.zeros_like(p), torch.zeros_like(p)))
            first, second = self.betas
            t, m, v = t + 1, first * m + (1 - first) * p.grad, second * v + (1 - second) * p.grad**2
            self.kept[number] = t, m, v
            with torch.no_grad():
                p -= self.rate * self.decay * p
                p -= self.rate * (m / (1 - first**t)) / ((v / (1 - second**t)).sqrt() + self.eps)

    def zero_grad(self):
        for p in self.parameters:
            p.grad = None


@mistake("AdamW", "the decay goes through the moments: take it off the parameter itself")
class decay_in_the_gradient(AdamW):
    def __init__(self, parameters, rate=0.1, betas=(0.9, 0.99), eps=1e-8, decay=0.01):
        super().__init__(parameters, rate, betas, eps, 0.0)
        self.coupled = decay

    def step(self):
        for p in self.parameters:
            if p.grad is not None:
                p.grad = p.grad + self.coupled * p.detach()
        super().step()


@mistake("AdamW", "the moments begin at zero: divide them by 1 - b^t")
class moments_not_corrected(AdamW):
    def __init__(self, parameters, rate=0.1, betas=(0.9, 0.99), eps=1e-8, decay=0.01):
        super().__init__(parameters, rate, betas, eps, decay)

    def step(self):
        for number, p in enumerate(self.parameters):
            if p.grad is None:
                continue
            m, v = self.kept.get(number, (torch.zeros_like(p), torch.zeros_like(p)))
            m, v = (
                self.betas[0] * m + (1 - self.betas[0]) * p.grad,
                self.betas[1] * v + (1 - self.betas[1]) * p.grad**2,
            )
            self.kept[number] = m, v
            with torch.no_grad():
                p -= self.rate * self.decay * p
                p -= self.rate * m / (v.sqrt() + self.eps)


class CosineSchedule:
    def __init__(self, highest, warmup, steps):
        self.highest, self.warmup, self.steps, self.done = highest, warmup, steps, 0

    def next(self):
        self.done += 1
        if self.done <= self.warmup:
            return self.highest * self.done / self.warmup
        if self.done > self.steps:
            return 0.0
        share = (self.done - self.warmup) / (self.steps - self.warmup)
        return self.highest * (1 + math.cos(math.pi * share)) / 2


class BatchNorm(torch.nn.Module):
    def __init__(self, size, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = torch.nn.Parameter(torch.ones(size))
        self.bias = torch.nn.Parameter(torch.zeros(size))
        self.register_buffer("mean", torch.zeros(size))
        self.register_buffer("variance", torch.ones(size))

    def forward(self, x):
        mean, variance = self.mean, self.variance
        if self.training:
            mean, variance = x.mean(0), x.var(0, correction=0)
            with torch.no_grad():
                self.mean.mul_(0.9).add_(0.1 * mean)
                self.variance.mul_(0.9).add_(0.1 * x.var(0, correction=1))
        return (x - mean) / torch.sqrt(variance + self.eps) * self.weight + self.bias


@mistake("BatchNorm", "in evaluation too, your layer uses the statistics of the batch: use those it has kept")
class always_the_batch(torch.nn.Module):
    def __init__(self, size, eps=1e-5):
        super().__init__()
        self.inner = [BatchNorm(size, eps)]
        for name, value in (*self.inner[0].named_parameters(), *self.inner[0].named_buffers()):
            if isinstance(value, torch.nn.Parameter):
                self.register_parameter(name, value)
            else:
                self.register_buffer(name, value)

    def forward(self, x):
        self.inner[0].train()
        kept = self.mean.clone(), self.variance.clone()
        result = self.inner[0](x)
        if not self.training:
            self.mean.copy_(kept[0])
            self.variance.copy_(kept[1])
        return result


class LSTM(torch.nn.Module):
    def __init__(self, inputs, size):
        super().__init__()
        self.W = torch.nn.Parameter(torch.randn(4 * size, inputs))
        self.U = torch.nn.Parameter(torch.randn(4 * size, size))

    def forward(self, x):
        h = c = torch.zeros(x.shape[1], self.U.shape[1], dtype=x.dtype)
        states = []
        for each in x:
            i, f, o, g = (each @ self.W.T + h @ self.U.T).chunk(4, dim=-1)
            c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
            h = torch.sigmoid(o) * torch.tanh(c)
            states.append(h)
        return torch.stack(states)


def clipped(gradients, most):
    norm = torch.sqrt(sum((g * g).sum() for g in gradients))
    factor = most / norm if norm > most else 1.0
    return [g * factor for g in gradients]
