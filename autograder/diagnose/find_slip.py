"""From a reference alone: the slip in a wrong answer to a code part."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import TypeVar

from autograder.calls.expected import Expected, Planned, plan
from autograder.calls.requests_and_outcomes import Outcome
from autograder.course.docstring_shapes import parse_shapes
from autograder.course.model import Code, Problem
from autograder.diagnose.index_of_edits import Index, Pairs, Prints, compute_pairs, compute_prints, read_edits
from autograder.diagnose.match_edits import CaseAnswers, Recogniser
from autograder.diagnose.prints_on_disk import key_of, load_arrays, one_at_a_time, save_arrays
from autograder.diagnose.structural_mistakes import Suspect

NOBODY = "the edits of the reference"  # whose hidden inputs are used to tell edits apart


@dataclass(frozen=True, eq=False)
class Finder:
    """The edits of one part's reference; nothing is computed before a wrong answer asks."""

    problem: Problem
    part: Code
    reference: Callable[..., object]

    def find(
        self, calls: Sequence[Planned], expected: Sequence[Expected], outcomes: Sequence[Outcome]
    ) -> Suspect | None:
        """The edit, or the two, that give what the student's function gave in every case."""
        answer = CaseAnswers(calls, expected, outcomes)
        if not answer.tells_enough or self._recogniser is None:
            return None
        return self._recogniser.find(answer)

    @cached_property
    def index(self) -> Index | None:
        """The edits with their prints, from the disk where they were computed before."""
        calls = plan(self.problem, self.part, "", NOBODY)
        found = read_edits(self.reference, calls)
        if found is None or not found[2]:
            return None
        program, context, edits = found
        outputs = len(parse_shapes(self.part.doc, self.part.parameters).outputs)
        key = key_of(program, edits, calls)
        prints = _kept(key, Prints, lambda: compute_prints(program, edits, calls, outputs))
        return Index(program, context, edits, prints, key)

    @property
    def first(self) -> Planned:
        return plan(self.problem, self.part, "", NOBODY)[0]

    @cached_property
    def _recogniser(self) -> Recogniser | None:
        index = self.index
        if index is None:
            return None
        return Recogniser(index, lambda: self._pairs(index))

    def _pairs(self, index: Index) -> Pairs:
        """Two edits at once: computed when an answer comes that no single one explains."""
        return _kept(
            f"{index.key}-pairs",
            Pairs,
            lambda: compute_pairs(index.program, index.edits, self.first, index.prints),
        )


T = TypeVar("T", Prints, Pairs)


def _kept(key: str, kind: type[T], compute: Callable[[], T]) -> T:
    """From the disk, or computed by one process for all."""
    with one_at_a_time(key):
        arrays = load_arrays(key)
        if arrays is not None and arrays.keys() == {each.name for each in fields(kind)}:
            return kind(**arrays)
        computed = compute()
        save_arrays(key, {each.name: getattr(computed, each.name) for each in fields(kind)})
        return computed
