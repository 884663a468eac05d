"""Ctrl-C ends a command, also while it imports: there its exception may be swallowed, and is raised later."""

from __future__ import annotations

import signal
from types import FrameType

IMPORTING = "<frozen importlib._bootstrap>"
AGAIN_SECONDS = 0.05


def hear_after_imports() -> None:
    """Raise KeyboardInterrupt at Ctrl-C, but not in the middle of an import.

    torch imports numpy from C and goes on with half of it where that is interrupted.
    """
    if not hasattr(signal, "setitimer") or signal.getsignal(signal.SIGINT) != signal.default_int_handler:
        return  # there is no such clock on Windows; whoever ignores Ctrl-C goes on ignoring it
    for number in (signal.SIGINT, signal.SIGALRM):
        signal.signal(number, _interrupt)


def _interrupt(number: int, frame: FrameType | None) -> None:
    while frame is not None:
        if frame.f_code.co_filename == IMPORTING:
            signal.setitimer(signal.ITIMER_REAL, AGAIN_SECONDS)
            return
        frame = frame.f_back
    raise KeyboardInterrupt
