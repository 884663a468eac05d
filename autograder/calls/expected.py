"""What a code part should answer: the calls of every case, and the reference's values for them."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy
import torch
from torch import Tensor

from autograder.calls.arrays import only_tensors
from autograder.calls.case_as_script import CaseScript, take
from autograder.calls.compare_tensors import Want, tolerance
from autograder.calls.compare_values import PlainValue, Steps, wanted
from autograder.calls.inputs import (
    NotHandedOverError,
    arguments,
    cotangents,
    narrow,
    nudge,
    revive,
    seed,
    widen,
)
from autograder.calls.invoke import invoke
from autograder.calls.script_steps import Step
from autograder.calls.value_as_json import OutputError, kind_of, plain
from autograder.course.cases import Case
from autograder.course.docstring_shapes import Shapes, parse_shapes
from autograder.course.model import Code, Problem
from autograder.course.modules import Module, use_of
from autograder.errors import CourseError


@dataclass(frozen=True, eq=False)  # known by itself: tensors have no single equality
class Planned:
    """One call that will be made of a student's function, or the steps that are taken with an object.

    `labels` has a name for each step whose result is compared; of those in `shapes` the shapes alone are.
    """

    part: Code | Module
    case: Case
    arguments: tuple[object, ...] = ()
    grad: tuple[int, ...] = ()
    cotangents: tuple[Tensor, ...] = ()
    steps: tuple[Step, ...] = ()
    labels: tuple[str, ...] = ()
    shapes: tuple[bool, ...] = ()


@dataclass(frozen=True)
class Expected:
    """What a planned call should return, and the gradients through it."""

    outputs: tuple[Want, ...]
    grads: tuple[Want, ...]
    many: bool
    holds: PlainValue | None = None  # of a result that is no tensor; then there are no outputs

    @property
    def has_numbers(self) -> bool:
        """Whether tensors of numbers are asked for, of which a factor or a sign may be wrong."""
        return self.holds is None and all(want.dtype is not torch.bool for want in self.outputs)


@dataclass(frozen=True)
class Returned:
    """What trusted code returned for a call, or the name of the exception it raised."""

    outputs: tuple[Tensor, ...] = ()
    grads: tuple[Tensor | None, ...] = ()
    raised: str = ""
    many: bool = False
    value: object = None  # as it was returned
    where: str = ""  # what it did in the place of a result, and the line


def plan(
    problem: Problem, part: Code | Module, secret: str, student: str, reference: object = None
) -> list[Planned]:
    """Every case of a part with its inputs: visible ones alike for all, hidden ones for this student."""
    return [plan_case(problem, part, case, secret, student, reference) for case in part.cases]


def plan_case(
    problem: Problem, part: Code | Module, case: Case, secret: str, student: str, reference: object = None
) -> Planned:
    """One case; weights that are loaded by the names of the `reference` need it."""
    who = (secret, student) if case.hidden else ("visible",)
    number = seed(*who, problem.id, part.name, case.name)
    if isinstance(part, Module):
        return _plan_script(part, case, reference, number)
    grad = tuple(part.parameters.index(name) for name in case.grad)
    directions = cotangents(part, case, number) if grad else ()
    try:
        drawn = arguments(part, case, number)
    except NotHandedOverError as error:
        raise CourseError(f"{part.name}: case {case.name!r}: {error}") from error
    except Exception as error:
        raise CourseError(
            f"{part.name}: the arguments of case {case.name!r} cannot be drawn: {said_by(error)}"
        ) from error
    return Planned(part, case, drawn, grad, directions)


def _plan_script(part: Module, case: Case, reference: object, number: int) -> Planned:
    try:
        script = CaseScript(part, case, reference, number)
    except NotHandedOverError as error:
        raise CourseError(f"{part.name}: case {case.name!r}: {error}") from error
    except Exception as error:
        raise CourseError(
            f"{part.name}: case {case.name!r} cannot be written down as steps: {said_by(error)}"
        ) from error
    steps, labels, shapes = tuple(script.steps), tuple(script.labels), tuple(script.shapes)
    return Planned(part, case, steps=steps, labels=labels, shapes=shapes)


def call_trusted(
    function: Callable[..., object], planned: Planned, cast: Callable[[object], object]
) -> Returned:
    """Call a reference or a known mistake on a planned call's inputs, in the precision `cast` gives."""
    along = only_tensors(list(map(cast, planned.cotangents)))
    try:
        if planned.steps:
            values = take(function, planned.steps, cast, planned.case.dtype)
            return Returned(many=True, value=Steps(planned.labels, planned.shapes, tuple(values)))
        done = invoke(
            function, lambda: [revive(cast(argument)) for argument in planned.arguments], planned.grad, along
        )
        value = _dense(done.value)
    except OutputError as error:
        return Returned(raised=type(error).__name__, where=f"gives a tensor that {error}")
    except (Exception, SystemExit) as error:  # a known mistake may well crash on some case
        return Returned(raised=type(error).__name__, where=f"raises {said_by(error)}")
    several = isinstance(value, tuple | list)
    items = tuple(value) if isinstance(value, tuple | list) else (value,)
    arrays = isinstance(planned.part, Code) and planned.part.takes_arrays
    outputs = tuple(_as_tensor(item, arrays) for item in items)
    return Returned(outputs, done.grads, many=several, value=value)


