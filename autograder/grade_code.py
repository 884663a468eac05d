"""The outcomes of a code part's calls become marks, the recognised mistake, and a sentence for each case."""

from __future__ import annotations

import builtins
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from weakref import WeakKeyDictionary

from torch import Tensor

from autograder.answers.shown import show, values_print
from autograder.answers.suspects import Suspect, common_suspect, find_suspects
from autograder.answers.tensors import Difference, agrees, compare, compare_tensor
from autograder.cases import as_given
from autograder.expect import Expected, Planned, Returned, axis_sizes, call_trusted
from autograder.model import Code, Mistake
from autograder.sandbox import CellOutcome, Outcome
from autograder.verdict import CaseResult, PartReport, Shown, Status

NO_VALUE = {
    "raised": Status.CRASHED,
    "timed_out": Status.TIMED_OUT,
    "killed": Status.KILLED,
    "crashed": Status.KILLED,
    "missing": Status.MISSING,
    "not_implemented": Status.UNCHANGED,
}
# The words for a limit are ours: a hidden case may show them, and not what the student's process says.
LIMIT_SAYS = {
    "memory": "needed more memory than it may have",
    "file": "wrote more to files than it may",
    "threads": "started more threads than it may",
    "protocol": "wrote to the grader's own channel, so that nothing it says counts",
    "restarts": "not tried, since the notebook ended its process too many times",
}
AGAIN = (
    "called again on the same input, the function gives another answer: it must not depend on earlier calls"
)


def judge_code(
    part: Code,
    calls: Sequence[Planned],
    expected: Sequence[Expected],
    outcomes: Sequence[Outcome],
    mistakes: Sequence[Mistake],
    broken: CellOutcome | None = None,
) -> PartReport:
    """Marks for one code part; `outcomes` has one more entry, the first case asked again."""
    *firsts, again = outcomes
    if all(outcome.status == "missing" for outcome in firsts):
        return _not_defined(part, broken)
    results = [_judge_case(*case) for case in zip(calls, expected, firsts, strict=True)]
    # A process that ended meanwhile, perhaps by another part, says nothing about this one.
    asked = again.status not in ("timed_out", "killed", "crashed")
    if asked and results[0].passed and not _judge_case(calls[0], expected[0], again).passed:
        results[0] = CaseResult(calls[0].case.name, False, calls[0].case.hidden, AGAIN)
    lost = sum(call.case.costs for call, result in zip(calls, results, strict=True) if not result.passed)
    share = max(0.0, 1.0 - lost)
    if lost == 0:
        text = f"all {len(results)} cases pass"
        return PartReport(
            part.name, part.points, part.points, Status.GRADED, "correct", text, cases=tuple(results)
        )
    suspect = _habit(expected, firsts, results) or recognise(calls, expected, firsts, results, mistakes)
    if suspect is not None and share == 0:
        results = [_same_slip(result) for result in results]
    return PartReport(
        part.name,
        round(part.points * share, 6),
        part.points,
        _status(firsts),
        "partial" if share > 0 else "wrong",
        _feedback(results, suspect),
        suspect.id if suspect else None,
        tuple(results),
        wrong_values=_print_of_wrong_values(calls, firsts, results),
    )


def passes(call: Planned, expected: Expected, outcome: Outcome) -> bool:
    """Whether one call gave what was expected of it."""
    return not _failure(call, expected, outcome)


def _print_of_wrong_values(
    calls: Sequence[Planned], outcomes: Sequence[Outcome], results: Sequence[CaseResult]
) -> str:
    """What the visible cases gave, where one of them fails: hidden inputs are another for every student."""
    seen = [p for p, call in enumerate(calls) if not call.case.hidden and outcomes[p].status == "ok"]
    if all(results[position].passed for position in seen):
        return ""
    return values_print(value for position in seen for value in outcomes[position].outputs)


def _same_slip(result: CaseResult) -> CaseResult:
    """A hidden case's own hint would point elsewhere while a slip that shows everywhere is not mended."""
    if result.passed or not result.hidden:
        return result
    return replace(result, message="fails as well: mend the slip above first")


