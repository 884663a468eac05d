"""The page of what the grader left to people: what it is, what to do, and a button that does it."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from http import HTTPStatus

from autograder.desk.handler import DeskHandler, Refused
from autograder.desk.opened import OpenClass
from autograder.desk.reading import answer_id
from autograder.grade.report import PartReport, Report, Status
from autograder.gradebook.said import Place
from autograder.pages.students import find_students, seconds_late
from autograder.pages.todo import count, is_prose

MOST_SHOWN = 200


@dataclass(frozen=True)
class Left:
    """One thing that was left: whose, what is said of it, and which buttons it has."""

    place: Place
    says: str
    again: bool = False
    on_time: bool = False

    @property
    def id(self) -> str:
        return answer_id(self.place)


@dataclass(frozen=True)
class Heap:
    """Things of one kind, and what to do about them."""

    title: str
    how: str
    left: tuple[Left, ...] = ()
    lines: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        return len(self.left) + len(self.lines)


def find_left(opened: OpenClass) -> list[Heap]:
    """Everything that waits for a decision, kind by kind; what has been decided is left out."""
    reports = list(opened.reports.summaries.values())
    marked = {mark.place for mark in opened.hand.all_marks() if mark.score is not None and not mark.waits}
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
            tuple(left for left in _unreadable(reports) if left.place not in marked),
        ),
        Heap(
            "Late",
            "What lateness costs is taken off already. Accept what has a reason.",
            tuple(_late(opened, reports)),
        ),
        Heap(
            "Several files, one name",
            "The last one counts. If another should, take the others out of the submissions and grade again.",
            lines=tuple(_skipped(opened)),
        ),
        Heap(
            "Nothing handed in",
            "Ask them; a file that comes is graded by the same command.",
            lines=tuple(_missing(opened, reports)),
        ),
    ]
    return [heap for heap in heaps if heap.size]


def _not_judged(opened: OpenClass, reports: Sequence[Report]) -> Iterator[Left]:
    for report in reports:
        for row in report.parts:
            if row.status == Status.MANUAL and not is_prose(opened.course, report, row):
                yield Left(_place(report, row), row.feedback, again=True)


def _unreadable(reports: Sequence[Report]) -> Iterator[Left]:
    for report in reports:
        row = report.parts[0]
        if row.status == Status.UNREADABLE:
            yield Left(_place(report, row), row.feedback, again=True)


def _late(opened: OpenClass, reports: Sequence[Report]) -> Iterator[Left]:
    accepted, seen = opened.hand.accepted(), set()
    for report in reports:
        who, seconds = (report.student, report.set), seconds_late(report, opened.deadlines)
        if seconds and who not in accepted and who not in seen:
            seen.add(who)
            says = f"{report.set}, {seconds / 3600:.1f} hours late"
            yield Left(_place(report, report.parts[0]), says, on_time=True)


def _skipped(opened: OpenClass) -> list[str]:
    try:
        lines = (opened.out / "skipped.txt").read_text(encoding="utf-8").splitlines()
    except OSError:
        return []
    return [line for line in lines if line.endswith("which counts")]


def _missing(opened: OpenClass, reports: Sequence[Report]) -> Iterator[str]:
    for group in opened.course.sets:
        notebooks = {(group.id, problem) for problem in group.problems}
        absent = [
            each.name for each in find_students(opened.course, reports) if notebooks <= set(each.missing)
        ]
        if absent:
            names = ", ".join(absent[:MOST_SHOWN])
            yield f"{group.title}: {count(len(absent), 'student')}: {names}"


def _place(report: Report, row: PartReport) -> Place:
    return Place(*report.identity, row.part)


class LeftOpen(DeskHandler):
    """What was left, and its buttons."""

    def get(self) -> None:
        if self.opened.failed:
            self.tell(f"grading again came to nothing: {self.opened.failed}")
            self.opened.failed = ""
        self.show("left.html", heaps=find_left(self.opened), most=MOST_SHOWN, running=self.opened.running)

    async def post(self) -> None:
        wanted = set(self.get_body_arguments("left"))
        found = [left for heap in find_left(self.opened) for left in heap.left if left.id in wanted]
        match self.typed("do"):
            case "on time":
                done = [left for left in found if left.on_time and self._accept(left)]
                self.tell(
                    f"accepted as on time: {', '.join(left.place.student for left in done) or 'nobody'}"
                )
            case "again":
                await self._again({left.place[:3] for left in found if left.again})
            case _:
                raise Refused(HTTPStatus.BAD_REQUEST, "there is no such button")
        self.go("left")

    def _accept(self, left: Left) -> bool:
        return self.opened.hand.accept_on_time(left.place.student, left.place.set)

    async def _again(self, chosen: set[tuple[str, str, str]]) -> None:
        if self.opened.running or not chosen:
            self.tell("a run is going on: wait for its end" if chosen else "there is nothing to grade again")
            return
        self.opened.running = f"{count(len(chosen), 'notebook')} graded again"
        asked = {"root": str(self.opened.course.root), "out": str(self.opened.out), "db": self.opened.db}
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "autograder.desk.grade_again"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
        )
        order = json.dumps({**asked, "chosen": sorted(chosen)}).encode()
        self.opened.task = asyncio.create_task(_wait(self.opened, process, order))
        self.tell(f"{self.opened.running}: this page shows when it is done")


async def _wait(opened: OpenClass, process: asyncio.subprocess.Process, order: bytes) -> None:
    _, said = await process.communicate(order)
    opened.reports.refresh()
    opened.running = ""
    if process.returncode:
        lines = said.decode("utf-8", "replace").strip().splitlines()
        opened.failed = lines[-1] if lines else f"exit code {process.returncode}"
