"""Grading end to end: a notebook's bytes in, a row for every part out, through the real sandbox."""

from __future__ import annotations

import pytest

from autograder.calls.requests_and_outcomes import Outcome, RunResult
from autograder.grade import submission
from autograder.grade.explain_wrong import FEW
from autograder.grade.report import WAITS, Status
from autograder.grade.submission import Grader

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
        ("def scores(q, k): return (q @ k.T).softmax(1).tolist()", Status.GRADED, "got a list"),
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
        *("list", "broadcastable", "dtype", "exit", "not-callable"),
    ],
)
def test_what_became_of_a_part_is_said(grade, notebook, source, status, words):
    report = grade(notebook(scores=source, axis='axis = "a"'))
    assert report["scores"].score == 0
    assert report["scores"].status == status
    assert words in report["scores"].feedback
    assert report["axis"].score == 1


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (
            "def scores(q, k):\n    return torch.einsum(“id,jd->ij”, q, k)",
            "“ is a quotation mark of a text editor: type a straight one, \" or ' (line 2)\n"
            "    return torch.einsum(“id,jd->ij”, q, k)\n"
            "                        ^",
        ),
        (
            "\ufeffdef scores(q, k):\n    return q",
            "an invisible byte order mark was pasted here: delete it, and type a space where one is needed "
            "(line 1)\n    \ufeffdef scores(q, k):\n    ^",
        ),
        (
            "def scores(q, k):\n\tx = q\n        return x",
            "tabs and spaces are mixed in the indentation: indent every line with spaces alone, by fours "
            "(line 3)\n    return x",
        ),
        (
            "def scores(q, k):\n    x = q\n   return x",
            "unindent does not match any outer indentation level: indent what belongs together by the same four "
            "spaces (line 3)\n    return x",
        ),
        (
            "def scores(q, k)\n    return q",
            "SyntaxError: expected ':' (line 1)\n    def scores(q, k)\n                    ^",
        ),
    ],
    ids=["smart-quotes", "byte-order-mark", "tab", "unindent", "colon"],
)
def test_a_cell_that_is_no_python_gets_its_line_a_caret_and_the_fix(grade, notebook, source, said):
    report = grade(notebook(scores=source))["scores"]
    assert report.feedback == f"the cell stops before scores is defined: {said}"


def test_a_function_that_changes_its_input_is_told(grade, notebook):
    source = "def scores(q, k):\n    out = torch.softmax(q @ k.T, 1)\n    q.data.zero_()\n    return out"
    report = grade(notebook(scores=source))["scores"]
    assert report.score == 0
    assert "changes its input q: work on a copy" in report.feedback
    assert report.mistake == "changes_its_input"


def test_a_function_that_remembers_is_told(grade, notebook):
    source = (
        "n = 0\ndef scores(q, k):\n    global n\n    n += 1\n    return torch.softmax(q @ k.T, 1) + (n > 3)"
    )
    report = grade(notebook(scores=source))["scores"]
    assert report.score == 0
    assert "called again on the same input" in report.feedback
    assert report.mistake == "differs_from_call_to_call"


@pytest.mark.parametrize(
    "inside",
    [
        "torch.nn.functional.dropout(torch.softmax(q @ k.T, 1), 0.5)",
        "torch.softmax(torch.nn.Linear(q.shape[1], len(k))(q), 1)",
        "torch.softmax(torch.nn.RNN(q.shape[1], len(k))(q)[0], 1)",
        "torch.nn.Embedding(len(q), len(k)).weight",
        "torch.from_numpy(__import__('numpy').random.rand(len(q), len(k))).float()",
    ],
    ids=["dropout", "linear", "rnn", "embedding", "numpy"],
)
def test_chance_that_is_left_in_is_named(grade, notebook, inside):
    report = grade(notebook(scores=f"def scores(q, k): return {inside}"))["scores"]
    assert (report.score, report.mistake) == (0, "differs_from_call_to_call")
    assert report.feedback.startswith(
        "called again on the same input, the function gives another answer: something random is left in"
    )


def test_a_new_layer_whose_weights_are_replaced_is_as_right_as_any(grade, notebook):
    source = (
        "def scores(q, k):\n    layer = torch.nn.Linear(k.shape[1], k.shape[0], bias=False)\n"
        "    layer.weight = torch.nn.Parameter(k)\n    return torch.softmax(layer(q), 1)"
    )
    assert grade(notebook(scores=source))["scores"].score == 3


def test_a_crash_shows_the_line_of_a_visible_case_and_none_of_a_hidden_one(grade, notebook):
    source = "def scores(q, k):\n    s = q @ k.T\n    return softmax(s)"
    report = grade(notebook(scores=source))["scores"]
    assert "raised NameError: name 'softmax' is not defined (line 3: return softmax(s))" in report.feedback
    assert "large logits: raised NameError\n" in report.feedback


def test_wrong_gradients_cost_marks_where_gradients_flow(grade, notebook):
    source = "def scores(q, k): return torch.softmax((q + q.detach()) @ k.T / 2, 1)"
    report = grade(notebook(scores=source))["scores"]
    assert report.score == 0
    assert "gradients: the values are right, but the gradients are not" in report.feedback


