"""What a child has used, read from outside of it: nothing it does can hide or forge this."""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from autograder.sandbox.parent_messages import UsageNow

LINUX = sys.platform == "linux"
TICK = 1 / os.sysconf("SC_CLK_TCK") if LINUX else 0.0


def usage_of(pid: int, *, family: bool = False) -> UsageNow | None:
    """Seconds on a processor and seconds waiting for one, at this moment; None once it is gone.

    `asleep` says that every thread waits of its own accord: not for a processor, not for a disk, and not
    because somebody stopped it. With `family`, the processes that it started count as well. Without /proc the
    clock on the wall stands for the processor's.
    """
    now = time.monotonic()
    if not LINUX:
        return {"at": now, "cpu": now, "delayed": 0.0, "asleep": False}
    below = descendants(pid) if family else []
    try:
        threads = _threads(pid)
        # The clock of another process, see clock_getcpuclockid(3), with every thread that it has or had.
        cpu = time.clock_gettime((~pid << 3) | 2)
    except OSError:
        return None
    if family:
        cpu += _of_the_dead(pid) + sum(map(_of_all, below))
        threads += [thread for other in below for thread in _threads_if_any(other)]
    states = {state for state in map(_state, threads) if state not in ("", "Z")}
    return {"at": now, "cpu": cpu, "delayed": sum(map(_delay, threads)), "asleep": states == {"S"}}


def descendants(pid: int) -> list[int]:
    """Every process below one, the dead that nobody has waited for included."""
    children: dict[int, list[int]] = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        if fields := _fields(f"/proc/{name}"):
            children.setdefault(int(fields[1]), []).append(int(name))
    found = [pid]
    for parent in found:  # it grows while it is walked
        found += children.get(parent, [])
    return found[1:]


def _of_the_dead(pid: int) -> float:
    """Seconds of the processes that one started and has waited for."""
    return sum(map(int, _fields(f"/proc/{pid}")[13:15])) * TICK


def _of_all(pid: int) -> float:
    """Seconds of a process and of those that it has waited for."""
    return sum(map(int, _fields(f"/proc/{pid}")[11:15])) * TICK


def _threads(pid: int) -> list[str]:
    return [f"/proc/{pid}/task/{thread}" for thread in os.listdir(f"/proc/{pid}/task")]


def _threads_if_any(pid: int) -> list[str]:
    try:
        return _threads(pid)
    except OSError:
        return []  # it ended meanwhile


def _state(thread: str) -> str:
    """One letter: R for running, S for asleep, D for a disk, T for stopped, Z for dead."""
    return (_fields(thread) or [""])[0]


def _fields(process: str) -> list[str]:
    """What the kernel tells of a process or thread, from its state on; nothing once it is gone."""
    return _read(f"{process}/stat").rpartition(")")[2].split()


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
