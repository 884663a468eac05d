"""Layers: the parts of a transformer, each a class with weights of its own."""

import torch

from autograder import Code, Module, Problem, booleans, case, do, optional, whole


class Linear(torch.nn.Module):
    """A linear map without a bias: its parameter `weight` has one row for each output."""

    def __init__(self, inputs, outputs):
        """Make `weight`, of shape [outputs, inputs]."""

    def forward(self, x):
        """x[..., inputs] becomes [..., outputs]."""


class Embedding(torch.nn.Module):
    """A vector for each word: the rows of its parameter `weight`, of shape [words, size]."""

    def __init__(self, words, size):
        """Make `weight`."""

    def forward(self, ids):
        """Word numbers ids[...] become vectors [..., size]."""


class RMSNorm(torch.nn.Module):
    """Divide by the root of the mean of the squares over the last axis, `eps` added to that mean; then
    multiply by the parameter `weight`, of shape [size]."""

    def __init__(self, size, eps=1e-5):
        """Make `weight`, of ones."""

    def forward(self, x):
        """x[..., size] keeps its shape."""


class SwiGLU(torch.nn.Module):
    """`down (silu(gate x) * (up x))`, where silu(z) is z times its sigmoid. Its parameters are `gate` and `up`,
    of shape [hidden, size], and `down`, of shape [size, hidden]."""

    def __init__(self, size, hidden):
        """Make `gate`, `up` and `down`."""

    def forward(self, x):
        """x[..., size] keeps its shape."""


def rotated(x, positions):
    """Rotary embedding: at position p, the pair x[2i], x[2i+1] is turned by the angle p * 10000^(-2i/D).

    x[..., T, D]   positions[T]   returns [..., T, D]
    """


def rotary_scores(q, k, positions):
    """The scores q·k of every pair of words, after q and k were rotated.   q[T, D]   k[T, D]   positions[T]
    returns [T, T]
    """


class Attention(torch.nn.Module):
    """Attention of several heads, scaled by the root of a head's size. Its parameters `q`, `k`, `v` and `out` are
    of shape [size, size]; the rows of the first three belong to the heads in their order."""

    def __init__(self, size, heads):
        """Make `q`, `k`, `v` and `out`."""

    def forward(self, x, mask=None):
        """x[B, T, size] keeps its shape. Where mask[T, T] is false, a row's word does not look at a column's."""


problem = Problem(
    title="Layers",
    source="our own",
    statement="Each layer is a class: it makes its parameters, and says what it does with an input.",
    parts=[
        Module(
            Linear,
            points=1,
            cases=[
                case(
                    "a batch",
                    init=dict(inputs=4, outputs=5),
                    load={"weight": "W[outputs, inputs]"},
                    call="x[B, inputs]",
                    B=3,
                ),
                case(
                    "two leading axes, and the gradient",
                    init=dict(inputs=3, outputs=2),
                    load={"weight": "W[outputs, inputs]"},
                    steps=[do.call("x[B, T, inputs]"), do.backward("g[B, T, outputs]"), do.gradients()],
                    B=2,
                    T=5,
                ),
                case(
                    "what is registered",
                    init=dict(inputs=6, outputs=2),
                    steps=[do.shapes()],
                    hidden=True,
                    hint="weight is a torch.nn.Parameter, and there is no other",
                ),
            ],
        ),
        Module(
            Embedding,
            points=1,
            draws={"ids": whole("words")},
            cases=[
                case(
                    "two lines",
                    init=dict(words=7, size=3),
                    load={"weight": "W[words, size]"},
                    call="ids[B, T]",
                    B=2,
                    T=4,
                ),
            ],
        ),
        Module(
            RMSNorm,
            points=2,
            cases=[
                case("a batch", init=dict(size=5), load={"weight": "w[size]"}, call="x[B, size]", B=3),
                case("as it is made", init=dict(size=4), call="x[B, size]", B=2),
                case(
                    "small numbers",
                    init=dict(size=4, eps=0.1),
                    load={"weight": "w[size]"},
                    call="x[B, size]",
                    B=2,
                    scale={"x": 0.01},
                    hidden=True,
                    hint="eps is added to the mean, inside the root",
                ),
            ],
        ),
        Module(
            SwiGLU,
            points=2,
            cases=[
                case("a batch", init=dict(size=4, hidden=6), load="all", call="x[B, size]", B=3),
                case(
                    "double precision",
                    init=dict(size=3, hidden=5),
                    load="all",
                    call="x[B, T, size]",
                    B=2,
                    T=4,
                    dtype="float64",
                    hidden=True,
                    hint="make no tensor of another precision",
                ),
            ],
        ),
        Code(
            rotated,
            points=3,
            draws={"positions": whole(50)},
            cases=[
                case("a line of words", T=5, D=6),
                case("several lines in several batches", lead=(2, 3), T=4, D=8),
                case("one pair", lead=(3,), T=4, D=2, hidden=True, hint="the first pair turns by p itself"),
            ],
        ),
        Code(
            rotary_scores,
            points=1,
            draws={"positions": whole(50)},
            after="rotated",
            cases=[
                case("five words", T=5, D=6, grad=["q"]),
                case("other words", T=3, D=4, hidden=True, hint="rotate both"),
            ],
        ),
        Module(
            Attention,
            points=3,
            draws={"mask": optional(booleans(0.7))},
            cases=[
                case("two heads", init=dict(size=6, heads=2), load="all", call="x[B, T, size]", B=2, T=4),
                case(
                    "with a mask",
                    init=dict(size=6, heads=3),
                    load="all",
                    call=["x[B, T, size]", torch.ones(5, 5).tril().bool()],
                    B=2,
                    T=5,
                ),
                case(
                    "another mask",
                    init=dict(size=4, heads=2),
                    load="all",
                    call=["x[B, T, size]", torch.eye(3).bool()],
                    B=1,
                    T=3,
                    hidden=True,
                    hint="the mask is for rows and columns of the scores, the same in every head",
                ),
            ],
        ),
    ],
)
