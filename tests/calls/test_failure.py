"""The sentence for a call that does not pass, and what of it a hidden case may say."""

from __future__ import annotations

import pytest

from autograder.calls.failure import LIMIT_SAYS, no_value, no_value_hidden, student_line
from autograder.calls.requests_and_outcomes import Outcome

TRACE = "cell 3, line 7, in scores\n    s = rows(q @ k)\ncell 4, line 2, in rows\n    return s.softmax(9)"


def test_a_crash_shows_the_students_own_line():
    outcome = Outcome("raised", error="IndexError: Dimension out of range", traceback=TRACE)
    assert no_value(outcome) == "raised IndexError: Dimension out of range (line 2: return s.softmax(9))"


@pytest.mark.parametrize("trace", ["", "cell 3, line 7", "nonsense", "\n\n"], ids=range(4))
def test_where_no_line_is_known_none_is_shown(trace):
    assert student_line(trace) == ""


def test_a_long_line_is_cut():
    assert len(student_line(f"cell 1, line 1\n    {'x' * 4000}")) < 200


@pytest.mark.parametrize(
    ("outcome", "says"),
    [
        (Outcome("raised", error="ValueError: leak 0.25", traceback=TRACE), "raised ValueError"),
        (Outcome("raised", error="Leak025: no", traceback=TRACE), "raised an error"),
        (
            Outcome(
                "raised",
                error="RuntimeError: view size is not compatible with input tensor's size and stride",
            ),
            "raised RuntimeError: .view() needs a tensor that is contiguous; .reshape() does not",
        ),
        (Outcome("killed", error="leak", limit="memory"), LIMIT_SAYS["memory"]),
        (Outcome("bad_output", error="leak"), "gave no value that can be compared (bad output)"),
    ],
    ids=["value-error", "own-class", "view", "memory", "bad-output"],
)
def test_of_a_hidden_case_nothing_is_told_that_the_process_could_have_made_up(outcome, says):
    assert no_value_hidden(outcome) == says
