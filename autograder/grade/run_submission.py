"""A submission is run elsewhere: what a runner does, and its outcomes as they are judged."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from autograder.calls.arrays import as_tensors
from autograder.calls.requests_and_outcomes import Cell, FunctionCall, Outcome, Request, RunResult
from autograder.course.model import Code, Problem
from autograder.grade.cost import Ask, MachineFault

Hold = Callable[[Mapping[Request, Outcome]], bool]


class Runner(Protocol):
    """Runs cells and answers requests; `hold` may stop it before the late calls: see Sandbox.run."""

    def __call__(
        self,
        cells: Sequence[Cell],
        requests: Sequence[Request],
        *,
        hold: Hold | None = None,
        files: Mapping[str, bytes] | None = None,
    ) -> RunResult: ...


@dataclass(frozen=True)
class RunOf:
    """Runs submissions of one problem: with its files beside them, and numpy's arrays taken for tensors."""

    problem: Problem
    run: Runner

    def __call__(
        self,
        cells: Sequence[Cell],
        requests: Sequence[Request],
        *,
        hold: Hold | None = None,
        files: Mapping[str, bytes] | None = None,
    ) -> RunResult:
        taking = {part.name for part in self.problem.parts if isinstance(part, Code) and part.takes_arrays}

        def judged(request: Request, outcome: Outcome) -> Outcome:
            if not isinstance(request, FunctionCall) or request.part not in taking or outcome.status != "ok":
                return outcome
            kind, kinds, outputs = as_tensors(outcome.kind, outcome.kinds, outcome.outputs)
            return replace(outcome, kind=kind, kinds=kinds, outputs=outputs)

        def holds(outcomes: Mapping[Request, Outcome]) -> bool:
            return hold is not None and hold({r: judged(r, o) for r, o in outcomes.items()})

        files = files or self.problem.data or None
        result = self.run(cells, requests, hold=hold and holds, files=files)
        outcomes = map(judged, requests, result.outcomes)
        return replace(result, outcomes=tuple(outcomes))


def asking(run: Runner, cells: Sequence[Cell]) -> Ask:
    """Requests for the process of a submission, outside of its first run."""

    def ask(requests: Sequence[Request]) -> Sequence[Outcome]:
        outcomes = run(cells, requests).outcomes
        for outcome in outcomes:
            if outcome.status == "machine":
                raise MachineFault(outcome.error)
        return outcomes

    return ask
