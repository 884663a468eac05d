"""Hand-ins go as bytes to the workers of a Dask cluster, reports come back as JSON text; no file is shared.

This side decides who grades what. A worker is first sent the course, and left out by name if it cannot grade
as this machine does; then it has a few hand-ins at a time. What a lost worker had is given to another, alone,
so that the next loss tells which hand-in it was; one that loses three is left to a person. What comes back
twice counts once.
"""

from __future__ import annotations

import json
import logging
import queue
import sys
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Protocol, cast

import distributed

from autograder.as_json import JsonObject, from_json, to_json
from autograder.classroom.cluster_worker import Reply, grade_remotely, prepare
from autograder.classroom.course_parcel import Parcel
from autograder.classroom.hand_ins import Handin
from autograder.classroom.settings_and_outcome import check_cluster
from autograder.docs_at_hand import as_said
from autograder.errors import UsageError
from autograder.grade.report import Report

Read = Callable[[Handin], bytes]
Troubled = Callable[[Handin, str], Report]  # the report of a hand-in that the machine kept from being graded

AHEAD = 2  # hand-ins at a worker: one is graded, the next one is already there
LOOK_SECONDS = 0.5  # how often we look who has come and who is gone
CONNECT_SECONDS = 20
WAIT_SECONDS = 600  # for a first worker, or for a scheduler that went away
MAX_LOSSES = 3  # workers that one hand-in may lose
FETCH_SECONDS, MAX_FETCHES = 2, 30  # for an answer that is ready
MAX_FAILED = 3  # hand-ins that a worker may fail at, with none graded in between
LOST = "the workers that graded this notebook were lost, three times: a person will look at it"
log = logging.getLogger(__name__)
# What comes back is text that we wrote ourselves: nothing that would have to be unpickled is accepted.
READABLE = ["dask", "msgpack"]
UNKNOWN = "it cannot run autograder: install the same version there"


def grade_on_cluster(
    address: str, parcel: Parcel, handins: Sequence[Handin], read: Read, troubled: Troubled
) -> Iterator[tuple[Handin, Report]]:
    """Grade on the scheduler at an address, or on `local:N` workers that are started for this run."""
    with _Cluster(address) as cluster:
        for handin, report in _ClusterRun(cluster, parcel, handins, read).reports():
            yield handin, troubled(handin, LOST) if report is None else report


class _Future(Protocol):
    """What Dask says of a task that it was given."""

    key: str
    status: str

    def result(self, timeout: float) -> str: ...
    def exception(self, timeout: float) -> object: ...
    def cancel(self) -> object: ...
    def add_done_callback(self, call: Callable[[_Future], object]) -> object: ...


class _Client(Protocol):
    """Dask's client, which ships no types."""

    status: str

    def nthreads(self) -> Mapping[str, int]: ...
    def submit(
        self,
        function: Callable[..., str],
        /,
        *arguments: object,
        workers: list[str],
        allow_other_workers: bool,
        pure: bool,
        retries: int,
    ) -> _Future: ...
    def close(self, timeout: float) -> object: ...


class _Cluster:
    """The connection to a scheduler, made again when it breaks."""

    def __init__(self, address: str) -> None:
        self._own: distributed.LocalCluster | None = None
        self._security: object = None  # a remote scheduler's is Dask's own configuration
        check_cluster(address)
        kind, _, count = address.partition(":")
        if kind == "local":
            self._security = temporary_certificate()
            self._own = distributed.LocalCluster(  # type: ignore[no-untyped-call]
                security=self._security,
                n_workers=int(count),
                threads_per_worker=1,
                processes=True,
                silence_logs=logging.CRITICAL,  # what becomes of its processes is told in our own words
                # No dashboard, and any port for what is left of it: another cluster may have the usual one.
                dashboard_address=None,
                scheduler_kwargs={"dashboard_address": "127.0.0.1:0"},
            )
            address = self._own.scheduler_address
        elif kind in ("tls", "wss") and not _has_certificate():
            raise UsageError(
                f"--cluster {address}: Dask has no certificate for it here: "
                f"set distributed.comm.tls in its configuration{as_said('clusters')}"
            )
        self._address = address
        self._client: _Client | None = None

    def __enter__(self) -> _Cluster:
        self.connect(time.monotonic())
        return self

    def __exit__(self, *error: object) -> None:
        self._leave()
        if self._own is not None:
            self._own.close()

    @property
    def client(self) -> _Client:
        """The connection that there is once one was made."""
        assert self._client is not None
        return self._client

    def connect(self, until: float) -> None:
        """A new connection; tries at least once, and up to that moment."""
        self._leave()
        while self._client is None:
            try:
                client = distributed.Client(  # type: ignore[no-untyped-call]
                    self._address,
                    timeout=CONNECT_SECONDS,
                    deserializers=READABLE,
                    set_as_default=False,
                    security=self._security,
                )
                self._client = cast(_Client, client)
            except (OSError, TimeoutError, ValueError) as error:
                if time.monotonic() >= until:
                    raise UsageError(f"no Dask scheduler answers at {self._address}: {error}") from error
                time.sleep(LOOK_SECONDS)

    def _leave(self) -> None:
        if self._client is not None:
            with suppress(Exception):  # a connection that is broken may fail to close, and nobody minds
                self._client.close(timeout=2)
            self._client = None


