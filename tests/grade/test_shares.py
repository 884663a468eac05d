"""What a recognised slip earns: a share of the marks, never all of them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from autograder.calls.expected import call_trusted, expect, plan
from autograder.calls.inputs import as_given
from autograder.course.author_faults import diagnosis_faults, share_faults
from autograder.course.model import Mistake
from autograder.diagnose.find_slip import Finder
from autograder.grade.code import judge_code
from autograder.verify.checks import as_outcome
from autograder.verify.proof import DEGENERATE
from tests.diagnose.test_other_course import COURSE, WRONG

PROBLEM = COURSE.problems["graph_convolution"]
REFERENCE = COURSE.solutions[PROBLEM.id].answers["graph_convolution"]


def judge(function, share, mistakes=()):
    part = replace(PROBLEM.parts[0], share=share)
    calls = plan(PROBLEM, part, "a secret", "a student")
    expected = [expect(REFERENCE, call) for call in calls]
    if callable(function):
        outcomes = [as_outcome(call_trusted(function, call, as_given)) for call in calls]
    else:
        outcomes = [
            as_outcome(DEGENERATE[function](c, want)) for c, want in zip(calls, expected, strict=True)
        ]
    finder = Finder(PROBLEM, part, REFERENCE)
    return judge_code(part, calls, expected, [*outcomes, outcomes[0]], mistakes, finder=finder)


def test_one_slip_earns_its_share_and_two_earn_none():
    wrong = WRONG["graph_convolution"]
    report = judge(wrong["bias_left_out"], 0.5)
    assert (report.score, report.for_slip, report.verdict) == (2, 2, "partial")
    assert "but for this slip it is right: 50% of the marks" in report.feedback
    assert judge(wrong["bias_left_out"], None).score == 0
    assert judge(wrong["no_loops_and_no_bias"], 0.5).score == 0


@pytest.mark.parametrize("name", DEGENERATE)
def test_an_answer_that_shows_no_work_earns_no_share(name):
    assert judge(name, 0.9).score == 0


def test_a_listed_mistake_has_a_share_of_its_own():
    wrong = WRONG["graph_convolution"]["sigmoid_for_relu"]
    listed = Mistake("sigmoid", "graph_convolution", "a relu, not a sigmoid", wrong, share=0.25)
    report = judge(wrong, 0.5, (listed,))
    assert (report.mistake, report.score) == ("sigmoid", 1)


@pytest.mark.parametrize("share", [1, 1.5, -0.1, True, "half"])
def test_no_slip_earns_full_marks(share):
    assert list(share_faults(share))
    assert list(diagnosis_faults({"share": share}))
