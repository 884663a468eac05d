"""Commands on a graded class: regrade and who moves, skipped files, exports, the report, a new problem."""

from __future__ import annotations

import csv
import json

import pytest

from tests.cli.test_commands import SMALL, autograder

RIGHT = "def scores(q, k):\n    return torch.softmax(q @ k.T, dim=1)"


@pytest.fixture
def graded(tmp_path, copied, notebook):
    """A folder with a class of two, graded by a copy of the small course."""
    for student, answers in {"ada": {"scores": RIGHT}, "boris": {"axis": 'axis = "b"'}}.items():
        path = tmp_path / "submitted" / student / "basics" / "scores.ipynb"
        path.parent.mkdir(parents=True)
        path.write_bytes(notebook(**answers))
    (tmp_path / "submitted" / "notes.txt").write_text("")
    done = autograder("grade", "submitted", "--out", "out", "--course", copied, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "skipped notes.txt: not a notebook" in done.stderr
    assert "grading: 2 of 2" in done.stderr
    return tmp_path


def test_a_mended_key_prints_who_moves_and_exports_have_the_marks(graded, copied):
    solution = copied / "solutions" / "scores.py"
    solution.write_text(
        solution.read_text().replace('axis = "a"', 'axis = "b"').replace('"queries", "b"', '"queries", "a"')
    )
    told = json.loads(autograder("report", "out", "--json", "--course", copied, cwd=graded).stdout)["notes"]
    assert told == [
        "2 of 2 notebooks were graded before the course was changed, or by another course: scores: "
        "for marks and words of today, run autograder grade again"
    ]
    done = autograder("grade", "submitted", "--out", "out", "--course", copied, cwd=graded)
    assert "1 of the notebooks graded before has other results" in done.stdout
    assert "boris\tbasics/scores\t0 → 1\t+1\taxis: 0 → 1, wrong (queries) → correct" in done.stdout
    for platform in ("csv", "canvas", "moodle"):
        done = autograder("export", "out", "--to", platform, "--course", copied, cwd=graded)
        assert (done.returncode, done.stdout) == (0, f"wrote out/export-{platform}.csv\n"), done.stderr
        with open(graded / "out" / f"export-{platform}.csv", newline="") as file:
            rows = list(csv.reader(file))
        assert "1" in next(row for row in rows if row[0] == "boris")
    done = autograder("export", "out", "--to", "gradescope", "--json", "--course", copied, cwd=graded)
    (_, boris) = json.loads(done.stdout)["written"]
    assert json.loads((graded / boris).read_text())["score"] == 1
    (graded / "out" / "report.html").unlink()
    done = autograder("report", "out", "--course", copied, cwd=graded)
    assert (done.returncode, done.stdout, done.stderr) == (0, "wrote out/report.html\n", "")
    assert (graded / "out" / "report.html").is_file()


def mark_by_hand(graded, student):
    from nbgrader.api import Gradebook

    with Gradebook(f"sqlite:///{graded / 'out' / 'gradebook.db'}", "default_course") as gradebook:
        grade = gradebook.find_grade("why", "scores", "basics", student)
        grade.manual_score, grade.needs_manual_grade = 1.5, False
        gradebook.db.commit()


def test_what_a_person_has_marked_waits_no_more(graded, copied, notebook):
    page = graded / "out" / "report.html"
    for student in ("ada", "boris"):
        path = graded / "submitted" / student / "basics" / "scores.ipynb"
        path.write_bytes(notebook(scores=RIGHT, why="Because."))
    command = ("grade", "submitted", "--out", "out", "--course", copied)
    done = autograder(*command, cwd=graded)
    assert "2 answers are for a person to mark: 2 scores.why" in done.stdout
    assert "2 answers wait to be read" in page.read_text()
    mark_by_hand(graded, "ada")
    for _ in range(2):  # the second time nothing has changed
        done = autograder(*command, cwd=graded)
        assert "1 answer is for a person to mark: 1 scores.why" in done.stdout
        assert "ada\tbasics/scores\t4.5 / 6\t2 graded, 1 not answered" in done.stdout
        assert "1 answer waits to be read" in page.read_text()
    mark_by_hand(graded, "boris")
    autograder("report", "out", "--course", copied, cwd=graded)
    assert "to be read" not in (by_command := page.read_text())
    assert "for a person to mark" not in autograder(*command, cwd=graded).stdout
    assert page.read_text() == by_command
    row = json.loads((graded / "out" / "results.jsonl").read_text().splitlines()[2])
    assert (row["part"], row["score"], row["status"]) == ("why", 0, "manual")


def test_a_persons_marks_are_exported(graded, copied):
    mark_by_hand(graded, "ada")
    for options, mark in (([], "4.5"), (["--no-gradebook"], "3")):
        autograder("export", "out", "--to", "csv", *options, "--course", copied, cwd=graded)
        assert f"ada,{mark},{mark}" in (graded / "out" / "export-csv.csv").read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["export", ".", "--to", "csv"], "has no results: run autograder grade"),
        (["report", "."], "has no results: run autograder grade"),
        (["new", "Bad-Name"], "then small letters, digits and underscores"),
    ],
    ids=["export", "report", "new"],
)
def test_wrong_usage_of_results_exits_2(tmp_path, arguments, message):
    done = autograder(*arguments, "--course", SMALL, cwd=tmp_path)
    assert done.returncode == 2
    assert message in done.stderr


def test_an_unknown_platform_exits_2(tmp_path):
    done = autograder("export", ".", "--to", "blackboard", "--course", SMALL, cwd=tmp_path)
    assert done.returncode == 2


def test_new_begins_a_course_and_says_what_to_do_next(tmp_path):
    done = autograder("new", "norms", "--kind", "choice", "--course", "fresh", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == (
        "fill in what says FILL IN, then: autograder build, autograder verify norms, pytest tests/test_norms.py"
    )
    rows = json.loads(autograder("list", "--json", cwd=tmp_path / "fresh").stdout)
    assert [(row["problem"], row["kind"]) for row in rows] == [("norms", "choice")]


def test_a_folder_that_cannot_be_made_is_told(tmp_path):
    (tmp_path / "submitted").mkdir()
    (tmp_path / "file").write_text("")
    done = autograder("grade", "submitted", "--out", "file/out", "--course", SMALL, cwd=tmp_path)
    assert done.returncode == 2
    assert "cannot write results to file/out: part of its path is a file, not a folder" in done.stderr
