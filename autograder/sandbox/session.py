"""One submission from first cell to last answer: children that hang or die are replaced, within bounds."""

from __future__ import annotations

import time
from collections.abc import Sequence

from autograder.sandbox import answers, wire
from autograder.sandbox.child import Child, End, LostError, Order, ProtocolError, out_of_time
from autograder.sandbox.records import Call, Cell, CellOutcome, Limits, Outcome, Request, RunResult
from autograder.sandbox.requests import describe
from autograder.sandbox.worker import WarmParent

MAX_RESTARTS = 8
MAX_LOSSES = 2  # of one part; its later calls are not tried, so that other parts get their chance
MAX_SOURCE = 1 << 20
LATE = 2

WORN_OUT = End("killed", "the notebook ended its process too many times", "restarts")
BROKEN = End("killed", "the notebook wrote to the grader's own channel", "protocol")
TOO_LONG = End("skipped", f"the cell is longer than {MAX_SOURCE} characters")


def rank(request: Request) -> int:
    """Where in the order of questions a request belongs."""
    return (LATE if request.late else 1) if isinstance(request, Call) else 0


def outcome_of(end: End) -> Outcome:
    return Outcome(end.status, error=end.error, limit=end.limit)


def cell_of(cell: Cell, end: End) -> CellOutcome:
    return CellOutcome(cell.cell_id, cell.part, end.status, end.error, limit=end.limit)


def run(parent: WarmParent, cells: Sequence[Cell], requests: Sequence[Request], limits: Limits) -> RunResult:
    """Every cell, then every request; an outcome for each, whatever the student's code does."""
    session = Session(parent, cells, requests, limits)
    try:
        session.run()
    except ProtocolError:
        session.void()
    return session.result()


class Session:
    """The state of one run: what is known of each cell and request, and the child of the moment."""

    def __init__(
        self, parent: WarmParent, cells: Sequence[Cell], requests: Sequence[Request], limits: Limits
    ) -> None:
        self._parent, self._cells, self._requests, self._limits = parent, cells, requests, limits
        self._known_cells: list[CellOutcome | None] = [None] * len(cells)
        self._outcomes: list[Outcome | None] = [None] * len(requests)
        self._offenders: set[int] = set()
        self._losses: dict[str, list[End]] = {}
        self._restarts = 0
        self._stdout: list[str] = []
        self._room = limits.output_kb << 10
        self._started = time.monotonic()
        self._deadline = self._started + limits.wall_seconds

    def run(self) -> None:
        for limits, positions in self._groups():
            while any(self._outcomes[n] is None for n in positions) or None in self._known_cells:
                if not self._child(limits, positions):
                    return

    def _groups(self) -> list[tuple[Limits, list[int]]]:
        """Requests that can share a child. Texts first: no function shall write its inputs into one.

        Late calls last: what they were handed shall not come out through the answer to another.
        """
        groups: dict[Limits, list[int]] = {self._limits: []}
        order = sorted(range(len(self._requests)), key=lambda n: rank(self._requests[n]))
        for position in order:
            request = self._requests[position]
            own = request.limits if isinstance(request, Call) else None
            groups.setdefault(own or self._limits, []).append(position)
        return list(groups.items())

    def _child(self, limits: Limits, positions: list[int]) -> bool:
        """Run what is left in a new child. False when there is to be no other."""
        child = Child(self._parent, limits, self._deadline)
        try:
            self._run_cells(child)
            # Late calls are not even sent before all others are answered.
            for late in (False, True):
                self._ask(child, [n for n in positions if (rank(self._requests[n]) == LATE) == late], limits)
        except LostError:
            self._restarts += 1
        except wire.FrameError as error:
            raise ProtocolError from error
        else:
            child.check_silence()
            return True
        finally:
            child.dismiss()
        return self._restarts <= MAX_RESTARTS and time.monotonic() < self._deadline

    def _run_cells(self, child: Child) -> None:
        left = []
        for number, cell in enumerate(self._cells):
            if len(cell.source) > MAX_SOURCE:
                self._known_cells[number] = cell_of(cell, TOO_LONG)
            elif number not in self._offenders:
                left.append(number)
        replies = child.ask([self._cell_order(number) for number in left])
        for number in left:
            cell = self._cells[number]
            try:
                header, _ = next(replies)
            except LostError as lost:
                self._offenders.add(number)
                self._known_cells[number] = cell_of(cell, lost.end)
                raise
            known = answers.read_cell(header, cell.cell_id, cell.part)
            printed = answers.text_of(header, "stdout", max(0, self._room) + 100)
            if self._known_cells[number] is None:
                self._known_cells[number] = known
                self._stdout.append(printed)
                self._room -= len(printed)

    def _cell_order(self, number: int) -> Order:
        source, room = self._cells[number].source, max(0, self._room)
        header = {"op": "cell", "number": number + 1, "source": source, "room": room}
        return Order(header, b"", self._limits.cell_seconds, max_payload=0)

    def _ask(self, child: Child, positions: Sequence[int], limits: Limits) -> None:
        """Every request that has no outcome yet and whose part has not lost too many children."""
        left = []
        for position in positions:
            losses = self._losses.setdefault(self._requests[position].part, [])
            if self._outcomes[position] is None and len(losses) >= MAX_LOSSES:
                why = f"not tried, since an earlier call of this part ended the process: {losses[-1].error}"
                self._outcomes[position] = Outcome(losses[-1].status, error=why, limit=losses[-1].limit)
            elif self._outcomes[position] is None:
                left.append(position)
        replies = child.ask(Order(*describe(self._requests[n]), limits.call_seconds) for n in left)
        for position in left:
            request = self._requests[position]
            try:
                header, answer = next(replies)
            except LostError as lost:
                self._losses[request.part].append(lost.end)
                self._outcomes[position] = outcome_of(lost.end)
                raise
            outcome = answers.read_outcome(header, answer)
            answers.check_fits(outcome, request)
            self._outcomes[position] = outcome

    def void(self) -> None:
        """Nothing that a child said counts once it has broken the protocol."""
        self._outcomes = [outcome_of(BROKEN) for _ in self._requests]

    def result(self) -> RunResult:
        left = out_of_time(self._limits) if time.monotonic() >= self._deadline else WORN_OUT
        cells = (
            known or cell_of(cell, End("skipped", left.error, left.limit))
            for cell, known in zip(self._cells, self._known_cells, strict=True)
        )
        return RunResult(
            outcomes=tuple(outcome or outcome_of(left) for outcome in self._outcomes),
            cells=tuple(cells),
            stdout="".join(self._stdout),
            seconds=time.monotonic() - self._started,
            restarts=self._restarts,
        )
