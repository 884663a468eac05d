"""What a child has used, read from outside of it: nothing it does can hide or forge this."""

from __future__ import annotations

import os
import sys
import time
from typing import Any

LINUX = sys.platform == "linux"


def usage_of(pid: int) -> dict[str, Any] | None:
    """Seconds on a processor and seconds waiting for one, at this moment; None once it is gone.

    `asleep` says that every thread waits of its own accord: not for a processor, not for a disk, and not
    because somebody stopped it. Without /proc the clock on the wall stands for the processor's.
    """
    now = time.monotonic()
    if not LINUX:
        return {"at": now, "cpu": now, "delayed": 0.0, "asleep": False}
    try:
        threads = [f"/proc/{pid}/task/{thread}" for thread in os.listdir(f"/proc/{pid}/task")]
        states = {state for state in map(_state, threads) if state}
        delayed = sum(map(_delay, threads))
        # The clock of another process, see clock_getcpuclockid(3), with every thread that it has or had.
        cpu = time.clock_gettime((~pid << 3) | 2)
    except OSError:
        return None
    return {"at": now, "cpu": cpu, "delayed": delayed, "asleep": states == {"S"}}


def _state(thread: str) -> str:
    """One letter: R for running, S for asleep, D for a disk, T for stopped."""
    return _read(f"{thread}/stat").rpartition(")")[2].strip()[:1]


def _delay(thread: str) -> float:
    """Seconds during which a thread could have run and had no processor."""
    fields = _read(f"{thread}/schedstat").split()
    return int(fields[1]) / 1e9 if len(fields) > 1 else 0.0


def _read(path: str) -> str:
    try:
        with open(path) as file:
            return file.read()
    except OSError:
        return ""  # the thread ended meanwhile, or the kernel does not tell
