"""A made-up class of sixty inside nbgrader's own autograde: every mark is that of autograder grade."""

from __future__ import annotations

import csv

import pytest

from examples import large_class
from tests.conftest import ROOT
from tests.gradebook.commands import exported, rows, run

pytestmark = pytest.mark.e2e
STUDENTS, SET = 60, "transformers"


def test_nbgrader_autograde_gives_a_class_of_sixty_our_marks(tmp_path):
    theirs, out = tmp_path / "nbgrader", tmp_path / "out"
    large_class.write_files(large_class.make_files(STUDENTS), theirs / "submitted")
    run("autograder", "grade", theirs / "submitted", "--out", out, "--course", ROOT, cwd=tmp_path)
    (theirs / "nbgrader_config.py").write_text(
        f"from autograder.gradebook.nbgrader_config import configure; configure(get_config(), {str(ROOT)!r})\n"
    )
    run("nbgrader", "generate_assignment", SET, cwd=theirs)
    run("nbgrader", "autograde", SET, cwd=theirs)
    assert rows(theirs, SET) == rows(out, SET)
    with (out / "grades.csv").open() as file:
        ours = {row["student"]: float(row["total"]) for row in csv.DictReader(file)}
    assert len(ours) == STUDENTS
    assert {student: float(row["score"]) for student, row in exported(theirs).items()} == ours
    run("nbgrader", "generate_feedback", SET, cwd=theirs)
    assert {path.name for path in (theirs / "feedback").iterdir()} == set(ours)
