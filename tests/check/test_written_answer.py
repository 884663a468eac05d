"""Text parts of a notebook: how an answer is read, whether it can be marked, and never whether it is right."""

from __future__ import annotations

import subprocess
import sys

import pytest

from autograder.check.panel import Panel, State
from autograder.check.panel_text import draw_text
from autograder.check.written_answer import check_text
from autograder.course.model import Choice, Equation, Formula, Growth, Tensor

GROWTH = Growth("time", 2, "", ("T", "U"))
FORMULA = Formula("count", 1, "", ("I", "J"))
CHOICE = Choice("which", 1, "", {"a": "rows", "b": "columns"})
EQUATION = Equation("eq", 3, "", (Tensor("y", ("I",)), Tensor("A", ("I", "J")), Tensor("x", ("J",))))


@pytest.mark.parametrize("part", [GROWTH, FORMULA, CHOICE, EQUATION], ids=lambda part: part.name)
def test_an_empty_text_is_not_answered_yet(part):
    view = check_text(part, " \n ")
    assert (view.state, view.headline) == (State.UNANSWERED, "not answered yet: the text is empty")


@pytest.mark.parametrize(
    ("part", "answer", "plain", "latex"),
    [
        (GROWTH, "O(ln T + ln U)", "O(ln(T) + ln(U))", r"\ln"),
        (FORMULA, "2*I*J", "2*I*J", "2 I J"),
        (FORMULA, "0.6*I + 0.1*J", "0.6*I + 0.1*J", "0.6 I + 0.1 J"),
        (EQUATION, "y[i] = sum_j A[i,j] x[j]", "y[i] = sum_{j}", r"\sum"),
    ],
    ids=["growth", "formula", "decimals", "equation"],
)
def test_an_answer_is_shown_as_it_is_read(part, answer, plain, latex):
    view = check_text(part, answer)
    assert view.state == State.READ
    assert "can be marked" in view.headline
    assert plain in view.lines[0].plain
    assert latex in view.lines[0].latex


def test_right_and_wrong_answers_get_the_same_words():
    first, second = check_text(GROWTH, "O(ln T + ln U)"), check_text(GROWTH, "O(T^2 U^9)")
    assert (first.state, first.headline, first.notes) == (second.state, second.headline, second.notes)


def test_a_fault_is_placed_under_its_column():
    view = check_text(GROWTH, "O(T^^2)")
    assert view.state == State.UNREADABLE
    fault = view.lines[0].fault
    assert fault.line[fault.column - 1] == "^"
    drawn = draw_text(Panel("p", "P", (view,))).splitlines()
    assert drawn[1:3] == ["    O(T^^2)", "        ^"]


@pytest.mark.parametrize(
    ("part", "answer", "says"),
    [
        (GROWTH, "O(K)", "K is not a variable of this question; it has T, U"),
        (FORMULA, "I*K", "the answer is to be written in I, J, without K"),
    ],
    ids=["growth", "formula"],
)
def test_a_letter_that_is_not_the_questions_is_said_at_the_top(part, answer, says):
    view = check_text(part, answer)
    assert view.slips == (says,)
    assert view.headline == "read, but with a letter that is not asked for"
    drawn = draw_text(Panel("p", "P", (view,))).splitlines()
    assert drawn[1] == f"  ! {says}"


def test_theta_is_shown_as_it_was_typed():
    view = check_text(GROWTH, "Θ(T)")
    assert view.lines[0].plain == "Θ(T)"
    assert r"\Theta" in view.lines[0].latex


def test_an_answer_that_can_be_read_but_not_decided_says_so():
    view = check_text(GROWTH, "O(T) = O(U)")
    assert (view.state, view.headline) == (State.UNREADABLE, "read, but cannot be marked")
    assert "give one growth rate" in view.notes[0]


def test_the_indices_of_an_equation_are_typed():
    (line,) = check_text(EQUATION, "y[i] = A[i,J] x[J]").lines
    assert line.about == "for each i; summed over J"


def test_an_index_that_dangles_is_pointed_at_in_its_line():
    view = check_text(EQUATION, "\ny[i] = A[i,j] x[k]\n")
    assert view.state == State.UNREADABLE
    assert view.headline == "the equation cannot be marked as written"
    fault = view.lines[0].fault
    assert fault.line == "y[i] = A[i,j] x[k]"
    assert fault.line[fault.column - 1] == "j"
    assert not fault.says.startswith("line")


@pytest.mark.parametrize(("answer", "label"), [("b", "b"), ("(B)", "b"), ("a.", "a")], ids=["b", "(B)", "a."])
def test_a_choice_is_read_as_its_label(answer, label):
    view = check_text(CHOICE, answer)
    assert view.headline == f"read as ({label}), and can be marked"
    assert view.notes == (f"({label}) {CHOICE.options[label]}",)


def test_a_choice_that_is_none_lists_the_labels():
    view = check_text(CHOICE, "rows, I think")
    assert view.state == State.UNREADABLE
    assert view.lines[0].fault.says == 'this is none of "a", "b"'


def test_no_language_is_loaded_before_an_answer_in_it():
    code = (
        "import sys\nfrom autograder import check\n"
        "print([name for name in sys.modules if name.startswith('autograder.text')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
