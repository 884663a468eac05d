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
    fired: bool = False

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
                self.fired = True
                _raise_in(self.target, TooLong)

    def end(self) -> None:
        with self.lock:
            self.done.set()
            if self.fired:
                _raise_in(self.target, None)  # one that is still on its way is called back


def _raise_in(thread: int, error: type[BaseException] | None) -> None:
    wanted = ctypes.py_object(error) if error is not None else None
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), wanted)


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
