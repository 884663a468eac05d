"""The hints of a code part for the student's machine: listed mistakes and edits on the visible cases."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from torch import Tensor

from autograder.calls.compare_tensors import is_right
from autograder.calls.expected import Expected, Planned, call_trusted, expect, plan
from autograder.calls.inputs import as_given
from autograder.course.model import Code, Mistake, Problem, Solution
from autograder.diagnose.edit_runs import carry_out
from autograder.diagnose.find_slip import NOBODY, Finder
from autograder.diagnose.hints import Answers, Hint, Sealed, seal
from autograder.diagnose.index_of_edits import Index

MOST_HINTS = 1500  # the simplest edits of a part; so the file stays below half a megabyte


def seal_hints(problem: Problem, part: Code, solution: Solution, steps: int) -> Sealed | None:
    """The hints that students may see; None where they see none, or where a reference has no source."""
    if steps == 0:
        return None
    finder = Finder(problem, part, solution.answers[part.name])
    calls = [call for call in plan(problem, part, "", NOBODY) if not call.case.hidden]
    expected = [expect(finder.reference, call) for call in calls]
    listed = list(_listed(solution.mistakes_of(part.name), calls)) if steps == 3 else []
    found = list(_found(finder.index, calls, steps)) if finder.index is not None else []
    # An author's own sentence goes first: what it explains is left out of the edits.
    wrong = [pair for pair in (*listed, *found) if _tells(pair[1], expected)]
    entries = [sum(want.values.numel() for want in wants.outputs) for wants in expected]
    return seal(part.name, entries, wrong) if wrong else None


def _listed(mistakes: Sequence[Mistake], calls: Sequence[Planned]) -> Iterator[tuple[Hint, Answers]]:
    for mistake in mistakes:
        returned = [call_trusted(mistake.answer, call, as_given) for call in calls]
        if all(r.raised or all(isinstance(out, Tensor) for out in r.outputs) for r in returned):
            yield Hint(says=mistake.says), [None if r.raised else r.outputs for r in returned]


def _found(index: Index, calls: Sequence[Planned], steps: int) -> Iterator[tuple[Hint, Answers]]:
    for position in index.prints.kept[:MOST_HINTS]:
        edit = index.edits[position]
        changed = carry_out(index.program, edit)
        if changed is not None:
            given = [changed.call(call) for call in calls]
            hint = Hint(index.context.where(edit), edit.kind, edit.says).first(steps)
            yield hint, [None if g.raised else g.outputs for g in given]


def _tells(answers: Answers, expected: Sequence[Expected]) -> bool:
    """Whether a visible case has values that are not the right ones."""
    return any(
        outputs is not None
        and len(outputs) == len(want.outputs)
        and any(not is_right(got, right) for got, right in zip(outputs, want.outputs, strict=True))
        for outputs, want in zip(answers, expected, strict=True)
    )
