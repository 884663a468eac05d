"""A cell that is no Python becomes its own line, a caret under the place, and the fix in words."""

from __future__ import annotations

import ast

from IPython.core.inputtransformer2 import TransformerManager

from autograder.calls.syntax_fault import MOST_SHOWN, Pointed, point


def explain(source: str) -> Pointed | None:
    """Why a cell cannot be run, or nothing where IPython, with its magics, can read it."""
    text = source
    try:
        text = TransformerManager().transform_cell(source)  # type: ignore[no-untyped-call]
        compile(text, "<cell>", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
    except SyntaxError as error:
        return point(text, error)
    except (ValueError, RecursionError, MemoryError):
        return Pointed(source.split("\n")[0][:MOST_SHOWN], 0, "the cell cannot be read as Python")
    return None
