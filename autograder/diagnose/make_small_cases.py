"""A code part becomes calls that one can work out by hand: few numbers, small and whole, the fewest first.

They are made from what everybody may know: the shapes in the docstring, how arguments are drawn, and the
sizes that cases have.
"""

from __future__ import annotations

import heapq
import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from autograder.calls import function_arguments
from autograder.calls.expected import Planned
from autograder.calls.requests_and_outcomes import DtypeArg, FunctionArg
from autograder.course.cases import Case, Draw
from autograder.course.docstring_shapes import Shapes, parse_shapes, shape, size
from autograder.course.model import Code

MOST_STEPS = 3  # by which a size is above the least it may be
MOST_LOOKED_AT = 4000  # choices of sizes
# What entries are taken from, the plainest first; a filling takes the first few of them.
WHOLE = (1.0, 2.0, 0.0, -1.0, 3.0)
FILLINGS = (3, 5)  # how many of them

Sizes = dict[str, int]


# Draws that are filled with small numbers here.
FILLED = frozenset({"normal", "uniform", "whole", "orthogonal", "number", "dtype", "function"})


@dataclass(frozen=True)
class SizeDomain:
    """Which sizes a function is asked for: the least of each, their steps, and how far they are apart."""

    least: Mapping[str, int]
    step: Mapping[str, int]
    apart: tuple[tuple[str, str, int], ...]  # the first is at least so much above the second

    def has(self, sizes: Mapping[str, int]) -> bool:
        return all(sizes[a] - sizes[b] >= gap for a, b, gap in self.apart)


def small_cases(part: Code, most: int) -> list[Planned]:
    """Up to so many calls; those with fewer numbers come first. None of a part that is not about numbers."""
    if parse_shapes(part.doc, part.parameters).type or any(d.kind not in FILLED for d in part.draws.values()):
        return []
    shown = [case for case in part.cases if not case.hidden] or list(part.cases)
    shapes = parse_shapes(part.doc, part.parameters)
    found: dict[str, Planned] = {}
    domain = _domain(part, shapes, shown[0])
    count = _counting(shapes, shown[0])
    larger = sorted(_larger(domain), key=count)
    # Where nothing is drawn, the sizes are all of an input: those of hidden cases stay hidden.
    secret = [] if shapes.inputs else [case.sizes for case in part.cases if case.hidden]
    for sizes in itertools.chain(_sizes_upward(domain, count), larger):
        if len(found) >= most - len(larger) * len(FILLINGS) and sizes not in larger:
            continue
        if any(sizes.items() <= each.items() for each in secret):
            continue
        for number, kept in enumerate(FILLINGS):
            like = shown[number % len(shown)]
            planned = _plan(part, shapes, like, sizes, number, kept)
            found.setdefault(repr((planned.case.sizes, planned.arguments)), planned)
    return list(found.values())


def count_numbers(arguments: Sequence[object]) -> int:
    """How many numbers one has to read."""
    count = 0
    for argument in arguments:
        match argument:
            case Tensor():
                count += argument.numel()
            case FunctionArg(_, tensors):
                count += sum(tensor.numel() for tensor in tensors.values())
            case int() | float():
                count += 1
    return count


# ---------------------------------------------------------------- sizes


def _domain(part: Code, shapes: Shapes, shown: Case) -> SizeDomain:
    """What all cases have in common is taken for what the question asks."""
    numbers = {name for name, draw in part.draws.items() if draw.kind == "number"}
    searched = [name for name, value in shown.sizes.items() if type(value) is int]
    searched = [name for name in searched if name in numbers or name in shapes.axes]
    met = [[case.sizes.get(name) for name in searched] for case in part.cases]
    rows = [row for row in met if all(type(value) is int for value in row)]
    columns = dict(zip(searched, zip(*rows, strict=True), strict=True))
    parity = {name: len({value % 2 for value in column}) == 1 for name, column in columns.items()}
    least = {
        name: min(column) if name in numbers else 2 - min(column) % 2 if parity[name] else 1
        for name, column in columns.items()
    }
    for name, axes in shapes.inputs.items():
        draw = part.draws.get(name)
        if draw is not None and draw.kind == "orthogonal" and axes[0] in least:
            least[axes[0]] = max(least[axes[0]], len(_group(part, draw)))
    apart = []
    for a, b in itertools.permutations(searched, 2):
        gap = min(one - two for one, two in zip(columns[a], columns[b], strict=True))
        if a in numbers or b in numbers:
            apart.append((a, b, gap))
        elif gap == 0:  # a bound that is met in some case is meant
            apart.append((a, b, 0))
    step = {name: 2 if parity[name] and name not in numbers else 1 for name in searched}
    return SizeDomain(least, step, tuple(apart))


def _group(part: Code, draw: Draw) -> list[str]:
    """The arguments that are orthogonal to each other."""
    return [
        name
        for name in part.parameters
        if (other := part.draws.get(name)) is not None
        and other.kind == "orthogonal"
        and other.options["group"] == draw.options["group"]
    ]


