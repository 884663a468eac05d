"""Every report is appended to OUT/journal.jsonl as soon as it exists, and found again by the next run."""

from __future__ import annotations

import fcntl
import json
import os
import sys
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from types import TracebackType
from typing import IO

from autograder.as_json import from_json, to_json
from autograder.classroom.tables import cannot_write, write_whole
from autograder.errors import UsageError
from autograder.grade.report import Identity, PartReport, Report, ResultRow

NAME = "journal.jsonl"
LOCK = ".lock"  # a file of its own: the journal is replaced when it is tidied, and a lock would stay behind
UNREADABLE = (ValueError, KeyError, TypeError, AttributeError, RecursionError)  # of a line that is damaged


@dataclass(frozen=True, slots=True)
class _ReportPlace:
    """What was graded by what, and where in the file the report lies."""

    digest: str
    key: str
    start: int
    length: int


@dataclass(frozen=True)
class _Entry:
    """A line of the file."""

    digest: str
    key: str
    report: Report


class Journal:
    """An append-only file of reports, each with the digests of its notebook and its key.

    Whole reports stay on the disk; `summaries` are what tables and the class report need of them.
    """

    def __init__(self, folder: Path) -> None:
        self._folder, self._path = folder, folder / NAME
        self.summaries: dict[Identity, Report] = {}
        self._places: dict[Identity, _ReportPlace] = {}
        self._superseded = 0
        self.damaged = 0  # lines that cannot be read
        self._lock = _take_lock(folder)
        try:
            # Not buffered: what `add` has written is out of this process when it returns.
            self._file = self._path.open("ab+", buffering=0)
            self._end = self._load()
            # A run that was killed may have left half a line: it is cut off, and graded again.
            self._file.truncate(self._end)
        except OSError as error:
            self._lock.close()
            raise cannot_write(self._path, error) from error

    def _load(self) -> int:
        end = 0
        with self._path.open("rb") as lines:
            for line in lines:
                if not line.endswith(b"\n"):
                    break
                try:
                    self._keep(from_json(_Entry, json.loads(line)), end, len(line))
                except UNREADABLE:
                    self.damaged += 1
                end += len(line)
        return end

    def _keep(self, entry: _Entry, start: int, length: int) -> None:
        who = entry.report.identity
        self._superseded += who in self._places
        self._places[who] = _ReportPlace(entry.digest, sys.intern(entry.key), start, length)
        self.summaries[who] = summarise(entry.report)

    def graded(self, who: Identity, key: str) -> str | None:
        """The digest of the notebook that was graded by this very key, if one was."""
        place = self._places.get(who)
        return place.digest if place is not None and place.key == key else None

    def report(self, who: Identity) -> Report:
        """The whole report, from the disk."""
        return read_line(self._read(self._places[who]))

    def _read(self, place: _ReportPlace) -> bytes:
        return os.pread(self._file.fileno(), place.length, place.start)

    def add(self, report: Report, digest: str, key: str) -> None:
        """Write a report to the disk before anything else happens to it."""
        self.check()
        entry = _Entry(digest, key, report)
        line = json.dumps(to_json(entry), ensure_ascii=False).encode("utf-8", "replace") + b"\n"
        try:
            self._write(line)
            os.fsync(self._file.fileno())
        except OSError as error:
            with suppress(OSError):
                self._file.truncate(self._end)
            raise cannot_write(self._path, error) from error
        self._keep(entry, self._end, len(line))
        self._end += len(line)

    def check(self) -> None:
        """Whether the file is still in its folder: one that was deleted takes all lines, and keeps none."""
        try:
            there = os.path.samestat(self._path.stat(), os.fstat(self._file.fileno()))
        except OSError:
            there = False
        if not there:
            raise UsageError(
                f"{self._folder} was deleted or replaced while the class was graded: "
                "run the same command again"
            )

    def _write(self, line: bytes) -> None:
        rest = memoryview(line)
        while rest:
            rest = rest[self._file.write(rest) :]

    def tidy(self) -> None:
        """Drop what cannot be read, and reports that later ones replaced once they are most of the file."""
        if not self.damaged and self._superseded <= len(self._places):
            return
        self.check()
        write_whole(self._path, b"".join(self._read(place) for place in self._places.values()))
        start = 0
        for who, place in self._places.items():
            self._places[who] = replace(place, start=start)
            start += place.length
        with suppress(OSError):
            self._file.close()
        self._file = self._path.open("ab+", buffering=0)
        self._end, self._superseded, self.damaged = start, 0, 0

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()
        self._lock.close()


def _take_lock(folder: Path) -> IO[bytes]:
    """Held until it is closed, and by nobody who outlives this process: only it has the file open."""
    try:
        lock = (folder / LOCK).open("ab")
    except OSError as error:
        raise cannot_write(folder / LOCK, error) from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        lock.close()
        raise UsageError(f"another run is writing to {folder}: wait for it to end") from error
    return lock


def read_line(line: bytes) -> Report:
    """The report in a line of a journal; any of UNREADABLE where there is none."""
    return from_json(_Entry, json.loads(line)).report


def read_reports(folder: Path, rows: Iterable[ResultRow], *, brief: bool = False) -> list[Report]:
    """The full reports behind the rows of a class, in their order, for whoever only reads.

    `brief` ones are as the class report is made from, without what only their pages need.
    """
    entries: dict[Identity, Report] = {}
    try:
        with (folder / NAME).open("rb") as lines:
            for line in lines:
                # A line that cannot be read is damaged, or the last of a run that was killed: graded again.
                with suppress(*UNREADABLE):
                    report = read_line(line)
                    entries[report.identity] = summarise(report) if brief else report
    except FileNotFoundError:
        raise UsageError(f"{folder} has no {NAME}: grade a class into it first") from None
    wanted = dict.fromkeys(row.identity for row in rows)
    return [entries[who] for who in wanted if who in entries]


def summarise(report: Report) -> Report:
    """A report without what only its page shows, most of it. Half a class says the same, in one copy."""
    return replace(report, parts=tuple(_brief(part) for part in report.parts))


def _brief(part: PartReport) -> PartReport:
    brief = replace(
        part,
        part=sys.intern(part.part),
        verdict=sys.intern(str(part.verdict)),  # of an enumeration, while it has not been a file
        feedback=sys.intern(part.feedback),
        mistake=part.mistake and sys.intern(part.mistake),
        read_as=sys.intern(part.read_as),
        wrong_values=sys.intern(part.wrong_values),
        code_prints=sys.intern(part.code_prints),
        cases=(),
        latex="",
        costs=(),
        departs=part.departs and replace(part.departs, shown=None),
        smallest=None,
    )
    # As they were written: 2 equals 2.0, and is another text.
    return _one_of(brief, *map(repr, (part.score, part.max_score, part.for_slip)))


@lru_cache(maxsize=4096)
def _one_of(part: PartReport, *numbers: str) -> PartReport:
    """The first of those that are equal."""
    return part
