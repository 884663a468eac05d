"""A sheet of short questions: sizes of tensors, counts of parameters, step sizes, entropies."""

from autograder import Choice, Interval, Matrix, Number, Order, Problem, Select, Shape

STATEMENT = r"""
A convolution with kernel size $k$, stride $s$ and padding $p$ turns $n$ positions into
$\lfloor (n + 2p - k)/s \rfloor + 1$. Gradient descent with step size $\eta$ on $f(x) = \tfrac{\lambda}{2} x^2$ does
$x \leftarrow x - \eta \lambda x$. The entropy of a distribution is $H(p) = -\sum_i p_i \ln p_i$, in nats.
"""

problem = Problem(
    title="Sizes and steps",
    source="our own",
    statement=STATEMENT,
    parts=[
        Shape(
            "first_layer",
            points=1,
            ask="A batch of $B$ images of $3 \\times 224 \\times 224$ goes through 64 kernels of size 7 with stride 2 "
            "and padding 3. What is the shape of the result?",
            variables=["B"],
        ),
        Number(
            "first_layer_parameters", points=1, ask="How many parameters has that layer, biases included?"
        ),
        Number(
            "coin_entropy",
            points=1,
            ask="What is the entropy of a coin that shows heads with probability 0.3, in nats, to three digits?",
            tolerance=0.001,
            unit="nats",
        ),
        Matrix(
            "chain",
            points=1,
            ask="With $W_1 = \\begin{pmatrix} 1 & 2 \\\\ 0 & 1 \\end{pmatrix}$ and "
            "$W_2 = \\begin{pmatrix} 0 & 1 \\\\ 1 & 2 \\end{pmatrix}$, what is the Jacobian of $x \\mapsto W_2 W_1 x$?",
        ),
        Interval(
            "stable_steps",
            points=1,
            ask="For which $\\eta$ does gradient descent converge to 0 from every start?",
            variable="η",
            variables=["λ"],
        ),
        Select(
            "keeps_the_mean",
            points=1,
            ask="Which of these leave the mean of the features of each example as it is, whatever it was?",
            options={
                "a": "layer norm without scale and shift",
                "b": "subtracting the mean over the batch from each feature",
                "c": "permuting the features",
                "d": "inverted dropout, at evaluation",
            },
        ),
        Order(
            "training_step",
            points=1,
            ask="Put one step of training in order.",
            options={
                "a": "loss.backward()",
                "b": "optimizer.step()",
                "c": "loss = criterion(model(x), y)",
                "d": "optimizer.zero_grad()",
            },
        ),
        Choice(
            "dropout_in_evaluation",
            points=1,
            ask="True or false: in `model.eval()` a dropout layer does nothing.",
            options={"true": "it does nothing", "false": "it still drops units"},
        ),
    ],
)
