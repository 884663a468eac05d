"""A code part whose values are right is held to the bounds on its cost, by a call that the kernel watches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from autograder.cost.grading import is_bounded
from autograder.cost.outside import expect_large, judge_large, large_call, plan_large
from autograder.expect import Planned
from autograder.model import Code, Problem
from autograder.sandbox import Call, Limits, Outcome
from autograder.verdict import CaseResult, PartReport

TOO_COSTLY = "too_costly"


def has_cost(part: Code) -> bool:
    """Whether a part's cost is part of its marks."""
    return is_bounded(part) and bool(part.large)


def hold_to_bounds(
    report: PartReport, part: Code, planned: Planned, reference: Callable[..., Any], outcome: Outcome
) -> PartReport:
    """The report after the large call: a program of another class loses the share for cost."""
    finding = judge_large(planned, expect_large(reference, planned), outcome)
    cases = (
        *report.cases,
        CaseResult(planned.case.name, finding.holds, True, "" if finding.holds else finding.says),
    )
    if finding.holds:
        return replace(report, cases=cases, feedback=f"all {len(cases)} cases pass")
    bound = part.work or part.memory
    says = f"the values are right, but the cost is not O({bound}): {finding.says}"
    return replace(
        report,
        score=round(report.score - part.points * part.cost_share, 6),
        verdict="partial",
        mistake=TOO_COSTLY,
        feedback=says,
        cases=cases,
    )


def plan_cost(
    problem: Problem, part: Code, secret: str, student: str, limits: Limits
) -> tuple[Planned, Call]:
    """The large call of a part, for this student."""
    planned = plan_large(problem, part, secret, student)
    return planned, large_call(planned, limits)
