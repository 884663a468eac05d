"""A wrong function becomes what helps to see why: the line at which it departs, and the smallest case.

The function is called once more, on a case that everybody may see and on small ones that are made from what
everybody knows, in a process that sees no other. What it says of itself is lines, shapes and values: the
words are ours, the code is quoted from what was handed in.
"""

from __future__ import annotations

import hashlib
import logging
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import torch
from torch import Tensor

from autograder.calls.arrays import only_tensors
from autograder.calls.compare_tensors import Want
from autograder.calls.expected import Planned, axis_sizes
from autograder.calls.note_tensors import Notes, Values, tensors_in
from autograder.calls.packed_notes import read_notes
from autograder.calls.requests_and_outcomes import Cell, FunctionCall, Outcome, Request, Script, Smallest
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
from autograder.diagnose.pick_smallest_case import SmallCase, find_smallest, plan_small, read_smallest
from autograder.diagnose.rearranged import CLOSE, is_plain
from autograder.diagnose.small_objects import SmallObject, small_objects
from autograder.diagnose.worked_step import work_out
from autograder.grade.cost import Ask, MachineFault
from autograder.grade.report import Marked, PartReport, Status
from autograder.notebook.submitted import names_set

MOST_WORKED_OUT = 3  # small cases with their steps
FEW = 6  # small cases that are asked at first
MOST_LOOKS = 512  # that are kept

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class CloserLook:
    """What a closer look showed."""

    marked: Marked | None = None
    smallest: Smallest | None = None


@dataclass(eq=False)
class Looking:
    """Looks closer at wrong answers; what the references give is worked out once for the whole class."""

    solution: Solution
    problem: Problem
    _rights: dict[Planned, tuple[Right, ...]] = field(default_factory=dict, init=False)
    _smalls: dict[str, tuple[Sequence[SmallCase | SmallObject], Sequence[FunctionCall | Script]]] = field(
        default_factory=dict, init=False
    )
    _looks: dict[tuple[Planned, str, bytes], CloserLook] = field(default_factory=dict, init=False)

    def look(
        self, failing: Sequence[tuple[Planned, Outcome]], cells: Sequence[Cell], ask: Ask
    ) -> dict[str, CloserLook]:
        """By part; `failing` are calls that everybody gets, and what they gave."""
        return Look(self, cells, lambda outcomes: failing).finish({}, ask)

    def questions(
        self, failing: Sequence[tuple[Planned, Outcome]], cells: Sequence[Cell]
    ) -> list[_Questions]:
        """What to ask of each part that is wrong, of those that a cell defines."""
        wrong = {call.part.name: (call, outcome) for call, outcome in reversed(failing)}
        numbers = {name: _defining_cell(cells, name) for name in wrong}
        return [
            self._questions(*each, numbers[name], from_first_line(cells[numbers[name] - 1].source))
            for name, each in wrong.items()
            if numbers[name]
        ]

    def prepare(self, failing: Sequence[tuple[Planned, Outcome]]) -> None:
        """Work out what is the same for the whole class: so that it can be measured apart."""
        for call, outcome in failing[:1]:
            self._ways(call)
            if self._small(call, outcome):
                _ = [case.right for case in self._smalls[call.part.name][0]]

    def _questions(self, call: Planned, outcome: Outcome, cell: int, source: str) -> _Questions:
        small = self._small(call, outcome)
        with_notes = [replace(each, noted=cell) for each in small[: 0 if call.steps else MOST_WORKED_OUT]]
        cases = self._smalls[call.part.name][0] if small else []
        return _Questions(call, outcome, source, _noted(call, cell), cases, small, with_notes)

    def look_at(self, asked: _Questions, known: Mapping[Request, Outcome]) -> CloserLook:
        """What the answers to all questions show: the same for the same answers of the same code."""
        answered = [asked.outcome, *(known[call] for call in asked.all() if call in known)]
        key = (asked.call, asked.source, digest_of(answered))
        if key not in self._looks:
            if len(self._looks) >= MOST_LOOKS:
                self._looks.clear()
            self._looks[key] = self._look_at(asked, known)
        return self._looks[key]

    def _look_at(self, asked: _Questions, known: Mapping[Request, Outcome]) -> CloserLook:
        found, marked = self._mark(asked.call, asked.outcome, known[asked.noted], asked.source)
        number, smallest = asked.smallest(known) or (-1, None)
        if found is None or smallest is None or found[0].place < 0 or number >= len(asked.with_notes):
            return CloserLook(marked, smallest)
        case, said = asked.cases[number], known[asked.small[number]]
        notes = _notes(known[asked.with_notes[number]], asked.source)
        ways = (way for way in self._ways(case.call) if way.reference is found[1].reference)
        right = next(ways, None)
        if notes is not None and right is not None:
            outputs = [value.detach().double().numpy() for value in only_tensors(said.outputs)]
            place, layout = found[1].places[found[0].place], read_layout(asked.source, asked.call.part.name)
            step = work_out(found[0], place, notes, right, outputs, layout, asked.source)
            smallest = replace(smallest, step=step)
        return CloserLook(marked, smallest)

    def _small(self, call: Planned, outcome: Outcome) -> Sequence[FunctionCall | Script]:
        """The small calls of a part; none where it gave no value."""
        part = call.part
        if outcome.status != "ok" or not isinstance(part, Code | Module):
            return []
        if part.name not in self._smalls:
            reference = self.solution.answers[part.name]
            if isinstance(part, Module):
                objects = small_objects(self.problem, part, reference)
                scripts = [Script(part.name, each.call.steps, dtype=each.call.case.dtype) for each in objects]
                self._smalls[part.name] = objects, scripts
            else:
                cases = plan_small(part, reference)
                calls = [FunctionCall(part.name, part.name, args=each.call.arguments) for each in cases]
                self._smalls[part.name] = cases, calls
        return self._smalls[part.name][1]

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


