"""Grade deep-learning homework: the words a problem file is written in, and the student's `check`."""

from __future__ import annotations

from typing import Any

from autograder.model import (
    Case,
    Choice,
    Code,
    Equation,
    Formula,
    Growth,
    Key,
    Mistake,
    Problem,
    Prose,
    Reading,
    Tensor,
    case,
    function,
    key,
    mistake,
    normal,
    number,
    orthogonal,
    positive,
    slip,
    torch_dtype,
    whole,
)

__version__ = "0.1.0"

__all__ = [
    "Case",
    "Choice",
    "Code",
    "Equation",
    "Formula",
    "Growth",
    "Key",
    "Mistake",
    "Problem",
    "Prose",
    "Reading",
    "Tensor",
    "case",
    "check",
    "function",
    "key",
    "mistake",
    "normal",
    "number",
    "orthogonal",
    "positive",
    "slip",
    "torch_dtype",
    "whole",
]


def __getattr__(name: str) -> Any:
    # `check` draws panels and runs torch: loaded when a notebook asks for it, not by every import.
    if name == "check":
        from autograder.check import check

        return check
    raise AttributeError(f"module 'autograder' has no attribute {name!r}")
