"""What a grading run prints at its end: marks, who moved and why, and where everything lies."""

from __future__ import annotations

import sys
import textwrap
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from autograder.cli.terminal import print_json, print_table

if TYPE_CHECKING:
    from autograder.classroom.mark_changes import Move
    from autograder.classroom.settings_and_outcome import GradedClass
    from autograder.grade.report import Report

MOST_ROWS = 30  # notebooks that are listed one by one; of more, each problem is summed up
MOST_MOVES = 60
MOST_WAITING = 6  # parts that are named
WORDS = {"manual": "waiting", "timed_out": "out of time", "unchanged": "not answered"}
TROUBLE = ("crashed", "timed_out", "killed", "unreadable")


def print_outcome(outcome: GradedClass, out: Path, json: bool, *, gradebook: str = "") -> None:
    """The summary of a run, or its rows for a program; `gradebook` is where it lies, if there is one."""
    from autograder.as_json import to_json
    from autograder.classroom.marks_by_people import as_marked
    from autograder.classroom.tables import rows

    if json:
        print_json([to_json(row) for row in rows(outcome.reports)])
        return
    reports = as_marked(outcome.reports, outcome.by_hand)
    if len(reports) > MOST_ROWS:
        _print_problems(reports)
    elif reports:
        _print_notebooks(reports)
    _print_moves(outcome.moves)
    total = len(reports)
    typer.echo(f"{total} notebook{'' if total == 1 else 's'}, {outcome.graded} graded now")
    typer.echo(f"marks     {out / 'grades.csv'}, part by part in {out / 'results.jsonl'}")
    typer.echo(f"feedback  {out / 'feedback'}")
    typer.echo(f"report    {out / 'report.html'}")
    if gradebook:
        typer.echo(f"gradebook {gradebook}")
    for line in waiting_words(reports, out, bool(gradebook)):
        typer.echo(line)


def print_example(outcome: GradedClass, out: Path) -> None:
    """One wrong function that was understood, as its student reads it, and how to open the rest."""
    found = next(
        (
            (report, part)
            for report in outcome.reports
            for part in report.parts
            if part.mistake and part.departs
        ),
        None,
    )
    if found:
        report, part = found
        typer.echo(f"\nwhat {report.student} reads about {part.part}:")
        typer.echo(
            textwrap.fill(part.feedback.split("\n")[0], 100, initial_indent="  ", subsequent_indent="  ")
        )
    opener = {"darwin": "open", "win32": "start"}.get(sys.platform, "xdg-open")
    typer.echo(f"\nopen the class report, which links every student's page:  {opener} {out / 'report.html'}")


def waiting_words(reports: Sequence[Report], out: Path, gradebook: bool) -> Iterator[str]:
    """How many answers a person has to mark, and where that is done; which files to ask for again."""
    broken = [report for report in reports if any(part.status == "unreadable" for part in report.parts)]
    if broken:
        students = list(dict.fromkeys(report.student for report in broken))
        names = ", ".join(students[:MOST_WAITING])
        more = f" and {len(students) - MOST_WAITING} more" if len(students) > MOST_WAITING else ""
        those = "1 notebook" if len(broken) == 1 else f"{len(broken)} notebooks"
        yield f"{those} cannot be read ({names}{more}): ask for the .ipynb again; feedback says what is wrong"
    waiting = Counter(
        f"{report.problem}.{part.part}"
        for report in reports
        for part in report.parts
        if part.status == "manual"
    )
    total = waiting.total()
    if not total:
        return
    named = ", ".join(f"{count} {name}" for name, count in waiting.most_common(MOST_WAITING))
    more = f" and {len(waiting) - MOST_WAITING} more parts" if len(waiting) > MOST_WAITING else ""
    yield f"{total} answer{' is' if total == 1 else 's are'} for a person to mark: {named}{more}"
    if gradebook:
        yield f"mark them at the desk: autograder desk {out}"
    else:
        yield "they are marked at the desk: grade with a gradebook, without --no-gradebook"


def _print_notebooks(reports: Sequence[Report]) -> None:
    table = [
        [
            _text(report.student),
            report.column,
            f"{report.score:g} / {report.max_score:g}",
            _counts(Counter(part.status for part in report.parts)),
            ", ".join(dict.fromkeys(part.mistake for part in report.parts if part.mistake)),
        ]
        for report in reports
    ]
    print_table(["student", "problem", "marks", "parts", "recognised mistakes"], table, right=[2])


def _print_problems(reports: Sequence[Report]) -> None:
    groups: dict[str, list[Report]] = {}
    for report in reports:
        groups.setdefault(report.column, []).append(report)
    table = []
    for column, group in groups.items():
        mean = sum(report.score for report in group) / len(group)
        full = sum(report.score >= report.max_score for report in group)
        trouble = Counter(
            status for report in group for status in TROUBLE if status in {p.status for p in report.parts}
        )
        mistakes = Counter(part.mistake for report in group for part in report.parts if part.mistake)
        common = [f"{count} {name}" for name, count in mistakes.most_common(2)]
        table.append(
            [
                column,
                f"{len(group)}",
                f"{mean:.1f} / {group[0].max_score:g}",
                f"{full}",
                f"{sum(part.status == 'manual' for report in group for part in report.parts)}",
                _counts(trouble),
                ", ".join(common),
            ]
        )
    columns = ["problem", "notebooks", "mean", "full marks", "waiting", "troubles", "commonest mistakes"]
    print_table(columns, table, right=[1, 2, 3, 4])


def _print_moves(moves: Sequence[Move]) -> None:
    if not moves:
        return
    table = [
        [
            _text(move.student),
            f"{move.set}/{move.problem}",
            f"{move.was:g} → {move.now:g}",
            f"{move.now - move.was:+g}",
            "; ".join(move.reasons),
        ]
        for move in moves[:MOST_MOVES]
    ]
    typer.echo(
        f"{len(moves)} of the notebooks graded before {'has' if len(moves) == 1 else 'have'} other results"
    )
    print_table(["moved", "problem", "marks", "by", "why"], table, right=[3])
    if len(moves) > MOST_MOVES:
        typer.echo(f"and {len(moves) - MOST_MOVES} more")


def _counts(counts: Counter[str]) -> str:
    return ", ".join(f"{count} {WORDS.get(status, status)}" for status, count in counts.items())


def _text(name: str) -> str:
    """A student's name as it is: brackets in it are no markup."""
    return name.replace("[", "\\[")
