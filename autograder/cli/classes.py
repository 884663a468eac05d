"""Commands on a class: grade it, show a made-up one, say how well this machine can isolate."""

from __future__ import annotations

import re
import shutil
import sys
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Annotated

import typer

from autograder.classroom.archives import check_level, list_files
from autograder.classroom.class_folders import check_out, check_submissions
from autograder.classroom.settings_and_outcome import Settings, check_cluster
from autograder.cli.courses import open_course
from autograder.cli.limits import LimitOption, MemoryOption, WallOption, limits_of
from autograder.cli.summary import TROUBLE, print_example, print_outcome
from autograder.cli.terminal import (
    CORES,
    Advance,
    CourseOption,
    JsonOption,
    WorkersOption,
    print_json,
    print_table,
    progress,
    waiting,
)
from autograder.course.load import find_course, imports_of, load_course, refuse_shipped_secret
from autograder.docs_at_hand import are_at_hand
from autograder.errors import CourseError, UsageError

if TYPE_CHECKING:
    from autograder.classroom.find_hand_ins import Found
    from autograder.classroom.settings_and_outcome import GradedClass
    from autograder.course.load import Course
    from autograder.grade.report import Report
    from autograder.sandbox.parent_pool import Sandbox

OutOption = Annotated[Path, typer.Option("--out", "-o", metavar="OUT", help="Where results are written.")]
IsolationOption = Annotated[
    bool,
    typer.Option(
        "--no-isolation",
        help="Run submissions without a sandbox. They can then read and change this machine.",
    ),
]
DbOption = Annotated[
    str | None,
    typer.Option(
        "--db",
        metavar="URL",
        help="The gradebook, as an SQLAlchemy address. [dim]Default: OUT/gradebook.db.[/dim]",
    ),
]
ClusterOption = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="ADDRESS",
        help="Grade on a Dask cluster: tcp://HOST:8786, or local:N for N workers on this machine.",
    ),
]
LevelOption = Annotated[
    int | None,
    typer.Option(
        "--level",
        metavar="N",
        min=0,
        help="How many folders lie around each student's, such as 1 for sections of any name. "
        "[dim]Default: told by their names.[/dim]",
    ),
]
DEMO_LIMITS = {"call_seconds": 0.5}  # one answer of the made-up class loops for ever: it is cut off sooner
MOST_SKIPPED = 20  # lines on a terminal; the rest is in a file


def grade(
    submitted: Annotated[
        Path,
        typer.Argument(
            metavar="SUBMITTED",
            help="A folder or a zip, as nbgrader, Canvas, Moodle or Gradescope hand it out.",
        ),
    ],
    out: OutOption,
    course: CourseOption = None,
    workers: WorkersOption = CORES,
    regrade: Annotated[bool, typer.Option("--regrade", help="Grade again what is already graded.")] = False,
    no_isolation: IsolationOption = False,
    db: DbOption = None,
    no_gradebook: Annotated[
        bool, typer.Option("--no-gradebook", help="Write no gradebook for nbgrader.")
    ] = False,
    wall_seconds: WallOption = None,
    memory_mb: MemoryOption = None,
    limit: LimitOption = None,
    cluster: ClusterOption = None,
    level: LevelOption = None,
    json: JsonOption = False,
) -> None:
    """Grade a class: marks, feedback, a class report and nbgrader's gradebook."""
    if no_gradebook and db:
        raise UsageError("--db names a gradebook and --no-gradebook wants none: give one of them")
    limits = limits_of(wall_seconds, memory_mb, limit)
    # Whatever can be wrong with the command is said before torch is imported, which takes seconds.
    root = find_course(Path.cwd(), course)
    if db:
        from autograder.gradebook.database_address import address  # SQLAlchemy, for those who name one

        address(db, out)
    check_out(out, submitted, root)
    check_submissions(submitted)
    if level:
        check_level(list_files(submitted), level, submitted)
    if cluster:
        check_cluster(cluster)
    if workers > CORES and not cluster:
        told = f"note: {workers} workers share {CORES} cores: no faster, and the marks are the same"
        print(told, file=sys.stderr)
    gradebook = "" if no_gradebook else _without_password(db) if db else str(out / "gradebook.db")
    settings = Settings(
        out, workers, not no_isolation, regrade, limits, not no_gradebook, db=db, cluster=cluster
    )
    if (outcome := _known_again(root, submitted, settings, level)) is not None:
        print_outcome(outcome, out, json, gradebook=gradebook)
        return
    with ExitStack() as stack:
        early = None if cluster else stack.enter_context(_warming_up(root, limits, not no_isolation))
        opened = open_course(root)
        refuse_shipped_secret(opened)
        outcome = _grade(opened, submitted, settings, early, level)
    print_outcome(outcome, out, json, gradebook=gradebook)


def demo(
    out: OutOption = Path("demo-out"),
    course: CourseOption = None,
    json: JsonOption = False,
) -> None:
    """Grade the made-up class in examples/ and show what comes out."""
    root = find_course(Path.cwd(), course)
    examples = root / "examples" / "submitted"
    if not examples.is_dir():
        raise UsageError(
            f"{root} has no examples/submitted to grade; "
            "a class of your own is graded by autograder grade SUBMITTED --out OUT"
        )
    check_out(out, examples, root)
    if out.exists() and not (out / "journal.jsonl").is_file():
        raise UsageError(f"{out} exists and was not made by a demo; name another folder with --out")
    with _warming_up(root, DEMO_LIMITS) as early:
        opened = open_course(root)
        if out.exists():
            shutil.rmtree(out)
        # One worker: a second one would start for as long as all the rest takes.
        settings = Settings(out, regrade=True, limits=DEMO_LIMITS, gradebook=True)
        outcome = _grade(opened, examples, settings, early)
    print_outcome(outcome, out, json, gradebook=str(out / "gradebook.db"))
    if not json:
        print_example(outcome, out)