@dataclass(frozen=True, eq=False)
class _Questions:
    """What is asked to look closer at a part: a case with notes, small ones, and some of these with notes."""

    call: Planned
    outcome: Outcome
    source: str
    noted: FunctionCall | Script
    cases: Sequence[SmallCase | SmallObject]  # the fewest numbers first
    small: Sequence[FunctionCall | Script]
    with_notes: Sequence[FunctionCall | Script]  # the first few

    def all(self) -> list[FunctionCall | Script]:
        return [self.noted, *self.small, *self.with_notes]

    def next(self, known: Mapping[Request, Outcome]) -> list[FunctionCall | Script]:
        """What is to be asked next: most answers show what is wrong on the first few small cases."""
        if self.noted not in known:
            return [self.noted, *self.small[:FEW]]
        if (found := self.smallest(known)) is None:
            left = [call for call in self.small if call not in known]
            return left[: 2 * (len(self.small) - len(left))]
        return [call for call in self.with_notes[found[0] : found[0] + 1] if call not in known]

    def smallest(self, known: Mapping[Request, Outcome]) -> tuple[int, Smallest] | None:
        """The first small case that shows what is wrong, of those that are answered, and its number."""
        other = bool(self.small) and not self.call.steps and self._has_other_shape()
        for number, (case, call) in enumerate(zip(self.cases, self.small, strict=True)):
            if call not in known:
                return None
            parameters, gave = self.call.part.parameters, known[call]
            if isinstance(case, SmallObject):
                parameters, gave = case.parameters, _of_last_step(gave)
            found = find_smallest(parameters, [case], [gave], shape=other)
            if found is not None:
                return number, found
        return None

    def _has_other_shape(self) -> bool:
        outputs = parse_shapes(self.call.part.doc, self.call.part.parameters).outputs
        asked = [shape(out.axes, self.call.case.sizes) for out in outputs]
        return [tuple(value.shape) for value in only_tensors(self.outcome.outputs)] != asked


