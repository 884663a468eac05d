"""Run a program as an ordinary user: `python -m tests.attacks.ordinary_user UID PROGRAM …`, started as root.

Where Python or the project lies below a folder that is closed to others, as /root is, the program sees what it
needs of it through mounts of its own; the folder itself stays as it is.
"""

from __future__ import annotations

import ctypes
import os
import sys
from pathlib import Path

from autograder.sandbox.inside.libc import libc
from autograder.sandbox.inside.mounts import CLONE_NEWNS, MS_PRIVATE, MS_REC

MS_BIND = 4096
ROOT = Path(__file__).resolve().parents[2]


def main(uid: int, command: list[str]) -> None:
    needed = (Path(sys.executable), Path(sys.executable).resolve().parent.parent, Path(sys.prefix), ROOT)
    closed: dict[Path, set[Path]] = {}
    for path in needed:
        for folder in reversed(path.parents):
            if not folder.stat().st_mode & 0o001:
                closed.setdefault(folder, set()).add(path)
                break
    if closed:
        check(libc().unshare(CLONE_NEWNS), "have mounts of its own")
        check(libc().mount(None, b"/", None, ctypes.c_ulong(MS_REC | MS_PRIVATE), None), "keep them")
    for folder, paths in closed.items():
        open_up(folder, paths)
    os.chdir(ROOT)
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)
    os.execv(command[0], command)


def open_up(folder: Path, paths: set[Path]) -> None:
    """Put an empty folder in place of one that is closed, with nothing in it but these paths."""
    tops = [path for path in paths if path.is_dir() and not any(other in path.parents for other in paths)]
    held = {path: os.open(path, os.O_PATH) for path in tops}
    check(libc().mount(b"tmpfs", bytes(folder), b"tmpfs", ctypes.c_ulong(0), b"mode=755"), f"cover {folder}")
    for path, place in held.items():
        path.mkdir(parents=True)
        source = f"/proc/self/fd/{place}".encode()
        flags = ctypes.c_ulong(MS_BIND | MS_REC)
        check(libc().mount(source, bytes(path), None, flags, None), f"show {path}")
        os.close(place)


def check(failed: int, doing: str) -> None:
    if failed:
        raise SystemExit(f"a test cannot {doing}: {os.strerror(ctypes.get_errno())}")


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
