"""A function that fails only where an axis has length 1 becomes the line of its squeeze() without an axis."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from torch import Tensor

from autograder.calls.compare_tensors import Want
from autograder.diagnose.cell_statements import from_first_line, quote_line
from autograder.diagnose.habits import SQUEEZED
from autograder.diagnose.structural_mistakes import Suspect

ELSEWHERE = ("again", "input", "gradient", "dtype")  # failures that no lost axis is the reason of
LIBRARIES = ("torch", "np", "numpy", "th")


@dataclass(frozen=True)
class Tried:
    """One call: whether an axis has length 1, of what is given or asked for, and how it failed."""

    has_axis_of_one: bool
    failure: str = ""  # Difference.what; empty for a call that passes


def has_axis_of_one(arguments: Sequence[object], outputs: Sequence[Want]) -> bool:
    """Whether a tensor that goes in or should come out has an axis of length 1."""
    given = [value.shape for value in arguments if isinstance(value, Tensor)]
    return any(1 in shape for shape in (*given, *(want.values.shape for want in outputs)))


def lost_axis(source: str, calls: Sequence[Tried]) -> Suspect | None:
    """The squeeze() that can be the reason, where the function fails at axes of length 1 and nowhere else."""
    failing = [call for call in calls if call.failure]
    fits = all(call.has_axis_of_one and call.failure not in ELSEWHERE for call in failing)
    if not failing or not fits or all(call.has_axis_of_one for call in calls):
        return None
    source = from_first_line(source)
    line = min(_bare_squeezes(source), default=0)
    if not line:
        return None
    return Suspect(
        SQUEEZED,
        f"it fails only where an axis has length 1: {quote_line(source, line)}, has a squeeze() without an "
        "axis, and that takes away every axis of length 1: name the one to take, as in squeeze(-1), or leave "
        "it out",
    )


def _bare_squeezes(source: str) -> Iterator[int]:
    """The lines of calls of squeeze that name no axis."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="squeeze"), args=[_], keywords=[]):
                if name in LIBRARIES:
                    yield node.lineno
            case ast.Call(func=ast.Attribute(attr="squeeze" | "squeeze_"), args=[], keywords=[]):
                yield node.lineno
