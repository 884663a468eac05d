"""How many edits of each reference lose marks: by our cases, and by plain test files in two usual styles.

    python benchmarks/mutation_scores.py [PART …]

The mutants are the edits of the reference that give other values than it on our cases, one of each kind of
values. The two plain files stand for what is usually written. `one example` is an assertion on one small
example in whole numbers with two entries along every axis, as in nbgrader's own notebooks. `snapshot` is one
seeded example of the sizes of the first case, compared by numpy's assert_allclose (1e-4, 1e-6), as in
the public tests of language model courses. A mutant that raises is caught. A dash says that the style does
not suit the part: its reference raises there.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import torch
from torch import Tensor

from autograder.calls.compare_tensors import compare_tensor
from autograder.calls.expected import Expected, Planned, expect, plan
from autograder.calls.inputs import arguments
from autograder.course.load import load_course
from autograder.course.model import Code
from autograder.diagnose.edit_runs import Changed, EditResult, carry_out
from autograder.diagnose.find_slip import Finder

ROOT = Path(__file__).resolve().parent.parent


def whole(call: Planned) -> Planned:
    """The same call with its floating tensors rounded to whole numbers."""
    rounded = [
        (argument * 2).round() if isinstance(argument, Tensor) and argument.is_floating_point() else argument
        for argument in call.arguments
    ]
    return replace(call, arguments=tuple(rounded))


def plain_call(part: Code, first: Planned, *, small: bool) -> Planned:
    sizes = {
        name: 2 if small and isinstance(size, int) and not isinstance(size, bool) else size
        for name, size in first.case.sizes.items()
    }
    case = replace(first.case, sizes=sizes, grad=(), scale=1.0)
    call = Planned(part, case, arguments(part, case, 0), (), ())
    return whole(call) if small else call


def close(given: EditResult, right: EditResult, rtol: float, atol: float) -> bool:
    return len(given.outputs) == len(right.outputs) and all(
        a.shape == b.shape and torch.allclose(a.double(), b.double(), rtol, atol, equal_nan=True)
        for a, b in zip(given.outputs, right.outputs, strict=True)
    )


def passes_ours(changed: Changed, calls: Sequence[Planned], expected: Sequence[Expected]) -> bool:
    for call, want in zip(calls, expected, strict=True):
        given = changed.call(call)
        if len(given.outputs) != len(want.outputs) or any(
            compare_tensor(a, b) is not None for a, b in zip(given.outputs, want.outputs, strict=True)
        ):
            return False
    return True


def main(only: Sequence[str]) -> None:
    torch.set_num_threads(1)
    course = load_course(ROOT)
    print("| part | edits | our cases | one example | snapshot |\n|---|---|---|---|---|")
    for problem in course.problems.values():
        for part in problem.parts:
            if not isinstance(part, Code) or (only and part.name not in only):
                continue
            index = Finder(problem, part, course.solutions[problem.id].answers[part.name]).index
            if index is None:
                continue
            calls = plan(problem, part, course.secret, "benchmark")
            expected = [expect(course.solutions[problem.id].answers[part.name], call) for call in calls]
            right = carry_out(index.program)
            assert right is not None
            tests = [
                (plain_call(part, calls[0], small=True), 1e-5, 1e-8),
                (plain_call(part, calls[0], small=False), 1e-4, 1e-6),
            ]
            wanted = [right.call(call) for call, _, _ in tests]
            caught: list[int | None] = [0, 0, *(None if want.raised else 0 for want in wanted)]
            for position in index.prints.kept:
                changed = carry_out(index.program, index.edits[position])
                if changed is None:
                    continue
                fails = [
                    not passes_ours(changed, calls, expected),
                    *(
                        not want.raised and not close(changed.call(call), want, rtol, atol)
                        for (call, rtol, atol), want in zip(tests, wanted, strict=True)
                    ),
                ]
                caught = [None if a is None else a + b for a, b in zip(caught, (1, *fails), strict=True)]
            print(_row(part.name, caught), flush=True)


def _row(name: str, caught: Sequence[int | None]) -> str:
    count, *found = caught
    told = " | ".join("–" if some is None else f"{some / max(1, count or 0):.1%}" for some in found)
    return f"| {name} | {count} | {told} |"


if __name__ == "__main__":
    main(sys.argv[1:])
