"""Hand-ins go out to worker processes, JSON reports come back in whatever order they are ready."""

from __future__ import annotations

import gc
import json
import multiprocessing
import os
import sys
import threading
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from pathlib import Path
from types import TracebackType
from typing import Any

import torch

from autograder.classroom.find import Handin
from autograder.classroom.notebooks import digest, read_notebook
from autograder.classroom.pages import page_path, write_page
from autograder.classroom.worker import Worker, open_worker
from autograder.course import Course
from autograder.errors import UsageError
from autograder.processes import uninterrupted
from autograder.sandbox import Sandbox

Report = dict[str, Any]
Graded = tuple[Handin, Report, str]  # with the digest of the bytes that were graded
AHEAD = 2  # hand-ins at a worker: one is graded, the next one is already there


def grade_here(worker: Worker, handins: Sequence[Handin]) -> Iterator[Graded]:
    """Grade one after another in this process."""
    for handin in handins:
        data = read_notebook(handin.path)
        yield handin, worker.grade(data, handin.student, handin.set, handin.problem), digest(data)


class Crew:
    """Worker processes, each with a warm sandbox of its own, which grade and write the pages.

    They are forks of this process, which has imported all they need, wherever that can be: make them before
    threads are started and files are opened. Pipes carry JSON, never pickles. A worker that dies is an error
    of the grader's: submissions cannot reach it, so the run stops and says so; what is graded stays graded.
    """

    def __init__(
        self,
        course: Course,
        limits: Mapping[str, Any],
        out: Path,
        workers: int,
        *,
        isolation: bool = True,
        early: Sandbox | None = None,
    ) -> None:
        """`early` is a sandbox that is warming up already: the first worker has it."""
        self._out = out
        self._pipes: dict[Connection, Any] = {}
        self._ended_well = False
        forked = forks()
        if forked:
            gc.freeze()  # a collection in a worker would touch, and so copy, every page
        for number in range(workers):
            if forked:
                ours, theirs = multiprocessing.get_context("fork").Pipe()
                first = early if number == 0 else None
                arguments = (theirs, [*self._pipes, ours], course, dict(limits), isolation, first)
                self._add(ours, theirs, multiprocessing.get_context("fork"), _serve_forked, arguments)
            else:
                ours, theirs = multiprocessing.get_context("spawn").Pipe()
                told = (theirs, str(course.root), dict(limits), isolation)
                self._add(ours, theirs, multiprocessing.get_context("spawn"), _serve_spawned, told)

    def _add(
        self, ours: Connection, theirs: Connection, context: Any, body: Any, arguments: tuple[Any, ...]
    ) -> None:
        process = context.Process(target=body, args=arguments, daemon=True)
        with uninterrupted():
            process.start()
        theirs.close()
        self._pipes[ours] = process

    def __enter__(self) -> Crew:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for pipe in self._pipes:
            pipe.close()
        for process in self._pipes.values():
            process.join(timeout=10.0 if self._ended_well else 0.0)
            if process.is_alive():
                process.kill()

    def grade(self, handins: Sequence[Handin]) -> Iterator[Graded]:
        """A report for each, its page already written."""
        queue = iter(handins)
        busy: dict[Connection, deque[Handin]] = {pipe: deque() for pipe in self._pipes}
        for _ in range(AHEAD):
            for pipe in self._pipes:
                self._send_next(pipe, queue, busy)
        while waiting := [pipe for pipe, orders in busy.items() if orders]:
            for ready in wait(waiting):
                pipe = next(p for p in waiting if p is ready)
                answer = self._receive(pipe, busy[pipe][0])
                handin = busy[pipe].popleft()
                self._send_next(pipe, queue, busy)
                yield handin, answer["report"], answer["digest"]
        self._ended_well = True

    def _receive(self, pipe: Connection, handin: Handin) -> dict[str, Any]:
        try:
            answer: dict[str, Any] = json.loads(pipe.recv_bytes())
        except (EOFError, ConnectionResetError):
            process = self._pipes[pipe]
            process.join(1)
            raise UsageError(
                f"a grading process ended (exit code {process.exitcode}) at {handin.path}"
            ) from None
        if "fault" in answer:
            raise UsageError(answer["fault"])
        return answer

    def _send_next(
        self, pipe: Connection, queue: Iterator[Handin], busy: dict[Connection, deque[Handin]]
    ) -> None:
        handin = next(queue, None)
        if handin is None:
            return
        order = {
            "student": handin.student,
            "set": handin.set,
            "problem": handin.problem,
            "notebook": str(handin.path),
            "page": str(page_path(self._out, handin)),
        }
        with suppress(BrokenPipeError):  # whoever waits for the answer reads what it said before it ended
            pipe.send_bytes(json.dumps(order).encode())
        busy[pipe].append(handin)


def forks() -> bool:
    """Whether a fork of this process can grade: not beside threads, be they of a torch for other devices."""
    if sys.platform != "linux" or threading.active_count() > 1:
        return False
    child = os.fork()
    if not child:
        try:
            torch.ones(1, requires_grad=True).sum().backward()  # type: ignore[no-untyped-call]
            os._exit(0)
        finally:
            os._exit(1)
    return os.waitpid(child, 0)[1] == 0


def _serve_forked(
    pipe: Connection,
    others: Sequence[Connection],
    course: Course,
    limits: dict[str, Any],
    isolation: bool,
    early: Sandbox | None,
) -> None:
    for other in others:  # while a worker holds another's pipe, that one never learns that we are gone
        other.close()
    _serve(pipe, lambda: Worker.of(course, limits, isolation=isolation, sandbox=early), isolation)


def _serve_spawned(pipe: Connection, root: str, limits: dict[str, Any], isolation: bool) -> None:
    _serve(pipe, lambda: open_worker(Path(root), limits, isolation), isolation)


def _serve(pipe: Connection, opened: Any, isolation: bool) -> None:
    """The body of a worker process. The sandbox is started when there is something to grade."""
    try:
        order = json.loads(pipe.recv_bytes())
        with opened() as worker:
            while True:
                pipe.send_bytes(_obey(order, worker, isolation))
                order = json.loads(pipe.recv_bytes())
    except (EOFError, ConnectionError):
        return
    except Exception as error:  # told to the parent, which names it to the instructor
        said = str(error) if isinstance(error, UsageError) else f"{type(error).__name__}: {error}"
        with suppress(ConnectionError):
            pipe.send_bytes(json.dumps({"fault": said}).encode())
        if not isinstance(error, UsageError):
            raise


def _obey(order: Mapping[str, str], worker: Worker, isolation: bool) -> bytes:
    data = read_notebook(Path(order["notebook"]))
    report = worker.grade(data, order["student"], order["set"], order["problem"])
    problem = worker.course.problems[order["problem"]]
    # The page first: a report that has come back is done with, and nobody would miss its page.
    write_page(Path(order["page"]), problem, report, data, isolation=isolation)
    return json.dumps({"report": report, "digest": digest(data)}).encode()
