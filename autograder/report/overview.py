"""All reports of a class become one page: how the marks lie, which parts were hard, which slips were made."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from statistics import mean, median
from typing import Any

from autograder.course import Course
from autograder.report.numbers import (
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
from autograder.report.page import render
from autograder.report.pairs import Pair, find_pairs
from autograder.report.slips import Entry, find_mistakes, find_trouble, find_unnamed, link

Report = Mapping[str, Any]
MOST = {"mistakes": 20, "unnamed": 10, "trouble": 12, "pairs": 30, "slowest": 10}
SHORTEST_SCALE = 0.1  # a mistake of one notebook in fifty shall not look like a flood
_TIMINGS = re.compile(r"<!-- timings -->.*?<!-- end of timings -->", re.S)


def render_report(course: Course, reports: Sequence[Report], *, isolation: bool) -> str:
    """The class report as one self-contained page.

    Everything on it follows from the marks, so that it is the same whatever the number of workers; only
    the section of the slowest notebooks has measured times (see `without_timings`).
    """
    students = totals(reports)
    return render(
        "overview.html",
        title=f"{course.title}: class report",
        isolation=isolation,
        course=course,
        students=len(students),
        handins=len(reports),
        waiting=sum(row["status"] == "manual" for report in reports for row in report["parts"]),
        whole=_distribution(shares(iter(students.values())), "students"),
        outcomes=OUTCOMES,
        problems=[
            _problem(course, key, group, students) for key, group in sorted(by_problem(reports).items())
        ],
        mistakes=_bars(find_mistakes(course, reports), "mistakes"),
        unnamed=_bars(find_unnamed(reports), "unnamed"),
        trouble=_bars(find_trouble(reports), "trouble"),
        pairs=_pairs(reports),
        slowest=_slowest(reports),
    )


def without_timings(page: str) -> str:
    """A class report without the one section that differs from run to run."""
    return _TIMINGS.sub("", page)


def _problem(
    course: Course,
    key: tuple[str, str],
    reports: Sequence[Report],
    students: Mapping[str, tuple[float, float]],
) -> dict[str, Any]:
    problem = course.problems[key[1]]
    return {
        "title": problem.title,
        "column": f"{key[0]}/{key[1]}",
        "count": len(reports),
        "distribution": _distribution(shares(marked(report) for report in reports), "notebooks"),
        "parts": [_part(part_figures(part.name, reports, students)) for part in problem.parts],
    }


def _distribution(values: Sequence[float], what: str) -> dict[str, Any]:
    """Columns of a histogram, their heights as shares of the tallest, and the same in words."""
    counts = histogram(values)
    top = max(counts, default=0) or 1
    columns = [
        {"count": count, "height": round(count / top, 3), "label": f"{position * 100 // BINS} %"}
        for position, count in enumerate(counts)
    ]
    words = "; ".join(
        f"{count} {what} with {100 * n // BINS} to {100 * (n + 1) // BINS} percent"
        for n, count in enumerate(counts)
        if count
    )
    return {
        "columns": columns,
        "words": words or "nothing to show",
        "mean": round(100 * mean(values), 1) if values else None,
        "median": round(100 * median(values), 1) if values else None,
    }


def _part(figures: PartFigures) -> dict[str, Any]:
    segments = [
        {"name": name, "count": count, "percent": round(100 * count / figures.count, 2)}
        for name, count in figures.outcomes.items()
        if count
    ]
    r = figures.discrimination
    return {
        "name": figures.name,
        "segments": segments,
        "words": ", ".join(f"{count} {OUTCOMES[name]}" for name, count in figures.outcomes.items() if count),
        "earned": None if figures.earned is None else round(100 * figures.earned),
        "outcomes": figures.outcomes,
        "r": None if r is None else round(r, 2),
        "left": None if r is None else round(50 + 50 * max(-1.0, min(1.0, r)), 1),
        "says": _discrimination_words(r),
    }


def _discrimination_words(r: float | None) -> str:
    if r is None:
        return "too few to tell"
    if r < 0:
        return "those who got it right did worse elsewhere: look at the question and the key"
    if r < 0.2:
        return "tells students hardly apart"
    return "tells students apart" if r < 0.4 else "tells students well apart"


def _bars(entries: Sequence[Entry], kind: str) -> dict[str, Any]:
    """Bars as long as their share of the notebooks, drawn larger where all are short."""
    shown = entries[: MOST[kind]]
    longest = max((entry.count / entry.among for entry in shown), default=1.0)
    scale = 100 / max(longest, SHORTEST_SCALE)
    return {
        "bars": [{"entry": entry, "percent": round(scale * entry.count / entry.among, 1)} for entry in shown],
        "more": len(entries) - len(shown),
    }


def _pairs(reports: Sequence[Report]) -> dict[str, Any]:
    pairs = find_pairs(reports)
    place = {(report["student"], report["problem"]): report for report in reports}

    def row(pair: Pair) -> dict[str, Any]:
        problem, part = pair.parts[0]
        links = [link(place[student, problem], part) for student in pair.students]
        return {"links": links, "reasons": pair.reasons, "percent": round(100 * pair.strength)}

    return {
        "rows": [row(pair) for pair in pairs[: MOST["pairs"]]],
        "more": max(0, len(pairs) - MOST["pairs"]),
    }


def _slowest(reports: Sequence[Report]) -> list[dict[str, Any]]:
    slow = sorted(reports, key=lambda report: (-report["seconds"], report["student"]))[: MOST["slowest"]]
    top = max((report["seconds"] for report in slow), default=0.0) or 1.0
    return [
        {
            "link": link(report, report["parts"][0]["part"] if report["parts"] else ""),
            "problem": report["problem"],
            "seconds": report["seconds"],
            "percent": round(100 * report["seconds"] / top, 1),
        }
        for report in slow
        if report["seconds"] > 0
    ]
