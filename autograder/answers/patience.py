"""A bound on how long an answer is thought about: whatever a student writes, the class is graded."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class OutOfPatienceError(BaseException):
    """The time is up. Not an Exception, so that no engine takes it for a fault of its own."""


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Raise OutOfPatienceError in the body after so long. Without alarms, or in a thread, nothing does."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def ring(number: int, frame: FrameType | None) -> None:
        raise OutOfPatienceError

    before = signal.signal(signal.SIGALRM, ring)
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds)
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
