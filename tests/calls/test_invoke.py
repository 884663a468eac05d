"""A function is called with gradients: they are those that torch gives where directions are handed to it."""

from __future__ import annotations

import subprocess
import sys

import pytest
import torch

from autograder.calls.invoke import invoke

FUNCTIONS = {
    "a power": lambda x: x**2,
    "two results of two dtypes": lambda x: (2 * x, (x**3).double()),
    "a complex result": lambda x: torch.exp(1j * x),
    "a result of infinities": lambda x: 1 / (0 * x),
    "no entries": lambda x: x[:0],
}


@pytest.mark.parametrize("function", FUNCTIONS.values(), ids=FUNCTIONS)
def test_gradients_are_those_along_the_directions(function):
    x = torch.tensor([0.5, -1.5, 2.0], requires_grad=True)
    value = function(x)
    outputs = list(value) if isinstance(value, tuple) else [value]
    along = [torch.linspace(-1, 2, output.numel()) for output in outputs]
    want = torch.autograd.grad(outputs, [x], [d.to(o.dtype) for d, o in zip(along, outputs, strict=True)])
    got = invoke(function, lambda: [x.detach().clone()], [0], along).grads
    assert torch.equal(got[0].nan_to_num(7), want[0].nan_to_num(7))


def test_asking_for_gradients_imports_nothing_more():
    code = """if True:
        import sys, torch
        from autograder.calls.invoke import invoke
        before = set(sys.modules)
        invoke(lambda x: x * 2, lambda: [torch.ones(2)], [0], [torch.ones(2)])
        print({name.split(".")[0] for name in sys.modules.keys() - before})"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
