"""Grade a class: what is new or changed is run, everything is written down, and the outcome is summed up."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.classroom import tables
from autograder.classroom.find import Found, Handin
from autograder.classroom.journal import Journal, identity
from autograder.classroom.lay_out import lay_out
from autograder.classroom.moves import Move, find_moves, read_rows
from autograder.classroom.pool import grade_here, grade_in_processes, uninterrupted
from autograder.classroom.worker import Worker, key_digest, part_json
from autograder.course import Course
from autograder.errors import UsageError
from autograder.gradebook.writer import GradebookWriter
from autograder.notebook.submitted import MAX_BYTES
from autograder.report.feedback import render_feedback
from autograder.report.overview import render_report
from autograder.sandbox import Limits, override, require_isolation
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
    course: Course, found: Found, settings: Settings, progress: Progress, begin: Begin | None = None
) -> Outcome:
    """Grade every hand-in that is not yet graded by the present key, and write all results.

    `begin` is told how many that are, `progress` each report as it comes.
    """
    if settings.isolation and not settings.cluster:
        require_isolation()
    _prepare(settings.out)
    with Journal(settings.out) as journal, _gradebook(course, found, settings) as gradebook:
        laid_out = lay_out(found.handins, settings.out)
        keys = {name: _key(course, name, settings) for name in course.problems}
        todo, digests = [], {}
        for handin in laid_out.handins:
            who = (handin.student, handin.set, handin.problem)
            digests[who] = _digest(handin.path)
            if settings.regrade or not journal.known(who, digests[who], keys[handin.problem]):
                todo.append(handin)
            else:
                _write_feedback(course, settings, handin, journal.entries[who]["report"], again=False)
        if begin:
            begin(len(todo))
        for handin, report in _grade(course, todo, laid_out.faults, settings):
            report["isolated"] = settings.isolation
            # The page first: a report in the journal is done with, and nobody would miss its page.
            _write_feedback(course, settings, handin, report)
            journal.add(report, digests[identity(report)], keys[handin.problem])
            if gradebook:
                gradebook.add(report, handin.path)
            progress(report)
        reports = tuple(journal.entries[h.student, h.set, h.problem]["report"] for h in laid_out.handins)
        before = read_rows(settings.out / "results.jsonl")
        write_results(course, settings, reports, found.skipped)
        left_out = _finish(gradebook, laid_out.handins, reports, set(todo)) if gradebook else ()
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


def _grade(
    course: Course, todo: Sequence[Handin], faults: Mapping[Handin, str], settings: Settings
) -> Iterator[tuple[Handin, Report]]:
    readable = []
    for handin in todo:
        if fault := faults.get(handin) or _fault(handin.path):
            yield handin, _unreadable(course, handin, fault)
        else:
            readable.append(handin)
    if not readable:
        return
    limits = dict(settings.limits or {})
    if settings.cluster:
        yield from _grade_on_cluster(course, readable, limits, settings)
        return
    workers = min(settings.workers, len(readable))
    if workers > 1:
        yield from grade_in_processes(course.root, limits, settings.isolation, readable, _read, workers)
    else:
        merged = override(Limits(), {**course.limits, **limits})
        with Worker(course, merged, isolation=settings.isolation) as worker:
            yield from grade_here(worker, readable, _read)


def _grade_on_cluster(
    course: Course, handins: Sequence[Handin], limits: Mapping[str, Any], settings: Settings
) -> Iterator[tuple[Handin, Report]]:
    try:
        from autograder.classroom.cluster import grade_on_cluster  # Dask is there for those who asked for it
    except ImportError as error:
        raise UsageError('--cluster needs Dask: pip install "autograder[cluster]"') from error
    from autograder.classroom.parcel import pack_course

    parcel = pack_course(course, limits, settings.isolation)
    yield from grade_on_cluster(settings.cluster or "", parcel, handins, _read)


def _read(handin: Handin) -> bytes:
    return handin.path.read_bytes()


def _fault(path: Path) -> str:
    """Why a file cannot be read, without reading it; what is too large is not even tried."""
    try:
        with path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
    except OSError as error:
        return f"the file cannot be opened: {error.strerror}"
    limit, unit = MAX_BYTES // 2**20, 2**20
    return f"the file is {size / unit:.0f} MB; {limit} MB can be read" if size > MAX_BYTES else ""


def _key(course: Course, problem: str, settings: Settings) -> str:
    """Changes with whatever decides the marks: the key, the limits, and whether submissions were isolated."""
    limits = {**course.limits, **(settings.limits or {})}
    said = json.dumps([key_digest(course, problem), sorted(limits.items()), settings.isolation])
    return hashlib.sha256(said.encode()).hexdigest()[:16]


def _digest(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()[:32]
    except OSError:
        return ""


def _unreadable(course: Course, handin: Handin, reason: str) -> Report:
    parts = [
        part_json(PartReport(part.name, 0.0, part.points, Status.UNREADABLE, "unreadable", reason))
        for part in course.problems[handin.problem].parts
    ]
    head = {"student": handin.student, "set": handin.set, "problem": handin.problem}
    return {**head, "parts": parts, "seconds": 0.0}


def _write_feedback(
    course: Course, settings: Settings, handin: Handin, report: Report, *, again: bool = True
) -> None:
    """A notebook's page; one that is there already is written only `again`."""
    path = settings.out / "feedback" / handin.student / handin.set / f"{handin.problem}.html"
    if not again and path.is_file():
        return
    data = b"" if _fault(handin.path) else handin.path.read_bytes()
    page = render_feedback(course.problems[handin.problem], report, data, isolation=settings.isolation)
    tables.write_whole(path, page, durable=False)


def _gradebook(
    course: Course, found: Found, settings: Settings
) -> AbstractContextManager[GradebookWriter | None]:
    if not settings.gradebook:
        return nullcontext()
    sets = [handin.set for handin in found.handins]
    with uninterrupted():
        return GradebookWriter(course.root, settings.out, sets, settings.db)


def _finish(
    gradebook: GradebookWriter, handins: Sequence[Handin], reports: Sequence[Report], graded: set[Handin]
) -> tuple[str, ...]:
    """A gradebook that is new, or was cut off, also learns what earlier runs have graded."""
    for handin, report in zip(handins, reports, strict=True):
        if handin not in graded:
            gradebook.add(report, handin.path)
    return gradebook.close()


def _prepare(out: Path) -> None:
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"cannot write results to {out}: {error.strerror}") from error
