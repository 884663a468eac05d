"""One submission from its first cell to its last answer: children that hang or die are replaced, within bounds."""

from __future__ import annotations

import dataclasses
import secrets
import signal
import time
from collections.abc import Callable, Sequence
from typing import Any

from autograder.sandbox import answers, wire
from autograder.sandbox.records import (
    Call,
    Cell,
    CellOutcome,
    DtypeArg,
    FunctionArg,
    Limits,
    Outcome,
    Read,
    Request,
    RunResult,
    SandboxError,
)
from autograder.sandbox.worker import Exit, ParentGoneError, WarmParent

MAX_RESTARTS = 8
MAX_LOSSES = 2  # of one part; its later calls are not tried, so that other parts get their chance
MAX_SOURCE = 1 << 20


class ProtocolError(Exception):
    """The child wrote what nobody asked for. Nothing it says is believed any more."""


class LostError(Exception):
    """The child is gone; `end` says why, as the fields of an outcome."""

    def __init__(self, end: dict[str, str]) -> None:
        self.end = end
        super().__init__(end["error"])


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
        self._losses: dict[str, int] = {}
        self._restarts = 0
        self._stdout: list[str] = []
        self._room = limits.output_kb << 10
        self._started = time.monotonic()
        self._deadline = self._started + limits.wall_seconds
        self._exchange = 0

    def run(self) -> None:
        for limits, positions in self._groups():
            while any(self._outcomes[n] is None for n in positions) or None in self._known_cells:
                if not self._child(limits, positions):
                    return

    def _groups(self) -> list[tuple[Limits, list[int]]]:
        """Requests that can share a child, texts first: a function must not write into a text what it was given."""
        groups: dict[Limits, list[int]] = {self._limits: []}
        order = sorted(range(len(self._requests)), key=lambda n: isinstance(self._requests[n], Call))
        for position in order:
            request = self._requests[position]
            own = request.limits if isinstance(request, Call) else None
            groups.setdefault(own or self._limits, []).append(position)
        return list(groups.items())

    def _child(self, limits: Limits, positions: list[int]) -> bool:
        """Run what is left in a new child. False when there is to be no other."""
        child = Child(self._parent, limits)
        try:
            self._run_cells(child)
            for position in positions:
                if self._outcomes[position] is None:
                    self._outcomes[position] = self._answer(child, position, limits)
        except LostError:
            self._restarts += 1
        except wire.FrameError as error:
            raise ProtocolError from error
        else:
            child.check_silence()
            return True
        finally:
            child.end()
        return self._restarts <= MAX_RESTARTS and time.monotonic() < self._deadline

    def _run_cells(self, child: Child) -> None:
        for number, cell in enumerate(self._cells):
            if number in self._offenders:
                continue
            if len(cell.source) > MAX_SOURCE:
                self._known_cells[number] = CellOutcome(
                    cell.cell_id, cell.part, "skipped", f"the cell is longer than {MAX_SOURCE} characters"
                )
                continue
            request = {"op": "cell", "number": number + 1, "source": cell.source, "room": max(0, self._room)}
            try:
                header, _ = child.ask(request, b"", self._until(self._limits.cell_seconds), max_payload=0)
            except LostError as lost:
                self._offenders.add(number)
                self._known_cells[number] = CellOutcome(cell.cell_id, cell.part, **lost.end)
                raise
            known = answers.read_cell(header, cell.cell_id, cell.part)
            printed = answers.text_of(header, "stdout", max(0, self._room) + 100)
            if self._known_cells[number] is None:
                self._known_cells[number] = known
                self._stdout.append(printed)
                self._room -= len(printed)

    def _answer(self, child: Child, position: int, limits: Limits) -> Outcome:
        request = self._requests[position]
        if self._losses.get(request.part, 0) >= MAX_LOSSES:
            return Outcome("timed_out", error="not tried: earlier calls of this part ended the process", limit="restarts")
        order, payload = describe(request)
        try:
            header, answer = child.ask(order, payload, self._until(limits.call_seconds))
        except LostError as lost:
            self._losses[request.part] = self._losses.get(request.part, 0) + 1
            self._outcomes[position] = Outcome(**lost.end)
            raise
        return answers.read_outcome(header, answer)

    def _until(self, seconds: float) -> float:
        return min(self._deadline, time.monotonic() + seconds)

    def void(self) -> None:
        """Nothing that a child said counts once it has broken the protocol."""
        end = {"status": "killed", "error": "the notebook wrote to the grader's own channel", "limit": "protocol"}
        self._outcomes = [Outcome(**end) for _ in self._requests]

    def result(self) -> RunResult:
        if time.monotonic() >= self._deadline:
            seconds = f"{self._limits.wall_seconds:g} s"
            left = Outcome("timed_out", error=f"the notebook as a whole ran longer than {seconds}", limit="wall")
        else:
            left = Outcome("killed", error="the notebook ended its process too many times", limit="restarts")
        cells = (
            known or CellOutcome(cell.cell_id, cell.part, "skipped", left.error, limit=left.limit)
            for cell, known in zip(self._cells, self._known_cells, strict=True)
        )
        return RunResult(
            outcomes=tuple(outcome or left for outcome in self._outcomes),
            cells=tuple(cells),
            stdout="".join(self._stdout),
            seconds=time.monotonic() - self._started,
            restarts=self._restarts,
        )


