"""Unusual pairs: copies are found in classes of any size, and independent students are left in peace."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from autograder.grade.code_prints import code_prints
from autograder.grade.report import Status
from autograder.pages.alike_students import find_pairs
from tests.pages.classes import edited_parts, made_up_code, made_up_reports, without_fields


def copy_work(reports, source, target, **changes):
    """Hand in another student's work under one's own name."""
    theirs = [report for report in reports if report.student != target]
    source_work = [report for report in reports if report.student == source]
    return theirs + [edited_parts(replace(report, student=target), **changes) for report in source_work]


@pytest.mark.parametrize("students", [7, 30, 90])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_independent_students_are_left_in_peace(real, students, seed):
    assert find_pairs(made_up_reports(real, students, seed)) == []


def weakest(reports):
    """The student with the most wrong answers, of which a copy shares the most."""
    wrong = {}
    for report in reports:
        count = sum(row.status is Status.GRADED and not row.full for row in report.parts)
        wrong[report.student] = wrong.get(report.student, 0) + count
    return max(wrong, key=wrong.__getitem__)


def test_the_same_unusual_wrong_answers_are_found_without_any_code(real):
    reports = made_up_reports(real, 60)
    source = weakest(reports)
    target = next(r.student for r in reports if r.student != source)
    pairs = find_pairs(copy_work(reports, source, target, code_prints=""))
    assert [pair.students for pair in pairs] == [tuple(sorted((source, target)))]
    assert pairs[0].reasons[0].startswith("the same unusual wrong answers: ")


def test_copied_code_is_found_where_everything_is_right(small):
    reports = made_up_reports(small, 40)
    copied = copy_work(reports, "s00003", "s00031", status=Status.GRADED, wrong_values="", read_as="")
    pairs = find_pairs(copied)
    assert [pair.students for pair in pairs] == [("s00003", "s00031")]
    assert pairs[0].reasons == ("scores: the same code, names included",)


def test_code_with_other_names_is_found_as_well(small):
    reports = made_up_reports(small, 40)
    stub = small.problems["scores"].part("scores").stub
    source = made_up_code("scores", random.Random(77))
    code = {"s00003": source, "s00031": source.replace("scores", "mine").replace("x", "y")}
    reports = [
        edited_parts(report, 0, code_prints=code_prints(code[report.student], stub))
        if report.student in code
        else report
        for report in reports
    ]
    pairs = find_pairs(reports)
    assert [pair.students for pair in pairs] == [("s00003", "s00031")]
    assert "of the code alike" in pairs[0].reasons[0]


def test_what_many_write_is_no_evidence(small):
    reports = made_up_reports(small, 40)
    obvious = code_prints(made_up_code("scores", random.Random(5)), "")
    alike = {"code_prints": obvious, "wrong_values": "the usual slip"}
    reports = [edited_parts(report, 0, **alike) for report in reports]
    assert find_pairs(reports) == []


def test_one_students_two_sets_are_no_pair(real):
    reports = [r for r in made_up_reports(real, 1) if r.problem == "self_attention"]
    assert find_pairs(reports * 2) == []
    assert find_pairs([]) == []


def test_reports_without_prints_are_compared_by_their_answers(small):
    reports = [without_fields(each, "code_prints", "wrong_values") for each in made_up_reports(small, 5)]
    assert find_pairs(reports) == []
