"""The command that packs a course for where it is graded: Gradescope, GitHub, a container."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from autograder.classroom.class_folders import check_course
from autograder.cli.courses import open_course
from autograder.cli.output_files import require_place
from autograder.cli.terminal import CourseOption, JsonOption, print_json, progress, waiting
from autograder.course.load import find_course, refuse_shipped_secret

if TYPE_CHECKING:
    from autograder.course.load import Course, ProblemSet


class Platform(StrEnum):
    """Where grading is to run."""

    GRADESCOPE = "gradescope"
    GITHUB = "github"
    CONTAINER = "container"


DEFAULT_OUT = {
    Platform.GRADESCOPE: Path("autograder.zip"),
    Platform.GITHUB: Path("github"),
    Platform.CONTAINER: Path("container"),
}
NEXT = {
    Platform.GRADESCOPE: "upload it on Gradescope under Configure Autograder; it holds the answers",
    Platform.GITHUB: "its README.md says what each of the two folders is for; grading/ holds the answers",
    Platform.CONTAINER: "its README.md says how to build and run the image; it holds the answers",
}


def package(
    place: Annotated[Platform, typer.Option("--for", help="Where grading is to run.")],
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            metavar="PATH",
            help="Where to. [dim]Default: autograder.zip, github, container.[/dim]",
        ),
    ] = None,
    sets: Annotated[
        list[str] | None, typer.Option("--set", metavar="SET", help="Only this set. [dim]Default: all.[/dim]")
    ] = None,
    course: CourseOption = None,
    json: JsonOption = False,
) -> None:
    """Pack a course with its answers for Gradescope, GitHub or a container."""
    target = out or DEFAULT_OUT[place]
    root = find_course(Path.cwd(), course)
    require_place(target, folder=place is not Platform.GRADESCOPE)
    check_course(target, root)
    opened = open_course(root)  # before what imports torch as well: its bar is the first thing to be seen
    with waiting("packing"):
        from autograder.classroom.tables import write_whole
        from autograder.release.bundle import choose_sets, write_bundle
        from autograder.release.wheel import pack

    refuse_shipped_secret(opened)
    chosen = choose_sets(opened, sets or ())
    files = _files(place, opened, chosen)
    with waiting("writing"):
        if place is Platform.GRADESCOPE:
            write_whole(target, pack(files))
        else:
            write_bundle(files, target)
    if json:
        print_json({"written": str(target), "files": list(files)})
    else:
        typer.echo(f"wrote {target}: {NEXT[place]}")


def _files(place: Platform, course: Course, sets: tuple[ProblemSet, ...]) -> dict[str, bytes]:
    match place:
        case Platform.GRADESCOPE:
            from autograder.packages.gradescope_zip import gradescope_files

            with waiting("packing"):
                return gradescope_files(course, sets)
        case Platform.GITHUB:
            from autograder.packages.github import github_files
            from autograder.release.bundle import build_bundle

            with progress("packing", len({name for group in sets for name in group.problems})) as advance:
                return github_files(course, build_bundle(course, sets, advance))
        case Platform.CONTAINER:
            from autograder.packages.container import container_files

            with waiting("packing"):
                return container_files(course)
