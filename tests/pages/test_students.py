"""What to do next and the table of all students: who is missing, late or waiting, and what a person must do."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from autograder.grade.report import Status
from autograder.gradebook.late import Deadlines, LateRule
from autograder.pages.class_report import render_report
from autograder.pages.students import find_students, notebooks_asked, seconds_late, table_data
from autograder.pages.todo import find_tasks
from tests.pages.classes import edited_parts, made_up_reports

DUE = datetime(2026, 11, 30, 23, 59)
WAITS = {"status": Status.MANUAL, "score": 0.0}


@pytest.fixture
def reports(small):
    """Three students who have full marks for everything."""
    full = {"status": Status.GRADED, "mistake": None, "feedback": "right"}
    made = []
    for report, name in zip(made_up_reports(small, 5), ("ada", "boris", "chen"), strict=False):
        for number, part in enumerate(report.parts):
            report = edited_parts(report, number, **full, score=part.max_score)
        made.append(replace(report, student=name))
    return made


def tasks(course, reports, deadlines=None):
    deadlines = deadlines or Deadlines()
    return find_tasks(course, reports, find_students(course, reports), deadlines)


def test_a_class_with_nothing_left_is_told_so(small, reports):
    assert tasks(small, reports) == []
    assert "Nothing: every answer is marked" in render_report(small, reports, isolation=True)


def test_prose_that_waits_is_counted_by_part_and_says_where_it_is_marked(small, reports):
    reports[:2] = [edited_parts(report, 2, **WAITS) for report in reports[:2]]
    (task,) = tasks(small, reports)
    assert task.what == "2 answers wait to be read"
    assert task.how == "Mark them at the desk (autograder desk OUT) or in nbgrader's Formgrader: why (2)."


def test_what_the_grader_could_not_judge_comes_first_and_has_links(small, reports):
    reports[0] = edited_parts(reports[0], 2, **WAITS)
    reports[1] = edited_parts(reports[1], 0, **WAITS | {"feedback": "the grader failed on this answer"})
    first, second = tasks(small, reports)
    assert first.what == "1 answer the grader could not judge"
    assert [link.student for link in first.links] == ["boris"]
    assert second.what == "1 answer waits to be read"


def test_a_file_that_cannot_be_read_is_asked_for_again(small, reports):
    reports[2] = edited_parts(reports[2], status=Status.UNREADABLE, score=0.0)
    (task,) = tasks(small, reports)
    assert task.what == "1 notebook that cannot be read"
    assert "saved in Jupyter" in task.how


def test_a_student_without_a_hand_in_is_named(small, reports):
    reports[1] = edited_parts(reports[1], status=Status.MISSING, score=0.0)
    (task,) = tasks(small, reports)
    assert task.what == "1 student without a hand-in for Basics"
    assert task.how == "boris."


def test_students_of_another_set_are_missing_only_in_sets_that_are_in_use(real):
    made = [report for report in made_up_reports(real, 12) if report.set == "transformers"]
    assert {set_id for set_id, _ in notebooks_asked(real, made)} == {"transformers"}
    of = {each.name: each for each in find_students(real, made)}
    for each in of.values():
        assert len(each.handed_in) + len(each.missing) == 2


def test_lateness_counts_from_the_extended_due_date_and_after_the_grace(small, reports):
    late = Deadlines(LateRule("per_day", 10, 30), {"basics": DUE}, {("basics", "boris"): timedelta(days=2)})
    hours = zip(reports, (0.4, 30, 30), strict=True)
    reports = [
        replace(report, submitted=(DUE + timedelta(hours=after)).isoformat()) for report, after in hours
    ]
    assert [seconds_late(report, late) for report in reports] == [0, 0, 30 * 3600]
    (task,) = tasks(small, reports, late)
    assert (task.what, [each.student for each in task.links]) == ("1 notebook came late", ["chen"])
    assert task.how == "Each day costs 10 % of the marks. Extensions are counted in."


def test_the_table_has_marks_waiting_and_lateness_of_everyone(small, reports):
    late = Deadlines(due={"basics": DUE})
    reports[0] = replace(reports[0], submitted=(DUE + timedelta(minutes=5)).isoformat())
    reports[1] = edited_parts(reports[1], 2, **WAITS)
    reports[2] = edited_parts(reports[2], status=Status.MISSING, score=0.0)
    data = json.loads(table_data(small, find_students(small, reports), late))
    assert data["notebooks"] == [["basics", "scores", 6]]
    assert data["students"] == [["ada", [[6, 0, 300]]], ["boris", [[4, 2]]], ["chen", [None]]]


def test_no_name_ends_the_data_or_the_page(small, reports):
    reports[0] = replace(reports[0], student="</script><script>alert(1)</script><!--")
    text = table_data(small, find_students(small, reports), Deadlines())
    assert "<" not in text
    assert json.loads(text)["students"][0][0] == reports[0].student
