"""Files that a command is asked to write: that there is a place for them is found out before any work."""

from __future__ import annotations

import os
from pathlib import Path

from autograder.errors import UsageError, reason


def require_place(path: Path, *, folder: bool = False) -> None:
    """The folder that a file (or a folder) is to lie in must be there: a slip shall not make a new one."""
    if not path.parent.is_dir():
        raise UsageError(
            f"cannot write {path}: there is no folder {path.parent}; make it first, or name another "
            f"{'folder' if folder else 'file'}"
        )
    if not os.access(path.parent, os.W_OK | os.X_OK):
        raise UsageError(f"cannot write {path}: you may not write in {path.parent}; name another folder")
    if path.exists() and path.is_dir() != folder:
        found, fix = ("a file", "name a folder") if folder else ("a folder", "name a file in it")
        raise UsageError(f"cannot write {path}: it is {found}; {fix}")


def write_file(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8", newline="")
    except OSError as error:
        raise UsageError(f"cannot write {path}: {reason(error)}; name another file") from error
