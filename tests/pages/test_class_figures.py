"""The figures of a class, against figures worked out by hand or by another library."""

from __future__ import annotations

import random

import numpy as np
import pytest

from autograder.grade.report import PartReport, Report, Status
from autograder.pages.class_figures import (
    FEWEST,
    histogram,
    marked,
    outcome,
    part_figures,
    point_biserial,
    totals,
)


def row(part="a", score=0.0, most=1.0, status="graded"):
    return PartReport(part, score, most, Status(status), "", "as it is")


@pytest.mark.parametrize(
    ("fields", "name"),
    [
        ({"score": 1.0}, "full"),
        ({"score": 0.5}, "some"),
        ({}, "none"),
        ({"status": "unchanged"}, "empty"),
        ({"status": "missing"}, "empty"),
        ({"status": "crashed"}, "broken"),
        ({"status": "timed_out"}, "broken"),
        ({"status": "manual"}, "waiting"),
        ({"status": "unreadable"}, "waiting"),
    ],
)
def test_each_row_has_one_outcome(fields, name):
    assert outcome(row(**fields)) == name


def test_full_marks_belong_to_the_last_tenth():
    assert histogram([0.0, 0.099, 0.1, 0.3, 1.0, 1.0]) == [2, 1, 0, 1, 0, 0, 0, 0, 0, 2]


def test_what_waits_for_a_person_does_not_count_yet():
    report = Report("ada", "basics", "scores", (row(score=1.0), row("b", 0.0, 3.0, "manual")))
    assert marked(report) == (1.0, 1.0)
    assert totals([report, report]) == {"ada": (2.0, 2.0)}


def test_discrimination_is_the_correlation_of_right_and_rest():
    rng = random.Random(1)
    pairs = [(rng.random() < 0.6, rng.random()) for _ in range(50)]
    wanted = np.corrcoef([float(solved) for solved, _ in pairs], [rest for _, rest in pairs])[0, 1]
    assert point_biserial(pairs) == pytest.approx(wanted)


@pytest.mark.parametrize(
    "pairs",
    [
        [(True, 0.5)] * 20,
        [(n % 2 == 0, 0.5) for n in range(20)],
        [(n % 2 == 0, n / 9) for n in range(FEWEST - 1)],
    ],
    ids=["all right", "no spread", "too few"],
)
def test_where_nothing_varies_nothing_is_said(pairs):
    assert point_biserial(pairs) is None


def test_a_part_is_held_against_all_other_marks_of_its_students():
    reports = [
        Report(str(n), "basics", "scores", (row("a", float(n >= 10)), row("b", float(n >= 8))))
        for n in range(20)
    ]
    figures = part_figures("a", reports, totals(reports))
    assert figures.outcomes["full"] == 10
    assert figures.outcomes["none"] == 10
    assert figures.earned == 0.5
    assert figures.discrimination == pytest.approx(
        np.corrcoef([n >= 10 for n in range(20)], [n >= 8 for n in range(20)])[0, 1]
    )
