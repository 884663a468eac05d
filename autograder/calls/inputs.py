"""A case of a code part and a seed become the arguments of one call."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from autograder.calls import function_arguments
from autograder.calls.requests_and_outcomes import DtypeArg, FunctionArg
from autograder.course.cases import Case, Draw
from autograder.course.docstring_shapes import Shapes, parse_shapes, shape, size
from autograder.course.model import Code

ELSEWHERE = ("norm",)  # keywords of a case that are neither axes nor arguments


def seed(*parts: str) -> int:
    """A seed that nobody guesses without every part of it."""
    digest = hashlib.sha256("\x1f".join(parts).encode()).digest()
    return int.from_bytes(digest[:8], "big")


def arguments(part: Code, case: Case, seed: int) -> tuple[object, ...]:
    """The arguments of one call, drawn afresh: the same seed gives the same numbers on every machine."""
    shapes = parse_shapes(part.doc, part.parameters)
    rng = np.random.default_rng(seed)
    groups: dict[str, list[Tensor]] = {}
    return tuple(draw(name, part.draws, case, shapes, rng, groups) for name in part.parameters)


def cotangents(part: Code, case: Case, seed: int) -> tuple[Tensor, ...]:
    """Directions in which the outputs are projected before differentiating, one for each output."""
    rng = np.random.default_rng([seed, 1])
    outputs = parse_shapes(part.doc, part.parameters).outputs
    return tuple(_tensor(rng.standard_normal(shape(out.axes, case.sizes)), case.dtype) for out in outputs)


def revive(argument: object) -> object:
    """An argument as the function itself receives it."""
    match argument:
        case DtypeArg(name):
            return getattr(torch, name)
        case FunctionArg(name, tensors):
            return function_arguments.build(name, {key: each.clone() for key, each in tensors.items()})
        case Tensor():
            return argument.clone() if argument.is_contiguous() else strided(argument)
        case list() | tuple():
            return type(argument)(map(revive, argument))
        case dict():
            return {key: revive(item) for key, item in argument.items()}
        case set():
            return set(argument)
        case _:
            return argument


def widen(argument: object) -> object:
    """The same argument in double precision, for values to compare with."""
    return _cast(argument, "float64")


def narrow(argument: object) -> object:
    """The same argument in single precision, to see how much rounding there is."""
    return _cast(argument, "float32")


def nudge(argument: object) -> object:
    """The same argument in double precision, each entry moved by about one rounding error of float32."""
    match argument:
        case list() | tuple():
            return type(argument)(map(nudge, argument))
        case dict():
            return {key: nudge(item) for key, item in argument.items()}
    wide = widen(argument)
    if not isinstance(wide, Tensor) or not wide.is_floating_point():
        return wide
    signs = np.random.default_rng(0).choice((-1.0, 1.0), size=tuple(wide.shape))
    return wide * (1 + torch.finfo(torch.float32).eps * torch.as_tensor(signs))


def as_given(argument: object) -> object:
    """The argument in the precision of its case."""
    return argument


def _cast(argument: object, dtype: str) -> object:
    match argument:
        case DtypeArg():
            return DtypeArg(dtype)
        case FunctionArg(name, tensors):
            return FunctionArg(name, {key: each.to(getattr(torch, dtype)) for key, each in tensors.items()})
        case Tensor() if argument.is_floating_point():
            return argument.to(getattr(torch, dtype))
        case list() | tuple():
            return type(argument)(_cast(item, dtype) for item in argument)
        case dict():
            return {key: _cast(item, dtype) for key, item in argument.items()}
        case _:
            return argument


def strided(tensor: Tensor) -> Tensor:
    """The same values as every second entry of a larger buffer."""
    return torch.stack([tensor, torch.zeros_like(tensor)], dim=-1)[..., 0]


def draw(
    name: str,
    draws: Mapping[str, Draw],
    case: Case,
    shapes: Shapes,
    rng: np.random.Generator,
    groups: dict[str, list[Tensor]],
) -> object:
    """One argument, by the draw of its name: normal numbers in the shape it has, if there is none."""
    how = draws.get(name, Draw("normal", {"scale": 1.0}))
    if how.kind == "optional":
        there = case.sizes.get(name, rng.random() < how.options["chance"])
        if not there:
            return None
        how = how.options["of"]
    options = how.options
    match how.kind:
        case "number":
            return case.sizes.get(name, options["default"])
        case "given":
            return _cast(of_torch(case.sizes[name]), case.dtype)
        case "drawn":
            made = options["by"](rng, **{k: v for k, v in case.sizes.items() if k.isidentifier()})
            return _cast(of_torch(made), case.dtype)
        case "text":
            letters, length = list(options["letters"]), size(str(options["length"]), case.sizes)
            return "".join(rng.choice(letters, length)) if length else ""
        case "dtype":
            return DtypeArg(case.dtype)
        case "function":
            return _function(case.sizes.get(name, options["default"]), how, case, rng)
    lengths = shape(shapes.inputs[name], case.sizes)
    match how.kind:
        case "normal":
            values = rng.standard_normal(lengths) * options["scale"] * _scale(case, name)
        case "uniform":
            values = rng.uniform(options["low"], options["high"], lengths) * _scale(case, name)
        case "whole":
            below = options["below"]
            return torch.from_numpy(rng.integers(0, size(str(below), case.sizes), lengths))
        case "booleans":
            return torch.from_numpy(np.asarray(rng.random(lengths) < options["chance"]))
        case "permutation":
            return torch.from_numpy(rng.permutation(lengths[0]))
        case "signs":
            values = rng.integers(-1, 2, lengths).astype(float)
        case "increasing":
            values = np.sort(rng.standard_normal(lengths), axis=-1) * _scale(case, name)
        case "probabilities":
            parts = rng.uniform(0.05, 1.0, lengths)
            values = parts / parts.sum(-1, keepdims=True)
        case "orthogonal":
            values = _orthogonal(groups.setdefault(options["group"], []), lengths[0], case, rng) * _scale(
                case, name
            )
        case kind:
            raise ValueError(f"there is no way to draw {kind!r}")
    tensor = _tensor(values, case.dtype)
    return strided(tensor) if case.layout == "strided" else tensor


class NotHandedOverError(Exception):
    """An author's value that no student's function can be given as it is; its text names the fix."""


def of_torch(value: object) -> object:
    """An author's value, arrays of numpy as tensors and its scalars as numbers: they cross as such."""
    match value:
        case np.ndarray() if value.dtype.kind not in "biufc":
            holds = "texts" if value.dtype.kind in "US" else f"values of type {value.dtype}"
            raise NotHandedOverError(
                f"an array of numpy that holds {holds} has no tensor to go as: make it a list with .tolist()"
            )
        case np.ndarray():
            return torch.from_numpy(np.array(value))
        case np.generic():
            return value.item()
        case tuple() if type(value) is not tuple:
            raise NotHandedOverError(said_of_named(value))
        case list() | tuple() | set() | frozenset():
            return type(value)(map(of_torch, value))
        case dict():
            return {of_torch(key): of_torch(item) for key, item in value.items()}
    return value


