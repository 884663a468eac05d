"""Hints on the student's machine: who gives an edit's values reads its hint, and nobody else."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from autograder.check.code import check_code
from autograder.check.panel import Panel
from autograder.check.panel_html import draw_html
from autograder.check.panel_text import draw_text
from autograder.course.model import Diagnosis
from autograder.diagnose.hints import Hint, seal
from autograder.release.handout_file import decode, encode
from autograder.release.make_handout import make_handout
from tests.diagnose.test_other_course import COURSE, WRONG

VALUES = torch.linspace(-1, 2, 12).reshape(3, 4)
HINT = Hint("the softmax", "an axis", "the softmax runs over J")


def test_values_open_the_hint_that_they_are_sealed_with():
    wrong = [(HINT, [[VALUES], None]), (Hint("q", "a sign", "−q"), [[-VALUES], [VALUES]])]
    sealed = seal("scores", [12, 12], wrong)
    assert sealed.open("scores", [[VALUES * (1 + 1e-6)], None]) == HINT
    assert sealed.open("scores", [[VALUES], [VALUES]]) is None
    assert sealed.open("scores", [[VALUES * 1.01], None]) is None
    assert sealed.open("another", [[VALUES], None]) is None


def test_of_hints_that_fit_alike_only_what_they_share_is_told():
    other = Hint("the softmax", "an axis", "the softmax runs over I")
    assert seal("f", [12], [(HINT, [[VALUES]]), (other, [[VALUES]])]).open("f", [[VALUES]]) == replace(
        HINT, says=""
    )
    listed = Hint(says="an author's own words")
    assert seal("f", [12], [(listed, [[VALUES]]), (HINT, [[VALUES]])]).open("f", [[VALUES]]) == replace(
        HINT, says=listed.says
    )
    assert (
        seal("f", [12], [(HINT, [[VALUES]]), (Hint("q", "a sign", "−q"), [[VALUES]])]).open("f", [[VALUES]])
        is None
    )


def test_results_of_one_number_are_sealed_together_so_that_none_can_be_guessed_alone():
    one, two, three, four = (torch.tensor(value) for value in (0.25, -1.5, 3.0, 0.125))
    sealed = seal("f", [1, 1, 1, 1], [(HINT, [[one], [two], [three], [four]])])
    assert sealed.digests.shape[:2] == (1, 1)  # a digest of each would be found by trying numbers
    assert sealed.open("f", [[one], [two], [three], [four]]) == HINT
    assert sealed.open("f", [[one], [two], [three], [four * 2]]) is None
    assert seal("f", [1, 1], [(HINT, [[one], [two]])]) is None


def test_an_edit_that_gives_one_number_where_many_are_asked_for_has_no_hint():
    sealed = seal("f", [12], [(HINT, [[VALUES.sum()]])])
    assert sealed.open("f", [[VALUES.sum()]]) is None


@pytest.fixture(scope="module")
def handed_out():
    def make(steps):
        course = replace(COURSE, diagnosis=Diagnosis(steps=steps))
        data = encode(make_handout(course, course.problems["graph_convolution"]))
        return data, decode(data, "checks/graph_convolution.safetensors").parts[0]

    return make


def check(part, name):
    return check_code("graph_convolution", part, WRONG["graph_convolution"][name], lambda *told: None)


def test_a_check_tells_where_what_kind_and_what_it_is(handed_out):
    data, part = handed_out(3)
    view = check(part, "degrees_of_the_columns")
    assert [about for about, _ in view.steps] == ["where to look", "what kind of slip", "what it is"]
    assert view.steps[2][1] == "the sum runs over the first N instead of the second N"
    assert b"instead of" not in data  # no sentence can be read in the file
    panel = Panel("graph_convolution", "Graph convolution", (view,))
    assert "hint, what it is: the sum runs over the first N" in draw_text(panel)
    assert "<details><summary>what kind of slip?</summary>" in draw_html(panel)


def test_an_author_says_how_many_steps_there_are(handed_out):
    _, part = handed_out(1)
    assert [about for about, _ in check(part, "degrees_of_the_columns").steps] == ["where to look"]
    assert handed_out(0)[1].hints is None


def test_a_right_function_is_given_no_hint(handed_out):
    _, part = handed_out(3)
    reference = COURSE.solutions["graph_convolution"].answers["graph_convolution"]
    view = check_code("graph_convolution", part, reference, lambda *told: None)
    assert view.steps == ()
    assert view.hint == ""
