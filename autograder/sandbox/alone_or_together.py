"""Whose turn it is: submissions run side by side, and one that the machine disturbed again, alone."""

from __future__ import annotations

import fcntl
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

WAIT_SECONDS, LOOK_SECONDS = 600.0, 0.05  # for others to finish; one that hangs must not stop the class


class Turns:
    """Turns of all who grade for one user on this machine, by locks on two files.

    Whoever holds `_room` shared runs beside others; whoever holds it alone runs alone. Everybody passes
    `_door` first, so that one who waits to be alone is not overtaken for ever. The kernel gives up the locks
    of a process that dies.
    """

    def __init__(self, folder: Path | None = None) -> None:
        folder = folder or own_folder()
        self._door, self._room = folder / "door", folder / "room"

    @contextmanager
    def together(self) -> Iterator[None]:
        """Run beside others."""
        with _opened(self._door) as door, _opened(self._room) as room:
            _lock(door, fcntl.LOCK_EX)
            _lock(room, fcntl.LOCK_SH)
            fcntl.flock(door, fcntl.LOCK_UN)
            yield

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Run when all others are done, and before any other begins."""
        with _opened(self._door) as door, _opened(self._room) as room:
            _lock(door, fcntl.LOCK_EX)
            _lock(room, fcntl.LOCK_EX)
            yield


def own_folder() -> Path:
    """A folder of this user's that all processes find; one of another's making is left alone."""
    folder = Path(tempfile.gettempdir()) / f"autograder-{os.getuid()}"
    with suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    state = folder.lstat()
    if state.st_uid == os.getuid() and state.st_mode & 0o170777 == 0o040700:
        return folder
    return Path(tempfile.mkdtemp(prefix="autograder-"))


@contextmanager
def _opened(path: Path) -> Iterator[int]:
    file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        yield file
    finally:
        os.close(file)


def _lock(file: int, how: int) -> None:
    """Wait for a lock, but not for ever: to be alone is a courtesy, and no mark depends on it."""
    end = time.monotonic() + WAIT_SECONDS
    while True:
        try:
            fcntl.flock(file, how | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            if time.monotonic() > end:
                return
            time.sleep(LOOK_SECONDS)
