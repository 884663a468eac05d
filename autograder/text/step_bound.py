"""A bound on how much an answer is thought about: steps are counted, the same on every machine.

Engines call `spend` in their inner loops. Steps are counted in the context of whoever judges: in the main
thread and in any other alike.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache, update_wrapper
from math import inf
from typing import Generic, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class OutOfPatienceError(BaseException):
    """The steps are used up. Not an Exception, so that no engine takes it for a fault of its own."""


@dataclass(slots=True)
class _Account:
    """How many steps are left, and how many have been taken."""

    left: float
    spent: int = 0


_account: ContextVar[_Account | None] = ContextVar("patience", default=None)


def spend(steps: int = 1) -> None:
    """Count steps of about a microsecond to ten; raises OutOfPatienceError once too many were taken."""
    account = _account.get()
    if account is not None:
        account.spent += steps
        account.left -= steps
        if account.left < 0:
            raise OutOfPatienceError


@contextmanager
def at_most(steps: float) -> Iterator[None]:
    """Raise OutOfPatienceError in the body after so many steps."""
    token = _account.set(_Account(steps))
    try:
        yield
    finally:
        _account.reset(token)


class Remembered(Generic[P, T]):
    """A function whose results are kept, and cost the same steps each time: who asks first pays no more."""

    def __init__(self, function: Callable[P, T], maxsize: int) -> None:
        @lru_cache(maxsize=maxsize)
        def known(*args: P.args, **kwargs: P.kwargs) -> tuple[T, int]:
            before = _spent()
            value = function(*args, **kwargs)
            return value, _spent() - before

        self._known = known
        update_wrapper(self, function)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> T:
        if _account.get() is None:
            with at_most(inf):
                return self(*args, **kwargs)
        before = _spent()
        value, steps = self._known(*args, **kwargs)  # type: ignore[arg-type]  # lru_cache says Hashable
        spend(before + steps - _spent())  # nothing where it was worked out just now
        return value


def remembered(maxsize: int) -> Callable[[Callable[P, T]], Remembered[P, T]]:
    """Like functools.lru_cache, for functions that spend steps."""
    return lambda function: Remembered(function, maxsize)


def _spent() -> int:
    account = _account.get()
    return account.spent if account is not None else 0
