"""What must hold of a function where no value is unique: properties as an author writes them."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import SupportsFloat

SHARE = 5  # the first and the last fifth of the numbers are set side by side


@dataclass(frozen=True)
class Property:
    """A sentence that must be true of a student's function, and the function of the author that decides it.

    `check` is given the student's function, and the arguments that it names of the case.
    """

    says: str
    check: Callable[..., object]


def prop(says: str, check: Callable[..., object]) -> Property:
    """A property: prop("rows sum to one", rows_sum_to_one), with def rows_sum_to_one(scores, q, k): …"""
    return Property(says, check)


def falls(values: Sequence[SupportsFloat], to: float = 0.5) -> bool:
    """Whether numbers such as losses end below that share of where they began, each the mean of a fifth."""
    numbers = [float(value) for value in values]
    few = max(1, len(numbers) // SHARE)
    if len(numbers) < 2 or any(number != number for number in numbers):
        return False
    return sum(numbers[-few:]) / few < to * sum(numbers[:few]) / few


def property_faults(
    holds: Sequence[Property], parameters: Sequence[str], settings: Mapping[str, bool]
) -> Iterator[str]:
    """What is wrong with the properties of a code part; `settings` are those that do not go with them."""
    names = [getattr(each.check, "__name__", "") for each in holds]
    for each, name in zip(holds, names, strict=True):
        if not str(each.says).strip():
            yield "a property has no words: they are what a student reads when it does not hold"
        if not inspect.isfunction(each.check) or name == "<lambda>":
            yield f"property {each.says!r}: write it as def …(function, …): students check with its text"
            continue
        yield from (f"property {each.says!r}: {fault}" for fault in _check_faults(each.check, parameters))
    yield from (f"{name} decides two properties" for name in set(names) if names.count(name) > 1)
    for name, there in settings.items():
        if there:
            yield f"{name} does not go with holds: there is no one value to compare"


def _check_faults(check: Callable[..., object], parameters: Sequence[str]) -> Iterator[str]:
    first, *others = [*inspect.signature(check).parameters] or [""]
    if not first:
        yield f"{check.__name__} takes no argument: the first is the student's function"
    for name in others:
        if name not in parameters:
            yield f"{check.__name__} takes {name!r}, which is no argument of the function"
    tree = ast.parse(textwrap.dedent(inspect.getsource(check)))
    if not any(
        isinstance(node, ast.Assert) or (isinstance(node, ast.Return) and node.value is not None)
        for node in ast.walk(tree)
    ):
        yield f"{check.__name__} neither returns True or False nor asserts anything: it holds of everything"
