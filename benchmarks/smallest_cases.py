"""How small the smallest cases are, for the listed mistakes of a course and for edits of its references.

Run `python benchmarks/smallest_cases.py [EDITS]`: for each function of the course, the listed mistakes and so
many edits (25) that fail a visible case are asked the small cases; a line for each function says for how many
one was found, how many numbers it has in the median, and the processor time, once for the function and then
for each wrong answer. The calls are made in this process: what the sandbox adds is in sandbox_overhead.py.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from autograder.calls.expected import Planned, call_trusted, expect, plan
from autograder.calls.inputs import as_given
from autograder.calls.requests_and_outcomes import Outcome
from autograder.course.load import Course, load_course
from autograder.course.model import Code
from autograder.diagnose.edit_runs import carry_out
from autograder.diagnose.index_of_edits import read_edits
from autograder.diagnose.pick_smallest_case import find_smallest, plan_small
from autograder.grade.code import passes

ROOT = Path(__file__).resolve().parent.parent
GOAL_NUMBERS, GOAL_MS = 6, 100.0

Wrong = Callable[[Planned], Outcome]


@dataclass
class Tally:
    """Of one function, or of all: numbers in each case found, times, and how many showed nothing."""

    numbers: list[int] = field(default_factory=list)
    ms: list[float] = field(default_factory=list)
    silent: int = 0

    def __str__(self) -> str:
        median = statistics.median(self.numbers) if self.numbers else float("nan")
        times = f"{statistics.median(self.ms):5.1f} ms, at most {max(self.ms):.0f}" if self.ms else "-"
        numbers = f"{median:4g} numbers, at most {max(self.numbers, default=0):2}"
        return f"{len(self.numbers):4} found, {self.silent:2} not; {numbers}; {times}"


def outcome(outputs: tuple[Any, ...], many: bool) -> Outcome:
    if not outputs or not all(isinstance(value, Tensor) for value in outputs):
        return Outcome("raised", error="no tensor")
    return Outcome("ok", outputs, "tuple" if many else "tensor", ("tensor",) * len(outputs))


def wrong_answers(course: Course, problem: str, part: Code, most: int) -> Iterator[Wrong]:
    """The listed mistakes, then some edits."""
    solution = course.solutions[problem]

    def listed(function: Any) -> Wrong:
        def call(planned: Planned) -> Outcome:
            returned = call_trusted(function, planned, as_given)
            return outcome(returned.outputs, returned.many)

        return call

    for mistake in solution.mistakes_of(part.name):
        yield listed(mistake.answer)
    found = read_edits(solution.answers[part.name], plan(course.problems[problem], part, "", ""))
    program, _, edits = found or (None, None, ())
    for edit in random.Random(0).sample(edits, min(most, len(edits))):
        changed = carry_out(program, edit) if program else None
        if changed is not None:
            yield (
                lambda planned, changed=changed: (
                    outcome(given.outputs, len(given.outputs) > 1)
                    if not (given := changed.call(planned)).raised
                    else Outcome("raised", error="raised")
                )
            )


def measure(course: Course, problem: str, part: Code, most: int) -> Tally:
    reference = course.solutions[problem].answers[part.name]
    visible = [each for each in plan(course.problems[problem], part, "", "") if not each.case.hidden]
    expected = [expect(reference, each) for each in visible]
    cases = plan_small(part, reference)
    tally = Tally()
    for wrong in wrong_answers(course, problem, part, most):
        gave = [(call, want, wrong(call)) for call, want in zip(visible, expected, strict=True)]
        failing = [
            (want, got) for call, want, got in gave if got.status == "ok" and not passes(call, want, got)
        ]
        if not failing:
            continue
        want, got = failing[0]
        shape = [value.shape for value in got.outputs] != [each.values.shape for each in want.outputs]
        start = time.process_time()
        found = find_smallest(part.parameters, cases, [wrong(case.call) for case in cases], shape=shape)
        tally.ms.append((time.process_time() - start) * 1e3)
        if found is None:
            tally.silent += 1
        else:
            tally.numbers.append(found.numbers)
    return tally


def main() -> int:
    torch.set_num_threads(1)
    most = int(sys.argv[1]) if len(sys.argv) > 1 else 25
    course, whole = load_course(ROOT), Tally()
    for name, problem in course.problems.items():
        for part in (part for part in problem.parts if isinstance(part, Code)):
            tally = measure(course, name, part, most)
            print(f"{part.name:32} {tally}", flush=True)
            whole.numbers += tally.numbers
            whole.ms += tally.ms
            whole.silent += tally.silent
    print(f"{'all':32} {whole}")
    slow = sum(each > GOAL_MS for each in whole.ms)
    print(f"goals: {GOAL_NUMBERS} numbers in the median; {slow} of {len(whole.ms)} above {GOAL_MS:g} ms")
    return 0 if statistics.median(whole.numbers) <= GOAL_NUMBERS and not slow else 1


if __name__ == "__main__":
    sys.exit(main())
