"""A transformer: a whole language model, known by the names of its weights, and its loss."""

import torch

from autograder import Code, Module, Problem, case, do, whole


class LanguageModel(torch.nn.Module):
    """A small language model: word vectors, blocks, a last norm, and scores for every word.

    Its state has these names and shapes:

    - `embedding`, of shape [words, size], and `positions`, of shape [context, size], added to one another;
    - for each block n, `blocks.n.norm`, of shape [size], `blocks.n.mix` and `blocks.n.out`, of shape
      [size, size];
    - `norm`, of shape [size], and `head`, of shape [words, size].

    A block gives x + sigmoid(mean(n(x) mixᵀ)) outᵀ, where n(x) = norm * x / root of the mean of x² (add 1e-5
    inside the root), and the mean at a place runs over this place and all earlier ones, never over later ones.
    The scores are n(x) headᵀ, with the last `norm`.
    """

    def __init__(self, words, size, context, blocks):
        """Make all parameters; `blocks` is how many blocks there are."""

    def forward(self, ids):
        """Word numbers ids[B, T] become scores [B, T, words]."""


def cross_entropy(scores, targets):
    """The mean of -ln softmax(scores)[target] over all places.   scores[..., W]   targets[...]   returns []"""


problem = Problem(
    title="A transformer",
    source="our own",
    statement="A model is right when another's weights, loaded by name, give that model's scores.",
    parts=[
        Module(
            LanguageModel,
            points=5,
            draws={"ids": whole("words")},
            cases=[
                case(
                    "the names of its state",
                    init=dict(words=7, size=4, context=6, blocks=2),
                    steps=[do.shapes()],
                    costs=0.5,
                ),
                case(
                    "two blocks",
                    init=dict(words=7, size=4, context=6, blocks=2),
                    load="all",
                    call="ids[B, T]",
                    B=2,
                    T=5,
                ),
                case(
                    "small weights",
                    init=dict(words=6, size=4, context=5, blocks=3),
                    load="all",
                    call="ids[B, T]",
                    B=3,
                    T=4,
                    scale=0.1,
                    hidden=True,
                    hint="nothing but the norm scales what is carried from block to block",
                ),
                case(
                    "gradients of all weights",
                    init=dict(words=5, size=3, context=4, blocks=1),
                    load="all",
                    steps=[do.call("ids[B, T]"), do.backward("g[B, T, words]"), do.gradients()],
                    B=2,
                    T=4,
                    hidden=True,
                    hint="every weight takes part in the scores",
                ),
            ],
        ),
        Code(
            cross_entropy,
            points=2,
            draws={"targets": whole("W")},
            cases=[
                case("one place", W=5),
                case("lines of words", lead=(2, 3), W=7, grad=["scores"]),
                case(
                    "large scores",
                    lead=(4,),
                    W=6,
                    scale={"scores": 100},
                    hidden=True,
                    hint="take the largest score out before exponentials",
                ),
            ],
        ),
    ],
)
