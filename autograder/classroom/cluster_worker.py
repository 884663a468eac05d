"""What a worker of a cluster runs: it takes in a course once, then turns notebooks into reports."""

from __future__ import annotations

import atexit
import json
import os
import threading
from collections.abc import Mapping
from dataclasses import dataclass

from autograder.as_json import JsonObject, from_json, to_json
from autograder.classroom.course_parcel import Head, digest_of
from autograder.classroom.grading_digest import versions
from autograder.classroom.worker import Worker, open_parcel
from autograder.course.load import SECRET_VARIABLE
from autograder.grade.report import Report
from autograder.logs import collected_faults
from autograder.sandbox.mechanisms import require_isolation

_KEPT = 2  # courses that stay open: a regrade after a change of key needs the new one only
_workers: dict[str, Worker] = {}
_lock = threading.Lock()  # a worker grades one submission at a time, however many threads Dask gives it


@dataclass(frozen=True)
class Reply:
    """What a worker says: a report with the faults noted on the way, or the `fault` that kept it from one.

    Without either it is ready, or has lost the course. `name` is what the cluster calls it.
    """

    report: Report | None = None
    faults: tuple[str, ...] = ()
    fault: str = ""
    name: str = ""


def prepare(told: JsonObject, data: bytes, name: str = "") -> str:
    """Take in a course, unless this worker would not grade as the sender does; JSON text says which."""
    with _lock:
        try:
            head = from_json(Head, told)
            fault = _unlike(head.versions)
            if not fault and head.digest not in _workers:
                _open(head, data)
        except Exception as error:  # whatever it is, it is told to the instructor by name
            fault = f"{type(error).__name__}: {error}"
    return _text(Reply(fault=fault, name=name))


def grade_remotely(digest: str, head: Mapping[str, str], data: bytes) -> str:
    """The report of one notebook, as JSON text."""
    with _lock:
        worker = _workers.get(digest)
        if worker is None:
            return _text(Reply())  # the process is another one than was prepared
        try:
            with collected_faults() as faults:
                report = worker.grade(data, head["student"], head["set"], head["problem"])
        except Exception as error:
            return _text(Reply(fault=f"{type(error).__name__}: {error}"))
    return _text(Reply(report, tuple(faults)))


def _text(answer: Reply) -> str:
    return json.dumps(to_json(answer))


def _unlike(wanted: Mapping[str, str]) -> str:
    """How this machine differs from the one that sends the course."""
    mine = versions()
    different = [
        f"it has {name} {mine.get(name, 'not at all')}, not {version}"
        for name, version in wanted.items()
        if mine.get(name) != version
    ]
    return f"{', '.join(different)}; install the same there" if different else ""


def _open(head: Head, data: bytes) -> None:
    if digest_of(data, head.limits, head.isolation) != head.digest:
        raise ValueError("the course has arrived damaged")
    if head.isolation:
        require_isolation()
    os.environ.pop(SECRET_VARIABLE, None)  # the secret comes with the course
    worker = open_parcel(data, head.limits, head.isolation)
    while len(_workers) >= _KEPT:
        _close(next(iter(_workers)))
    _workers[head.digest] = worker.__enter__()


def _close(digest: str) -> None:
    _workers.pop(digest).__exit__(None, None, None)


@atexit.register
def _close_all() -> None:
    for digest in list(_workers):
        _close(digest)
