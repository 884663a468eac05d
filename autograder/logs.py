"""Python's own logging: silent unless asked for, and the faults of a run in a file for people to read."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

NAME = "faults.log"
ROOT = logging.getLogger("autograder")
ROOT.addHandler(logging.NullHandler())
# Every fault begins with this, so that a reader, and `Faults.count`, can tell where the next one starts.
MARK = "=== "
FORM = logging.Formatter(f"{MARK}%(asctime)s %(about)s\n%(message)s")
_about: ContextVar[str] = ContextVar("about", default="")


def be_verbose() -> None:
    """Tell on the terminal what goes on, tracebacks included."""
    told = logging.StreamHandler(sys.stderr)
    told.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    ROOT.addHandler(told)
    ROOT.setLevel(logging.DEBUG)


@contextmanager
def about(what: str) -> Iterator[None]:
    """Name what a block works on in every fault that it logs."""
    token = _about.set(what)
    try:
        yield
    finally:
        _about.reset(token)


def _named(record: logging.LogRecord) -> bool:
    record.about = _about.get() or record.name
    return True


class Faults:
    """OUT/faults.log: what the grader itself got wrong in this run, with its traceback.

    Several processes write to it, each line by line at its end, so a fault is counted by its mark.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / NAME
        self._before = self._size()

    def _size(self) -> int:
        return self.path.stat().st_size if self.path.is_file() else 0

    def count(self) -> int:
        """How many came since this was made."""
        if self._size() <= self._before:
            return 0
        with self.path.open("rb") as file:
            file.seek(self._before)
            return sum(line.startswith(MARK.encode()) for line in file)


@contextmanager
def kept_faults(folder: Path) -> Iterator[Faults]:
    """While this is open, faults of this process and of its forks are written down in the folder."""
    faults = Faults(folder)
    # Opened at the first fault: a run without one leaves no file.
    handler = logging.FileHandler(faults.path, encoding="utf-8", delay=True, errors="replace")
    handler.setLevel(logging.ERROR)
    handler.setFormatter(FORM)
    handler.addFilter(_named)
    ROOT.addHandler(handler)
    try:
        yield faults
    finally:
        ROOT.removeHandler(handler)
        handler.close()


@contextmanager
def collected_faults() -> Iterator[list[str]]:
    """The faults of a block as texts, for a machine that has no such folder."""
    texts: list[str] = []

    class Collector(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            texts.append(logging.Formatter(f"{_about.get()}\n%(message)s").format(record))

    handler = Collector(logging.ERROR)
    ROOT.addHandler(handler)
    try:
        yield texts
    finally:
        ROOT.removeHandler(handler)
