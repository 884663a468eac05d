"""A function and its arguments come in beside a student's code; its counts go out as plain data."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from autograder.trace.charge import TooManyOperations, UnknownOperation
from autograder.trace.tracer import Cost, trace

# A program that took too many operations once is not tried again where they are limited.
_STOPPED: list[weakref.ref[Callable[..., Any]]] = []


def _was_stopped(function: Callable[..., Any]) -> bool:
    return any(stopped() is function for stopped in _STOPPED)


def count(function: Callable[..., Any], args: Sequence[Any], most: int | None = None) -> dict[str, Any]:
    """Work, span and memory of one call of at most so many operations.

    Or `not_measured`, the reason why there are none.
    """
    try:
        if most is not None and _was_stopped(function):
            raise TooManyOperations
        cost = trace(function, *args, most=most)
    except UnknownOperation as error:
        if isinstance(error, TooManyOperations):
            _STOPPED.append(weakref.ref(function))
        return {"not_measured": str(error)[:500]}
    return {"work": cost.work, "span": cost.span, "memory": cost.memory}


def read_count(said: Mapping[str, Any]) -> Cost | str:
    """What `count` said, read as data from a process that is not trusted; text where there is no count."""
    counts = [said.get(name) for name in ("work", "span", "memory")]
    if all(type(value) is int and 0 <= value < 1 << 63 for value in counts):
        work, span, memory = (int(value) for value in counts if value is not None)
        return Cost(work, span, memory)
    why = said.get("not_measured")
    return why if isinstance(why, str) and why else "the process gave no counts"
