"""How long a child may take for one answer: processor time and time that it sleeps, never the clock alone.

The clock on the wall is read for one thing only: a child that neither works nor sleeps for minutes is kept
from it by the machine, and that says nothing about the notebook.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from autograder.calls.requests_and_outcomes import Limits

FIRST_LOOK, LOOK = 0.05, 0.2  # seconds; most answers are there before the first one
SEEN = 1.0  # seconds; what a child did between two looks that are further apart, nobody has seen
# A machine with a load of fifty to a core still gives a child its seconds within these.
STANDSTILL, STANDSTILL_A_SECOND = 120.0, 50.0


@dataclass(frozen=True)
class Usage:
    """A child at one moment: seconds on a processor, seconds waiting for one, and whether it sleeps."""

    at: float
    cpu: float
    delayed: float
    asleep: bool

    def slept_since(self, before: Usage) -> float:
        """Seconds for which it surely slept of its own accord."""
        if not (self.asleep and before.asleep):
            return 0.0
        awake = self.cpu - before.cpu + self.delayed - before.delayed
        return min(SEEN, max(0.0, self.at - before.at - awake))


class OverdueError(Exception):
    """A limit is passed: its kind, how many seconds it allowed, and whether to the whole notebook."""

    def __init__(self, limit: str, seconds: float, whole: bool = False) -> None:
        self.limit, self.seconds, self.whole = limit, seconds, whole
        super().__init__(limit)


class StandstillError(Exception):
    """The machine gave the child no chance to go on."""


@dataclass
class Account:
    """What a submission has used in all its children so far."""

    cpu: float = 0.0
    slept: float = 0.0


class AnswerWatch:
    """Waits for one answer; called whenever there is none yet, it says how long to wait on, or raises."""

    def __init__(
        self, look: Callable[[], Usage | None], seconds: float, limits: Limits, account: Account
    ) -> None:
        """`account` is what the submission had used before this child."""
        self._look, self._seconds, self._limits, self._account = look, seconds, limits, account
        self._end = time.monotonic() + STANDSTILL + STANDSTILL_A_SECOND * seconds
        self._first: Usage | None = None
        self._last: Usage | None = None
        self._slept = 0.0
        self._looked = False

    def __call__(self) -> float:
        if not self._looked:
            self._looked = True
            return FIRST_LOOK
        now = self._look()
        if now is None:
            return LOOK  # it is gone; its pipe will say so
        if self._first is None or self._last is None:
            self._first = self._last = now
            return LOOK
        slept = now.slept_since(self._last)
        self._slept += slept
        self._account.slept += slept
        self._last = now
        self._judge(now, now.cpu - self._first.cpu)
        return LOOK

    def _judge(self, now: Usage, cpu: float) -> None:
        if cpu > self._seconds:
            raise OverdueError("cpu", self._seconds)
        if self._slept > self._seconds:
            raise OverdueError("wall", self._seconds)
        if self._account.cpu + now.cpu > self._limits.cpu_seconds:
            raise OverdueError("cpu", self._limits.cpu_seconds, whole=True)
        if self._account.cpu + now.cpu + self._account.slept > self._limits.wall_seconds:
            raise OverdueError("wall", self._limits.wall_seconds, whole=True)
        if time.monotonic() > self._end:
            raise StandstillError
