"""The notebook's own file, where it can be found: its cells, and when it was saved."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from autograder.errors import AnswerError
from autograder.notebook.submitted import SubmittedCell, read_submission

# Where front ends say which file is open: jupyter_server, then VS Code's extension.
SESSION = "JPY_SESSION_NAME"
VARIABLES = ("__session__", "__vsc_ipynb_file__")


@dataclass(frozen=True)
class SavedNotebook:
    """A notebook as it lies on the disk."""

    path: Path
    cells: tuple[SubmittedCell, ...]
    at: float

    def answers_to(self, part: str) -> list[SubmittedCell]:
        """The cells that set a part's name, else the one that was handed out for it."""
        code = [cell for cell in self.cells if cell.kind == "code"]
        return [cell for cell in code if part in cell.names] or [c for c in code if c.grade_id == part]

    def turned_into(self, part: str) -> str:
        """What the code cell that was handed out for a part was turned into, or nothing."""
        kinds = {cell.kind for cell in self.cells if cell.grade_id == part}
        other = "" if "code" in kinds else next(iter(sorted(kinds)), "")
        return "Markdown" if other == "markdown" else other


def find_saved(problem: str, namespace: Mapping[str, object], folder: Path) -> SavedNotebook | None:
    """The file of the running notebook, or None where nobody knows it."""
    for path in _named(namespace, folder):
        saved = read_saved(path)
        if saved is not None:
            return saved
    # The kernel runs in the notebook's folder: one notebook of this problem there is the one.
    found = [path for path in sorted(folder.glob("*.ipynb")) if problem_of(path) == problem]
    return read_saved(found[0]) if len(found) == 1 else None


def read_saved(path: Path) -> SavedNotebook | None:
    try:
        cells = read_submission(path.read_bytes()).cells
        return SavedNotebook(
            path, tuple(replace(cell, source=cell.source.strip()) for cell in cells), path.stat().st_mtime
        )
    except (OSError, AnswerError):
        return None


def problem_of(path: Path) -> str:
    """The problem that a notebook says it answers, or nothing."""
    try:
        fields = json.loads(path.read_bytes())["metadata"]["autograder"]
        return str(fields["problem"])
    except (OSError, ValueError, TypeError, KeyError):
        return ""


def _named(namespace: Mapping[str, object], folder: Path) -> Iterator[Path]:
    names = [os.environ.get(SESSION), *(namespace.get(variable) for variable in VARIABLES)]
    for name in names:
        if isinstance(name, str) and name.endswith(".ipynb"):
            yield Path(name)
            yield folder / Path(name).name  # the server may name it relative to its own root
