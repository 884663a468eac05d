"""From scratch: numbers that know their derivatives, and a training run that can be taken up again."""

import torch

from autograder import Problem, Tests


class Value:
    """A number that remembers how it was made.

    `data` is the number, a float, and `grad` the derivative of the last result of `backward` by it, 0.0 before.
    """

    def __init__(self, data):
        """Keep the number."""

    def __add__(self, other):
        """The sum, a Value; `other` is a Value or a number."""

    def __mul__(self, other):
        """The product, a Value; `other` is a Value or a number."""

    def relu(self):
        """The number where it is positive, else 0, a Value."""

    def backward(self):
        """Set `grad` of this value to 1.0, and add to `grad` of every value it was made from its derivative."""


def save(model, optimiser, step):
    """The state of the model, of the optimiser and the number of the step as bytes, as a file would hold them."""


def load(model, optimiser, data):
    """Read them back from bytes, into this model and this optimiser; return the number of the step."""


def test_sums_and_products(names):
    """sums and products of values have the right numbers"""
    a, b = names.Value(2.0), names.Value(-3.0)
    assert (a * b + a).data == -4.0
    assert (a + 1).data == 3.0


def test_derivatives(names):
    """the derivatives of a * b + a are b + 1 and a"""
    a, b = names.Value(2.0), names.Value(-3.0)
    (a * b + a).backward()
    assert (a.grad, b.grad) == (-2.0, 2.0)


def test_a_value_that_is_used_twice(names):
    """a value that is used several times collects all its derivatives, each of them once"""
    a = names.Value(3.0)
    b = a * a
    (b * b + b).backward()
    assert b.grad == 19.0
    assert a.grad == 114.0


def test_relu(names):
    """relu lets derivatives through where the number is positive"""
    for number, slope in ((2.0, 5.0), (-2.0, 0.0)):
        a = names.Value(number)
        (a.relu() * 5).backward()
        assert a.grad == slope


def _begun(names, rate):
    model = names.Layer(3)
    return model, names.torch.optim.SGD(list(model.parameters()), lr=rate)


def test_a_model_comes_back(names):
    """weights, buffers and the step come back as they were saved, into another model"""
    model, optimiser = _begun(names, 0.5)
    other, rate = _begun(names, 0.1)
    before = model.weight
    for _ in range(2):
        model(torch.ones(1, 3))
    data = names.save(model, optimiser, 7)
    assert isinstance(data, bytes)
    assert names.load(other, rate, data) == 7
    assert torch.equal(other.weight, before)
    assert int(other.calls) == 2
    assert names.rate_of(rate) == 0.5


def test_two_runs_stay_apart(names):
    """what is saved does not change with the model, and another run does not write over it"""
    model, optimiser = _begun(names, 0.5)
    other, rate = _begun(names, 0.1)
    before = model.weight
    first, second = names.save(model, optimiser, 1), names.save(other, rate, 2)
    assert names.load(model, optimiser, second) == 2
    assert torch.equal(model.weight, other.weight)
    assert names.load(model, optimiser, first) == 1
    assert torch.equal(model.weight, before)


problem = Problem(
    title="From scratch",
    source="our own",
    statement="Two things that a framework does for you. `Layer` is given in the cell below.",
    given="given/layer.py",
    parts=[
        Tests(
            "derivatives",
            points=4,
            stubs=[Value],
            visible=[test_sums_and_products, test_derivatives],
            hidden=[test_a_value_that_is_used_twice, test_relu],
        ),
        Tests(
            "checkpoints",
            points=2,
            stubs=[save, load],
            visible=[test_a_model_comes_back],
            hidden=[test_two_runs_stay_apart],
        ),
    ],
)
