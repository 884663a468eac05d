"""The gradebook's own process: reports come in through a pipe, marks and copies go out in batches."""

from __future__ import annotations

import hashlib
import json
import re
import signal
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from multiprocessing.connection import Connection
from pathlib import Path

from sqlalchemy import Engine

from autograder.as_json import to_json
from autograder.course.load import Course, load_course
from autograder.errors import CourseError, UsageError, reason
from autograder.grade.report import WAITS, Report
from autograder.gradebook import write_marks
from autograder.gradebook.assignments import SetIds, stubs_of, write_structure
from autograder.gradebook.by_hand import read_said
from autograder.gradebook.database_address import address, shown
from autograder.gradebook.late import Deadlines, read_deadlines
from autograder.gradebook.messages import Arrived, Message, Written
from autograder.gradebook.nbgrader_config import write_config
from autograder.gradebook.notebooks_with_marks import answer_in, make_copy
from autograder.gradebook.open_gradebook import open_gradebook
from autograder.gradebook.removal import remove_entries
from autograder.gradebook.said_by_person import AnswerPlace, Said
from autograder.gradebook.timestamps import NAME as TIMESTAMP
from autograder.gradebook.timestamps import read_timestamp
from autograder.notebook.build_notebooks import NotebookJson

BATCH = 200  # reports in one transaction
COPIES = "autograded"  # nbgrader's name for the step
_STAMP = re.compile(rb'{"metadata": {"autograder": {"stamp": "([0-9a-f]+)"')
LONGEST_NAME = 128  # of a student, in nbgrader's tables


@dataclass(frozen=True)
class _Sheet:
    """One report on its way into the gradebook: its marks, and its copy where there is a new one."""

    entry: write_marks.NotebookMarks
    path: Path
    copy: Mapping[str, object] | None
    timestamp: str


def serve(pipe: Connection, root: str, out: str, db: str | None, sets: list[str]) -> None:
    """The body of the process: read reports until an empty message, then tell how it went."""
    # Ctrl-C ends the run; what has been graded by then is still written down here.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        skipped = write_all(pipe, Path(root), Path(out), db, sets)
        answer = Written(tuple(skipped), tuple(said_in(Path(out), db).items()))
    except (UsageError, CourseError) as error:
        answer = Written(fault=str(error))
    except OSError as error:
        answer = Written(fault=f"the gradebook's files cannot be written: {reason(error)}")
    except Exception as error:  # told to the instructor by the process that started this one
        answer = Written(fault=f"the gradebook cannot be written: {type(error).__name__}: {error}")
    with suppress(OSError):  # whoever grades was ended: the next run sends it all again
        pipe.send_bytes(answer.to_bytes())


def write_all(pipe: Connection, root: Path, out: Path, db: str | None, sets: list[str]) -> list[str]:
    course = load_course(root, solutions=False)
    deadlines = read_deadlines(root)
    stubs = stubs_of(course, sets)
    url = address(db, out)
    skipped: list[str] = []
    folders: set[Path | None] = set()
    with open_gradebook(url) as gradebook:
        ids = write_structure(gradebook, stubs, deadlines.due)
        gradebook.db.remove()
        clerk = _Clerk(course, out / COPIES, stubs, gradebook.engine, ids, deadlines)
        batch: list[_Sheet] = []
        for message in _messages(pipe):
            if message.gone:
                clerk.write(batch)
                batch = []
                kept = clerk.remove(message.gone.gone, message.gone.whole)
                skipped += [f"{shown(url)}: {each}" for each in kept]
            arrived = message.arrived
            if arrived is None:
                continue
            if reason := _unfit(arrived.report.student):
                skipped.append(f"{shown(url)}: {reason}")
                continue
            folders.add(_folder(arrived))
            batch.append(clerk.read(arrived))
            if len(batch) == BATCH:
                clerk.write(batch)
                batch = []
        clerk.write(batch)
    write_config(out, root, url, folders.pop() if len(folders) == 1 else None)
    return skipped


def said_in(out: Path, db: str | None) -> dict[AnswerPlace, Said]:
    """What people have said of answers so far: it goes onto the pages that are written next."""
    with open_gradebook(address(db, out)) as gradebook, gradebook.engine.connect() as connection:
        return read_said(connection)


