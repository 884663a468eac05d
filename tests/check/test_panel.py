"""The panel as HTML and as text: complete, self-contained, accessible, and safe for any answer."""

from __future__ import annotations

import math
import re
from html.parser import HTMLParser

import pytest
import torch

from autograder.check.checker import Checker
from autograder.check.panel import (
    MARKS,
    CaseView,
    LineView,
    Panel,
    PartView,
    Pointed,
    State,
    hidden_words,
    summary_words,
)
from autograder.check.panel_html import draw_html, stylesheet, typeset
from autograder.check.panel_text import draw_text
from autograder.drawing.heatmaps import HeatMap, heat_maps, level_of, scale_of, short_number

VOID = {"br", "hr", "img", "input", "meta", "link", "rect", "mspace"}


class Balance(HTMLParser):
    """Checks that every element is closed by its own tag."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag, attrs):
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        pass

    def handle_endtag(self, tag):
        if tag not in VOID:
            assert self.open.pop() == tag


def assert_balanced(html: str) -> None:
    balance = Balance()
    balance.feed(html)
    assert balance.open == []


def wrong(q, k):
    print("<script>")
    return torch.softmax(q @ k.T, dim=1).T


@pytest.fixture
def panel(handout) -> Panel:
    return Checker(handout, {"torch": torch, "scores": wrong, "axis": "c"}).check()


def test_the_panel_needs_no_script_no_file_and_no_network(panel):
    html = draw_html(panel)
    assert_balanced(html)
    assert "<script" not in html
    assert not re.search(r"""(src|href|url)\s*[=(]\s*["']?(http|/)""", html)


def test_the_panel_says_in_words_what_it_shows_in_colour(panel):
    html = draw_html(panel)
    assert 'role="region"' in html
    assert 'aria-label="fails">✗' in html
    assert 'aria-label="heat maps of expected, shape [2, 5], and got, shape [5, 2]"' in html


def test_whatever_a_student_writes_is_shown_as_text():
    evil = '<img src=x onerror="alert(1)">'
    view = PartView(
        evil, "code", 1, State.FAILS, evil, (evil,), evil,
        (CaseView(evil, State.FAILS, evil, ((evil, evil),), None, evil, evil, evil),), (evil,),
        (LineView(evil, "", evil), LineView(fault=Pointed(evil, 2, evil))), (evil,),
    )  # fmt: skip
    for whole in (False, True):
        html = draw_html(Panel(evil, evil, (view,), whole, (evil,)))
        assert "<img" not in html
        assert_balanced(html)


def test_both_drawings_carry_the_same_words(panel):
    html, text = draw_html(panel), draw_text(panel)
    for words in (
        summary_words(panel),
        "expected shape [2, 5], got [5, 2]",
        "permute yours to (1, 0)",
        "2 more cases, drawn for you alone: large logits; gradients",
        "a person reads this one",
    ):
        assert words in text
        assert words in html.replace("&#x27;", "'")


def test_a_notebook_gets_html_and_a_terminal_text(panel):
    bundle = panel._repr_mimebundle_()
    assert list(bundle) == ["text/html", "text/plain"]
    assert bundle["text/plain"] == repr(panel)


def test_every_state_has_a_mark():
    assert set(MARKS) == set(State)


def test_the_summary_says_what_is_ready_and_what_is_open(panel, handout):
    assert summary_words(panel) == (
        "0 of 1 function passes its visible cases; 1 of 2 answers can be read; marked after you hand in; "
        "to mend: scores, axis"
    )
    empty = Checker(handout, {}).check()
    assert summary_words(empty).endswith("unanswered: scores, axis")
    assert not empty.passed


def test_hidden_tests_are_no_cases_and_answers_that_are_tested_are_not_called_read():
    view = PartView("spell", "tests", 1, State.FAILS, "0 of 1 visible tests pass", hidden=("nothing", "all"))
    assert hidden_words(view) == "when it is graded, 2 more tests: nothing; all"
    said = summary_words(Panel("spelling", "Spelling", (view,), whole=True))
    assert said.startswith("0 of 1 answer passes its visible tests; marked")


def test_no_panel_speaks_of_points_that_were_earned(handout):
    right = {"torch": torch, "scores": lambda q, k: torch.softmax(q @ k.T, dim=1), "axis": "a"}
    words = repr(Checker(handout, right).check())
    assert "marked after you hand in" in words
    assert "worth" not in words
    assert "6 points" not in words


def test_an_unreadable_answer_is_not_drawn_as_a_wrong_one(panel):
    html, text = draw_html(panel), draw_text(panel)
    assert "? axis: cannot be read" in text
    assert '<span class="i" role="img" aria-label="unreadable">?</span><b>axis</b>' in html
    assert "wrong" not in text


def test_what_may_be_wider_than_a_phone_can_be_scrolled_by_keyboard(handout):
    view = PartView("eq", "equation", 1, State.READ, "read", lines=(LineView("y = x", "y = x"),))
    assert '<div class="wide" tabindex="0"><span role="math"' in draw_html(Panel("p", "P", (view,)))
    failing = CaseView("case", State.FAILS, "raised", trace="line 1", reproduction="x", printed="y")
    code = draw_html(Panel("p", "P", (PartView("f", "code", 1, State.FAILS, "fails", cases=(failing,)),)))
    assert code.count('<pre tabindex="0">') == code.count("<pre") == 3


def test_an_unknown_part_lists_those_there_are(handout):
    assert "scores has no part 'score'; it has scores, axis, why" in repr(Checker(handout, {}).check("score"))


def test_after_an_interrupt_the_other_parts_are_left(handout):
    def interrupted(q, k):
        raise KeyboardInterrupt

    panel = Checker(handout, {"scores": interrupted, "axis": "a"}).check()
    assert [part.state for part in panel.parts] == [State.STOPPED, State.NOT_RUN, State.NOT_RUN]


def test_the_data_for_programs_has_no_pictures(panel):
    data = panel.data()
    assert data["passed"] is False
    assert "picture" not in data["parts"][0]["cases"][0]
    assert data["parts"][0]["state"] == "fails"


def test_light_and_dark_are_told_by_the_front_end_first():
    css = stylesheet()
    assert 'body[data-jp-theme-light="false"]' in css
    assert "vscode-dark" in css
    assert "@media (prefers-color-scheme:dark)" in css
    assert css.count("{") == css.count("}")


@pytest.mark.parametrize(
    ("latex", "starts"),
    [(r"O\left(\ln T\right)", '<span role="math"'), ("", "<code>"), (r"\frac{", "<code>")],
    ids=["mathml", "none", "broken"],
)
def test_mathematics_is_set_or_left_as_text(latex, starts):
    assert typeset(latex, "O(ln T)").startswith(starts)


# ---------------------------------------------------------------- heat maps


def test_maps_share_one_scale():
    maps = [HeatMap("a", [[1.0, -2.0]]), HeatMap("b", [[0.5, math.nan, math.inf]])]
    assert scale_of(maps) == 2.0
    html = heat_maps(maps, "two maps")
    assert_balanced(html)
    assert html.count("<svg") == 3
    assert "NaN" in html
    assert "∞" in html


def test_maps_of_nothing_but_zeros_or_nan_can_be_drawn():
    for value in (0.0, math.nan):
        assert_balanced(heat_maps([HeatMap("a", [[value]])], "one"))


def test_a_large_map_is_cut_and_says_so():
    html = heat_maps([HeatMap("a", [[1.0] * 100] * 100)], "large")
    assert "the first 24 rows and 32 columns" in html


@pytest.mark.parametrize(
    ("value", "level"), [(0.0, 0), (0.001, 0), (0.1, 1), (1.0, 6), (-1.0, -6), (5.0, 6)], ids=str
)
def test_a_level_is_zero_only_for_next_to_nothing(value, level):
    assert level_of(value, 1.0) == level


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"), (-0.001, "−1e−3"), (1.234, "1.23"), (-9.87, "−9.87"),
        (123.4, "123"), (12345.0, "1e4"), (math.nan, "NaN"), (-math.inf, "−∞"),
    ],
    ids=str,
)  # fmt: skip
def test_a_number_fits_its_cell(value, text):
    assert short_number(value) == text


def test_code_in_a_sentence_is_set_as_code():
    part = PartView(
        "f", "code", 1, State.FAILS, "1 of 2", closer="it stops at line 2, `a < b`, where `a` is [3]"
    )
    html = draw_html(Panel("p", "P", (part,)))
    assert "line 2, <code>a &lt; b</code>, where <code>a</code> is [3]" in html
