"""The steps of a case with an object: `do.call("x[B, i]")`, `do.method("step")`, `do.gradients()`.

An argument is any plain value. A text such as "x[B, i]" is a tensor of that shape, drawn for the case and
known as x from then on; the bare name of one, or of a draw of the part, stands for it. `leaf` draws one that
collects gradients, `text` is a text whatever it looks like.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

# The verbs whose results are compared with the reference's.
COMPARED = frozenset({"call", "method", "get", "look", "parameters", "gradients", "state", "shapes"})


@dataclass(frozen=True)
class Do:
    """One step: what is done to the object of a case, and with what."""

    verb: str
    name: str = ""
    args: tuple[object, ...] = ()
    named: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class Leaf:
    """A drawn tensor that is handed over itself, to be looked at again: one that collects gradients, or not.

    With `grad` it has a drawn gradient already.
    """

    spec: str
    collects: bool = True
    grad: bool = False


@dataclass(frozen=True)
class TextGiven:
    """A text that is no name of anything drawn."""

    value: str


def leaf(spec: str, *, grad: bool = False) -> Leaf:
    """A drawn tensor that collects gradients: a parameter for an optimiser, leaf("w[I, J]").

    With `grad=True` it has a gradient from the start, for a function that scales gradients.
    """
    return Leaf(spec, grad=grad)


def kept(spec: str) -> Leaf:
    """A drawn tensor that is changed in place, kept("out[I]"): look at it again with look("out")."""
    return Leaf(spec, collects=False)


def text(value: str) -> TextGiven:
    """This very text, also where it is the name of a tensor."""
    return TextGiven(value)


def call(*args: object, **named: object) -> Do:
    """Call the object itself: the forward pass of a module."""
    return Do("call", "", args, named)


def method(name: str, *args: object, **named: object) -> Do:
    """Call one of its methods."""
    return Do("method", name, args, named)


def get(name: str) -> Do:
    """Look at an attribute, or at one with dots in its path."""
    return Do("get", name)


def look(name: str) -> Do:
    """Look at a drawn tensor as it is by then, such as a parameter that an optimiser changed."""
    return Do("look", name)


def gradient(name: str, spec: str) -> Do:
    """Give a leaf a gradient, as a loss would: gradient("w", "g[I, J]")."""
    return Do("gradient", name, (spec,))


def backward(spec: str = "") -> Do:
    """Differentiate the last result: a single number, or along a drawn tensor of its shape."""
    return Do("backward", "", (spec,) if spec else ())


def train() -> Do:
    """Set a module to training."""
    return Do("train")


def evaluate() -> Do:
    """Set a module to evaluation."""
    return Do("eval")


def parameters() -> Do:
    """Compare its parameters by name."""
    return Do("parameters")


def gradients() -> Do:
    """Compare the gradients of its parameters by name."""
    return Do("gradients")


def state() -> Do:
    """Compare its parameters and buffers, as state_dict has them."""
    return Do("state")


def shapes() -> Do:
    """Compare the names and shapes in its state_dict, whatever the numbers are."""
    return Do("shapes")


if not TYPE_CHECKING:  # a type checker knows them

    def __getattr__(name: str) -> object:
        steps = [
            each
            for each, made in globals().items()
            if each[0] != "_" and each.islower() and getattr(made, "__module__", "") == __name__
        ]
        raise AttributeError(f"there is no step do.{name}; there are {', '.join(sorted(steps))}")