def _larger(domain: SizeDomain) -> list[Sizes]:
    """A few sizes further up: slips that show only where several axes are long."""
    names = list(domain.least)
    ways = (
        [1] * len(names),
        [position % 3 for position in range(len(names))],
        [1 + p % 2 for p in range(len(names))],
    )
    return [sizes for steps in ways if domain.has(sizes := _at(domain, names, steps))]


def _counting(shapes: Shapes, shown: Case) -> Callable[[Sizes], int]:
    """How many numbers a call of these sizes has."""

    def count(sizes: Sizes) -> int:
        case = replace(shown, sizes={**shown.sizes, **sizes})
        lengths = [shape(axes, case.sizes) for axes in shapes.inputs.values()]
        return sum(math.prod(each) for each in lengths)

    return count


def _sizes_upward(domain: SizeDomain, count: Callable[[Sizes], int]) -> Iterator[Sizes]:
    """All sizes of a domain, those with fewer numbers first."""
    names = list(domain.least)
    start = tuple(0 for _ in names)
    waiting, seen = [(0, start)], {start}
    for _ in range(MOST_LOOKED_AT):
        if not waiting:
            return
        _, steps = heapq.heappop(waiting)
        sizes = _at(domain, names, steps)
        if domain.has(sizes):
            yield sizes
        for position in range(len(names)):
            further = (*steps[:position], steps[position] + 1, *steps[position + 1 :])
            if further[position] <= MOST_STEPS and further not in seen:
                seen.add(further)
                heapq.heappush(waiting, (count(_at(domain, names, further)), further))


def _at(domain: SizeDomain, names: Sequence[str], steps: Sequence[int]) -> Sizes:
    return {
        name: domain.least[name] + domain.step[name] * each for name, each in zip(names, steps, strict=True)
    }


# ---------------------------------------------------------------- entries


def _plan(part: Code, shapes: Shapes, like: Case, sizes: Sizes, number: int, kept: int) -> Planned:
    case = Case("a small case", {**like.sizes, **sizes}, dtype=like.dtype, scale=like.scale)
    rng = np.random.default_rng([number, *sizes.values()])
    groups: dict[str, list[int]] = {}
    arguments = tuple(_fill(name, part, case, shapes, rng, kept, groups) for name in part.parameters)
    return Planned(part, case, arguments, (), ())


def _fill(
    name: str,
    part: Code,
    case: Case,
    shapes: Shapes,
    rng: np.random.Generator,
    kept: int,
    groups: dict[str, list[int]],
) -> object:
    draw = part.draws.get(name, Draw("normal"))
    match draw.kind:
        case "number":
            return case.sizes.get(name, draw.options["default"])
        case "dtype":
            return DtypeArg(case.dtype)
        case "function":
            return _function(case.sizes.get(name, draw.options["default"]), draw, case, rng, kept)
    lengths = shape(shapes.inputs[name], case.sizes)
    match draw.kind:
        case "whole":
            below = size(str(draw.options["below"]), case.sizes)
            return torch.from_numpy(rng.integers(0, below, lengths))
        case "orthogonal":
            taken = groups.setdefault(draw.options["group"], [])
            taken.append(int(rng.choice([n for n in range(lengths[0]) if n not in taken])))
            values = np.eye(lengths[0])[taken[-1]] * float(case.sizes.get("norm", 1.0))
        case "uniform":
            choice = _between(draw.options["low"], draw.options["high"])[:kept]
            values = small_entries(choice, lengths, rng) * _scale(case, name)
        case _:
            values = small_entries(WHOLE[:kept], lengths, rng) * _scale(case, name)
    return torch.as_tensor(np.asarray(values)).to(getattr(torch, case.dtype))


def _scale(case: Case, name: str) -> float:
    """The power of ten nearest to what the numbers of a case are multiplied by."""
    scale = case.scale.get(name, 1.0) if isinstance(case.scale, Mapping) else case.scale
    return float(10.0 ** round(math.log10(scale))) if scale > 0 else 1.0


def small_entries(
    choice: Sequence[float], lengths: tuple[int, ...], rng: np.random.Generator
) -> NDArray[np.float64]:
    """Small numbers, not all of them zero, and not all the same where there are several."""
    for _ in range(20):
        values = rng.choice(choice, lengths)
        if np.any(values) and (values.size < 2 or len(np.unique(values)) > 1):
            break
    return values


def _between(low: float, high: float) -> list[float]:
    """Whole numbers between two bounds, or halves, quarters and so on where there are too few."""
    for parts in (1, 2, 4, 10, 100):
        found = [n / parts for n in range(int(np.ceil(low * parts)), int(np.floor(high * parts)) + 1)]
        if len(found) > 1:
            return sorted(found, key=lambda value: abs(value - 1))
    return [low, high]


def _function(name: str, draw: Draw, case: Case, rng: np.random.Generator, kept: int) -> FunctionArg:
    if name != function_arguments.MIXER:
        return FunctionArg(name, {})
    rows = size(draw.options["gives"], case.sizes)
    matrices = {
        str(position): torch.as_tensor(
            small_entries(WHOLE[:kept], (rows, size(axis, case.sizes)), rng), dtype=getattr(torch, case.dtype)
        )
        for position, axis in enumerate(draw.options["takes"])
    }
    return FunctionArg(name, matrices)
