"""Reports become the table of all students: marks, what is missing, late or waiting, and where to read on."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from autograder.course.load import Course
from autograder.grade.report import WAITS, Report, Status
from autograder.gradebook.late import Deadlines

Notebook = tuple[str, str]  # set and problem


@dataclass(frozen=True)
class Student:
    """One student: the notebooks that were handed in, and those of the class's sets that were not."""

    name: str
    handed_in: Mapping[Notebook, Report]
    missing: tuple[Notebook, ...]


def find_students(course: Course, reports: Sequence[Report]) -> list[Student]:
    """Everybody who handed something in, or whose empty hand-in was found, by name."""
    asked = notebooks_asked(course, reports)
    found: dict[str, dict[Notebook, Report]] = defaultdict(dict)
    for report in reports:
        found[report.student][report.set, report.problem] = report
    return [_student(name, mine, asked) for name, mine in sorted(found.items())]


def notebooks_asked(course: Course, reports: Sequence[Report]) -> list[Notebook]:
    """The notebooks of every set of which somebody handed one in, in the course's order."""
    used = {report.set for report in reports}
    return [(group.id, problem.id) for group, problem in course.assignments if group.id in used]


def _student(name: str, mine: Mapping[Notebook, Report], asked: Sequence[Notebook]) -> Student:
    there = {notebook: report for notebook, report in mine.items() if not _is_empty(report)}
    return Student(name, there, tuple(notebook for notebook in asked if notebook not in there))


def _is_empty(report: Report) -> bool:
    """A hand-in of which nothing was found."""
    return all(row.status == Status.MISSING for row in report.parts)


def seconds_late(report: Report, deadlines: Deadlines) -> float:
    """How long after its due date a notebook came, with the student's extension; 0 where nobody knows."""
    due = deadlines.due.get(report.set)
    came = report.submitted
    if not came and report.late and (report.set, report.student) not in deadlines.extensions:
        return deadlines.rule.least_late  # the platform says so, and not by how much
    if due is None or not came:
        return 0.0
    more = deadlines.extensions.get((report.set, report.student), timedelta())
    late = (datetime.fromisoformat(came) - due - more).total_seconds()
    return late if late > deadlines.rule.grace_minutes * 60 else 0.0


def table_data(course: Course, students: Sequence[Student], deadlines: Deadlines) -> str:
    """What the page's script shows, as JSON that is safe inside a script element.

    A student is a name and one entry a notebook: null where it is missing, else marks, marks that wait, and
    seconds late.
    """
    columns = sorted({notebook for each in students for notebook in (*each.handed_in, *each.missing)})
    titles = {group.id: group.title for group in course.sets}
    data = {
        "sets": {set_id: titles.get(set_id, set_id) for set_id, _ in columns},
        "notebooks": [[*notebook, course.problems[notebook[1]].points] for notebook in columns],
        "students": [
            [each.name, [_entry(each.handed_in.get(notebook), deadlines) for notebook in columns]]
            for each in students
        ],
    }
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    # Nothing in it can end the element or begin a comment there, whatever a student is called.
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _entry(report: Report | None, deadlines: Deadlines) -> list[float] | None:
    if report is None:
        return None
    waiting = sum(row.max_score for row in report.parts if row.status in WAITS)
    entry = [round(sum(row.score for row in report.parts), 2), waiting]
    entry.append(round(seconds_late(report, deadlines)))
    while len(entry) > 1 and not entry[-1]:
        entry.pop()
    return entry
