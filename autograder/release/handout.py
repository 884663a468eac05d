"""What a student's machine knows of a problem: visible cases with their values, and how answers are read."""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor

from autograder.calls.expected import Expected
from autograder.calls.script_steps import Step
from autograder.course.cases import Sizes
from autograder.course.model import Choice, Equation, Formula, Growth, Prose
from autograder.course.small_kinds import Small
from autograder.diagnose.hints import Sealed
from autograder.diagnose.reference_digests import Bytes
from autograder.notebook import stub_cells

CALL_SECONDS = 10.0


@dataclass(frozen=True)
class VisibleCase:
    """One call that a student sees: its sentence, its arguments, and what should come back."""

    name: str
    sizes: Sizes
    arguments: tuple[object, ...]
    expected: Expected
    grad: tuple[int, ...] = ()
    cotangents: tuple[Tensor, ...] = ()
    steps: tuple[Step, ...] = ()  # of an object, in the place of a call
    dtype: str = "float32"  # in which an object makes its tensors
    sketches: Bytes | None = None  # digests of what a right solution has on the way


@dataclass(frozen=True)
class CodeHandout:
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
    hints: Sealed | None = None  # of wrong functions, as many steps as students may see
    small: tuple[VisibleCase, ...] = ()  # to show what is wrong on few numbers; they decide nothing
    holds: tuple[tuple[str, str], ...] = ()  # properties that decide: the function, and what a student reads
    source: str = ""  # the text of those functions
    doc: str = ""  # what is promised of every result, where properties decide
    numpy: bool = True  # whether its arrays count as tensors


@dataclass(frozen=True)
class TestsHandout:
    """A part of tests: the visible ones as text with their sentences, of the hidden ones the sentences."""

    __test__ = False  # for pytest, which would take it for a class of its own

    name: str
    points: float
    stub: str
    defines: tuple[str, ...]
    source: str
    tests: tuple[tuple[str, str], ...]  # the function, and what a student reads of it
    hidden: tuple[str, ...] = ()
    plain: tuple[tuple[str, ...], ...] = ()  # for each test, where the reference gives plain values


PartHandout = CodeHandout | TestsHandout | Growth | Formula | Equation | Choice | Small | Prose


@dataclass(frozen=True)
class Handout:
    """One problem as a student's machine knows it."""

    problem: str
    title: str
    parts: tuple[PartHandout, ...]
    given: str = ""  # the cell of code that is given, as it was handed out
    imports: tuple[str, ...] = ()  # what the course allows beside the usual packages

    def part(self, name: str) -> PartHandout | None:
        return next((part for part in self.parts if part.name == name), None)

    @property
    def points(self) -> float:
        return sum(part.points for part in self.parts)


def kind_of_part(part: PartHandout) -> str:
    return type(part).__name__.lower().removesuffix("handout")


def stub_of(part: PartHandout) -> str:
    """The answer cell as it was handed out."""
    return part.stub if isinstance(part, CodeHandout | TestsHandout) else stub_cells.stub(part)
