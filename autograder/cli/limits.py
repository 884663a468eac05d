"""Limits on the command line: options become a table of names and numbers that overrides the course's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from autograder.course.author_faults import limit_faults
from autograder.course.model import LIMITS
from autograder.errors import UsageError

PANEL = "Limits of one submission"
WallOption = Annotated[
    float | None,
    typer.Option("--wall-seconds", help="Time for the whole notebook.", rich_help_panel=PANEL),
]
MemoryOption = Annotated[
    float | None,
    typer.Option("--memory-mb", help="Memory above what torch itself takes.", rich_help_panel=PANEL),
]
LimitOption = Annotated[
    list[str] | None,
    typer.Option(
        "--limit", metavar="NAME=NUMBER", help=f"Any of {', '.join(LIMITS)}.", rich_help_panel=PANEL
    ),
]


def limits_of(
    wall_seconds: float | None, memory_mb: float | None, others: Sequence[str] | None
) -> dict[str, float]:
    """The limits that were given."""
    given: dict[str, object] = dict(_split(text) for text in others or ())
    given |= {"wall_seconds": wall_seconds} if wall_seconds is not None else {}
    given |= {"memory_mb": memory_mb} if memory_mb is not None else {}
    faults = list(limit_faults(given))
    if faults:
        raise UsageError("; ".join(faults))
    return {name: float(str(value)) for name, value in given.items()}


def _split(text: str) -> tuple[str, object]:
    name, equals, number = text.partition("=")
    try:
        return name.strip().replace("-", "_"), float(number)
    except ValueError:
        found = f"{number!r}" if equals else "no '='"
        raise UsageError(f"--limit {text}: expected NAME=NUMBER, found {found}") from None
