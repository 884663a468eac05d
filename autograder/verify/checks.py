"""One thing that was proved of a course or not, and how trusted code's answers are set beside a student's."""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor

from autograder.calls.compare_values import Steps
from autograder.calls.expected import Returned
from autograder.calls.requests_and_outcomes import Outcome
from autograder.calls.value_as_json import kind_of
from autograder.course.model import Mistake, Part, Problem
from autograder.grade.report import PartReport

STUDENT = "verify"


@dataclass(frozen=True)
class Check:
    """One thing that was proved or not: of which part, what, and what was found."""

    problem: str
    part: str
    what: str  # reference, stub, mistake, named, empty, axes, edits, key, notebooks
    name: str
    passed: bool
    found: str

    @property
    def sentence(self) -> str:
        place = f"{self.problem}.{self.part}" if self.part else self.problem
        return f"{place}: {self.what}{f' {self.name}' if self.name else ''}: {self.found}"


def verdict_on(problem: Problem, part: Part, mistake: Mistake, report: PartReport) -> Check:
    if report.score >= report.max_score:
        found, passed = "earns full marks", False
    elif report.mistake != mistake.id:
        found, passed = f"recognised as {report.mistake}", False
    else:
        found, passed = caught_by(report) or report.verdict, True
        found += f"; earns {report.score / report.max_score:.0%}" if mistake.share else ""
    return Check(problem.id, part.name, "mistake", mistake.id, passed, found)


def caught_by(report: PartReport) -> str:
    failed = [result.name for result in report.cases if not result.passed]
    return f"caught by {failed[0]!r}" if failed else ""


def as_outcome(returned: Returned) -> Outcome:
    """Trusted code's answer in the form in which a student's comes back."""
    if returned.raised:
        return Outcome(status="raised", error=returned.raised)
    if isinstance(returned.value, Steps):
        return Outcome(status="ok", outputs=returned.value.values, kind="script")
    if not returned.outputs or not all(isinstance(out, Tensor) for out in returned.outputs):
        value = returned.value
        outputs = tuple(value) if isinstance(value, tuple | list) else (value,)
        kinds = tuple(map(kind_of, outputs))
        return Outcome(status="ok", outputs=outputs, kind=kind_of(returned.value), kinds=kinds)
    kinds = tuple("tensor" if isinstance(out, Tensor) else type(out).__name__ for out in returned.outputs)
    group = "list" if isinstance(returned.value, list) else "tuple"
    kind = "tensor" if len(kinds) == 1 and not returned.many else group
    return Outcome(status="ok", outputs=returned.outputs, kind=kind, kinds=kinds, grads=returned.grads)
