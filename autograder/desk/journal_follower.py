"""The reports of a class as they come: the journal is read on from where it ended, and never written."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from autograder.classroom.journal import NAME, UNREADABLE, read_line, summarise
from autograder.grade.report import Identity, Report


class Following:
    """What a journal says of a class, kept up to date while a run goes on."""

    def __init__(self, out: Path) -> None:
        self._path = out / NAME
        self._file = (0, 0)  # which file it was
        self._end = 0
        self._places: dict[Identity, tuple[int, int]] = {}
        self.summaries: dict[Identity, Report] = {}

    def refresh(self) -> bool:
        """Read what is new; whether there was anything."""
        try:
            with self._path.open("rb") as file:
                about = os.fstat(file.fileno())
                if self._file != (about.st_dev, about.st_ino) or about.st_size < self._end:
                    # A run has tidied it up: another file in its place.
                    self._file, self._end = (about.st_dev, about.st_ino), 0
                    self._places, self.summaries = {}, {}
                file.seek(self._end)
                before = self._end
                for line in file:
                    if not line.endswith(b"\n"):
                        break  # it is being written
                    with suppress(*UNREADABLE):
                        report = read_line(line)
                        who = report.identity
                        self.summaries[who] = summarise(report)
                        self._places[who] = (self._end, len(line))
                    self._end += len(line)
        except FileNotFoundError:
            return False
        return self._end > before

    def report(self, who: Identity) -> Report | None:
        """The whole report, with what only a page shows."""
        self.refresh()
        if who not in self._places:
            return None
        start, length = self._places[who]
        with self._path.open("rb") as file:
            file.seek(start)
            try:
                found = read_line(file.read(length))
            except UNREADABLE:  # another file since a moment ago
                return self.summaries[who]
        return found if found.identity == who else self.summaries[who]
