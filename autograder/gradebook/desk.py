"""The gradebook's own process: reports come in through a pipe, marks and copies go out in batches."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from nbgrader.utils import parse_utc
from sqlalchemy import Engine

from autograder.course import Course, load_course
from autograder.errors import CourseError, UsageError
from autograder.gradebook import marks
from autograder.gradebook.book import address, open_gradebook, shown
from autograder.gradebook.copies import Copy, answer_in, copy_text, make_copy
from autograder.gradebook.late import Deadlines, read_deadlines
from autograder.gradebook.line import write_config
from autograder.gradebook.structure import SetIds, stubs_of, write_structure
from autograder.verdict import Status

BATCH = 200  # reports in one transaction
COPIES = "autograded"  # nbgrader's name for the step
LONGEST_NAME = 128  # of a student, in nbgrader's tables


@dataclass(frozen=True)
class _Sheet:
    """One report on its way into the gradebook: its marks, and its copy where there is a new one."""

    entry: marks.Entry
    copy: Copy | None = None
    timestamp: str = ""


def serve(pipe: Connection, root: str, out: str, db: str | None, sets: list[str]) -> None:
    """The body of the process: read reports until an empty message, then tell how it went."""
    # Ctrl-C ends the run; what has been graded by then is still written down here.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        skipped = _write_all(pipe, Path(root), Path(out), db, sets)
        answer: dict[str, Any] = {"skipped": skipped}
    except (UsageError, CourseError) as error:
        answer = {"fault": str(error)}
    except OSError as error:
        answer = {"fault": f"the gradebook's files cannot be written: {error}"}
    except Exception as error:  # told to the instructor by the process that started this one
        answer = {"fault": f"the gradebook cannot be written: {type(error).__name__}: {error}"}
    pipe.send_bytes(json.dumps(answer).encode())


def _write_all(pipe: Connection, root: Path, out: Path, db: str | None, sets: list[str]) -> list[str]:
    course = load_course(root, solutions=False)
    deadlines = read_deadlines(root)
    stubs = stubs_of(course, sets)
    url = address(db, out)
    skipped: list[str] = []
    with open_gradebook(url) as gradebook:
        ids = write_structure(gradebook, stubs, deadlines.due)
        gradebook.db.remove()
        write_config(out, root, url)
        desk = _Desk(course, out / COPIES, stubs, gradebook.engine, ids, deadlines)
        batch: list[_Sheet] = []
        for message in _messages(pipe):
            if reason := _unfit(message["report"]["student"]):
                skipped.append(f"{shown(url)}: {reason}")
                continue
            batch.append(desk.read(message))
            if len(batch) == BATCH:
                desk.write(batch)
                batch = []
        desk.write(batch)
    return skipped


def _messages(pipe: Connection) -> Iterator[dict[str, Any]]:
    while True:
        try:
            message = pipe.recv_bytes()
        except EOFError:  # the run was killed: what came through is still written
            return
        if not message:
            return
        yield json.loads(message)


def _unfit(student: str) -> str:
    if len(student) > LONGEST_NAME:
        return f"the student {student[:40]!r}… is left out: names have up to {LONGEST_NAME} characters"
    return ""


class _Desk:
    """Turns reports into marks and copies."""

    def __init__(
        self,
        course: Course,
        folder: Path,
        stubs: Mapping[tuple[str, str], Mapping[str, Any]],
        engine: Engine,
        ids: Mapping[str, SetIds],
        deadlines: Deadlines,
    ) -> None:
        self._course, self._folder, self._stubs = course, folder, stubs
        self._engine, self._ids, self._deadlines = engine, ids, deadlines

    def read(self, message: Mapping[str, Any]) -> _Sheet:
        report = message["report"]
        parts = {part["part"]: part for part in report["parts"]}
        entry = marks.Entry(
            report["student"],
            report["set"],
            report["problem"],
            {
                name: None if part["status"] == Status.MANUAL else part["score"]
                for name, part in parts.items()
            },
            timestamp=_moment(message["timestamp"]),
        )
        path = self._path(entry)
        if message["known"] and path.is_file():
            return _Sheet(replace(entry, changed=lambda part: False))
        problem = self._course.problems[entry.problem]
        copy = make_copy(problem, self._stubs[entry.set, entry.problem], _bytes(message["path"]), parts)
        entry = replace(entry, silent=copy.silent, changed=_Changes(path, copy))
        return _Sheet(entry, copy, message["timestamp"])

    def write(self, batch: list[_Sheet]) -> None:
        if not batch:
            return
        # Of two reports on one notebook the later one counts.
        last = {(s.entry.set, s.entry.student, s.entry.problem): s for s in batch}
        with self._engine.begin() as db:
            marks.write_entries(db, [sheet.entry for sheet in last.values()], self._ids, self._deadlines)
        # After the marks: an old copy is what tells that an answer has changed since it was marked.
        for sheet in last.values():
            if sheet.copy is not None:
                path = self._path(sheet.entry)
                path.parent.mkdir(parents=True, exist_ok=True)
                _replace(path, copy_text(sheet.copy))
                if sheet.timestamp:
                    _replace(path.parent / "timestamp.txt", sheet.timestamp)

    def _path(self, entry: marks.Entry) -> Path:
        return self._folder / entry.student / entry.set / f"{entry.problem}.ipynb"


class _Changes:
    """Whether a part's answer differs from the copy of the last grading, read only when asked."""

    def __init__(self, path: Path, copy: Copy) -> None:
        self._path, self._copy = path, copy

    def __call__(self, part: str) -> bool:
        try:
            old = json.loads(self._path.read_bytes())
        except (OSError, ValueError):
            return True
        return answer_in(old, part) != answer_in(self._copy.notebook, part)


def _moment(text: str) -> datetime | None:
    """The time in a timestamp.txt, in UTC; none where it cannot be read."""
    try:
        moment: datetime | None = parse_utc(text) if text else None
    except (ValueError, OverflowError, TypeError):
        return None
    return moment


def _bytes(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError:
        return b""


def _replace(path: Path, text: str) -> None:
    """Put a file in place in one step; nbgrader leaves its own read-only."""
    part = path.with_name(f".{path.name}.part")
    part.write_bytes(text.encode("utf-8", "replace"))
    part.replace(path)
