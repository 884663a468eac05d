"""Answers to byte_pairs."""

from collections import Counter
from itertools import pairwise

import torch

from autograder import mistake

UNKNOWN: int = -1


class _Pairs(Counter):
    """Neighbouring tokens, counted."""

    def __init__(self, tokens):
        super().__init__(pairwise(tokens))

    def best(self):
        return max(self, key=lambda pair: (self[pair], pair))


def _merged(tokens, pair):
    out = []
    for token in tokens:
        if out and not isinstance(out[-1], tuple) and (out[-1], token) == pair:
            out[-1] = (pair[0] + pair[1],)
        else:
            out.append(token)
    return [token[0] if isinstance(token, tuple) else token for token in out]


def train_merges(corpus, steps):
    tokens = [bytes([byte]) for byte in corpus.encode()]
    merges = []
    for _ in range(steps):
        pairs = _Pairs(tokens)
        if not pairs:
            break
        merges.append(pairs.best())
        tokens = _merged(tokens, merges[-1])
    return merges


@mistake("train_merges", "of pairs that occur as often, you take the first that is met, not the largest")
def first_of_a_tie(corpus, steps):
    tokens = [bytes([byte]) for byte in corpus.encode()]
    merges = []
    for _ in range(steps):
        pairs = _Pairs(tokens)
        if not pairs:
            break
        merges.append(max(pairs, key=lambda pair: pairs[pair]))
        tokens = _merged(tokens, merges[-1])
    return merges


def encode(words, merges):
    tokens = [bytes([byte]) for byte in words.encode()]
    for pair in merges:
        tokens = _merged(tokens, pair)
    return tokens


@mistake("encode", "the merges are applied in the wrong order: the first that was learned comes first")
def last_merge_first(words, merges):
    return encode(words, merges[::-1])


def decode(tokens):
    return b"".join(tokens).decode(errors="replace")


@mistake("decode", "each token is decoded by itself: a letter may lie in two of them")
def token_by_token(tokens):
    return "".join(token.decode(errors="replace") for token in tokens)


def token_counts(tokens):
    return dict(Counter(tokens))


def token_ids(words, vocabulary):
    return torch.tensor([vocabulary.get(word, UNKNOWN) for word in words])
