"""Steps of a script become objects and values: the one place where they are taken, whoever's code it is.

It runs beside a student's code, and for the reference alike, so it needs torch alone.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

import numpy
import torch
from torch import Tensor, nn

from autograder.calls.script_steps import Held, Step
from autograder.calls.value_as_json import Node, OutputError, Packed, kind_of

MOST_STEPS = 4096
MOST_HELD = 4096
NOT_THERE = object()


class MissingError(Exception):
    """The code has no such name."""


class NeededError(BaseException):
    """A stand-in has no value for a call; no `except Exception` of a student's is to stop it."""


class Bench:
    """The names of some code, and what the steps so far gave, by their numbers."""

    def __init__(self, names: Mapping[str, object]) -> None:
        self._names = names
        self._given: list[object] = []
        self._held: dict[int, object] = {}
        self._needed: tuple[list[object], dict[str, object]] | None = None
        self._classes: set[type] = set()  # whose objects stay here

    def held(self, held: Held) -> object:
        """What a number stands for."""
        if held.number < len(self._given):
            return self._given[held.number]
        return self._held[held.number]

    def hold(self, thing: object) -> Node:
        """A node for an object that stays here: the same number for the same object."""
        number = next((known for known, held in self._held.items() if held is thing), None)
        if number is None:
            if len(self._held) >= MOST_HELD:
                raise OutputError(f"it returned more than {MOST_HELD} objects")
            number = MOST_STEPS + len(self._held)
            self._held[number] = thing
        return {"held": number, "type": kind_of(thing)}

    def take(self, step: Step, make: Callable[[object], object]) -> object:
        """Do what the step says and keep what comes of it; `make` gives an argument as the code gets it."""
        if step.seed is not None:
            seed(step.seed)
        value = self._take(step, make)
        made_by = self.held(step.on) if step.build and step.on is not None else None
        if isinstance(made_by, type) and made_by.__module__ not in sys.stdlib_module_names:
            self._classes.add(made_by)
        self._given.append(value)
        return value

    def built(self, value: object) -> Packed | None:
        """Data for an object of a class that was called to build one, whatever else it is; else nothing."""
        return Packed(self.hold(value)) if type(value) in self._classes else None

    def _take(self, step: Step, make: Callable[[object], object]) -> object:
        args = [make(argument) for argument in step.args]
        named = {name: make(argument) for name, argument in step.named.items()}
        on = self.held(step.on) if step.on is not None else None
        match step.do:
            case "call":
                function = self._named(step.name)
                if not callable(function):
                    raise TypeError(f"{step.name} is {kind_of(function)}, nothing that can be called")
                return function(*args, **named)
            case "name":
                return self._named(step.name)
            case "put":
                return leaf(args[0]) if step.name == "leaf" else args[0]
            case "stand":
                assert isinstance(args[0], list)
                self._stand_in(step.name, args[0])
            case "needs":
                return self._needed
            case "method":
                return method(on, step.name)(*args, **named)
            case "get":
                return attribute(on, step.name)
            case "set":
                owner, _, name = step.name.rpartition(".")
                setattr(attribute(on, owner) if owner else on, name, args[0])
            case "load":
                return load(on, named)
            case "parameters":
                return dict(nn.Module.named_parameters(_module(on)))
            case "gradients":
                return {name: p.grad for name, p in nn.Module.named_parameters(_module(on))}
            case _:
                return dict(nn.Module.state_dict(_module(on)))
        return None

    def _stand_in(self, name: str, values: list[object]) -> None:
        """Put a function in the place of a name that gives these values, and then says what it is asked."""
        left = iter(values)
        self._needed = None

        def stand_in(*args: object, **named: object) -> object:
            for value in left:
                return value
            self._needed = self._needed or (list(args), named)
            raise NeededError(f"a value of {name} is needed")

        assert isinstance(self._names, dict)
        self._names[name] = stand_in

    def _named(self, name: str) -> object:
        value = self._names.get(name, NOT_THERE)
        if value is NOT_THERE:
            raise MissingError(f"there is no {name}")
        return value


def like(error: BaseException) -> str:
    """The name of Python's own exception that this one is a kind of; empty where it is of no closer kind."""
    kinds = (kind for kind in type(error).__mro__ if kind.__module__ == "builtins")
    name = next(kinds, BaseException).__name__
    return name if name not in ("Exception", "BaseException", "object") else ""


def seed(number: int = 0) -> None:
    """Start from a random state that is known, so that a restart changes no result."""
    random.seed(number)
    numpy.random.seed(number)
    torch.default_generator.manual_seed(number)


def leaf(value: object) -> object:
    """The value, its tensors of real numbers collecting gradients."""
    for tensor in value if isinstance(value, list | tuple) else [value]:
        if isinstance(tensor, Tensor) and tensor.is_floating_point():
            tensor.requires_grad_()
    return value


def method(thing: object, name: str) -> Callable[..., object]:
    """A method by its name; without one the object itself, which is called."""
    found: Callable[..., object] = getattr(thing, name) if name else thing  # type: ignore[assignment]
    return found  # where it is none, the call says so


def attribute(thing: object, path: str) -> object:
    for name in path.split("."):
        thing = (
            thing[int(name)] if name.isdigit() and isinstance(thing, list | tuple) else getattr(thing, name)
        )
    return thing


def load(thing: object, weights: Mapping[str, object]) -> list[str]:
    """Weights by name: into the parameters and buffers of a module, else into attributes; says the names of
    parameters that are left as they were made."""
    if not isinstance(thing, nn.Module):
        for name, value in weights.items():
            setattr(thing, name, value)
        return []
    own = {**dict(nn.Module.named_parameters(thing)), **dict(nn.Module.named_buffers(thing))}
    for name, value in weights.items():
        if name not in own:
            there = ", ".join(own) or "none"
            raise AttributeError(
                f"it has no parameter or buffer {name!r}; its parameters and buffers: {there}"
            )
        assert isinstance(value, Tensor)  # what is written down for a module are its weights
        if own[name].shape != value.shape:
            raise ValueError(
                f"its {name!r} has shape {list(own[name].shape)}, which should be {list(value.shape)}"
            )
        with torch.no_grad():
            own[name].copy_(value)
    return [name for name, _ in nn.Module.named_parameters(thing) if name not in weights]


def _module(thing: object) -> nn.Module:
    if not isinstance(thing, nn.Module):
        raise TypeError(f"expected a torch.nn.Module, found {kind_of(thing)}")
    return thing


@contextmanager
def precision(dtype: torch.dtype) -> Iterator[None]:
    """New tensors are made in this precision meanwhile."""
    before = torch.get_default_dtype()
    torch.set_default_dtype(dtype)
    try:
        yield
    finally:
        torch.set_default_dtype(before)
