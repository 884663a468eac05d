"""Grade deep-learning homework: the words a problem file is written in, and the student's `check`."""

from __future__ import annotations

from collections.abc import Callable

from autograder.course import object_steps as do
from autograder.course.author_tests import Tests
from autograder.course.cases import (
    Case,
    booleans,
    case,
    double_precision,
    drawn,
    function,
    given,
    increasing,
    normal,
    number,
    optional,
    orthogonal,
    permutation,
    positive,
    probabilities,
    signs,
    string,
    torch_dtype,
    views,
    whole,
)
from autograder.course.model import (
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
    also,
    item,
    key,
    mistake,
    one_of,
    slip,
    slips_of,
)
from autograder.course.modules import Module
from autograder.course.properties import falls, prop
from autograder.course.small_kinds import Derivation, Interval, Matrix, Number, Order, Select, Shape

__version__ = "0.1.0"

__all__ = [
    "Case",
    "Choice",
    "Code",
    "Derivation",
    "Equation",
    "Formula",
    "Growth",
    "Interval",
    "Key",
    "Matrix",
    "Mistake",
    "Module",
    "Number",
    "Order",
    "Problem",
    "Prose",
    "Reading",
    "Select",
    "Shape",
    "Tensor",
    "Tests",
    "also",
    "booleans",
    "case",
    "check",
    "do",
    "double_precision",
    "drawn",
    "falls",
    "follows",
    "function",
    "given",
    "increasing",
    "item",
    "key",
    "mistake",
    "normal",
    "number",
    "one_of",
    "optional",
    "orthogonal",
    "permutation",
    "positive",
    "probabilities",
    "prop",
    "signs",
    "slip",
    "slips_of",
    "string",
    "torch_dtype",
    "views",
    "whole",
]


def __getattr__(name: str) -> Callable[..., object]:
    # `check` draws panels and runs torch: loaded when a notebook asks for it, not by every import.
    if name == "check":
        from autograder.check import check

        return check
    if name == "follows":
        from autograder.calls.properties import follows

        return follows
    raise AttributeError(f"module 'autograder' has no attribute {name!r}")
