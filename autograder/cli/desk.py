"""The command that opens the desk: a class's open questions on local pages."""

from __future__ import annotations

import getpass
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer

from autograder.cli.classes import DbOption
from autograder.cli.courses import open_course
from autograder.cli.report_and_export import OutArgument
from autograder.cli.terminal import CourseOption, waiting
from autograder.course.load import find_course
from autograder.errors import UsageError
from autograder.logs import kept_faults


def desk(
    out: OutArgument,
    course: CourseOption = None,
    db: DbOption = None,
    port: Annotated[
        int,
        typer.Option("--port", min=0, max=65535, help="Where to listen. [dim]Default: any free port.[/dim]"),
    ] = 0,
    name: Annotated[
        str, typer.Option("--name", metavar="NAME", help="Who marks. [dim]Default: your user name.[/dim]")
    ] = "",
    appeals: Annotated[
        Path | None,
        typer.Option("--appeals", metavar="FILE", help="A csv file of appeals: student, part, text."),
    ] = None,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Only print the address.")] = False,
) -> None:
    """Open the desk: read prose, mark by rubric, look at what the grader left, all in a browser."""
    root = find_course(Path.cwd(), course)
    from autograder.desk.find_marks import find_marks

    find_marks(out, db)
    if appeals and not appeals.is_file():
        raise UsageError(f"{appeals} is not a file: name a csv file with the columns student, part, text")
    # Whatever can be wrong with the command is said before torch is imported, which takes seconds.
    from autograder.desk.appeals import read_appeals
    from autograder.desk.guard import open_to_others
    from autograder.desk.open_class import open_class
    from autograder.desk.server import serve

    def announce(address: str) -> None:
        typer.echo(f"the desk is open at {address}\nCtrl-C closes it; every mark is written as it is given")

    loaded = open_course(root)
    with kept_faults(out), ExitStack() as stack:
        with waiting("opening the desk"):
            opened = stack.enter_context(open_class(loaded, out, db))
        if appeals:
            added = opened.hand.add_appeals(read_appeals(appeals, opened))
            typer.echo(f"{added} new appeal{'' if added == 1 else 's'} in {appeals}")
        with waiting("writing the pages"):
            opened.renew_pages()
        if says := open_to_others(out):
            typer.echo(says, err=True)
        serve(opened, name or getpass.getuser(), port, announce, browser=not no_browser)
        opened.renew_pages()
    typer.echo(f"the desk is closed; the marks are in {opened.gradebook}")
