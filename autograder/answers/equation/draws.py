"""Random tensors for a part, and the key's own values on them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import prod

import torch

from autograder.answers.equation.evaluate import Evaluator
from autograder.answers.equation.faults import TypeFault
from autograder.answers.equation.order import in_order, recurrent
from autograder.answers.equation.setting import Setting
from autograder.answers.equation.shapes import Typer
from autograder.answers.equation.tree import Line, Variable
from autograder.answers.equation.typing import Typed, type_line
from autograder.answers.equation.values import Stored, Uninterpreted, Value, aligned
from autograder.answers.equation.vocabulary import Declared

SCALES = (
    (0, 1.0),
    (1, 1.0),
    (1, 1e-3),
)  # which lengths, and how large; tiny entries keep sigmoid(1000 x) alive


@dataclass(frozen=True)
class Draw:
    """One setting with all its tensors, and what the key gives for each line."""

    setting: Setting
    tensors: Mapping[str, Stored]
    targets: Mapping[str, Stored]
    functions: Mapping[str, Uninterpreted]


def draw_tensors(setting: Setting, seed: int, scale: float) -> dict[str, Stored]:
    """Every declared tensor, by a generator of its own."""
    found = {}
    for number, declared in enumerate(setting.vocabulary.tensors.values()):
        generator = torch.Generator().manual_seed(7919 * seed + number)
        found[declared.name] = Stored(_drawn(declared, setting, generator, scale))
    return found


def _drawn(declared: Declared, setting: Setting, generator: torch.Generator, scale: float) -> torch.Tensor:
    shape = [setting.sizes[axis] for axis in declared.axes]
    if declared.entries:
        count = setting.sizes[declared.entries]
        return torch.randint(0, count, shape, generator=generator).double()
    if declared.draw == "identity":
        return torch.eye(*shape, dtype=torch.float64)
    if declared.draw == "positive":
        return scale * (0.1 + torch.rand(shape, generator=generator, dtype=torch.float64))
    return scale * torch.randn(shape, generator=generator, dtype=torch.float64)


def build_functions(setting: Setting) -> dict[str, Uninterpreted]:
    """The functions of a part about which nothing is known, as long as this setting asks."""
    typer = Typer(setting, {})
    found = {}
    for number, (name, function) in enumerate(setting.vocabulary.functions.items()):
        takes = tuple(prod(typer.length(axis) for axis in axes) for axes in function.takes)
        found[name] = Uninterpreted(number, takes, tuple(typer.length(axis) for axis in function.gives))
    return found


def key_draws(lines: Mapping[str, Line], settings: tuple[Setting, Setting]) -> list[Draw]:
    """The draws on which every answer is compared with the key."""
    given = recurrent(lines)
    draws = []
    for seed, (which, scale) in enumerate(SCALES):
        setting = settings[which]
        tensors = draw_tensors(setting, seed, scale)
        functions = build_functions(setting)
        targets: dict[str, Stored] = {}
        for name in in_order(lines, given):
            typed, counted = type_key_line(lines[name], setting)
            targets[name] = store(Evaluator(counted, tensors, functions).run(typed), typed, counted)
            if name not in given:
                tensors[name] = targets[name]
        draws.append(Draw(setting, tensors, targets, functions))
    return draws


def type_key_line(line: Line, setting: Setting) -> tuple[Typed, Setting]:
    """A line of the key, counting unnumbered axes from 0 or from 1, whichever stays inside them."""
    try:
        typed = type_line(line, line.rights[0], setting)
    except TypeFault:
        typed = None
    if typed is not None and not typed.outside:
        return typed, setting
    counted = replace(setting, base=1)
    return type_line(line, line.rights[0], counted), counted


def store(value: Value, typed: Typed, setting: Setting) -> Stored:
    """A value laid out by the axes of what the line defines."""
    names = [index.name for index in typed.left.indices if isinstance(index, Variable)]
    outer = tuple(name for name in value.names if name in setting.fixed and name not in names)
    order = (*outer, *names)
    data = aligned(value, order)
    lengths = [len(typed.spans[name]) for name in order]
    data = data.expand([*lengths, *data.shape[len(order) :]])
    partial = []
    for name, whole in zip(
        names, setting.spans_of(typed.left.tensor) if typed.own is None else (), strict=False
    ):
        span = typed.spans[name]
        partial.append(None if (span.low, span.high) == (whole.low, whole.high) else span)
    return Stored(data, outer, tuple(partial), value.cols and not value.rows)
