"""A wrong function is looked at in the process that runs the notebook: that costs its other parts nothing."""

from __future__ import annotations

import pytest
import torch

from autograder.calls.requests_and_outcomes import Outcome
from autograder.course.load import load_course
from autograder.grade.explain_wrong import digest_of
from autograder.grade.submission import Grader
from autograder.notebook.build_notebooks import build_notebook
from autograder.notebook.fill import fill

PROBLEM = '''
from autograder import Code, Problem, case

def first(x):
    """Twice the cumulative sum.  x[T]  returns [T]"""

def second(x):
    """Its exponentials.  x[T]  returns [T]"""

problem = Problem(title="t", source="s", statement="s", parts=[
    Code(first, points=1, cases=[case("seen", T=5), case("unseen", T=6, hidden=True, hint="count")]),
    Code(second, points=1, cases=[case("seen", T=5), case("unseen", T=7, hidden=True, hint="count")]),
])
'''
FIRST = "def first(x):\n    return 2 * x.cumsum(0)"
SECOND = "def second(x):\n    return x.exp()"
WRONG = "seen = []\ndef first(x):\n    seen.append(x)\n    {deed}\n    return 3 * x.cumsum(0)"
ALLOCATES = "room = torch.empty(64 << 30, dtype=torch.uint8)"


@pytest.fixture
def grade(tmp_path, sandbox):
    for folder in ("problems", "solutions"):
        (tmp_path / folder).mkdir()
    (tmp_path / "problems" / "course.toml").write_text('[sets.a]\nproblems = ["p"]\n')
    (tmp_path / "problems" / "p.py").write_text(PROBLEM)
    (tmp_path / "solutions" / "p.py").write_text(f"{FIRST}\n{SECOND}\n")
    (tmp_path / "solutions" / "secret.txt").write_text("a secret of the test\n")
    course = load_course(tmp_path)
    runs = []

    def run(cells, requests, further=None, files=None):
        runs.append(sandbox.run(cells, requests, further=further, files=files))
        return runs[-1]

    def graded(first, second=SECOND):
        problem = course.problems["p"]
        grader = Grader(problem, course.solutions["p"], course.secret)
        data = fill(build_notebook(problem, "a", course.root), {"first": first, "second": second})
        runs.clear()
        return {report.part: report for report in grader.grade(data, "ada", run)}, [*runs]

    return graded


def test_one_process_answers_what_is_asked_of_a_wrong_function(grade):
    reports, runs = grade(WRONG.format(deed="pass"))
    assert (len(runs), runs[0].held, runs[0].restarts) == (1, False, 0)
    assert reports["first"].departs is not None
    assert reports["first"].smallest is not None
    assert reports["second"].verdict == "correct"


@pytest.mark.parametrize(
    "deed",
    [
        pytest.param("if len(x) == 1: import os; os._exit(3)", id="dies on a small case"),
        pytest.param("if len(x) == 1:\n        while True: pass", id="hangs on a small case"),
        pytest.param(f"if len(x) == 1: {ALLOCATES}", id="wants memory for a small case"),
        pytest.param(
            "if torch.overrides._get_current_function_mode(): raise SystemExit", id="sees the notes"
        ),
        pytest.param("if len(seen) > 1: import os; os._exit(3)", id="dies when it is asked again"),
    ],
)
def test_a_closer_look_that_ends_badly_costs_the_other_part_nothing(grade, deed):
    reports, _ = grade(WRONG.format(deed=deed))
    assert (reports["second"].verdict, reports["second"].score) == ("correct", 1)
    assert reports["first"].score == 0


def test_late_calls_that_meet_a_limit_after_a_closer_look_are_asked_in_a_run_of_their_own(grade):
    keeps = WRONG.format(deed="seen.append(torch.empty(200 << 20, dtype=torch.uint8))")
    takes = SECOND.replace(
        "return", "room = torch.empty((len(x) == 7) * 500 << 20, dtype=torch.uint8)\n    return"
    )
    reports, runs = grade(keeps, takes)
    assert [run.held for run in runs] == [True, False, False]
    assert reports["second"].verdict == "correct"


def test_what_small_cases_leave_behind_costs_the_other_part_nothing(grade):
    remembers = "lengths = []\ndef first(x):\n    lengths.append(len(x))\n    return 3 * x.cumsum(0)"
    goes_by_it = SECOND.replace("x.exp()", "x.exp() / (min(lengths, default=5) >= 5)")
    reports, runs = grade(remembers, goes_by_it)
    assert len(runs) == 2
    assert (reports["second"].verdict, reports["second"].score) == ("correct", 1)


def test_outcomes_have_one_digest_where_their_tensors_are_the_same_to_the_last_bit():
    x = torch.tensor([1.0, 2.0])
    others = [x + 2e-7, x.double(), x[None], x.bool(), x * 1j, x[0]]
    digests = [digest_of([Outcome("ok", (value,), "tensor", ("tensor",))]) for value in (x, *others)]
    assert digests[0] == digest_of([Outcome("ok", (x.clone(),), "tensor", ("tensor",))])
    assert len({*digests}) == len(digests)
