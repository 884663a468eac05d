"""Late rules as course.toml gives them, due dates and extensions."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from autograder.errors import CourseError
from autograder.gradebook.late import DAY, LateRule, read_deadlines


@pytest.mark.parametrize(
    ("rule", "seconds", "penalty"),
    [
        (LateRule(), 5 * DAY, None),
        (LateRule("zero"), 0, None),
        (LateRule("zero"), 1, 8.0),
        (LateRule("zero", grace_minutes=10), 600, None),
        (LateRule("per_day", 10), 1, 0.8),
        (LateRule("per_day", 10), DAY, 0.8),
        (LateRule("per_day", 10), DAY + 1, 1.6),
        (LateRule("per_day", 40), 30 * DAY, 8.0),
        (LateRule("per_day", 10, 60), 3600, None),
        (LateRule("per_day", 10, 60), 3601, 0.8),
    ],
    ids=["none", "in-time", "zero", "grace", "a-second", "a-day", "two-days", "all", "within", "past-grace"],
)
def test_a_penalty_is_a_share_of_the_marks_for_each_day_begun(rule, seconds, penalty):
    assert rule.penalty(8.0, seconds) == pytest.approx(penalty)


def test_deadlines_are_read_in_universal_time(twofold, index):
    index(
        "due = 2026-11-30T23:59:00+01:00",
        '[late]\nrule = "per_day"\npercent = 10\ngrace_minutes = 30',
    )
    (twofold / "solutions" / "extensions.toml").write_text("[basics]\nada = 2\nboris = 0.5\n")
    deadlines = read_deadlines(twofold)
    assert deadlines.due == {"basics": datetime(2026, 11, 30, 22, 59)}
    assert deadlines.rule == LateRule("per_day", 10, 30)
    assert deadlines.extensions == {
        ("basics", "ada"): timedelta(days=2),
        ("basics", "boris"): timedelta(hours=12),
    }


def test_a_plain_date_is_due_when_it_ends(twofold, index):
    index("due = 2026-11-30")
    assert read_deadlines(twofold).due == {"basics": datetime(2026, 12, 1)}


@pytest.mark.parametrize(
    ("in_set", "at_end", "message"),
    [
        ('due = "soon"', "", r"set 'basics': due is a date and time such as 2026-11-30T23:59:00Z"),
        ("", '[late]\nrule = "harsh"', r"\[late\] rule is one of none, zero, per_day, not 'harsh'"),
        ("", '[late]\nrule = "per_day"', r"\[late\] percent is above 0"),
        ("", '[late]\nrule = "zero"\npercent = 10', r"\[late\] percent is .* absent otherwise"),
        ("", '[late]\nrule = "zero"\ngrace_minutes = -1', r"grace_minutes is a number of minutes"),
        ("", "[late]\npenalty = 3", r"\[late\] has the fields grace_minutes, percent, rule and no others"),
    ],
    ids=["due", "rule", "no-percent", "percent", "grace", "field"],
)
def test_faults_of_the_late_table_are_named(twofold, index, in_set, at_end, message):
    index(in_set, at_end)
    with pytest.raises(CourseError, match=message):
        read_deadlines(twofold)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[elsewhere]\nada = 1", r"\[elsewhere\] should name a set that has a due date"),
        ('[basics]\nada = "long"', r"\[basics\] ada is a number of days, not 'long'"),
    ],
    ids=["set", "days"],
)
def test_faults_of_the_extensions_are_named(twofold, index, text, message):
    index("due = 2026-11-30T12:00:00Z")
    (twofold / "solutions" / "extensions.toml").write_text(text)
    with pytest.raises(CourseError, match=message):
        read_deadlines(twofold)
