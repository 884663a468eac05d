"""A part of tests becomes requests, one for each test, and what came of them becomes marks and sentences."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from autograder.calls.failure import no_value, no_value_hidden
from autograder.calls.requests_and_outcomes import Ask, CellOutcome, Limits, Outcome, Talk
from autograder.calls.run_author_tests import DOES_NOT_HOLD, Tested, load_tests, plain_paths, run_test
from autograder.course.author_tests import Tests, sentence
from autograder.grade.report import CaseResult, PartReport, Status
from autograder.grade.unmarked import not_defined

NO_VALUE = {
    "timed_out": Status.TIMED_OUT,
    "killed": Status.KILLED,
    "crashed": Status.KILLED,
}


@dataclass
class Sitting:
    """Something that is asked of one submission, and what came of it once it was led."""

    run: Callable[[Ask], Tested]
    result: Tested | None = None

    @property
    def missing(self) -> str:
        """The name for want of which it came to nothing."""
        return self.result.missing if self.result is not None else ""

    def __call__(self, ask: Ask) -> None:
        self.result = None
        self.result = self.run(ask)


@dataclass(frozen=True)
class TestSheet:
    """The tests of a part, loaded once for the whole class, and where the reference gives plain values."""

    part: Tests
    tests: tuple[Callable[[object], object], ...]
    place: str
    plain: tuple[frozenset[str], ...]

    @classmethod
    def of(cls, part: Tests, reference: Mapping[str, object]) -> TestSheet:
        place = f"<tests of {part.name}>"
        tests = tuple(load_tests(part.source, [test.__name__ for test in part.all], place))
        return cls(part, tests, place, tuple(plain_paths(test, reference, place) for test in tests))

    def requests(self, limits: Limits | None) -> list[Talk]:
        """A talk for each test; hidden ones come after all that a student is shown."""
        seen = len(self.part.visible)
        return [
            Talk(self.part.name, Sitting(self._running(test, plain)), limits, late=number >= seen)
            for number, (test, plain) in enumerate(zip(self.tests, self.plain, strict=True))
        ]

    def _running(self, test: Callable[[object], object], plain: frozenset[str]) -> Callable[[Ask], Tested]:
        return lambda ask: run_test(test, ask, self.place, plain)


def judge_tests(
    part: Tests, talks: Sequence[Talk], outcomes: Sequence[Outcome], broken: CellOutcome | None
) -> PartReport:
    """Marks for one part: every test is worth the same."""
    names = missing_names(talks)
    if names:
        return not_defined(part, names, broken)
    results = [
        _result(test, talk, outcome) for test, talk, outcome in zip(part.all, talks, outcomes, strict=True)
    ]
    passed = sum(result.passed for result in results)
    if passed == len(results):
        text = f"all {len(results)} tests pass"
        cases = tuple(results)
        return PartReport(part.name, part.points, part.points, Status.GRADED, "correct", text, cases=cases)
    lines = [f"{passed} of {len(results)} tests pass"]
    if broken is not None:
        lines.append(f"the cell does not get to its end: {broken.error}")
    lines += [f"{result.name}: {result.message}" for result in results if not result.passed]
    return PartReport(
        part.name,
        round(part.points * passed / len(results), 6),
        part.points,
        status_of(outcomes),
        "partial" if passed else "wrong",
        "\n".join(lines),
        cases=tuple(results),
    )


def _result(test: Callable[..., object], talk: Talk, outcome: Outcome) -> CaseResult:
    sitting = talk.lead
    assert isinstance(sitting, Sitting)
    name = sentence(test)
    if outcome.status != "ok" or sitting.result is None:
        why = no_value_hidden(outcome) if talk.late else no_value(outcome)
        return CaseResult(name, False, talk.late, why)
    if sitting.result.passed:
        return CaseResult(name, True, talk.late)
    # What a hidden test saw may hold its inputs: its sentence is told, and the kind of failure.
    says = (sitting.result.hidden or DOES_NOT_HOLD) if talk.late else sitting.result.says
    return CaseResult(name, False, talk.late, says)


def missing_names(talks: Sequence[Talk]) -> list[str]:
    """The names that no cell defines, where nothing else came of any of the talks."""
    found = [talk.lead.missing for talk in talks if isinstance(talk.lead, Sitting)]
    return list(dict.fromkeys(found)) if all(found) else []


def status_of(outcomes: Sequence[Outcome]) -> Status:
    """Graded as soon as one test came to its end; else what became of the first."""
    lost = [NO_VALUE.get(outcome.status) for outcome in outcomes]
    return Status.GRADED if None in lost or not lost else lost[0] or Status.GRADED
