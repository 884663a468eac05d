"""Optimisers and layers with a memory: what an object remembers from one step to the next."""

import torch

from autograder import Code, Module, Problem, case, do, drawn, number


class AdamW:
    """Adam with decoupled weight decay: in step t, for each parameter p with gradient g,

    m = b1 m + (1 - b1) g and v = b2 v + (1 - b2) g², from zeros; then p = p - rate * decay * p, and
    p = p - rate * (m / (1 - b1^t)) / (sqrt(v / (1 - b2^t)) + eps). A parameter without a gradient stays.
    """

    def __init__(self, parameters, rate=0.1, betas=(0.9, 0.99), eps=1e-8, decay=0.01):
        """Keep the parameters, a list of tensors."""

    def step(self):
        """Change the parameters in place, by their gradients."""

    def zero_grad(self):
        """Set the gradient of each parameter to None."""


class CosineSchedule:
    """A learning rate that rises in a line over `warmup` steps, then falls along half a cosine to 0 at `steps`."""

    def __init__(self, highest, warmup, steps):
        """Nothing is done yet: the first call of `next` is step 1."""

    def next(self):
        """The rate of the next step, a float; 0.0 after the last."""


class BatchNorm(torch.nn.Module):
    """Batch normalisation with running statistics.

    In training, each feature of x[B, size] has its mean over the batch taken off and is divided by the root of
    its variance (divided by B) plus `eps`; the buffers `mean` and `variance`, zeros and ones at first, become
    0.9 of what they were plus 0.1 of the batch's (there the variance is divided by B - 1). In evaluation the
    buffers are used, and stay. Then the result is multiplied by the parameter `weight` and `bias` is added.
    """

    def __init__(self, size, eps=1e-5):
        """Make `weight` of ones, `bias` of zeros, and the two buffers."""

    def forward(self, x):
        """x[B, size] keeps its shape."""


class LSTM(torch.nn.Module):
    """An LSTM without biases. Its parameters `W`, of shape [4*size, inputs], and `U`, of shape [4*size, size],
    have the rows of the gates i, f, o and then of the candidate g, `size` rows each.

    From h = c = 0: c = σ(f) c + σ(i) tanh(g) and h = σ(o) tanh(c), with i, f, o, g the rows of W x + U h.
    """

    def __init__(self, inputs, size):
        """Make `W` and `U`."""

    def forward(self, x):
        """x[T, B, inputs] becomes all states h, [T, B, size]."""


def clipped(gradients, most):
    """The gradients, all multiplied by one factor where their common norm is above `most`.

    returns list[Tensor]
    """


_TWO_STEPS = [
    do.gradient("w", "g[I, J]"),
    do.gradient("b", "k[J]"),
    do.method("step"),
    do.look("w"),
    do.gradient("w", "g2[I, J]"),
    do.method("step"),
    do.look("w"),
    do.look("b"),
]


def _some_gradients(rng, shapes, size, **others):
    return [torch.as_tensor(rng.standard_normal(shape) * size).float() for shape in shapes]


problem = Problem(
    title="Optimisers, and layers with a memory",
    source="our own",
    statement="What these objects do depends on what was done with them before.",
    parts=[
        Module(
            AdamW,
            points=4,
            cases=[
                case(
                    "two steps",
                    init=dict(parameters=[do.leaf("w[I, J]"), do.leaf("b[J]")]),
                    steps=_TWO_STEPS,
                    I=2,
                    J=3,
                ),
                case(
                    "a parameter without a gradient",
                    init=dict(parameters=[do.leaf("w[I]"), do.leaf("b[I]")], decay=0.5),
                    steps=[
                        do.gradient("w", "g[I]"),
                        do.method("step"),
                        do.method("zero_grad"),
                        do.look("w.grad"),
                        do.method("step"),
                        do.look("w"),
                        do.look("b"),
                    ],
                    I=3,
                ),
                case(
                    "other settings",
                    init=dict(
                        parameters=[do.leaf("w[I, J]"), do.leaf("b[J]")],
                        rate=0.01,
                        betas=(0.8, 0.9),
                        eps=0.1,
                        decay=0.3,
                    ),
                    steps=_TWO_STEPS,
                    I=3,
                    J=2,
                    hidden=True,
                    hint="the settings are those that the optimiser was made with",
                ),
            ],
        ),
        Module(
            CosineSchedule,
            points=2,
            cases=[
                case("four steps", init=dict(highest=1.0, warmup=2, steps=4), steps=[do.method("next")] * 6),
                case(
                    "a long warm-up",
                    init=dict(highest=0.3, warmup=5, steps=7),
                    steps=[do.method("next")] * 8,
                    hidden=True,
                    hint="the warm-up ends at the highest rate",
                ),
            ],
        ),
        Module(
            BatchNorm,
            points=3,
            cases=[
                case(
                    "two batches, then evaluation",
                    init=dict(size=3),
                    load={"weight": "w[size]", "bias": "b[size]"},
                    steps=[
                        do.train(),
                        do.call("x[B, size]"),
                        do.call("y[B, size]"),
                        do.get("mean"),
                        do.get("variance"),
                        do.evaluate(),
                        do.call("x"),
                        do.get("mean"),
                    ],
                    B=5,
                ),
                case("what is in its state", init=dict(size=2), steps=[do.shapes()]),
                case(
                    "a trained one",
                    init=dict(size=4),
                    load={"weight": "w[size]", "bias": "b[size]", "mean": "m[size]"},
                    steps=[do.evaluate(), do.call("x[B, size]")],
                    B=3,
                    hidden=True,
                    hint="mean and variance are buffers of these names",
                ),
                case(
                    "batches that hardly vary",
                    init=dict(size=3),
                    load={"weight": "w[size]", "bias": "b[size]"},
                    steps=[do.train(), do.call("x[B, size]"), do.get("variance")],
                    B=4,
                    scale=0.01,
                    hidden=True,
                    hint="eps is added to the variance, under the root",
                ),
            ],
        ),
        Module(
            LSTM,
            points=3,
            cases=[
                case(
                    "three steps", init=dict(inputs=2, size=3), load="all", call="x[T, B, inputs]", T=4, B=5
                ),
                case(
                    "and its gradients",
                    init=dict(inputs=3, size=2),
                    load="all",
                    steps=[do.call("x[T, B, inputs]"), do.backward("g[T, B, size]"), do.gradients()],
                    T=5,
                    B=1,
                    hidden=True,
                    hint="gradients flow through all earlier states",
                ),
            ],
        ),
        Code(
            clipped,
            points=1,
            draws={"gradients": drawn(_some_gradients), "most": number()},
            cases=[
                case("too long", shapes=[(2, 3), (4,)], size=3.0, most=1.0),
                case("short enough", shapes=[(2,), (1,)], size=0.01, most=1.0),
            ],
        ),
    ],
)
