"""The warm parent's memory is put into large pages: a fork then copies hundreds of entries, not thousands.

Copying the page tables, and taking them down again when the child ends, is most of what a fork costs. The
kernel splits a large page where a child writes, and copies four kilobytes of it as ever.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator

LARGE = 2 << 20
MADV_COLLAPSE = 25  # Linux 6.1; older kernels refuse it, and nothing is lost
OURS = ("", "[heap]")  # memory that no file stands behind


def collapse() -> int:
    """Ask for large pages wherever there is memory of our own; how many there are."""
    libc = ctypes.CDLL(None)
    libc.madvise.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    return sum(
        libc.madvise(place, LARGE, MADV_COLLAPSE) == 0
        for start, end in list(_writable())
        for place in range(-(-start // LARGE) * LARGE, end // LARGE * LARGE, LARGE)
    )


def _writable() -> Iterator[tuple[int, int]]:
    """Where the memory lies that this process has written."""
    try:
        with open("/proc/self/maps") as lines:
            for line in lines:
                place, rights, _, _, _, *name = line.split(maxsplit=5)
                if rights == "rw-p" and "".join(name).strip() in OURS:
                    start, end = place.split("-")
                    yield int(start, 16), int(end, 16)
    except OSError:
        return
