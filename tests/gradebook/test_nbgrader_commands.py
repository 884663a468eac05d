"""nbgrader's own commands on our gradebook, and our grading inside its autograde: the same marks everywhere."""

from __future__ import annotations

import csv
import json
import subprocess

import pytest
from nbgrader.api import Gradebook

from autograder.course.load import load_course
from autograder.notebook.build_notebooks import build_notebook, write_all
from autograder.notebook.fill import fill
from tests.gradebook.commands import BIN, exported, rows, run
from tests.gradebook.conftest import RIGHT

HALF = "def scores(q, k):\n    e = torch.exp(q @ k.T)\n    return e / e.sum(1, keepdim=True)"
CLASS = {
    "ada": {"scores": RIGHT, "axis": 'axis = "a"', "why": "Because weights are positive."},
    "boris": {"scores": RIGHT.replace("dim=1", "dim=0"), "axis": 'axis = "b"'},
    "chen": {"scores": HALF, "why": "  "},
    "dana": {"scores": "import sys\nprint('warning', file=sys.stderr)\n" + RIGHT},
    "emil": {},
}


@pytest.fixture
def course(copied):
    """The small course with its notebooks built, and its sets due before the class hands in."""
    index = copied / "problems" / "course.toml"
    late = 'due = 2026-11-01T12:00:00Z\n[late]\nrule = "per_day"\npercent = 50\n'
    index.write_text(index.read_text() + late)
    write_all(load_course(copied, solutions=False))
    return copied


@pytest.fixture
def submitted(course, tmp_path):
    """A class with a late student, a corrupt file, and a notebook whose check cells were deleted."""
    problem = load_course(course, solutions=False).problems["scores"]
    stub = build_notebook(problem, "basics", course)
    folder = tmp_path / "nbgrader" / "submitted"

    def hand_in(student, data):
        path = folder / student / "basics" / "scores.ipynb"
        path.parent.mkdir(parents=True)
        path.write_bytes(data)

    for student, answers in CLASS.items():
        hand_in(student, fill(stub, answers))
    (folder / "chen" / "basics" / "timestamp.txt").write_text("2026-11-01 18:00:00.000000 UTC")
    hand_in("fatima", b"{")
    notebook = json.loads(fill(stub, CLASS["ada"]))
    notebook["cells"] = [cell for cell in notebook["cells"] if not cell["id"].endswith("-check")]
    notebook["cells"].append({"cell_type": "code", "metadata": {"nbgrader": {"grade": True}}, "source": ""})
    hand_in("goran", json.dumps(notebook).encode())
    return folder


def test_the_same_marks_wherever_the_class_is_graded(course, submitted, tmp_path):
    out, theirs = tmp_path / "out", submitted.parent
    run("autograder", "grade", submitted, "--out", out, "--course", course, "--workers", "1", cwd=tmp_path)
    with (out / "grades.csv").open() as file:
        ours = {row["student"]: float(row["total"]) for row in csv.DictReader(file)}
    assert ours == {"ada": 4, "boris": 0, "chen": 1.5, "dana": 3, "emil": 0, "fatima": 0, "goran": 4}

    export = exported(out)
    assert {student: float(row["raw_score"]) for student, row in export.items()} == ours
    assert {student: float(row["score"]) for student, row in export.items()} == {**ours, "chen": 0.75}

    (theirs / "nbgrader_config.py").write_text(
        f"from autograder.gradebook.nbgrader_config import configure\n\nconfigure(get_config(), {str(course)!r})\n"
    )
    run("nbgrader", "generate_assignment", "basics", cwd=theirs)
    with Gradebook(f"sqlite:///{theirs / 'gradebook.db'}") as gradebook:
        gradebook.update_or_create_assignment("basics", duedate="2026-11-01 12:00:00 UTC")
    done = run("nbgrader", "autograde", "basics", cwd=theirs)
    assert "Traceback" not in done.stderr
    assert rows(theirs, "basics") == rows(out, "basics")
    assert {s: (r["score"], r["timestamp"]) for s, r in exported(theirs).items()} == {
        s: (r["score"], r["timestamp"]) for s, r in export.items()
    }

    for folder, name in ((theirs, "feedback"), (out, "nbgrader_feedback")):
        run("nbgrader", "generate_feedback", "basics", cwd=folder)
        for student in ours:
            page = (folder / name / student / "basics" / "scores.html").read_text()
            assert "points" in page
        assert "Score: 0.75" in (folder / name / "chen" / "basics" / "scores.html").read_text()
    assert "waits for a person" in (out / "feedback" / "ada" / "basics" / "scores.html").read_text()


def test_a_gradebook_that_cannot_be_used_stops_the_run_with_one_sentence(course, submitted, tmp_path):
    command = [BIN / "autograder", "grade", submitted, "--out", tmp_path / "out", "--course", course]
    done = subprocess.run(
        [*map(str, command), "--db", "sqlite:////nowhere/marks.db"],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    assert "the gradebook /nowhere/marks.db cannot be used: unable to open database file" in done.stderr
    assert "Traceback" not in done.stderr


def test_no_gradebook_is_written_where_none_is_wanted(course, submitted, tmp_path):
    run(
        *("autograder", "grade", submitted, "--out", tmp_path / "out", "--course", course),
        *("--workers", "1", "--no-gradebook"),
        cwd=tmp_path,
    )
    written = {path.name for path in (tmp_path / "out").iterdir()}
    assert "grades.csv" in written
    assert not written & {"gradebook.db", "autograded", "nbgrader_config.py"}
