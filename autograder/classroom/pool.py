"""Hand-ins go out to worker processes, JSON reports come back in whatever order they are ready."""

from __future__ import annotations

import json
import multiprocessing
import signal
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

from autograder.classroom.find import Handin
from autograder.classroom.worker import Worker, open_worker
from autograder.errors import UsageError

Report = dict[str, Any]
Read = Callable[[Handin], bytes]


def grade_here(worker: Worker, handins: Sequence[Handin], read: Read) -> Iterator[tuple[Handin, Report]]:
    """Grade one after another in this process."""
    for handin in handins:
        yield handin, json.loads(worker.grade(read(handin), handin.student, handin.set, handin.problem))


def grade_in_processes(
    root: Path,
    limits: Mapping[str, Any],
    isolation: bool,
    handins: Sequence[Handin],
    read: Read,
    workers: int,
) -> Iterator[tuple[Handin, Report]]:
    """Grade in several worker processes, each with a warm sandbox of its own.

    Pipes carry JSON and notebook bytes, never pickles. A worker that dies is an error of the grader's:
    submissions cannot reach it, so the run stops and says so; what is graded stays graded.
    """
    context = multiprocessing.get_context("spawn")
    pipes: dict[Connection, Any] = {}
    for _ in range(workers):
        ours, theirs = context.Pipe()
        arguments = (theirs, str(root), dict(limits), isolation)
        process = context.Process(target=_serve, args=arguments, daemon=True)
        with uninterrupted():
            process.start()
        theirs.close()
        pipes[ours] = process
    patience = 0.0
    try:
        yield from _feed(pipes, list(handins), read)
        patience = 10.0
    finally:
        for pipe in pipes:
            pipe.close()
        for process in pipes.values():
            process.join(timeout=patience)
            if process.is_alive():
                process.kill()


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Processes that are started here never see Ctrl-C: it is this process's to end them."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _feed(
    pipes: Mapping[Connection, Any], handins: list[Handin], read: Read
) -> Iterator[tuple[Handin, Report]]:
    queue = iter(handins)
    busy: dict[Connection, Handin] = {}
    for pipe in pipes:
        _send_next(pipe, queue, read, busy)
    while busy:
        for ready in wait(list(busy)):
            pipe = next(p for p in busy if p is ready)
            handin = busy.pop(pipe)
            try:
                report = json.loads(pipe.recv_bytes())
            except EOFError:
                code = pipes[pipe].exitcode
                raise UsageError(f"a grading process ended (exit code {code}) at {handin.path}") from None
            if "fault" in report:
                raise UsageError(report["fault"])
            _send_next(pipe, queue, read, busy)
            yield handin, report


def _send_next(pipe: Connection, queue: Iterator[Handin], read: Read, busy: dict[Connection, Handin]) -> None:
    handin = next(queue, None)
    if handin is None:
        return
    head = json.dumps({"student": handin.student, "set": handin.set, "problem": handin.problem})
    pipe.send_bytes(head.encode())
    pipe.send_bytes(read(handin))
    busy[pipe] = handin


def _serve(pipe: Connection, root: str, limits: dict[str, Any], isolation: bool) -> None:
    """The body of a worker process."""
    try:
        with open_worker(Path(root), limits, isolation) as worker:
            while True:
                head = json.loads(pipe.recv_bytes())
                data = pipe.recv_bytes()
                pipe.send_bytes(worker.grade(data, head["student"], head["set"], head["problem"]).encode())
    except (EOFError, BrokenPipeError):
        return
    except Exception as error:  # told to the parent, which names it to the instructor
        pipe.send_bytes(json.dumps({"fault": f"{type(error).__name__}: {error}"}).encode())
        raise
