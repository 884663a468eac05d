"""Sets in an order of their own: what is said, counted or tried next must not hang on Python's hash seed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import is_dataclass
from typing import TypeVar

T = TypeVar("T")


def in_order(items: Iterable[T]) -> list[T]:
    """The same on every run, whatever sets lie inside the items."""
    found = list(items)
    return sorted(found, key=canonical) if len(found) > 1 else found


def canonical(value: object) -> str:
    """A text that equal values share; `repr` writes a set inside in any order."""
    match value:
        case frozenset() | set():
            return f"{{{','.join(sorted(map(canonical, value)))}}}"
        case tuple():
            return f"({','.join(map(canonical, value))})"
        case _ if is_dataclass(value) and not isinstance(value, type):
            return canonical(tuple(getattr(value, name) for name in value.__dataclass_fields__))
        case _:
            return repr(value)
