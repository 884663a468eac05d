"""An alternating RNN: a recurrent unit without weights, whose answer can be written down in one line."""

from autograder import Choice, Code, Equation, Problem, Tensor, case, double_precision, positive


def alternating_rnn(X, H0):
    """The output of the unit after the last input.

    X[T]   the inputs, one number a time step; T is even
    H0[]   the state before the first input
    returns []: a single number, sigmoid(1000·H_T)
    """


STATEMENT = r"""
A recurrent unit reads one number at a time. Its state is the input minus the state before, and its output at the
last step is a very steep sigmoid of the state:

$$\begin{aligned}
H_t &= X_t - H_{t-1}, \qquad t = 1, \dots, T \\
Y_T &= \text{sigmoid}(1000\, H_T), \qquad \text{sigmoid}(x) = \frac{1}{1 + e^{-x}}
\end{aligned}$$

The length $T$ is **even**, and the first state $H_0$ is given; it need not be zero. There is nothing to learn in this
unit: the question is what it computes.

![Four inputs and five states in a row: each state is the input above it minus the state to its left, and the last state
goes into the sigmoid](figures/alternating_rnn.svg)

**By hand.** Let $T = 2$, $X = (3, 5)$ and $H_0 = 1$. Then $H_1 = 3 - 1 = 2$, $H_2 = 5 - 2 = 3$, and
$Y_2 = \text{sigmoid}(3000)$, which is 1 to every digit a computer keeps. With $X = (0.003, 0.005)$ and $H_0 = 0.001$
all states are a thousand times smaller: $H_2 = 0.003$, and $Y_2 = \text{sigmoid}(3) = 0.953$.

**How to write.** Positions count from 1 in the mathematics: the inputs are $X_1, \dots, X_T$, typed `X_t` or `X_{2i}`
(the code counts from 0: $X_1$ is `X[0]`). A sum with limits is typed `sum_{i=1}^{T/2} …`, the function `sigmoid(…)`, the
first state `H_0`.
"""

problem = Problem(
    title="An alternating RNN",
    source="a deep-learning homework, 2024, question 1",
    statement=STATEMENT,
    parts=[
        Code(
            alternating_rnn,
            points=4,
            ask="""Write the unit: read all inputs, return the output after the last one. A loop over time is fine; so is the closed
form of the next question.""",
            # Most inputs are tiny: with ordinary ones the sigmoid is 0 or 1, and half of all wrong functions are right
            # by luck. The visible cases are the same for all students and have states of both signs.
            draws={"H0": positive(0.3, 1.0)},
            cases=[
                case("six tiny inputs", T=6, scale=6e-4),
                case("two inputs", T=2, scale=8e-4),
                case("the sigmoid saturates", T=6),
                double_precision("X", T=8, scale=0.0005),
                case(
                    "ten inputs",
                    T=10,
                    scale=4e-4,
                    hidden=True,
                    hint="follow the signs for T = 2 and T = 4 by hand: which inputs count as plus, which as minus?",
                ),
                case(
                    "four inputs and a state of the same size",
                    T=4,
                    scale={"X": 5e-4, "H0": 3e-3},
                    hidden=True,
                    hint="H_0 need not be zero: where does it end up in H_T, and with which sign?",
                ),
                case(
                    "a large initial state",
                    T=4,
                    scale={"X": 5e-4, "H0": 2.0},
                    costs=0.25,
                    hidden=True,
                    hint="exp of a large number overflows, and inf/inf is NaN: use torch.sigmoid",
                ),
                case(
                    "inputs that are a view of a larger tensor, and gradients",
                    T=6,
                    scale=5e-4,
                    layout="strided",
                    grad=["X"],
                    costs=0.25,
                    hidden=True,
                    hint="the input need not be contiguous, and training needs gradients through the unit",
                ),
            ],
        ),
        Equation(
            "final_output",
            points=3,
            ask=r"""Give $Y_T$ in closed form: from the inputs $X_1, \dots, X_T$ and $H_0$ alone, without any other state. $T$ is
even.""",
            tensors=[
                Tensor("Y_T", []),
                Tensor("X", ["T"]),
                Tensor("H_0", []),
            ],
            sizes={"T": "4 + 2*R"},
            ranges={"T": "1..T"},
        ),
        Choice(
            "meaning",
            points=2,
            ask=r"""The inputs are whole numbers and $H_0 = 0$. What does the output decide, for the sequence as a whole?""",
            options={
                "A": "1 if the inputs at even positions (2, 4, …) sum to more than those at odd positions, 0 if to less, 1/2 if the sums are equal",
                "B": "1 if the inputs at odd positions (1, 3, …) sum to more than those at even positions, 0 if to less, 1/2 if the sums are equal",
                "C": "1 if all inputs together have a positive sum, 0 if a negative one, 1/2 if they sum to zero",
                "D": "1 if the last input is larger than the one before it, 0 if smaller, 1/2 if they are equal",
                "E": "1 if the sequence holds more even than odd numbers, 0 if fewer, 1/2 if as many",
                "F": "1 if the inputs at even positions sum to at least as much as those at odd positions, 0 otherwise",
            },
        ),
    ],
)
