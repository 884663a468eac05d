"""Grade a class: what is new or changed is run, everything is written down, and the outcome is summed up."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from pathlib import Path

from autograder.classroom import tables, unchanged_class
from autograder.classroom.feedback_pages import by_notebook, page_path, rewrite_page, write_page
from autograder.classroom.find_hand_ins import Found
from autograder.classroom.grading_digest import key_of, signature
from autograder.classroom.hand_ins import Handin, told_of
from autograder.classroom.journal import NAME as JOURNAL
from autograder.classroom.journal import Journal
from autograder.classroom.mark_changes import Move, find_moves, read_rows
from autograder.classroom.marks_by_people import MarksByHand, as_marked, marks_in
from autograder.classroom.nbgrader_layout import lay_out
from autograder.classroom.notebooks import digest, digest_of, fault_of, read_notebook
from autograder.classroom.settings_and_outcome import GradedClass, Settings
from autograder.classroom.vanished_hand_ins import find_leftovers, remove_files, told_leftovers
from autograder.classroom.worker import Worker, troubled, without_grading
from autograder.classroom.worker_pool import Crew, Graded, grade_here
from autograder.course.load import Course
from autograder.docs_at_hand import as_said
from autograder.errors import UsageError, reason
from autograder.grade.report import Identity, Report, Status
from autograder.gradebook.late import Deadlines, read_deadlines
from autograder.gradebook.send_marks import GradebookGoneError, GradebookWriter
from autograder.logs import kept_faults
from autograder.pages.class_report import render_report
from autograder.sandbox.mechanisms import require_isolation
from autograder.sandbox.parent_pool import Sandbox

log = logging.getLogger(__name__)
Progress = Callable[[Report], None]
Begin = Callable[[int], None]
GRADEBOOKS = 3  # processes that may be lost while one gradebook is written


def grade_class(
    course: Course,
    found: Found,
    settings: Settings,
    progress: Progress,
    begin: Begin | None = None,
    early: Sandbox | None = None,
) -> GradedClass:
    """Grade every hand-in that is not yet graded by the present key, and write all results.

    `begin` is told how many that are, `progress` each report as it comes. `early` is a sandbox that is
    warming up already.
    """
    if settings.isolation and not settings.cluster:
        require_isolation()
    deadlines = read_deadlines(course.root)
    _prepare(settings.out)
    with (
        kept_faults(settings.out) as faults,
        _crew(course, found, settings, early) as crew,
        Journal(settings.out) as journal,
        _gradebook(course, found, settings) as gradebook,
    ):
        unchanged_class.forget(settings.out)
        into = unchanged_class.what_goes_in(course, found, settings)
        laid_out = lay_out(found.handins, settings.out)
        run = _ClassRun(course, settings, deadlines, journal, gradebook, laid_out.handins)
        todo = run.todo()
        if begin:
            begin(len(todo))
        for handin, report, seen in _grade(course, todo, laid_out.faults, settings, crew, early):
            run.keep(handin, report, seen)
            progress(report)
        journal.check()
        notes, moves = run.finish(todo, found.skipped)
    done = GradedClass(run.reports(), len(todo), notes, moves, faults.count(), run.by_hand)
    unchanged_class.remember(settings.out, into, done)
    return done


class _ClassRun:
    """What is known of a class while it is graded, and how its results are written down."""

    def __init__(
        self,
        course: Course,
        settings: Settings,
        deadlines: Deadlines,
        journal: Journal,
        gradebook: GradebookWriter | None,
        handins: Sequence[Handin],
    ) -> None:
        self._course, self._settings, self._journal = course, settings, journal
        self._deadlines, self._gradebook, self._handins = deadlines, gradebook, handins
        limits = {**course.limits, **(settings.limits or {})}
        self._keys = {
            name: key_of(course, name, limits, isolation=settings.isolation) for name in course.problems
        }
        self._signatures = {name: signature(course, name) for name in course.problems}
        self._damaged = journal.damaged
        self.by_hand: MarksByHand = {}  # known once the gradebook is written

    def todo(self) -> list[Handin]:
        """What is not graded yet by the present key; of the rest, pages that are gone are made again."""
        found = []
        for handin in self._handins:
            graded = self._journal.graded(handin.identity, self._keys[handin.problem])
            again = self._settings.regrade or handin.identity in self._settings.again
            if again or graded is None or graded != _digest(handin):
                found.append(handin)
                continue
            known = self._journal.summaries[handin.identity]
            if told_of(handin, known) != known:
                report = told_of(handin, self._journal.report(handin.identity))
                self._journal.add(report, graded, self._keys[handin.problem])
            if not page_path(self._settings.out, handin).is_file():
                report = self._journal.report(handin.identity)
                _write_page(self._course, self._settings, handin, report)
        return found

    def keep(self, handin: Handin, report: Report, seen: str) -> None:
        grader, course = self._signatures[handin.problem]
        ways = self._settings
        report = replace(report, isolated=ways.isolation, limits=dict(ways.limits or {}))
        report = replace(told_of(handin, report), grader=grader, course=course)
        # What the machine may have caused is kept under no key: the next run grades it again.
        self._journal.add(report, seen, self._keys[handin.problem] if report.final else "")
        if self._gradebook and not handin.absent:
            self._gradebook.add(report, handin.path, handin.submitted)

    def reports(self) -> tuple[Report, ...]:
        return tuple(self._journal.summaries[handin.identity] for handin in self._handins)

    def finish(
        self, graded: Sequence[Handin], skipped: Sequence[str]
    ) -> tuple[tuple[str, ...], tuple[Move, ...]]:
        """Write everything, take away what nobody hands in any more, and tell what should be known."""
        out, reports = self._settings.out, self.reports()
        before = read_rows(out / "results.jsonl")
        present = {handin.identity for handin in self._handins}
        gone = find_leftovers(out, before, present)
        write_results(self._course, self._settings, reports, self._deadlines, skipped)
        remove_files(out, gone)
        notes = told_leftovers(gone, present)
        if self._damaged:
            lines = "1 line" if self._damaged == 1 else f"{self._damaged} lines"
            notes.append(f"{out / JOURNAL}: {lines} could not be read; what was lost is graded again")
        self._journal.tidy()
        # Last of all: whatever becomes of the gradebook, the marks are written.
        notes += self._finish_gradebook({*graded}, gone)
        if self.by_hand:
            write_report(self._course, self._settings, as_marked(reports, self.by_hand), self._deadlines)
        return tuple(notes), tuple(find_moves(before, tables.rows(reports)))

    def _finish_gradebook(self, graded: Collection[Handin], gone: Sequence[Identity]) -> tuple[str, ...]:
        """A gradebook that is new, or was cut off, also learns what earlier runs have graded."""
        if self._gradebook is None:
            return ()
        absent = [handin.identity for handin in self._handins if handin.absent]
        try:
            return self._fill(self._gradebook, graded, (*gone, *absent))
        except GradebookGoneError as error:
            log.error("the gradebook's process is gone: %s", error)
        for _ in range(GRADEBOOKS - 1):
            try:
                with _new_gradebook(self._course, self._handins, self._settings) as another:
                    return self._fill(another, (), (*gone, *absent))
            except GradebookGoneError as error:
                log.error("the gradebook's process is gone again: %s", error)
        raise UsageError(
            f"the process that writes the gradebook was ended {GRADEBOOKS} times over; "
            "everything else is written: run the same command again"
        )

    def _fill(
        self, gradebook: GradebookWriter, graded: Collection[Handin], gone: Sequence[Identity]
    ) -> tuple[str, ...]:
        stay = {handin.identity[:2] for handin in self._handins if not handin.absent}
        gradebook.remove(gone, stay)
        for handin in self._handins:
            if handin not in graded and not handin.absent:
                gradebook.add(self._journal.report(handin.identity), handin.path, handin.submitted)
        skipped = gradebook.close()
        self.by_hand = marks_in(gradebook.said)
        for who, said in by_notebook(gradebook.said).items():
            if who in self._journal.summaries:
                rewrite_page(self._settings.out, self._course, self._journal.report(who), said)
        return skipped


def _digest(handin: Handin) -> str:
    return digest(repr(handin.absent).encode()) if handin.absent else digest_of(handin.path)


def write_results(
    course: Course,
    settings: Settings,
    reports: Sequence[Report],
    deadlines: Deadlines,
    skipped: Sequence[str] = (),
) -> None:
    """The tables and the class report."""
    write = tables.write_whole
    write(settings.out / "skipped.txt", "".join(f"{line}\n" for line in skipped))
    write(settings.out / "grades.csv", tables.grades_text(reports))
    write_report(course, settings, reports, deadlines)
    # Last of all: the next run compares its marks with these.
    write(settings.out / "results.jsonl", tables.results_text(reports))


def write_report(course: Course, settings: Settings, reports: Sequence[Report], deadlines: Deadlines) -> None:
    page = render_report(course, reports, isolation=settings.isolation, deadlines=deadlines)
    tables.write_whole(settings.out / "report.html", page)


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
        fault = handin.absent or (Status.UNREADABLE, faults.get(handin) or fault_of(handin.path))
        if fault[1]:
            report = without_grading(course, handin, *fault)
            _write_page(course, settings, handin, report)
            yield handin, report, _digest(handin)
        else:
            readable.append(handin)
    if not readable:
        return
    if crew is not None:
        for handin, report, seen in crew.grade(readable):
            if not report.final:
                _write_page(course, settings, handin, report)
            yield handin, report, seen
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
    course: Course, handins: Sequence[Handin], limits: Mapping[str, float], settings: Settings
) -> Iterator[Graded]:
    try:
        from autograder.classroom.cluster import grade_on_cluster  # Dask is there for those who asked for it
    except ImportError as error:
        raise UsageError(
            f"--cluster needs Dask: install the wheel with [cluster]{as_said('install')}"
        ) from error
    from autograder.classroom.course_parcel import pack_course

    parcel = pack_course(course, limits, settings.isolation)
    seen: dict[Handin, str] = {}

    def read(handin: Handin) -> bytes:
        data = read_notebook(handin.path)
        seen.setdefault(handin, digest(data))  # the oldest of several counts: a later change is graded again
        return data

    def left(handin: Handin, why: str) -> Report:
        return troubled(course, handin, why)

    for handin, report in grade_on_cluster(settings.cluster or "", parcel, handins, read, left):
        yield handin, report, seen.pop(handin)


def _write_page(course: Course, settings: Settings, handin: Handin, report: Report) -> None:
    data = read_notebook(handin.path)
    write_page(page_path(settings.out, handin), course, report, data, isolation=settings.isolation)


def _gradebook(
    course: Course, found: Found, settings: Settings
) -> AbstractContextManager[GradebookWriter | None]:
    return _new_gradebook(course, found.handins, settings) if settings.gradebook else nullcontext()


def _new_gradebook(course: Course, handins: Sequence[Handin], settings: Settings) -> GradebookWriter:
    return GradebookWriter(course.root, settings.out, [handin.set for handin in handins], settings.db)


def _prepare(out: Path) -> None:
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"cannot write results to {out}: {reason(error)}; name another folder") from error