def _dense(value: object) -> object:
    """A result with its tensors as they would cross the wire; OutputError where one cannot."""
    match value:
        case Tensor():
            return plain(value)
        case list() | tuple() if type(value) in (list, tuple):
            return type(value)(map(_dense, value))
        case dict():
            return {key: _dense(item) for key, item in value.items()}
    return value


def _as_tensor(item: object, arrays: bool) -> Any:
    if arrays and isinstance(item, numpy.ndarray | numpy.generic):
        return torch.as_tensor(item)
    return item


def said_by(error: BaseException) -> str:
    """The words of an error of the author's own code, the line of the file, and the step of a script."""
    return f"{_words_of(error)}{''.join(f', {note}' for note in getattr(error, '__notes__', ()))}"


def _words_of(error: BaseException) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if Path(frame.filename).parent.name in ("solutions", "problems")]
    if not own:
        return f"{type(error).__name__}: {error}"
    file, frame = Path(own[-1].filename), own[-1]
    return f"{type(error).__name__}: {error} ({file.parent.name}/{file.name}:{frame.lineno}: {frame.line})"


def expect(reference: Callable[..., object], planned: Planned, *, least: bool = False) -> Expected:
    """The reference's values in double precision, with tolerances from its own rounding error.

    `least` spares two calls out of three: the tolerances are then the smallest that there can be.
    """
    casts = (widen,) if least else (widen, narrow, nudge)
    returned = [call_trusted(reference, planned, cast) for cast in casts]
    for each in returned:
        if each.raised:
            raise CourseError(
                f"{planned.part.name}: the reference {each.where} on case {planned.case.name!r}"
                f"{_precision_hint(each.where)}{_text_hint(planned)}"
            )
    wide, *others = returned
    dtype = getattr(torch, planned.case.dtype)
    part = planned.part
    shapes = parse_shapes(part.doc, part.parameters) if isinstance(part, Code) else None
    if shapes is None or shapes.type:
        value, *near = (each.value for each in returned)
        return Expected((), (), False, PlainValue(wanted(value, near, dtype, part.tolerance)))
    assert isinstance(part, Code)
    names = [out.name for out in shapes.outputs]
    for name, grad in zip(planned.case.grad, wide.grads, strict=True):
        if grad is None:
            raise CourseError(
                f"{part.name}: case {planned.case.name!r} asks for the gradient of {name}, and in the "
                "reference none flows there: take it out of grad, or whole numbers, numpy and .detach() out "
                "of its way"
            )
    grads = [f"gradient of {name}" for name in planned.case.grad]
    return Expected(
        _wants(names, wide.outputs, [other.outputs for other in others], dtype, part),
        _wants(grads, wide.grads, [other.grads for other in others], dtype, part),
        shapes.many,
    )


def _precision_hint(said: str) -> str:
    if not said.startswith("raises"):
        return ""
    if "dtype" not in said and "Double" not in said and "Float" not in said:
        return ""
    return (
        "; a reference is also called in float64, to know the right values: make layers and tensors in the "
        "dtype of the arguments, as in torch.nn.Linear(i, o, dtype=x.dtype)"
    )


def _text_hint(planned: Planned) -> str:
    """What an author may have meant by a bare name that nothing is drawn for: it is handed over as a text."""
    handed = [value for step in planned.steps for value in (*step.args, *step.named.values())]
    names = [value for value in handed if isinstance(value, str) and value.isidentifier()]
    return (
        f'; {names[0]!r} was handed over as a text: a tensor is written "{names[0]}[B, i]"' if names else ""
    )


def axis_sizes(planned: Planned) -> dict[str, int]:
    """The lengths of a case's axes, to name a constant factor by."""
    if isinstance(planned.part, Module):
        sizes = use_of(planned.case).sizes
        return {name: size for name, size in sizes.items() if type(size) is int}
    shapes: Shapes = parse_shapes(planned.part.doc, planned.part.parameters)
    axes = {name: planned.case.sizes.get(name) for name in shapes.axes}
    return {name: size for name, size in axes.items() if isinstance(size, int)}


def _wants(
    names: Sequence[str],
    wide: Sequence[object],
    others: Sequence[Sequence[object]],
    dtype: torch.dtype,
    part: Code,
) -> tuple[Want, ...]:
    if len(names) != len(wide):
        raise CourseError(
            f"{part.name}: the docstring names {len(names)} results, the reference gives {len(wide)}"
        )
    if any(not isinstance(value, Tensor) for value in wide):
        kinds = ", ".join(kind_of(value) for value in wide)
        raise CourseError(
            f"{part.name}: the docstring promises a tensor, the reference returns {kinds}: return a tensor, "
            "or say the type after 'returns', as in returns float or returns dict[str, int]"
        )
    precision = getattr(torch, part.precision) if part.precision else dtype
    return tuple(
        Want(
            name,
            values,
            dtype if values.is_floating_point() else values.dtype,
            part.tolerance if part.tolerance is not None else tolerance(values, near, precision),
        )
        for name, values, *near in zip(names, wide, *others, strict=True)
    )
