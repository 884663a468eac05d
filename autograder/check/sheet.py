"""What a student's machine knows of a problem: visible cases with their values, and how answers are read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from torch import Tensor

from autograder.expect import Expected
from autograder.model import Choice, Equation, Formula, Growth, Prose
from autograder.notebook import cells

CALL_SECONDS = 10.0


@dataclass(frozen=True)
class VisibleCase:
    """One call that a student sees: its sentence, its arguments, and what should come back."""

    name: str
    sizes: Mapping[str, int]
    arguments: tuple[Any, ...]
    expected: Expected
    grad: tuple[int, ...] = ()
    cotangents: tuple[Tensor, ...] = ()


@dataclass(frozen=True)
class CodeSheet:
    """A code part without its function: hidden cases are sentences, the rest of them stays elsewhere."""

    name: str
    points: float
    parameters: tuple[str, ...]
    stub: str
    axes: tuple[tuple[str, ...], ...]  # of each output
    cases: tuple[VisibleCase, ...]
    hidden: tuple[str, ...] = ()
    measured: bool = False  # its cost is looked at when it is graded
    call_seconds: float = CALL_SECONDS


PartSheet = CodeSheet | Growth | Formula | Equation | Choice | Prose


@dataclass(frozen=True)
class Sheet:
    """One problem as a student's machine knows it."""

    problem: str
    title: str
    parts: tuple[PartSheet, ...]

    def part(self, name: str) -> PartSheet | None:
        return next((part for part in self.parts if part.name == name), None)

    @property
    def points(self) -> float:
        return sum(part.points for part in self.parts)


def kind_of_part(part: PartSheet) -> str:
    return "code" if isinstance(part, CodeSheet) else type(part).__name__.lower()


def stub_of(part: PartSheet) -> str:
    """The answer cell as it was handed out."""
    return part.stub if isinstance(part, CodeSheet) else cells.stub(part)
