"""What is said of an answer: a verdict with its reason, the report of a notebook, and its rows of results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from autograder.calls.requests_and_outcomes import ShownSlice, Smallest
from autograder.cost.cost_curve import CostCurve


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


WAITS = frozenset({Status.MANUAL, Status.UNREADABLE})  # for a person: these marks are not the last word


@dataclass(frozen=True)
class CaseResult:
    """One case of a code part: passed, or failed with the sentence that says how."""

    name: str
    passed: bool
    hidden: bool
    message: str = ""
    shown: ShownSlice | None = None

    def __post_init__(self) -> None:
        if self.hidden and self.shown is not None:
            raise ValueError(f"case {self.name!r} is hidden: its values are not shown")
        if not self.passed and not self.message:
            raise ValueError(f"case {self.name!r} fails without a reason")


@dataclass(frozen=True)
class Marked:
    """A line of the answer's cell, counted from the first that is not blank, and what is said of it.

    It is the line at which the function leaves the way of a right one, or at which it `stops`. What it gives
    in a visible `case` is `shown` beside what a right solution has there, with the names of its `axes`. What
    it says comes `first` where it is the cause of all else.
    """

    line: int
    says: str
    stops: bool = False
    shown: ShownSlice | None = None
    axes: str = ""
    case: str = ""
    first: bool = False


@dataclass(frozen=True)
class PartReport:
    """The marks of one part and the reason for them.

    `machine` says that the machine, and not the answer, kept the part from being judged: it waits for a
    person, and for the next run, which tries it again.

    `wrong_values` and `code_prints` stand for a wrong answer and for the code that gave it, without telling
    either: they only tell whether two students' are the same.

    `for_slip` are the points, among the score, that a recognised slip earned.

    `departs` is the line at which a wrong function leaves the way of a right one, `smallest` a case to see it
    by; `feedback` says both as well.
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
    machine: bool = False
    departs: Marked | None = None
    smallest: Smallest | None = None
    for_slip: float = 0.0

    def __post_init__(self) -> None:
        if self.machine and self.status is not Status.MANUAL:
            raise ValueError(f"{self.part}: what the machine kept from being judged waits for a person")
        if self.score < self.max_score and not self.feedback:
            raise ValueError(f"{self.part}: marks are lost without a reason")

    @property
    def full(self) -> bool:
        return self.score >= self.max_score


Identity = tuple[str, str, str]  # student, set, problem


@dataclass(frozen=True)
class ResultRow:
    """A line of results.jsonl."""

    student: str
    set: str
    problem: str
    part: str
    score: float
    max_score: float
    status: Status
    verdict: str
    mistake: str | None
    feedback: str

    @property
    def identity(self) -> Identity:
        return self.student, self.set, self.problem


@dataclass(frozen=True)
class Report:
    """All that is known of one graded notebook.

    Its parts are its marks. What follows them is no part of these: how long it took, how it was graded, where
    the hand-in lies and when it came (or why there is none), and by what grader and course it was judged.
    """

    student: str
    set: str
    problem: str
    parts: tuple[PartReport, ...]
    seconds: float = 0.0
    isolated: bool = True
    limits: Mapping[str, float] = field(default_factory=dict)
    path: str = ""
    inside: tuple[str, ...] = ()  # members that lead to it, where the path is an archive
    absent: tuple[Status, str] | None = None
    submitted: str | None = None
    late: bool = False
    grader: str = ""
    course: str = ""

    @property
    def identity(self) -> Identity:
        return self.student, self.set, self.problem

    @property
    def score(self) -> float:
        return float(round(sum(part.score for part in self.parts), 6))

    @property
    def max_score(self) -> float:
        return float(sum(part.max_score for part in self.parts))

    @property
    def column(self) -> str:
        return f"{self.set}/{self.problem}"

    @property
    def final(self) -> bool:
        """Whether the marks say something of the answers, and nothing of the machine."""
        return not any(part.machine for part in self.parts)

    def rows(self) -> Iterator[ResultRow]:
        for part in self.parts:
            yield ResultRow(
                *self.identity,
                part.part,
                score=part.score,
                max_score=part.max_score,
                status=part.status,
                verdict=part.verdict,
                mistake=part.mistake,
                feedback=part.feedback,
            )
