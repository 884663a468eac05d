"""The page of what the grader left to people: what it is, what to do, and a button that does it."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import sys
from collections.abc import Iterator, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, replace
from http import HTTPStatus
from pathlib import Path

from autograder.desk.handler import DeskHandler, Refused
from autograder.desk.open_class import OpenClass
from autograder.desk.reading_order import answer_id
from autograder.grade.report import PartReport, Report, Status
from autograder.gradebook.late import EXTENSIONS
from autograder.gradebook.said_by_person import AnswerPlace
from autograder.pages.students import find_students, seconds_late
from autograder.pages.todo import count, is_prose

MOST_SHOWN = 200
# As the run that found the files tells it.
_CLAIM = re.compile(
    r"(?P<other>.+): (?P<student>.+) also handed in (?P<counts>.+) for (?P<set>[^/]+)/(?P<problem>[^/]+), "
    r"which counts"
)


@dataclass(frozen=True)
class Left:
    """One thing that was left: whose, what of theirs, what is said of it, and which buttons it has.

    `where` is the place of its file; `other` is the file that a button lets count instead; `by_hand` says
    that the gradebook has a place for its marks, and a button makes one where it has none.
    """

    place: AnswerPlace
    about: str
    says: str
    again: bool = False
    on_time: bool = False
    where: str = ""
    other: str = ""
    by_hand: bool = True

    @property
    def id(self) -> str:
        return answer_id(self.place) + (answer_id(self.place._replace(part=self.other)) if self.other else "")

    @property
    def answer(self) -> str:
        """The id of the answer that is marked by hand."""
        return answer_id(self.place)


@dataclass(frozen=True)
class Heap:
    """Things of one kind, and what to do about them."""

    title: str
    how: str
    left: tuple[Left, ...] = ()


def find_left(opened: OpenClass, *, hide_names: bool = False) -> list[Heap]:
    """Everything that waits for a decision, kind by kind; what has been decided is left out."""
    summaries = opened.reports.summaries.values()
    reports = [report for report in summaries if opened.course.find(report.set, report.problem)]
    marks = {mark.place: mark for mark in opened.hand.all_marks()}
    marked = {place for place, mark in marks.items() if mark.score is not None and not mark.waits}
    waiting = {place[:3] for place, mark in marks.items() if mark.waits}
    came = {place[:2] for place in marked}
    heaps = [
        Heap(
            "Not judged",
            "The machine or the grader failed here, or an answer stands where no rule reads it. "
            "Grade it again; what still fails is yours to mark.",
            tuple(left for left in _not_judged(opened, reports) if left.place not in marked),
        ),
        Heap(
            "Unreadable",
            "Ask for the file once more, put it in its place and grade again; or mark what you can read.",
            tuple(
                left for left in _unreadable(reports) if left.place not in marks or left.place[:3] in waiting
            ),
        ),
        Heap(
            "Late",
            "What lateness costs is taken off already. Accept what has a reason.",
            tuple(_late(opened, reports)),
        ),
        Heap(
            "Several files, one name",
            "The last one counts. If another should, let it count here, and take the last out of the "
            "submissions: the next run of the whole class finds it there again.",
            tuple(_claims(opened, hide_names=hide_names)),
        ),
        Heap(
            "Nothing handed in",
            "Ask them; a file that comes is graded by the same command. "
            "What came another way is marked by hand.",
            tuple(left for left in _missing(opened, reports, set(marks)) if left.place[:2] not in came),
        ),
    ]
    if hide_names:  # neither does the order tell any
        heaps = [replace(heap, left=tuple(sorted(heap.left, key=lambda left: left.id))) for heap in heaps]
    return [heap for heap in heaps if heap.left]


def _not_judged(opened: OpenClass, reports: Sequence[Report]) -> Iterator[Left]:
    for report in reports:
        for row in report.parts:
            if row.status == Status.MANUAL and not is_prose(opened.course, report, row):
                about = f"{report.problem} · {row.part}"
                yield Left(_place(report, row), about, row.feedback, again=True)


def _unreadable(reports: Sequence[Report]) -> Iterator[Left]:
    for report in reports:
        row = report.parts[0]
        if row.status == Status.UNREADABLE:
            where = "/".join((report.path, *report.inside))
            yield Left(_place(report, row), report.problem, row.feedback, again=True, where=where)


def _late(opened: OpenClass, reports: Sequence[Report]) -> Iterator[Left]:
    seen = set()
    given = {**opened.deadlines.extensions, **opened.hand.extensions()}
    deadlines = replace(opened.deadlines, extensions=given)
    for report in reports:
        who, seconds = (report.student, report.set), seconds_late(report, deadlines)
        if seconds and who not in seen:
            seen.add(who)
            says = f"{seconds / 3600:.1f} hours late"
            yield Left(_place(report, report.parts[0]), report.set, says, on_time=True)


def _claims(opened: OpenClass, *, hide_names: bool) -> Iterator[Left]:
    """Files that do not count because a later one of the same name does."""
    try:
        lines = (opened.out / "skipped.txt").read_text(encoding="utf-8").splitlines()
    except OSError:
        return
    for found in map(_CLAIM.fullmatch, lines):
        report = found and opened.reports.summaries.get((found["student"], found["set"], found["problem"]))
        if found and report and not report.path.endswith(found["other"]):  # else somebody has decided
            says = f"{found['other']} does not count, {found['counts']} does"
            if hide_names:  # which are in the names of folders and files
                says = "one file does not count, another does"
            yield Left(_place(report, report.parts[0]), report.problem, says, other=_beside(report, found))


def _beside(report: Report, found: re.Match[str]) -> str:
    """Where the file lies that does not count; empty where that is not a notebook in a folder."""
    root = report.path.removesuffix(found["counts"])
    other = Path(root) / found["other"]
    plain = root != report.path and not report.inside and other.suffix == ".ipynb"
    return str(other) if plain and other.is_file() else ""


def _missing(opened: OpenClass, reports: Sequence[Report], known: Set[AnswerPlace]) -> Iterator[Left]:
    students = find_students(opened.course, reports)
    for group in opened.course.sets:
        notebooks = [(group.id, problem) for problem in group.problems]
        first = opened.course.problems[group.problems[0]].parts[0].name
        for each in students:
            if set(notebooks) <= set(each.missing):
                place = AnswerPlace(each.name, *notebooks[0], first)
                yield Left(place, group.id, f"nothing for {group.title}", by_hand=place in known)


def _place(report: Report, row: PartReport) -> AnswerPlace:
    return AnswerPlace(*report.identity, row.part)


class LeftOpen(DeskHandler):
    """What was left, and its buttons."""

    def get(self) -> None:
        if self.opened.outcome:
            self.tell(self.opened.outcome)
            self.opened.outcome = ""
        heaps = find_left(self.opened, hide_names=self.session.hide_names)
        self.show("left.html", heaps=heaps, most=MOST_SHOWN, running=self.opened.running)

    def post(self) -> None:
        wanted = set(self.get_body_arguments("left"))
        found = [left for heap in find_left(self.opened) for left in heap.left if left.id in wanted]
        match self.typed("do"):
            case "on time":
                done = [left for left in found if left.on_time and self._accept(left)]
                names = ", ".join(self._label(left) for left in done) or "nobody"
                lines = {left.place[:2][::-1] for left in done} & set(self.opened.deadlines.extensions)
                more = (
                    f"; the next run goes by the line in {EXTENSIONS}: change it there, too" if lines else ""
                )
                self.tell(f"accepted as on time: {names}{more}")
            case "again":
                self._again({left.place[:3]: "" for left in found if left.again})
            case "instead":
                self._again({left.place[:3]: left.other for left in found if left.other})
            case "by hand" if found:
                left = found[0]
                if not left.by_hand:
                    self.opened.make_place(left.place.student, left.place.set)
                self.go("read", *left.place[1:], left.answer, show="all")
                return
            case _:
                raise Refused(HTTPStatus.BAD_REQUEST, "there is no such button")
        self.go("left")

    def _label(self, left: Left) -> str:
        return f"answer {left.id[:4]}" if self.session.hide_names else left.place.student

    def _accept(self, left: Left) -> bool:
        return self.opened.hand.accept_on_time(left.place.student, left.place.set)

    def _again(self, chosen: dict[tuple[str, str, str], str]) -> None:
        if self.opened.running or not chosen:
            self.tell("a run is going on: wait for its end" if chosen else "there is nothing to grade again")
            return
        asked = {"root": str(self.opened.course.root), "out": str(self.opened.out), "db": self.opened.db}
        who = [[*identity, path] for identity, path in sorted(chosen.items())]
        begin_run(
            self.opened,
            (sys.executable, "-m", "autograder.desk.grade_again"),
            json.dumps({**asked, "chosen": who}).encode(),
            f"grading {count(len(chosen), 'notebook')} again",
        )


def begin_run(opened: OpenClass, command: Sequence[str], order: bytes, says: str) -> None:
    """Let a process grade while pages are answered; `stop_run` ends it however far it has come."""
    opened.running = says
    opened.run = asyncio.create_task(_run(opened, command, order))


async def stop_run(opened: OpenClass) -> None:
    """End what is being graded again as Ctrl-C would: what it has graded is kept."""
    if opened.run:
        opened.run.cancel()
        with suppress(asyncio.CancelledError):
            await opened.run


async def _run(opened: OpenClass, command: Sequence[str], order: bytes) -> None:
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        *command, stdin=pipe, stdout=asyncio.subprocess.DEVNULL, stderr=pipe
    )
    try:
        _, said = await process.communicate(order)
    except asyncio.CancelledError:
        with suppress(ProcessLookupError):
            process.send_signal(signal.SIGINT)
        _, said = await process.communicate()
    opened.reports.refresh()
    opened.running, opened.outcome = "", f"done: {opened.running}"
    if process.returncode:
        lines = said.decode("utf-8", "replace").strip().splitlines()
        why = lines[-1] if lines else f"exit code {process.returncode}"
        opened.outcome = f"grading again came to nothing: {why}"
