"""Answers to training_tools."""

import math

import torch

from autograder import mistake


def cosine_rate(step, warmup, steps, highest):
    if step < warmup:
        return highest * step / warmup
    return highest * (1 + math.cos(math.pi * (step - warmup) / (steps - warmup))) / 2


@mistake("cosine_rate", "the cosine begins at step 0: it begins where the warm-up ends")
def cosine_from_the_start(step, warmup, steps, highest):
    if step < warmup:
        return highest * step / warmup
    return highest * (1 + math.cos(math.pi * step / steps)) / 2


def clipped(gradients, norm):
    tensors = [torch.as_tensor(gradient) for gradient in gradients]
    length = math.sqrt(sum(float((tensor**2).sum()) for tensor in tensors))
    return [tensor * min(1.0, norm / length) for tensor in tensors]


@mistake("clipped", "each gradient is clipped by its own norm: the norm of all together counts")
def clipped_one_by_one(gradients, norm):
    tensors = [torch.as_tensor(gradient) for gradient in gradients]
    return [tensor * min(1.0, norm / float(tensor.norm())) for tensor in tensors]


def masked_scores(scores, mask):
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.softmax(scores, dim=-1)


@mistake("masked_scores", "the mask is read the wrong way round: true means that a place is seen")
def masked_the_other_way(scores, mask):
    if mask is not None:
        scores = scores.masked_fill(mask, float("-inf"))
    return torch.softmax(scores, dim=-1)


def kept_by_top_p(p, share):
    order = p.argsort(descending=True)
    before = p[order].cumsum(0) - p[order]
    return torch.zeros_like(p, dtype=torch.bool).index_put((order,), before < share)


@mistake("kept_by_top_p", "the word that reaches the share is left out")
def one_too_few(p, share):
    order = p.argsort(descending=True)
    return torch.zeros_like(p, dtype=torch.bool).index_put((order,), p[order].cumsum(0) < share)


def batch(tokens, starts, length):
    windows = torch.stack([tokens[start : start + length + 1] for start in starts])
    return windows[:, :-1], windows[:, 1:]
