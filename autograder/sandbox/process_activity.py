"""Processes that work for us are watched: one that was stopped, or does nothing for long, is known by it."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import time
from pathlib import Path

STOPPED_SECONDS = 60.0  # that a process may stay stopped, or be a corpse, before it is given up
SILENT_SECONDS = 3600.0  # without a word and without any processor time: far beyond every limit of a notebook
PR_SET_PDEATHSIG = 1


class ActivityWatch:
    """Whether a process still does something; how busy the machine is does not count against it."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._seen = self._state()
        self._since = time.monotonic()

    def heard(self) -> None:
        """It has said something."""
        self._since = time.monotonic()

    def is_given_up(self) -> bool:
        """Whether it has been stopped, or without any sign of life, for longer than anything takes."""
        seen = self._state()
        if seen != self._seen:
            self._seen = seen
            self._since = time.monotonic()
        limit = STOPPED_SECONDS if seen[0] in ("T", "t", "Z", "X") else SILENT_SECONDS
        return time.monotonic() - self._since > limit

    def _state(self) -> tuple[str, int]:
        """The kernel's letter for what it does, and its processor time so far."""
        try:
            fields = Path(f"/proc/{self._pid}/stat").read_text().rpartition(")")[2].split()
            return fields[0], sum(map(int, fields[11:15]))
        except (OSError, ValueError, IndexError):
            return "", 0


def die_with_parent(parent: int) -> None:
    """This process ends when the one that started it does, even by kill -9; as far as the system can."""
    if sys.platform != "linux":
        return
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, ctypes.c_ulong(signal.SIGKILL), 0, 0, 0)
    if os.getppid() != parent:  # it was gone before it could be said
        os._exit(1)
