"""Every report is appended to OUT/journal.jsonl as soon as it exists, and found again by the next run."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

NAME = "journal.jsonl"
Identity = tuple[str, str, str]  # student, set, problem


class Journal:
    """An append-only file of reports, each with the digests of its notebook and its key."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / NAME
        self.entries: dict[Identity, dict[str, Any]] = {}
        end = 0
        if self._path.is_file():
            end = self._load()
        self._file = self._path.open("ab")
        # A run that was killed may have left half a line: it is cut off, and graded again.
        self._file.truncate(end)

    def _load(self) -> int:
        end = 0
        with self._path.open("rb") as lines:
            for line in lines:
                if not line.endswith(b"\n"):
                    break
                try:
                    entry = json.loads(line)
                    self.entries[identity(entry["report"])] = entry
                except (ValueError, KeyError, TypeError):
                    break
                end += len(line)
        return end

    def known(self, who: Identity, digest: str, key: str) -> bool:
        """Whether this very notebook was graded by this very key."""
        entry = self.entries.get(who)
        return entry is not None and entry["digest"] == digest and entry["key"] == key

    def add(self, report: Mapping[str, Any], digest: str, key: str) -> None:
        """Write a report to the disk before anything else happens to it."""
        entry = {"digest": digest, "key": key, "report": dict(report)}
        self._file.write(json.dumps(entry, ensure_ascii=False).encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())
        self.entries[identity(report)] = entry

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()


def identity(report: Mapping[str, Any]) -> Identity:
    return report["student"], report["set"], report["problem"]
