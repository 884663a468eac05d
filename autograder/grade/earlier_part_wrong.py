"""A part that calls an earlier one is asked again, the reference's values standing in for the earlier one's.

The reference itself never leaves the judge. Where the student's function needs a value of the earlier part,
it is stopped and says the arguments; the value is worked out here, and the function begins again with it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from autograder.calls.expected import Expected, Planned
from autograder.calls.requests_and_outcomes import Ask, DtypeArg, Limits, Outcome, Talk
from autograder.calls.script_steps import Held, Step
from autograder.calls.value_as_json import kind_of
from autograder.course.model import Code, Mistake
from autograder.grade.code import judge_code
from autograder.grade.report import PartReport

MOST_ROUNDS = 64  # calls of the earlier part in one call of the later
MOST_NUMBERS = 20_000  # of the arguments of one such call
MOST_SIZE = 4_096  # of a plain number among them, which may be a size
logger = logging.getLogger(__name__)


@dataclass
class StandingIn:
    """One call of a part, with the values of another handed to it as it needs them."""

    call: Planned
    name: str
    reference: Callable[..., object]
    outcome: Outcome | None = None

    def __call__(self, ask: Ask) -> None:
        self.outcome = None
        values: list[object] = []
        for _ in range(MOST_ROUNDS):
            ask(Step("stand", self.name, args=(values,)))
            outcome = ask(Step("call", self.call.part.name, args=self.call.arguments, seed=0))
            needed = ask(Step("needs")).outputs
            if not needed or needed[0] is None:
                self.outcome = as_call(outcome)
                return
            asked = _to_work_out(needed[0])
            if asked is None:
                return
            try:
                values.append(self._worked_out(*asked))
            except Exception as error:  # arguments that the reference does not take: of the student's making
                logger.info("the reference of %s refuses what it is asked: %s", self.name, error)
                return

    def _worked_out(self, arguments: Sequence[object], named: Mapping[str, object]) -> object:
        with torch.no_grad():
            return self.reference(*map(_given, arguments), **{k: _given(v) for k, v in named.items()})


def requests_for(
    calls: Sequence[Planned], name: str, reference: Callable[..., object], limits: Limits | None
) -> list[Talk]:
    """A talk for each call; hidden ones come last."""
    return [
        Talk(call.part.name, StandingIn(call, name, reference), limits, late=call.case.hidden)
        for call in calls
    ]


def judge_again(
    part: Code,
    calls: Sequence[Planned],
    expected: Sequence[Expected],
    talks: Sequence[Talk],
    ended: Sequence[Outcome],
    mistakes: Sequence[Mistake],
    before: PartReport,
) -> PartReport:
    """The report of the part with the other's values in place, where it is the better one."""
    outcomes = []
    for talk, end in zip(talks, ended, strict=True):
        assert isinstance(talk.lead, StandingIn)
        if end.status != "ok" or talk.lead.outcome is None:
            return before
        outcomes.append(talk.lead.outcome)
    # No gradient flows through values that were handed over.
    plain = [replace(each, grads=()) for each in expected]
    report = judge_code(part, calls, plain, [*outcomes, outcomes[0]], mistakes)
    if report.score <= before.score:
        return before
    says = f"{part.after} is not right yet, so its right values stood in here: one slip costs once"
    return replace(report, feedback=f"{says}\n{report.feedback}", code_prints=before.code_prints)


def as_call(outcome: Outcome) -> Outcome:
    """What one step gave, in the form in which a call's value comes back."""
    if outcome.status != "ok":
        return replace(outcome, outputs=())
    value = outcome.outputs[0]
    kind = kind_of(value)
    outputs = tuple(value) if isinstance(value, tuple | list) else (value,)
    return replace(outcome, outputs=outputs, kind=kind, kinds=tuple(map(kind_of, outputs)))


def _given(value: object) -> object:
    return getattr(torch, value.name) if isinstance(value, DtypeArg) else value


def _to_work_out(needed: object) -> tuple[list[object], dict[str, object]] | None:
    """The arguments, if the reference may be called with them: a student chooses them, and their size."""
    match needed:
        case (list(arguments), dict(named)):
            leaves = list(_leaves([arguments, named]))
            if sum(map(_numbers, leaves)) <= MOST_NUMBERS and not any(map(_is_strange, leaves)):
                return arguments, named
    return None


def _is_strange(leaf: object) -> bool:
    """An object of the student's, a dtype that torch does not have, or a number that may be a huge size."""
    match leaf:
        case Held():
            return True
        case DtypeArg():
            return not isinstance(getattr(torch, leaf.name, None), torch.dtype)
    return isinstance(leaf, int) and abs(leaf) > MOST_SIZE


def _leaves(value: object) -> Sequence[object]:
    match value:
        case list() | tuple() | set():
            return [leaf for each in value for leaf in _leaves(each)]
        case Mapping():
            return [leaf for each in value.values() for leaf in _leaves(each)]
    return [value]


def _numbers(leaf: object) -> int:
    return leaf.numel() if isinstance(leaf, Tensor) else len(leaf) if isinstance(leaf, str | bytes) else 1
