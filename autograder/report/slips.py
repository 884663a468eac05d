"""Reports become lists of what went wrong most: named mistakes, wrong answers without a name, crashes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from autograder.course import Course
from autograder.report.numbers import BROKEN
from autograder.verdict import Status

Report = Mapping[str, Any]
EXAMPLES = 3
SENTENCE = 300  # characters


@dataclass(frozen=True)
class Link:
    """A feedback page to look at."""

    student: str
    href: str


@dataclass(frozen=True)
class Entry:
    """Something that happened to several students: where, what, how often, and examples."""

    problem: str
    part: str
    name: str
    says: str
    count: int
    examples: tuple[Link, ...]


def link(report: Report, part: str) -> Link:
    """The feedback page of a report, at one of its parts, as seen from the class report."""
    path = "/".join(quote(report[name], safe="") for name in ("student", "set", "problem"))
    return Link(report["student"], f"feedback/{path}.html#{quote(part, safe='')}")


def find_mistakes(course: Course, reports: Sequence[Report]) -> list[Entry]:
    """The recognised mistakes, the most frequent first."""
    says = {
        (problem, known.of, known.id): known.says
        for problem, solution in course.solutions.items()
        for known in solution.mistakes
    }

    def sentence(problem: str, row: Report) -> str:
        known = says.get((problem, row["part"], row["mistake"]))
        return known or _first_line(row)

    return _group(reports, lambda row: row["mistake"] or "", sentence)


def find_unnamed(reports: Sequence[Report]) -> list[Entry]:
    """Wrong answers that several students gave alike and that no listed mistake explains."""

    def key(row: Report) -> str:
        if row["mistake"] or row["status"] != Status.GRADED or row["score"] >= row["max_score"]:
            return ""
        return str(row.get("wrong_values") or row["read_as"])

    def sentence(problem: str, row: Report) -> str:
        return str(row["read_as"] or _first_line(row))[:SENTENCE]

    return [entry for entry in _group(reports, key, sentence) if entry.count > 1]


def find_trouble(reports: Sequence[Report]) -> list[Entry]:
    """Parts at which notebooks crashed, ran out of time, were stopped or could not be read."""
    return _group(
        reports,
        lambda row: row["status"].replace("_", " ") if row["status"] in BROKEN else "",
        lambda problem, row: _first_line(row),
    )


def _first_line(row: Report) -> str:
    return str(row["feedback"]).split("\n", 1)[0][:SENTENCE]


def _group(
    reports: Sequence[Report], key: Callable[[Report], str], sentence: Callable[[str, Report], str]
) -> list[Entry]:
    found: dict[tuple[str, str, str], list[tuple[Report, Report]]] = defaultdict(list)
    for report in reports:
        for row in report["parts"]:
            name = key(row)
            if name:
                found[report["problem"], row["part"], name].append((report, row))
    entries = [
        Entry(
            problem,
            part,
            name,
            sentence(problem, rows[0][1]),
            len(rows),
            tuple(link(report, part) for report, _ in rows[:EXAMPLES]),
        )
        for (problem, part, name), rows in found.items()
    ]
    return sorted(entries, key=lambda entry: (-entry.count, entry.problem, entry.part, entry.name))
