"""A notebook as it was handed in: its bytes, their digest, or why it cannot be read."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from autograder.notebook.file_bytes import MAX_BYTES

MB = 2**20


def fault_of(path: Path) -> str:
    """Why a file cannot be read, without reading it; what is too large is not even tried."""
    try:
        with path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
    except OSError as error:
        return f"the file cannot be opened: {error.strerror}"
    return f"the file is {size / MB:.0f} MB; {MAX_BYTES // MB} MB can be read" if size > MAX_BYTES else ""


def read_notebook(path: Path) -> bytes:
    """The bytes of a file that could be read a moment ago; none where it is gone by now."""
    try:
        return b"" if fault_of(path) else path.read_bytes()
    except OSError:
        return b""


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:32]


def digest_of(path: Path) -> str:
    """The digest of what a file holds now; empty where it cannot be read."""
    return "" if fault_of(path) else digest(read_notebook(path))