def doctor(json: JsonOption = False) -> None:
    """Show which means of isolation work on this machine, and what to install for the others."""
    from autograder.sandbox.mechanisms import probe

    mechanisms = probe()
    if json:
        print_json([vars(mechanism) for mechanism in mechanisms])
    else:
        rows = [
            [m.name, "[green]works[/green]" if m.works else "[red]no[/red]", m.detail, m.install]
            for m in mechanisms
        ]
        print_table(["mechanism", "here", "what it gives", "to get it"], rows)
        if are_at_hand():
            typer.echo(
                "docs/install.md says how to get what is missing, docs/security.md what each wall keeps out"
            )
    if any(m.required and not m.works for m in mechanisms):
        raise typer.Exit(1)


@contextmanager
def _warming_up(root: Path, limits: Mapping[str, float], isolation: bool = True) -> Iterator[Sandbox]:
    """A sandbox that imports torch while this process does the same: the first result comes sooner."""
    from autograder.calls.requests_and_outcomes import Limits, override
    from autograder.sandbox.parent_pool import Sandbox

    limits_now = override(Limits(), limits)
    sandbox = Sandbox(workers=1, isolation=isolation, limits=limits_now, imports=imports_of(root))
    try:
        yield sandbox.begin()
    finally:
        sandbox.close()


def _known_again(root: Path, submitted: Path, settings: Settings, level: int | None) -> GradedClass | None:
    """The class as the last run left it, where nothing has changed: then torch need not be imported."""
    from autograder.classroom import unchanged_class

    if not unchanged_class.may_be_unchanged(settings):
        return None
    from autograder.classroom.find_hand_ins import find_handins

    try:
        course = load_course(root, solutions=False, sealed=True)
    except CourseError:  # told when it is loaded to grade by
        return None
    found = find_handins(submitted, course, level)
    outcome = unchanged_class.known_again(course, found, settings)
    if outcome is not None:
        _tell_found(found, settings)
    return outcome


def _tell_found(found: Found, settings: Settings) -> None:
    _tell_skipped(found.skipped, settings.out)
    for line in found.notes:
        print(f"note: {line}", file=sys.stderr)
    if not settings.isolation:
        print(
            "warning: grading without isolation; submissions can read and change this machine",
            file=sys.stderr,
        )


def _grade(
    course: Course, submitted: Path, settings: Settings, early: Sandbox | None, level: int | None = None
) -> GradedClass:
    from autograder.classroom.find_hand_ins import find_handins
    from autograder.classroom.grade_class import grade_class

    with waiting("finding the notebooks"):
        found = find_handins(submitted, course, level)
    _tell_found(found, settings)
    if not sys.warnoptions:
        warnings.simplefilter("ignore")  # of a reference, or one with an edit: nothing of the class's
    watch = _Watch()
    try:
        with watch:
            outcome = grade_class(course, found, settings, watch.tell, watch.begin, early)
    except KeyboardInterrupt:
        print(
            "autograder: stopped; what was graded is kept "
            f"({watch.done} notebook{'' if watch.done == 1 else 's'} just now): "
            "run the same command again to go on",
            file=sys.stderr,
        )
        raise typer.Exit(130) from None
    for line in outcome.notes:
        print(line, file=sys.stderr)
    if outcome.faults:
        print(
            f"{outcome.faults} fault{'' if outcome.faults == 1 else 's'} of the grader's own "
            f"{'is' if outcome.faults == 1 else 'are'} told in {settings.out / 'faults.log'}; "
            "the answers concerned wait for a person",
            file=sys.stderr,
        )
    return outcome


class _Watch:
    """Progress with live counts of what went wrong."""

    def __init__(self) -> None:
        self.done = 0
        self._counts: Counter[str] = Counter()
        self._stack = ExitStack()
        self._advance: Advance | None = None

    def begin(self, total: int) -> None:
        """Called when it is known how many notebooks are to be graded."""
        self._advance = self._stack.enter_context(progress("grading", total))

    def tell(self, report: Report) -> None:
        self.done += 1
        self._counts.update({part.status for part in report.parts} & set(TROUBLE))
        if self._advance:
            self._advance(", ".join(f"{count} {status}" for status, count in sorted(self._counts.items())))

    def __enter__(self) -> None:
        self._stack.__enter__()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.__exit__(kind, error, trace)


def _tell_skipped(skipped: Sequence[str], out: Path) -> None:
    for line in skipped[:MOST_SKIPPED]:
        print(f"skipped {line}", file=sys.stderr)
    if len(skipped) > MOST_SKIPPED:
        more = len(skipped) - MOST_SKIPPED
        print(f"skipped {more} more files; all are listed in {out / 'skipped.txt'}", file=sys.stderr)


def _without_password(address: str) -> str:
    return re.sub(r"(://[^:/@]*):[^@]*@", r"\1:***@", address)
