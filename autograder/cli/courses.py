"""Commands on a course: list it, build its notebooks, prove it."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from autograder.cli.show import CourseOption, JsonOption, print_json, print_table, progress, waiting
from autograder.course.load import SECRET, Course, find_course, load_course, make_secret
from autograder.errors import UsageError

if TYPE_CHECKING:
    from autograder.verify.proof import Check


def open_course(given: Path | None, *, solutions: bool = True) -> Course:
    root = find_course(Path.cwd(), given)
    with waiting("loading the course"):
        return load_course(root, solutions=solutions)


def list_problems(course: CourseOption = None, json: JsonOption = False) -> None:
    """List the sets, problems and parts of a course."""
    opened = open_course(course, solutions=False)
    rows = [
        {
            "set": group.id,
            "problem": problem.id,
            "part": part.name,
            "kind": type(part).__name__.lower(),
            "points": part.points,
        }
        for group, problem in opened.assignments
        for part in problem.parts
    ]
    if json:
        print_json(rows)
        return
    print_table(
        ["set", "problem", "part", "kind", "points"],
        [
            [str(r["set"]), str(r["problem"]), str(r["part"]), str(r["kind"]), f"{r['points']:g}"]
            for r in rows
        ],
        right=[4],
    )


def build(
    course: CourseOption = None,
    check: Annotated[
        bool,
        typer.Option("--check", help="Write nothing; fail where a notebook is stale or a file is stray."),
    ] = False,
    json: JsonOption = False,
) -> None:
    """Write the notebooks of a course from its problem files."""
    from autograder.notebook.build import stale, write_all

    opened = open_course(course, solutions=False)
    with progress("building", len(list(opened.assignments))) as advance:
        lines = stale(opened, advance) if check else write_all(opened, advance)
    if not check and make_secret(opened.root):
        print(f"made {SECRET}: hidden inputs are drawn from it; keep it from students", file=sys.stderr)
    if json:
        print_json({"stale" if check else "written": lines})
    else:
        for line in lines:
            typer.echo(line)
        if not lines:
            typer.echo("all notebooks are up to date")
    if check and lines:
        raise typer.Exit(1)


def verify(
    problems: Annotated[
        list[str] | None, typer.Argument(metavar="PROBLEM", help="Only these. [dim]Default: all.[/dim]")
    ] = None,
    course: CourseOption = None,
    json: JsonOption = False,
) -> None:
    """Prove a course: references pass, stubs fail, every known mistake is caught and named."""
    from autograder.calls.records import Limits, override
    from autograder.sandbox.pool import Sandbox
    from autograder.verify.proof import verify_course

    opened = open_course(course)
    unknown = [name for name in problems or () if name not in opened.problems]
    if unknown:
        raise UsageError(f"the course has no problem {unknown[0]!r}; it has {', '.join(opened.problems)}")
    checks: list[Check] = []
    with (
        Sandbox(workers=1, limits=override(Limits(), opened.limits), packages=opened.packages) as sandbox,
        progress("verifying", len(problems or opened.problems)) as advance,
    ):
        seen: set[str] = set()
        for check in verify_course(opened, sandbox.run, problems or ()):
            checks.append(check)
            if check.problem not in seen and check.problem in opened.problems:
                seen.add(check.problem)
                advance(check.problem)
    failed = [check for check in checks if not check.passed]
    if json:
        print_json({"passed": not failed, "checks": [asdict(check) for check in checks]})
    else:
        _print_checks(opened, checks)
        for check in failed:
            print(check.sentence, file=sys.stderr)
        typer.echo(f"{len(checks) - len(failed)} checks hold, {len(failed)} do not")
    if failed:
        raise typer.Exit(1)


def _print_checks(course: Course, checks: list[Check]) -> None:
    rows = []
    for name, problem in course.problems.items():
        for part in problem.parts:
            mine = [check for check in checks if (check.problem, check.part) == (name, part.name)]
            if mine:
                rows.append([name, part.name, type(part).__name__.lower(), *_tallies(mine)])
    print_table(["problem", "part", "kind", "reference", "stub", "mistakes caught", "other checks"], rows)


def _tallies(checks: list[Check]) -> list[str]:
    return [
        _tally([check for check in checks if check.what == "reference"]),
        _tally([check for check in checks if check.what == "stub"]),
        _tally([check for check in checks if check.what == "mistake"], count=True),
        _tally([check for check in checks if check.what not in ("reference", "stub", "mistake")], count=True),
    ]


def _tally(checks: list[Check], *, count: bool = False) -> str:
    if not checks:
        return "–"
    held = sum(check.passed for check in checks)
    text = f"{held} of {len(checks)}" if count else ("accepted" if checks[0].what == "reference" else "0")
    if held == len(checks):
        return f"[green]✓[/green] {text}"
    return f"[red]✗[/red] {text if count else 'fails'}"