@pytest.mark.parametrize(
    "inside",
    [
        "torch.softmax(q @ k.detach().T, 1)",
        "torch.softmax(q @ torch.nn.Parameter(k).T, 1)",
        "torch.softmax(torch.nn.Parameter(q) @ torch.nn.Parameter(k).T, 1)",
        "torch.from_numpy(torch.softmax(q @ k.T, 1).detach().numpy())",
    ],
    ids=["detached", "one-parameter", "parameters", "numpy"],
)
def test_where_no_gradient_flows_none_is_asked_for_whatever_cut_it(grade, notebook, inside):
    report = grade(notebook(scores=f"def scores(q, k): return {inside}"))["scores"]
    assert report.score == 3, report.feedback


@pytest.mark.parametrize("data", [b"", b"{", b"\xff", b'{"nbformat": 4, "cells": 3}'], ids=str)
def test_an_unreadable_file_has_a_row_for_every_part_waits_and_says_what_to_do(grade, data):
    reports = grade(data)
    assert list(reports) == ["scores", "axis", "why"]
    assert {report.status for report in reports.values()} == {Status.UNREADABLE}
    assert Status.UNREADABLE in WAITS
    for report in reports.values():
        assert report.feedback.endswith(
            "download it again from Jupyter (File, Download) and hand in the .ipynb; "
            "until then it waits for a person"
        )


def test_a_file_in_utf_16_loses_no_mark(grade, notebook):
    data = notebook(scores=RIGHT, axis='axis = "a"', why="Because.").decode().encode("utf-16")
    reports = grade(data)
    assert [report.score for report in reports.values()] == [3, 1, 0]
    assert reports["why"].status == Status.MANUAL


def test_answers_turned_into_text_are_marked(grade, edited):
    def turn(cells):
        for cell in cells:
            if cell["id"] in ("scores", "axis"):
                cell["cell_type"] = "markdown"
                cell.pop("outputs"), cell.pop("execution_count")

    reports = grade(edited(turn, scores=RIGHT, axis='axis = "a"'))
    assert (reports["scores"].score, reports["axis"].score) == (3, 1)


@pytest.mark.parametrize(
    ("source", "score", "status"),
    [
        ("axis = “a”", 1, Status.GRADED),
        ("axis = a", 0, Status.MANUAL),
        ("the keys, so (a)", 0, Status.MANUAL),
        ('axes = "a"', 0, Status.MANUAL),
        ("# one of a, b\naxis = ''", 0, Status.UNCHANGED),
        ("", 0, Status.MISSING),
    ],
    ids=["smart-quotes", "no-quotes", "words", "renamed", "empty", "emptied"],
)
def test_a_text_that_might_be_an_answer_waits_for_a_person(grade, notebook, source, score, status):
    report = grade(notebook(scores=RIGHT, axis=source))["axis"]
    assert (report.score, report.status) == (score, status)
    if status == Status.MANUAL:
        assert report.read_as == source
        assert report.feedback == (
            "no cell sets axis to text in quotes; what stands there waits for a person"
        )


def test_a_text_beside_an_untouched_stub_waits_for_a_person(grade, edited):
    def below(cells):
        where = next(n for n, cell in enumerate(cells) if cell["id"] == "axis")
        cells.insert(where + 1, {"cell_type": "markdown", "metadata": {}, "source": "(a), the keys"})

    report = grade(edited(below, scores=RIGHT))["axis"]
    assert (report.status, report.read_as) == (Status.MANUAL, "(a), the keys")


def test_the_same_submission_gives_the_same_report(grade, notebook):
    data = notebook(scores="def scores(q, k): return torch.rand(q.shape[0], k.shape[0])")
    assert grade(data) == grade(data)


def test_students_have_hidden_inputs_of_their_own(small):
    from autograder.calls.expected import plan

    problem = small.problems["scores"]
    part = problem.part("scores")
    ada, boris = (plan(problem, part, small.secret, student) for student in ("ada", "boris"))
    assert ada[0].arguments[0].equal(boris[0].arguments[0])
    assert not ada[1].arguments[0].equal(boris[1].arguments[0])


def test_a_mistake_is_named_though_a_second_slip_spoils_the_stability_case(grade, notebook):
    source = "def scores(q, k):\n    e = (q @ k.T).exp()\n    return e / e.sum(0)"
    report = grade(notebook(scores=source))["scores"]
    assert (report.score, report.mistake) == (0, "softmax_over_queries")


def test_what_the_machine_kept_from_running_waits_for_a_person(small, notebook):
    def run(cells, requests, further=None, files=None):
        disturbed = Outcome("machine", error="the machine did not let it run", limit="machine")
        return RunResult(tuple(disturbed for _ in requests), ())

    grader = Grader(small.problems["scores"], small.solutions["scores"], small.secret)
    reports = grader.grade(notebook(scores=RIGHT, axis='axis = "a"'), "ada", run)
    for report in reports[:2]:
        assert (report.status, report.score, report.machine) == ("manual", 0, True)
        assert report.feedback.startswith("not graded yet: the machine did not let it run")


