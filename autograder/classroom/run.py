"""Grade a class: what is new or changed is run, everything is written down, and the outcome is summed up."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.classroom import tables
from autograder.classroom.find import Found, Handin
from autograder.classroom.journal import Journal
from autograder.classroom.lay_out import lay_out
from autograder.classroom.moves import Move, find_moves, read_rows
from autograder.classroom.notebooks import digest, digest_of, fault_of, read_notebook
from autograder.classroom.pages import page_path, write_page
from autograder.classroom.pool import Crew, Graded, grade_here
from autograder.classroom.worker import Worker, key_digest, part_json
from autograder.course import Course
from autograder.errors import UsageError
from autograder.gradebook.writer import GradebookWriter
from autograder.report.overview import render_report
from autograder.sandbox import Sandbox, require_isolation
from autograder.verdict import PartReport, Status

Report = dict[str, Any]
Progress = Callable[[Report], None]
Begin = Callable[[int], None]


@dataclass(frozen=True)
class Settings:
    """How a class is graded."""

    out: Path
    workers: int = 1
    isolation: bool = True
    regrade: bool = False
    limits: Mapping[str, Any] | None = None
    gradebook: bool = False
    db: str | None = None  # the gradebook's address; OUT/gradebook.db by default
    cluster: str | None = None  # a Dask scheduler's address, or local:N


@dataclass(frozen=True)
class Outcome:
    """A graded class: all reports in order, and how many of them were graded just now."""

    reports: tuple[Report, ...]
    graded: int
    left_out: tuple[str, ...] = ()  # of the gradebook, a sentence each
    moves: tuple[Move, ...] = ()  # marks that are others than after the last finished run


def grade_class(
    course: Course,
    found: Found,
    settings: Settings,
    progress: Progress,
    begin: Begin | None = None,
    early: Sandbox | None = None,
) -> Outcome:
    """Grade every hand-in that is not yet graded by the present key, and write all results.

    `begin` is told how many that are, `progress` each report as it comes. `early` is a sandbox that is
    warming up already.
    """
    if settings.isolation and not settings.cluster:
        require_isolation()
    _prepare(settings.out)
    with (
        _crew(course, found, settings, early) as crew,
        Journal(settings.out) as journal,
        _gradebook(course, found, settings) as gradebook,
    ):
        laid_out = lay_out(found.handins, settings.out)
        keys = {name: _key(course, name, settings) for name in course.problems}
        todo = []
        for handin in laid_out.handins:
            graded = journal.graded(handin.identity, keys[handin.problem])
            if settings.regrade or graded is None or graded != digest_of(handin.path):
                todo.append(handin)
            elif not page_path(settings.out, handin).is_file():
                _write_page(course, settings, handin, journal.report(handin.identity))
        if begin:
            begin(len(todo))
        for handin, report, seen in _grade(course, todo, laid_out.faults, settings, crew, early):
            report["isolated"] = settings.isolation
            journal.add(report, seen, keys[handin.problem])
            if gradebook:
                gradebook.add(report, handin.path)
            progress(report)
        reports = tuple(journal.summaries[handin.identity] for handin in laid_out.handins)
        before = read_rows(settings.out / "results.jsonl")
        write_results(course, settings, reports, found.skipped)
        left_out = _finish(gradebook, laid_out.handins, journal, set(todo)) if gradebook else ()
        journal.tidy()
    return Outcome(reports, len(todo), left_out, tuple(find_moves(before, tables.rows(reports))))


def write_results(
    course: Course, settings: Settings, reports: Sequence[Report], skipped: Sequence[str] = ()
) -> None:
    """The tables and the class report."""
    write = tables.write_whole
    write(settings.out / "skipped.txt", "".join(f"{line}\n" for line in skipped))
    write(settings.out / "grades.csv", tables.grades_text(reports))
    write(settings.out / "report.html", render_report(course, reports, isolation=settings.isolation))
    # Last of all: the next run compares its marks with these.
    write(settings.out / "results.jsonl", tables.results_text(reports))


def _crew(
    course: Course, found: Found, settings: Settings, early: Sandbox | None
) -> AbstractContextManager[Crew | None]:
    workers = min(settings.workers, len(found.handins))
    if settings.cluster or workers < 2:
        return nullcontext()
    limits = settings.limits or {}
    return Crew(course, limits, settings.out, workers, isolation=settings.isolation, early=early)


def _grade(
    course: Course,
    todo: Sequence[Handin],
    faults: Mapping[Handin, str],
    settings: Settings,
    crew: Crew | None,
    early: Sandbox | None,
) -> Iterator[Graded]:
    """Each report as it comes, its page written before."""
    readable = []
    for handin in todo:
        if fault := faults.get(handin) or fault_of(handin.path):
            yield handin, _unreadable(course, settings, handin, fault), ""
        else:
            readable.append(handin)
    if not readable:
        return
    if crew is not None:
        yield from crew.grade(readable)
        return
    for handin, report, seen in _grade_without_crew(course, readable, settings, early):
        _write_page(course, settings, handin, report)
        yield handin, report, seen


def _grade_without_crew(
    course: Course, handins: Sequence[Handin], settings: Settings, early: Sandbox | None
) -> Iterator[Graded]:
    limits = dict(settings.limits or {})
    if settings.cluster:
        yield from _grade_on_cluster(course, handins, limits, settings)
        return
    with Worker.of(course, limits, isolation=settings.isolation, sandbox=early) as worker:
        yield from grade_here(worker, handins)


def _grade_on_cluster(
    course: Course, handins: Sequence[Handin], limits: Mapping[str, Any], settings: Settings
) -> Iterator[Graded]:
    try:
        from autograder.classroom.cluster import grade_on_cluster  # Dask is there for those who asked for it
    except ImportError as error:
        raise UsageError('--cluster needs Dask: pip install "autograder[cluster]"') from error
    from autograder.classroom.parcel import pack_course

    parcel = pack_course(course, limits, settings.isolation)
    seen: dict[Handin, str] = {}

    def read(handin: Handin) -> bytes:
        data = read_notebook(handin.path)
        seen.setdefault(handin, digest(data))  # the oldest of several counts: a later change is graded again
        return data

    for handin, report in grade_on_cluster(settings.cluster or "", parcel, handins, read):
        yield handin, report, seen.pop(handin)


def _key(course: Course, problem: str, settings: Settings) -> str:
    """Changes with whatever decides the marks: the key, the limits, and whether submissions were isolated."""
    limits = {**course.limits, **(settings.limits or {})}
    said = json.dumps([key_digest(course, problem), sorted(limits.items()), settings.isolation])
    return hashlib.sha256(said.encode()).hexdigest()[:16]


def _unreadable(course: Course, settings: Settings, handin: Handin, reason: str) -> Report:
    parts = [
        part_json(PartReport(part.name, 0.0, part.points, Status.UNREADABLE, "unreadable", reason))
        for part in course.problems[handin.problem].parts
    ]
    head = {"student": handin.student, "set": handin.set, "problem": handin.problem}
    report = {**head, "parts": parts, "seconds": 0.0}
    _write_page(course, settings, handin, report)
    return report


def _write_page(course: Course, settings: Settings, handin: Handin, report: Report) -> None:
    problem, data = course.problems[handin.problem], read_notebook(handin.path)
    write_page(page_path(settings.out, handin), problem, report, data, isolation=settings.isolation)


def _gradebook(
    course: Course, found: Found, settings: Settings
) -> AbstractContextManager[GradebookWriter | None]:
    if not settings.gradebook:
        return nullcontext()
    sets = [handin.set for handin in found.handins]
    return GradebookWriter(course.root, settings.out, sets, settings.db)


def _finish(
    gradebook: GradebookWriter, handins: Sequence[Handin], journal: Journal, graded: set[Handin]
) -> tuple[str, ...]:
    """A gradebook that is new, or was cut off, also learns what earlier runs have graded."""
    for handin in handins:
        if handin not in graded:
            gradebook.add(journal.report(handin.identity), handin.path)
    return gradebook.close()


def _prepare(out: Path) -> None:
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"cannot write results to {out}: {error.strerror}") from error