def _messages(pipe: Connection) -> Iterator[Message]:
    while True:
        try:
            message = pipe.recv_bytes()
        except EOFError:  # the run was killed: what came through is still written
            return
        if not message:
            return
        yield Message.from_bytes(message)


def _folder(arrived: Arrived) -> Path | None:
    """Where submissions lie, if they lie there as nbgrader lays them out."""
    path, report = Path(arrived.path).resolve(), arrived.report
    wanted = (report.student, report.set, f"{report.problem}.ipynb")
    return path.parents[2] if path.parts[-3:] == wanted else None


def _unfit(student: str) -> str:
    if len(student) > LONGEST_NAME:
        return f"the student {student[:40]!r}… is left out: names have up to {LONGEST_NAME} characters"
    return ""


class _Clerk:
    """Turns reports into marks and copies."""

    def __init__(
        self,
        course: Course,
        folder: Path,
        stubs: Mapping[tuple[str, str], NotebookJson],
        engine: Engine,
        ids: Mapping[str, SetIds],
        deadlines: Deadlines,
    ) -> None:
        self._course, self._folder, self._stubs = course, folder, stubs
        self._engine, self._ids, self._deadlines = engine, ids, deadlines

    def read(self, arrived: Arrived) -> _Sheet:
        report = arrived.report
        parts = {part.part: part for part in report.parts}
        who = report.identity
        path, stub = self._path(*who), self._stubs[who[1:]]
        scores = {name: None if part.status in WAITS else part.score for name, part in parts.items()}
        data, old = _bytes(arrived.path), _Kept(path)
        stamp = _stamp(data, report)
        known = old.stamp == stamp
        new: NotebookJson | None = None
        if not known:
            made = make_copy(self._course.problems[who[2]], stub, data, parts)
            about = made.pop("metadata")
            head = {"autograder": {"stamp": stamp, **about.pop("autograder")}, **about}
            new = {"metadata": head, **made}
        entry = write_marks.NotebookMarks(
            *who,
            scores,
            silent=lambda part: answer_in(new or old.notebook, part) == answer_in(stub, part),
            changed=lambda part: new is not None and answer_in(old.notebook, part) != answer_in(new, part),
            timestamp=read_timestamp(arrived.timestamp.encode()),
            late=report.late,
            known=known,
        )
        return _Sheet(entry, path, new, arrived.timestamp)

    def write(self, batch: list[_Sheet]) -> None:
        if not batch:
            return
        # Of two reports on one notebook the later one counts.
        last = {(s.entry.set, s.entry.student, s.entry.problem): s for s in batch}
        with self._engine.begin() as db:
            write_marks.write_entries(
                db, [sheet.entry for sheet in last.values()], self._ids, self._deadlines
            )
        # After the marks: an old copy is what tells that an answer has changed since it was marked.
        for sheet in last.values():
            if sheet.copy is not None:
                sheet.path.parent.mkdir(parents=True, exist_ok=True)
                _replace(sheet.path, json.dumps(sheet.copy, ensure_ascii=False))
                if sheet.timestamp:
                    _replace(sheet.path.parent / TIMESTAMP, sheet.timestamp)

    def remove(self, gone: Sequence[Sequence[str]], whole: Sequence[Sequence[str]]) -> list[str]:
        """Take out hand-ins that are no longer there; tells those that stay because a person marked them."""
        with self._engine.begin() as db:
            return remove_entries(db, gone, whole, self._ids)

    def _path(self, student: str, set_id: str, problem_id: str) -> Path:
        return self._folder / student / set_id / f"{problem_id}.ipynb"


class _Kept:
    """The copy of the last grading, read only when it is asked for."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @property
    def stamp(self) -> str:
        """What the copy was made from; it stands at the very beginning of the file."""
        try:
            with self._path.open("rb") as file:
                found = _STAMP.match(file.read(200))
        except OSError:
            return ""
        return found[1].decode() if found else ""

    @cached_property
    def notebook(self) -> NotebookJson:
        try:
            found: NotebookJson = json.loads(self._path.read_bytes())
            return found
        except (OSError, ValueError):
            return {"cells": []}


def _stamp(data: bytes, report: Report) -> str:
    digest = hashlib.sha256(data)
    digest.update(json.dumps(to_json(report)["parts"], sort_keys=True).encode())
    return digest.hexdigest()[:32]


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
