"""The command that measures: the costs of a problem's functions as a table, formulas and curves."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from autograder.cli.courses import open_course
from autograder.cli.output_files import require_place, write_file
from autograder.cli.terminal import CourseOption, JsonOption, print_json, print_table, waiting
from autograder.course.load import find_course
from autograder.errors import UsageError

if TYPE_CHECKING:
    from autograder.cost.measure import Measured
    from autograder.cost.what_to_measure import Target


def cost(
    problem: Annotated[str, typer.Argument(metavar="PROBLEM", help="Whose functions are measured.")],
    function: Annotated[
        str | None,
        typer.Argument(
            metavar="FUNCTION",
            help="One code part, in all of its axes. [dim]Default: what the problem states a cost of.[/dim]",
        ),
    ] = None,
    course: CourseOption = None,
    serial: Annotated[
        bool, typer.Option("--serial", help="Inner products take a step for each term.")
    ] = False,
    svg: Annotated[
        Path | None, typer.Option("--svg", metavar="FILE", help="Write the curves into this file.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Measure work, span and memory of a reference, and how they grow with its sizes."""
    root = find_course(Path.cwd(), course)
    if svg:
        require_place(svg)
    from autograder.cost.what_to_measure import find_function, find_targets

    opened = open_course(root)
    if problem not in opened.problems:
        raise UsageError(f"the course has no problem {problem!r}; it has {', '.join(opened.problems)}")
    asked = opened.problems[problem]
    if function:
        targets = [find_function(opened, asked, function)]
    else:
        targets = list(find_targets(opened, asked, serial))
    if not targets:
        raise UsageError(f"{problem} states no cost; name one of its functions")
    with waiting("measuring"):
        found = [(target, _measure(target, serial)) for target in targets]
    if json:
        print_json([_as_data(target, measured) for target, measured in found])
    else:
        for target, measured in found:
            _print(target, measured)
    if svg:
        from autograder.cost.draw_curves import panel
        from autograder.cost.draw_curves import svg as drawn

        panels = [panel(measured, quantity) for _, measured in found for quantity in measured.fits]
        write_file(svg, drawn(panels))
        if not json:
            typer.echo(f"wrote {svg}")


def _measure(target: Target, serial: bool) -> Measured:
    from autograder.cost.trace.time_model import UnknownOperation

    try:
        return target.subject.measure(target.function, all_serial=serial)
    except UnknownOperation as error:
        raise UsageError(f"{target.function.__name__}: {error}") from error


def _as_data(target: Target, measured: Measured) -> dict[str, object]:
    return {
        "function": target.function.__name__,
        "stated_by": target.states,
        "variables": list(measured.variables),
        "rows": [
            {
                "sizes": dict(row.sizes),
                "work": row.cost.work,
                "span": row.cost.span,
                "memory": row.cost.memory,
            }
            for row in measured.rows
        ],
        "growth": {name: fit.growth for name, fit in measured.fits.items()},
        "formula": {name: fit.formula for name, fit in measured.fits.items()},
        "stated": dict(target.claims),
    }


def _print(target: Target, measured: Measured) -> None:
    from autograder.cost.draw_curves import panel, terminal
    from autograder.cost.measure import QUANTITIES

    typer.echo(f"{target.function.__name__} (stated by {target.states})\n")
    print_table(
        [*measured.variables, "work", "span", "memory in bytes"],
        [
            [
                *(str(row.sizes[name]) for name in measured.variables),
                *(f"{count:,}" for count in (row.cost.work, row.cost.span, row.cost.memory)),
            ]
            for row in measured.rows
        ],
        right=range(len(measured.variables) + 3),
    )
    stated = dict(target.claims)
    typer.echo("")
    for name in QUANTITIES:
        said = f"   stated: {stated[name]}" if name in stated else ""
        fit = measured.fits.get(name)
        found = f"Θ({fit.growth}) = {fit.formula}" if fit else "follows no formula in powers and logarithms"
        typer.echo(f"{name:<7} {found}{said}")
    for name in measured.fits:
        typer.echo(f"\n{terminal(panel(measured, name))}")
    typer.echo("")
