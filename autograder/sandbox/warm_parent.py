"""The judge's handle on one warm parent: starts it, asks it for a child, and learns how the child ended."""

from __future__ import annotations

import base64
import contextlib
import errno
import json
import os
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from autograder.calls.requests_and_outcomes import Limits, SandboxError
from autograder.sandbox.answer_time import Usage
from autograder.sandbox.parent_messages import ParentReport
from autograder.sandbox.tiers import Tier, environment
from autograder.sandbox.wire import Channel, ClosedError, DeadlineError, FrameError, until

# What takes longer than these is not a matter of load: the parent is stopped or gone, and replaced.
START_SECONDS = 900
ANSWER_SECONDS = 120
END_SECONDS = 20
MACHINE = (errno.EAGAIN, errno.ENOMEM)  # what a machine without room says to a fork
UID_BASE = 0x70000000  # far above real users; a process id on top makes it this parent's own
# Then a new parent, so that nothing it may leak adds up; its three seconds of imports must not add up either.
MAX_FORKS = 4_000
TAIL = 2_000
# A child cannot send these to itself: they come from whoever runs the machine, or from its kernel.
FROM_OUTSIDE = frozenset((signal.SIGKILL, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT))


@dataclass(frozen=True)
class Exit:
    """How a child ended: the exit code, negative for a signal, and the processor time it used.

    `crowded` says that it was ended for making too many files.
    """

    code: int
    cpu: float
    crowded: bool = False


class ParentGoneError(Exception):
    """The warm parent died; a new one can be started."""


class SilentError(ParentGoneError):
    """The warm parent said nothing in time."""


class NoRoomError(Exception):
    """The machine has no room for another process, or took away the one that was just made."""


