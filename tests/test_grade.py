"""Grading end to end: a notebook's bytes in, a row for every part out, through the real sandbox."""

from __future__ import annotations

import pytest

from autograder.grade import Grader
from autograder.verdict import Status

RIGHT = "def scores(q, k):\n    return torch.softmax(q @ k.T, dim=1)"


@pytest.fixture
def grade(small, sandbox):
    grader = Grader(small.problems["scores"], small.solutions["scores"], small.secret)

    def run(data, student="ada"):
        return {report.part: report for report in grader.grade(data, student, sandbox.run)}

    return run


def test_right_answers_earn_full_marks(grade, notebook):
    reports = grade(notebook(scores=RIGHT, axis='axis = "A"', why="They are weights."))
    assert [(r.score, r.status) for r in reports.values()] == [
        (3, Status.GRADED),
        (1, Status.GRADED),
        (0, Status.MANUAL),
    ]
    assert reports["scores"].feedback == "all 3 cases pass"


def test_an_untouched_notebook_earns_nothing_and_says_so(grade, notebook):
    for report in grade(notebook()).values():
        assert (report.score, report.status) == (0, Status.UNCHANGED)
        assert report.feedback.startswith("not answered yet")


@pytest.mark.parametrize(
    "source",
    [
        RIGHT,
        "import torch.nn.functional as F\ndef scores(q, k): return F.softmax(torch.einsum('id,jd->ij', q, k), -1)",
        "def scores(q, k):\n    out = (q.double() @ k.double().T).softmax(1)\n    return out.to(q.dtype)",
        "import numpy as np\ndef scores(q, k):\n    s = q.detach().numpy() @ k.detach().numpy().T\n"
        "    e = np.exp(s - s.max(1, keepdims=True))\n    return torch.from_numpy(e / e.sum(1, keepdims=True))",
        "import numpy as np\ndef scores(q, k):\n    s = q.numpy() @ k.numpy().T\n"
        "    e = np.exp(s - s.max(1, keepdims=True))\n    return torch.from_numpy(e / e.sum(1, keepdims=True))",
        "def scores(q, k): return torch.softmax(k @ q.T, 0).T",
        "def scores(q, k): return torch.softmax(q @ k.T, 1).requires_grad_()"
        " if not q.requires_grad else torch.softmax(q @ k.T, 1)",
        "scores = lambda q, k: torch.softmax(q @ k.T, 1)",
        "class S(torch.nn.Module):\n    def forward(self, q, k): return torch.softmax(q @ k.T, 1)\nscores = S()",
        "import warnings, sys\nwarnings.warn('x')\nprint('y', file=sys.stderr)\n" + RIGHT,
        "%matplotlib inline\n!ls\nimport matplotlib.pyplot as plt\nplt.plot([1]); plt.show()\n" + RIGHT,
    ],
    ids=[
        *("plain", "einsum", "double-inside", "numpy-inside", "numpy-without-detach", "non-contiguous"),
        *("requires-grad", "lambda", "module", "warnings", "magics-and-plots"),
    ],
)
def test_a_right_answer_in_any_style_earns_full_marks(grade, notebook, source):
    report = grade(notebook(scores=source))["scores"]
    assert report.score == 3, report.feedback


def delete_check(cells):
    del cells[4]


def rename_cell(cells):
    cells[3]["metadata"]["nbgrader"]["grade_id"] = "mine"
    cells[3]["id"] = "mine"


def strip_metadata(cells):
    for cell in cells:
        cell["metadata"] = {}


def add_cells(cells):
    cells.insert(3, {"cell_type": "code", "source": "x = 1 / 0", "metadata": {}})
    cells.append({"cell_type": "code", "source": "import sys; sys.exit()", "metadata": {}})


def duplicate_check(cells):
    cells.insert(5, dict(cells[4]))


def split_over_cells(cells):
    cells[3]["source"] = "def scores(q, k):\n    return rows(q @ k.T)"
    cells.append({"cell_type": "code", "source": "def rows(s):\n    return s.softmax(1)", "metadata": {}})


def delete_setup(cells):
    del cells[1]


def leftover_outputs(cells):
    cells[4]["outputs"] = [{"output_type": "stream", "name": "stdout", "text": "x" * 1000}]


def edit_check(cells):
    cells[4]["source"] = "assert True; print('3 of 3')"


@pytest.mark.parametrize(
    "edit",
    [
        *(delete_check, rename_cell, strip_metadata, add_cells, duplicate_check),
        *(split_over_cells, delete_setup, leftover_outputs, edit_check),
    ],
    ids=lambda edit: edit.__name__,
)
def test_a_changed_notebook_costs_no_mark_that_the_answer_deserves(grade, edited, edit):
    report = grade(edited(edit, scores=RIGHT))["scores"]
    assert report.score == 3, report.feedback


def test_a_known_mistake_is_named_however_it_is_written(grade, notebook):
    source = "def scores(q, k):\n    e = (q @ k.T - (q @ k.T).max(0).values).exp()\n    return e / e.sum(0)"
    report = grade(notebook(scores=source))["scores"]
    assert (report.score, report.mistake) == (0, "softmax_over_queries")
    assert report.feedback.startswith("your softmax runs over the queries")
    assert "gradients: fails as well: mend the slip above first" in report.feedback


