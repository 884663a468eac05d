"""The outcomes of a code part's calls become marks, the recognised mistake, and a sentence for each case."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

from torch import Tensor

from autograder.calls.compare_tensors import Difference, agrees
from autograder.calls.compare_values import compare_value, wanted, whole
from autograder.calls.expected import Expected, Planned, Returned, axis_sizes, call_trusted
from autograder.calls.failure import AGAIN, failure_of
from autograder.calls.failure import NO_VALUE as NO_VALUE_GIVEN
from autograder.calls.inputs import as_given
from autograder.calls.requests_and_outcomes import CellOutcome, Outcome, ShownSlice
from autograder.calls.shown_values import show, values_print
from autograder.course.model import Code, Mistake
from autograder.course.modules import Module
from autograder.diagnose.class_edits import ClassFinder
from autograder.diagnose.find_slip import Finder
from autograder.diagnose.habits import CHANCE, UNASKED, differs, habit, returned_input, unasked
from autograder.diagnose.squeezes import Tried, has_axis_of_one, lost_axis
from autograder.diagnose.structural_mistakes import Beside, Suspect, structural_slip
from autograder.grade.hidden_hints import OUR_KINDS, Failures
from autograder.grade.report import CaseResult, PartReport, Status
from autograder.grade.unmarked import NO_VALUE, not_defined


def judge_code(
    part: Code | Module,
    calls: Sequence[Planned],
    expected: Sequence[Expected],
    outcomes: Sequence[Outcome],
    mistakes: Sequence[Mistake],
    broken: CellOutcome | None = None,
    finder: Finder | ClassFinder | None = None,
    source: str = "",
) -> PartReport:
    """Marks for one code part; `outcomes` has one more entry, the first case asked again, and `source` is the
    cell that defines it."""
    *firsts, again = outcomes
    if all(outcome.status == "missing" for outcome in firsts):
        return not_defined(part, [part.name], broken)
    failures = [
        failure_of(outcome, want, part.parameters) for outcome, want in zip(firsts, expected, strict=True)
    ]
    # A process that ended meanwhile, perhaps by another part, says nothing about this one.
    asked = again.status not in ("timed_out", "killed", "crashed")
    if asked and failures[0] is None and failure_of(again, expected[0], part.parameters) is not None:
        failures[0] = Difference("again", AGAIN)
    lost = sum(call.case.costs for call, failure in zip(calls, failures, strict=True) if failure is not None)
    share = max(0.0, 1.0 - lost)
    if lost == 0:
        passed = tuple(CaseResult(call.case.name, True, call.case.hidden) for call in calls)
        text = f"all {len(passed)} cases pass"
        return PartReport(part.name, part.points, part.points, Status.GRADED, "correct", text, cases=passed)
    suspect = (
        _other_than_values(calls[0], expected[0], outcomes, failures)
        or recognise(calls, expected, firsts, failures, mistakes, finder, source)
        or _another_kind(calls, firsts, failures)
    )
    told = Failures(calls, expected, firsts, failures, named=suspect is not None and share == 0)
    results = [_result(told, position) for position in range(len(calls))]
    by_cases, share = share, max(share, suspect.share if suspect else 0.0)
    return PartReport(
        part.name,
        round(part.points * share, 6),
        part.points,
        _status(firsts),
        "partial" if share > 0 else "wrong",
        _feedback(results, suspect, share if share > by_cases else 0.0),
        suspect.id if suspect else None,
        tuple(results),
        wrong_values=_print_of_wrong_values(calls, firsts, failures),
        for_slip=round(part.points * (share - by_cases), 6),
    )


def passes(call: Planned, expected: Expected, outcome: Outcome) -> bool:
    """Whether one call gave what was expected of it."""
    return failure_of(outcome, expected, call.part.parameters) is None


def _print_of_wrong_values(
    calls: Sequence[Planned], outcomes: Sequence[Outcome], failures: Sequence[Difference | None]
) -> str:
    """What the visible cases gave, where one of them fails: hidden inputs are another for every student."""
    seen = [p for p, call in enumerate(calls) if not call.case.hidden and outcomes[p].status == "ok"]
    if all(failures[position] is None for position in seen):
        return ""
    return values_print(value for position in seen for value in outcomes[position].outputs)


def recognise(
    calls: Sequence[Planned],
    expected: Sequence[Expected],
    outcomes: Sequence[Outcome],
    failures: Sequence[Difference | None],
    mistakes: Sequence[Mistake],
    finder: Finder | ClassFinder | None = None,
    source: str = "",
) -> Suspect | None:
    """The listed mistake that explains every case, else an edit of the reference, a habit or a slip."""
    # Where only a gradient is wrong, the values tell nothing.
    failing = [
        position
        for position, failure in enumerate(failures)
        if failure is not None and failure.what not in ("again", "input", "gradient")
    ]
    told = [_Told(mistake, calls, expected, outcomes) for mistake in mistakes]
    everywhere, core = range(len(calls)), _core(calls)
    # A slip often comes with a second one, an overflow or a lost dtype. So where no mistake explains
    # everything, those cases are left out that only cost a share of the marks. Last come mistakes that
    # crash in just the cases in which the student's function does, and agree with it in the others.
    for positions, telling, strict in (
        (everywhere, failing, True),
        (core, failing, False),
        (everywhere, everywhere, True),
    ):
        for each in told if failing else ():
            if each.explains(positions, telling, strict=strict):
                return Suspect(each.mistake.id, each.mistake.says, each.mistake.share)
    if not failing:
        return None
    tensors = all(each.has_numbers for each in expected) and all(
        _is_of_kind(e, o) for e, o in zip(expected, outcomes, strict=True) if o.status == "ok"
    )
    given_back = returned_input(_besides(calls, expected, outcomes, everywhere))
    told_by_values = tensors or isinstance(finder, ClassFinder)
    edit = finder.find(calls, expected, outcomes) if finder is not None and told_by_values else None
    if given_back is not None or edit is not None:
        return given_back or edit
    squeezed = lost_axis(source, _tried(calls, expected, failures))
    # A factor, say, is not lost because a special case fails in a way of its own.
    return (
        squeezed
        or _structural(calls, expected, outcomes, everywhere)
        or _structural(calls, expected, outcomes, core)
    )


def _other_than_values(
    call: Planned, expected: Expected, outcomes: Sequence[Outcome], failures: Sequence[Difference | None]
) -> Suspect | None:
    """What spoils a function whatever its values are; `outcomes` ends with the first case asked again."""
    first, *_, again = outcomes
    kinds = {failure.what for failure in failures if failure is not None}
    if kinds == {"again"} or differs(first, again):
        want = expected.holds.steps.values if call.steps and expected.holds is not None else ()
        extra = unasked(call.steps, want, first.outputs)
        if extra:
            return Suspect(UNASKED, extra)
        return Suspect(CHANCE, AGAIN)
    if kinds == {"input"}:
        return Suspect("changes_its_input", "the function changes its input: work on a copy")
    return None


def _another_kind(
    calls: Sequence[Planned], outcomes: Sequence[Outcome], failures: Sequence[Difference | None]
) -> Suspect | None:
    """Something else than tensors comes back in all cases that give a value and fail, a visible one first."""
    said = {failure.message for failure in failures if failure is not None and failure.what != NO_VALUE_GIVEN}
    for call, outcome, failure in zip(calls, outcomes, failures, strict=True):
        if failure is not None and not call.case.hidden:
            told = len(said) == 1 and failure.what == "kind" and outcome.kind in OUR_KINDS
            return Suspect(f"returns_{outcome.kind}", failure.message) if told else None
    return None


def _tried(
    calls: Sequence[Planned], expected: Sequence[Expected], failures: Sequence[Difference | None]
) -> list[Tried]:
    """The cases that cost all the marks: in which an axis has length 1, and how they failed."""
    return [
        Tried(has_axis_of_one(calls[p].arguments, expected[p].outputs), failure.what if failure else "")
        for p in _core(calls)
        for failure in (failures[p],)
    ]


def _structural(
    calls: Sequence[Planned],
    expected: Sequence[Expected],
    outcomes: Sequence[Outcome],
    positions: Iterable[int],
) -> Suspect | None:
    """The habit or the structural slip that is true of all these cases."""
    beside = _besides(calls, expected, outcomes, positions)
    return habit(beside) or structural_slip(beside)


def _besides(
    calls: Sequence[Planned],
    expected: Sequence[Expected],
    outcomes: Sequence[Outcome],
    positions: Iterable[int],
) -> list[Beside]:
    return [
        _beside(calls[p], expected[p], outcomes[p])
        for p in positions
        if _is_of_kind(expected[p], outcomes[p])
    ]


def _beside(call: Planned, expected: Expected, outcome: Outcome) -> Beside:
    given = {
        name: value
        for name, value in zip(call.part.parameters, call.arguments, strict=True)
        if isinstance(value, Tensor)
    }
    return Beside(outcome.outputs, expected.outputs, axis_sizes(call), given)


def _is_of_kind(expected: Expected, outcome: Outcome) -> bool:
    """Whether real tensors came back, one or several as asked: of other things the values tell nothing."""
    several = outcome.kind in ("tuple", "list")
    if (
        outcome.status != "ok"
        or not expected.has_numbers
        or several != expected.many
        or {*outcome.kinds} != {"tensor"}
    ):
        return False
    return not any(isinstance(each, Tensor) and each.is_complex() for each in outcome.outputs)


def _core(calls: Sequence[Planned]) -> list[int]:
    """The cases that cost all the marks."""
    return [position for position, call in enumerate(calls) if call.case.costs == 1]


_ByAnswer = dict[object, Returned]
# What mistakes return in a visible case is the same for the whole class.
_of_everyone: WeakKeyDictionary[Planned, _ByAnswer] = WeakKeyDictionary()


@dataclass(eq=False)
class _Told:
    """A known mistake beside a student's answers; what it returns is computed once, and only if needed."""

    mistake: Mistake
    calls: Sequence[Planned]
    expected: Sequence[Expected]
    outcomes: Sequence[Outcome]
    _returned: dict[Planned, _ByAnswer] = field(default_factory=dict, init=False)

    def explains(self, positions: Iterable[int], telling: Sequence[int], *, strict: bool) -> bool:
        """Whether it gives the student's values in at least one of the telling cases, and nowhere others."""
        seen = False
        # Telling cases first: most mistakes are ruled out by the first of them.
        for position in sorted(positions, key=lambda position: position not in telling):
            returned = self._call(position)
            if not _same(returned, self.outcomes[position], self.expected[position], strict=strict):
                return False
            if position in telling and not returned.raised:
                seen = seen or strict or _is_wrong(returned, self.expected[position])
        return seen

    def _call(self, position: int) -> Returned:
        call, answer = self.calls[position], self.mistake.answer
        known = self._returned if call.case.hidden else _of_everyone
        returned = known.setdefault(call, {})
        if answer not in returned:
            returned[answer] = call_trusted(answer, call, as_given)
        return returned[answer]


