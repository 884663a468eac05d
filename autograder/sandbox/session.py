"""One submission from first cell to last answer: children that hang or die are replaced, within bounds.

What the machine did is told from what the notebook did. A child that was lost to the machine is replaced by
one that is asked the same again, up to three times at one place; then there is no answer, and it says why.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import groupby

from autograder.calls.requests_and_outcomes import (
    Cell,
    CellOutcome,
    FunctionCall,
    Further,
    Limits,
    Outcome,
    ReadText,
    Request,
    RunResult,
    Script,
    Talk,
)
from autograder.calls.script_steps import Step
from autograder.sandbox import child_answers, wire
from autograder.sandbox.answer_time import Account
from autograder.sandbox.child import Child, ChildEnd, ChildRequest, LostError, MachineError, ProtocolError
from autograder.sandbox.requests import describe, describe_steps
from autograder.sandbox.warm_parent import ParentGoneError, WarmParent

MAX_RESTARTS = 8
MAX_LOSSES = 2  # of one part; its later calls are not tried, so that other parts get their chance
MAX_SOURCE = 1 << 20
MAX_FAULTS = 3  # of the machine, at one place
LATE = 2

WORN_OUT = ChildEnd("killed", "the notebook ended its process too many times", "restarts")
BROKEN = ChildEnd("killed", "the notebook wrote to the grader's own channel", "protocol")
TOO_LONG = ChildEnd("skipped", f"the cell is longer than {MAX_SOURCE} characters")
# Of a process that may know a hidden input: an exit code or a signal could tell of it.
ENDED = "the cell ended the process that it runs in"


def rank(request: Request) -> int:
    """Where in the order of questions a request belongs."""
    return 0 if isinstance(request, ReadText) else LATE if request.late else 1


def outcome_of(end: ChildEnd) -> Outcome:
    return Outcome(end.status, error=end.error, limit=end.limit)


def cell_of(cell: Cell, end: ChildEnd) -> CellOutcome:
    return CellOutcome(cell.cell_id, cell.part, end.status, end.error, limit=end.limit)


class DisturbedError(Exception):
    """The machine got in the way: what is left is to be tried again, in a fresh child and alone."""


class Session:
    """The state of one run: what is known of each cell and request, and the child of the moment."""

    def __init__(
        self,
        cells: Sequence[Cell],
        requests: Sequence[Request],
        limits: Limits,
        further: Further | None = None,
        files: Mapping[str, bytes] | None = None,
    ) -> None:
        self._cells, self._limits, self._files = cells, limits, files
        self._requests, self._given = [*requests], len(requests)  # further ones come after those given
        self._further, self._held = further, False
        self._known_cells: list[CellOutcome | None] = [None] * len(cells)
        self._outcomes: list[Outcome | None] = [None] * len(requests)
        self._offenders: set[int] = set()
        self._losses: dict[str, list[ChildEnd]] = {}
        self._restarts = 0
        self._late = False  # whether a hidden input may have been sent
        self._place: tuple[str, int] = ("start", 0)  # what the child of the moment is busy with
        self._faults: Counter[tuple[str, int]] = Counter()
        self._left = WORN_OUT
        self._stdout: list[str] = []
        self._room = limits.output_kb << 10
        self._started = time.monotonic()
        self._account = Account()
        self._before = replace(self._account)  # what was used when the child of the moment began

    def run(self, parent: WarmParent) -> None:
        """Every cell, then every request; an outcome for each, whatever the student's code does.

        Raises DisturbedError where the machine got in the way: then it is to be called again.
        """
        try:
            for limits, positions in self._groups():
                late = bool(positions) and all(rank(self._requests[n]) == LATE for n in positions)
                if late and self._wait_for_further():
                    return
                while any(self._outcomes[n] is None for n in positions) or None in self._known_cells:
                    if not self._child(parent, limits, positions):
                        return
            self._held = self._was_asked_further and self._falls_short()
        except ProtocolError:
            self._outcomes = [outcome_of(BROKEN) for _ in self._requests]  # nothing that it said counts
        except (MachineError, ParentGoneError) as error:
            self._disturb(error)
            raise DisturbedError from error

    def _groups(self) -> list[tuple[Limits, list[int]]]:
        """Requests that can share a child. Texts first: no function shall write its inputs into one.

        Late calls last, of all groups: what they were handed shall not come out through another answer.
        """
        groups: dict[tuple[bool, Limits], list[int]] = {(False, self._limits): []}
        order = sorted(range(len(self._requests)), key=lambda n: rank(self._requests[n]))
        for position in order:
            request = self._requests[position]
            limits = request.limits or self._limits
            groups.setdefault((rank(request) == LATE, limits), []).append(position)
        early = [limits for late, limits in groups if not late]
        if early == [self._limits]:  # one child does for both, and is sent the late ones when it has answered
            groups[False, self._limits] += groups.pop((True, self._limits), [])
        return [(limits, positions) for (_, limits), positions in groups.items()]

    def _child(self, parent: WarmParent, limits: Limits, positions: list[int]) -> bool:
        """Run what is left in a new child. False when there is to be no other."""
        self._place, self._before = ("start", 0), replace(self._account)
        child = Child(parent, limits, self._whole(limits), self._account, self._files)
        try:
            self._run_cells(child)
            # Late calls are not even sent before all others are answered.
            late = [n for n in positions if rank(self._requests[n]) == LATE]
            self._ask(child, [n for n in positions if n not in late], limits)
            if self._restarts or limits != self._limits:
                if late and self._wait_for_further():
                    child.check_silence()
                    return False
            else:
                self._ask_further(child)
            self._late = self._late or bool(late)
            self._ask(child, late, limits)
        except LostError as lost:
            if self._was_asked_further:
                self._held = True
                return False
            self._restarts += 1
            self._left = lost.end if self._spent() else WORN_OUT
        except wire.FrameError as error:
            raise ProtocolError from error
        else:
            child.check_silence()
            return True
        finally:
            child.dismiss(last=None not in self._outcomes)
        return self._restarts <= MAX_RESTARTS and not self._spent()

    def _whole(self, limits: Limits) -> Limits:
        """What the submission may use in all: a call that is given more than the others has it."""
        return replace(
            self._limits,
            cpu_seconds=max(self._limits.cpu_seconds, limits.cpu_seconds),
            wall_seconds=max(self._limits.wall_seconds, limits.wall_seconds),
        )

    def _ask_further(self, child: Child) -> None:
        """Ask this child what the answers so far lead to, and what those to that lead to."""
        while asked := self._next_further():
            first = len(self._requests)
            self._requests += asked
            self._outcomes += [None] * len(asked)
            self._ask(child, range(first, first + len(asked)), self._limits)

    def _next_further(self) -> Sequence[Request]:
        """What is to be asked next, once all but the late calls are answered."""
        early = {r: o for r, o in zip(self._requests, self._outcomes, strict=True) if rank(r) != LATE}
        known = {r: o for r, o in early.items() if o is not None}
        return self._further(known) if self._further and len(known) == len(early) else ()

    def _wait_for_further(self) -> bool:
        """Whether the late calls are left to another run: more is to be asked before, and of another child
        than that of the moment, which has one before it or limits of its own."""
        self._held = self._held or bool(self._next_further())
        return self._held

    @property
    def _was_asked_further(self) -> bool:
        return len(self._requests) > self._given

    def _falls_short(self) -> bool:
        """Whether a late call met a limit, which it perhaps would not have without the further questions."""
        return any(
            rank(r) == LATE and o is not None and o.limit
            for r, o in zip(self._requests, self._outcomes, strict=True)
        )

    def _spent(self) -> bool:
        """Whether the submission as a whole has had its time."""
        used, limits = self._account, self._limits
        return used.cpu >= limits.cpu_seconds or used.cpu + used.slept >= limits.wall_seconds

    def _disturb(self, error: Exception) -> None:
        """Note where the machine got in the way; a place where it always does is given up.

        What the lost child had used, its next one uses again: it is counted once.
        """
        self._account = self._before
        self._faults[self._place] += 1
        if self._faults[self._place] < MAX_FAULTS:
            return
        why = str(error) if isinstance(error, MachineError) else "the process that runs notebooks was ended"
        end = ChildEnd(
            "machine", f"the machine did not let it run, {MAX_FAULTS} times over: {why}", "machine"
        )
        kind, number = self._place
        if kind == "request":
            self._outcomes[number] = outcome_of(end)
            return
        # Without this cell nothing that comes after it is what it should be.
        self._outcomes = [outcome or outcome_of(end) for outcome in self._outcomes]
        self._known_cells = [
            known or cell_of(cell, end) for cell, known in zip(self._cells, self._known_cells, strict=True)
        ]

    def _run_cells(self, child: Child) -> None:
        left = []
        for number, cell in enumerate(self._cells):
            if len(cell.source) > MAX_SOURCE:
                self._known_cells[number] = cell_of(cell, TOO_LONG)
            elif number not in self._offenders:
                left.append(number)
        replies = child.ask([self._cell_order(number) for number in left])
        for number in left:
            cell, self._place = self._cells[number], ("cell", number)
            try:
                header, _ = next(replies)
            except LostError as lost:
                self._offenders.add(number)
                unsaid = self._late and lost.end.status == "crashed"
                self._known_cells[number] = cell_of(
                    cell, replace(lost.end, error=ENDED) if unsaid else lost.end
                )
                raise
            known = child_answers.read_cell(header, cell.cell_id, cell.part)
            printed = child_answers.text_of(header, "stdout", max(0, self._room) + 100)
            if self._known_cells[number] is None:
                self._known_cells[number] = known
                self._stdout.append(printed)
                self._room -= len(printed)

    def _cell_order(self, number: int) -> ChildRequest:
        source, room = self._cells[number].source, max(0, self._room)
        header = {"op": "cell", "number": number + 1, "source": source, "room": room}
        return ChildRequest(header, b"", self._limits.cell_seconds, max_payload=0)

    def _ask(self, child: Child, positions: Sequence[int], limits: Limits) -> None:
        """Every request that has no outcome yet and whose part has not lost too many children."""
        left = []
        for position in positions:
            losses = self._losses.setdefault(self._requests[position].part, [])
            if self._outcomes[position] is None and len(losses) >= MAX_LOSSES:
                why = f"not tried, after {losses[-1].error}"
                self._outcomes[position] = Outcome(losses[-1].status, error=why, limit="losses")
            elif self._outcomes[position] is None:
                left.append(position)
        # What fits is sent together; a talk goes to and fro by itself.
        for talks, group in groupby(left, lambda n: isinstance(self._requests[n], Talk)):
            for position, outcome in (self._talks if talks else self._answers)(child, [*group], limits):
                self._outcomes[position] = outcome

    def _answers(
        self, child: Child, positions: Sequence[int], limits: Limits
    ) -> Iterator[tuple[int, Outcome]]:
        requests = [self._requests[position] for position in positions]
        orders = [
            ChildRequest(*describe(r), limits.call_seconds) for r in requests if not isinstance(r, Talk)
        ]
        replies = child.ask(orders)
        for position, request in zip(positions, requests, strict=True):
            with self._at(position):
                header, answer = next(replies)
            assert not isinstance(request, Talk)
            yield position, _checked(header, answer, request)

    def _talks(self, child: Child, positions: Sequence[int], limits: Limits) -> Iterator[tuple[int, Outcome]]:
        for position in positions:
            talk = self._requests[position]
            assert isinstance(talk, Talk)
            with self._at(position):
                lead(talk, child, limits)
            yield position, Outcome("ok")

    @contextmanager
    def _at(self, position: int) -> Iterator[None]:
        """Busy with a request: whoever loses the child here is the one who did it."""
        self._place = ("request", position)
        try:
            yield
        except LostError as lost:
            self._losses[self._requests[position].part].append(lost.end)
            self._outcomes[position] = outcome_of(lost.end)
            raise

    def _further_answers(self) -> dict[Request, Outcome]:
        pairs = zip(self._requests[self._given :], self._outcomes[self._given :], strict=True)
        return {request: outcome for request, outcome in pairs if outcome is not None}

    def result(self) -> RunResult:
        cells = (
            known or cell_of(cell, ChildEnd("skipped", self._left.error, self._left.limit))
            for cell, known in zip(self._cells, self._known_cells, strict=True)
        )
        return RunResult(
            outcomes=tuple(outcome or outcome_of(self._left) for outcome in self._outcomes[: self._given]),
            cells=tuple(cells),
            stdout="".join(self._stdout),
            seconds=time.monotonic() - self._started,
            restarts=self._restarts,
            held=self._held,
            further={} if self._held else self._further_answers(),
        )


def _checked(header: dict[str, object], answer: bytes, request: FunctionCall | ReadText | Script) -> Outcome:
    outcome = child_answers.read_outcome(header, answer)
    child_answers.check_fits(outcome, request)
    return outcome


def lead(talk: Talk, child: Child, limits: Limits) -> None:
    """Let a talk take its steps. What ends the child ends the talk, even where its leader goes on."""
    options: dict[str, object] = {"fresh": True, "seed": talk.seed, "dtype": "float32", "noted": 0}
    failed: list[Exception] = []

    def ask(*steps: Step) -> Outcome:
        if failed:
            raise failed[0]
        order = ChildRequest(*describe_steps(steps, options), limits.call_seconds)
        options["fresh"] = False
        try:
            ((header, answer),) = child.ask([order])
            return _checked(header, answer, Script(talk.part, steps))
        except (LostError, MachineError, ParentGoneError, wire.FrameError) as error:
            failed.append(error)
            raise

    ask()  # a bench of its own
    talk.lead(ask)
    if failed:
        raise failed[0]