def test_an_overflow_costs_its_share_only(grade, notebook):
    source = "def scores(q, k):\n    e = (q @ k.T).exp()\n    return e / e.sum(1, keepdim=True)"
    report = grade(notebook(scores=source))["scores"]
    assert (report.score, report.verdict, report.mistake) == (1.5, "partial", "softmax_overflows")
    assert "large logits: subtract the maximum" in report.feedback


def test_a_structural_slip_is_recognised_without_being_listed(grade, notebook):
    report = grade(notebook(scores="def scores(q, k): return torch.softmax(q @ k.T, 1).T"))["scores"]
    assert report.mistake == "transposed"


def test_hidden_cases_never_show_values(grade, notebook):
    source = "def scores(q, k):\n    if q.shape != (2, 3): raise ValueError(f'leak {q}')\n    return torch.softmax(q @ k.T, 1)"
    report = grade(notebook(scores=source))["scores"]
    assert "leak" not in report.feedback
    assert "raised ValueError" in report.feedback


@pytest.mark.parametrize(
    ("source", "status", "words"),
    [
        ("def scores(q, k)\n    return q", Status.CRASHED, "SyntaxError"),
        ("def score(q, k): return q", Status.MISSING, "no cell defines scores: keep the name"),
        ("def scores(q, k): return undefined", Status.CRASHED, "raised NameError"),
        ("def scores(q): return q", Status.CRASHED, "raised TypeError"),
        ("def scores(q, k): raise NotImplementedError", Status.UNCHANGED, "not answered yet"),
        ("def scores(q, k): print(q)", Status.GRADED, "got None: does the function end with return?"),
        ("def scores(q, k): return (q @ k.T).softmax(1).numpy()", Status.GRADED, "got a numpy array"),
        ("def scores(q, k): return torch.zeros(())", Status.GRADED, "expected shape [2, 5], got []"),
        (
            "def scores(q, k): return (q @ k.T).softmax(1).double()",
            Status.GRADED,
            "expected float32, got float64",
        ),
        ("import os\ndef scores(q, k): os._exit(0)", Status.KILLED, "process"),
        ("scores = 3", Status.GRADED, "not a function"),
    ],
    ids=[
        *("syntax", "renamed", "name-error", "arguments", "not-implemented", "printed"),
        *("numpy", "broadcastable", "dtype", "exit", "not-callable"),
    ],
)
def test_what_became_of_a_part_is_said(grade, notebook, source, status, words):
    report = grade(notebook(scores=source, axis='axis = "a"'))
    assert report["scores"].score == 0
    assert report["scores"].status == status
    assert words in report["scores"].feedback
    assert report["axis"].score == 1


def test_a_function_that_changes_its_input_is_told(grade, notebook):
    source = "def scores(q, k):\n    out = torch.softmax(q @ k.T, 1)\n    q.data.zero_()\n    return out"
    report = grade(notebook(scores=source))["scores"]
    assert report.score == 0
    assert "changed its input q: work on a copy" in report.feedback
    assert report.mistake == "changes_its_input"


def test_a_function_that_remembers_is_told(grade, notebook):
    source = (
        "n = 0\ndef scores(q, k):\n    global n\n    n += 1\n    return torch.softmax(q @ k.T, 1) + (n > 3)"
    )
    report = grade(notebook(scores=source))["scores"]
    assert report.score == 0
    assert "called again on the same input" in report.feedback
    assert report.mistake == "depends_on_earlier_calls"


def test_wrong_gradients_cost_marks_where_gradients_flow(grade, notebook):
    source = "def scores(q, k): return torch.softmax(q @ k.detach().T, 1)"
    report = grade(notebook(scores=source))["scores"]
    assert report.score == 0
    assert "gradients: keep to torch operations" in report.feedback


@pytest.mark.parametrize("data", [b"", b"{", b"\xff", b'{"nbformat": 4, "cells": 3}'], ids=str)
def test_an_unreadable_file_has_a_row_for_every_part(grade, data):
    reports = grade(data)
    assert list(reports) == ["scores", "axis", "why"]
    assert {report.status for report in reports.values()} == {Status.UNREADABLE}


def test_the_same_submission_gives_the_same_report(grade, notebook):
    data = notebook(scores="def scores(q, k): return torch.rand(q.shape[0], k.shape[0])")
    assert grade(data) == grade(data)


def test_students_have_hidden_inputs_of_their_own(small):
    from autograder.expect import plan

    problem = small.problems["scores"]
    part = problem.part("scores")
    ada, boris = (plan(problem, part, small.secret, student) for student in ("ada", "boris"))
    assert ada[0].arguments[0].equal(boris[0].arguments[0])
    assert not ada[1].arguments[0].equal(boris[1].arguments[0])


def test_a_mistake_is_named_though_a_second_slip_spoils_the_stability_case(grade, notebook):
    source = "def scores(q, k):\n    e = (q @ k.T).exp()\n    return e / e.sum(0)"
    report = grade(notebook(scores=source))["scores"]
    assert (report.score, report.mistake) == (0, "softmax_over_queries")
