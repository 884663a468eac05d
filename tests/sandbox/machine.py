"""What a machine does to processes: the children of a sandbox are found from outside, stopped and killed."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

BOOT = "sandbox/inside/boot.py"


def children_of_parents() -> dict[int, float]:
    """Every process that runs a notebook, below this one or elsewhere, with the processor time it has used."""
    found, parents = {}, {}
    for path in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, IndexError, ValueError):
            command = (path / "cmdline").read_text().split("\0")
            if any(word.endswith(BOOT) for word in command) and "bwrap" not in command[0]:
                fields = (path / "stat").read_text().rsplit(")", 1)[1].split()
                parents[int(path.name)] = int(fields[1])
                found[int(path.name)] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    ours = {pid for pid in parents if _descends(parents[pid])}
    return {pid: cpu for pid, cpu in found.items() if parents[pid] in parents and pid in ours}


def parent_of(pid: int) -> int:
    with suppress(OSError):
        return int(Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1])
    return 0


def below(top: int) -> dict[int, str]:
    """Every process below one, and when it was started: a number may be given again."""
    pids = [int(path.name) for path in Path("/proc").glob("[0-9]*")]
    return {pid: started for pid in pids if pid != top and (started := _started(pid)) and _descends(pid, top)}


def still_there(processes: dict[int, str]) -> set[int]:
    """Those that have not ended; a zombie has."""
    return {pid for pid, started in processes.items() if _started(pid) == started}


def _started(pid: int) -> str:
    with suppress(OSError):
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        return "" if fields[0] == "Z" else fields[19]
    return ""


def _descends(pid: int, top: int | None = None) -> bool:
    """Whether a process is below another, or below this one."""
    while pid > 1:
        if pid == (top or os.getpid()):
            return True
        pid = parent_of(pid)
    return False


def send(pid: int, number: int) -> bool:
    with suppress(ProcessLookupError):
        os.kill(pid, number)
        return True
    return False


def halt(pid: int, seconds: float) -> None:
    """Stop a process for a while, as a debugger or a laptop that is closed does."""
    if send(pid, signal.SIGSTOP):
        time.sleep(seconds)
        send(pid, signal.SIGCONT)


@contextmanager
def meanwhile(disturb: Callable[[], None]) -> Iterator[None]:
    """Do something again and again beside the body, until it ends."""
    done = threading.Event()

    def go_on() -> None:
        while not done.wait(0.005):
            disturb()

    thread = threading.Thread(target=go_on, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()
