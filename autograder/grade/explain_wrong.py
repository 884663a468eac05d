"""A wrong function becomes what helps to see why: the line at which it departs, and the smallest case.

The function is called once more, on a case that everybody may see and on small ones that are made from what
everybody knows, in a process that sees no other. What it says of itself is lines, shapes and values: the
words are ours, the code is quoted from what was handed in.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import torch
from torch import Tensor

from autograder.calls.arrays import only_tensors
from autograder.calls.compare_tensors import Want
from autograder.calls.expected import Planned, axis_sizes
from autograder.calls.note_tensors import Notes, Values, tensors_in
from autograder.calls.packed_notes import read_notes
from autograder.calls.requests_and_outcomes import Cell, FunctionCall, Outcome, Script, Smallest
from autograder.calls.shown_values import show
from autograder.course.docstring_shapes import parse_shapes, shape
from autograder.course.model import Code, Problem, Solution
from autograder.course.modules import Module
from autograder.diagnose.axis_sums import compare_sums, name_axes
from autograder.diagnose.cell_statements import (
    from_first_line,
    read_layout,
    returns_in_loop,
)
from autograder.diagnose.crash import explain_crash, say_crash
from autograder.diagnose.departure import Departure, find_departure
from autograder.diagnose.departure_words import briefly, say_departure
from autograder.diagnose.habits import CHANCE, ECHO, LOOP, UNASKED
from autograder.diagnose.intermediates import Right, note_reference
from autograder.diagnose.pick_smallest_case import SmallCase, find_smallest, plan_small, read_smallest, write
from autograder.diagnose.rearranged import CLOSE, is_plain
from autograder.diagnose.small_objects import SmallObject, small_objects
from autograder.diagnose.worked_step import work_out
from autograder.grade.cost import Ask, MachineFault
from autograder.grade.report import Marked, PartReport, Status
from autograder.notebook.submitted import names_set

MOST_WORKED_OUT = 5  # small cases with their steps

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class CloserLook:
    """What a closer look showed."""

    marked: Marked | None = None
    smallest: Smallest | None = None


@dataclass(frozen=True, eq=False)
class Looking:
    """Looks closer at wrong answers; what the references give is worked out once for the whole class."""

    solution: Solution
    problem: Problem
    _rights: dict[Planned, tuple[Right, ...]] = field(default_factory=dict)
    _smalls: dict[str, tuple[list[SmallCase], list[FunctionCall]]] = field(default_factory=dict)
    _objects: dict[str, tuple[list[SmallObject], list[Script]]] = field(default_factory=dict)

    def look(
        self, failing: Sequence[tuple[Planned, Outcome]], cells: Sequence[Cell], ask: Ask
    ) -> dict[str, CloserLook]:
        """By part; `failing` are calls that everybody gets, and what they gave."""
        wrong = {call.part.name: (call, outcome) for call, outcome in reversed(failing)}
        numbers = {name: _defining_cell(cells, name) for name in wrong}
        wrong = {name: each for name, each in wrong.items() if numbers[name]}
        if not wrong:
            return {}
        asked = {name: self._asked(*each, numbers[name]) for name, each in wrong.items()}
        try:
            answered = iter(ask([call for calls in asked.values() for call in calls]))
        except MachineFault:  # a help that the machine did not let us give
            return {}
        found = {}
        for name, (call, outcome) in wrong.items():
            gave = [next(answered) for _ in asked[name]]
            source = from_first_line(cells[numbers[name] - 1].source)
            try:
                found[name] = self._look_at(call, outcome, gave, source)
            except Exception as error:  # help that fails costs nobody a mark
                logger.error("an answer to %s could not be looked at closer", name, exc_info=error)
        return found

    def prepare(self, failing: Sequence[tuple[Planned, Outcome]]) -> None:
        """Work out what is the same for the whole class: so that it can be measured apart."""
        for call, outcome in failing[:1]:
            self._ways(call)
            if self._small(call, outcome):
                _ = [case.right for case in self._smalls[call.part.name][0]]

    def _asked(self, call: Planned, outcome: Outcome, cell: int) -> list[FunctionCall | Script]:
        """The case with notes, then the small ones, then the smallest of them with notes."""
        small = self._small(call, outcome)
        noted = [replace(each, noted=cell) for each in small[:MOST_WORKED_OUT]]
        return [_noted(call, cell), *self._small_objects(call, outcome), *small, *noted]

    def _look_at(self, call: Planned, outcome: Outcome, gave: Sequence[Outcome], source: str) -> CloserLook:
        if call.steps:
            _, marked = self._mark(call, outcome, gave[0], source)
            return CloserLook(marked, self._smallest_object(call, gave[1:]))
        count = len(self._small(call, outcome))
        found, marked = self._mark(call, outcome, gave[0], source)
        smallest = self._smallest(call, outcome, gave[1 : 1 + count])
        if found is None or smallest is None or found[0].place < 0:
            return CloserLook(marked, smallest)
        layout = read_layout(source, call.part.name)
        for number, noted in enumerate(gave[1 + count :]):
            case, said = self._smalls[call.part.name][0][number], gave[1 + number]
            if self._is_of(smallest, call, case) and said.status == "ok":
                notes = _notes(noted, source)
                ways = (way for way in self._ways(case.call) if way.reference is found[1].reference)
                right = next(ways, None)
                if notes is not None and right is not None:
                    outputs = [value.detach().double().numpy() for value in only_tensors(said.outputs)]
                    place = found[1].places[found[0].place]
                    step = work_out(found[0], place, notes, right, outputs, layout, source)
                    smallest = replace(smallest, step=step)
        return CloserLook(marked, smallest)

    def _is_of(self, smallest: Smallest, call: Planned, case: SmallCase) -> bool:
        """Whether a smallest case was written from this one."""
        written = (write(argument) for argument in case.arguments)
        return smallest.given == tuple(zip(call.part.parameters, written, strict=True))

    def _small(self, call: Planned, outcome: Outcome) -> list[FunctionCall]:
        """The small calls of a part; none for a function that gave no value."""
        if outcome.status != "ok" or not isinstance(call.part, Code):
            return []
        name = call.part.name
        if name not in self._smalls:
            cases = plan_small(call.part, self.solution.answers[name])
            self._smalls[name] = (
                cases,
                [FunctionCall(part=name, function=name, args=c.call.arguments) for c in cases],
            )
        return self._smalls[name][1]

    def _small_objects(self, call: Planned, outcome: Outcome) -> list[Script]:
        """The same of a class: steps that build an object and call it once."""
        part = call.part
        if outcome.status != "ok" or not isinstance(part, Module):
            return []
        if part.name not in self._objects:
            cases = small_objects(self.problem, part, self.solution.answers[part.name])
            scripts = [Script(part.name, each.call.steps, dtype=each.call.case.dtype) for each in cases]
            self._objects[part.name] = cases, scripts
        return self._objects[part.name][1]

    def _smallest_object(self, call: Planned, answered: Sequence[Outcome]) -> Smallest | None:
        for case, outcome in zip(self._objects.get(call.part.name, ((), ()))[0], answered, strict=False):
            last = outcome.outputs[-1:]
            if outcome.status == "ok" and last and isinstance(last[0], Tensor):
                gave = replace(outcome, outputs=last, kind="tensor", kinds=("tensor",))
                found = find_smallest(case.parameters, [case], [gave])
                if found is not None:
                    return found
        return None

    def _smallest(self, call: Planned, outcome: Outcome, answered: Sequence[Outcome]) -> Smallest | None:
        if not answered:
            return None
        outputs = parse_shapes(call.part.doc, call.part.parameters).outputs
        asked = [shape(out.axes, call.case.sizes) for out in outputs]
        other = [tuple(value.shape) for value in only_tensors(outcome.outputs)] != asked
        cases, _ = self._smalls[call.part.name]
        return find_smallest(call.part.parameters, cases, answered, shape=other)

    def _mark(
        self, call: Planned, outcome: Outcome, said: Outcome, source: str
    ) -> tuple[tuple[Departure, Right] | None, Marked | None]:
        """The line in words; where it departs, also as it was found, and from which reference."""
        early = returns_in_loop(source, call.part.name) if outcome.status == "ok" else None
        if early is not None:
            return None, Marked(*early, first=True)
        notes = _notes(said, source)
        if notes is None:
            return None, None
        right = self._way_taken(call, notes)
        if outcome.status != "ok":
            crash = explain_crash(notes, source, right, outcome.error)
            return None, None if crash is None else Marked(crash.line, say_crash(crash, source), stops=True)
        tensors = _results(call, outcome)
        if right is None or tensors is None or any(map(torch.is_complex, tensors)):
            return None, None
        outputs: list[Values] = [value.detach().double().numpy() for value in tensors]
        found = find_departure(notes, right, outputs, read_layout(source, call.part.name))
        return (None, None) if found is None else ((found, right), _marked(found, call, source, notes))

    def _way_taken(self, call: Planned, notes: Notes) -> Right | None:
        """The reference that has the most of a student's tensors."""
        ways = self._ways(call)
        if len(ways) < 2:
            return next(iter(ways), None)
        told = [note.values for note in notes.notes if note.line and not is_plain(note.values)]
        return max(ways, key=lambda right: sum(right.known.has(values) for values in told))

    def _ways(self, call: Planned) -> tuple[Right, ...]:
        """All references of a part on a call, as far as they can be noted."""
        if call not in self._rights:
            noted = (note_reference(way, call) for way in self.solution.ways(call.part.name))
            self._rights[call] = tuple(right for right in noted if right is not None)
        return self._rights[call]


