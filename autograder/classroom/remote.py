"""What a worker of a cluster runs: it takes in a course once, then turns notebooks into reports."""

from __future__ import annotations

import atexit
import json
import os
import threading
from collections.abc import Mapping
from typing import Any

from autograder.classroom.deciding import versions
from autograder.classroom.parcel import digest_of
from autograder.classroom.worker import Worker, open_parcel
from autograder.course.load import SECRET_VARIABLE
from autograder.logs import collected_faults
from autograder.sandbox.mechanisms import require_isolation

_KEPT = 2  # courses that stay open: a regrade after a change of key needs the new one only
_workers: dict[str, Worker] = {}
_lock = threading.Lock()  # a worker grades one submission at a time, however many threads Dask gives it


def prepare(head: Mapping[str, Any], data: bytes) -> str:
    """Take in a course, unless this worker would not grade as the sender does; JSON text says which."""
    with _lock:
        try:
            fault = _unlike(head["versions"])
            if not fault and head["digest"] not in _workers:
                _open(head, data)
        except Exception as error:  # whatever it is, it is told to the instructor by name
            fault = f"{type(error).__name__}: {error}"
    return json.dumps({"fault": fault} if fault else {"ready": True})


def grade_remotely(digest: str, head: Mapping[str, str], data: bytes) -> str:
    """The report of one notebook, as JSON text."""
    with _lock:
        worker = _workers.get(digest)
        if worker is None:
            return json.dumps({"need": "course"})  # the process is another one than was prepared
        try:
            with collected_faults() as faults:
                report = worker.grade(data, head["student"], head["set"], head["problem"])
        except Exception as error:
            return json.dumps({"fault": f"{type(error).__name__}: {error}"})
    return json.dumps({"report": report, "faults": faults})


def _unlike(wanted: Mapping[str, str]) -> str:
    """How this machine differs from the one that sends the course."""
    mine = versions()
    different = [
        f"it has {name} {mine.get(name, 'not at all')}, not {version}"
        for name, version in wanted.items()
        if mine.get(name) != version
    ]
    return f"{', '.join(different)}; install the same there" if different else ""


def _open(head: Mapping[str, Any], data: bytes) -> None:
    if digest_of(data, head["limits"], head["isolation"]) != head["digest"]:
        raise ValueError("the course has arrived damaged")
    if head["isolation"]:
        require_isolation()
    os.environ.pop(SECRET_VARIABLE, None)  # the secret comes with the course
    worker = open_parcel(data, head["limits"], head["isolation"])
    while len(_workers) >= _KEPT:
        _close(next(iter(_workers)))
    _workers[head["digest"]] = worker.__enter__()


def _close(digest: str) -> None:
    _workers.pop(digest).__exit__(None, None, None)


@atexit.register
def _close_all() -> None:
    for digest in list(_workers):
        _close(digest)
