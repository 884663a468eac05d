"""A part that is asked again with an earlier one's right values, where the machine gets in the way."""

from __future__ import annotations

from dataclasses import replace

from autograder.calls.requests_and_outcomes import Outcome, Talk
from autograder.course.load import load_course
from autograder.grade.submission import Grader
from autograder.notebook.build_notebooks import build_notebook
from autograder.notebook.fill import fill
from tests.conftest import ROOT


def test_a_machine_that_keeps_the_reference_from_standing_in_takes_no_mark(sandbox):
    course = load_course(ROOT / "examples" / "courses" / "language_models")
    problem = course.problems["layers"]
    answers = {
        "rotated": "def rotated(x, positions):\n    return x",
        "rotary_scores": "def rotary_scores(q, k, positions):\n"
        "    return rotated(q, positions) @ rotated(k, positions).mT",
    }
    data = fill(build_notebook(problem, "sheet", course.root), answers)
    grader = Grader(problem, course.solutions["layers"], course.secret)

    def disturbed(cells, requests, **options):
        if all(isinstance(request, Talk) and request.part == "rotary_scores" for request in requests):
            done = sandbox.run(cells, requests, **options)
            machine = Outcome("machine", error="the machine did not let it run", limit="machine")
            return replace(done, outcomes=(machine, *done.outcomes[1:]))
        return sandbox.run(cells, requests, **options)

    quiet, kept = (
        {report.part: report for report in grader.grade(data, "ada", run)}["rotary_scores"]
        for run in (sandbox.run, disturbed)
    )
    assert quiet.score == quiet.max_score
    assert (kept.status, kept.machine) == ("manual", True)
