"""The judge's end of one child: numbered exchanges with a deadline, and why there is no answer."""

from __future__ import annotations

import secrets
import signal
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from autograder.sandbox import answers, wire
from autograder.sandbox.records import Limits, SandboxError
from autograder.sandbox.worker import Exit, WarmParent


@dataclass(frozen=True)
class End:
    """Why a child is gone, in the words of an outcome."""

    status: str
    error: str
    limit: str = ""


class ProtocolError(Exception):
    """The child wrote what nobody asked for. Nothing it says is believed any more."""


class LostError(Exception):
    """The child is gone; `end` says why."""

    def __init__(self, end: End) -> None:
        self.end = end
        super().__init__(end.error)


@dataclass(frozen=True)
class Order:
    """One request: its message, how long its answer may take, and how large it may be."""

    header: dict[str, Any]
    payload: bytes
    seconds: float
    max_payload: int = wire.MAX_PAYLOAD


@dataclass(frozen=True)
class _Labelled:
    label: dict[str, Any]
    message: bytes
    order: Order


class Child:
    """One forked child and the exchanges with it."""

    def __init__(self, parent: WarmParent, limits: Limits, last: float) -> None:
        """`last` is the moment when the submission as a whole must be done."""
        self._parent, self._limits, self._last = parent, limits, last
        self._channel = parent.fork(limits)
        self._asked = 0
        self._exit: Exit | None = None

    def ask(self, orders: Iterable[Order]) -> Iterator[tuple[dict[str, Any], bytes]]:
        """The answers to several requests, in their order. What fits into the pipe is sent together, so that
        neither side waits for the other to wake up."""
        labelled = [self._labelled(order) for order in orders]
        while labelled:
            burst = [labelled.pop(0)]
            room = self._channel.room - len(burst[0].message)
            while labelled and (room := room - len(labelled[0].message)) >= 0:
                burst.append(labelled.pop(0))
            yield from self._exchange(burst)

    def _labelled(self, order: Order) -> _Labelled:
        """The nonce cannot be known before the request is read."""
        self._asked += 1
        label = {"id": self._asked, "nonce": secrets.token_hex(8)}
        return _Labelled(label, encoded({**label, **order.header}, order.payload), order)

    def _exchange(self, burst: Sequence[_Labelled]) -> Iterator[tuple[dict[str, Any], bytes]]:
        message: bytes | None = b"".join(each.message for each in burst)
        for each in burst:
            order = each.order
            deadline = min(self._last, time.monotonic() + order.seconds)
            try:
                if message is not None:
                    self._channel.expect_silence()
                    self._channel.send(message, deadline)
                    message = None
                header, answer = self._channel.receive(deadline, answers.MAX_HEADER, order.max_payload)
            except wire.DeadlineError:
                raise LostError(self._overdue(order.seconds)) from None
            except wire.ClosedError:
                raise LostError(self._death()) from None
            if {key: header.get(key) for key in each.label} != each.label:
                raise wire.FrameError("the answer belongs to another request")
            yield header, answer

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

    def dismiss(self) -> None:
        """The child is done: end it, and do not wait for how."""
        if self._exit is None:
            self._channel.close()
            self._parent.dismiss_child()

    def _overdue(self, seconds: float) -> End:
        self.end()
        if time.monotonic() >= self._last:
            return out_of_time(self._limits)
        return End("timed_out", f"it ran longer than {seconds:g} s", "wall")

    def _death(self) -> End:
        # A kill from here would hide how the child ends by itself.
        self._exit = self._parent.await_child()
        if self._exit is None:
            self.end()
            return End("crashed", "it closed the grader's channel")
        self._channel.close()
        exit = self._exit
        if exit.crowded:
            return End("killed", "it made thousands of files", "file")
        if exit.code == -signal.SIGXCPU or exit.cpu >= max(1, round(self._limits.cpu_seconds)):
            seconds = f"{self._limits.cpu_seconds:g} s"
            return End("timed_out", f"it used more than {seconds} of processor time", "cpu")
        if exit.code == -signal.SIGKILL:
            return End("killed", "the system ended it, most likely for its memory", "memory")
        if exit.code < 0:
            return End("crashed", f"the process died of {signal_name(-exit.code)}")
        return End("crashed", f"the process left by itself with exit code {exit.code}")


def out_of_time(limits: Limits) -> End:
    return End("timed_out", f"the notebook as a whole ran longer than {limits.wall_seconds:g} s", "wall")


def encoded(header: dict[str, Any], payload: bytes) -> bytes:
    """A message to a child; one that is too long is the author's doing, not the student's."""
    try:
        return wire.encode(header, payload)
    except wire.FrameError as error:
        raise SandboxError(f"a case is too large for the sandbox: {error}") from error


def signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"  # a real-time one has no name
