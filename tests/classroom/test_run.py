"""Grading a class: results on disk, resumed, regraded, and the same whatever the number of workers."""

from __future__ import annotations

import json

import pytest

from autograder.classroom.find import find_handins
from autograder.classroom.run import Settings, grade_class
from autograder.course import load_course
from autograder.report.overview import without_timings

RIGHT = "def scores(q, k):\n    return torch.softmax(q @ k.T, dim=1)"
ANSWERS = {
    "ada": {"scores": RIGHT, "axis": 'axis = "a"', "why": "Because <b>weights</b>."},
    "boris": {"scores": RIGHT.replace("dim=1", "dim=0"), "axis": 'axis = "b"'},
    "chen": {},
    "dana": {"scores": "def scores(q, k): return 1 / 0"},
}


@pytest.fixture
def submitted(tmp_path, notebook):
    folder = tmp_path / "submitted"
    for student, answers in ANSWERS.items():
        path = folder / student / "basics" / "scores.ipynb"
        path.parent.mkdir(parents=True)
        path.write_bytes(notebook(**answers))
    (folder / "emil" / "basics").mkdir(parents=True)
    (folder / "emil" / "basics" / "scores.ipynb").write_bytes(b"{")
    return folder


def run(course, submitted, out, **options):
    seen = []
    found = find_handins(submitted, course)
    outcome = grade_class(course, found, Settings(out, **options), seen.append)
    return outcome, seen


def test_everything_a_course_needs_is_written(small, submitted, tmp_path):
    out = tmp_path / "out"
    outcome, seen = run(small, submitted, out)
    assert (outcome.graded, len(seen)) == (5, 5)
    rows = [json.loads(line) for line in (out / "results.jsonl").read_text().splitlines()]
    assert len(rows) == 15
    assert list(rows[0]) == [
        *(
            "student",
            "set",
            "problem",
            "part",
            "score",
            "max_score",
            "status",
            "verdict",
            "mistake",
            "feedback",
        )
    ]
    assert {row["student"]: row["mistake"] for row in rows if row["part"] == "scores"} == {
        "ada": None,
        "boris": "softmax_over_queries",
        "chen": None,
        "dana": None,
        "emil": None,
    }
    assert (out / "grades.csv").read_text() == (
        "student,basics/scores,total\nada,4,4\nboris,0,0\nchen,0,0\ndana,0,0\nemil,0,0\n"
    )
    assert "Because &lt;b&gt;weights" in (out / "feedback/ada/basics/scores.html").read_text()
    assert "A small course" in (out / "report.html").read_text()


def test_feedback_shows_no_reference_and_no_hidden_value(small, submitted, tmp_path):
    run(small, submitted, tmp_path / "out")
    for page in (tmp_path / "out" / "feedback").rglob("*.html"):
        text = page.read_text()
        assert "_products" not in text
        assert "a secret for tests" not in text


def test_a_second_run_grades_only_what_changed(small, submitted, tmp_path, notebook):
    out = tmp_path / "out"
    run(small, submitted, out)
    assert run(small, submitted, out)[0].graded == 0
    (submitted / "dana/basics/scores.ipynb").write_bytes(notebook(scores=RIGHT))
    _, seen = run(small, submitted, out)
    assert [report["student"] for report in seen] == ["dana"]
    assert "dana,3,3" in (out / "grades.csv").read_text()
    assert run(small, submitted, out, regrade=True)[0].graded == 5


def test_a_changed_key_grades_again(copied, submitted, tmp_path):
    out = tmp_path / "out"
    run(load_course(copied), submitted, out)
    solution = copied / "solutions" / "scores.py"
    solution.write_text(
        solution.read_text().replace('axis = "a"', 'axis = "b"').replace('"queries", "b"', '"queries", "a"')
    )
    assert run(load_course(copied), submitted, out)[0].graded == 5
    assert "boris,1,1" in (out / "grades.csv").read_text()


def test_results_do_not_depend_on_the_number_of_workers(small, submitted, tmp_path):
    for workers in (1, 2):
        run(small, submitted, tmp_path / str(workers), workers=workers)
    for name in ("results.jsonl", "grades.csv", "feedback/boris/basics/scores.html"):
        assert (tmp_path / "1" / name).read_bytes() == (tmp_path / "2" / name).read_bytes()
    # The class report is the same but for its list of the slowest notebooks, which has measured times.
    one, two = (without_timings((tmp_path / n / "report.html").read_text()) for n in ("1", "2"))
    assert one == two


def test_grading_without_isolation_heads_every_page_with_a_warning(small, submitted, tmp_path):
    run(small, submitted, tmp_path / "out", isolation=False)
    for name in ("report.html", "feedback/ada/basics/scores.html"):
        assert "Graded without isolation" in (tmp_path / "out" / name).read_text()
