"""Training tools: what stands around a model while it learns."""

from autograder import Code, Problem, booleans, case, given, number, optional, probabilities, whole


def cosine_rate(step, warmup, steps, highest):
    """The learning rate at a step: up in a line over the warm-up, then down half a cosine to 0 at `steps`.

    returns float
    """


def clipped(gradients, norm):
    """The gradients, all multiplied by one factor where their common norm is above `norm`.

    returns list[Tensor]
    """


def masked_scores(scores, mask):
    """Attention weights: softmax over the last axis, where the mask is true; without a mask everywhere.

    scores[T, S]   mask[T, S]   returns [T, S]
    """


def kept_by_top_p(p, share):
    """True for the fewest most likely words whose chances add up to at least `share`.   p[W]   returns [W]"""


def batch(tokens, starts, length):
    """Inputs and targets: `length` tokens from each start on, and the same one place later.

    tokens[N]   starts[B]   returns (inputs[B, L], targets[B, L])
    """


problem = Problem(
    title="Training tools",
    source="our own",
    statement="Five small functions that every training loop needs.",
    parts=[
        Code(
            cosine_rate,
            points=2,
            draws={name: number() for name in ("step", "warmup", "steps", "highest")},
            cases=[
                case("warming up", step=3, warmup=10, steps=100, highest=0.1),
                case("half-way down", step=55, warmup=10, steps=100, highest=0.1),
                case("at the end", step=100, warmup=10, steps=100, highest=0.1),
            ],
        ),
        Code(
            clipped,
            points=2,
            draws={"gradients": given(), "norm": number()},
            cases=[
                case("too long", gradients=[[3.0, 0.0], [0.0, 4.0, 0.0]], norm=1.0),
                case("short enough", gradients=[[0.1], [0.2]], norm=1.0),
            ],
        ),
        Code(
            masked_scores,
            points=2,
            draws={"mask": optional(booleans(0.8))},
            cases=[
                case("with a mask", T=3, S=4, mask=True),
                case("many places", T=5, S=7, mask=True),
                case("without one", T=2, S=5, mask=None),
            ],
        ),
        Code(
            kept_by_top_p,
            points=2,
            draws={"p": probabilities(), "share": number()},
            cases=[
                case("half", W=7, share=0.5),
                case("most", W=30, share=0.9),
                case("a little", W=60, share=0.1),
                case("two thirds", W=40, share=0.667),
                *(case(f"{words} words", W=words, share=0.5) for words in (5, 6, 8, 9, 11, 13)),
            ],
        ),
        Code(
            batch,
            points=1,
            draws={"tokens": whole(100), "starts": whole("N - L"), "length": number()},
            cases=[case("two windows", N=12, B=2, L=4, length=4), case("long", N=30, B=3, L=8, length=8)],
        ),
    ],
)
