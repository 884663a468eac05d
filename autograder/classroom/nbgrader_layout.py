"""Hand-ins inside archives, or whose time only a platform knows, are laid out below OUT in nbgrader's way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from autograder.classroom.archives import Shelf
from autograder.classroom.hand_ins import Handin
from autograder.classroom.tables import write_whole
from autograder.errors import AnswerError
from autograder.gradebook.timestamps import NAME, timestamp_text
from autograder.notebook.file_bytes import MAX_BYTES

FOLDER = "unpacked"


@dataclass(frozen=True)
class LaidOut:
    """The hand-ins as files, and why some of them cannot be read."""

    handins: tuple[Handin, ...]
    faults: dict[Handin, str]


def lay_out(handins: Sequence[Handin], out: Path) -> LaidOut:
    """Write <student>/<set>/<problem>.ipynb and timestamp.txt; plain files stay where they are."""
    placed, faults = [], {}
    with Shelf() as shelf:
        for handin in handins:
            if not handin.inside and not _untimed(handin):
                placed.append(handin)
                continue
            # The student's name was made safe when it was read, and the others are the course's own.
            path = out / FOLDER / handin.student / handin.set / f"{handin.problem}.ipynb"
            moved = replace(handin, path=path, inside=())
            placed.append(moved)
            try:
                data = shelf.read(handin.path, handin.inside, MAX_BYTES)
            except AnswerError as error:
                faults[moved] = str(error)
                path.unlink(missing_ok=True)  # an earlier run may have found a better archive
                continue
            _put(path, data)
            if handin.submitted is not None:
                _put(path.with_name(NAME), timestamp_text(handin.submitted).encode())
    return LaidOut(tuple(placed), faults)


def _untimed(handin: Handin) -> bool:
    return handin.submitted is not None and not handin.path.with_name(NAME).is_file()


def _put(path: Path, data: bytes) -> None:
    if not path.is_file() or path.read_bytes() != data:
        write_whole(path, data)
