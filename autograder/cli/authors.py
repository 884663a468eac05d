"""The commands that begin a problem."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from autograder.cli.terminal import JsonOption, print_json, progress
from autograder.course.load import INDEX, find_course
from autograder.errors import UsageError, reason

CourseToBegin = Annotated[
    Path | None,
    typer.Option("--course", metavar="DIR", help="The course; begins one where there is none yet."),
]


class Kind(StrEnum):
    """The kinds of part."""

    CODE = "code"
    MODULE = "module"
    PROPERTY = "property"
    TESTS = "tests"
    GROWTH = "growth"
    FORMULA = "formula"
    EQUATION = "equation"
    CHOICE = "choice"
    NUMBER = "number"
    SHAPE = "shape"
    MATRIX = "matrix"
    INTERVAL = "interval"
    SELECT = "select"
    ORDER = "order"
    DERIVATION = "derivation"
    PROSE = "prose"


def _course_to_begin(course: Path | None) -> tuple[Path, bool]:
    """The folder of the course, and whether it is begun here."""
    if course is not None and not (course / INDEX).is_file():
        return course, True
    return find_course(Path.cwd(), course), False


def new(
    problem: Annotated[str, typer.Argument(metavar="PROBLEM", help="Its name, such as layer_norm.")],
    kinds: Annotated[
        list[Kind] | None,
        typer.Option("--kind", help="A part of this kind; can be given again. [dim]Default: code.[/dim]"),
    ] = None,
    set_id: Annotated[
        str | None,
        typer.Option("--set", metavar="SET", help="The set it belongs to, an old or a new one."),
    ] = None,
    course: CourseToBegin = None,
    json: JsonOption = False,
) -> None:
    """Begin a problem: its file, its solution, and a test that fails until both are filled in."""
    from autograder.course.new_problem import begin_problem

    root, fresh = _course_to_begin(course)
    written = begin_problem(root, problem, [str(kind) for kind in kinds or [Kind.CODE]], set_id)
    if json:
        print_json({"written": written})
        return
    for path in written:
        typer.echo(f"wrote {root / path if fresh else path}")
    test = next(path for path in written if path.startswith("tests"))
    typer.echo(
        f"fill in what says FILL IN, then: autograder build, autograder verify {problem}, pytest {test}"
    )


class Form(StrEnum):
    """The formats of notebooks that can be imported."""

    NBGRADER = "nbgrader"
    OTTER = "otter"


def import_notebook(
    form: Annotated[Form, typer.Argument(metavar="FORMAT", help="nbgrader, or otter: its source format.")],
    notebook: Annotated[Path, typer.Argument(metavar="NOTEBOOK", help="The instructor's version.")],
    name: Annotated[
        str | None, typer.Option("--name", help="Of the problem. [dim]Default: the notebook's.[/dim]")
    ] = None,
    set_id: Annotated[str | None, typer.Option("--set", metavar="SET", help="The set it belongs to.")] = None,
    course: CourseToBegin = None,
    json: JsonOption = False,
) -> None:
    """Make a problem of another grader's notebook, and list what needs a person's eye."""
    from autograder.course.new_problem import import_problem

    root, fresh = _course_to_begin(course)
    written, notes = import_problem(root, notebook, str(form), name, set_id)
    if json:
        print_json({"written": written, "notes": notes})
        return
    for path in written:
        typer.echo(f"wrote {root / path if fresh else path}")
    for note in notes:
        typer.echo(f"look at: {note}")
    typer.echo("then: autograder build, autograder verify")


def draft(
    sheet: Annotated[
        Path, typer.Argument(metavar="SHEET", help="A solved sheet: Markdown with LaTeX, or LaTeX.")
    ],
    set_id: Annotated[str, typer.Option("--set", metavar="SET", help="The set of its problems, old or new.")],
    course: CourseToBegin = None,
    json: JsonOption = False,
) -> None:
    """Draft problems from a solved sheet: what can be read becomes parts and keys, the rest a FILL IN."""
    from autograder.draft.write import draft_sheet, problems_in, report, write_draft

    root, _ = _course_to_begin(course)
    try:
        text = sheet.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{sheet} cannot be read: {reason(error)}") from error
    with progress("drafting", len(problems_in(text))) as advance:
        drafted = draft_sheet(text, sheet.name, set_id, advance)
    written = write_draft(root, drafted, set_id)
    if json:
        print_json({"written": written, "report": report(drafted)})
        return
    for line in (*report(drafted), *(f"wrote {path}" for path in written)):
        typer.echo(line)
