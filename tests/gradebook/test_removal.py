"""Hand-ins that are no longer there leave the gradebook; what a person marked stays, and is named."""

from __future__ import annotations

from dataclasses import replace

import pytest

from autograder.gradebook.messages import Gone, Message
from tests.gradebook.conftest import RIGHT, report

ANSWERS = {"scores": RIGHT, "axis": 'axis = "a"', "why": "Because."}
EARNED = {"scores": 3.0, "axis": 0.5, "why": None}


def hand_in(clerk, *students):
    for student in students:
        clerk.hand_in(report(student, **EARNED), **ANSWERS)
    clerk.write()


def remove(clerk, gone, whole):
    clerk.messages.append(Message(gone=Gone(gone, whole)))
    return clerk.write()


def test_a_student_who_is_gone_leaves_no_trace(clerk):
    hand_in(clerk, "ada", "boris")
    assert remove(clerk, [["boris", "basics", "scores"]], [["boris", "basics"]]) == []
    assert list(clerk.marks()) == ["ada"]
    with clerk.gradebook() as gradebook:
        assert [student.id for student in gradebook.students] == ["ada"]
        assert [row.student.id for row in gradebook.assignment_submissions("basics")] == ["ada"]


def test_one_notebook_that_is_gone_earns_nothing_and_the_others_stay(clerk):
    hand_in(clerk, "ada")
    clerk.hand_in(report("ada", "other", **EARNED), **ANSWERS)
    clerk.write()
    assert remove(clerk, [["ada", "basics", "scores"]], []) == []
    assert set(clerk.marks()["ada"].values()) == {(0.0, False)}
    assert clerk.marks("other")["ada"]["scores-check"] == (3.0, False)


def test_what_a_person_marked_stays_and_is_named(clerk):
    hand_in(clerk, "ada", "boris")
    with clerk.gradebook() as gradebook:
        gradebook.find_grade("why", "scores", "basics", "boris").manual_score = 1.5
        gradebook.db.commit()
    (told,) = remove(clerk, [["boris", "basics", "scores"]], [["boris", "basics"]])
    assert told.endswith("boris basics is no longer handed in, but stays here: a person has marked it")
    assert sorted(clerk.marks()) == ["ada", "boris"]


def test_a_student_whom_a_person_entered_stays_in_the_list(clerk):
    hand_in(clerk, "ada", "boris")
    with clerk.gradebook() as gradebook:
        gradebook.update_or_create_student("boris", first_name="Boris")
    remove(clerk, [["boris", "basics", "scores"]], [["boris", "basics"]])
    with clerk.gradebook() as gradebook:
        assert sorted(student.id for student in gradebook.students) == ["ada", "boris"]


def test_lateness_without_a_time_costs_the_first_day(clerk, index):
    index("due = 2026-02-01T00:00:00Z", '[late]\nrule = "per_day"\npercent = 10\ngrace_minutes = 90')
    for student, late, timestamp in (
        ("ada", True, ""),
        ("boris", False, ""),
        ("chen", True, "2026-01-31 00:00:00 UTC"),  # a time that is known counts
    ):
        clerk.hand_in(replace(report(student, **EARNED), late=late), timestamp, **ANSWERS)
    clerk.write()
    with clerk.gradebook() as gradebook:
        penalties = {
            row.student.id: row.late_submission_penalty
            for row in gradebook.notebook_submissions("scores", "basics")
        }
    assert penalties == {"ada": pytest.approx(0.35), "boris": None, "chen": None}
