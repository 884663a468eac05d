"""The cases of a class beside the edits of its reference: each that differs must lose marks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from autograder.calls.compare_values import compare_value
from autograder.calls.expected import Expected, Planned, expect, plan_case
from autograder.calls.inputs import widen
from autograder.course.cases import Case
from autograder.course.modules import use_of
from autograder.diagnose.class_edits import ChangedClass, ClassFinder, agree
from autograder.errors import CourseError
from autograder.verify.edits import SCALES, Score

DRAWS = 2  # of further numbers for each case


def class_edit_score(
    finder: ClassFinder, calls: Sequence[Planned], expected: Sequence[Expected]
) -> Score | None:
    """None where the reference has no edits: no source, or no method that could be read."""
    edits = finder.changes(unnamed=True)
    if not edits:
        return None
    probes = list(_probes(finder))
    survivors, equal = [], 0
    for changed in edits:
        if all(_passes(changed, call, want) for call, want in zip(calls, expected, strict=True)):
            telling = next((probe for probe in probes if probe.tells(changed)), None)
            if telling is None:
                equal += 1
            else:
                survivors.append(f"{changed.edit.says}; {telling.words} would")
    return Score(len(edits), equal, tuple(dict.fromkeys(survivors)))


def _passes(changed: ChangedClass, call: Planned, want: Expected) -> bool:
    values = changed.take(call)
    assert want.holds is not None
    return values is not None and compare_value(values, want.holds.value) is None


@dataclass(frozen=True, eq=False)
class _FurtherCase:
    """A case with other numbers or more steps, in words, and what is right there."""

    words: str
    call: Planned
    reference: type

    @cached_property
    def want(self) -> Expected | None:
        """None where the reference itself cannot go there."""
        try:
            return expect(self.reference, self.call)
        except CourseError:
            return None

    def tells(self, changed: ChangedClass) -> bool:
        """Whether it tells an edit from what is right, by more than the rounding of equal formulas."""
        if self.want is None or _passes(changed, self.call, self.want):
            return False
        assert self.want.holds is not None
        exact = changed.take(self.call, widen)
        return exact is None or not agree(self.call, self.want.holds.steps.values, exact)


def _probes(finder: ClassFinder) -> Iterator[_FurtherCase]:
    """The author's own cases with other numbers, then with their steps taken twice: a state shows."""
    for case in finder.part.cases:
        for draw in reversed(range(DRAWS)):
            scale = case.scale if draw == 0 or case.scale != 1.0 else SCALES[draw % len(SCALES)]
            words = "other numbers" if scale == case.scale else f"scale={scale:g}"
            probe = replace(case, scale=scale)
            yield from _probe(finder, probe, str(draw), f"case {case.name!r} with {words}")
    for case in finder.part.cases:
        own = {name: value for name, value in case.sizes.items() if name not in ("call", "steps")}
        probe = replace(case, sizes={**own, "steps": (*use_of(case).steps,) * 2})
        words = f"case {case.name!r} with its steps taken twice"
        yield from _probe(finder, probe, "twice", words)


def _probe(finder: ClassFinder, case: Case, draw: str, words: str) -> Iterator[_FurtherCase]:
    try:
        own = replace(case, hidden=True)  # with numbers of its own
        call = plan_case(finder.problem, finder.part, own, "", draw, finder.reference)
    except CourseError:
        return
    yield _FurtherCase(words, call, finder.reference)
