"""The cases of a code part beside the edits of its reference: each that differs must lose marks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from autograder.calls.compare_tensors import agrees, compare_tensor
from autograder.calls.expected import Expected, Planned, expect
from autograder.calls.inputs import arguments, widen
from autograder.course.cases import Case
from autograder.course.load import Course
from autograder.course.model import Code, Problem
from autograder.diagnose.edit_runs import Changed, carry_out
from autograder.diagnose.edits.edit import Edit
from autograder.diagnose.finder import Finder

SCALES = (1.0, 0.1)  # of fresh numbers; larger ones saturate, and equal formulas then round apart
DRAWS = 3  # of fresh numbers for each case and scale
MOST_SAID = 3
EXACT = 1e-6  # of the largest value: formulas that are equal differ by less in double precision


@dataclass(frozen=True)
class Score:
    """How many edits there are that can be called, and which of them no case catches though they differ."""

    edits: int
    equal: int  # edits that give the same on everything that was tried: no mistake at all
    survivors: tuple[str, ...]

    @property
    def says(self) -> str:
        caught = self.edits - self.equal - len(self.survivors)
        said = f"{caught} of {self.edits - self.equal} edits of the reference are caught"
        if not self.survivors:
            return said
        return f"{said}; not caught: {'; '.join(self.survivors[:MOST_SAID])}"


def edit_score(course: Course, problem: Problem, part: Code, calls: Sequence[Planned]) -> Score | None:
    """None where the reference has no source to be edited."""
    finder = Finder(problem, part, course.solutions[problem.id].answers[part.name])
    index = finder.index
    if index is None:
        return None
    expected = [expect(finder.reference, call) for call in calls]
    probes = [(call, expect(finder.reference, call)) for call in _probes(part, calls)]
    survivors, equal = [], 0
    # An edit that differs may still pass, where the tolerance is wide.
    for position in (*index.prints.same, *index.prints.kept):
        changed = carry_out(index.program, index.edits[position])
        if changed is None or not _passes_all(changed, calls, expected):
            continue
        telling = next((call for call, want in probes if _tells(changed, call, want)), None)
        if telling is None:
            equal += 1
        else:
            survivors.append(_survivor(index.edits[position], telling.case))
    known = {int(position) for position in (*index.prints.same, *index.prints.kept)}
    return Score(len(known), equal, tuple(survivors))


def _passes_all(changed: Changed, calls: Sequence[Planned], expected: Sequence[Expected]) -> bool:
    return all(_passes(changed, call, want) for call, want in zip(calls, expected, strict=True))


def _passes(changed: Changed, call: Planned, want: Expected) -> bool:
    given = changed.call(call)
    return len(given.outputs) == len(want.outputs) and all(
        compare_tensor(got, right) is None for got, right in zip(given.outputs, want.outputs, strict=True)
    )


def _tells(changed: Changed, call: Planned, want: Expected) -> bool:
    """Whether a call tells an edit from what is right, by more than the rounding of equal formulas."""
    if _passes(changed, call, want):
        return False
    exact = changed.call(call, widen)
    if len(exact.outputs) != len(want.outputs):
        return True
    return any(
        not agrees(got, right.values, max(right.tolerance, EXACT * float(right.values.double().abs().max())))
        for got, right in zip(exact.outputs, want.outputs, strict=True)
        if right.values.numel()
    )


def _probes(part: Code, calls: Sequence[Planned]) -> Iterator[Planned]:
    """The author's own sizes with other numbers: within the domain, whatever it is."""
    for call in calls:
        for scale in SCALES if call.case.scale == 1.0 else ():
            case = replace(call.case, scale=scale, grad=())
            yield from (
                Planned(part, case, arguments(part, case, draw), (), ()) for draw in range(1, DRAWS + 1)
            )


def _survivor(edit: Edit, case: Case) -> str:
    sizes = ", ".join(f"{name}={value!r}" for name, value in case.sizes.items())
    scale = "" if case.scale == 1.0 else f", scale={case.scale:g}"
    return f'{edit.says}; this case would: case("…", {sizes}{scale})'
