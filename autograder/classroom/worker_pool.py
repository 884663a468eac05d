"""Hand-ins go out to worker processes, JSON reports come back in whatever order they are ready."""

from __future__ import annotations

import gc
import json
import logging
import multiprocessing
import os
import sys
import tempfile
import threading
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkContext, SpawnContext
from multiprocessing.process import BaseProcess
from pathlib import Path
from types import TracebackType
from typing import IO

import torch

from autograder.as_json import from_json, to_json
from autograder.classroom.course_parcel import pack_course
from autograder.classroom.feedback_pages import page_path, write_page
from autograder.classroom.hand_ins import Handin
from autograder.classroom.notebooks import digest, read_notebook
from autograder.classroom.worker import Worker, open_parcel, troubled
from autograder.course.load import Course
from autograder.errors import CourseError, UsageError
from autograder.grade.report import Report
from autograder.logs import NAME as FAULTS
from autograder.logs import kept_faults
from autograder.sandbox.interrupts import uninterrupted
from autograder.sandbox.parent_pool import Sandbox
from autograder.sandbox.process_activity import ActivityWatch, die_with_parent

Graded = tuple[Handin, Report, str]  # with the digest of the bytes that were graded
AHEAD = 2  # hand-ins at a worker: one is graded, the next one is already there
LOOK_SECONDS = 1.0  # how often we look whether a worker has fallen silent
MAX_LOSSES = 3  # workers that one hand-in may lose
MAX_IN_A_ROW = 8  # workers lost without any report in between: then it is the machine, not a hand-in
LOST = "the process that graded this notebook ended three times: a person will look at it"

log = logging.getLogger(__name__)


def grade_here(worker: Worker, handins: Sequence[Handin]) -> Iterator[Graded]:
    """Grade one after another in this process."""
    for handin in handins:
        data = read_notebook(handin.path)
        yield handin, worker.grade(data, handin.student, handin.set, handin.problem), digest(data)


@dataclass
class _Seat:
    """One worker process: the pipe to it, what it has to do, and whether it still lives."""

    pipe: Connection
    process: BaseProcess
    watch: ActivityWatch
    orders: deque[Handin] = field(default_factory=deque)


@dataclass(frozen=True)
class _Errand:
    """What a worker is asked for: the report of a notebook, and its page."""

    student: str
    set: str
    problem: str
    notebook: str
    page: str


@dataclass(frozen=True)
class _Answer:
    """What a worker sends: a report with the digest of its notebook, or why there is none.

    What is `wrong` is the instructor's to mend; without it, and without a report, the worker has failed.
    """

    report: Report | None = None
    digest: str = ""
    wrong: str | None = None


