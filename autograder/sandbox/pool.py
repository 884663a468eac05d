"""The sandbox as graders use it: a few warm parents, each lent to one submission at a time."""

from __future__ import annotations

import queue
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import TracebackType

from autograder.sandbox import session
from autograder.sandbox.mechanisms import require_isolation
from autograder.sandbox.records import Cell, CellOutcome, Limits, Outcome, Request, RunResult, SandboxError
from autograder.sandbox.tiers import choose
from autograder.sandbox.worker import ParentGoneError, WarmParent


class Sandbox:
    """Runs submissions, up to `workers` at once; safe to call from several threads.

    With `isolation` (the default) it refuses to start on a system that cannot isolate. `bubblewrap=False`
    leaves out the outer tier even where it works.
    """

    def __init__(
        self, workers: int = 1, isolation: bool = True, limits: Limits | None = None, bubblewrap: bool = True
    ) -> None:
        if isolation:
            require_isolation()
        self.limits = limits or Limits()
        self.tier = choose(isolation, bubblewrap, self.limits.file_mb)
        self._workers = workers
        self._free: queue.Queue[WarmParent | None] = queue.Queue()
        self._all: set[WarmParent] = set()
        self._lock = threading.Lock()
        # A parent dies with the thread that started it, so one thread that lasts starts them all.
        self._starter = ThreadPoolExecutor(max_workers=1, thread_name_prefix="sandbox")
        self._closed = False
        for _ in range(workers):
            self._free.put(None)

    def begin(self) -> Sandbox:
        """Start every parent without waiting, while the caller has other things to do.

        Parents die with the thread that calls this: it must last as long as the sandbox is needed.
        """
        for _ in range(self._workers):
            parent = self._free.get() or WarmParent(self.tier)
            self._all.add(parent)
            self._free.put(parent)
        return self

    def take_on(self, limits: Limits) -> bool:
        """Use these limits from now on; False where they need a sandbox that is built otherwise."""
        if self.tier != choose(self.tier.isolated, self.tier.name == "bubblewrap", limits.file_mb):
            return False
        self.limits = limits
        return True

    def __enter__(self) -> Sandbox:
        """Start every parent, so that they import side by side."""
        try:
            parents = [self._free.get() or self._begin() for _ in range(self._workers)]
            for parent in parents:
                parent.wait_until_warm()
                self._free.put(parent)
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End every parent and its child."""
        with self._lock:
            self._closed = True
            parents, self._all = self._all, set()
        for parent in parents:
            parent.close()
        self._starter.shutdown()

    def shows(self, path: Path) -> bool:
        """Whether notebooks can read what lies here: a course in such a place would give itself away."""
        place = str(path.resolve())
        return any(place == root or place.startswith(f"{root}/") for root in self.tier.readable)

    def run(
        self, cells: Sequence[Cell], requests: Sequence[Request], limits: Limits | None = None
    ) -> RunResult:
        """Run a submission's cells and answer the requests. Raises for the grader's faults only."""
        parent = self._free.get()
        try:
            parent = self._settled(parent)
            for _ in range(2):
                parent = parent or self._begin_warm()
                try:
                    return session.run(parent, cells, requests, limits or self.limits)
                except ParentGoneError:
                    self._end(parent)
                    parent = None
            return gone(cells, requests)
        finally:
            self._free.put(parent)

    def _settled(self, parent: WarmParent | None) -> WarmParent | None:
        """The parent once its last child is gone; None where it has had its share or is gone itself."""
        if parent is None:
            return None
        try:
            parent.settle()
        except ParentGoneError:
            parent.spent = True
        if not parent.spent:
            return parent
        self._end(parent)
        return None

    def _begin(self) -> WarmParent:
        with self._lock:
            if self._closed:
                raise SandboxError("the sandbox is closed")
            parent = self._starter.submit(WarmParent, self.tier).result()
            self._all.add(parent)
        return parent

    def _begin_warm(self) -> WarmParent:
        parent = self._begin()
        try:
            parent.wait_until_warm()
        except SandboxError:
            self._end(parent)
            raise
        return parent

    def _end(self, parent: WarmParent) -> None:
        with self._lock:
            self._all.discard(parent)
        parent.close()


def gone(cells: Sequence[Cell], requests: Sequence[Request]) -> RunResult:
    """Twice the parent died under this submission: the others go on without it."""
    error = "the process that ran the notebook was ended from outside, twice"
    return RunResult(
        outcomes=tuple(Outcome("crashed", error=error) for _ in requests),
        cells=tuple(CellOutcome(cell.cell_id, cell.part, "crashed", error) for cell in cells),
    )
