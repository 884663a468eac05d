"""Commands on a course: list it, build its notebooks, prove it."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from autograder.cli.terminal import (
    CORES,
    CourseOption,
    JsonOption,
    WorkersOption,
    print_json,
    print_table,
    progress,
    waiting,
)
from autograder.course.load import SECRET, Course, find_course, load_course, make_secret
from autograder.errors import UsageError

if TYPE_CHECKING:
    from autograder.verify.checks import Check
    from autograder.verify.prove_in_parallel import Proof


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
    root = find_course(Path.cwd(), course)
    opened = open_course(root, solutions=False)
    with waiting("building"):
        from autograder.notebook.build_notebooks import stale, write_all

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
    workers: WorkersOption = CORES,
    again: Annotated[
        bool,
        typer.Option("--again", help="Prove anew what an earlier run proved and nothing has changed since."),
    ] = False,
    json: JsonOption = False,
) -> None:
    """Prove a course: references pass, stubs fail, every known mistake is caught and named."""
    root = find_course(Path.cwd(), course)
    opened = open_course(root)  # before what imports torch as well: its bar is the first thing to be seen
    unknown = [name for name in problems or () if name not in opened.problems]
    if unknown:
        raise UsageError(f"the course has no problem {unknown[0]!r}; it has {', '.join(opened.problems)}")
    proofs = _prove(opened, problems or list(opened.problems), workers, again)
    checks = [check for name in opened.problems if name in proofs for check in proofs[name].checks]
    checks.append(_check_notebooks(opened))
    failed = [check for check in checks if not check.passed]
    kept = sum(proof.kept for proof in proofs.values())
    if json:
        print_json({"passed": not failed, "kept": kept, "checks": [asdict(check) for check in checks]})
    else:
        _print_checks(opened, checks)
        for check in failed:
            print(check.sentence, file=sys.stderr)
        unchanged = f"; {kept} of {len(proofs)} problems proved before and unchanged" if kept else ""
        typer.echo(f"{len(checks) - len(failed)} checks hold, {len(failed)} do not{unchanged}")
    if failed:
        raise typer.Exit(1)


def _check_notebooks(course: Course) -> Check:
    with waiting("building the notebooks to compare"):
        from autograder.verify.proof import notebooks_check

        return notebooks_check(course)


def _prove(course: Course, names: Sequence[str], workers: int, again: bool) -> dict[str, Proof]:
    with waiting("verifying"):
        from autograder.verify.prove_in_parallel import prove_course

    proofs = {}
    with progress("verifying", len(names)) as advance:
        for proof in prove_course(course, names, workers=workers, again=again):
            proofs[proof.problem] = proof
            advance(proof.problem)
    return proofs


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
