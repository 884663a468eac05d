"""Commands around a student's desk: make the bundle that is handed out, check a notebook of it."""

from __future__ import annotations

import io
import json as jsons
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, TypedDict

import typer

from autograder.as_json import JsonObject
from autograder.classroom.class_folders import check_course, check_folder
from autograder.cli.courses import open_course
from autograder.cli.terminal import CourseOption, JsonOption, print_json, progress, waiting
from autograder.course.load import Course, ProblemSet, find_course, refuse_shipped_secret
from autograder.errors import UsageError, reason

_COLOURS = {"✓": "green", "✗": "red", "○": "yellow", "✎": "blue", "!": "yellow", "■": "yellow", "?": "yellow"}


def check(
    notebook: Annotated[Path, typer.Argument(metavar="NOTEBOOK", help="A notebook that was handed out.")],
    json: JsonOption = False,
) -> None:
    """Run a notebook afresh and check it: what is read, which visible cases pass."""
    if not notebook.is_file():
        raise UsageError(f"{notebook} is not a file; name a notebook")
    with waiting("running the notebook"):
        answer = _run(notebook)
    if json:
        print_json(answer["panel"])
    else:
        _print_text(answer["text"])
    if not answer["panel"]["passed"]:
        raise typer.Exit(1)


def release(
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The folder to write the bundle into.")],
    sets: Annotated[
        list[str] | None, typer.Option("--set", metavar="SET", help="Only this set. [dim]Default: all.[/dim]")
    ] = None,
    zip: Annotated[bool, typer.Option("--zip", help="Write OUT.zip as well.")] = False,
    roster: Annotated[
        Path | None,
        typer.Option(
            "--roster",
            metavar="CSV",
            help="A bundle for each student of this table, with the student's own numbers, in OUT/STUDENT.",
        ),
    ] = None,
    course: CourseOption = None,
    json: JsonOption = False,
) -> None:
    """Make what a class is handed: notebooks, visible cases, requirements; no answers."""
    root = find_course(Path.cwd(), course)
    check_folder(out, "bundle")
    check_course(out, root)
    opened = open_course(root)  # before what imports torch as well: its bar is the first thing to be seen
    with waiting("loading the course"):
        from autograder.release.bundle import build_bundle, choose_sets, write_bundle, write_zip

    chosen = choose_sets(opened, sets or ())
    varied = sorted({n for group in chosen for n in group.problems if opened.problems[n].varies})
    if roster is not None:
        _release_each(opened, chosen, roster, out, zip=zip, json=json)
        return
    if varied:
        raise UsageError(
            f"each student has other numbers in {', '.join(varied)}: name the class with --roster CSV"
        )
    with progress("releasing", len({name for group in chosen for name in group.problems})) as advance:
        files = build_bundle(opened, chosen, advance)
    with waiting("writing"):
        write_bundle(files, out)
        written = [str(out)] + ([str(write_zip(files, out))] if zip else [])
    notebooks = [path for path in files if path.endswith(".ipynb")]
    if json:
        print_json({"written": written, "files": list(files)})
    else:
        typer.echo(
            f"{len(notebooks)} notebook{'' if len(notebooks) == 1 else 's'} in {' and '.join(written)}"
        )


def _release_each(
    course: Course, groups: Sequence[ProblemSet], roster: Path, out: Path, *, zip: bool, json: bool
) -> None:
    """A bundle for each student of a roster, below OUT."""
    from autograder.release.bundle import build_bundles, read_roster, write_bundle, write_zip

    try:
        students = read_roster(roster.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{roster} cannot be read: {reason(error)}; name a CSV of the class") from error
    refuse_shipped_secret(course)
    with progress("releasing", len(students)) as advance:
        bundles = build_bundles(course, groups, students, advance)
    written = []
    with progress("writing", len(bundles)) as advance:
        for student, files in bundles.items():
            write_bundle(files, out / student)
            written += [str(out / student)] + ([str(write_zip(files, out / student))] if zip else [])
            advance(student)
    if json:
        print_json({"written": written, "files": list(next(iter(bundles.values())))})
    else:
        typer.echo(f"{len(bundles)} bundle{'' if len(bundles) == 1 else 's'} in {out}, one for each student")


class _FreshRun(TypedDict, total=False):
    panel: JsonObject
    text: str
    error: str


def _run(notebook: Path) -> _FreshRun:
    """The answer of a fresh process; it writes a file, since the notebook may print anything."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "panel.json"
        command = [sys.executable, "-m", "autograder.check.fresh_run", str(notebook.resolve()), str(out)]
        env = {**os.environ, "MPLBACKEND": "agg", "PYTHONIOENCODING": "utf-8"}
        subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, env=env, check=False)
        if not out.is_file():
            raise UsageError(
                f"{notebook} ended the process that ran it: look for exit() or a crash in its cells"
            )
        answer: _FreshRun = jsons.loads(out.read_text(encoding="utf-8"))
    if "error" in answer:
        raise UsageError(answer["error"])
    return answer


def _print_text(text: str) -> None:
    # A pipe on Windows may not know the marks: a question mark is better than no answer.
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
    for line in text.splitlines():
        stripped = line.lstrip()
        colour = _COLOURS.get(stripped[:1]) if stripped[1:2] == " " else None
        indent = line[: len(line) - len(stripped)]
        typer.echo(f"{indent}{typer.style(stripped[:1], fg=colour)}{stripped[1:]}" if colour else line)
