"""Small cases and what a student's function gave for them become the smallest one that shows its fault."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
import torch
from torch import Tensor

from autograder.calls.arrays import only_tensors
from autograder.calls.expected import Planned, call_trusted
from autograder.calls.inputs import narrow, widen
from autograder.calls.requests_and_outcomes import DtypeArg, FunctionArg, Smallest
from autograder.course.docstring_shapes import parse_shapes
from autograder.course.model import Code
from autograder.diagnose.make_small_cases import count_numbers, small_cases

MOST_CASES = 48  # calls of a student's function
CLEARLY = 5e-3  # of the largest entry: seen in four digits
LEAST = 0.2  # what the largest entry is taken for at least: thousandths tell little
NUDGE = 1e-5


class Small(Protocol):
    """A small case, worked out here or handed out."""

    @property
    def arguments(self) -> Sequence[object]: ...
    @property
    def names(self) -> Sequence[str]: ...  # of the results
    @property
    def many(self) -> bool: ...
    @property
    def right(self) -> Sequence[Tensor] | None: ...
    @property
    def is_steady(self) -> bool: ...


class Gave(Protocol):
    """What a student's function gave: see Outcome."""

    @property
    def status(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def kinds(self) -> Sequence[str]: ...
    @property
    def outputs(self) -> Sequence[object]: ...


@dataclass(frozen=True, eq=False)
class SmallCase:
    """A call, and what a right function returns for it: worked out when it is asked for, once."""

    call: Planned
    reference: Callable[..., object]
    names: tuple[str, ...]
    many: bool

    @property
    def arguments(self) -> tuple[object, ...]:
        return self.call.arguments

    @cached_property
    def right(self) -> tuple[Tensor, ...] | None:
        """The results; None where the reference has none that are finite."""
        found = call_trusted(self.reference, self.call, widen)
        plain = not found.raised and all(isinstance(out, Tensor) and _is_plain(out) for out in found.outputs)
        return found.outputs if plain and len(found.outputs) == len(self.names) else None

    @cached_property
    def is_steady(self) -> bool:
        """Whether the results hardly move when the arguments hardly do: at a jump, right functions differ."""
        for cast in (narrow, _moved(1.0), _moved(-1.0)):
            beside = call_trusted(self.reference, self.call, cast)
            pairs = zip(beside.outputs, self.right or (), strict=False)
            if beside.raised or any(differs(one, two, CLEARLY / 10) for one, two in pairs):
                return False
        return True


def plan_small(part: Code, reference: Callable[..., object]) -> list[SmallCase]:
    """The small cases of a part, the fewest numbers first."""
    shapes = parse_shapes(part.doc, part.parameters)
    names = tuple(output.name for output in shapes.outputs)
    return [SmallCase(call, reference, names, shapes.many) for call in small_cases(part, MOST_CASES)]


def _is_plain(tensor: Tensor) -> bool:
    return not tensor.is_complex() and bool(tensor.isfinite().all())


def _moved(sign: float) -> Callable[[object], object]:
    """The same arguments, each entry moved by very little, one way or the other."""
    rng = np.random.default_rng(0)

    def move(argument: object) -> object:
        wide = widen(argument)
        if not isinstance(wide, Tensor) or not wide.is_floating_point():
            return wide
        return wide + sign * NUDGE * torch.as_tensor(rng.standard_normal(tuple(wide.shape)))

    return move


def find_smallest(
    parameters: Sequence[str], cases: Sequence[Small], gave: Sequence[Gave], *, shape: bool = False
) -> Smallest | None:
    """The first case on which values clearly differ; with `shape`, on which the shape does."""
    for case, outcome in zip(cases, gave, strict=True):
        if outcome.status != "ok" or (outcome.kind in ("tuple", "list")) != case.many:
            continue
        if {*outcome.kinds} != {"tensor"} or len(outcome.outputs) != len(case.names):
            continue
        got = only_tensors(outcome.outputs)
        wrong = _wrong(case.right, got, shape)
        if wrong and case.is_steady:
            return _written(parameters, case, case.right or (), got, wrong)
    return None


def _wrong(right: Sequence[Tensor] | None, got: Sequence[Tensor], shape: bool) -> list[int]:
    """The results that differ, in their shape or, where all shapes are right, in their values."""
    if right is None or any(value.is_complex() for value in got):
        return []
    other = [mine.shape != want.shape for mine, want in zip(got, right, strict=True)]
    if shape or any(other):
        return [position for position, each in enumerate(other) if each and shape]
    return [p for p, (mine, want) in enumerate(zip(got, right, strict=True)) if differs(mine, want)]


def differs(got: Tensor, want: Tensor, clearly: float = CLEARLY) -> bool:
    if got.shape != want.shape:
        return True
    values = got.double()
    if not bool(values.isfinite().all()):
        return True
    gap = (values - want.double()).abs().max() if want.numel() else torch.zeros(())
    largest = max(LEAST, float(want.double().abs().max())) if want.numel() else 1.0
    return float(gap) > clearly * largest


# ---------------------------------------------------------------- in writing


def _written(
    parameters: Sequence[str],
    case: Small,
    right: Sequence[Tensor],
    got: Sequence[Tensor],
    wrong: Sequence[int],
) -> Smallest:
    return Smallest(
        tuple((name, write(each)) for name, each in zip(parameters, case.arguments, strict=True)),
        tuple((case.names[p], write(right[p])) for p in wrong),
        tuple((case.names[p], write(got[p])) for p in wrong),
        count_numbers(case.arguments),
    )


def read_smallest(smallest: Smallest) -> str:
    """The case as a sentence."""
    given, right, yours = (
        ", ".join(f"{name} = {text}" if name else text for name, text in side)
        for side in (smallest.given, smallest.right, smallest.yours)
    )
    step = f"; on the way, {smallest.step}" if smallest.step else ""
    return f"a small case that shows it: for {given} the right result is {right}; yours is {yours}{step}"


def write(value: object) -> str:
    """An argument or a result in a line, numbers in four digits."""
    match value:
        case Tensor():
            return _nested(value.tolist())
        case DtypeArg(name):
            return f"torch.{name}"
        case FunctionArg(name, tensors) if tensors:
            letters = "abcdefgh"
            terms = [
                f"{_matrix(tensor)}{letters[position]}" for position, tensor in enumerate(tensors.values())
            ]
            given = ", ".join(letters[: len(terms)])
            return f"({given}) ↦ tanh({' + '.join(terms)})"
        case FunctionArg(name, _):
            return name
    return repr(value)


def _matrix(tensor: Tensor) -> str:
    return f"{float(tensor):g}·" if tensor.numel() == 1 else f"{_nested(tensor.tolist())} "


def _nested(value: object) -> str:
    if isinstance(value, list):
        return f"[{', '.join(_nested(each) for each in value)}]"
    return f"{value:.4g}" if isinstance(value, float) else str(value)
