"""A changed program is called on planned inputs; what it gives has a print to look it up by."""

from __future__ import annotations

import gc
import math
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from types import CodeType, FunctionType

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from autograder.calls.expected import Planned
from autograder.calls.inputs import as_given, revive
from autograder.diagnose.edits.edit import Edit
from autograder.diagnose.observe import whole_sizes
from autograder.diagnose.program import Make, Program

LARGEST = 1_000_000  # entries of a result; a changed program that gives more is not looked at
NEAR = 1e-4  # how far apart two prints of one tensor may lie, of its scale; what is near is looked at closely

LARGEST_WEIGHT = 1.5  # of a value in a print

Array = NDArray[np.float64]


@dataclass(frozen=True)
class EditResult:
    """What one call gave; `raised` instead of outputs where there was none."""

    outputs: tuple[Tensor, ...] = ()
    raised: bool = False


RAISED = EditResult(raised=True)


@dataclass(frozen=True, eq=False)
class Changed:
    """A program with an edit carried out, ready to be called."""

    function: FunctionType
    sizes: dict[str, int]

    def forget(self) -> None:
        """A function and its globals hold each other: nothing is left of it at once."""
        self.function.__globals__.clear()

    def call(self, planned: Planned, cast: Callable[[object], object] = as_given) -> EditResult:
        self.sizes.clear()
        self.sizes.update(whole_sizes(planned.case.sizes))
        try:
            with torch.no_grad(), warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of a deprecated transpose, say, that no author wrote
                value = self.function(*[revive(cast(argument)) for argument in planned.arguments])
        except Exception:  # most changes fit some cases only
            return RAISED
        outputs = tuple(value) if isinstance(value, tuple | list) else (value,)
        if not outputs or not all(isinstance(out, Tensor) and out.numel() <= LARGEST for out in outputs):
            return RAISED
        return RAISED if any(out.is_complex() for out in outputs) else EditResult(outputs)


def carry_out(program: Program, *edits: Edit) -> Changed | None:
    """The program with these edits, one after the other; None where they cannot be made together."""
    codes = compiled(program, *edits)
    return None if codes is None else ready(program, codes)


def compiled(program: Program, *edits: Edit) -> tuple[CodeType, ...] | None:
    """What the program becomes with these edits; two that become the same are one function."""
    changes: dict[int, Make] = {}
    for edit in edits:
        for number, make in edit.changes.items():
            changes[number] = _after(changes[number], make) if number in changes else make
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a changed program may compare a literal with "is"
            return program.codes(changes)
    except Exception:  # a change that makes no program: nothing to be found there
        return None


def ready(program: Program, codes: Sequence[CodeType]) -> Changed | None:
    """Compiled functions, to be called."""
    sizes: dict[str, int] = {}
    try:
        return Changed(program.made(codes, sizes), sizes)
    except Exception:  # a default argument that cannot be worked out
        return None


def _after(first: Make, second: Make) -> Make:
    return lambda tree: second(first(tree))


@lru_cache(maxsize=256)
def _weights(shape: tuple[int, ...]) -> Array:
    rng = np.random.default_rng([len(shape), *shape])
    count = int(np.prod(shape))
    weights: Array = rng.uniform(0.5, LARGEST_WEIGHT, count) * rng.choice((-1.0, 1.0), count)
    return weights


def print_of(outputs: Sequence[object], count: int) -> Array:
    """For each output a fixed combination of its values and their scale, [count, 2]; NaN where there is none.

    The weights are another set for every shape, so that tensors of different shapes hardly meet.
    """
    found = np.full((count, 2), np.nan)
    if len(outputs) != count:
        return found
    for position, output in enumerate(outputs):
        if not isinstance(output, Tensor) or output.is_complex():
            continue
        values = output.detach().to(torch.float64).reshape(-1).numpy()
        scale = np.abs(values).sum()
        if not math.isfinite(scale):
            values = np.nan_to_num(values, nan=1.2345, posinf=7.77e6, neginf=-7.77e6)
            scale = np.abs(values).sum()
        found[position] = values @ _weights(tuple(output.shape)), scale + 1e-30
    return found


def near(prints: Array, one: Array) -> NDArray[np.bool_]:
    """Which of many prints [n, outputs, 2] lie near one [outputs, 2], output by output."""
    gap = np.abs(prints[..., 0] - one[..., 0])
    return gap <= NEAR * np.maximum(prints[..., 1], one[..., 1])


def key_of_prints(prints: Array) -> tuple[float, ...]:
    """Prints to five digits of their scale: equal programs round differently, and may stay two."""
    relative = prints[..., 0] / prints[..., 1]
    scale = np.round(np.log(prints[..., 1]) * 1e4)
    return tuple(np.nan_to_num(np.concatenate([np.round(relative * 1e5).ravel(), scale.ravel()]), nan=-9e9))


def calls_of(changed: Changed | None, calls: Sequence[Planned]) -> list[EditResult]:
    return [RAISED if changed is None else changed.call(call) for call in calls]


@contextmanager
def uncollected() -> Iterator[None]:
    """For thousands of small trees, for a few of which the collector would walk all of torch each time."""
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            gc.enable()
