"""Reports become lists of what went wrong most: named mistakes, wrong answers without a name, crashes."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from urllib.parse import quote

from autograder.course.load import Course
from autograder.course.model import Code
from autograder.course.modules import Module
from autograder.course.varying_problem import in_general
from autograder.grade.report import PartReport, Report, Status
from autograder.pages.class_figures import BROKEN

EXAMPLES = 3
SENTENCE = 300  # characters
_COUNTS = re.compile(r"\d+ of \d+ cases pass")
_PLACE = re.compile(r" \(line \d+(?:: .*)?\)$")
_NUMBER = re.compile(r"\d+")
_ENTRIES = re.compile(r" \(\d+ of \d+ entries differ on random tensors; first at [^()]*\)$")  # one student's
_WITNESS = re.compile(r"(?<=.); your bound (?:is|holds) .*$")  # how far one student's bound is off


@dataclass(frozen=True)
class Link:
    """A feedback page to look at."""

    student: str
    href: str


@dataclass(frozen=True)
class Frequent:
    """Something that happened to `count` of `among` notebooks: where, what, and examples.

    The part is empty where it happened to notebooks as a whole.
    """

    problem: str
    part: str
    name: str
    says: str
    count: int
    among: int
    examples: tuple[Link, ...]
    earned: float = 0.0  # points, by a share that the slip has


def link(report: Report, part: str) -> Link:
    """The feedback page of a report, at one of its parts, as seen from the class report."""
    path = "/".join(quote(name, safe="") for name in report.identity)
    return Link(report.student, f"feedback/{path}.html#{quote(part, safe='')}")


def find_mistakes(course: Course, reports: Sequence[Report]) -> list[Frequent]:
    """The recognised mistakes, the most frequent first."""
    says = {
        (problem, known.of, known.id): in_general(known.says, course.problems[problem])
        for problem, solution in course.solutions.items()
        for known in solution.mistakes
    }

    def sentence(problem: str, row: PartReport) -> str:
        known = says.get((problem, row.part, row.mistake or ""))
        return known or _first_line(row)

    def key(problem: str, row: PartReport) -> str:
        # One kind of slip can be made in several ways: what is said must be true of all who are counted.
        return f"{row.mistake}\n{sentence(problem, row)}" if row.mistake else ""

    found = _group(reports, key, sentence)
    return [replace(entry, name=entry.name.split("\n")[0]) for entry in found]


def find_unnamed(reports: Sequence[Report]) -> list[Frequent]:
    """Wrong answers that several students gave alike and that no listed mistake explains."""

    def key(problem: str, row: PartReport) -> str:
        if row.mistake or row.status != Status.GRADED or row.full:
            return ""
        return row.wrong_values or row.read_as

    def sentence(problem: str, row: PartReport) -> str:
        return (row.read_as or _first_line(row))[:SENTENCE]

    return [entry for entry in _group(reports, key, sentence) if entry.count > 1]


def find_trouble(course: Course, reports: Sequence[Report]) -> list[Frequent]:
    """Parts at which notebooks crashed, ran out of time or were stopped, and those that cannot be read.

    Each kind of trouble stands by itself: what differs in numbers alone, or in the line, is one.
    """
    cases = {
        (problem.id, part.name): tuple(case.name for case in part.cases)
        for problem in course.problems.values()
        for part in problem.parts
        if isinstance(part, Code | Module)
    }

    def words(problem: str, row: PartReport) -> str:
        return trouble_words(row, cases.get((problem, row.part), ()))

    def key(problem: str, row: PartReport) -> str:
        return _NUMBER.sub("0", words(problem, row)) if row.status in BROKEN else ""

    whole = [
        replace(report, parts=(replace(report.parts[0], part=""),)) if _unreadable(report) else report
        for report in reports
    ]
    return _group(whole, key, words)


def trouble_words(row: PartReport, cases: Sequence[str]) -> str:
    """What went wrong, without the case at which it did and the line of one student."""
    line = _first_line(row)
    case = next((name for name in cases if line.startswith(f"{name}: ")), None)
    return _PLACE.sub("", line if case is None else line.removeprefix(f"{case}: "))


def _unreadable(report: Report) -> bool:
    return any(row.status == Status.UNREADABLE for row in report.parts)


def _first_line(row: PartReport) -> str:
    """The first sentence that says more than how many cases pass."""
    lines = row.feedback.split("\n")
    if row.departs:  # one student's line, and not what is wrong with it
        lines[0] = lines[0].removesuffix(f"; {row.departs.says}").removeprefix(f"{row.departs.says}; ")
    stops = row.departs and row.departs.says
    said = (line for line in lines if line != stops and not _COUNTS.fullmatch(line))
    return _WITNESS.sub("", _ENTRIES.sub("", next(said, lines[0])))[:SENTENCE]


def _group(
    reports: Sequence[Report],
    key: Callable[[str, PartReport], str],
    sentence: Callable[[str, PartReport], str],
) -> list[Frequent]:
    found: dict[tuple[str, str, str], list[tuple[Report, PartReport]]] = defaultdict(list)
    for report in reports:
        for row in report.parts:
            name = key(report.problem, row)
            if name:
                found[report.problem, row.part, name].append((report, row))
    handed_in = Counter(report.problem for report in reports)
    entries = [
        Frequent(
            problem,
            part,
            name,
            sentence(problem, rows[0][1]),
            len(rows),
            handed_in[problem],
            tuple(link(report, part) for report, _ in rows[:EXAMPLES]),
            round(sum(row.for_slip for _, row in rows), 6),
        )
        for (problem, part, name), rows in found.items()
    ]
    return sorted(entries, key=lambda entry: (-entry.count, entry.problem, entry.part, entry.name))