def recognise(
    calls: Sequence[Planned],
    expected: Sequence[Expected],
    outcomes: Sequence[Outcome],
    results: Sequence[CaseResult],
    mistakes: Sequence[Mistake],
) -> Suspect | None:
    """The listed mistake that explains every case, else a structural slip that explains all failing ones."""
    failing = [
        position
        for position, result in enumerate(results)
        # Where only a gradient is wrong, the values tell nothing.
        if not result.passed and _difference(expected[position], outcomes[position]) is not None
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
                return Suspect(each.mistake.id, each.mistake.says)
    return common_suspect(
        [
            found
            for position in failing
            for found in _structural(calls[position], expected[position], outcomes[position])
        ]
    )


def _habit(
    expected: Sequence[Expected], outcomes: Sequence[Outcome], results: Sequence[CaseResult]
) -> Suspect | None:
    """A habit that spoils right values: remembering earlier calls, or changing the input."""
    failed = [position for position, result in enumerate(results) if not result.passed]
    if all(results[position].message == AGAIN for position in failed):
        return Suspect("depends_on_earlier_calls", AGAIN)
    if all(outcomes[p].mutated and _difference(expected[p], outcomes[p]) is None for p in failed):
        return Suspect("changes_its_input", "the function changes its input: work on a copy")
    return None


def _difference(expected: Expected, outcome: Outcome) -> Difference | None:
    return compare(outcome.kind, outcome.kinds, outcome.outputs, expected.outputs, expected.many)


def _structural(call: Planned, expected: Expected, outcome: Outcome) -> list[dict[str, str]]:
    """The structural slips that explain each wrong tensor of one call."""
    if outcome.status != "ok" or len(outcome.outputs) != len(expected.outputs):
        return []
    sizes = axis_sizes(call)
    return [
        find_suspects(got, want, sizes)
        for got, want in zip(outcome.outputs, expected.outputs, strict=True)
        if isinstance(got, Tensor) and want.values.numel() > 1 and compare_tensor(got, want) is not None
    ]


def _core(calls: Sequence[Planned]) -> list[int]:
    """The cases that cost all the marks."""
    return [position for position, call in enumerate(calls) if call.case.costs == 1]


_ByAnswer = dict[Any, Returned]
# What mistakes return in a visible case is the same for the whole class.
_of_everyone: WeakKeyDictionary[Planned, _ByAnswer] = WeakKeyDictionary()


@dataclass(frozen=True)
class _Told:
    """A known mistake beside a student's answers; what it returns is computed once, and only if needed."""

    mistake: Mistake
    calls: Sequence[Planned]
    expected: Sequence[Expected]
    outcomes: Sequence[Outcome]
    _returned: dict[Planned, _ByAnswer] = field(default_factory=dict)

    def explains(self, positions: Iterable[int], telling: Sequence[int], *, strict: bool) -> bool:
        """Whether it gives the student's values in at least one of the telling cases, and nowhere others."""
        seen = False
        # Telling cases first: most mistakes are ruled out by the first of them.
        for position in sorted(positions, key=lambda position: position not in telling):
            returned = self._call(position)
            if not _same(returned, self.outcomes[position], self.expected[position], strict=strict):
                return False
            seen = seen or (position in telling and not returned.raised)
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
    if len(returned.outputs) != len(outcome.outputs):
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


def _closeness(mine: Tensor, right: Tensor, tolerance: float) -> float:
    """The tolerance of the right values, widened where the mistaken ones are larger."""
    finite = mine.double()[mine.isfinite()].abs()
    largest = float(finite.max()) if finite.numel() else 0.0
    scale = float(right.abs().max()) if right.numel() else 0.0
    return 4 * tolerance * max(1.0, largest / scale if scale > 0 else 1.0)


def _judge_case(call: Planned, expected: Expected, outcome: Outcome) -> CaseResult:
    message = _message(call, expected, outcome)
    shown = _shown(expected, outcome) if message and not call.case.hidden else None
    return CaseResult(call.case.name, not message, call.case.hidden, message, shown)


def _shown(expected: Expected, outcome: Outcome) -> Shown | None:
    """What to draw of a failing visible case: its first wrong result, else its first wrong gradient."""
    if outcome.status != "ok":
        return None
    return show(outcome.outputs, expected.outputs) or show(outcome.grads, expected.grads)


def _message(call: Planned, expected: Expected, outcome: Outcome) -> str:
    """Why a case fails, or nothing. A hidden case gives its hint and no values."""
    said = _failure(call, expected, outcome)
    if not said or not call.case.hidden:
        return said
    if outcome.status == "ok":
        return call.case.hint
    return f"{_without_values(outcome)}; {call.case.hint}"


def _failure(call: Planned, expected: Expected, outcome: Outcome) -> str:
    if outcome.status != "ok":
        return _no_value(outcome)
    difference = _difference(expected, outcome)
    if difference is not None:
        return difference.message
    if outcome.mutated:
        names = ", ".join(call.part.parameters[position] for position in outcome.mutated)
        return f"the values are right, but the function changed its input {names}: work on a copy"
    # Code that leaves torch inside (numpy, .item()) is right without gradients; wrong gradients are not.
    if any(grad is not None for grad in outcome.grads):
        return _gradient_failure(expected, outcome)
    return ""


def _gradient_failure(expected: Expected, outcome: Outcome) -> str:
    for got, want in zip(outcome.grads, expected.grads, strict=True):
        if got is None:
            return f"the values are right, but there is no {want.name}: something was detached on the way"
        difference = compare_tensor(got, want)
        if difference is not None:
            return f"the values are right, but the {want.name} is not: {difference.message}"
    return ""


def _no_value(outcome: Outcome) -> str:
    match outcome.status:
        case "raised":
            return f"raised {outcome.error}"
        case "not_implemented":
            return "not answered yet: the function raises NotImplementedError"
        case _:
            return outcome.error or f"gave no value ({outcome.status})"


def _without_values(outcome: Outcome) -> str:
    """The same for a hidden case: words of the student's process could carry the hidden input."""
    if outcome.limit in LIMIT_SAYS:
        return LIMIT_SAYS[outcome.limit]
    match outcome.status:
        case "raised":
            return f"raised {_known_error(outcome.error)}"
        case "timed_out" | "crashed" | "not_implemented":
            return _no_value(outcome)  # in our own words
        case _:
            return f"gave no value that can be compared ({outcome.status.replace('_', ' ')})"


def _known_error(said: str) -> str:
    """The name of one of Python's own exceptions; a class made for the purpose may be called anything."""
    name = said.split(":")[0].strip()
    known = getattr(builtins, name, None)
    return name if isinstance(known, type) and issubclass(known, BaseException) else "an error"


def _not_defined(part: Code, broken: CellOutcome | None) -> PartReport:
    if broken is not None:
        text = f"the cell stops before {part.name} is defined: {broken.error}"
        status = NO_VALUE.get(broken.status, Status.CRASHED)
        return PartReport(part.name, 0.0, part.points, status, "wrong", text)
    text = f"no cell defines {part.name}: keep the name of the function as it was handed out"
    return PartReport(part.name, 0.0, part.points, Status.MISSING, "unanswered", text)


def _status(outcomes: Sequence[Outcome]) -> Status:
    """Graded as soon as one call gave a value; else what became of the first."""
    if any(outcome.status not in NO_VALUE for outcome in outcomes):
        return Status.GRADED
    return NO_VALUE[outcomes[0].status]


def _feedback(results: Sequence[CaseResult], suspect: Suspect | None) -> str:
    failed = [result for result in results if not result.passed]
    lines = [suspect.says] if suspect else []
    lines.append(f"{len(results) - len(failed)} of {len(results)} cases pass")
    lines += [f"{result.name}: {result.message}" for result in failed]
    return "\n".join(lines)
