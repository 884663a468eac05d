"""Code parts of a notebook: what passes, what fails and why, and what helps to see it."""

from __future__ import annotations

import linecache
import math
import subprocess
import sys
import time
from typing import Any

import numpy as np
import pytest
import torch

from autograder.check import example
from autograder.check.checker import Checker
from autograder.check.panel import Panel, State
from autograder.check.panel_html import draw_html
from autograder.check.panel_text import draw_text
from autograder.release.make_handout import make_handout


def right(q, k):
    return torch.softmax(q @ k.T, dim=1)


def test_a_right_function_passes_and_hears_of_the_hidden_cases(checked):
    view = checked("scores", scores=right)
    assert (view.state, view.headline) == (State.PASSES, "the visible case passes")
    assert view.hidden == ("large logits", "gradients")
    assert view.points == 3


def test_a_stub_is_not_answered_yet_and_shows_no_traceback(checked):
    def stub(q, k):
        raise NotImplementedError("scores: replace this line with your answer")

    view = checked("scores", scores=stub)
    assert view.state == State.UNANSWERED
    assert view.headline == "not answered yet: the function raises NotImplementedError"
    assert view.cases == ()


def printing(q, k):
    print(right(q, k))


def three_arguments(q, k, scale):
    return right(q, k)


def one_argument(q):
    return q


def ending(q, k):
    raise SystemExit


def changing(q, k):
    value = right(q, k)
    q += 1
    return value


calls = []


def remembering(q, k):
    calls.append(q)
    return right(q, k) + len(calls) - 1


# Each: the function, and a piece of the sentence that its author reads.
WRONG = {
    "values": (lambda q, k: right(q, k) + 1, "10 of 10 values differ; first at [0, 0]: expected"),
    "shape": (lambda q, k: right(q, k).T, "expected shape [2, 5], got [5, 2]"),
    "dtype": (lambda q, k: right(q, k).double(), "expected float32, got float64"),
    "nan": (lambda q, k: right(q, k) * math.nan, "10 of 10 values are NaN"),
    "nothing": (lambda q, k: None, "expected a torch tensor, got None: does the function end with return?"),
    "printed": (printing, "the function prints its result and returns nothing: end it with return"),
    "numpy": (lambda q, k: right(q, k).double().numpy(), "expected float32, got float64"),
    "tuple": (lambda q, k: (right(q, k),), "expected a torch tensor, got a tuple"),
    "set": (lambda q, k: {1}, "expected a torch tensor, got a set"),
    "raises": (lambda q, k: q @ k, "raised RuntimeError: mat1 and mat2 shapes cannot be multiplied"),
    "numpy-inside": (lambda q, k: np.linalg.inv(q), "use torch's own function"),
    "name": (lambda q, k: undefined_name, "run the cells of the notebook from the top"),  # noqa: F821
    "exit": (ending, "raised SystemExit"),
    "mutates": (changing, "the values are right, but the function changes its input q: work on a copy"),
    "random": (lambda q, k: right(q, k) + torch.rand(2, 5), "10 of 10 values differ"),
    "remembers": (remembering, "or it remembers earlier calls"),
}


