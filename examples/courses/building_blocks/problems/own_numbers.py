"""A sheet of one's own: a convolution whose numbers differ from student to student."""

from autograder import Code, Number, Problem, Shape, case, number, one_of


def rotate(x, by):
    """Each row of x moved `by` positions to the right; what falls off comes back in front.

    x[B, N]   returns [B, N]
    """


problem = Problem(
    title="A convolution of your own",
    source="our own",
    varies={"K": one_of(3, 5, 7), "C": one_of(32, 64), "N": one_of(28, 56, 112)},
    statement=r"""
A convolution with {C} kernels of ${K} \times {K}$, stride 1 and no padding, with biases, reads images of
$3 \times {N} \times {N}$.
""",
    parts=[
        Number("parameters", points=1, ask="How many parameters has it?"),
        Shape(
            "output",
            points=1,
            ask="What is the shape of its result for a batch of $B$ images?",
            variables=["B"],
        ),
        Code(
            rotate,
            points=1,
            ask="A window that wraps around: move every row by {K} positions.",
            draws={"by": number()},
            cases=[
                case("your shift", B=2, N=9, by="{K}"),
                case("a longer row", B=3, N=13, by="{K}", grad=["x"]),
                case(
                    "the whole way round",
                    B=4,
                    N="{K}",
                    by="{K}",
                    hidden=True,
                    hint="moved by its length a row is as it was",
                ),
            ],
        ),
    ],
)
