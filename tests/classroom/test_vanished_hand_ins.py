"""Who is taken out of the submissions leaves the results; other homework in the same folder stays."""

from __future__ import annotations

from autograder.classroom.vanished_hand_ins import find_leftovers, remove_files, told_leftovers
from autograder.grade.report import ResultRow, Status


def put(out, *places):
    for place in places:
        (out / place).parent.mkdir(parents=True, exist_ok=True)
        (out / place).write_text("x")


def test_what_is_no_longer_handed_in_is_found_removed_and_named(tmp_path):
    put(
        tmp_path,
        "feedback/ada/basics/scores.html",
        "feedback/boris/basics/scores.html",
        "autograded/boris/basics/scores.ipynb",
        "autograded/boris/basics/timestamp.txt",
        "unpacked/boris/basics/scores.ipynb",
        "feedback/boris/earlier/first.html",
    )
    rows = [
        ResultRow("chen", "basics", "scores", "axis", 1, 1, Status.GRADED, "correct", None, ""),
    ]
    present = {("ada", "basics", "scores")}
    gone = find_leftovers(tmp_path, rows, present)
    assert gone == (("boris", "basics", "scores"), ("chen", "basics", "scores"))
    remove_files(tmp_path, gone)
    left = sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file())
    assert left == ["feedback/ada/basics/scores.html", "feedback/boris/earlier/first.html"]
    assert not (tmp_path / "autograded" / "boris").exists()
    assert told_leftovers(gone, present) == [
        f"{who} is no longer among the submissions: removed from marks, gradebook, feedback and copies"
        for who in ("boris", "chen")
    ]


def test_one_problem_that_a_student_no_longer_hands_in_is_named(tmp_path):
    put(tmp_path, "feedback/ada/basics/scores.html", "feedback/ada/basics/other.html")
    present = {("ada", "basics", "scores")}
    gone = find_leftovers(tmp_path, [], present)
    assert told_leftovers(gone, present) == [
        "ada no longer hands in basics/other: removed from marks, feedback and copies"
    ]
