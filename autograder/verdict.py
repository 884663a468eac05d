"""What is said of an answer: a verdict with its reason, and the row that reports it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class Status(StrEnum):
    """What became of a part."""

    GRADED = "graded"
    MANUAL = "manual"
    MISSING = "missing"
    UNCHANGED = "unchanged"
    CRASHED = "crashed"
    TIMED_OUT = "timed_out"
    KILLED = "killed"
    UNREADABLE = "unreadable"


@dataclass(frozen=True)
class LineVerdict:
    """The verdict on one line of a system of equations, named by what the line defines."""

    defines: str
    verdict: str
    read_as: str = ""
    feedback: str = ""
    mistake: str | None = None


@dataclass(frozen=True)
class Judgement:
    """What an engine says of one answer. Anything short of full marks carries a reason."""

    verdict: str
    share: float
    feedback: str = ""
    read_as: str = ""
    latex: str = ""
    mistake: str | None = None
    lines: tuple[LineVerdict, ...] = ()
    missing: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not 0 <= self.share <= 1:
            raise ValueError(f"a share lies between 0 and 1, not {self.share}")
        if self.share < 1 and not self.feedback:
            raise ValueError(f"verdict {self.verdict!r} loses marks without a reason")


@dataclass(frozen=True)
class Shown:
    """A slice of one wrong tensor of a visible case, to be drawn: rows of numbers, written out as text.

    `wrong` has a 1 for each entry that differs; it is empty where the shapes differ. `where` are the leading
    indices at which the slice was taken, `cut` says that it is only the first rows and columns.
    """

    name: str
    want: tuple[str, ...]
    got: tuple[str, ...]
    wrong: tuple[str, ...] = ()
    where: tuple[int, ...] = ()
    cut: bool = False


@dataclass(frozen=True)
class CaseResult:
    """One case of a code part: passed, or failed with the sentence that says how."""

    name: str
    passed: bool
    hidden: bool
    message: str = ""
    shown: Shown | None = None

    def __post_init__(self) -> None:
        if self.hidden and self.shown is not None:
            raise ValueError(f"case {self.name!r} is hidden: its values are not shown")
        if not self.passed and not self.message:
            raise ValueError(f"case {self.name!r} fails without a reason")


@dataclass(frozen=True)
class CostCurve:
    """How a cost of the student's own program grows along one axis, and how its bound does.

    `counts` are what was measured at the `sizes` of the axis; `allowed` is the bound there, scaled to begin
    with the first count, since a bound says nothing of constants. `still` are the axes that do not change.
    """

    quantity: str
    axis: str
    still: str
    sizes: tuple[int, ...]
    counts: tuple[int, ...]
    allowed: tuple[int, ...]
    bound: str
    holds: bool


def plain_bound(bound: str) -> str:
    """A bound as the course writes products: T d dv."""
    return bound.replace("**", "^").replace("*", " ")


@dataclass(frozen=True)
class PartReport:
    """The marks of one part and the reason for them.

    `wrong_values` and `code_prints` stand for a wrong answer and for the code that gave it, without telling
    either: they only tell whether two students' are the same.
    """

    part: str
    score: float
    max_score: float
    status: Status
    verdict: str
    feedback: str
    mistake: str | None = None
    cases: tuple[CaseResult, ...] = field(default=())
    read_as: str = ""
    latex: str = ""
    wrong_values: str = ""
    code_prints: str = ""
    costs: tuple[CostCurve, ...] = ()

    def __post_init__(self) -> None:
        if self.score < self.max_score and not self.feedback:
            raise ValueError(f"{self.part}: marks are lost without a reason")
