"""Records through JSON: the same again, and nothing that only looks like one."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from autograder.as_json import from_json, to_json
from autograder.calls.requests_and_outcomes import ShownSlice, Smallest
from autograder.cost.cost_curve import CostCurve
from autograder.grade.report import CaseResult, Marked, PartReport, Report, Status
from autograder.gradebook.messages import Written
from autograder.gradebook.said_by_person import AnswerPlace, Said

SHOWN = ShownSlice("out", ("1 2",), ("1 nan",), ("01",), (0, 1), cut=True)
PART = PartReport(
    "scores",
    1.5,
    3,
    Status.GRADED,
    "wrong",
    "the axis",
    "wrong_axis",
    (CaseResult("small", False, False, "1 of 2 values differ", SHOWN),),
    costs=(CostCurve("work", "T", "", (2, 4), (2, 4), (2, 4), "T", holds=True),),
    departs=Marked(2, "it departs", shown=SHOWN),
    smallest=Smallest((("q", "1"),), (("", "2"),), (("", "3"),), 3),
)
REPORT = Report(
    "ada", "basics", "scores", (PART,), 0.25, False, {"cpu_seconds": 3}, absent=(Status.MISSING, "empty")
)
WRITTEN = Written(
    ("left out",), ((AnswerPlace("ada", "basics", "scores", "why"), Said(2.0, "good", (("?", "!"),))),)
)


@pytest.mark.parametrize(
    "record", [REPORT, WRITTEN, Written(), SHOWN], ids=["report", "said", "empty", "shown"]
)
def test_a_record_is_the_same_on_the_other_side(record):
    assert from_json(type(record), json.loads(json.dumps(to_json(record)))) == record


def test_a_number_stays_as_it_was_written():
    assert '"max_score": 3,' in json.dumps(to_json(from_json(Report, to_json(REPORT))))


def test_what_an_earlier_version_did_not_keep_has_its_default_and_the_unknown_is_left_out():
    plain = to_json(REPORT)
    del plain["isolated"]
    assert from_json(Report, {**plain, "of_a_later_version": 1}) == replace(REPORT, isolated=True)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("student", 3),
        ("parts", {"scores": 1}),
        ("parts", [{"part": "scores"}]),
        ("seconds", "long"),
        ("seconds", True),
        ("isolated", 1),
        ("absent", ["missing"]),
        ("absent", ["nowhere", "empty"]),
    ],
)
def test_what_is_no_such_record_is_refused(name, value):
    with pytest.raises((TypeError, ValueError, KeyError), match=r"."):
        from_json(Report, {**to_json(REPORT), name: value})
