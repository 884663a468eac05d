"""All reports of a class become one page: how the marks lie, which parts were hard, which slips were made."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from autograder.course import Course
from autograder.report.page import render
from autograder.verdict import Status

BINS = 10
TROUBLE = (Status.CRASHED, Status.TIMED_OUT, Status.KILLED, Status.UNREADABLE)
Report = Mapping[str, Any]


def render_report(course: Course, reports: Sequence[Report], *, isolation: bool) -> str:
    """The class report as one self-contained page."""
    groups: dict[tuple[str, str], list[Report]] = defaultdict(list)
    for report in reports:
        groups[report["set"], report["problem"]].append(report)
    return render(
        "overview.html",
        title=f"{course.title}: class report",
        isolation=isolation,
        course=course,
        students=len({report["student"] for report in reports}),
        handins=len(reports),
        problems=[_problem(course, key, group) for key, group in groups.items()],
        trouble=_trouble(reports),
    )


def _problem(course: Course, key: tuple[str, str], reports: Sequence[Report]) -> dict[str, Any]:
    problem = course.problems[key[1]]
    scores = [sum(part["score"] for part in report["parts"]) for report in reports]
    counts = Counter(
        min(BINS - 1, int(BINS * score / problem.points)) if problem.points else 0 for score in scores
    )
    top = max(counts.values())
    bars = []
    for position in range(BINS):
        count = counts.get(position, 0)
        height = round(85 * count / top)
        label = f"{100 * position // BINS}–{100 * (position + 1) // BINS}%"
        bars.append(
            {"x": 8 + 63 * position, "y": 106 - height, "height": height, "count": count, "label": label}
        )
    return {
        "title": problem.title,
        "column": f"{key[0]}/{key[1]}",
        "count": len(reports),
        "points": problem.points,
        "mean": sum(scores) / len(scores),
        "bars": bars,
        "alt": "; ".join(f"{bar['count']} at {bar['label']}" for bar in bars if bar["count"]),
        "parts": [_part(part.name, reports) for part in problem.parts],
    }


def _part(name: str, reports: Sequence[Report]) -> dict[str, Any]:
    rows = [part for report in reports for part in report["parts"] if part["part"] == name]
    possible = sum(row["max_score"] for row in rows)
    earned = sum(row["score"] for row in rows)
    mistakes = Counter(row["mistake"] for row in rows if row["mistake"])
    common = mistakes.most_common(1)
    return {
        "name": name,
        "percent": round(100 * earned / possible) if possible else 0,
        "full": sum(row["score"] >= row["max_score"] for row in rows),
        "mistake": f"{common[0][0]} ({common[0][1]})" if common else "",
    }


def _trouble(reports: Sequence[Report]) -> list[str]:
    return [
        f"{report['student']}, {report['set']}/{report['problem']}, {part['part']}: {part['status']}: "
        f"{part['feedback'].splitlines()[0]}"
        for report in reports
        for part in report["parts"]
        if part["status"] in TROUBLE
    ]
