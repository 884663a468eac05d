"""Paths through a recurrent network: how far a word is from another, and what is left of its gradient."""

from autograder import Code, Growth, Problem, case, double_precision, normal, views


def rnn_jacobian(h0, x, W, U, b):
    """The Jacobian of the last state by the first: entry [i, j] is d h_T[i] / d h_0[j].

    h0[J]  x[T, I]  W[J, J]  U[J, I]  b[J]   with h_t = tanh(W h_{t−1} + U x_t + b)
    returns [J, J]
    """


STATEMENT = r"""
A recurrent network reads a sentence one word at a time. Its state $h_t$, a vector of size $J$, is made of the
state before it and of the word $x_t$, a vector of size $I$:

$$\begin{aligned}
z_t &= W\, h_{t-1} + U\, x_t + b \\
h_t &= \tanh(z_t) \qquad t = 1, \dots, T
\end{aligned}$$

Here $W$ is $J \times J$, $U$ is $J \times I$, and $h_0$ is given. Whatever the network knows of an early word at
a late one has been handed on from state to state; there is no shorter way.

![A chain of states from the word keys to the word were, seven words later; above it the same chain backwards,
where each link multiplies the gradient by one matrix](figures/rnn_paths.svg)

**The gradient takes the same way back.** For numbers, $h = f(z)$ gives
$\frac{\partial s}{\partial z} = \frac{\partial s}{\partial h}\, f'(z)$. For vectors each step is a matrix, the
*Jacobian* of the step, and since $\tanh'(z) = 1 - \tanh^2(z)$,

$$\frac{\partial h_t}{\partial h_{t-1}} = \operatorname{diag}(1 - h_t^2)\; W ,
\qquad
\frac{\partial h_T}{\partial h_0} = \underbrace{\operatorname{diag}(1 - h_T^2)\, W}_{\text{last step}}
\;\cdots\; \underbrace{\operatorname{diag}(1 - h_1^2)\, W}_{\text{first step}} .$$

Squares are taken entry by entry, and $\operatorname{diag}(v)$ is the matrix with $v$ on its diagonal. Matrices do
not commute: the last step stands on the left. Entry $[i, j]$ of the result is
$\partial h_T[i] / \partial h_0[j]$.

**Vanishing or exploding?** That depends on the factors. Where each of them shrinks vectors, the product fades
exponentially with the length of the path; where they stretch vectors, it grows exponentially instead.

**By hand.** One unit, one input, two steps: $J = I = 1$, $T = 2$, with $U = 1$, $b = 0$, $h_0 = 0$ and $W = 2$.
Take $x_1 = \tfrac12 \ln 3$, for which $h_1 = \tanh(\tfrac12 \ln 3) = \tfrac12$, and $x_2 = \tfrac12 \ln 3 - 1$: then
$z_2 = 2 \cdot \tfrac12 + x_2 = \tfrac12 \ln 3$, and $h_2 = \tfrac12$ again. Each step contributes
$(1 - \tfrac14) \cdot 2 = 1.5$, so $\partial h_2 / \partial h_0 = 1.5 \cdot 1.5 = 2.25$: this path stretches. With
states of the same size and $W = 1$, a step contributes $0.75$, and after twenty steps $0.75^{20} \approx 0.003$
is left.
"""

problem = Problem(
    title="Paths in a recurrent network",
    source="COMP3361, week 4: recurrent networks and vanishing gradients",
    statement=STATEMENT,
    parts=[
        Growth(
            "interaction_steps",
            points=2,
            variables=["N"],
            words={"N": "distance, number of words, number of positions"},
            measures="rnn_jacobian",
            sizes={"T": "N"},
            ask=r"""Two words stand $N$ positions apart. How many steps of the recurrence lie between them before the first can
have any effect on what the network makes of the second? Give the growth in $N$, as text such as `"O(n log n)"`.""",
        ),
        Code(
            rnn_jacobian,
            points=6,
            draws={"W": normal(0.7), "U": normal(0.5), "b": normal(0.5)},
            ask=r"""Write the Jacobian $\partial h_T / \partial h_0$ as a torch function. Multiply the factors, or let torch
differentiate for you: any way that gives the matrix is fine.""",
            cases=[
                case("three steps", T=3, J=4, I=2),
                case("a single step", T=1, J=2, I=3),
                case(
                    "a longer sequence",
                    T=7,
                    J=5,
                    I=3,
                    hidden=True,
                    hint="every step contributes diag(1 − h_t²) W, with the last step on the left",
                ),
                case(
                    "as many inputs as states",
                    T=2,
                    J=3,
                    I=3,
                    hidden=True,
                    hint="check which matrix meets the state (W) and which the input (U)",
                ),
                case(
                    "a single unit",
                    T=5,
                    J=1,
                    I=2,
                    hidden=True,
                    hint="with one unit the Jacobian is a 1 by 1 matrix: the product of (1 − h_t²) w over the steps",
                ),
                double_precision(
                    T=4, J=3, I=5, hint="keep the dtype of the input: an identity matrix should take h0.dtype"
                ),
                views(T=3, J=5, I=4, hint="the inputs need not be contiguous"),
            ],
        ),
    ],
)
