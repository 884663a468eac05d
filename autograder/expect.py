"""What a code part should answer: the calls of every case, and the reference's values for them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from autograder.answers.tensors import Want, tolerance
from autograder.cases import arguments, cotangents, narrow, nudge, revive, seed, widen
from autograder.errors import CourseError
from autograder.model import Case, Code, Problem
from autograder.shapes import Shapes, parse_shapes


@dataclass(frozen=True, eq=False)  # known by itself: tensors have no single equality
class Planned:
    """One call that will be made of a student's function."""

    part: Code
    case: Case
    arguments: tuple[Any, ...]
    grad: tuple[int, ...]
    cotangents: tuple[Tensor, ...]


@dataclass(frozen=True)
class Expected:
    """What a planned call should return, and the gradients through it."""

    outputs: tuple[Want, ...]
    grads: tuple[Want, ...]
    many: bool


@dataclass(frozen=True)
class Returned:
    """What trusted code returned for a call, or the name of the exception it raised."""

    outputs: tuple[Tensor, ...] = ()
    grads: tuple[Tensor | None, ...] = ()
    raised: str = ""
    many: bool = False


def plan(problem: Problem, part: Code, secret: str, student: str) -> list[Planned]:
    """Every case of a part with its inputs: visible ones alike for all, hidden ones for this student."""
    return [plan_case(problem, part, case, secret, student) for case in part.cases]


def plan_case(problem: Problem, part: Code, case: Case, secret: str, student: str) -> Planned:
    who = (secret, student) if case.hidden else ("visible",)
    number = seed(*who, problem.id, part.name, case.name)
    grad = tuple(part.parameters.index(name) for name in case.grad)
    directions = cotangents(part, case, number) if grad else ()
    return Planned(part, case, arguments(part, case, number), grad, directions)


def call_trusted(function: Callable[..., Any], planned: Planned, cast: Callable[[Any], Any]) -> Returned:
    """Call a reference or a known mistake on a planned call's inputs, in the precision `cast` gives."""
    inputs = [revive(cast(argument)) for argument in planned.arguments]
    for position in planned.grad:
        inputs[position] = inputs[position].detach().requires_grad_(True)
    try:
        with torch.set_grad_enabled(True):
            value = function(*inputs)
            outputs = _as_tuple(value)
            grads = _gradients(
                outputs, [inputs[p] for p in planned.grad], [cast(c) for c in planned.cotangents]
            )
    except Exception as error:  # a known mistake may well crash on some case
        return Returned(raised=type(error).__name__)
    plain = tuple(out.detach() if isinstance(out, Tensor) else out for out in outputs)
    return Returned(plain, grads, many=isinstance(value, tuple | list))


def expect(reference: Callable[..., Any], planned: Planned, *, least: bool = False) -> Expected:
    """The reference's values in double precision, with tolerances from its own rounding error.

    `least` spares two calls out of three: the tolerances are then the smallest that there can be.
    """
    shapes = parse_shapes(planned.part.doc, planned.part.parameters)
    casts = (widen,) if least else (widen, narrow, nudge)
    returned = [call_trusted(reference, planned, cast) for cast in casts]
    for raised in (each.raised for each in returned if each.raised):
        raise CourseError(f"{planned.part.name}: the reference raises {raised} on case {planned.case.name!r}")
    wide, *others = returned
    dtype = getattr(torch, planned.case.dtype)
    names = [out.name for out in shapes.outputs]
    grads = [f"gradient of {name}" for name in planned.case.grad]
    return Expected(
        _wants(names, wide.outputs, [other.outputs for other in others], dtype, planned.part),
        _wants(grads, wide.grads, [other.grads for other in others], dtype, planned.part),
        shapes.many,
    )


def axis_sizes(planned: Planned) -> dict[str, int]:
    """The lengths of a case's axes, to name a constant factor by."""
    shapes: Shapes = parse_shapes(planned.part.doc, planned.part.parameters)
    sizes: Mapping[str, Any] = planned.case.sizes
    return {name: sizes[name] for name in shapes.axes if isinstance(sizes.get(name), int)}


def _wants(
    names: Sequence[str], wide: Sequence[Any], others: Sequence[Sequence[Any]], dtype: torch.dtype, part: Code
) -> tuple[Want, ...]:
    if len(names) != len(wide):
        raise CourseError(
            f"{part.name}: the docstring names {len(names)} results, the reference gives {len(wide)}"
        )
    if any(not isinstance(value, Tensor) for value in wide):
        raise CourseError(f"{part.name}: the reference gives no tensor for {', '.join(names)}")
    return tuple(
        Want(
            name,
            values,
            dtype if values.is_floating_point() else values.dtype,
            part.tolerance if part.tolerance is not None else tolerance(values, near, dtype),
        )
        for name, values, *near in zip(names, wide, *others, strict=True)
    )


def _as_tuple(value: Any) -> tuple[Any, ...]:
    return tuple(value) if isinstance(value, tuple | list) else (value,)


def _gradients(
    outputs: Sequence[Any], inputs: Sequence[Tensor], directions: Sequence[Tensor]
) -> tuple[Tensor | None, ...]:
    if not inputs:
        return ()
    if [getattr(out, "shape", None) for out in outputs] != [d.shape for d in directions]:
        # A known mistake of another shape: its values tell what it is, a gradient would say nothing.
        return (None,) * len(inputs)
    total = sum((out * d).sum() for out, d in zip(outputs, directions, strict=True) if out.requires_grad)
    if not isinstance(total, Tensor):
        return (None,) * len(inputs)
    return torch.autograd.grad(total, inputs, allow_unused=True)
