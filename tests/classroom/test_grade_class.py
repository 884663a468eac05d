"""Grading a class: results on disk, resumed, regraded, and the same whatever the number of workers."""

from __future__ import annotations

import json
import shutil

import pytest

from autograder.classroom.find_hand_ins import find_handins
from autograder.classroom.grade_class import grade_class
from autograder.classroom.settings_and_outcome import Settings
from autograder.course.load import load_course
from tests.pages.classes import without_timings

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
    assert [report.student for report in seen] == ["dana"]
    assert "dana,3,3" in (out / "grades.csv").read_text()
    assert run(small, submitted, out, regrade=True)[0].graded == 5


def test_a_changed_key_grades_again(copied, submitted, tmp_path):
    out = tmp_path / "out"
    run(load_course(copied), submitted, out)
    solution = copied / "solutions" / "scores.py"
    solution.write_text(
        solution.read_text().replace('axis = "a"', 'axis = "b"').replace('"queries", "b"', '"queries", "a"')
    )
    outcome, _ = run(load_course(copied), submitted, out)
    assert outcome.graded == 5
    assert "boris,1,1" in (out / "grades.csv").read_text()
    assert [(move.student, move.was, move.now, move.reasons) for move in outcome.moves] == [
        ("ada", 4, 3, ("axis: 1 → 0, correct → wrong (queries)",)),
        ("boris", 0, 1, ("axis: 0 → 1, wrong (queries) → correct",)),
    ]
    assert run(load_course(copied), submitted, out, regrade=True)[0].moves == ()


def test_other_limits_grade_again(small, submitted, tmp_path):
    run(small, submitted, tmp_path / "out")
    assert run(small, submitted, tmp_path / "out", limits={"call_seconds": 9})[0].graded == 5


def test_a_zip_is_graded_like_the_folder_it_holds(small, submitted, tmp_path):
    run(small, submitted, tmp_path / "folder")
    (submitted / "ada/basics/timestamp.txt").write_text("2026-02-02 15:58:23 UTC")
    (submitted / "zeno/basics").mkdir(parents=True)
    (submitted / "zeno/basics/scores.ipynb").write_bytes(b"x" * 70 * 2**20)
    shutil.make_archive(str(tmp_path / "class"), "zip", submitted)
    outcome, _ = run(small, tmp_path / "class.zip", tmp_path / "zip")
    expected = (tmp_path / "folder" / "results.jsonl").read_text()
    found = (tmp_path / "zip" / "results.jsonl").read_text()
    assert found.startswith(expected)
    (zeno,) = {row["feedback"] for row in map(json.loads, found[len(expected) :].splitlines())}
    assert zeno.startswith(
        "the notebook has 70 MB beside its outputs; 64 MB of text and pictures can be read"
    )
    laid_out = tmp_path / "zip" / "unpacked" / "ada" / "basics"
    assert (laid_out / "timestamp.txt").read_text() == "2026-02-02 15:58:23.000000 UTC\n"
    assert run(small, tmp_path / "class.zip", tmp_path / "zip")[0].graded == 0
    outcome, _ = run(small, submitted, tmp_path / "folder")
    assert {p.status for p in outcome.reports[-1].parts} == {"unreadable"}


def test_what_was_skipped_is_listed(small, submitted, tmp_path):
    (submitted / "ada/basics/notes.txt").write_text("")
    run(small, submitted, tmp_path / "out")
    assert (tmp_path / "out" / "skipped.txt").read_text() == "ada/basics/notes.txt: not a notebook\n"


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
