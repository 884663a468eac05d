"""Tables, progress and JSON on a terminal or in a pipe."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Protocol

import typer

if TYPE_CHECKING:
    from rich.console import Console

CourseOption = Annotated[
    Path | None,
    typer.Option("--course", metavar="DIR", help="The course. [dim]Default: the nearest one upwards.[/dim]"),
]
CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
WorkersOption = Annotated[
    int,
    typer.Option("--workers", "-w", min=1, help="How many processes work. [dim]Default: one a core.[/dim]"),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON for a program to read.")]


class Advance(Protocol):
    """Called after each finished item, with a word on it."""

    def __call__(self, note: str = "") -> None: ...


def console(*, stderr: bool = False) -> Console:
    from rich.console import Console

    return Console(stderr=stderr, highlight=False, soft_wrap=False)


def print_json(value: object) -> None:
    typer.echo(json.dumps(value, ensure_ascii=False, indent=2))


def print_table(columns: Sequence[str], rows: Sequence[Sequence[str]], *, right: Sequence[int] = ()) -> None:
    """A ruled table on a terminal, tab-separated lines in a pipe."""
    if not sys.stdout.isatty():
        for row in (columns, *rows):
            typer.echo("\t".join(_plain(field) for field in row))
        return
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, header_style="bold")
    for position, column in enumerate(columns):
        table.add_column(column, justify="right" if position in right else "left", overflow="fold")
    for row in rows:
        table.add_row(*row)
    console().print(table)


def _plain(field: str) -> str:
    from rich.text import Text

    return Text.from_markup(field).plain


@contextmanager
def progress(what: str, total: int) -> Iterator[Advance]:
    """A bar with rate and remaining time on a terminal; a line now and then in a pipe."""
    if sys.stderr.isatty():
        with _bar(what, total) as advance:
            yield advance
    else:
        yield _Lines(what, total)


@contextmanager
def waiting(what: str) -> Iterator[None]:
    """The same bar, moving, while something takes its time that has no steps to count; none in a pipe."""
    if not sys.stderr.isatty():
        yield
        return
    with _bar(what, None):
        yield


class _Lines:
    """Progress for a log: about ten lines, however long the work."""

    def __init__(self, what: str, total: int) -> None:
        self._what, self._total, self._done = what, total, 0
        self._step = max(1, total // 10)

    def __call__(self, note: str = "") -> None:
        self._done += 1
        if self._done % self._step == 0 or self._done == self._total:
            print(f"{self._what}: {self._done} of {self._total} {note}".rstrip(), file=sys.stderr, flush=True)


@contextmanager
def _bar(what: str, total: int | None) -> Iterator[Advance]:
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    counts = (
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
        TextColumn("{task.fields[note]}"),
    )
    columns = (TextColumn(what), BarColumn(), *(counts if total is not None else ()))
    with Progress(*columns, console=console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total, note="", rate="")

        def advance(note: str = "") -> None:
            speed = bar.tasks[0].speed
            bar.update(task, advance=1, note=note, rate=f"{speed:.1f}/s" if speed else "")

        yield advance
