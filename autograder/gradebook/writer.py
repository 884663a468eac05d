"""Marks go to nbgrader's gradebook while grading goes on: another process writes, this one only sends."""

from __future__ import annotations

import gc
import importlib.util
import json
import multiprocessing
import queue
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from autograder.errors import UsageError
from autograder.processes import uninterrupted

WAITING = 10_000  # reports that may wait while the gradebook opens, a few kilobytes each

PART = ("part", "score", "max_score", "status", "feedback")
CASE = ("name", "passed", "message")


class GradebookWriter:
    """Takes reports as they come, and writes them to OUT/gradebook.db or the address `db`.

    nbgrader takes seconds to import and SQL to run; neither may hold up a submission. So the work is done
    by another process, and a thread feeds its pipe. A fault there is raised by the next call here.
    """

    def __init__(self, root: Path, out: Path, sets: Sequence[str], db: str | None = None) -> None:
        if importlib.util.find_spec("nbgrader") is None:
            raise UsageError(
                'the gradebook needs nbgrader: pip install "autograder[instructor]", or add --no-gradebook'
            )
        context = multiprocessing.get_context("spawn")
        self._pipe, self._theirs = context.Pipe()
        arguments = (self._theirs, str(root), str(out), db, sorted(set(sets)))
        self._process = context.Process(target=_start, args=arguments, daemon=True)
        self._queue: queue.Queue[bytes] = queue.Queue(WAITING)
        self._feeder = threading.Thread(target=self._feed, daemon=True)
        self._started = False

    def _start(self) -> None:
        """Not before the first report: the imports would take the processors from those of the graders."""
        if not self._started:
            self._started = True
            with uninterrupted():
                self._process.start()
            self._theirs.close()
            self._feeder.start()

    def add(self, report: Mapping[str, Any], notebook: Path) -> None:
        """Send one report; what the gradebook has already is only compared."""
        message = {"report": _slim(report), "path": str(notebook), "timestamp": _timestamp(notebook)}
        self._put(json.dumps(message).encode())

    def close(self) -> tuple[str, ...]:
        """Wait until everything is written; tells what was left out, a sentence each."""
        self._put(b"")
        self._feeder.join()
        answer = self._answer()
        self._process.join()
        return tuple(answer["skipped"])

    def __enter__(self) -> GradebookWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """After an error, still write what was graded; without one, `close` has been called."""
        if self._started and self._process.is_alive():
            self._queue.put(b"")
            self._feeder.join()
            self._process.join()
        self._pipe.close()

    def _put(self, message: bytes) -> None:
        self._start()
        while True:
            if self._pipe.poll():
                self._answer()
            try:
                return self._queue.put(message, timeout=0.2)
            except queue.Full:
                continue

    def _feed(self) -> None:
        try:
            while message := self._queue.get():
                self._pipe.send_bytes(message)
            self._pipe.send_bytes(b"")
        except OSError:  # the process has ended; its last words are read by whoever calls next
            while self._queue.get():
                pass

    def _answer(self) -> dict[str, Any]:
        try:
            answer: dict[str, Any] = json.loads(self._pipe.recv_bytes())
        except EOFError:
            self._process.join()
            code = self._process.exitcode
            raise UsageError(f"the process that writes the gradebook ended (exit code {code})") from None
        if "fault" in answer:
            raise UsageError(answer["fault"])
        return answer


def _slim(report: Mapping[str, Any]) -> dict[str, Any]:
    """What the gradebook needs of a report: many may wait, and their pictures would fill the memory."""
    parts = [
        {name: part[name] for name in PART} | {"cases": [{n: c[n] for n in CASE} for c in part["cases"]]}
        for part in report["parts"]
    ]
    return {"student": report["student"], "set": report["set"], "problem": report["problem"], "parts": parts}


def _timestamp(notebook: Path) -> str:
    """When a submission came in, as nbgrader and its exchange note it beside the notebooks."""
    try:
        return (notebook.parent / "timestamp.txt").read_text(encoding="utf-8")[:100].strip()
    except (OSError, UnicodeDecodeError):
        return ""


def _start(pipe: Any, root: str, out: str, db: str | None, sets: list[str]) -> None:
    gc.set_threshold(50_000)  # none of what is imported is garbage
    # Imported here: the process that grades never needs nbgrader.
    from autograder.gradebook.desk import serve

    serve(pipe, root, out, db, sets)
