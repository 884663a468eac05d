"""The commands and their options, in the order in which a course needs them."""

from __future__ import annotations

import gc
import sys
from typing import Annotated

import typer

from autograder import __version__
from autograder.cli import (
    authors,
    classes,
    compare_answers,
    costs,
    courses,
    desk,
    packaging,
    report_and_export,
    student,
)
from autograder.logs import be_verbose

# Importing torch makes half a million objects, and none of them is garbage.
gc.set_threshold(50_000)

# jsonschema, which nbformat imports, makes 38 parsers of international addresses where it finds this package:
# most of a second of every command, and no notebook has such an address to check.
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]

app = typer.Typer(
    name="autograder",
    help="Grade deep-learning homework: torch functions, growth rates, formulas and index equations.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"autograder {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Log what goes on, with the tracebacks of faults.")
    ] = False,
) -> None:
    if verbose:
        be_verbose()


COURSE, CLASS, ANSWERS, STUDENTS = "The course", "A class", "Single answers", "For students"

app.command("list", rich_help_panel=COURSE)(courses.list_problems)
app.command("build", rich_help_panel=COURSE)(courses.build)
app.command("verify", rich_help_panel=COURSE)(courses.verify)
app.command("cost", rich_help_panel=COURSE)(costs.cost)
app.command("release", rich_help_panel=COURSE)(student.release)
app.command("package", rich_help_panel=COURSE)(packaging.package)
app.command("new", rich_help_panel=COURSE)(authors.new)
app.command("draft", rich_help_panel=COURSE)(authors.draft)
app.command("import", rich_help_panel=COURSE)(authors.import_notebook)
app.command("demo", rich_help_panel=CLASS)(classes.demo)
app.command("grade", rich_help_panel=CLASS)(classes.grade)
app.command("report", rich_help_panel=CLASS)(report_and_export.report)
app.command("desk", rich_help_panel=CLASS)(desk.desk)
app.command("export", rich_help_panel=CLASS)(report_and_export.export)
app.command("doctor", rich_help_panel=CLASS)(classes.doctor)
app.command("compare", rich_help_panel=ANSWERS)(compare_answers.compare)
app.command("check", rich_help_panel=STUDENTS)(student.check)
