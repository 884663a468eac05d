"""Marks go to nbgrader's gradebook while grading goes on: another process writes, this one only sends."""

from __future__ import annotations

import importlib.util
import logging
import multiprocessing
import queue
import threading
import time
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from multiprocessing.connection import Connection
from pathlib import Path
from types import TracebackType

from autograder.docs_at_hand import as_said
from autograder.errors import UsageError
from autograder.grade.report import Identity, PartReport, Report, Status
from autograder.gradebook.messages import Arrived, Gone, Message, Written
from autograder.gradebook.said_by_person import AnswerPlace, Said
from autograder.gradebook.timestamps import timestamp_text
from autograder.light_imports import import_lightly, without_notebook_server
from autograder.sandbox.interrupts import uninterrupted
from autograder.sandbox.process_activity import ActivityWatch

log = logging.getLogger(__name__)
LOOK_SECONDS = 0.05  # how often we look whether it is done
WAITING = 10_000  # reports that may wait while the gradebook opens, a few kilobytes each


class GradebookGoneError(Exception):
    """The process that writes the gradebook has ended or fallen silent; another can be started."""


class GradebookWriter:
    """Takes reports as they come, and writes them to OUT/gradebook.db or the address `db`.

    nbgrader takes seconds to import and SQL to run; neither may hold up a submission. So the work is done
    by another process, and a thread feeds its pipe. Grading outlives it: a fault there is told by `close`.
    """

    def __init__(self, root: Path, out: Path, sets: Sequence[str], db: str | None = None) -> None:
        if importlib.util.find_spec("nbgrader") is None:
            raise UsageError(
                "the gradebook needs nbgrader: add --no-gradebook, or install the wheel with [instructor]"
                f"{as_said('install')}"
            )
        context = multiprocessing.get_context("spawn")
        self._pipe, self._theirs = context.Pipe()
        arguments = (self._theirs, str(root), str(out), db, sorted(set(sets)))
        self._process = context.Process(target=_start, args=arguments, daemon=True)
        self._queue: queue.Queue[bytes] = queue.Queue(WAITING)
        self._feeder = threading.Thread(target=self._feed, daemon=True)
        self._watch: ActivityWatch | None = None
        self._answer: Written | None = None
        self.said: dict[AnswerPlace, Said] = {}  # what people have said of answers; known once it is closed

    def _started(self) -> ActivityWatch:
        """Not before the first report: the imports would take the processors from those of the graders."""
        if self._watch is None:
            with uninterrupted():
                self._process.start()
            self._theirs.close()
            self._feeder.start()
            self._watch = ActivityWatch(self._process.pid or 0)
        return self._watch

    def add(self, report: Report, notebook: Path, submitted: datetime | None) -> None:
        """Send one report; what the gradebook has already is only compared."""
        stamp = timestamp_text(submitted).strip() if submitted else ""
        self._put(Message(arrived=Arrived(_slim(report), str(notebook), stamp)).to_bytes())

    def remove(self, gone: Sequence[Identity], left: Collection[tuple[str, str]]) -> None:
        """Take hand-ins out: student, set and problem of each; `left` are students and sets that stay."""
        if gone:
            whole = sorted({who[:2] for who in gone} - set(left))
            self._put(Message(gone=Gone(tuple(gone), tuple(whole))).to_bytes())

    def close(self) -> tuple[str, ...]:
        """Wait until everything is written; tells what was left out, a sentence each.

        Raises UsageError where the gradebook cannot be written, GradebookGoneError where a new process could.
        """
        self._put(b"")
        while not self._ended():
            time.sleep(LOOK_SECONDS)
        self._feeder.join()
        answer = self._answer or Written()
        if answer.fault:
            raise UsageError(
                f"{answer.fault}; everything else is written: run the same command again when it is mended"
            )
        if answer.skipped is None:
            raise GradebookGoneError(f"exit code {self._process.exitcode}")
        self.said = dict(answer.said)
        return answer.skipped

    def __enter__(self) -> GradebookWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """After an error the process is ended: what it has not written yet, the next run sends again."""
        if self._watch is not None and self._process.is_alive():
            self._process.kill()
            self._process.join()
        self._pipe.close()

    def _put(self, message: bytes) -> None:
        self._started()
        while not self._ended():
            with suppress(queue.Full):
                self._queue.put(message, timeout=LOOK_SECONDS)
                return

    def _ended(self) -> bool:
        """Whether there is nobody to write for us: it has said its last word, died, or fallen silent."""
        watch = self._started()
        if self._answer is not None:
            return True
        try:
            if self._pipe.poll():
                self._answer = Written.from_bytes(self._pipe.recv_bytes())
                self._process.join()
        except (EOFError, OSError):
            self._answer = Written()
        if self._answer is None and watch.is_given_up():
            self._answer = Written()
        if self._answer is None:
            return False
        if self._answer.skipped is None:
            log.error("the gradebook is not written: %s", self._answer.fault or "its process is gone")
            self._process.kill()
            self._process.join()
            self._drain()
        return True

    def _drain(self) -> None:
        """Let the feeder end: nobody reads what it has."""
        with suppress(queue.Empty):
            while True:
                self._queue.get_nowait()
        self._queue.put(b"")

    def _feed(self) -> None:
        message = b"begin"
        try:
            while message:
                message = self._queue.get()
                self._pipe.send_bytes(message)
        except OSError:  # the process has ended; whoever calls next finds that out
            while message:
                message = self._queue.get()


def _slim(report: Report) -> Report:
    """What the gradebook needs of a report: many may wait, and their pictures would fill the memory."""
    parts = (
        PartReport(
            part.part,
            part.score,
            part.max_score,
            part.status,
            part.verdict,
            part.feedback,
            read_as=part.read_as if part.status is Status.MANUAL else "",
            cases=tuple(replace(case, shown=None) for case in part.cases),
        )
        for part in report.parts
    )
    return Report(*report.identity, tuple(parts), late=report.late)


def _start(pipe: Connection, root: str, out: str, db: str | None, sets: list[str]) -> None:
    import_lightly()
    without_notebook_server()
    # Imported here: the process that grades never needs nbgrader.
    from autograder.gradebook.gradebook_process import serve

    serve(pipe, root, out, db, sets)
