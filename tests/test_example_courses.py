"""Every course of examples/courses proves itself, and goes through a student's and an instructor's hands."""

from __future__ import annotations

import pytest

from autograder.course.load import load_course
from autograder.notebook.build_notebooks import build_notebook
from autograder.notebook.fill import fill
from autograder.release.handout_file import decode, encode
from autograder.release.make_handout import make_handout
from autograder.verify.proof import verify_course
from tests.conftest import ROOT

COURSES = sorted(path.parent.parent for path in ROOT.glob("examples/courses/*/problems/course.toml"))


@pytest.mark.parametrize("root", COURSES, ids=lambda root: root.name)
def test_an_example_course_is_proved(root, sandbox):
    checks = list(verify_course(load_course(root), sandbox.run))
    assert [check.sentence for check in checks if not check.passed] == []
    assert checks


@pytest.mark.parametrize("root", COURSES, ids=lambda root: root.name)
def test_what_students_are_handed_comes_back_as_it_was(root):
    course = load_course(root)
    for problem in course.problems.values():
        handout = make_handout(course, problem)
        again = decode(encode(handout), "here")
        assert encode(again) == encode(handout)
        assert [part.name for part in again.parts] == [part.name for part in problem.parts]


def test_small_answers_are_checked_and_graded(sandbox):
    from autograder.check.written_answer import check_text
    from autograder.grade.submission import Grader

    course = load_course(ROOT / "examples" / "courses" / "building_blocks")
    problem = course.problems["sizes_and_steps"]
    answers = {
        "first_layer": "B x 64 x 112 x 112",
        "first_layer_parameters": "9,408",
        "coin_entropy": "0.8813 bits",
        "chain": "0 1\n1 4",
        "stable_steps": "0 <= η < 2/λ",
        "keeps_the_mean": "c",
        "training_step": "d c b a",
        "dropout_in_evaluation": "T",
    }
    cells = {name: f"{name} = {text!r}" for name, text in answers.items()}
    notebook = fill(build_notebook(problem, "sheet", course.root), cells)
    grader = Grader(problem, course.solutions[problem.id], course.secret)
    reports = {report.part: report for report in grader.grade(notebook, "ada", sandbox.run)}
    assert {name: report.score for name, report in reports.items()} == {
        "first_layer": 1,
        "first_layer_parameters": 0,
        "coin_entropy": 1,
        "chain": 1,
        "stable_steps": 0,
        "keeps_the_mean": 0.5,
        "training_step": pytest.approx(2 / 3),
        "dropout_in_evaluation": 1,
    }
    assert reports["first_layer_parameters"].mistake == "no_biases"
    handout = make_handout(course, problem)
    views = {name: check_text(handout.part(name), text) for name, text in answers.items()}
    assert all("can be marked" in view.headline for view in views.values())
