"""A fingerprint of a line that ignores the names of its indices, to know an ill-typed slip by its form."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

from autograder.answers.equation.tree import Binder, Line, Place, Softmax, Variable


def signature(line: Line) -> str:
    """Equal for two lines that differ only in the names of their indices."""
    return _written((line.left, line.rights), {})


def _written(node: Any, names: dict[str, str]) -> str:
    if isinstance(node, tuple):
        return "(" + " ".join(_written(item, names) for item in node) + ")"
    if not is_dataclass(node) or isinstance(node, Place):
        return "" if isinstance(node, Place) else repr(node)
    pieces = [type(node).__name__]
    for part in fields(node):
        value = getattr(node, part.name)
        if isinstance(node, Variable | Binder) and part.name == "name":
            pieces.append(names.setdefault(value, f"#{len(names)}"))
        elif isinstance(node, Softmax) and part.name == "over":
            pieces += [names.setdefault(name, f"#{len(names)}") for name in value]
        else:
            pieces.append(_written(value, names))
    return "<" + " ".join(pieces) + ">"