class WarmParent:
    """One process of the sandbox. Used by one thread at a time."""

    def __init__(self, tier: Tier, imports: Sequence[str] = ()) -> None:
        self.forks = 0
        self._confines = tier.isolated
        self.spent = False
        self._dying = False
        self._lines: list[ParentReport] = []
        self._buffer = b""
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 - closed in close()
        self._control, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [*tier.command, str(theirs.fileno())],
                env=environment(),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self._log,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
                cwd="/",
            )
        # Each parent has a user of its own: the kernel counts threads by user, whatever the namespace.
        orders = {**tier.orders(), "user": UID_BASE + self._process.pid, "imports": list(imports)}
        with contextlib.suppress(OSError):  # it is gone already; whoever waits for it is told why
            self._control.sendall(json.dumps(orders).encode() + b"\n")

    def wait_until_warm(self) -> None:
        """Wait for the imports, a few seconds. A parent that cannot start is the grader's fault."""
        try:
            ready = self._next("ready", START_SECONDS)
        except (ParentGoneError, OSError) as error:
            log = self.log()
            self.close()
            raise SandboxError(f"the sandbox's warm parent does not start: {log or error}") from error
        if ready["threads"] != 1:
            self.close()
            raise SandboxError("the sandbox's warm parent has several threads; a forked child would hang")

    def fork(self, limits: Limits, files: Mapping[str, bytes] | None = None) -> Channel:
        """A child that has given everything up and waits for its first request, beside these files.

        Raises NoRoomError for what may be otherwise in a moment, SandboxError for what will stay.
        """
        self.settle()
        theirs_in, ours_out = os.pipe()
        ours_in, theirs_out = os.pipe()
        order = {
            "op": "fork",
            "files": bool(files),
            "limits": {
                "cpu_seconds": limits.cpu_seconds,
                "memory_mb": limits.memory_mb,
                "file_mb": limits.file_mb,
                "threads": limits.threads,
            },
        }
        self.forks += 1
        channel = Channel(ours_in, ours_out)
        try:
            line = json.dumps(order).encode() + b"\n"
            with _stored(files) as stored:
                socket.send_fds(self._control, [line], [theirs_in, theirs_out, *stored])
            self._next("forked", ANSWER_SECONDS)
            patience = until(time.monotonic() + ANSWER_SECONDS)
            hello, _ = channel.receive(patience, max_header=1024, max_payload=0)
            if hello.get("errno") in MACHINE:
                self.kill_child()
                raise NoRoomError(hello["fault"])
            if "fault" in hello:
                raise FrameError(hello["fault"])
        except OSError as error:
            channel.close()
            raise ParentGoneError from error
        except (FrameError, ClosedError, DeadlineError) as error:
            channel.close()
            exit = self.kill_child()
            if isinstance(error, FrameError) or -exit.code not in FROM_OUTSIDE:
                raise SandboxError(f"the sandbox cannot start a confined child: {error}") from error
            raise NoRoomError("a child did not come to life") from error
        except BaseException:
            channel.close()
            raise
        finally:
            os.close(theirs_in)
            os.close(theirs_out)
        return channel

    def kill_child(self) -> Exit:
        """End the child if it still runs; how it ended."""
        self.dismiss_child()
        self._dying = False
        return self._exit(ANSWER_SECONDS)

    def dismiss_child(self) -> None:
        """End the child without waiting: the kernel takes its memory apart while the judge goes on."""
        self._dying = True
        with contextlib.suppress(OSError):
            self._control.sendall(b'{"op": "kill"}\n')

    def settle(self) -> None:
        """Wait for a child that was dismissed; `spent` is up to date then."""
        if self._dying:
            self._dying = False
            self._exit(ANSWER_SECONDS)

    def usage(self) -> Usage | None:
        """What the child has used until now; None once it is gone."""
        try:
            self._control.sendall(b'{"op": "usage"}\n')
        except OSError as error:
            raise ParentGoneError("it ended") from error
        found = self._next("usage", ANSWER_SECONDS)["usage"]
        return None if found is None else Usage(**found)

    def is_short_of_memory(self) -> bool:
        """Whether the machine has less memory to give than the child, or one like it, is allowed."""
        try:
            self._control.sendall(b'{"op": "room"}\n')
        except OSError as error:
            raise ParentGoneError("it ended") from error
        return bool(self._next("short", ANSWER_SECONDS)["short"])

    def await_child(self, seconds: float) -> Exit | None:
        """How the child ended; None if it is not known so soon."""
        try:
            return self._exit(seconds)
        except SilentError:
            return None

    def _exit(self, seconds: float) -> Exit:
        report = self._next("exited", seconds)
        if report["dirty"] or self.forks >= MAX_FORKS:
            self.spent = True
        return Exit(report["exited"], report["cpu"], report["crowded"])

    def log(self) -> str:
        self._log.seek(0, os.SEEK_END)
        self._log.seek(max(0, self._log.tell() - TAIL))
        return self._log.read().decode(errors="replace").strip()

    def close(self) -> None:
        """End the parent and whatever runs below it; a second time does nothing."""
        if self._process.returncode is not None and self._log.closed:
            return
        self._control.close()
        if not self._confines and self.forks:  # it is to end what its child may have started
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(END_SECONDS)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.kill()
        self._process.wait()
        self._log.close()

    def _next(self, kind: str, seconds: float) -> ParentReport:
        """The next report of this kind. That a child ended may be told before; another means confusion."""
        deadline = time.monotonic() + seconds
        while not any(kind in line for line in self._lines):
            self._control.settimeout(max(0.01, deadline - time.monotonic()))
            try:
                data = self._control.recv(1 << 16)
            except TimeoutError as error:
                raise SilentError(f"no word for {seconds} s") from error
            except OSError as error:
                raise ParentGoneError("it ended") from error
            if not data:
                raise ParentGoneError("it ended")
            *lines, self._buffer = (self._buffer + data).split(b"\n")
            self._lines += [json.loads(line) for line in lines]
        report = next(line for line in self._lines if kind in line)
        self._lines.remove(report)
        if any("exited" not in line for line in self._lines):
            raise ParentGoneError(f"it said {self._lines} where {kind!r} was due")
        return report


@contextlib.contextmanager
def _stored(files: Mapping[str, bytes] | None) -> Iterator[list[int]]:
    """The descriptor of one file that holds all of them, as the warm parent reads it; none for no files."""
    if not files:
        yield []
        return
    with tempfile.TemporaryFile() as store:
        coded = {name: base64.b64encode(data).decode("ascii") for name, data in files.items()}
        store.write(json.dumps(coded).encode())
        store.flush()
        yield [store.fileno()]
