"""A sheet of formulas: activations, probabilities, matrices, sums."""

from autograder import Derivation, Formula, Problem

STATEMENT = r"""
The logistic function is $\sigma(x) = 1/(1 + e^{-x})$. For events, $P(A \mid B)$ is the probability of $A$ given $B$.
"""

problem = Problem(
    title="Functions and chances",
    source="our own",
    statement=STATEMENT,
    parts=[
        Formula(
            "sigmoid_slope",
            points=1,
            ask="What is the derivative of $\\sigma(x)$, in terms of $\\sigma(x)$?",
            variables=[],
            reals=["x"],
        ),
        Formula(
            "bayes",
            points=1,
            ask="Write $P(A \\mid B)$ by $P(B \\mid A)$, $P(A)$ and $P(B)$.",
            variables=["A", "B"],
            functions=["P"],
            defines="P(A|B)",
        ),
        Formula(
            "quadratic_gradient",
            points=1,
            ask="What is the gradient of $x^\\top A x$ with respect to $x$, as a column?",
            variables=[],
            matrices=["A"],
            vectors=["x"],
        ),
        Formula(
            "output_length",
            points=1,
            ask="How many outputs has a convolution of $K$ wide windows with stride $S$ over $N$ positions, unpadded?",
            variables=["N", "K", "S"],
        ),
        Formula(
            "eigenvalues",
            points=1,
            ask="Which eigenvalues has $\\begin{pmatrix} 2 & 1 \\\\ 1 & 2 \\end{pmatrix}$?",
            variables=[],
            unordered=True,
        ),
        Formula(
            "softmax_entry",
            points=1,
            ask="Entry $i$ of the softmax of $z_1, \\dots, z_K$.",
            variables=["K", "i"],
            reals=["z"],
        ),
        Derivation(
            "tanh_by_sigmoid",
            points=3,
            ask="Show, one step a line, that $\\tanh(x)$ is $2 \\sigma(2x) - 1$; begin with $\\tanh(x)$.",
            reals=["x"],
            steps=2,
        ),
    ],
)
