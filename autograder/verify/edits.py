"""The cases of a code part beside the edits of its reference: each that differs must lose marks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from types import CodeType

import numpy as np
from numpy.typing import NDArray

from autograder.calls.compare_tensors import agrees, is_right
from autograder.calls.expected import Expected, Planned, expect
from autograder.calls.inputs import arguments, widen
from autograder.course.cases import Case
from autograder.course.docstring_shapes import DOTS
from autograder.course.load import Course
from autograder.course.model import Code, Problem
from autograder.diagnose.edit_runs import (
    LARGEST_WEIGHT,
    Array,
    Changed,
    compiled,
    print_of,
    ready,
    uncollected,
)
from autograder.diagnose.edits.edit import Edit
from autograder.diagnose.find_slip import Finder
from autograder.diagnose.index_of_edits import Index

SCALES = (1.0, 0.1)  # of fresh numbers; larger ones saturate, and equal formulas then round apart
PROBES = 8  # calls on fresh numbers, at least; more where there are more cases
MOST_SAID = 3
ALIKE = 1e-12  # of two prints in double precision: the same values
EXACT = 1e-6  # of the largest value: formulas that are equal differ by less in double precision

Flags = NDArray[np.bool_]


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
    differing = _surely_failing(index, calls, expected)
    suspected = [*index.prints.same, *(p for p in index.prints.kept if not differing[p])]
    outputs = index.prints.right.shape[1]
    probes = [_Probe(call, expect(finder.reference, call), outputs) for call in _probes(part, calls)]
    known: dict[tuple[CodeType, ...], Case | None] = {}
    survivors, equal = [], 0
    with uncollected():
        for position in suspected:
            codes = compiled(index.program, index.edits[position])
            changed = None if codes is None else ready(index.program, codes)
            if codes is None or changed is None:
                continue
            if codes not in known:
                known[codes] = next((probe.call.case for probe in probes if probe.tells(changed)), None)
            case = known[codes]
            equal += case is None
            # An edit that differs may still pass, where the tolerance is wide.
            if case is not None and _passes_all(changed, calls, expected):
                survivors.append(_survivor(index.edits[position], case))
            changed.forget()
    edits = len({int(position) for position in (*index.prints.same, *index.prints.kept)})
    return Score(edits, equal, tuple(survivors))


def _surely_failing(index: Index, calls: Sequence[Planned], expected: Sequence[Expected]) -> Flags:
    """Which edits fail a visible case by their prints alone: values that pass do not lie so far apart."""
    prints = index.prints
    visible = [case for case, call in enumerate(calls) if not call.case.hidden]
    widths = np.array(
        [
            [2 * LARGEST_WEIGHT * out.values.numel() * out.tolerance for out in expected[case].outputs]
            for case in visible
        ]
    )
    gaps = np.abs(prints.singles[:, visible][..., 0] - prints.right[visible][..., 0])
    rounding = EXACT * prints.right[visible][..., 1]
    # Where there is no print, nothing comes back that could pass.
    return np.array([not each.all() for each in gaps <= widths + rounding], dtype=np.bool_)


def _passes_all(changed: Changed, calls: Sequence[Planned], expected: Sequence[Expected]) -> bool:
    return all(_passes(changed, call, want) for call, want in zip(calls, expected, strict=True))


def _passes(changed: Changed, call: Planned, want: Expected) -> bool:
    given = changed.call(call)
    return len(given.outputs) == len(want.outputs) and all(
        is_right(got, right) for got, right in zip(given.outputs, want.outputs, strict=True)
    )


@dataclass(frozen=True, eq=False)
class _Probe:
    """A call on further numbers, and what is right there."""

    call: Planned
    want: Expected
    outputs: int

    @cached_property
    def right(self) -> Array:
        return print_of([out.values for out in self.want.outputs], self.outputs)

    def tells(self, changed: Changed) -> bool:
        """Whether the call tells an edit from what is right, by more than the rounding of equal formulas."""
        exact = changed.call(self.call, widen)
        gap = np.abs(print_of(exact.outputs, self.outputs)[:, 0] - self.right[:, 0])
        if bool((gap <= ALIKE * self.right[:, 1]).all()) or _passes(changed, self.call, self.want):
            return False
        if len(exact.outputs) != len(self.want.outputs):
            return True
        return any(
            not agrees(
                got, right.values, max(right.tolerance, EXACT * float(right.values.double().abs().max()))
            )
            for got, right in zip(exact.outputs, self.want.outputs, strict=True)
            if right.values.numel()
        )


def _probes(part: Code, calls: Sequence[Planned]) -> Iterator[Planned]:
    """The author's own sizes with other numbers: within the domain, whatever it is."""
    plain = [call.case for call in calls if call.case.scale == 1.0]
    rounds = -(-PROBES // len(plain)) if plain else 0
    for draw in range(1, rounds + 1):
        for position, each in enumerate(plain):
            case = replace(each, scale=SCALES[(position + draw) % len(SCALES)], grad=())
            yield Planned(part, case, arguments(part, case, draw), (), ())


def _survivor(edit: Edit, case: Case) -> str:
    sizes = ", ".join(
        f"{'lead' if name == DOTS else name}={_written(value)}" for name, value in case.sizes.items()
    )
    scale = "" if case.scale == 1.0 else f", scale={case.scale:g}"
    return f'{edit.says}; this case would: case("…", {sizes}{scale})'


def _written(value: object) -> str:
    """A value as it stands in a problem file."""
    return " ".join(re.sub(r"\btensor\(", "torch.tensor(", repr(value)).split())
