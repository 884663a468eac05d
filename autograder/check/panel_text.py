"""A panel as plain text, for a terminal and for readers of notebooks without pictures."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from autograder.check.panel import (
    MARKS,
    CaseView,
    LineView,
    Panel,
    PartView,
    State,
    hidden_words,
    points,
    summary_words,
)


def draw_text(panel: Panel) -> str:
    return "\n".join(_lines(panel))


def _lines(panel: Panel) -> Iterator[str]:
    if panel.trouble:
        yield f"✗ {panel.problem}: {panel.trouble}"
        return
    if panel.whole:
        yield f"{panel.title}: {summary_words(panel)}"
    for slip in panel.slips:
        yield f"! {slip}"
    for part in panel.parts:
        yield from _part(part)


def _part(part: PartView) -> Iterator[str]:
    yield f"{MARKS[part.state]} {part.name}: {part.headline} ({points(part.points)})"
    for slip in part.slips:
        yield f"  ! {slip}"
    if part.hint:
        yield f"  hint: {part.hint}"
    for about, says in part.steps:
        yield f"  hint, {about}: {says}"
    if part.closer:
        yield f"  {part.closer}"
    if part.smallest:
        yield "  a small case that shows it"
        for side in ("given", "right", "yours"):
            for name, text in getattr(part.smallest, side):
                yield f"      {side:<9}{name + ' = ' if name else ''}{text}"
    for line in part.lines:
        yield from _line(line)
    for case in part.cases:
        yield from _case(case)
    for note in (*part.notes, hidden_words(part)):
        if note:
            yield f"  {note}"


def _line(line: LineView) -> Iterator[str]:
    if line.fault is not None:
        yield f"    {line.fault.line}"
        if line.fault.column:
            yield f"    {' ' * (line.fault.column - 1)}^"
        yield f"    {line.fault.says}"
    else:
        yield f"    {line.plain}" + (f"    ({line.about})" if line.about else "")


def _case(case: CaseView) -> Iterator[str]:
    yield f"  {MARKS[case.state]} {case.name}" + (f": {case.message}" if case.message else "")
    if case.state != State.FAILS:
        return
    for name, words in case.facts:
        yield f"      {name:<9}{words}"
    for title, block in (
        ("where", case.trace),
        ("it printed", case.printed),
        ("to try it", case.reproduction),
    ):
        if block:
            yield f"      {title}:"
            yield textwrap.indent(block, " " * 8)
