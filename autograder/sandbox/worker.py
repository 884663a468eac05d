"""The judge's handle on one warm parent: starts it, asks it for a child, and learns how the child ended."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import tempfile
import time
from dataclasses import dataclass
from typing import Any

from autograder.sandbox.records import Limits, SandboxError
from autograder.sandbox.tiers import Tier, environment
from autograder.sandbox.wire import Channel, ClosedError, DeadlineError, FrameError

START_SECONDS = 180
ANSWER_SECONDS = 30
DYING_SECONDS = 2
UID_BASE = 0x70000000  # far above real users; a process id on top makes it this parent's own
# Then a new parent, so that nothing it may leak adds up; its three seconds of imports must not add up either.
MAX_FORKS = 4_000
TAIL = 2_000


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


class WarmParent:
    """One process of the sandbox. Used by one thread at a time."""

    def __init__(self, tier: Tier) -> None:
        self.forks = 0
        self.spent = False
        self._dying = False
        self._lines: list[dict[str, Any]] = []
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
        orders = {**tier.orders(), "user": UID_BASE + self._process.pid}
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

    def fork(self, limits: Limits) -> Channel:
        """A child that has given everything up and waits for its first request."""
        self.settle()
        theirs_in, ours_out = os.pipe()
        ours_in, theirs_out = os.pipe()
        order = {
            "op": "fork",
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
            socket.send_fds(self._control, [line], [theirs_in, theirs_out])
            self._next("forked", ANSWER_SECONDS)
            hello, _ = channel.receive(time.monotonic() + ANSWER_SECONDS, max_header=1024, max_payload=0)
            if "fault" in hello:
                raise FrameError(hello["fault"])
        except OSError as error:
            channel.close()
            raise ParentGoneError from error
        except (FrameError, ClosedError, DeadlineError) as error:
            channel.close()
            self.kill_child()
            raise SandboxError(f"the sandbox cannot start a confined child: {error}") from error
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

    def await_child(self) -> Exit | None:
        """How a child that seems to be dying ended; None if it lives on."""
        try:
            return self._exit(DYING_SECONDS)
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
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.kill()
        self._process.wait()
        self._log.close()

    def _next(self, kind: str, seconds: float) -> dict[str, Any]:
        """The next report, which must be of this kind: another one means that the parent is confused."""
        deadline = time.monotonic() + seconds
        while not self._lines:
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
        report = self._lines.pop(0)
        if kind not in report:
            raise ParentGoneError(f"it said {report} where {kind!r} was due")
        return report
