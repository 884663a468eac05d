"""Problems go out to processes that prove them side by side; what was proved and is unchanged is kept."""

from __future__ import annotations

import json
import logging
import multiprocessing
import os
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import cast

import torch

from autograder.as_json import from_json, to_json
from autograder.calls.requests_and_outcomes import Limits, override
from autograder.classroom.grading_digest import key_of
from autograder.classroom.worker_pool import forks
from autograder.course.load import Course
from autograder.diagnose.prints_on_disk import folder
from autograder.sandbox.interrupts import uninterrupted
from autograder.sandbox.parent_pool import Sandbox
from autograder.sandbox.process_activity import die_with_parent
from autograder.verify.checks import Check
from autograder.verify.proof import prove_problem

MAX_LOSSES = 2  # processes that one problem may lose
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Proof:
    """The checks of one problem, and whether they were made by an earlier run."""

    problem: str
    checks: tuple[Check, ...]
    kept: bool = False


def prove_course(
    course: Course, only: Sequence[str] = (), *, workers: int = 1, again: bool = False
) -> Iterator[Proof]:
    """A proof of every problem, in whatever order they are ready; `again` proves what is kept, too."""
    torch.set_num_threads(1)  # the tensors are tiny: more threads only wait for one another
    left: list[str] = []
    for name in only or course.problems:
        checks = None if again else _kept(course, name)
        if checks is None:
            left.append(name)
        else:
            yield Proof(name, checks, kept=True)
    # The longest files first: they list the most, and nobody waits for one of them at the end.
    left.sort(key=lambda name: -len(course.files[f"solutions/{name}.py"]))
    fresh = (
        _side_by_side(course, left, workers)
        if min(workers, len(left)) > 1 and forks()
        else _here(course, left)
    )
    for proof in fresh:
        if all(check.passed for check in proof.checks):
            _keep(course, proof)
        yield proof


def _here(course: Course, names: Sequence[str]) -> Iterator[Proof]:
    if not names:
        return
    with _sandbox(course) as sandbox:
        for name in names:
            yield Proof(name, tuple(prove_problem(course, course.problems[name], sandbox.run)))


def _sandbox(course: Course) -> Sandbox:
    return Sandbox(workers=1, limits=override(Limits(), course.limits), imports=course.imports)


# ---------------------------------------------------------------- processes


@dataclass(frozen=True)
class _Prover:
    """A process that proves, and what it was asked for."""

    pipe: Connection
    process: BaseProcess
    orders: deque[str] = field(default_factory=deque)


def _side_by_side(course: Course, names: Sequence[str], workers: int) -> Iterator[Proof]:
    left, losses = deque(names), dict.fromkeys(names, 0)
    seats: list[_Prover] = []
    try:
        while left or any(seat.orders for seat in seats):
            while left and len(seats) < workers:
                seats.append(_start(course, seats))
            for seat in seats:
                if left and not seat.orders:
                    seat.orders.append(left.popleft())
                    with suppress(OSError):  # whoever waits for the answer learns that it has ended
                        seat.pipe.send_bytes(seat.orders[0].encode())
            waiting = {seat.pipe: seat for seat in seats if seat.orders}
            for pipe in wait(list(waiting)):
                seat = waiting[cast(Connection, pipe)]
                name = seat.orders.popleft()
                proof = _receive(seat)
                if proof is None:
                    seats.remove(seat)
                    losses[name] += 1
                    if losses[name] < MAX_LOSSES:
                        left.appendleft(name)
                    else:
                        yield _lost(name)
                else:
                    yield proof
    finally:
        for seat in seats:
            seat.pipe.close()  # told so, a process ends its sandbox and itself
            seat.process.join(timeout=0.0 if seat.orders else 10.0)
            seat.process.kill()


def _start(course: Course, seats: Sequence[_Prover]) -> _Prover:
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe()
    others = [*(seat.pipe for seat in seats), ours]
    process = context.Process(target=_serve, args=(theirs, os.getpid(), others, course), daemon=True)
    with uninterrupted():
        process.start()
    theirs.close()
    return _Prover(ours, process)


def _receive(seat: _Prover) -> Proof | None:
    """What a process says; nothing where it has ended."""
    try:
        return from_json(Proof, json.loads(seat.pipe.recv_bytes()))
    except (EOFError, OSError):
        return None


def _lost(name: str) -> Proof:
    found = f"the process that proved it ended {MAX_LOSSES} times: nothing is proved of it"
    return Proof(name, (Check(name, "", "reference", "", False, found),))


def _serve(pipe: Connection, parent: int, others: Sequence[Connection], course: Course) -> None:
    """The body of a process: the name of a problem comes in, its proof goes out."""
    die_with_parent(parent)
    for other in others:  # while one process holds another's pipe, that one never learns that we are gone
        other.close()
    with suppress(EOFError, OSError), _sandbox(course) as sandbox:
        while True:
            name = pipe.recv_bytes().decode()
            try:
                checks = tuple(prove_problem(course, course.problems[name], sandbox.run))
            except Exception as error:
                log.exception("the proof of %s failed", name)
                found = f"the proof itself failed with {type(error).__name__}: {error}"
                checks = (Check(name, "", "reference", "", False, found),)
            pipe.send_bytes(json.dumps(to_json(Proof(name, checks))).encode())


# ---------------------------------------------------------------- proofs of earlier runs


def _place(course: Course, name: str) -> Path:
    """Under a key of all that decides a mark: the grader to its last byte, the problem, limits, packages."""
    limits: Mapping[str, float] = course.limits
    return folder() / f"{key_of(course, name, limits, isolation=True)}.proof.json"


def _kept(course: Course, name: str) -> tuple[Check, ...] | None:
    try:
        return from_json(Proof, json.loads(_place(course, name).read_bytes())).checks
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _keep(course: Course, proof: Proof) -> None:
    """Written whole or not at all; where nothing can be written, nothing is kept."""
    place = _place(course, proof.problem)
    own = place.with_suffix(f".{os.getpid()}.tmp")
    with suppress(OSError):
        place.parent.mkdir(parents=True, exist_ok=True)
        own.write_text(json.dumps(to_json(proof)), encoding="utf-8")
        own.replace(place)
