"""A submission is run elsewhere: what a runner does, and its outcomes as they are judged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from autograder.calls.arrays import as_tensors
from autograder.calls.requests_and_outcomes import Cell, FunctionCall, Further, Outcome, Request, RunResult
from autograder.course.model import Code, Problem
from autograder.grade.cost import Ask, MachineFault


class Runner(Protocol):
    """Runs cells and answers requests, `further` ones before the late calls: see Sandbox.run."""

    def __call__(
        self,
        cells: Sequence[Cell],
        requests: Sequence[Request],
        *,
        further: Further | None = None,
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
        further: Further | None = None,
        files: Mapping[str, bytes] | None = None,
    ) -> RunResult:
        taking = {part.name for part in self.problem.parts if isinstance(part, Code) and part.takes_arrays}

        def judged(request: Request, outcome: Outcome) -> Outcome:
            if not isinstance(request, FunctionCall) or request.part not in taking or outcome.status != "ok":
                return outcome
            kind, kinds, outputs = as_tensors(outcome.kind, outcome.kinds, outcome.outputs)
            return replace(outcome, kind=kind, kinds=kinds, outputs=outputs)

        def asks(outcomes: Mapping[Request, Outcome]) -> Sequence[Request]:
            return further({r: judged(r, o) for r, o in outcomes.items()}) if further else ()

        files = files or self.problem.data or None
        result = self.run(cells, requests, further=further and asks, files=files)
        outcomes = map(judged, requests, result.outcomes)
        beyond = {request: judged(request, outcome) for request, outcome in result.further.items()}
        return replace(result, outcomes=tuple(outcomes), further=beyond)


def asking(run: Runner, cells: Sequence[Cell]) -> Ask:
    """Requests for the process of a submission, outside of its first run."""

    def ask(requests: Sequence[Request]) -> Sequence[Outcome]:
        outcomes = run(cells, requests).outcomes
        for outcome in outcomes:
            if outcome.status == "machine":
                raise MachineFault(outcome.error)
        return outcomes

    return ask