def said_of_named(value: tuple[object, ...]) -> str:
    """Why a tuple that has a class of its own is not handed over, and what is."""
    fields = getattr(value, "_fields", ())
    as_dict = f"a dict, {{{', '.join(f'{name!r}: …' for name in fields)}}}, or " if fields else ""
    return (
        f"a {type(value).__name__} would lose its names on the way to the student's process: write {as_dict}"
        "a plain tuple, or make it in the given code and ask by Tests(…)"
    )


def _scale(case: Case, name: str) -> float:
    return case.scale.get(name, 1.0) if isinstance(case.scale, Mapping) else case.scale


def _tensor(values: object, dtype: str) -> Tensor:
    return torch.as_tensor(np.asarray(values)).to(getattr(torch, dtype))


def _function(name: str, how: Draw, case: Case, rng: np.random.Generator) -> FunctionArg:
    if name != function_arguments.MIXER:
        return FunctionArg(name, {})
    rows = size(how.options["gives"], case.sizes)
    matrices = {
        str(position): _tensor(rng.standard_normal((rows, size(axis, case.sizes))) / 2, case.dtype)
        for position, axis in enumerate(how.options["takes"])
    }
    return FunctionArg(name, matrices)


def _orthogonal(
    earlier: list[Tensor], length: int, case: Case, rng: np.random.Generator
) -> NDArray[np.float64]:
    # Gram-Schmidt against the vectors of the same group that were drawn before.
    vector = torch.as_tensor(rng.standard_normal(length))
    for other in earlier:
        vector = vector - (vector @ other) * other
    vector = vector / vector.norm()
    earlier.append(vector)
    return np.asarray((vector * case.sizes.get("norm", 1.0)).numpy())
