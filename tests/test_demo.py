"""The made-up class: every example student gets the marks that the answers deserve."""

from __future__ import annotations

import json

import pytest

from autograder.classroom.find_hand_ins import find_handins
from autograder.classroom.grade_class import grade_class
from autograder.classroom.settings_and_outcome import Settings
from autograder.grade.submission import Grader
from examples import make_class, worked_homework
from tests.conftest import ROOT

MARKS = {
    ("ada", "self_attention"): 10,
    ("ada", "spatial_attention"): 14,
    ("boris", "self_attention"): 2,
    ("boris", "spatial_attention"): 5,
    ("chen", "self_attention"): 6,
    ("dana", "self_attention"): 2,
    ("emil", "self_attention"): 2,
    ("fatima", "self_attention"): 0,
    ("goran", "self_attention"): 0,
}


@pytest.fixture(scope="module")
def outcome(real, tmp_path_factory):
    out = tmp_path_factory.mktemp("demo")
    found = find_handins(ROOT / "examples" / "submitted", real)
    assert found.skipped == ()
    return grade_class(real, found, Settings(out, limits={"call_seconds": 1}), lambda report: None)


def test_each_student_has_the_expected_marks(outcome):
    marks = {
        (report.student, report.problem): sum(part.score for part in report.parts)
        for report in outcome.reports
    }
    assert marks == MARKS


def test_the_slips_are_recognised_and_the_troubles_told(outcome):
    parts = {(report.student, part.part): part for report in outcome.reports for part in report.parts}
    assert parts["boris", "multi_head_self_attention"].mistake == "adds_sqrt_scaling"
    assert parts["boris", "softmax_time"].mistake == "forgets_scores"
    assert parts["chen", "softmax_time"].verdict == "unparseable"
    assert parts["dana", "multi_head_self_attention"].status == "crashed"
    assert parts["emil", "multi_head_self_attention"].status == "timed_out"
    assert parts["fatima", "layer_time"].status == "unreadable"


def test_the_examples_are_those_that_their_script_writes():
    for student, problems in make_class.CLASS.items():
        for problem, answers in problems.items():
            path = ROOT / "examples" / "submitted" / student / make_class.SET / f"{problem}.ipynb"
            written, fresh = json.loads(path.read_text()), json.loads(make_class.filled(problem, answers))
            assert written == fresh, f"{path} is stale: run python -m examples.make_class"


def test_the_worked_homework_is_marked_for_what_it_says(real, sandbox):
    marks = {}
    for problem in worked_homework.HOMEWORK:
        path = ROOT / "examples/worked_homework/anonymous/deep_learning_hw2" / f"{problem}.ipynb"
        grader = Grader(real.problems[problem], real.solutions[problem], real.secret)
        for report in grader.grade(path.read_bytes(), "anonymous", sandbox.run):
            marks[report.part] = (report.score / report.max_score, report.mistake)
    assert {part for part, (share, _) in marks.items() if share == 1} == {
        *("alternating_rnn", "final_output", "norm_1", "norm_2", "norm_3", "limit_outputs")
    }
    assert marks["orthogonal_self_attention"] == (0, "identity_attention")
    for part in ("score_13", "output_1", "output_2", "output_3", "linear_equation", "linear_attention"):
        assert marks[part][0] == 0
        assert marks[part][1] is not None, part