def test_an_answer_that_the_judge_stumbles_over_is_logged_with_its_traceback(
    small, notebook, monkeypatch, caplog, sandbox
):
    monkeypatch.setattr(submission, "judge_code", lambda *args: 1 / 0)
    grader = Grader(small.problems["scores"], small.solutions["scores"], small.secret)
    report = grader.grade(notebook(scores=RIGHT), "ada", sandbox.run)[0]
    assert (report.status, report.score) == ("manual", 0)
    assert "the judge failed on an answer to scores" in caplog.text
    assert "ZeroDivisionError" in caplog.text


AWAY = "def scores(q, k):\n    s = q @ k.T\n    alpha = torch.softmax(s, dim=0)\n    return alpha"


def test_a_wrong_function_is_told_the_line_at_which_it_departs(grade, notebook):
    report = grade(notebook(scores=f"\n\n{AWAY}"))["scores"]
    assert report.departs is not None
    assert report.departs.line == 3
    assert report.feedback.split("\n")[0] == (
        "your softmax runs over the queries: it should run over the keys; "
        "line 3, `alpha = torch.softmax(s, dim=0)`, parts from a right solution: its columns sum to 1; in a right "
        "solution, the rows do"
    )
    assert (report.departs.axes, report.departs.case) == ("I × J", "more keys than queries")
    assert report.departs.shown.want != report.departs.shown.got


def test_without_a_recognised_mistake_the_line_is_told_first(grade, notebook):
    source = AWAY.replace("torch.softmax(s, dim=0)", "torch.softmax(s + 0.7 * s.cos(), dim=1)")
    report = grade(notebook(scores=source))["scores"]
    assert report.mistake is None
    assert report.feedback.startswith(
        "up to line 2, `s = q @ k.T`, your tensors are right; "
        "line 3, `alpha = torch.softmax(s + 0.7 * s.cos(), dim=1)`, parts from a right solution"
    )


def test_a_wrong_function_is_shown_a_case_that_can_be_worked_out_by_hand(grade, notebook):
    report = grade(notebook(scores=AWAY))["scores"]
    assert report.smallest is not None
    assert report.smallest.numbers <= 4
    assert [name for name, _ in report.smallest.given] == ["q", "k"]
    assert report.smallest.right != report.smallest.yours
    assert report.feedback.split("\n")[-1].startswith("a small case that shows it: for q = [[")


def test_a_function_that_stops_is_told_the_shapes_in_its_line(grade, notebook):
    source = (
        "def scores(q, k):\n    k = k[:-1]\n    s = torch.einsum('id,di->ij', q, k)\n    return s.softmax(1)"
    )
    report = grade(notebook(scores=source))["scores"]
    assert (report.status, report.departs.line, report.departs.stops) == (Status.CRASHED, 3, True)
    first = report.feedback.split("\n")[0]
    assert "it stops at line 3, `s = torch.einsum('id,di->ij', q, k)`, where `q` is [" in first
    assert "einsum asks for one length of " in first
    assert report.smallest is None


@pytest.mark.parametrize("lines", ["10**9", "-1", "float('nan')"])
def test_what_a_process_says_of_its_lines_is_checked(grade, notebook, lines):
    forged = (
        "import sys\nfor name in ('autograder.sandbox.inside.serve',):\n"
        f"    sys.modules[name].pack_notes = lambda notes: (torch.tensor([1, 800, 1, 0, {lines}, 0, 0]), "
        "torch.zeros(1).double(), '')\n"
    )
    report = grade(notebook(scores=f"{forged}{AWAY}"))["scores"]
    assert (report.status, report.score, report.departs) == (Status.GRADED, 0, None)


def test_a_right_function_is_called_no_more_than_before(small, sandbox, notebook):
    grader = Grader(small.problems["scores"], small.solutions["scores"], small.secret)
    results = []

    def run(cells, requests, further=None, files=None):
        results.append(sandbox.run(cells, requests, further=further))
        return results[-1]

    grader.grade(notebook(scores=RIGHT), "ada", run)
    assert [result.further for result in results] == [{}]
    grader.grade(notebook(scores=AWAY), "ada", run)
    assert len(results) == 2
    assert [request.noted for request in results[1].further if request.noted] == [2, 2]
    assert len(results[1].further) == 1 + FEW + 1
    assert not any(request.late for request in results[1].further)


def test_no_hidden_input_is_sent_before_the_lines_are_known(small, sandbox, notebook):
    grader = Grader(small.problems["scores"], small.solutions["scores"], small.secret)
    seen = []

    def run(cells, requests, further=None, files=None):
        def watched(known):
            seen.append((asked := further(known), any(request.late for request in known)))
            return asked

        return sandbox.run(cells, requests, further=watched)

    report = grader.grade(notebook(scores=AWAY), "ada", run)[0]
    assert [bool(asked) for asked, _ in seen] == [True, True, False]
    assert not any(late for _, late in seen)
    assert [case.passed for case in report.cases] == [False] * 3
