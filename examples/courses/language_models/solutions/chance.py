"""Answers to chance and training."""

import torch

from autograder import mistake


def dropout(x, chance):
    return torch.where(torch.rand_like(x) < chance, torch.zeros_like(x), x / (1 - chance))


@mistake("dropout", "what is kept is to be divided by 1 - chance")
def kept_as_it_is(x, chance):
    return x * (torch.rand_like(x) >= chance)


@mistake("dropout", "chance is that of being dropped")
def keeps_with_that_chance(x, chance):
    return torch.where(torch.rand_like(x) < chance, x / (1 - chance), torch.zeros_like(x))


def sample(p, share, n):
    order = p.argsort(descending=True)
    before = p[order].cumsum(0) - p[order]
    kept = order[before < share]
    return kept[torch.multinomial(p[kept], n, replacement=True)]


@mistake("sample", "the word that reaches the share is kept")
def one_word_short(p, share, n):
    order = p.argsort(descending=True)
    kept = order[p[order].cumsum(0) < share]
    return kept[torch.multinomial(p[kept], n, replacement=True)]


@mistake("sample", "all words are drawn: keep the most likely ones")
def from_all_words(p, share, n):
    return torch.multinomial(p, n, replacement=True)


def batch(tokens, size, length):
    starts = torch.randint(len(tokens) - length, (size,))
    inputs = torch.stack([tokens[start : start + length] for start in starts])
    targets = torch.stack([tokens[start + 1 : start + 1 + length] for start in starts])
    return inputs, targets


@mistake("batch", "the last window is never drawn")
def last_place_left_out(tokens, size, length):
    starts = torch.randint(len(tokens) - length - 1, (size,))
    inputs = torch.stack([tokens[start : start + length] for start in starts])
    targets = torch.stack([tokens[start + 1 : start + 1 + length] for start in starts])
    return inputs, targets


def trained(x, y, steps):
    w, b = torch.zeros(x.shape[1]), torch.zeros(())
    for _ in range(steps):
        error = x @ w + b - y
        w, b = w - 0.1 * 2 * x.T @ error / len(y), b - 0.1 * 2 * error.mean()
    return w, b


@mistake("trained", "b is never trained")
def without_a_bias(x, y, steps):
    w = torch.zeros(x.shape[1])
    for _ in range(steps):
        w = w - 0.1 * 2 * x.T @ (x @ w - y) / len(y)
    return w, torch.zeros(())


def losses(x, y, steps):
    w, b, found = torch.zeros(x.shape[1]), torch.zeros(()), []
    for _ in range(steps):
        error = x @ w + b - y
        found.append(float((error * error).mean()))
        w, b = w - 0.1 * 2 * x.T @ error / len(y), b - 0.1 * 2 * error.mean()
    return found
