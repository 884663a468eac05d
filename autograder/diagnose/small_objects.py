"""A class becomes objects that one can follow by hand: small whole weights, one call, few numbers.

The object is built as in a case that everybody may see; only what it is called with gets shorter.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice, product

import numpy as np
import torch
from torch import Tensor

from autograder.calls.case_as_script import take
from autograder.calls.expected import Planned, plan_case
from autograder.calls.inputs import narrow, widen
from autograder.calls.script_steps import Held, Step
from autograder.course.model import Problem
from autograder.course.modules import Module, use_of
from autograder.diagnose.make_small_cases import FILLINGS, WHOLE, small_entries
from autograder.diagnose.pick_smallest_case import CLEARLY, NUDGE, differs
from autograder.errors import CourseError

MOST_NUMBERS = 60  # that a person reads
MOST_CASES = 24
MOST_LENGTHS = 243  # of axes that are tried together
SHORT = 3  # the longest that an axis of what it is called with becomes
# Draws that stay as they are: of others small whole numbers may be out of the domain.
PLAIN = frozenset({"whole", "booleans", "number", "given", "text", "permutation"})


@dataclass(frozen=True, eq=False)
class SmallObject:
    """An object, its weights and one call; what is right is worked out when it is asked for, once."""

    call: Planned
    reference: Callable[..., object]
    parameters: tuple[str, ...]  # the names of what is given
    arguments: tuple[object, ...]
    names: tuple[str, ...]  # of the result
    many: bool = False

    @cached_property
    def right(self) -> tuple[Tensor, ...] | None:
        """The result; None where the reference has none that is finite."""
        found = _given_by(self.reference, self.call.steps, self.call.case.dtype, widen)
        return None if found is None or not bool(found.isfinite().all()) else (found,)

    @cached_property
    def is_steady(self) -> bool:
        """Whether the result hardly moves when weights and inputs hardly do."""
        dtype = self.call.case.dtype
        beside = [_given_by(self.reference, self.call.steps, dtype, narrow)]
        for sign in (1.0, -1.0):
            moved = _with_tensors(self.call.steps, _moved(sign))
            beside.append(_given_by(self.reference, moved, dtype, widen))
        right = self.right or ()
        return all(
            each is not None and not any(differs(each, want, CLEARLY / 10) for want in right)
            for each in beside
        )


@dataclass(frozen=True)
class AsItStands:
    """What stands in a sentence as it is."""

    text: str

    def __repr__(self) -> str:
        return self.text


def small_objects(problem: Problem, part: Module, reference: Callable[..., object]) -> list[SmallObject]:
    """Up to so many, those with fewer numbers first; none where more than one call leads to a result."""
    if any(draw.kind not in PLAIN for draw in part.draws.values()):
        return []
    found = []
    for case in (each for each in part.cases if not each.hidden):
        own = use_of(case)
        free = [name for name in own.sizes if name not in own.init and type(own.sizes[name]) is int]
        for lengths in islice(product(range(1, SHORT + 1), repeat=len(free)), MOST_LENGTHS):
            sizes = {**case.sizes, **dict(zip(free, lengths, strict=True))}
            try:
                call = plan_case(problem, part, replace(case, sizes=sizes), "", "", reference)
            except CourseError:
                continue
            small = [_small(call, reference, kept) for kept in FILLINGS]
            found += [each for each in small if each is not None and each.right is not None]
    return sorted(found, key=lambda each: _count(each.arguments))[:MOST_CASES]


def _small(call: Planned, reference: Callable[..., object], kept: int) -> SmallObject | None:
    """The call up to its first result, with small whole numbers; None where it takes more than a call."""
    end = next(number for number, label in enumerate(call.labels) if label) + 1
    *before, last = call.steps[:end]
    at_once = {step.do for step in before} <= {"call", "load"}
    if last.do != "method" or last.on != Held(0) or last.named or not at_once:
        return None
    rng = np.random.default_rng([kept, end])
    steps = _with_tensors(call.steps[:end], lambda tensor: _filled(tensor, rng, kept))
    weights = {name: value for step in steps for name, value in step.named.items() if step.do == "load"}
    label = call.labels[end - 1]
    given = dict(zip(_names(label), steps[-1].args, strict=False))
    plain = [*weights.values(), *steps[-1].args]
    if not given or len(given) < len(steps[-1].args) or not all(isinstance(each, Tensor) for each in plain):
        return None
    init = ", ".join(f"{name}={value!r}" for name, value in use_of(call.case).init.items())
    named: dict[str, object] = {"it": AsItStands(f"{call.part.name}({init})"), **weights, **given}
    if len(named) <= len(weights) + len(given) or _count(tuple(named.values())) > MOST_NUMBERS:
        return None
    cut = replace(call, steps=steps, labels=call.labels[:end], shapes=call.shapes[:end])
    return SmallObject(cut, reference, tuple(named), tuple(named.values()), (label,))


def _names(label: str) -> list[str]:
    """The names in it(x, mask); none where something else is handed over, too."""
    inside = label.partition("(")[2].rpartition(")")[0]
    names = [name.strip() for name in inside.split(",")]
    return names if all(name.isidentifier() for name in names) else []


def _filled(tensor: Tensor, rng: np.random.Generator, kept: int) -> Tensor:
    if not tensor.is_floating_point():
        return tensor
    return torch.as_tensor(small_entries(WHOLE[:kept], tuple(tensor.shape), rng)).to(tensor.dtype)


def _moved(sign: float) -> Callable[[Tensor], Tensor]:
    rng = np.random.default_rng(0)

    def move(tensor: Tensor) -> Tensor:
        if not tensor.is_floating_point():
            return tensor
        return tensor.double() + sign * NUDGE * torch.as_tensor(rng.standard_normal(tuple(tensor.shape)))

    return move


def _with_tensors(steps: tuple[Step, ...], change: Callable[[Tensor], Tensor]) -> tuple[Step, ...]:
    """The steps with each tensor that is handed over changed."""

    def changed(value: object) -> object:
        match value:
            case Tensor():
                return change(value)
            case list() | tuple():
                return type(value)(map(changed, value))
            case dict():
                return {key: changed(each) for key, each in value.items()}
        return value

    return tuple(
        replace(
            step,
            args=tuple(map(changed, step.args)),
            named={name: changed(value) for name, value in step.named.items()},
        )
        for step in steps
    )


def _given_by(
    reference: Callable[..., object], steps: tuple[Step, ...], dtype: str, cast: Callable[[object], object]
) -> Tensor | None:
    """What the last step gives; None where that is no tensor of real numbers."""
    try:
        value = take(reference, steps, cast, dtype)[-1]
    except Exception:  # a small case may be out of a reference's domain
        return None
    return value.detach() if isinstance(value, Tensor) and not value.is_complex() else None


def _count(arguments: tuple[object, ...]) -> int:
    return sum(each.numel() for each in arguments if isinstance(each, Tensor))