def _marked(found: Departure, call: Planned, source: str, notes: Notes) -> Marked:
    """The line in words, and its tensor beside the right one."""
    words = say_departure(found, source)
    if not found.beside:
        return Marked(found.line, words)
    mine, right = found.beside[found.parting]
    sums = compare_sums(mine, right)
    words += f": {sums}" if sums else ""
    # Of a class, a line runs anew with every step: that is no round of the student's.
    if not call.steps and len(found.beside) > 1 and _rounds(notes, found.line) == len(found.beside):
        words += f"; the two part in round {found.parting + 1} of {len(found.beside)}"
    closeness = CLOSE * float(np.abs(right).max(initial=0.0))
    want = Want("", torch.from_numpy(right), torch.float64, closeness)
    shown = show([torch.from_numpy(mine.copy())], [want]) if mine.shape == right.shape else None
    return Marked(
        found.line, words, shown=shown, axes=name_axes(right.shape, axis_sizes(call)), case=call.case.name
    )


def _rounds(notes: Notes, line: int) -> int:
    """How often a line was run: the reference may need several rounds for what is done here at once."""
    return max(Counter(note.place for note in notes.notes if note.line == line).values(), default=0)


def can_be_looked_at(outcome: Outcome) -> bool:
    """Whether a wrong call gave tensors, or stopped at a line."""
    gave = outcome.kind == "script" or all(isinstance(value, Tensor) for value in outcome.outputs)
    return (outcome.status == "ok" and gave) or outcome.status == "raised"


