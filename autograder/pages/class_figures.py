"""Reports become the figures of a class: how marks are spread, how hard each part was, how it tells apart."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from autograder.grade.report import WAITS, PartReport, Report, Status

BINS = 10
FEWEST = 8  # students below which a correlation says nothing
BROKEN = (Status.CRASHED, Status.TIMED_OUT, Status.KILLED, Status.UNREADABLE)
EMPTY = (Status.MISSING, Status.UNCHANGED)
# What can become of a part, best first: the order in which bars are stacked.
OUTCOMES = {
    "full": "full marks",
    "some": "some marks",
    "none": "no marks",
    "empty": "not answered",
    "broken": "crashed or stopped",
    "waiting": "waits for a person",
}


@dataclass(frozen=True)
class PartFigures:
    """One part over the whole class."""

    name: str
    outcomes: Mapping[str, int]
    earned: float | None  # share of the marks, once there are any
    discrimination: float | None

    @property
    def count(self) -> int:
        return sum(self.outcomes.values())


def outcome(row: PartReport) -> str:
    if row.status in WAITS:
        return "waiting"
    if row.status in EMPTY:
        return "empty"
    if row.status in BROKEN:
        return "broken"
    if row.full:
        return "full"
    return "some" if row.score > 0 else "none"


def marked(report: Report) -> tuple[float, float]:
    """Marks earned and marks possible, without what still waits for a person."""
    rows = [row for row in report.parts if row.status not in WAITS]
    return sum(row.score for row in rows), sum(row.max_score for row in rows)


def totals(reports: Sequence[Report]) -> dict[str, tuple[float, float]]:
    """The same for each student, over all notebooks."""
    found: dict[str, tuple[float, float]] = {}
    for report in reports:
        earned, possible = marked(report)
        before = found.get(report.student, (0.0, 0.0))
        found[report.student] = (before[0] + earned, before[1] + possible)
    return found


def shares(marks: Iterator[tuple[float, float]]) -> list[float]:
    return [earned / possible for earned, possible in marks if possible > 0]


def histogram(values: Sequence[float]) -> list[int]:
    """How many shares of the marks fall into each tenth; full marks belong to the last."""
    counts = Counter(min(BINS - 1, int(BINS * value + 1e-9)) for value in values)
    return [counts[position] for position in range(BINS)]


def part_figures(
    name: str, reports: Sequence[Report], students: Mapping[str, tuple[float, float]]
) -> PartFigures:
    rows = [(row, report.student) for report in reports for row in report.parts if row.part == name]
    counts = Counter(outcome(row) for row, _ in rows)
    judged = [(row, student) for row, student in rows if row.status not in WAITS]
    possible = sum(row.max_score for row, _ in judged)
    earned = sum(row.score for row, _ in judged)
    pairs = [
        (row.full, (total - row.score) / (most - row.max_score))
        for row, student in judged
        for total, most in [students[student]]
        if most > row.max_score
    ]
    return PartFigures(
        name,
        {key: counts[key] for key in OUTCOMES},
        earned / possible if possible else None,
        point_biserial(pairs),
    )


def point_biserial(pairs: Sequence[tuple[bool, float]]) -> float | None:
    """How getting a part right goes with the marks for everything else; None where too few tell."""
    right = [rest for solved, rest in pairs if solved]
    wrong = [rest for solved, rest in pairs if not solved]
    if len(pairs) < FEWEST or not right or not wrong:
        return None
    mean = math.fsum(rest for _, rest in pairs) / len(pairs)
    spread = math.sqrt(math.fsum((rest - mean) ** 2 for _, rest in pairs) / len(pairs))
    if spread < 1e-12:
        return None
    gap = math.fsum(right) / len(right) - math.fsum(wrong) / len(wrong)
    return gap / spread * math.sqrt(len(right) * len(wrong)) / len(pairs)


def by_problem(reports: Sequence[Report]) -> dict[tuple[str, str], list[Report]]:
    groups: dict[tuple[str, str], list[Report]] = defaultdict(list)
    for report in reports:
        groups[report.set, report.problem].append(report)
    return dict(groups)
