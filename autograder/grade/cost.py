"""Code whose values are right is held to the bounds on its cost: counted inside, watched from outside."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from autograder.calls.failure import no_value_hidden
from autograder.calls.requests_and_outcomes import FunctionCall, Limits, Outcome, ReadText, Script
from autograder.cost.call_at_large_size import expect_large, judge_large, large_call, plan_large
from autograder.cost.feedback_curves import cost_curves
from autograder.cost.fit import Sizes
from autograder.cost.grading import count_on_grid, is_bounded, judge_cost
from autograder.cost.measure import Measured, Row
from autograder.cost.measured_function import bounded
from autograder.cost.rates_agree import Agreement, contradiction
from autograder.cost.trace.count_a_call import NO_COUNTS, read_count
from autograder.cost.trace.tracer import Cost
from autograder.course.model import Code, Growth, Problem
from autograder.grade.report import CaseResult, PartReport

TOO_COSTLY = "too_costly"
Ask = Callable[
    [Sequence[FunctionCall | ReadText | Script]], Sequence[Outcome]
]  # the submission's cells are run, then these


class MachineFault(Exception):
    """The machine kept a call from being made; the message is for the instructor."""


def has_cost(part: Code) -> bool:
    """Whether a part's cost is part of its marks."""
    return is_bounded(part)


@dataclass(frozen=True)
class CostJudge:
    """Holds one student's function to the bounds of its part."""

    problem: Problem
    part: Code
    reference: Callable[..., object]
    secret: str
    student: str
    limits: Limits

    def judge(
        self, report: PartReport, counts: Sequence[Row | str], ask: Ask
    ) -> tuple[PartReport, Measured | None]:
        """The report once its cost is known, and what was measured, if anything.

        A program of another class loses the share of the marks that is for its cost.
        """
        verdict = judge_cost(self.part, counts, Agreement(True, "") if self.part.large else None)
        if verdict.holds and self.part.large:  # the counts can be tampered with: the kernel must agree
            verdict = judge_cost(self.part, counts, self._watched(ask))
        case = CaseResult("the cost", verdict.holds, True, "" if verdict.holds else verdict.says)
        cases = (*report.cases, case)
        if verdict.measured is not None:
            report = replace(report, costs=cost_curves(self.part, verdict.measured))
        if verdict.holds:
            feedback = f"all {len(report.cases)} cases pass; {verdict.says}"
            return replace(report, cases=cases, feedback=feedback), verdict.measured
        lower = replace(
            report,
            score=round(report.score - self.part.points * self.part.cost_share, 6),
            verdict="partial",
            mistake=TOO_COSTLY,
            feedback=f"the values are right, but not the cost: {verdict.says}",
            cases=cases,
        )
        return lower, verdict.measured

    def _watched(self, ask: Ask) -> Agreement:
        """What one call at the large size shows, under limits that the kernel keeps."""
        planned = plan_large(self.problem, self.part, self.secret, self.student)
        (outcome,) = ask([large_call(planned, self.limits)])
        return judge_large(planned, expect_large(self.reference, planned), outcome)


def count_cost(part: Code, ask: Ask) -> list[Row | str]:
    """What a student's function takes at several sizes. It is to be asked before any hidden input is sent:
    whoever knows one could write it into the counts, which are shown."""
    subject = bounded(part)

    def count(grid: Sequence[Sizes], most: int | None) -> list[Cost | str]:
        calls = [
            FunctionCall(part.name, part.name, subject.sent(at), counted=True, operations=most) for at in grid
        ]
        return [_count(outcome) for outcome in ask(calls)]

    return count_on_grid(part, count)


def beside_own_code(report: PartReport, part: Growth, measured: Measured) -> PartReport:
    """A growth rate that is not that of the student's own program is told so; the marks stay."""
    if not report.read_as or part.quantity not in measured.fits:
        return report
    axes = tuple(f"{axis} = {size}" for axis, size in part.sizes.items())
    variables = tuple(dict.fromkeys((*part.variables, *part.sizes)))
    asked = replace(part, variables=variables, assumptions=(*part.assumptions, *axes))
    rate, right = measured.growth(part.quantity), report.score == report.max_score
    told = contradiction(asked, report.read_as, rate, str(part.measures), right)
    return replace(report, feedback=f"{report.feedback}; {told}") if told else report


def _count(outcome: Outcome) -> Cost | str:
    """What a counted call said, as data from a process that is not trusted; the words are ours."""
    if outcome.status != "ok":
        return no_value_hidden(outcome)
    match outcome.outputs:
        case (str() as why,):
            return read_count({"not_measured": why})
        case (Tensor() as counts,) if counts.shape == (3,) and counts.dtype == torch.int64:
            work, span, memory = (int(value) for value in counts)
            return read_count({"work": work, "span": span, "memory": memory})
    return NO_COUNTS
