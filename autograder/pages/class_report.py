"""All reports of a class become one page: the marks, which parts were hard, which slips were made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import mean, median

from markupsafe import Markup

from autograder.course.load import Course
from autograder.course.model import Problem
from autograder.course.varying_problem import in_general, number_for, values_of
from autograder.grade.report import WAITS, Report
from autograder.gradebook.late import Deadlines
from autograder.pages.alike_students import AlikePair, find_pairs
from autograder.pages.class_figures import (
    BINS,
    OUTCOMES,
    PartFigures,
    by_problem,
    histogram,
    marked,
    part_figures,
    shares,
    totals,
)
from autograder.pages.frequent_mistakes import Frequent, find_mistakes, find_trouble, find_unnamed, link
from autograder.pages.page import inlined, render
from autograder.pages.quoted_errors import told
from autograder.pages.students import find_students, table_data
from autograder.pages.todo import find_tasks

MOST = {"mistakes": 20, "unnamed": 10, "trouble": 12, "pairs": 30, "slowest": 10}
MOST_VALUES = 12  # of a name that varies


@dataclass(frozen=True)
class _Distribution:
    """Columns of a histogram, their heights as shares of the tallest, and the same in words."""

    columns: Sequence[Mapping[str, float | str]]
    words: str
    mean: float | None
    median: float | None


@dataclass(frozen=True)
class _PartBar:
    """One part as a bar of what became of it, and how it tells students apart."""

    name: str
    segments: Sequence[Mapping[str, float | str]]
    shown: tuple[str, ...]
    words: str
    earned: int | None
    outcomes: Mapping[str, int]
    r: float | None
    left: float | None
    says: str


@dataclass(frozen=True)
class _ProblemSection:
    """All notebooks of one problem in one set."""

    title: str
    column: str
    count: int
    distribution: _Distribution
    parts: tuple[_PartBar, ...]
    variants: Sequence[Mapping[str, float | str | None]]


def render_report(
    course: Course, reports: Sequence[Report], *, isolation: bool, deadlines: Deadlines | None = None
) -> str:
    """The class report as one self-contained page.

    Everything on it follows from the marks, so that it is the same whatever the number of workers; only
    the section of the slowest notebooks has measured times.
    """
    students = totals(reports)
    everybody = find_students(course, reports)
    due = deadlines or Deadlines()
    problems = [_problem(course, key, group, students) for key, group in sorted(by_problem(reports).items())]
    return render(
        "overview.html",
        title=f"{course.title}: class report",
        isolation=isolation,
        script=inlined("students.js"),
        course=course,
        students=len(students),
        handins=len(reports),
        waiting=any(row.status in WAITS for report in reports for row in report.parts),
        tasks=find_tasks(course, reports, everybody, due),
        sets={group.id: group.title for group in course.sets if group.id in {r.set for r in reports}},
        class_data=Markup(table_data(course, everybody, due)),
        whole=_distribution(shares(iter(students.values())), "students"),
        outcomes=OUTCOMES,
        problems=problems,
        any_dot=any(part.r is not None for problem in problems for part in problem.parts),
        seen={name for problem in problems for part in problem.parts for name in part.shown},
        mistakes=_bars(find_mistakes(course, reports), "mistakes"),
        unnamed=_bars(find_unnamed(reports), "unnamed"),
        trouble=_bars(find_trouble(course, reports), "trouble"),
        pairs=_pairs(reports),
        slowest=_slowest(reports),
    )


def _problem(
    course: Course,
    key: tuple[str, str],
    reports: Sequence[Report],
    students: Mapping[str, tuple[float, float]],
) -> _ProblemSection:
    problem = course.problems[key[1]]
    return _ProblemSection(
        title=in_general(problem.title, problem),
        column=f"{key[0]}/{key[1]}",
        count=len(reports),
        distribution=_distribution(shares(marked(report) for report in reports), "notebooks"),
        parts=tuple(_part(part_figures(part.name, reports, students)) for part in problem.parts),
        variants=_variants(course, problem, reports),
    )


def _variants(
    course: Course, problem: Problem, reports: Sequence[Report]
) -> Sequence[Mapping[str, float | str | None]]:
    """How hard each value of what varies was: students who were given it, and what they earned on average.

    Names of many values are left out: hardly two students share one.
    """
    if not course.secret:
        return ()
    few = {name: each.values for name, each in problem.varies.items() if len(each.values) <= MOST_VALUES}
    given = [(values_of(problem, number_for(problem, course.secret, r.student)), r) for r in reports if few]
    rows: list[Mapping[str, float | str | None]] = []
    for name, value in ((name, value) for name, values in few.items() for value in dict.fromkeys(values)):
        own = [report for numbers, report in given if numbers[name] == value]
        found = shares(marked(report) for report in own)
        average = round(100 * mean(found), 1) if found else None
        rows.append({"says": f"{name} = {value}", "count": len(own), "marked": len(found), "mean": average})
    return rows


def _distribution(values: Sequence[float], what: str) -> _Distribution:
    counts = histogram(values)
    top = max(counts, default=0) or 1
    columns: list[dict[str, float | str]] = [
        {"count": count, "height": round(count / top, 3), "label": f"{position * 100 // BINS} %"}
        for position, count in enumerate(counts)
    ]
    words = "; ".join(
        f"{count} {what} with {100 * n // BINS} to {100 * (n + 1) // BINS} percent"
        for n, count in enumerate(counts)
        if count
    )
    return _Distribution(
        columns,
        words or "nothing to show",
        round(100 * mean(values), 1) if values else None,
        round(100 * median(values), 1) if values else None,
    )


def _part(figures: PartFigures) -> _PartBar:
    shown = tuple(name for name, count in figures.outcomes.items() if count)
    segments: list[dict[str, float | str]] = [
        {"name": name, "count": count, "percent": round(100 * count / figures.count, 2)}
        for name in shown
        for count in [figures.outcomes[name]]
    ]
    r = figures.discrimination
    return _PartBar(
        name=figures.name,
        segments=segments,
        shown=shown,
        words=", ".join(f"{figures.outcomes[name]} {OUTCOMES[name]}" for name in shown),
        earned=None if figures.earned is None else round(100 * figures.earned),
        outcomes=figures.outcomes,
        r=None if r is None else round(r, 2),
        left=None if r is None else round(50 + 50 * max(-1.0, min(1.0, r)), 1),
        says=_discrimination_words(r),
    )


def _discrimination_words(r: float | None) -> str:
    if r is None:
        return "too few to tell"
    if r < 0:
        return "those who got it right did worse elsewhere: look at the question and the key"
    if r < 0.2:
        return "tells students hardly apart"
    return "tells students apart" if r < 0.4 else "tells students well apart"


def _bars(entries: Sequence[Frequent], kind: str) -> dict[str, object]:
    """Bars as long as their share of the notebooks: what few did looks like few."""
    shown = entries[: MOST[kind]]
    return {
        "bars": [
            {
                "entry": entry,
                "says": Markup(" ").join(told(entry.says)),
                "percent": round(100 * entry.count / entry.among, 1),
            }
            for entry in shown
        ],
        "more": len(entries) - len(shown),
    }


def _pairs(reports: Sequence[Report]) -> dict[str, object]:
    pairs = find_pairs(reports)
    place = {(report.student, report.problem): report for report in reports}

    def row(pair: AlikePair) -> dict[str, object]:
        problem, part = pair.parts[0]
        links = [link(place[student, problem], part) for student in pair.students]
        return {"links": links, "reasons": pair.reasons}

    return {
        "rows": [row(pair) for pair in pairs[: MOST["pairs"]]],
        "more": max(0, len(pairs) - MOST["pairs"]),
    }


def _slowest(reports: Sequence[Report]) -> list[dict[str, object]]:
    slow = sorted(reports, key=lambda report: (-report.seconds, report.student))[: MOST["slowest"]]
    return [
        {
            "link": link(report, report.parts[0].part if report.parts else ""),
            "problem": report.problem,
            "seconds": report.seconds,
        }
        for report in slow
        if report.seconds > 0
    ]