@pytest.mark.parametrize(("function", "says"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_said_in_a_sentence(checked, function, says):
    calls.clear()
    view = checked("scores", scores=function)
    assert view.state == State.FAILS
    assert says in view.cases[0].message


@pytest.mark.parametrize(
    ("function", "says"),
    [
        (three_arguments, "scores takes 3 arguments (q, k, scale); it is called with 2: scores(q, k)"),
        (one_argument, "scores takes 1 argument (q); it is called with 2: scores(q, k)"),
        (torch.ones(2), "scores is not a function"),
    ],
    ids=["three", "one", "tensor"],
)
def test_a_function_that_cannot_be_called_is_told_before_it_is(checked, function, says):
    view = checked("scores", scores=function)
    assert view.state == State.FAILS
    assert says in view.slips[0]
    assert view.cases == ()


def test_further_arguments_with_defaults_are_welcome(checked):
    assert checked("scores", scores=lambda q, k, scale=1.0: right(q, k)).state == State.PASSES


@pytest.mark.parametrize(
    ("change", "hint"),
    [
        (lambda out: out.T, "permute yours to (1, 0)"),
        (lambda out: out * 5, "every value is 5 times what it should be"),
        (lambda out: out + 0.5, "every value is off by the same 0.5000"),
        (lambda out: out[:1], "only the first entries along axis 0 are there: does return stand inside"),
        (lambda out: out + torch.rand(2, 5), "something random is left in (dropout, a new layer's own"),
    ],
    ids=["transposed", "factor", "offset", "first", "random"],
)
def test_a_structural_slip_is_named(checked, change, hint):
    assert hint in checked("scores", scores=lambda q, k: change(right(q, k))).hint


def test_a_wrong_function_is_shown_a_case_that_can_be_worked_out_by_hand(checked):
    view = checked("scores", scores=lambda q, k: torch.softmax(q @ k.T, dim=0))
    assert view.smallest.numbers <= 4
    assert "a small case that shows it\n      given    q = [[" in draw_text(Panel("x", "x", (view,)))
    assert "<dt>yours</dt><dd><code>[[" in draw_html(Panel("x", "x", (view,)))
    assert checked("scores", scores=right).smallest is None


def test_a_library_that_was_not_imported_is_told_how(checked):
    def unready(q, k):
        return np_of(F.softmax(q @ k.T, 1))  # noqa: F821 (the slip)

    view = checked("scores", scores=unready)
    assert view.cases[0].message == (
        "raised NameError: name 'np_of' is not defined "
        "(run the cells of the notebook from the top, or define the name in a cell)"
    )
    view = checked("scores", scores=lambda q, k: F.softmax(q @ k.T, 1))  # noqa: F821 (the slip)
    assert view.cases[0].message == (
        "raised NameError: name 'F' is not defined "
        "(write import torch.nn.functional as F at the top of the cell)"
    )


def test_the_line_at_which_a_function_departs_is_told_as_on_the_feedback_page(real):
    source = (
        "def column_attention_head(H, Q, K, V):\n    q, k, v = Q @ H, K @ H, V @ H\n"
        "    a = torch.softmax(k.T @ q, 0)\n    return v @ a.T\n"
    )
    names: dict[str, Any] = {"torch": torch}
    linecache.cache["<a cell>"] = (len(source), None, source.splitlines(keepends=True), "<a cell>")
    exec(compile(source, "<a cell>", "exec"), names)
    handout = make_handout(real, real.problems["column_attention"])
    view = Checker(handout, names).check("column_attention_head").parts[0]
    says = (
        "up to line 3, `a = torch.softmax(k.T @ q, 0)`, your tensors are right; "
        "line 4, `return v @ a.T`, parts from a right solution"
    )
    assert says == view.closer
    assert says in draw_text(Panel("x", "x", (view,)))
    assert "line 4, <code>return v @ a.T</code>" in draw_html(Panel("x", "x", (view,)))


def test_a_function_that_stops_is_told_the_shapes_in_its_line(checked):
    def stops(q, k):
        return q @ k

    view = checked("scores", scores=stops)
    assert "`return q @ k`, where `q` is [" in view.closer
    assert "@ asks for the last axis of `q`" in view.closer
    assert view.closer in draw_text(Panel("x", "x", (view,)))


def test_a_traceback_shows_the_students_own_lines_alone(checked):
    def helper(x):
        return torch.nn.functional.linear(x, torch.ones(99, 98))

    case = checked("scores", scores=lambda q, k: helper(q)).cases[0]
    assert "in helper" in case.trace
    assert "torch.nn.functional.linear(x" in case.trace
    assert "site-packages" not in case.trace
    assert "check/run_case.py" not in case.trace


def test_the_picture_has_expected_got_and_the_places_that_differ(checked):
    def one_off(q, k):
        out = right(q, k)
        out[1, 2] += 0.25
        return out

    picture = checked("scores", scores=one_off).cases[0].picture
    expected, got, gap = picture.maps
    assert gap.marked == {(1, 2)}
    assert gap.rows[1][2] == pytest.approx(0.25)
    assert gap.rows[0] == [0, 0, 0, 0, 0]
    assert got.rows[1][2] - expected.rows[1][2] == pytest.approx(0.25)
    assert "1 of 10 entries differ" in picture.alt


def test_shapes_that_differ_are_drawn_side_by_side(checked):
    picture = checked("scores", scores=lambda q, k: right(q, k).T).cases[0].picture
    assert [each.title for each in picture.maps] == ["expected [2, 5]", "got [5, 2]"]


def test_what_a_failing_function_prints_is_kept_beside_its_case(checked, capsys):
    def chatty(q, k):
        print("q is", q.shape)
        return q

    case = checked("scores", scores=chatty).cases[0]
    assert case.printed == "q is torch.Size([2, 3])"
    assert capsys.readouterr().out == ""


def test_the_reproduction_gives_the_case_by_itself(checked, copied, monkeypatch):
    code = checked("scores", scores=lambda q, k: q).cases[0].reproduction
    monkeypatch.chdir(copied)
    names = {"scores": right}
    exec(code, names)
    assert torch.allclose(names["got"], names["expected"])
    arguments, _ = example("scores", "scores")
    assert torch.equal(arguments[0], names["q"])
    with pytest.raises(ValueError, match="scores has no case 3 of scores"):
        example("scores", "scores", 3)


def forever(q, k):
    while True:
        try:
            time.sleep(0.01)
        except Exception:
            continue


def test_a_call_without_end_is_stopped_and_says_how_long_it_may_take(checked):
    view = checked("scores", scores=forever, limit=0.3)
    assert view.state == State.FAILS
    assert "when it is graded, a call may take 10 s" in view.cases[0].message


def test_an_interrupt_ends_the_check_and_not_the_notebook(checked):
    def interrupted(q, k):
        raise KeyboardInterrupt

    view = checked("scores", scores=interrupted)
    assert view.state == State.STOPPED
    assert view.headline == "stopped; 0 of 1 visible cases passed so far"


def test_inputs_are_fresh_for_every_check(checked):
    def spoil(q, k):
        value = right(q, k)
        q.zero_()
        return value

    checked("scores", scores=spoil)
    assert checked("scores", scores=right).state == State.PASSES


def test_every_reference_of_the_course_passes_its_own_check(real):
    from autograder.check.checker import Checker
    from autograder.course.model import Key
    from autograder.release.make_handout import make_handout

    for name, problem in real.problems.items():
        answers = real.solutions[name].answers
        names = {part: a.answer if isinstance(a, Key) else a for part, a in answers.items()}
        panel = Checker(make_handout(real, problem), {"torch": torch, **names}).check()
        assert panel.passed, panel


def test_a_students_kernel_loads_nothing_of_the_sandbox():
    code = (
        "import sys, autograder\nfrom autograder.check import run_case, checker\n"
        "print([name for name in sys.modules if name.startswith('autograder.sandbox')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def returns_in_its_loop(q, k):  # noqa: RET503 (the slip)
    rows = []
    for row in q:
        rows.append(torch.softmax(k @ row, 0))
        return torch.stack(rows)


def test_a_return_inside_the_loop_is_told_by_its_line(checked):
    view = checked("scores", scores=returns_in_its_loop)
    assert "`return torch.stack(rows)`, stands inside the loop of line" in view.hint
    assert view.steps == ()
