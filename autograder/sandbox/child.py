"""The judge's end of one child: numbered exchanges, and why there is no answer to one."""

from __future__ import annotations

import secrets
import signal
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from autograder.calls.requests_and_outcomes import Limits, SandboxError
from autograder.sandbox import child_answers, wire
from autograder.sandbox.answer_time import Account, AnswerWatch, OverdueError, StandstillError
from autograder.sandbox.warm_parent import FROM_OUTSIDE, Exit, NoRoomError, WarmParent

# Whoever is refused memory and does not look dies of one of these.
OF_MEMORY = frozenset((signal.SIGABRT, signal.SIGBUS, signal.SIGSEGV))
SHORT = "the machine has less memory to give than a notebook is allowed (memory_mb)"


@dataclass(frozen=True)
class ChildEnd:
    """Why a child is gone, in the words of an outcome."""

    status: str
    error: str
    limit: str = ""


class ProtocolError(Exception):
    """The child wrote what nobody asked for. Nothing it says is believed any more."""


class LostError(Exception):
    """The child is gone; `end` says why."""

    def __init__(self, end: ChildEnd) -> None:
        self.end = end
        super().__init__(end.error)


class MachineError(Exception):
    """The machine kept the child from answering, and the notebook perhaps had no part in it."""


@dataclass(frozen=True)
class ChildRequest:
    """One request: its message, the processor time that its answer may take, and how large it may be."""

    header: dict[str, object]
    payload: bytes
    seconds: float
    max_payload: int = wire.MAX_PAYLOAD


@dataclass(frozen=True)
class _Labelled:
    label: dict[str, object]
    message: bytes
    order: ChildRequest


class Child:
    """One forked child and the exchanges with it."""

    def __init__(
        self,
        parent: WarmParent,
        limits: Limits,
        whole: Limits,
        account: Account,
        files: Mapping[str, bytes] | None = None,
    ) -> None:
        """`limits` are this child's, `whole` those of the submission, of which `account` is used already."""
        self._parent, self._limits, self._whole, self._account = parent, limits, whole, account
        try:
            self._channel = parent.fork(limits, files)
        except NoRoomError as error:
            raise MachineError(f"no process could be started for it ({error})") from error
        self._asked = 0
        self._exit: Exit | None = None

    def ask(self, orders: Iterable[ChildRequest]) -> Iterator[tuple[dict[str, object], bytes]]:
        """The answers to several requests, in their order. What fits into the pipe is sent together, so that
        neither side waits for the other to wake up."""
        labelled = [self._labelled(order) for order in orders]
        while labelled:
            burst = [labelled.pop(0)]
            room = self._channel.room - len(burst[0].message)
            while labelled and (room := room - len(labelled[0].message)) >= 0:
                burst.append(labelled.pop(0))
            yield from self._exchange(burst)

    def _labelled(self, order: ChildRequest) -> _Labelled:
        """The nonce cannot be known before the request is read."""
        self._asked += 1
        label = {"id": self._asked, "nonce": secrets.token_hex(8)}
        return _Labelled(label, encoded({**label, **order.header}, order.payload), order)

    def _exchange(self, burst: Sequence[_Labelled]) -> Iterator[tuple[dict[str, object], bytes]]:
        message: bytes | None = b"".join(each.message for each in burst)
        for each in burst:
            order = each.order
            watch = AnswerWatch(self._parent.usage, order.seconds, self._whole, self._account)
            try:
                if message is not None:
                    self._channel.expect_silence()
                    self._channel.send(message, watch)
                    message = None
                header, answer = self._receive(watch, order)
            except wire.ClosedError:
                raise LostError(self._death(watch)) from None
            except (OverdueError, StandstillError) as error:
                raise self._stop(error) from None
            if {key: header.get(key) for key in each.label} != each.label:
                raise wire.FrameError("the answer belongs to another request")
            if header.get("limit") == "memory" and self._parent.is_short_of_memory():
                raise MachineError(SHORT)
            yield header, answer

    def _receive(self, watch: AnswerWatch, order: ChildRequest) -> tuple[dict[str, object], bytes]:
        """The next answer. One that is there when time is up was given before: whoever looked was late."""
        try:
            return self._channel.receive(watch, child_answers.MAX_HEADER, order.max_payload)
        except (OverdueError, StandstillError):
            if (arrived := self._channel.arrived(child_answers.MAX_HEADER, order.max_payload)) is None:
                raise
            return arrived

    def check_silence(self) -> None:
        """Refuse a child that said more than it was asked for.

        What it wrote comes before its answer to a last question, however busy the machine is. A child that is
        gone by then has given its answers.
        """
        try:
            with suppress(LostError, MachineError):
                for _ in self.ask(
                    [ChildRequest({"op": "end"}, b"", self._limits.call_seconds, max_payload=0)]
                ):
                    self._channel.expect_silence()
        except wire.FrameError as error:
            raise ProtocolError from error

    def end(self) -> Exit:
        """Kill the child if it lives; how it ended. Can be called twice."""
        if self._exit is None:
            self._channel.close()
            self._exit = self._parent.kill_child()
            self._account.cpu += self._exit.cpu
        return self._exit

    def dismiss(self, last: bool = True) -> None:
        """The child is done: end it. Only if another one follows is it of interest how."""
        if not last:
            self.end()
        elif self._exit is None:
            self._channel.close()
            self._parent.dismiss_child()

    def _stop(self, error: OverdueError | StandstillError) -> Exception:
        """End a child that takes too long; what to raise."""
        self.end()
        if isinstance(error, OverdueError):
            return LostError(overdue(error))
        return MachineError("its process stood still for minutes")

    def _death(self, watch: AnswerWatch) -> ChildEnd:
        """Why a pipe is closed. A kill from here would hide how the child ends by itself: it has its time."""
        try:
            while (exit := self._parent.await_child(watch())) is None:
                pass
        except (OverdueError, StandstillError) as error:
            raise self._stop(error) from None
        self._exit = exit
        self._channel.close()
        self._account.cpu += exit.cpu
        if exit.crowded:
            return ChildEnd("killed", "it made thousands of files", "file")
        if exit.code == -signal.SIGXCPU or exit.cpu >= max(1, round(self._limits.cpu_seconds)):
            return overdue(OverdueError("cpu", self._limits.cpu_seconds, whole=True))
        if -exit.code in FROM_OUTSIDE:
            name = signal_name(-exit.code)
            raise MachineError(f"its process was ended from outside ({name}), perhaps for lack of memory")
        if -exit.code in OF_MEMORY and self._parent.is_short_of_memory():
            raise MachineError(SHORT)
        if exit.code < 0:
            return ChildEnd("crashed", f"the process died of {signal_name(-exit.code)}")
        return ChildEnd("crashed", f"the process left by itself with exit code {exit.code}")


def overdue(error: OverdueError) -> ChildEnd:
    """A limit that was passed, in words; the seconds are of the processor, or were slept away."""
    who, seconds = "the notebook as a whole" if error.whole else "it", f"{error.seconds:g} s"
    if error.limit == "cpu":
        return ChildEnd("timed_out", f"{who} took more than {seconds} of processor time", "cpu")
    if error.whole:
        return ChildEnd("timed_out", f"{who} took longer than {seconds}, most of it waiting", "wall")
    return ChildEnd("timed_out", f"{who} waited for longer than {seconds} without doing anything", "wall")


def encoded(header: dict[str, object], payload: bytes) -> bytes:
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
