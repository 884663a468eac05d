"""A departure becomes a sentence that quotes the lines of whose code it is."""

from __future__ import annotations

from autograder.diagnose.cell_statements import quote_line
from autograder.diagnose.departure import Departure

RIGHT = "your tensors are right; "


def say_departure(found: Departure, source: str) -> str:
    """Up to which line all is right, and which is the first that is not."""
    here = quote_line(source, found.line)
    if found.twin:
        twin = quote_line(source, found.twin)
        return f"{here}, gives the same tensor as {twin}: a right solution has another there"
    if found.returns:
        return f"{here}, gives numbers that a right solution has as well, but not as the result asked for"
    parts = f"{here}, parts from a right solution"
    return f"up to {quote_line(source, found.after)}, {RIGHT}{parts}" if found.after else parts


def briefly(says: str) -> str:
    """Without the lines that are right: what is said beside a named mistake."""
    return says.partition(RIGHT)[2] if says.startswith("up to ") else says