class Look:
    """A closer look at one submission: what to ask of its process, and what the answers show."""

    def __init__(
        self,
        looking: Looking,
        cells: Sequence[Cell],
        failing: Callable[[Mapping[Request, Outcome]], Sequence[tuple[Planned, Outcome]]],
    ) -> None:
        """`failing` tells the calls that everybody gets and that gave what is wrong, with what they gave."""
        self._looking, self._cells, self._failing = looking, cells, failing
        self._questions: list[_Questions] | None = None

    def next(self, known: Mapping[Request, Outcome]) -> list[FunctionCall | Script]:
        """What to ask, by all that is answered; nothing of a submission of which no function fails."""
        if self._questions is None:
            try:
                self._questions = self._looking.questions(self._failing(known), self._cells)
            except Exception as error:  # help that cannot be given costs nobody a mark
                logger.error("a wrong answer could not be looked at closer", exc_info=error)
                self._questions = []
        return [call for each in self._questions for call in self._next(each, known)]

    def _next(self, asked: _Questions, known: Mapping[Request, Outcome]) -> list[FunctionCall | Script]:
        try:
            return asked.next(known)
        except Exception:  # the judge stumbles: it will again when it looks at the answers, and says so
            return []

    def finish(self, known: Mapping[Request, Outcome], ask: Ask) -> dict[str, CloserLook]:
        """By part. What is not answered yet is asked in a process of its own, all at once: every answer may
        cost one of its processes."""
        left = self.next(known)
        everything = [call for each in self._questions or () for call in each.all()]
        if any(call in known and known[call].status == "machine" for call in everything):
            return {}
        if left:
            try:
                known = {**known, **dict(zip(everything, ask(everything), strict=True))}
            except MachineFault:  # a help that the machine did not let us give, as above
                return {}
        found = {}
        for each in self._questions or ():
            name = each.call.part.name
            try:
                found[name] = self._looking.look_at(each, known)
            except Exception as error:  # help that fails costs nobody a mark
                logger.error("an answer to %s could not be looked at closer", name, exc_info=error)
        return found


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


def digest_of(outcomes: Sequence[Outcome]) -> bytes:
    """The same for the same outcomes, to the last bit."""
    digest = hashlib.blake2b()
    for outcome in outcomes:
        for value in (*outcome.outputs, *outcome.grads):
            if not isinstance(value, Tensor):
                digest.update(repr(value).encode("utf-8", "replace"))
            for tensor in tensors_in(value):  # of many numbers, Python's words leave some out
                digest.update(repr((tensor.dtype, tensor.shape)).encode())
                plain = tensor.detach().resolve_conj().contiguous().reshape(-1)
                digest.update(plain.view(torch.uint8).numpy().tobytes())
        rest = replace(outcome, outputs=(), grads=())
        digest.update(repr(rest).encode("utf-8", "replace"))
    return digest.digest()


def can_be_looked_at(outcome: Outcome) -> bool:
    """Whether a wrong call gave tensors, or stopped at a line."""
    gave = outcome.kind == "script" or all(isinstance(value, Tensor) for value in outcome.outputs)
    return (outcome.status == "ok" and gave) or outcome.status == "raised"


def _of_last_step(outcome: Outcome) -> Outcome:
    """What a script came to, as if its last step were all there is."""
    last = outcome.outputs[-1:]
    kind = "tensor" if last and isinstance(last[0], Tensor) else "other"
    return replace(outcome, outputs=last, kind=kind, kinds=(kind,) * len(last))


def _defining_cell(cells: Sequence[Cell], name: str) -> int:
    """The number of the last cell that defines a name, counted from 1; 0 where none does."""
    return max((n for n, cell in enumerate(cells, start=1) if name in names_set(cell.source)), default=0)


def _results(call: Planned, outcome: Outcome) -> Sequence[Tensor] | None:
    """The tensors that came back, of a script those of the steps that count; None where a function gave
    anything else."""
    if call.steps:
        told = [value for label, value in zip(call.labels, outcome.outputs, strict=True) if label]
        return tuple(tensors_in(told))
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