class Child:
    """One forked child and the exchanges with it."""

    def __init__(self, parent: WarmParent, limits: Limits) -> None:
        self._parent, self._limits = parent, limits
        self._channel = parent.fork(limits)
        self._exchange = 0
        self._exit: Exit | None = None

    def ask(
        self, order: dict[str, Any], payload: bytes, deadline: float, max_payload: int = wire.MAX_PAYLOAD
    ) -> tuple[dict[str, Any], bytes]:
        """One request and its answer. The nonce cannot be known before the request is read."""
        self._exchange += 1
        label = {"id": self._exchange, "nonce": secrets.token_hex(8)}
        try:
            self._channel.expect_silence()
            self._channel.send(wire.encode({**label, **order}, payload), deadline)
            header, answer = self._channel.receive(deadline, answers.MAX_HEADER, max_payload)
        except wire.DeadlineError:
            raise LostError(self._overdue()) from None
        except wire.ClosedError:
            raise LostError(self._death()) from None
        if {key: header.get(key) for key in label} != label:
            raise wire.FrameError("the answer belongs to another request")
        return header, answer

    def check_silence(self) -> None:
        try:
            self._channel.expect_silence()
        except wire.FrameError as error:
            raise ProtocolError from error

    def end(self) -> Exit:
        """Kill the child if it lives; how it ended. Can be called twice."""
        if self._exit is None:
            self._channel.close()
            self._exit = self._parent.kill_child()
        return self._exit

    def _overdue(self) -> dict[str, str]:
        self.end()
        return {"status": "timed_out", "error": "it ran longer than it may", "limit": "wall"}

    def _death(self) -> dict[str, str]:
        exit = self.end()
        if exit.code == -signal.SIGXCPU or exit.cpu >= max(1, round(self._limits.cpu_seconds)):
            seconds = f"{self._limits.cpu_seconds:g} s"
            return {"status": "timed_out", "error": f"it used more than {seconds} of processor time", "limit": "cpu"}
        if exit.code == -signal.SIGKILL:
            return {"status": "killed", "error": "the system ended it, most likely for its memory", "limit": "memory"}
        if exit.code < 0:
            return {"status": "crashed", "error": f"the process died of {signal.Signals(-exit.code).name}"}
        return {"status": "crashed", "error": f"the process left by itself with exit code {exit.code}"}


def describe(request: Request) -> tuple[dict[str, Any], bytes]:
    """A request as the header and payload of a message."""
    match request:
        case Read(name=name):
            return {"op": "read", "name": name}, b""
        case Call():
            return describe_call(request)


def describe_call(call: Call) -> tuple[dict[str, Any], bytes]:
    from torch import Tensor

    from autograder.sandbox import tensors

    sent: list[Tensor] = []

    def add(tensor: Tensor) -> int:
        sent.append(tensor.detach())
        return len(sent) - 1

    args = [describe_argument(argument, add, tensors.strides) for argument in call.args]
    cotangents = [add(tensor) for tensor in call.cotangents]
    pairs, payload = tensors.pack(sent)
    header = {
        "op": "call",
        "function": call.function,
        "args": args,
        "grad": list(call.grad),
        "cotangents": cotangents,
        "tensors": len(sent),
        "pairs": pairs,
    }
    return header, payload


def describe_argument(
    argument: Any, add: Callable[[Any], int], strides: Callable[[Any], list[int] | None]
) -> dict[str, Any]:
    """One argument; a tensor is added to the payload and named by its number there."""
    match argument:
        case DtypeArg(name=name):
            return {"dtype": name}
        case FunctionArg(name=name, tensors=parts):
            return {"function": name, "tensors": {key: add(tensor) for key, tensor in parts.items()}}
        case None | bool() | int() | float() | str():
            return {"value": argument}
    if hasattr(argument, "stride"):
        return {"tensor": add(argument), "strides": strides(argument)}
    raise SandboxError(f"an argument of type {type(argument).__name__} cannot be sent to a student's function")
