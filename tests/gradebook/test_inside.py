"""The pieces that nbgrader calls: a part that a person should look at, and a course that changes meanwhile."""

from __future__ import annotations

import os

import pytest
from traitlets.config import Config

from autograder.errors import UsageError
from autograder.gradebook import inside
from autograder.gradebook.inside import CourseLatePolicy, SaveMarks, as_node
from autograder.gradebook.line import configure
from tests.gradebook.conftest import report


def test_a_check_cell_that_waits_for_a_person_has_no_score(clerk):
    graded = report("ada", scores=None, axis=1.0)
    clerk.hand_in(graded, axis='axis = "a"')
    clerk.write()
    copy = (clerk.out / "autograded/ada/basics/scores.ipynb").read_bytes()
    where = {"student": "ada", "assignment": "basics", "notebook": "scores"}
    where["db_url"] = f"sqlite:///{clerk.out / 'gradebook.db'}"
    resources = {"nbgrader": where, inside.WAITING: {"scores-check"}}
    before = clerk.marks()
    assert before["ada"]["scores-check"] == (None, True)
    SaveMarks().preprocess(as_node(inside.nbformat.reads(copy, as_version=4)), resources)
    assert clerk.marks() == before


def test_the_line_fits_nbgraders_own_settings(copied):
    config = Config()
    configure(config, copied)
    steps = config.Autograde.autograde_preprocessors
    assert steps[0] == "autograder.gradebook.inside.GradeInSandbox"
    assert config.GradeInSandbox.course == str(copied)
    assert CourseLatePolicy(config=config).late_submission_penalty("ada", 4.0, 9.0) is None


def test_a_changed_course_is_loaded_again(copied):
    opened = inside._grader(copied, True)
    assert inside._grader(copied, True) is opened
    os.utime(copied / "solutions" / "scores.py", ns=(1, 1))
    again = inside._grader(copied, True)
    assert again is not opened
    again.close()


def test_a_folder_without_a_course_is_named(tmp_path):
    with pytest.raises(
        UsageError, match=r"is not a course: name the folder that has problems/course.toml in it"
    ):
        inside._grader(tmp_path, True)
