"""Mounts of the warm parent's own, for root and for an ordinary user alike: a room, and no access times."""

from __future__ import annotations

import errno
import os
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

from autograder.sandbox.inside import confine
from autograder.sandbox.inside.mounts import ROOM, take_own_mounts
from autograder.sandbox.tiers import mounts_fault

ORDINARY = 4711
LONG_AGO = 10**9


def in_a_child(work: Callable[[], None]) -> int:
    """How a fork of this process ends that does something which cannot be taken back."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if not child:
        try:
            work()
            os._exit(0)
        finally:
            os._exit(1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


@pytest.mark.parametrize("user", sorted({os.getuid(), ORDINARY if os.getuid() == 0 else os.getuid()}))
def test_what_is_read_keeps_its_access_time_and_there_is_a_room_to_write_in(user: int) -> None:
    if mounts_fault():
        return  # a machine on which nobody may mount; docs/security.md says so
    with tempfile.NamedTemporaryFile() as file:
        os.fchmod(file.fileno(), 0o644)
        path = Path(file.name)

        def work() -> None:
            if user != os.getuid():
                os.setgroups([])
                os.setresgid(user, user, user)
                os.setresuid(user, user, user)
                confine.prctl(confine.PR_SET_DUMPABLE, 1, "be as after a start")
            assert take_own_mounts(room_mb=1)
            path.read_bytes()
            with tempfile.TemporaryFile() as made, pytest.raises(OSError, match=os.strerror(errno.ENOSPC)):
                os.posix_fallocate(made.fileno(), 0, 2 << 20)

        os.utime(path, (LONG_AGO, path.stat().st_mtime))
        before = sorted(os.listdir(ROOM))
        assert in_a_child(work) == 0
        assert path.stat().st_atime == LONG_AGO
        assert sorted(os.listdir(ROOM)) == before
        path.read_bytes()
        assert path.stat().st_atime != LONG_AGO or os.statvfs(path).f_flag & os.ST_NOATIME
