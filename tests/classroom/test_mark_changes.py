"""Whose marks moved, and why."""

from __future__ import annotations

import pytest

from autograder.classroom.mark_changes import find_moves, read_rows
from autograder.grade.report import ResultRow, Status


def row(part="axis", score=0.0, verdict="wrong", mistake=None, status="graded", student="ada"):
    return ResultRow(student, "basics", "scores", part, score, 2, Status(status), verdict, mistake, "said")


@pytest.mark.parametrize(
    ("before", "after", "reasons"),
    [
        ([row()], [row()], None),
        ([], [row()], None),
        ([row()], [], None),
        ([row(student="boris")], [row()], None),
        ([row()], [row(score=1, verdict="correct")], ("axis: 0 → 1, wrong → correct",)),
        ([row()], [row(mistake="queries")], ("axis: 0 → 0, wrong → wrong (queries)",)),
        ([row(status="crashed")], [row()], ("axis: 0 → 0, crashed → wrong",)),
        ([row()], [row(), row("why", 2, "correct")], ("why: new → 2, correct",)),
        ([row(), row("why", 2)], [row()], ("why: 2 → no longer asked",)),
    ],
    ids=["same", "new", "gone", "another", "marks", "mistake", "status", "part-added", "part-removed"],
)
def test_a_move_is_a_change_of_a_notebook_graded_before(before, after, reasons):
    assert [move.reasons for move in find_moves(before, after)] == ([reasons] if reasons else [])


@pytest.mark.parametrize("text", ["", "{", "[]\n", '{"student": 1}\n'])
def test_results_that_are_not_ours_are_no_results(tmp_path, text):
    path = tmp_path / "results.jsonl"
    path.write_text(text)
    assert read_rows(path) == []
    assert read_rows(tmp_path / "nowhere") == []
