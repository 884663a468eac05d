"""Grade a class: what is new or changed is run, everything is written down, and the outcome is summed up."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.classroom import tables
from autograder.classroom.find import Found, Handin
from autograder.classroom.journal import Journal, identity
from autograder.classroom.pool import grade_here, grade_in_processes
from autograder.classroom.worker import Worker, key_digest, part_json
from autograder.course import Course
from autograder.errors import UsageError
from autograder.gradebook.writer import GradebookWriter
from autograder.report.feedback import render_feedback
from autograder.report.overview import render_report
from autograder.sandbox import Limits, override, require_isolation
from autograder.verdict import PartReport, Status

Report = dict[str, Any]
Progress = Callable[[Report], None]


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


@dataclass(frozen=True)
class Outcome:
    """A graded class: all reports in order, and how many of them were graded just now."""

    reports: tuple[Report, ...]
    graded: int
    left_out: tuple[str, ...] = ()  # of the gradebook, a sentence each


def grade_class(course: Course, found: Found, settings: Settings, progress: Progress) -> Outcome:
    """Grade every hand-in that is not yet graded by the present key, and write all results."""
    if settings.isolation:
        require_isolation()
    _prepare(settings.out)
    keys = {name: key_digest(course, name) for name in course.problems}
    with Journal(settings.out) as journal, _gradebook(course, found, settings) as gradebook:
        todo, digests = [], {}
        for handin in found.handins:
            who = (handin.student, handin.set, handin.problem)
            digests[who] = _digest(handin.path)
            if settings.regrade or not journal.known(who, digests[who], keys[handin.problem]):
                todo.append(handin)
        for handin, report in _grade(course, todo, settings):
            journal.add(report, digests[identity(report)], keys[handin.problem])
            _write_feedback(course, settings, handin, report)
            if gradebook:
                gradebook.add(report, handin.path)
            progress(report)
        reports = tuple(journal.entries[h.student, h.set, h.problem]["report"] for h in found.handins)
        write_results(course, settings, reports)
        left_out = _finish(gradebook, found, reports, set(todo)) if gradebook else ()
    return Outcome(reports, len(todo), left_out)


def write_results(course: Course, settings: Settings, reports: Sequence[Report]) -> None:
    """The tables and the class report."""
    tables.write_whole(settings.out / "results.jsonl", tables.results_text(reports))
    tables.write_whole(settings.out / "grades.csv", tables.grades_text(reports))
    page = render_report(course, reports, isolation=settings.isolation)
    tables.write_whole(settings.out / "report.html", page)


def _grade(course: Course, todo: Sequence[Handin], settings: Settings) -> Iterator[tuple[Handin, Report]]:
    readable = []
    for handin in todo:
        try:
            handin.path.open("rb").close()
            readable.append(handin)
        except OSError as error:
            yield handin, _unreadable(course, handin, f"the file cannot be opened: {error.strerror}")
    if not readable:
        return
    limits = dict(settings.limits or {})
    workers = min(settings.workers, len(readable))
    if workers > 1:
        yield from grade_in_processes(course.root, limits, settings.isolation, readable, _read, workers)
    else:
        merged = override(Limits(), {**course.limits, **limits})
        with Worker(course, merged, isolation=settings.isolation) as worker:
            yield from grade_here(worker, readable, _read)


def _read(handin: Handin) -> bytes:
    return handin.path.read_bytes()


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


def _write_feedback(course: Course, settings: Settings, handin: Handin, report: Report) -> None:
    data = b""
    if handin.path.is_file():
        data = handin.path.read_bytes()
    page = render_feedback(course.problems[handin.problem], report, data, isolation=settings.isolation)
    folder = settings.out / "feedback" / handin.student / handin.set
    tables.write_whole(folder / f"{handin.problem}.html", page)


def _gradebook(
    course: Course, found: Found, settings: Settings
) -> AbstractContextManager[GradebookWriter | None]:
    if not settings.gradebook:
        return nullcontext()
    sets = [handin.set for handin in found.handins]
    return GradebookWriter(course.root, settings.out, sets, settings.db)


def _finish(
    gradebook: GradebookWriter, found: Found, reports: Sequence[Report], graded: set[Handin]
) -> tuple[str, ...]:
    """A gradebook that is new, or was cut off, also learns what earlier runs have graded."""
    for handin, report in zip(found.handins, reports, strict=True):
        if handin not in graded:
            gradebook.add(report, handin.path, known=True)
    return gradebook.close()


def _prepare(out: Path) -> None:
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"cannot write results to {out}: {error.strerror}") from error
