"""The command that begins a problem."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from autograder.cli.show import JsonOption, print_json
from autograder.course import INDEX, find_course


class Kind(StrEnum):
    """The kinds of part."""

    CODE = "code"
    GROWTH = "growth"
    FORMULA = "formula"
    EQUATION = "equation"
    CHOICE = "choice"
    PROSE = "prose"


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
    course: Annotated[
        Path | None,
        typer.Option("--course", metavar="DIR", help="The course; begins one where there is none yet."),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Begin a problem: its file, its solution, and a test that fails until both are filled in."""
    from autograder.scaffold.begin import begin_problem

    fresh = course is not None and not (course / INDEX).is_file()
    root = course if course is not None and fresh else find_course(Path.cwd(), course)
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
