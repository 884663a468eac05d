"""The pieces that nbgrader calls: a part that a person should look at, and a course that changes meanwhile."""

from __future__ import annotations

import os

import pytest
from traitlets.config import Config

from autograder.errors import UsageError
from autograder.gradebook import nbgrader_autograde
from autograder.gradebook.nbgrader_autograde import CourseLatePolicy, SaveMarks, as_node
from autograder.gradebook.nbgrader_config import configure
from tests.gradebook.conftest import report


def test_a_check_cell_that_waits_for_a_person_has_no_score(clerk):
    graded = report("ada", scores=None, axis=1.0)
    clerk.hand_in(graded, axis='axis = "a"')
    clerk.write()
    copy = (clerk.out / "autograded/ada/basics/scores.ipynb").read_bytes()
    where = {"student": "ada", "assignment": "basics", "notebook": "scores"}
    where["db_url"] = f"sqlite:///{clerk.out / 'gradebook.db'}"
    resources = {"nbgrader": where, nbgrader_autograde.WAITING: {"scores-check"}}
    before = clerk.marks()
    assert before["ada"]["scores-check"] == (None, True)
    SaveMarks().preprocess(as_node(nbgrader_autograde.nbformat.reads(copy, as_version=4)), resources)
    assert clerk.marks() == before


def test_the_line_fits_nbgraders_own_settings(copied):
    config = Config()
    configure(config, copied)
    steps = config.Autograde.autograde_preprocessors
    assert steps[0] == "autograder.gradebook.nbgrader_autograde.GradeInSandbox"
    assert config.GradeInSandbox.course == str(copied)
    assert CourseLatePolicy(config=config).late_submission_penalty("ada", 4.0, 9.0) is None


def test_a_changed_course_is_loaded_again(copied):
    opened = nbgrader_autograde._grader(copied, True)
    assert nbgrader_autograde._grader(copied, True) is opened
    os.utime(copied / "solutions" / "scores.py", ns=(1, 1))
    again = nbgrader_autograde._grader(copied, True)
    assert again is not opened
    again.close()


def test_a_folder_without_a_course_is_named(tmp_path):
    with pytest.raises(
        UsageError, match=r"is not a course: name the folder that has problems/course.toml in it"
    ):
        nbgrader_autograde._grader(tmp_path, True)
