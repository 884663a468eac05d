"""A call of a student's function that takes long: the student sees that it runs, and it ends in the end."""

from __future__ import annotations

import contextvars
import ctypes
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

TICK = 0.25
Watch = Callable[[float], None]  # told now and then how many seconds have passed


class TooLong(BaseException):
    """Raised inside a call that is stopped; not an Exception, so that the student's `except` lets it pass."""


@dataclass
class _Guard:
    """Watches one call from a thread of its own. Signals would do it on Linux alone."""

    seconds: float
    watch: Watch
    target: int = field(default_factory=threading.get_ident)
    lock: threading.Lock = field(default_factory=threading.Lock)
    done: threading.Event = field(default_factory=threading.Event)

    def run(self) -> None:
        start = time.monotonic()
        while not self.done.wait(TICK):
            passed = time.monotonic() - start
            self.watch(passed)
            if passed > self.seconds:
                self._fire()

    def _fire(self) -> None:
        with self.lock:
            if not self.done.is_set():
                target, error = ctypes.c_ulong(self.target), ctypes.py_object(TooLong)
                ctypes.pythonapi.PyThreadState_SetAsyncExc(target, error)

    def end(self) -> None:
        """Fire no more, and let one that is on its way arrive here.

        Python can call it back, but Python 3.11 then never stops looking for it: the process is slower from
        there on, and hangs at the first function that a debugger traces.
        """
        while True:
            try:
                with self.lock:
                    self.done.set()
                for _ in range(2):  # Python looks for what is on its way where a loop begins again
                    pass
                return
            except TooLong:
                continue


@contextmanager
def guarded(seconds: float, watch: Watch) -> Iterator[None]:
    """Raise TooLong inside the block once it has taken so many seconds of Python code."""
    guard = _Guard(seconds, watch)
    # The context of the caller: what the watch displays belongs to the caller's cell.
    thread = threading.Thread(target=contextvars.copy_context().run, args=(guard.run,), daemon=True)
    thread.start()
    try:
        yield
    finally:
        guard.end()
        thread.join(timeout=1)
