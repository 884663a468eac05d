"""A code part that properties decide becomes a talk for each case, and what came of them becomes marks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from autograder.calls.expected import Planned
from autograder.calls.failure import no_value, no_value_hidden
from autograder.calls.properties import Promise, decide, numbers_in
from autograder.calls.requests_and_outcomes import Ask, CellOutcome, Limits, Outcome, Talk
from autograder.calls.run_author_tests import Tested, load_tests
from autograder.course.model import Code
from autograder.grade.report import CaseResult, PartReport, Status
from autograder.grade.tests import Sitting, missing_names, status_of
from autograder.grade.unmarked import not_defined


@dataclass(frozen=True)
class PropertySheet:
    """The properties of a part, loaded once for the whole class."""

    part: Code
    checks: tuple[Callable[..., object], ...]
    place: str

    @classmethod
    def of(cls, part: Code) -> PropertySheet:
        place = f"<properties of {part.name}>"
        names = [each.check.__name__ for each in part.holds]
        return cls(part, tuple(load_tests(part.holds_source, names, place)), place)

    def requests(self, calls: Sequence[Planned], limits: Limits | None) -> list[Talk]:
        """A talk for each case; hidden ones come after all that a student is shown."""
        return [
            Talk(self.part.name, Sitting(self._running(call)), limits, late=call.case.hidden)
            for call in calls
        ]

    def _running(self, call: Planned) -> Callable[[Ask], Tested]:
        return lambda ask: self.run(call, ask)

    def run(self, call: Planned, ask: Ask) -> Tested:
        """What the properties say of one case."""
        part, case = self.part, call.case
        promise = Promise(part.doc, part.parameters, numbers_in(case.sizes), case.dtype)
        properties = [(each.says, check) for each, check in zip(part.holds, self.checks, strict=True)]
        return decide(properties, part.name, promise, call.arguments, ask, self.place)


def judge_properties(
    part: Code, calls: Sequence[Planned], talks: Sequence[Talk], outcomes: Sequence[Outcome],
    broken: CellOutcome | None,
) -> PartReport:  # fmt: skip
    """Marks for one part: a case that some property fails costs its share."""
    names = missing_names(talks)
    if names:
        return not_defined(part, names, broken)
    results = [
        _result(call, talk, outcome) for call, talk, outcome in zip(calls, talks, outcomes, strict=True)
    ]
    return report_of(part, calls, results, status_of(outcomes), broken)


def report_of(
    part: Code, calls: Sequence[Planned], results: Sequence[CaseResult], status: Status,
    broken: CellOutcome | None = None,
) -> PartReport:  # fmt: skip
    """The marks that the results of the cases leave."""
    lost = sum(call.case.costs for call, result in zip(calls, results, strict=True) if not result.passed)
    cases, share = tuple(results), max(0.0, 1.0 - lost)
    if not lost:
        text = f"all {len(results)} cases pass"
        return PartReport(part.name, part.points, part.points, Status.GRADED, "correct", text, cases=cases)
    lines = [f"{sum(result.passed for result in results)} of {len(results)} cases pass"]
    if broken is not None:
        lines.append(f"the cell does not get to its end: {broken.error}")
    lines += [f"{result.name}: {result.message}" for result in results if not result.passed]
    verdict, score = ("partial" if share else "wrong"), round(part.points * share, 6)
    return PartReport(part.name, score, part.points, status, verdict, "\n".join(lines), cases=cases)


def _result(call: Planned, talk: Talk, outcome: Outcome) -> CaseResult:
    sitting, case = talk.lead, call.case
    assert isinstance(sitting, Sitting)
    if outcome.status != "ok" or sitting.result is None:
        why = no_value_hidden(outcome) if case.hidden else no_value(outcome)
        return CaseResult(case.name, False, case.hidden, why)
    if sitting.result.passed:
        return CaseResult(case.name, True, case.hidden)
    # What was found may hold the hidden input: of a hidden case, the author's own sentence or ours is told.
    says = sitting.result.hidden if case.hidden else sitting.result.says
    return CaseResult(case.name, False, case.hidden, says)