class Crew:
    """Worker processes, each with a warm sandbox of its own, which grade and write the pages.

    They are forks of this process, which has imported all they need, wherever that can be: make them before
    threads are started and files are opened. Pipes carry JSON, never pickles. A worker that dies, fails or
    falls silent is replaced, and what it had is graded by others; a hand-in that loses three is left to a
    person, and not for good.
    """

    def __init__(
        self,
        course: Course,
        limits: Mapping[str, float],
        out: Path,
        workers: int,
        *,
        isolation: bool = True,
        early: Sandbox | None = None,
    ) -> None:
        """`early` is a sandbox that is warming up already: the first worker has it."""
        self._course, self._limits, self._out, self._isolation = course, dict(limits), out, isolation
        self._seats: list[_Seat] = []
        self._ended_well = False
        self._losses: Counter[Handin] = Counter()
        self._in_a_row = 0
        self._parcel: IO[bytes] | None = None
        forked = forks()
        if forked:
            gc.freeze()  # a collection in a worker would touch, and so copy, every page
        for number in range(workers):
            if forked:
                self._fork(early if number == 0 else None)
            else:
                self._spawn()

    def _fork(self, early: Sandbox | None) -> None:
        ours, theirs = multiprocessing.get_context("fork").Pipe()
        others = [*(seat.pipe for seat in self._seats), ours]
        course, limits = self._course, self._limits
        arguments = (theirs, os.getpid(), others, course, limits, self._isolation, early)
        self._add(ours, theirs, multiprocessing.get_context("fork"), _serve_forked, arguments)

    def _spawn(self) -> None:
        """A new process, which reads the course as it was loaded: its files may be others by now.

        It reads a file of ours: a pipe would wait for ever for a process that was ended before it read.
        """
        ours, theirs = multiprocessing.get_context("spawn").Pipe()
        if self._parcel is None:
            self._parcel = tempfile.NamedTemporaryFile(prefix="autograder-")  # noqa: SIM115 - closed at exit
            self._parcel.write(pack_course(self._course, self._limits, self._isolation).data)
            self._parcel.flush()
        told = (theirs, os.getpid(), self._parcel.name, self._limits, self._isolation, str(self._out))
        self._add(ours, theirs, multiprocessing.get_context("spawn"), _serve_spawned, told)

    def _add(
        self,
        ours: Connection,
        theirs: Connection,
        context: SpawnContext | ForkContext,
        body: Callable[..., None],
        arguments: tuple[object, ...],
    ) -> None:
        process = context.Process(target=body, args=arguments, daemon=True)
        with uninterrupted():
            process.start()
        theirs.close()
        self._seats.append(_Seat(ours, process, ActivityWatch(process.pid or 0)))

    def __enter__(self) -> Crew:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for seat in self._seats:
            seat.pipe.close()
        for seat in self._seats:
            seat.process.join(timeout=10.0 if self._ended_well else 0.0)
            if seat.process.is_alive():
                seat.process.kill()
        if self._parcel is not None:
            self._parcel.close()

    def grade(self, handins: Sequence[Handin]) -> Iterator[Graded]:
        """A report for each, its page already written but for those that no worker could grade."""
        left = deque(handins)
        while left or any(seat.orders for seat in self._seats):
            for seat in self._seats:
                while left and len(seat.orders) < AHEAD:
                    self._send(seat, left.popleft())
            waiting = {seat.pipe: seat for seat in self._seats if seat.orders}
            ready = wait(list(waiting), timeout=LOOK_SECONDS)
            for pipe, seat in waiting.items():
                answer = None
                if any(pipe is each for each in ready):
                    answer = self._receive(seat)
                elif not seat.watch.is_given_up():
                    continue
                if answer is not None:
                    self._in_a_row = 0
                    yield seat.orders.popleft(), *answer
                elif (lost := self._replace(seat, left)) is not None:
                    yield lost, troubled(self._course, lost, LOST), ""
        self._ended_well = True

    def _receive(self, seat: _Seat) -> tuple[Report, str] | None:
        """What a worker says; nothing where it has ended or failed."""
        try:
            answer = from_json(_Answer, json.loads(seat.pipe.recv_bytes()))
        except (EOFError, OSError):
            seat.process.join(1)
            log.error(
                "a grading process ended (exit code %s) at %s", seat.process.exitcode, seat.orders[0].path
            )
            return None
        seat.watch.heard()
        if answer.wrong is not None:
            raise UsageError(answer.wrong)
        return None if answer.report is None else (answer.report, answer.digest)

    def _replace(self, seat: _Seat, left: deque[Handin]) -> Handin | None:
        """A new worker for one that is lost; tells the hand-in that has now lost too many."""
        seat.process.kill()
        seat.pipe.close()
        self._seats.remove(seat)
        self._in_a_row += 1
        if self._in_a_row >= MAX_IN_A_ROW:
            raise UsageError(
                f"{MAX_IN_A_ROW} grading processes ended one after another, the last at "
                f"{seat.orders[0].path}: {self._out / FAULTS} tells why; what was graded is kept"
            )
        first, *others = seat.orders
        left.extendleft(reversed(others))
        self._losses[first] += 1
        self._spawn()
        if self._losses[first] < MAX_LOSSES:
            left.appendleft(first)
            return None
        return first

    def _send(self, seat: _Seat, handin: Handin) -> None:
        order = _Errand(*handin.identity, str(handin.path), str(page_path(self._out, handin)))
        with suppress(OSError):  # whoever waits for the answer reads what it said before it ended
            seat.pipe.send_bytes(_bytes(order))
        seat.orders.append(handin)


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
    parent: int,
    others: Sequence[Connection],
    course: Course,
    limits: dict[str, float],
    isolation: bool,
    early: Sandbox | None,
) -> None:
    die_with_parent(parent)
    for other in others:  # while a worker holds another's pipe, that one never learns that we are gone
        other.close()
    _serve(pipe, lambda: Worker.of(course, limits, isolation=isolation, sandbox=early), isolation)


def _serve_spawned(
    pipe: Connection, parent: int, parcel: str, limits: dict[str, float], isolation: bool, out: str
) -> None:
    die_with_parent(parent)
    with kept_faults(Path(out)):
        _serve(pipe, lambda: open_parcel(Path(parcel).read_bytes(), limits, isolation), isolation)


def _serve(pipe: Connection, opened: Callable[[], Worker], isolation: bool) -> None:
    """The body of a worker process. The sandbox is started when there is something to grade."""
    try:
        order = from_json(_Errand, json.loads(pipe.recv_bytes()))
        with opened() as worker:
            while True:
                pipe.send_bytes(_obey(order, worker, isolation))
                order = from_json(_Errand, json.loads(pipe.recv_bytes()))
    except (EOFError, ConnectionError):
        return
    except (UsageError, CourseError) as error:  # told to the parent, which names it to the instructor
        _tell(pipe, _Answer(wrong=str(error)))
    except Exception:
        log.exception("a grading process failed")
        _tell(pipe, _Answer())


def _tell(pipe: Connection, answer: _Answer) -> None:
    with suppress(OSError):
        pipe.send_bytes(_bytes(answer))


def _bytes(message: _Errand | _Answer) -> bytes:
    return json.dumps(to_json(message)).encode()


def _obey(order: _Errand, worker: Worker, isolation: bool) -> bytes:
    data = read_notebook(Path(order.notebook))
    report = worker.grade(data, order.student, order.set, order.problem)
    # The page first: a report that has come back is done with, and nobody would miss its page.
    write_page(Path(order.page), worker.course, report, data, isolation=isolation)
    return _bytes(_Answer(report, digest(data)))
