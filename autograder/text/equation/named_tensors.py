"""Tensors whose axes carry the names of indices, and the operations on them that need no equation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import prod

import torch

from autograder.text.equation.chosen_sizes import Span
from autograder.text.step_bound import spend

BEYOND = 600.0  # of an exponent: far from overflow, and beyond what any softmax tells apart


def _exp(data: torch.Tensor) -> torch.Tensor:
    """Without overflow, so that exp(z) / (1 + exp(z)) is 1 for a large z, and not inf / inf."""
    return torch.exp(data.clamp(max=BEYOND))


ELEMENTWISE: Mapping[str, Callable[[torch.Tensor], torch.Tensor]] = {
    "exp": _exp, "ln": torch.log, "log": torch.log, "sqrt": torch.sqrt, "sigmoid": torch.sigmoid,
    "tanh": torch.tanh, "relu": torch.relu, "abs": torch.abs, "sin": torch.sin, "cos": torch.cos,
    "softplus": torch.nn.functional.softplus,
}  # fmt: skip


@dataclass(frozen=True)
class Value:
    """A tensor: one axis for each name, then the rows and columns it has."""

    names: tuple[str, ...]
    data: torch.Tensor
    rows: bool = False
    cols: bool = False

    def __post_init__(self) -> None:
        spend(10 + self.data.numel() // 256)

    @property
    def inner(self) -> int:
        return int(self.rows) + int(self.cols)


@dataclass(frozen=True)
class Stored:
    """A tensor by its axes in order; `outer` are given indices it depends on besides, which come first.

    `spans` are set where the values cover only a part of the axes.
    """

    data: torch.Tensor
    outer: tuple[str, ...] = ()
    spans: tuple[Span | None, ...] = ()


class Uninterpreted:
    """A function about which nothing is known: fixed, injective and nonlinear."""

    def __init__(self, number: int, takes: tuple[int, ...], gives: tuple[int, ...]) -> None:
        self.gives = gives
        self.slope = 0.3 + 0.1 * number
        generator = torch.Generator().manual_seed(977 + number)
        count = prod(gives)
        self.weights = [
            torch.randn(count, size, generator=generator, dtype=torch.float64) / size**0.5 for size in takes
        ]

    def each(self, data: torch.Tensor) -> torch.Tensor:
        return torch.nn.functional.softplus(data) + self.slope * data

    def joint(self, vectors: list[torch.Tensor]) -> torch.Tensor:
        """Every argument has its own weights, so that swapped arguments give another value."""
        total = sum(vector @ weight.T for vector, weight in zip(vectors, self.weights, strict=True))
        assert isinstance(total, torch.Tensor)
        return torch.tanh(total) + self.slope * total


def aligned(value: Value, names: tuple[str, ...]) -> torch.Tensor:
    """The data with its axes in this order; names it lacks get an axis of length 1."""
    inner = value.inner
    order = [value.names.index(name) for name in names if name in value.names]
    data = value.data.permute([*order, *range(len(order), len(order) + inner)])
    for at, name in enumerate(names):
        if name not in value.names:
            data = data.unsqueeze(at)
    return data


def union(*values: Value) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for value in values for name in value.names))


def reduce(kind: str, data: torch.Tensor, dims: list[int]) -> torch.Tensor:
    match kind:
        case "max":
            return data.amax(dim=dims)
        case "min":
            return data.amin(dim=dims)
        case "mean":
            return data.mean(dim=dims)
        case "product":
            for dim in reversed(dims):
                data = data.prod(dim=dim)
            return data
    return data.sum(dim=dims)


def turned(value: Value) -> Value:
    data = value.data.transpose(-1, -2) if value.inner == 2 else value.data
    return Value(value.names, data, value.cols, value.rows)


def stretched(a: torch.Tensor, b: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """A vector of ones takes the length of its neighbour."""
    if a.shape[-1] == 1 and b.shape[-2] > 1:
        a = a.expand(*a.shape[:-1], b.shape[-2])
    elif b.shape[-2] == 1 and a.shape[-1] > 1:
        b = b.expand(*b.shape[:-2], a.shape[-1], b.shape[-1])
    return a, b


def kron(left: Value, right: Value) -> Value:
    names = union(left, right)
    a, b = aligned(left, names), aligned(right, names)
    a = a if left.rows else a.unsqueeze(-2)
    a = a if left.cols else a.unsqueeze(-1)
    b = b if right.rows else b.unsqueeze(-2)
    b = b if right.cols else b.unsqueeze(-1)
    data = a[..., :, None, :, None] * b[..., None, :, None, :]
    shape = data.shape
    data = data.reshape(*shape[:-4], shape[-4] * shape[-3], shape[-2] * shape[-1])
    rows, cols = left.rows or right.rows, left.cols or right.cols
    data = data if cols else data.squeeze(-1)
    return Value(names, data if rows else data.squeeze(-1 if not cols else -2), rows, cols)


def einsum(left: Value, right: Value, keep: tuple[str, ...]) -> Value:
    letters = {name: at for at, name in enumerate(union(left, right))}
    first, second, kept = ([letters[name] for name in names] for names in (left.names, right.names, keep))
    return Value(keep, torch.einsum(left.data, first, right.data, second, kept))