def _same(returned: Returned, outcome: Outcome, expected: Expected, *, strict: bool) -> bool:
    if returned.raised or outcome.status != "ok":
        # A student's exception is data from elsewhere: that there was one is all that counts.
        return bool(returned.raised) and outcome.status == "raised"
    if expected.holds is not None:
        return same_value(outcome, returned.value)
    if len(returned.outputs) != len(outcome.outputs) or {*outcome.kinds} != {"tensor"}:
        return False
    if returned.many != (outcome.kind in ("tuple", "list")):
        return False
    for mine, got, want in zip(returned.outputs, outcome.outputs, expected.outputs, strict=False):
        if (
            not isinstance(mine, Tensor)
            or not isinstance(got, Tensor)
            or (strict and got.dtype != mine.dtype)
        ):
            return False
        if not agrees(got, mine, _closeness(mine, want.values, want.tolerance)):
            return False
    return True


def _is_wrong(returned: Returned, expected: Expected) -> bool:
    """Whether a mistake's values are wrong: one that is right here does not explain another dtype."""
    pairs = zip(returned.outputs, expected.outputs, strict=False)
    return expected.holds is not None or not all(
        isinstance(mine, Tensor) and agrees(mine, want.values, want.tolerance) for mine, want in pairs
    )


def same_value(outcome: Outcome, value: object) -> bool:
    """Whether a value came back that trusted code gives as well, up to rounding."""
    mine = wanted(value, (), None)
    return compare_value(whole(outcome.kind, outcome.outputs), mine) is None


