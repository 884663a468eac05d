"""A function and its arguments come in beside a student's code; its counts go out as plain data."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from autograder.trace.charge import UnknownOperation
from autograder.trace.tracer import Cost, trace


def count(function: Callable[..., Any], args: Sequence[Any]) -> dict[str, Any]:
    """Work, span and memory of one call; or `not_measured`, the reason why there are none."""
    try:
        cost = trace(function, *args)
    except UnknownOperation as error:
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
