"""Reports become what an instructor has to do next: each with its number, its reason and where to begin."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from autograder.course.load import Course
from autograder.course.model import Prose
from autograder.grade.report import PartReport, Report, Status
from autograder.gradebook.late import Deadlines
from autograder.pages.frequent_mistakes import Link, link
from autograder.pages.students import Student, seconds_late

MOST_LINKS = 12
AGAIN = "Run the same command again: what the machine kept from being judged is tried once more. "
WHERE_TO_MARK = "at the desk (autograder desk OUT) or in nbgrader's Formgrader"


@dataclass(frozen=True)
class Task:
    """Something that only a person can do; `links` are where to look, `more` how many there are besides."""

    what: str
    how: str
    links: tuple[Link, ...] = ()
    more: int = 0


def find_tasks(
    course: Course, reports: Sequence[Report], students: Sequence[Student], deadlines: Deadlines
) -> list[Task]:
    """What to do next, the most urgent first."""
    waiting = [(report, row) for report in reports for row in report.parts if row.status == Status.MANUAL]
    left = [each for each in waiting if not is_prose(course, *each)]
    return [
        *_grader_failed(left),
        *_unreadable(reports),
        *_to_be_read([each for each in waiting if is_prose(course, *each)]),
        *_nothing_handed_in(course, students),
        *_came_late(reports, deadlines),
    ]


def is_prose(course: Course, report: Report, row: PartReport) -> bool:
    """Whether a part waits because a person is meant to read it: whatever else waits, the grader left."""
    parts = course.problems[report.problem].parts
    return any(isinstance(part, Prose) and part.name == row.part for part in parts)


def count(number: int, one: str, many: str = "") -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def _grader_failed(left: Sequence[tuple[Report, PartReport]]) -> Iterator[Task]:
    if left:
        links, more = _links(left)
        again = AGAIN if any(row.machine for _, row in left) else ""
        yield Task(
            f"{count(len(left), 'answer')} the grader could not judge",
            f"{again}Mark them {WHERE_TO_MARK}; no marks are lost yet.",
            links,
            more,
        )


def _unreadable(reports: Sequence[Report]) -> Iterator[Task]:
    broken = [
        (report, row)
        for report in reports
        for row in report.parts[:1]
        if any(each.status == Status.UNREADABLE for each in report.parts)
    ]
    if broken:
        links, more = _links(broken)
        yield Task(
            f"{count(len(broken), 'notebook')} that cannot be read",
            "Ask for the .ipynb once more, saved in Jupyter; each page says what is wrong with the file.",
            links,
            more,
        )


def _to_be_read(waiting: Sequence[tuple[Report, PartReport]]) -> Iterator[Task]:
    if waiting:
        parts = Counter((report.problem, row.part) for report, row in waiting)
        named = ", ".join(f"{part} ({number:,})" for (_, part), number in parts.items())
        verb = "waits" if len(waiting) == 1 else "wait"
        yield Task(
            f"{count(len(waiting), 'answer')} {verb} to be read", f"Mark them {WHERE_TO_MARK}: {named}."
        )


def _nothing_handed_in(course: Course, students: Sequence[Student]) -> Iterator[Task]:
    for group in course.sets:
        notebooks = {(group.id, problem) for problem in group.problems}
        absent = [each for each in students if notebooks and notebooks <= set(each.missing)]
        if absent:
            names = ", ".join(each.name for each in absent[:MOST_LINKS])
            more = f" and {len(absent) - MOST_LINKS:,} more" if len(absent) > MOST_LINKS else ""
            yield Task(
                f"{count(len(absent), 'student')} without a hand-in for {group.title}", f"{names}{more}."
            )


def _came_late(reports: Sequence[Report], deadlines: Deadlines) -> Iterator[Task]:
    late = [(report, report.parts[0]) for report in reports if seconds_late(report, deadlines)]
    if late:
        rule = deadlines.rule
        cost = {
            "none": "Lateness costs nothing in this course.",
            "zero": "Late work earns nothing in this course.",
            "per_day": f"Each day costs {rule.percent:g} % of the marks.",
        }[rule.rule]
        links, more = _links(late)
        yield Task(
            f"{count(len(late), 'notebook')} came late", f"{cost} Extensions are counted in.", links, more
        )


def _links(found: Sequence[tuple[Report, PartReport]]) -> tuple[tuple[Link, ...], int]:
    """A link each; the problem is named where there are several."""
    several = len({report.problem for report, _ in found}) > 1
    shown = [(link(report, row.part), report.problem) for report, row in found[:MOST_LINKS]]
    links = [
        replace(each, student=f"{each.student} ({problem})") if several else each for each, problem in shown
    ]
    return tuple(links), len(found) - len(links)