def _defining_cell(cells: Sequence[Cell], name: str) -> int:
    """The number of the last cell that defines a name, counted from 1; 0 where none does."""
    return max((n for n, cell in enumerate(cells, start=1) if name in names_set(cell.source)), default=0)


def _results(call: Planned, outcome: Outcome) -> list[Tensor] | None:
    """The tensors that came back, of a script those of the steps that count; None where a function gave
    anything else."""
    if call.steps:
        told = [value for label, value in zip(call.labels, outcome.outputs, strict=True) if label]
        return list(tensors_in(told))
    tensors = only_tensors(outcome.outputs)
    return list(tensors) if len(tensors) == len(outcome.outputs) else None


def _noted(call: Planned, cell: int) -> FunctionCall | Script:
    if call.steps:
        return Script(call.part.name, call.steps, dtype=call.case.dtype, noted=cell)
    return FunctionCall(part=call.part.name, function=call.part.name, args=call.arguments, noted=cell)


def _notes(said: Outcome, source: str) -> Notes | None:
    """The notes, if they speak of lines that there are."""
    notes = read_notes(*said.outputs) if said.status == "ok" and len(said.outputs) == 3 else None
    if notes is None:
        return None
    named = [note.line for note in notes.notes] + ([notes.stop.line] if notes.stop else [])
    return notes if all(line <= source.count("\n") + 1 for line in named) else None


# ---------------------------------------------------------------- in words


def add_closer(report: PartReport, closer: CloserLook | None) -> PartReport:
    """The line in one paragraph with the recognised mistake, if there is one; the small case at the end."""
    if closer is None or report.score >= report.max_score or report.mistake in (CHANCE, UNASKED):
        return report
    if report.status not in (Status.GRADED, Status.CRASHED):
        return report
    # Of an input that is returned as it came, no line of it says more.
    marked, smallest = None if report.mistake == ECHO else closer.marked, closer.smallest
    text = report.feedback
    if marked is not None:
        first, _, rest = text.partition("\n")
        if report.mistake:
            marked = replace(marked, says=briefly(marked.says))
        if report.mistake and marked.first:
            text = f"{marked.says}; {first.partition(f': {LOOP}')[0]}\n{rest}"
        else:
            text = f"{first}; {marked.says}\n{rest}" if report.mistake else f"{marked.says}\n{text}"
    lines = [text.rstrip("\n"), *([read_smallest(smallest)] if smallest else [])]
    return replace(report, feedback="\n".join(lines), departs=marked, smallest=smallest)