def _has_certificate() -> bool:
    """Whether Dask's own configuration says how to talk to a scheduler in secret."""
    try:
        security = distributed.Security()  # type: ignore[no-untyped-call]
        about = security.get_connection_args("client")  # type: ignore[no-untyped-call]
        return about.get("ssl_context") is not None
    except (OSError, ValueError):
        return False  # a file that it names is not there, or no certificate


def temporary_certificate() -> object:
    """A certificate for this run alone: any user of this machine could give orders to workers without one."""
    try:
        return distributed.Security.temporary()  # type: ignore[no-untyped-call]
    except ImportError as error:
        raise UsageError(
            f"--cluster local:N needs certificates: install the wheel with [cluster]{as_said('install')}"
        ) from error


@dataclass
class _Desk:
    """One worker: the course on its way to it, then the hand-ins that it has."""

    name: str
    course: object = None  # the future of its preparation, until it is done
    busy: dict[str, tuple[_Future, Handin]] = field(default_factory=dict)


class _ClusterRun:
    """The state of one run: what is left, who has what, and whom we left out."""

    def __init__(self, cluster: _Cluster, parcel: Parcel, handins: Sequence[Handin], read: Read) -> None:
        self._cluster, self._parcel, self._read = cluster, parcel, read
        self._left = deque(handins)
        self._open = set(handins)
        self._desks: dict[str, _Desk] = {}
        self._refused: dict[str, str] = {}
        self._losses: Counter[Handin] = Counter()
        self._given_up: list[Handin] = []
        self._failed: dict[str, set[Handin]] = {}
        self._events: queue.Queue[tuple[str, _Future]] = queue.Queue()
        self._looked = self._idle_since = time.monotonic()

    def reports(self) -> Iterator[tuple[Handin, Report | None]]:
        """Each report as it comes; none for a hand-in that has lost too many workers."""
        self._look()
        while self._open:
            try:
                address, future = self._events.get(timeout=LOOK_SECONDS)
            except queue.Empty:
                self._look()
            else:
                if found := self._settle(address, future):
                    yield found
                if time.monotonic() - self._looked > LOOK_SECONDS:
                    self._look()
            while self._given_up:
                yield self._given_up.pop(), None

    def _settle(self, address: str, future: _Future) -> tuple[Handin, Report] | None:
        """Act on a future that is done: a course has arrived, or a report is back."""
        desk = self._desks.get(address)
        if desk is None:
            return None  # it was given up, and its hand-ins are with others
        answer = _answer(future, lambda: address in self._cluster.client.nthreads())
        if desk.course is future:
            self._begin(address, desk, answer)
            return None
        _, handin = desk.busy.pop(future.key, (None, None))
        found = None
        if handin is not None and answer is not None and answer.report is not None:
            self._failed.pop(address, None)
            if handin in self._open:
                self._open.discard(handin)
                found = handin, answer.report
                for fault in answer.faults:
                    log.error("on worker %s: %s", desk.name, fault)
        elif handin is not None:
            self._lose(handin)
            reason = answer.fault if answer is not None else ""
            self._give_up(address, blame=not reason)  # of a worker that died, nobody knows at which
            if reason:
                self._fail(address, desk, handin, reason)
        self._fill(address)
        return found

    def _begin(self, address: str, desk: _Desk, answer: Reply | None) -> None:
        desk.course = None
        desk.name = (answer.name if answer else "") or desk.name
        if answer is None:
            self._give_up(address)  # it is tried again when it is seen again
        elif answer.fault:
            self._give_up(address)
            self._refuse(address, desk, answer.fault)
        else:
            self._fill(address)

    def _fill(self, address: str) -> None:
        desk = self._desks.get(address)
        if desk is None or desk.course is not None:
            return
        while (handin := self._next(address, desk)) is not None:
            self._left.remove(handin)
            head = {"student": handin.student, "set": handin.set, "problem": handin.problem}
            future = self._submit(address, grade_remotely, self._parcel.digest, head, self._read(handin))
            desk.busy[future.key] = future, handin

    def _next(self, address: str, desk: _Desk) -> Handin | None:
        """What this worker is sent: nothing beside a hand-in that has lost a worker, which is graded alone
        and, while there is a choice, not where it failed."""
        if len(desk.busy) >= AHEAD or any(self._losses[handin] for _, handin in desk.busy.values()):
            return None
        for handin in self._left:
            if self._losses[handin] and desk.busy:
                return None
            failed = {each for each in self._desks if handin in self._failed.get(each, ())}
            if address not in failed or failed == set(self._desks):
                return handin
        return None

    def _submit(self, address: str, function: Callable[..., str], *arguments: object) -> _Future:
        future = self._cluster.client.submit(
            function, *arguments, workers=[address], allow_other_workers=False, pure=False, retries=0
        )
        future.add_done_callback(lambda done: self._events.put((address, done)))
        return future

    def _look(self) -> None:
        """Who is there now? Greet the new, take back what the lost ones had."""
        self._looked = time.monotonic()
        try:
            present = set(self._cluster.client.nthreads())
            if self._cluster.client.status != "running":
                raise OSError("the connection is broken")
        except (OSError, TimeoutError, ValueError):
            self._start_over()
            return
        for address in set(self._desks) - present:
            self._give_up(address)
        for address in sorted(present - set(self._desks) - set(self._refused)):
            desk = self._desks[address] = _Desk(address)
            desk.course = self._submit(
                address, prepare_by_name, to_json(self._parcel.head()), self._parcel.data
            )
        for address in list(self._desks):
            self._fill(address)
        self._check_patience(present)

    def _start_over(self) -> None:
        """The scheduler is gone, and with it all that it knew."""
        for address in list(self._desks):
            self._give_up(address, blame=False)
        self._refused.clear()
        self._failed.clear()
        self._cluster.connect(time.monotonic() + WAIT_SECONDS)

    def _give_up(self, address: str, *, blame: bool = True) -> None:
        desk = self._desks.pop(address, None)
        for future, handin in desk.busy.values() if desk else ():
            with suppress(Exception):
                future.cancel()
            self._lose(handin, blame=blame)

    def _lose(self, handin: Handin, *, blame: bool = True) -> None:
        self._losses[handin] += blame
        if self._losses[handin] < MAX_LOSSES:
            self._left.appendleft(handin)
        elif handin in self._open:
            log.error("%s: %s workers were lost while they graded it", handin.path, MAX_LOSSES)
            self._open.discard(handin)
            self._given_up.append(handin)

    def _fail(self, address: str, desk: _Desk, handin: Handin, reason: str) -> None:
        """A worker could not grade a hand-in: whose fault it is, the next ones tell."""
        log.error("on worker %s: %s: %s", desk.name, handin.path, reason)
        failed = self._failed.setdefault(address, set())
        failed.add(handin)
        if len(failed) >= MAX_FAILED:
            self._refuse(address, desk, reason)

    def _refuse(self, address: str, desk: _Desk, reason: str) -> None:
        self._refused[address] = f"{desk.name}: {reason}"
        log.warning("worker %s is left out: %s", desk.name, reason)
        print(f"worker {desk.name} is left out: {reason}", file=sys.stderr)

    def _check_patience(self, present: set[str]) -> None:
        if self._desks:
            self._idle_since = time.monotonic()
            return
        if present and present <= set(self._refused):
            told = "; ".join(sorted(self._refused.values()))
            raise UsageError(f"no worker of the cluster can grade: {told}")
        if time.monotonic() - self._idle_since > WAIT_SECONDS:
            raise UsageError(
                f"the cluster has had no worker for {WAIT_SECONDS} s: start some, and run this again"
            )


def prepare_by_name(head: JsonObject, data: bytes) -> str:
    """Runs on a worker: take in the course, and say by which name the cluster knows it."""
    return prepare(head, data, str(distributed.get_worker().name))


def _answer(future: _Future, is_there: Callable[[], bool]) -> Reply | None:
    """What a task said; None if it was lost with its worker, or before its answer was fetched from there."""
    if future.status == "error":
        return None if _lost(future) else Reply(fault=UNKNOWN)
    if future.status != "finished":
        return None
    for _ in range(MAX_FETCHES):
        try:
            return from_json(Reply, json.loads(future.result(timeout=FETCH_SECONDS)))
        except TimeoutError:  # Dask waits for a worker that is gone as for any other
            with suppress(OSError, TimeoutError, ValueError):
                if not is_there():
                    return None
        except Exception:  # what is not text was not written by us
            return None
    return None


def _lost(future: _Future) -> bool:
    try:
        return isinstance(future.exception(timeout=10), distributed.KilledWorker)
    except Exception:  # an exception that could only be unpickled is not read
        return False