def _closeness(mine: Tensor, right: Tensor, tolerance: float) -> float:
    """The tolerance of the right values, widened where the mistaken ones are larger."""
    finite = mine.double()[mine.isfinite()].abs()
    largest = float(finite.max()) if finite.numel() else 0.0
    scale = float(right.double().abs().max()) if right.numel() else 0.0
    return 4 * tolerance * max(1.0, largest / scale if scale > 0 else 1.0)


def _result(told: Failures, position: int) -> CaseResult:
    case, failure = told.calls[position].case, told.failures[position]
    if failure is None:
        return CaseResult(case.name, True, case.hidden)
    if case.hidden:
        return CaseResult(case.name, False, True, told.tell(position))
    shown = _shown(told.expected[position], told.outcomes[position])
    return CaseResult(case.name, False, False, failure.message, shown)


def _shown(expected: Expected, outcome: Outcome) -> ShownSlice | None:
    """What to draw of a failing visible case: its first wrong result, else its first wrong gradient."""
    if outcome.status != "ok":
        return None
    return show(outcome.outputs, expected.outputs) or show(outcome.grads, expected.grads)


def _status(outcomes: Sequence[Outcome]) -> Status:
    """Graded as soon as one call gave a value; else what became of the first."""
    if any(outcome.status not in NO_VALUE for outcome in outcomes):
        return Status.GRADED
    return NO_VALUE[outcomes[0].status]


def _feedback(results: Sequence[CaseResult], suspect: Suspect | None, share: float) -> str:
    failed = [result for result in results if not result.passed]
    lines = [suspect.says] if suspect else []
    lines += [f"but for this slip it is right: {share:.0%} of the marks"] if share else []
    lines.append(f"{len(results) - len(failed)} of {len(results)} cases pass")
    lines += [f"{result.name}: {result.message}" for result in failed]
    return "\n".join(lines)
