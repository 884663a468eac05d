"""Every report is appended to OUT/journal.jsonl as soon as it exists, and found again by the next run."""

from __future__ import annotations

import fcntl
import json
import os
import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from autograder.classroom.tables import cannot_write, write_whole
from autograder.errors import UsageError

NAME = "journal.jsonl"
Identity = tuple[str, str, str]  # student, set, problem
DETAILS = frozenset({"cases", "latex", "costs"})  # most of a report, for its page only


@dataclass(frozen=True, slots=True)
class _Place:
    """What was graded by what, and where in the file the report lies."""

    digest: str
    key: str
    start: int
    length: int


class Journal:
    """An append-only file of reports, each with the digests of its notebook and its key.

    Whole reports stay on the disk; `summaries` are what tables and the class report need of them.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / NAME
        self.summaries: dict[Identity, dict[str, Any]] = {}
        self._places: dict[Identity, _Place] = {}
        self._superseded = 0
        try:
            # Not buffered: what `add` has written is out of this process when it returns.
            self._file = self._path.open("ab+", buffering=0)
        except OSError as error:
            raise cannot_write(self._path, error) from error
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            self._file.close()
            raise UsageError(f"another run is writing to {folder}: wait for it to end") from error
        # A run that was killed may have left half a line: it is cut off, and graded again.
        self._end = self._load()
        self._file.truncate(self._end)

    def _load(self) -> int:
        end = 0
        with self._path.open("rb") as lines:
            for line in lines:
                try:
                    entry = json.loads(line) if line.endswith(b"\n") else {}
                    self._keep(entry, end, len(line))
                except (ValueError, KeyError, TypeError):
                    break
                end += len(line)
        return end

    def _keep(self, entry: Mapping[str, Any], start: int, length: int) -> None:
        summary = summarise(entry["report"])
        who = identity(summary)
        self._superseded += who in self._places
        self._places[who] = _Place(entry["digest"], sys.intern(entry["key"]), start, length)
        self.summaries[who] = summary

    def graded(self, who: Identity, key: str) -> str | None:
        """The digest of the notebook that was graded by this very key, if one was."""
        place = self._places.get(who)
        return place.digest if place is not None and place.key == key else None

    def report(self, who: Identity) -> dict[str, Any]:
        """The whole report, from the disk."""
        report: dict[str, Any] = json.loads(self._read(self._places[who]))["report"]
        return report

    def _read(self, place: _Place) -> bytes:
        return os.pread(self._file.fileno(), place.length, place.start)

    def add(self, report: Mapping[str, Any], digest: str, key: str) -> None:
        """Write a report to the disk before anything else happens to it."""
        entry = {"digest": digest, "key": key, "report": dict(report)}
        line = json.dumps(entry, ensure_ascii=False).encode("utf-8", "replace") + b"\n"
        try:
            self._write(line)
            os.fsync(self._file.fileno())
        except OSError as error:
            with suppress(OSError):
                self._file.truncate(self._end)
            raise cannot_write(self._path, error) from error
        self._keep(entry, self._end, len(line))
        self._end += len(line)

    def _write(self, line: bytes) -> None:
        rest = memoryview(line)
        while rest:
            rest = rest[self._file.write(rest) :]

    def tidy(self) -> None:
        """Drop reports that later ones replaced, once they are the larger part of the file."""
        if self._superseded > len(self._places):
            write_whole(self._path, b"".join(self._read(place) for place in self._places.values()))
            self._superseded = 0

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()


def read_reports(folder: Path, rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The full reports behind the rows of a class, in their order, for whoever only reads."""
    entries: dict[Identity, dict[str, Any]] = {}
    try:
        with (folder / NAME).open("rb") as lines:
            for line in lines:
                report = json.loads(line)["report"]
                entries[identity(report)] = report
    except FileNotFoundError:
        raise UsageError(f"{folder} has no {NAME}: grade a class into it first") from None
    except (ValueError, KeyError, TypeError):
        pass  # the line at which a run was killed; the next one goes on from there
    wanted = dict.fromkeys(identity(row) for row in rows)
    return [entries[who] for who in wanted if who in entries]


def identity(report: Mapping[str, Any]) -> Identity:
    return report["student"], report["set"], report["problem"]


def summarise(report: Mapping[str, Any]) -> dict[str, Any]:
    """A report without its details. Half a class says the same, in one copy."""
    parts = [
        {sys.intern(name): _once(value) for name, value in part.items() if name not in DETAILS}
        for part in report["parts"]
    ]
    return {**{sys.intern(name): _once(value) for name, value in report.items()}, "parts": parts}


def _once(value: Any) -> Any:
    return sys.intern(value) if type(value) is str else value
