"""Every report is appended to OUT/journal.jsonl as soon as it exists, and found again by the next run."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any

from autograder.classroom.tables import cannot_write, write_whole
from autograder.errors import UsageError

NAME = "journal.jsonl"
Identity = tuple[str, str, str]  # student, set, problem


class Journal:
    """An append-only file of reports, each with the digests of its notebook and its key."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / NAME
        self.entries: dict[Identity, dict[str, Any]] = {}
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
                    who = identity(entry["report"])
                except (ValueError, KeyError, TypeError):
                    break
                self._superseded += who in self.entries
                self.entries[who] = entry
                end += len(line)
        return end

    def known(self, who: Identity, digest: str, key: str) -> bool:
        """Whether this very notebook was graded by this very key."""
        entry = self.entries.get(who)
        return entry is not None and entry["digest"] == digest and entry["key"] == key

    def add(self, report: Mapping[str, Any], digest: str, key: str) -> None:
        """Write a report to the disk before anything else happens to it."""
        entry = {"digest": digest, "key": key, "report": dict(report)}
        line = _line(entry)
        try:
            self._write(line)
            os.fsync(self._file.fileno())
        except OSError as error:
            with suppress(OSError):
                self._file.truncate(self._end)
            raise cannot_write(self._path, error) from error
        self._end += len(line)
        who = identity(report)
        self._superseded += who in self.entries
        self.entries[who] = entry

    def _write(self, line: bytes) -> None:
        rest = memoryview(line)
        while rest:
            rest = rest[self._file.write(rest) :]

    def tidy(self) -> None:
        """Drop reports that later ones replaced, once they are the larger part of the file."""
        if self._superseded > len(self.entries):
            write_whole(self._path, b"".join(_line(entry) for entry in self.entries.values()))
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


def _line(entry: Mapping[str, Any]) -> bytes:
    return json.dumps(entry, ensure_ascii=False).encode("utf-8", "replace") + b"\n"
