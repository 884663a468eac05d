"""A made-up class of sixty through every step: graded from a zip, regraded, exported, and read by nbgrader."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from examples import large_class
from tests.conftest import ROOT

pytestmark = pytest.mark.e2e
STUDENTS = 60


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sixty")
    large_class.write_files(large_class.make_files(STUDENTS, "canvas"), folder / "class.zip")
    done = autograder("grade", folder / "class.zip", "--out", folder / "out")
    assert done.returncode == 0, done.stderr
    return folder


def autograder(*arguments):
    command = [sys.executable, "-m", "autograder", *map(str, arguments), "--course", str(ROOT)]
    return subprocess.run(command, capture_output=True, text=True, timeout=1200)


def read_csv(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def totals(folder):
    return {row["student"]: float(row["total"]) for row in read_csv(folder / "out" / "grades.csv")}


def test_each_kind_of_student_gets_what_it_deserves(graded):
    marks = totals(graded)
    kinds = {f"{s.last}{s.first}".lower() + f"_{s.number}": s.kind for s in large_class.draw_class(STUDENTS)}
    assert set(marks) == set(kinds)
    most = {kind: max(marks[s] for s in kinds if kinds[s] == kind) for kind in large_class.KINDS}
    assert most["right"] == 24
    assert all(marks[student] in (10, 14, 24) for student in kinds if kinds[student] == "right")
    assert most["corrupt"] == most["untouched"] == most["looping"] == 0
    rows = [json.loads(line) for line in (graded / "out" / "results.jsonl").read_text().splitlines()]
    cheats = {row["score"] for row in rows if kinds[row["student"]] == "cheating" and "self" in row["part"]}
    assert cheats == {0}
    assert {"crashed", "timed_out", "unreadable", "unchanged"} <= {row["status"] for row in rows}


def test_a_regrade_moves_nobody_and_an_unchanged_class_is_not_graded(graded):
    before = (graded / "out" / "results.jsonl").read_bytes()
    done = autograder("grade", graded / "class.zip", "--out", graded / "out")
    assert ", 0 graded now" in done.stdout
    done = autograder("grade", graded / "class.zip", "--out", graded / "out", "--regrade")
    assert "have other results" not in done.stdout
    assert (graded / "out" / "results.jsonl").read_bytes() == before


def test_exports_have_the_marks_of_the_class(graded):
    for platform in ("csv", "canvas", "moodle", "gradescope"):
        done = autograder("export", graded / "out", "--to", platform)
        assert done.returncode == 0, done.stderr
    marks = totals(graded)
    plain = {row["student"]: float(row["total"]) for row in read_csv(graded / "out" / "export-csv.csv")}
    assert plain == marks
    canvas = read_csv(graded / "out" / "export-canvas.csv")
    assert {f"{r['Student']}_{r['ID']}": float(r["Transformers"]) for r in canvas[1:]} == marks
    moodle = read_csv(graded / "out" / "export-moodle.csv")
    assert sorted(float(row["Grade"]) for row in moodle) == sorted(marks.values())
    results = (graded / "out" / "gradescope").rglob("results.json")
    assert {p.parent.parent.name: json.loads(p.read_text())["score"] for p in results} == marks


def test_nbgrader_exports_the_same_marks(graded):
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    done = subprocess.run(
        [sys.executable, "-m", "nbgrader", "export", "--to", "marks.csv"],
        cwd=graded / "out",
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    rows = read_csv(graded / "out" / "marks.csv")
    assert {row["student_id"]: float(row["score"]) for row in rows} == totals(graded)
