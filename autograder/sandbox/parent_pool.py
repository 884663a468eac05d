"""The sandbox as graders use it: a few warm parents, each lent to one submission at a time."""

from __future__ import annotations

import queue
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import TracebackType

from autograder.calls.requests_and_outcomes import Cell, Further, Limits, Request, RunResult, SandboxError
from autograder.sandbox.alone_or_together import Turns
from autograder.sandbox.mechanisms import require_isolation
from autograder.sandbox.session import DisturbedError, Session
from autograder.sandbox.tiers import choose
from autograder.sandbox.warm_parent import ParentGoneError, WarmParent

STARTS = 3  # tries to start a parent


class Sandbox:
    """Runs submissions, up to `workers` at once; safe to call from several threads.

    With `isolation` (the default) it refuses to start on a system that cannot isolate. `bubblewrap=False`
    leaves out the outer tier even where it works. `imports` are modules that are imported beside the usual
    before any submission is there.
    """

    def __init__(
        self,
        workers: int = 1,
        isolation: bool = True,
        limits: Limits | None = None,
        bubblewrap: bool = True,
        imports: Sequence[str] = (),
    ) -> None:
        if isolation:
            require_isolation()
        self.limits = limits or Limits()
        self.tier = choose(isolation, bubblewrap, self.limits.file_mb)
        self._workers, self._imports = workers, tuple(imports)
        self._turns = Turns()
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
            parent = self._free.get() or WarmParent(self.tier, self._imports)
            self._all.add(parent)
            self._free.put(parent)
        return self

    def take_on(self, limits: Limits, imports: Sequence[str] = ()) -> bool:
        """Use these limits from now on; False where they or the imports need one that is built otherwise."""
        if self._imports != tuple(imports):
            return False
        if self.tier != choose(self.tier.isolated, self.tier.name == "bubblewrap", limits.file_mb):
            return False
        self.limits = limits
        return True

    def __enter__(self) -> Sandbox:
        """Start every parent, so that they import side by side."""
        try:
            parents = [self._free.get() or self._begin() for _ in range(self._workers)]
            for parent in parents:
                self._free.put(self._warm(parent))
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
        self,
        cells: Sequence[Cell],
        requests: Sequence[Request],
        limits: Limits | None = None,
        further: Further | None = None,
        files: Mapping[str, bytes] | None = None,
    ) -> RunResult:
        """Run a submission's cells and answer the requests. Raises for the grader's faults only.

        `files` lie in the folder in which the cells run, by their paths. `further` is told what came of all
        but the late calls and says what else to ask before them, again and again until it asks nothing more.
        That may cost a submission nothing: where its process is lost over it, or meets a limit after it, the
        result is `held`, and the late calls are to be asked in a run of their own.

        A run that the machine disturbed goes on in a new process, while no other submission runs.
        """
        session = Session(cells, requests, limits or self.limits, further, files)
        turn = self._turns.together
        while True:
            with turn():
                parent = self._free.get()
                try:
                    parent = self._settled(parent) or self._warm(self._begin())
                    session.run(parent)
                    return session.result()
                except DisturbedError:
                    turn = self._turns.alone
                    if parent is not None:  # what disturbed a child may have touched its parent as well
                        self._end(parent)
                        parent = None
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
            parent = self._starter.submit(WarmParent, self.tier, self._imports).result()
            self._all.add(parent)
        return parent

    def _warm(self, parent: WarmParent) -> WarmParent:
        """The parent once it is warm, or another in its place: somebody may end one while it starts."""
        for _ in range(STARTS - 1):
            try:
                parent.wait_until_warm()
                return parent
            except SandboxError:
                self._end(parent)
                parent = self._begin()
        parent.wait_until_warm()
        return parent

    def _end(self, parent: WarmParent) -> None:
        with self._lock:
            self._all.discard(parent)
        parent.close()
