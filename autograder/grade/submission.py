"""A submitted notebook becomes a report: its cells are run elsewhere, what comes back is judged here."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial

from autograder.calls.expected import Expected, Planned, expect, plan_case
from autograder.calls.requests_and_outcomes import (
    Cell,
    CellOutcome,
    FunctionCall,
    Limits,
    Outcome,
    ReadText,
    Request,
    RunResult,
    SandboxError,
    Script,
    Talk,
    override,
)
from autograder.cost.measure import Row
from autograder.course.author_tests import Tests
from autograder.course.model import Code, Growth, Mistake, Part, Problem, Prose, Solution
from autograder.course.modules import Module
from autograder.diagnose.class_edits import ClassFinder
from autograder.diagnose.find_slip import Finder
from autograder.diagnose.first_round import first_rounds
from autograder.errors import AnswerError, CourseError
from autograder.grade.code import judge_code, passes
from autograder.grade.code_prints import code_prints
from autograder.grade.cost import Ask, CostJudge, MachineFault, beside_own_code, count_cost, has_cost
from autograder.grade.earlier_part_wrong import judge_again, requests_for
from autograder.grade.explain_wrong import Look, Looking, add_closer, can_be_looked_at
from autograder.grade.named_at_desk import name_report
from autograder.grade.properties import PropertySheet, judge_properties
from autograder.grade.report import PartReport, Status
from autograder.grade.run_submission import Runner, RunOf, asking
from autograder.grade.tests import TestSheet, judge_tests
from autograder.grade.unmarked import disturbed, lost, no_text, prose_report, stumbled, unchanged, unread
from autograder.grade.variants import grade_variant
from autograder.notebook.loose_text import Sections, sections_of
from autograder.notebook.stub_cells import stub
from autograder.notebook.submitted import Submission, read_submission
from autograder.text.judge import TextPart, judge_text
from autograder.text.verdict import Judgement

AGAIN_SEED = 1  # of the first case asked again: chance shows
logger = logging.getLogger(__name__)
MOST_VARIANTS = 64  # graders of variants that are kept
MOST_KNOWN = 4096  # texts whose judgement is kept


@dataclass(eq=False)
class Grader:
    """Grades submissions of one problem; what is the same for all is worked out once and kept."""

    problem: Problem
    solution: Solution
    secret: str
    limits: Limits = field(default_factory=Limits)
    _variants: dict[int, Grader] = field(default_factory=dict, init=False)
    _shared: dict[tuple[str, str, bool], FunctionCall | Script] = field(default_factory=dict, init=False)
    _visible: dict[tuple[str, str], Expected] = field(default_factory=dict, init=False)
    _judged: dict[tuple[str, str], Judgement] = field(default_factory=dict, init=False)  # texts seen before

    def grade(self, data: bytes, student: str, run: Runner) -> tuple[PartReport, ...]:
        """A row for every part, whatever became of the submission."""
        if self.problem.varies:
            return grade_variant(
                self.problem,
                self.solution,
                data,
                student,
                self.secret,
                lambda problem, solution: self._variant(problem, solution).grade(data, student, run),
            )
        try:
            submission = read_submission(data).mended(self.problem)
        except AnswerError as error:
            text = f"{error}; until then it waits for a person"
            return tuple(lost(part, Status.UNREADABLE, "unreadable", text) for part in self.problem.parts)
        run = RunOf(self.problem, run)
        planned = self._plan(student)
        requests = self._requests(planned)
        cells = [
            Cell(source=source, part=part or None, cell_id=str(number))
            for number, (part, source) in enumerate(submission.code_to_run(self.problem))
        ]
        costly = [part for part in self.problem.parts if isinstance(part, Code) and has_cost(part)]
        ask = asking(run, cells)
        # What a process says once it was sent a hidden input reaches no page: what is shown is asked before.
        early = [request for request in requests if not (costly and request.late)]
        look = Look(self._looking, cells, self._failing)
        result = run(cells, early, further=look.next)
        found = dict(zip(early, result.outcomes, strict=True))
        closer = look.finish({**found, **result.further}, ask)
        counts = {part.name: self._count(part, planned[part.name], found, ask) for part in costly}
        late = [request for request in requests if request.late]

        def report() -> dict[str, PartReport]:
            whole = replace(result, outcomes=tuple(found[request] for request in requests))
            return {
                part.name: self._report_or_say_why_not(part, submission, planned, requests, whole)
                for part in self.problem.parts
            }

        def ask_late_apart() -> None:
            found.update(zip(late, run(cells, late).outcomes, strict=True))

        if costly or result.held:
            ask_late_apart()
        reports = report()
        if not (costly or result.held) and _may_be_spoilt(reports, late, result):
            ask_late_apart()
            reports = report()
        for part in self.problem.parts:
            if isinstance(part, Code) and part.after:
                reports[part.name] = self._after(part, planned[part.name], reports, partial(run, cells))
        for part in costly:
            if reports[part.name].score == part.points:
                self._add_cost(reports, part, counts[part.name], student, ask)
        return tuple(add_closer(report, closer.get(name)) for name, report in reports.items())

    def _variant(self, problem: Problem, solution: Solution) -> Grader:
        """The grader of one variant; those of a class are kept while they are few."""
        number = problem.variant or 0
        if number not in self._variants:
            if len(self._variants) >= MOST_VARIANTS:
                self._variants.clear()
            self._variants[number] = Grader(problem, solution, self.secret, self.limits)
        return self._variants[number]

    def _failing(self, outcomes: Mapping[Request, Outcome]) -> list[tuple[Planned, Outcome]]:
        """The first wrong call of each part that all see, if it gave tensors or stopped at a line."""
        first: dict[str, tuple[Planned, Outcome]] = {}
        try:
            for call in self._alike.values():
                outcome, expected = outcomes[self._call(call, late=False)], self._expected(call)
                told = bool(call.steps) or expected.holds is None
                if told and not passes(call, expected, outcome):
                    first.setdefault(call.part.name, (call, outcome))
            return [each for each in first.values() if can_be_looked_at(each[1])]
        except Exception:  # the judge stumbles: it will again when it writes the report, and says so
            return []

    def _count(
        self, part: Code, calls: Sequence[Planned], found: Mapping[Request, Outcome], ask: Ask
    ) -> list[Row | str] | MachineFault:
        """The counts of a function that is right as far as is known; none of one that is not."""
        seen = [call for call in calls if not call.case.hidden]
        try:
            right = all(
                passes(call, self._expected(call), found[self._call(call, late=False)]) for call in seen
            )
            return count_cost(part, ask) if right else []
        except (CourseError, SandboxError):
            raise
        except MachineFault as fault:
            return fault
        except Exception:  # the judge stumbles: it will again when it writes the report, and says so
            return []

    def _after(
        self,
        part: Code,
        calls: Sequence[Planned],
        reports: Mapping[str, PartReport],
        run: Callable[[Sequence[Request]], RunResult],
    ) -> PartReport:
        """A part that is wrong, and calls one that is: the reference stands in for that one."""
        own, earlier = reports[part.name], reports[part.after]
        if own.verdict not in ("wrong", "partial") or earlier.score == earlier.max_score:
            return own
        limits = override(self.limits, part.limits) if part.limits else None
        talks = requests_for(calls, part.after, self.solution.answers[part.after], limits)
        try:
            ended = run(talks).outcomes
            for outcome in ended:
                if outcome.status == "machine":  # which marks it would have, nobody knows
                    return disturbed(part, outcome.error)
            expected = [self._expected(call) for call in calls]
            return judge_again(part, calls, expected, talks, ended, self._mistakes[part.name], own)
        except (CourseError, SandboxError):
            raise
        except Exception as error:  # help that fails costs nobody a mark
            logger.error("the reference of %s could not stand in", part.after, exc_info=error)
            return own

    def _add_cost(
        self,
        reports: dict[str, PartReport],
        part: Code,
        counts: list[Row | str] | MachineFault,
        student: str,
        ask: Ask,
    ) -> None:
        """Code with a bound on its cost is held to it once its values are right; a growth rate that
        speaks of it is set beside what was measured."""
        reference = self.solution.answers[part.name]
        judge = CostJudge(self.problem, part, reference, self.secret, student, self.limits)
        try:
            if isinstance(counts, MachineFault):
                raise counts
            reports[part.name], measured = judge.judge(reports[part.name], counts, ask)
        except (CourseError, SandboxError):
            raise
        except MachineFault as fault:
            reports[part.name] = disturbed(part, str(fault))
            return
        except Exception as error:
            reports[part.name] = stumbled(part, error)
            return
        for other in self.problem.parts:
            if isinstance(other, Growth) and other.measures == part.name and measured is not None:
                reports[other.name] = beside_own_code(reports[other.name], other, measured)

    def _plan(self, student: str) -> dict[str, list[Planned]]:
        """The calls of every part that is called, whether values or properties decide."""
        return {
            part.name: [
                self._alike.get((part.name, case.name))
                or plan_case(self.problem, part, case, self.secret, student, self.solution.answers[part.name])
                for case in part.cases
            ]
            for part in self.problem.parts
            if isinstance(part, Code | Module)
        }

    @cached_property
    def _alike(self) -> dict[tuple[str, str], Planned]:
        """The visible cases, whose inputs are the same for everyone."""
        return {
            (part.name, case.name): plan_case(
                self.problem, part, case, self.secret, "", self.solution.answers[part.name]
            )
            for part in self.problem.parts
            if isinstance(part, Module) or (isinstance(part, Code) and not part.holds)
            for case in part.cases
            if not case.hidden
        }

    def _requests(self, planned: Mapping[str, Sequence[Planned]]) -> list[Request]:
        requests: list[Request] = []
        for part in self.problem.parts:
            if isinstance(part, Code) and part.holds:
                limits = override(self.limits, part.limits) if part.limits else None
                requests += self._property_sheets[part.name].requests(planned[part.name], limits)
            elif isinstance(part, Code | Module):
                # The first case is asked again at the end: an answer must not depend on what came before.
                requests += [self._call(call, late=call.case.hidden) for call in planned[part.name]]
                requests.append(self._call(planned[part.name][0], late=True))
            elif isinstance(part, Tests):
                limits = override(self.limits, part.limits) if part.limits else None
                requests += self._sheets[part.name].requests(limits)
            elif not isinstance(part, Prose):
                requests.append(ReadText(part=part.name, name=part.name))
        return requests

    def _call(self, planned: Planned, *, late: bool) -> FunctionCall | Script:
        """The call; one that everybody gets is the same object every time."""
        if planned.case.hidden:
            return self._new_call(planned, late)
        key = (planned.part.name, planned.case.name, late)
        if key not in self._shared:
            self._shared[key] = self._new_call(planned, late)
        return self._shared[key]

    def _new_call(self, planned: Planned, late: bool) -> FunctionCall | Script:
        name, own = planned.part.name, planned.part.limits
        limits = override(self.limits, own) if own else None
        seed = AGAIN_SEED if late and not planned.case.hidden else 0
        if planned.steps:
            return Script(name, planned.steps, limits, late, seed, planned.case.dtype)
        return FunctionCall(
            part=name,
            function=name,
            args=planned.arguments,
            grad=planned.grad,
            cotangents=planned.cotangents,
            limits=limits,
            late=late,
            seed=seed,
        )

    def _report_or_say_why_not(
        self,
        part: Part,
        submission: Submission,
        planned: Mapping[str, Sequence[Planned]],
        requests: Sequence[Request],
        result: RunResult,
    ) -> PartReport:
        try:
            report = self._report(part, submission, planned, requests, result)
            return name_report(report, self.solution.named)
        except CourseError:
            raise
        except Exception as error:
            return stumbled(part, error)

    def _report(
        self,
        part: Part,
        submission: Submission,
        planned: Mapping[str, Sequence[Planned]],
        requests: Sequence[Request],
        result: RunResult,
    ) -> PartReport:
        if isinstance(part, Prose):
            return prose_report(part, self._sections(submission))
        if submission.is_untouched(part):
            beside = (
                ""
                if isinstance(part, Code | Module | Tests)
                else self._sections(submission).beside(part.name)
            )
            return unread(part, beside) if beside else unchanged(part)
        mine = [(r, o) for r, o in zip(requests, result.outcomes, strict=True) if r.part == part.name]
        outcomes = [outcome for _, outcome in mine]
        for outcome in outcomes:
            if outcome.status == "machine":
                return disturbed(part, outcome.error)
        if isinstance(part, Code) and part.holds:
            talks = [request for request, _ in mine if isinstance(request, Talk)]
            broken = _broken_cell(part.name, result.cells)
            return judge_properties(part, planned[part.name], talks, outcomes, broken)
        if isinstance(part, Code | Module):
            calls = planned[part.name]
            expected = self._expectations(calls, outcomes)
            mistakes = self._mistakes[part.name]
            broken = _broken_cell(part.name, result.cells)
            finder = self._finders.get(part.name)
            report = judge_code(
                part, calls, expected, outcomes, mistakes, broken, finder, submission.last_code_of(part)
            )
            return replace(report, code_prints=code_prints(submission.code_of(part), part.stub))
        if isinstance(part, Tests):
            talks = [request for request, _ in mine if isinstance(request, Talk)]
            return judge_tests(part, talks, outcomes, _broken_cell(part.name, result.cells))
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
    def _sheets(self) -> dict[str, TestSheet]:
        return {
            part.name: TestSheet.of(part, self.solution.names)
            for part in self.problem.parts
            if isinstance(part, Tests)
        }

    @cached_property
    def _property_sheets(self) -> dict[str, PropertySheet]:
        return {
            part.name: PropertySheet.of(part)
            for part in self.problem.parts
            if isinstance(part, Code) and part.holds
        }

    @cached_property
    def _finders(self) -> dict[str, Finder | ClassFinder]:
        answers = self.solution.answers
        return {
            part.name: Finder(self.problem, part, answers[part.name])
            if isinstance(part, Code)
            else ClassFinder(self.problem, part, answers[part.name])
            for part in self.problem.parts
            if isinstance(part, Code | Module)
        }

    @cached_property
    def _looking(self) -> Looking:
        return Looking(self.solution, self.problem)

    @cached_property
    def _mistakes(self) -> dict[str, tuple[Mistake, ...]]:
        """The listed mistakes of each code part, then those that any loop invites."""
        return {
            part.name: (
                *self.solution.mistakes_of(part.name),
                *(first_rounds(part, self.solution.answers[part.name]) if isinstance(part, Code) else ()),
            )
            for part in self.problem.parts
            if isinstance(part, Code | Module)
        }

    def _sections(self, submission: Submission) -> Sections:
        return sections_of(submission, self.problem)

    def _text(self, part: TextPart, submission: Submission, outcome: Outcome) -> PartReport:
        answer = outcome.text if outcome.status == "ok" else submission.literal(part.name)
        if answer is None:
            instead = self._sections(submission).instead(part.name, stub(part))
            waits = instead and outcome.status == "missing"
            return unread(part, instead) if waits else no_text(part, outcome)
        if not answer.strip():
            beside = self._sections(submission).beside(part.name)
            return unread(part, beside) if beside else unchanged(part, "the text is empty")
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
            Status.MANUAL if judged.verdict == "undecided" else Status.GRADED,
            judged.verdict,
            judged.feedback or "right",
            judged.mistake,
            read_as=judged.read_as,
            latex=judged.latex,
        )


def _may_be_spoilt(reports: Mapping[str, PartReport], late: Sequence[Request], result: RunResult) -> bool:
    """Whether a part lost marks by a late call, and another was looked at closer in the same process before:
    what that left behind, a cache perhaps, may be why."""
    looked_at = {request.part for request in result.further}
    lost = {name for name, report in reports.items() if report.score < report.max_score}
    return bool(looked_at) and any(request.part in lost - looked_at for request in late)


def _broken_cell(name: str, cells: Sequence[CellOutcome]) -> CellOutcome | None:
    """The cell that should define a part and did not get to its end, if there is one."""
    return next((cell for cell in cells if cell.part == name and cell.error), None)
