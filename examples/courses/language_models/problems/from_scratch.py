"""From scratch: numbers that know their derivatives, and a training run that can be taken up again."""

import pytest
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


def save(model, optimiser, step, path):
    """Write the model, the optimiser and the number of the step to a file."""


def load(model, optimiser, path):
    """Read them back, into this model and this optimiser; return the number of the step."""


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


def test_a_model_comes_back(names):
    """weights and buffers come back as they were saved, into another model"""
    model, other = names.Layer(3), names.Layer(3)
    before = model.weight
    for _ in range(2):
        model(torch.ones(1, 3))
    names.save(model, names.torch.optim.SGD(list(model.parameters()), lr=0.5), 7, "run.pt")
    rate = names.torch.optim.SGD(list(other.parameters()), lr=0.1)
    assert names.load(other, rate, "run.pt") == 7
    assert torch.equal(other.weight, before)
    assert int(other.calls) == 2
    assert names.rate_of(rate) == 0.5


def test_a_file_that_is_not_there(names):
    """a file that is not there raises FileNotFoundError"""
    model = names.Layer(2)
    optimiser = names.torch.optim.SGD(list(model.parameters()), lr=0.5)
    names.save(model, optimiser, 3, "there.pt")
    assert names.load(model, optimiser, "there.pt") == 3
    with pytest.raises(FileNotFoundError):
        names.load(model, optimiser, "nowhere.pt")


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
            hidden=[test_a_file_that_is_not_there],
        ),
    ],
)
