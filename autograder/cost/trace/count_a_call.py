"""A function and its arguments come in beside a student's code; its counts go out as plain data."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Mapping, Sequence

import torch

from autograder.cost.trace.guarded_exits import DOORS
from autograder.cost.trace.time_model import TooManyOperations, UnknownOperation
from autograder.cost.trace.tracer import Cost, trace

NO_COUNTS = "the process gave no counts"
# What a refusal may be about, besides the operations of torch, and why: these words are ours.
SUBJECTS = (
    "this call",
    "the result",
    "a tensor over memory from elsewhere",
    *(f"a tensor on the device '{device}'" for device in ("meta", "cuda", "mps", "xpu", "mkldnn")),
    *(f"{of}.{name}" for _, of, names, _, _ in DOORS for name in names.split()),
)
REASONS = (
    "there is no rule for its cost",
    "its rule does not fit its arguments",
    "nothing was seen of how it was filled",
    "nothing was seen of how it was made",
    "only what happens on the CPU is counted",
    "it takes too many operations at this size",
    *dict.fromkeys(why for *_, why, _ in DOORS),
)

# A program that took too many operations once is not tried again where they are limited.
_STOPPED: list[weakref.ref[Callable[..., object]]] = []


def _was_stopped(function: Callable[..., object]) -> bool:
    return any(stopped() is function for stopped in _STOPPED)


def count(
    function: Callable[..., object], args: Sequence[object], most: int | None = None
) -> dict[str, object]:
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


def read_count(said: Mapping[str, object]) -> Cost | str:
    """What `count` said, read as data from a process that is not trusted; text where there is no count."""
    values = (said.get(name) for name in ("work", "span", "memory"))
    counts = [value for value in values if type(value) is int and 0 <= value < 1 << 63]
    if len(counts) == 3:
        return Cost(*counts)
    why = said.get("not_measured")
    return known_refusal(why) if isinstance(why, str) else NO_COUNTS


def known_refusal(said: str) -> str:
    """A refusal of ours, word for word; whatever else a process says is not repeated."""
    subject, _, why = said.partition(": not measured: ")
    if why not in REASONS:
        return NO_COUNTS
    return said if subject in SUBJECTS or _is_operation(subject) else why


def _is_operation(name: str) -> bool:
    """Whether torch has an operation of this name, such as aten.linalg_inv_ex.default."""
    match name.split("."):
        case ["aten", operation, overload] if operation.isidentifier() and overload.isidentifier():
            return hasattr(getattr(torch.ops.aten, operation, None), overload)
    return False
