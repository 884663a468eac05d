"""The gradebook in a real PostgreSQL, which the tests start and stop themselves."""

from __future__ import annotations

import csv
import os
import subprocess
import sys
from pathlib import Path

import pytest
from nbgrader.api import Gradebook

from autograder.gradebook.gradebook_process import write_all
from autograder.gradebook.messages import Arrived, Message
from tests.conftest import SMALL
from tests.gradebook.conftest import RIGHT, Pipe, report

pytestmark = pytest.mark.e2e
BIN = Path(sys.executable).parent
CLASS = {
    "ada": {"scores": RIGHT, "axis": 'axis = "a"', "why": "Because weights are positive."},
    "boris": {"scores": RIGHT.replace("dim=1", "dim=0"), "axis": 'axis = "a"'},
    "chen": {},
}


def nbgrader(*arguments, cwd):
    environment = {**os.environ, "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"}
    command = [BIN / "nbgrader", *arguments]
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def grade(folder, postgres):
    command = [BIN / "autograder", "grade", "submitted", "--out", "out", "--course", SMALL, "--db", postgres]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_class_is_marked_in_postgresql_and_exported_by_nbgrader(postgres, notebook, tmp_path):
    for student, answers in CLASS.items():
        path = tmp_path / "submitted" / student / "basics" / "scores.ipynb"
        path.parent.mkdir(parents=True)
        path.write_bytes(notebook(**answers))
    assert "gradebook postgresql+psycopg://marker@/postgres" in grade(tmp_path, postgres)
    assert not (tmp_path / "out" / "gradebook.db").exists()
    with (tmp_path / "out" / "grades.csv").open() as file:
        ours = {row["student"]: float(row["total"]) for row in csv.DictReader(file)}
    assert ours == {"ada": 4, "boris": 1, "chen": 0}
    nbgrader("export", "--to", "marks.csv", cwd=tmp_path / "out")
    with (tmp_path / "out" / "marks.csv").open() as file:
        assert {row["student_id"]: float(row["score"]) for row in csv.DictReader(file)} == ours

    with Gradebook(postgres) as gradebook:
        grade_by_hand = gradebook.find_grade("why", "scores", "basics", "ada")
        assert grade_by_hand.needs_manual_grade
        grade_by_hand.manual_score, grade_by_hand.needs_manual_grade = 2, False
        gradebook.db.commit()
    (tmp_path / "submitted/boris/basics/scores.ipynb").write_bytes(notebook(**CLASS["ada"]))
    grade(tmp_path, postgres)
    with Gradebook(postgres) as gradebook:
        scores = {s.student.id: s.score for s in gradebook.assignment_submissions("basics")}
        assert scores == {"ada": 6, "boris": 4, "chen": 0}
        assert not gradebook.find_grade("why", "scores", "basics", "ada").needs_manual_grade


def test_a_thousand_reports_arrive_and_arrive_once(postgres, notebook, tmp_path):
    path = tmp_path / "scores.ipynb"
    path.write_bytes(notebook(**CLASS["ada"]))
    messages = [
        Message(arrived=Arrived(report(f"s{number}", scores=3.0, axis=number % 2, why=None), str(path)))
        for number in range(1000)
    ]
    for _ in range(2):
        assert write_all(Pipe(messages), SMALL, tmp_path, postgres, ["basics"]) == []
    with Gradebook(postgres) as gradebook:
        found = {s["student"]: s["score"] for s in gradebook.submission_dicts("basics")}
    assert {f"s{number}": 3.0 + number % 2 for number in range(1000)}.items() <= found.items()
