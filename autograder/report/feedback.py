"""A report and the notebook it is about become the page that a student reads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from autograder.errors import AnswerError
from autograder.model import Part, Problem, Prose
from autograder.notebook import cells as stubs
from autograder.notebook.submitted import Submission, read_submission
from autograder.report.page import render
from autograder.verdict import Status

MAX_SHOWN = 20_000  # characters of one cell

LABELS = {
    Status.MANUAL: "to be read",
    Status.MISSING: "missing",
    Status.UNCHANGED: "not answered",
    Status.CRASHED: "crashed",
    Status.TIMED_OUT: "out of time",
    Status.KILLED: "stopped",
    Status.UNREADABLE: "unreadable",
}


def render_feedback(problem: Problem, report: Mapping[str, Any], data: bytes, *, isolation: bool) -> str:
    """The feedback page of one notebook."""
    try:
        submission = read_submission(data)
    except AnswerError:
        submission = Submission(())
    parts = [_part(problem.part(part["part"]), part, submission) for part in report["parts"]]
    shown = {source for part in parts for source in part["sources"]}
    return render(
        "feedback.html",
        title=f"{problem.title}: feedback for {report['student']}",
        isolation=isolation,
        problem=problem,
        report=report,
        parts=parts,
        score=sum(part["score"] for part in parts),
        max_score=sum(part["max_score"] for part in parts),
        waiting=sum(part["max_score"] for part in parts if part["status"] == Status.MANUAL),
        others=[text for cell in submission.cells if (text := _other(cell, problem)) and text not in shown],
    )


def _part(part: Part, fields: Mapping[str, Any], submission: Submission) -> dict[str, Any]:
    label, colour = badge(fields)
    headline = "" if fields["verdict"] == "correct" else fields["feedback"].split("\n")[0]
    sources = [
        cell.source[:MAX_SHOWN]
        for cell in submission.cells
        if cell.grade_id == part.name or part.name in cell.names
    ]
    kind = "prose" if isinstance(part, Prose) else "other"
    return {
        **fields,
        "label": label,
        "colour": colour,
        "headline": headline,
        "sources": sources,
        "kind": kind,
    }


def badge(fields: Mapping[str, Any]) -> tuple[str, str]:
    """The word and the colour that sum a part up."""
    if fields["status"] != Status.GRADED:
        status = Status(fields["status"])
        return LABELS[status], "wait" if status is Status.MANUAL else "wrong"
    if fields["score"] >= fields["max_score"]:
        return "right", "right"
    return ("partly right", "part") if fields["score"] > 0 else ("wrong", "wrong")


def _other(cell: Any, problem: Problem) -> str:
    ours = {stubs.SETUP_ID, stubs.SUMMARY_ID, stubs.STATEMENT_ID}
    ours |= {
        f"{part.name}{end}" for part in problem.parts for end in (stubs.ASK_SUFFIX, stubs.CHECK_SUFFIX, "")
    }
    return "" if cell.grade_id in ours or cell.kind != "code" else cell.source[:MAX_SHOWN].strip()
