"""The warm parent's own view of the mounts: what its children read leaves no access time behind.

A child that was sent a hidden input could read chosen files, and a later one tell from their times which.
Bubblewrap mounts everything read-only, which does the same.
"""

from __future__ import annotations

import ctypes
import os
import struct

from autograder.sandbox.inside.libc import libc

CLONE_NEWNS, MS_REC, MS_PRIVATE = 0x20000, 0x4000, 1 << 18
MOUNT_SETATTR, AT_FDCWD, AT_RECURSIVE = 442, -100, 0x8000  # the number is the same on every architecture
ATTR_NOATIME, ATTR_ATIME = 0x10, 0x70  # what is set, and the field it is set in


def forget_access_times() -> bool:
    """Mount everything without access times, for this process and those it starts; needs root's rights.

    False where it may not: then files that are mounted with access times keep them.
    """
    calls = libc()
    if calls.unshare(CLONE_NEWNS) or calls.mount(None, b"/", None, ctypes.c_ulong(MS_REC | MS_PRIVATE), None):
        return False
    attributes = struct.pack("=QQQQ", ATTR_NOATIME, ATTR_ATIME, 0, 0)
    calls.syscall.restype = ctypes.c_long
    done = calls.syscall(
        ctypes.c_long(MOUNT_SETATTR),
        ctypes.c_int(AT_FDCWD),
        os.fsencode("/"),
        ctypes.c_uint(AT_RECURSIVE),
        attributes,
        ctypes.c_size_t(len(attributes)),
    )
    return bool(done == 0)
