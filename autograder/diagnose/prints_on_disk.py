"""Prints of edits are kept on disk under a key of all that decides them, as plain arrays."""

from __future__ import annotations

import hashlib
import os
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np
import torch

from autograder.calls.expected import Planned
from autograder.diagnose.edits.edit import Edit
from autograder.diagnose.program import Program

FOLDER_VARIABLE = "AUTOGRADER_CACHE"


def folder() -> Path:
    """Where prints are kept: AUTOGRADER_CACHE, or the user's own cache."""
    if given := os.environ.get(FOLDER_VARIABLE):
        return Path(given)
    home = os.environ.get("XDG_CACHE_HOME")
    return (Path(home) if home else Path.home() / ".cache") / "autograder" / "diagnosis"


def key_of(program: Program, edits: Sequence[Edit], calls: Sequence[Planned]) -> str:
    """A name that changes with the reference, its cases, the rules and torch itself."""
    digest = hashlib.sha256()
    for text in (_rules(), torch.__version__, program.text, calls[0].part.name):
        digest.update(f"{text}\x1f".encode())
    for edit in edits:
        digest.update(f"{edit.id}\x1f{edit.says}\x1f{edit.rank}\x1f{sorted(edit.changes)}\x1e".encode())
    for call in calls:
        digest.update(f"{call.case}\x1f".encode())
        for argument in call.arguments:
            if isinstance(argument, torch.Tensor):
                digest.update(argument.contiguous().numpy().tobytes())
            else:
                digest.update(repr(argument).encode())
    return digest.hexdigest()[:32]


def _rules() -> str:
    """The rules by their own text: another rule, another index."""
    here = Path(__file__).parent
    digest = hashlib.sha256()
    for path in sorted(here.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def load_arrays(key: str) -> dict[str, Any] | None:
    try:
        with np.load(folder() / f"{key}.npz", allow_pickle=False) as kept:
            return {name: kept[name] for name in kept.files}
    except (OSError, ValueError, zipfile.BadZipFile):
        return None


def save_arrays(key: str, arrays: Mapping[str, Any]) -> None:
    """Written whole or not at all; where nothing can be written, nothing is kept."""
    path = folder() / f"{key}.npz"
    own = path.with_suffix(f".{os.getpid()}.tmp")
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        with own.open("wb") as file:
            np.savez(file, **arrays)
        own.replace(path)


@contextmanager
def one_at_a_time(key: str) -> Iterator[None]:
    """Of several processes that need the same prints, one computes them and the others wait."""
    try:
        import fcntl  # absent on Windows, where nobody grades a class

        folder().mkdir(parents=True, exist_ok=True)
        lock = (folder() / f"{key}.lock").open("w")
    except (ImportError, OSError):
        yield
        return
    with lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
