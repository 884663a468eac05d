"""A submitted notebook becomes a report: its cells are run elsewhere, what comes back is judged here."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from autograder.answers.text import TextPart, judge_text
from autograder.errors import AnswerError, CourseError
from autograder.expect import Expected, Planned, expect, plan_case
from autograder.fingerprint import code_prints
from autograder.grade_code import judge_code, passes
from autograder.grade_cost import Ask, CostJudge, beside_own_code, has_cost
from autograder.model import Code, Growth, Part, Problem, Prose, Solution
from autograder.notebook.submitted import Submission, read_submission
from autograder.sandbox import (
    Call,
    Cell,
    CellOutcome,
    Limits,
    Outcome,
    Read,
    RunResult,
    SandboxError,
    override,
)
from autograder.verdict import Judgement, PartReport, Status

MOST_KNOWN = 4096  # texts whose judgement is kept

Runner = Callable[[Sequence[Cell], Sequence[Call | Read]], RunResult]


@dataclass(frozen=True)
class Grader:
    """Grades submissions of one problem; visible cases are computed once for the whole class."""

    problem: Problem
    solution: Solution
    secret: str
    limits: Limits = field(default_factory=Limits)

    def grade(self, data: bytes, student: str, run: Runner) -> tuple[PartReport, ...]:
        """A row for every part, whatever became of the submission."""
        try:
            submission = read_submission(data)
        except AnswerError as error:
            return tuple(
                _lost(part, Status.UNREADABLE, "unreadable", str(error)) for part in self.problem.parts
            )
        planned = self._plan(student)
        requests = self._requests(planned)
        cells = [
            Cell(source=source, part=part or None, cell_id=str(number))
            for number, (part, source) in enumerate(submission.code_to_run(self.problem))
        ]
        result = run(cells, requests)
        reports = {
            part.name: self._report_or_say_why_not(part, submission, planned, requests, result)
            for part in self.problem.parts
        }
        self._add_costs(reports, student, lambda requests: run(cells, requests))
        return tuple(reports.values())

    def _add_costs(self, reports: dict[str, PartReport], student: str, ask: Ask) -> None:
        """Code with a bound on its cost is held to it once its values are right; a growth rate that
        speaks of it is set beside what was measured."""
        for part in self.problem.parts:
            report = reports[part.name]
            if not isinstance(part, Code) or report.score < report.max_score or not has_cost(part):
                continue
            reference = self.solution.answers[part.name]
            judge = CostJudge(self.problem, part, reference, self.secret, student, self.limits)
            try:
                reports[part.name], measured = judge.judge(report, ask)
            except (CourseError, SandboxError):
                raise
            except Exception as error:
                reports[part.name] = _stumbled(part, error)
                continue
            for other in self.problem.parts:
                if isinstance(other, Growth) and other.measures == part.name and measured is not None:
                    reports[other.name] = beside_own_code(reports[other.name], other, measured)

    def _plan(self, student: str) -> dict[str, list[Planned]]:
        return {
            part.name: [
                self._alike.get((part.name, case.name))
                or plan_case(self.problem, part, case, self.secret, student)
                for case in part.cases
            ]
            for part in self.problem.parts
            if isinstance(part, Code)
        }

    @cached_property
    def _alike(self) -> dict[tuple[str, str], Planned]:
        """The visible cases, whose inputs are the same for everyone."""
        return {
            (part.name, case.name): plan_case(self.problem, part, case, self.secret, "")
            for part in self.problem.parts
            if isinstance(part, Code)
            for case in part.cases
            if not case.hidden
        }

    def _requests(self, planned: Mapping[str, Sequence[Planned]]) -> list[Call | Read]:
        requests: list[Call | Read] = []
        for part in self.problem.parts:
            if isinstance(part, Code):
                # The first case is asked again at the end: an answer must not depend on what came before.
                requests += [self._call(call, late=call.case.hidden) for call in planned[part.name]]
                requests.append(self._call(planned[part.name][0], late=True))
            elif not isinstance(part, Prose):
                requests.append(Read(part=part.name, name=part.name))
        return requests

    def _call(self, planned: Planned, *, late: bool) -> Call:
        """The call; one that everybody gets is the same object every time."""
        if planned.case.hidden:
            return self._new_call(planned, late)
        key = (planned.part.name, planned.case.name, late)
        if key not in self._shared:
            self._shared[key] = self._new_call(planned, late)
        return self._shared[key]

    @cached_property
    def _shared(self) -> dict[tuple[str, str, bool], Call]:
        return {}

    def _new_call(self, planned: Planned, late: bool) -> Call:
        name, own = planned.part.name, planned.part.limits
        return Call(
            part=name,
            function=name,
            args=planned.arguments,
            grad=planned.grad,
            cotangents=planned.cotangents,
            limits=override(self.limits, own) if own else None,
            late=late,
        )

    def _report_or_say_why_not(
        self,
        part: Part,
        submission: Submission,
        planned: Mapping[str, Sequence[Planned]],
        requests: Sequence[Call | Read],
        result: RunResult,
    ) -> PartReport:
        try:
            return self._report(part, submission, planned, requests, result)
        except CourseError:
            raise
        except Exception as error:
            return _stumbled(part, error)

    def _report(
        self,
        part: Part,
        submission: Submission,
        planned: Mapping[str, Sequence[Planned]],
        requests: Sequence[Call | Read],
        result: RunResult,
    ) -> PartReport:
        if isinstance(part, Prose):
            return _prose(part, submission)
        if submission.is_untouched(part):
            return _lost(
                part, Status.UNCHANGED, "unanswered", "not answered yet: the cell is as it was handed out"
            )
        outcomes = [o for r, o in zip(requests, result.outcomes, strict=True) if r.part == part.name]
        if isinstance(part, Code):
            calls = planned[part.name]
            expected = self._expectations(calls, outcomes)
            mistakes = self.solution.mistakes_of(part.name)
            broken = _broken_cell(part.name, result.cells)
            report = judge_code(part, calls, expected, outcomes, mistakes, broken)
            return replace(report, code_prints=code_prints(submission.code_of(part), part.stub))
        return self._text(part, submission, outcomes[0])

    def _expectations(self, calls: Sequence[Planned], outcomes: Sequence[Outcome]) -> list[Expected]:
        """What each call should give; an answer that is right by the least tolerances needs no others."""
        found = []
        for call, outcome in zip(calls, outcomes, strict=False):  # the last outcome is the first call's again
            expected = self._expected(call, least=True)
            if not passes(call, expected, outcome):
                return [self._expected(call) for call in calls]
            found.append(expected)
        return found

    def _expected(self, call: Planned, *, least: bool = False) -> Expected:
        reference = self.solution.answers[call.part.name]
        if call.case.hidden:
            return expect(reference, call, least=least)
        known = self._visible.get((call.part.name, call.case.name))
        if known is None:
            known = self._visible[call.part.name, call.case.name] = expect(reference, call)
        return known

    @cached_property
    def _visible(self) -> dict[tuple[str, str], Expected]:
        return {}

    @cached_property
    def _judged(self) -> dict[tuple[str, str], Judgement]:
        """Half a class writes the same growth rate: it is judged once."""
        return {}

    def _text(self, part: TextPart, submission: Submission, outcome: Outcome) -> PartReport:
        answer = outcome.text if outcome.status == "ok" else submission.literal(part.name)
        if answer is None:
            return _no_text(part, outcome)
        if not answer.strip():
            return _lost(part, Status.UNCHANGED, "unanswered", "not answered yet: the text is empty")
        key = self.solution.answers[part.name]
        judged = self._judged.get((part.name, answer))
        if judged is None:
            judged = judge_text(answer, part, key, self.solution.mistakes_of(part.name))
            if len(self._judged) < MOST_KNOWN:
                self._judged[part.name, answer] = judged
        return PartReport(
            part.name,
            part.points * judged.share,
            part.points,
            Status.GRADED,
            judged.verdict,
            judged.feedback or "right",
            judged.mistake,
            read_as=judged.read_as,
            latex=judged.latex,
        )


def _prose(part: Prose, submission: Submission) -> PartReport:
    text = submission.prose(part)
    if text is None:
        return _lost(part, Status.MISSING, "unanswered", "the answer cell is not in the notebook")
    if submission.is_untouched(part) or not text:
        return _lost(
            part, Status.UNCHANGED, "unanswered", "not answered yet: the cell is as it was handed out"
        )
    return _lost(part, Status.MANUAL, "ungraded", "waits for a person to read it", read_as=text)


def _no_text(part: Part, outcome: Outcome) -> PartReport:
    match outcome.status:
        case "timed_out":
            return _lost(
                part, Status.TIMED_OUT, "wrong", f"the notebook ran out of time before {part.name} was set"
            )
        case "killed" | "crashed":
            return _lost(
                part, Status.KILLED, "wrong", f"the notebook's process died before {part.name} was set"
            )
        case "missing":
            return _lost(
                part, Status.MISSING, "unanswered", f'no cell sets {part.name}: write {part.name} = "…"'
            )
        case _:
            return _lost(
                part,
                Status.GRADED,
                "unparseable",
                f"{part.name} should be text in quotes, not {outcome.kind or 'this'}",
            )


def _broken_cell(name: str, cells: Sequence[CellOutcome]) -> CellOutcome | None:
    """The cell that should define a part and did not get to its end, if there is one."""
    return next((cell for cell in cells if cell.part == name and cell.error), None)


def _stumbled(part: Part, error: Exception) -> PartReport:
    """An answer that the judge stumbles over shall not stop the class, nor cost marks unseen."""
    text = f"the grader failed on this answer ({type(error).__name__}): a person will look at it"
    return _lost(part, Status.MANUAL, "ungraded", text)


def _lost(part: Part, status: Status, verdict: str, feedback: str, read_as: str = "") -> PartReport:
    return PartReport(part.name, 0.0, part.points, status, verdict, feedback, read_as=read_as)
