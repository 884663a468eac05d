"""A student's page: the notebook as handed in, verdicts beside the answers, and nothing that is not theirs."""

from __future__ import annotations

import itertools
import json
import re
from dataclasses import replace

import pytest

from autograder.as_json import to_json
from autograder.calls.requests_and_outcomes import ShownSlice, Smallest
from autograder.cost.cost_curve import CostCurve
from autograder.grade.report import CaseResult, Marked, PartReport, Report, Status
from autograder.grade.submission import Grader
from autograder.gradebook.said_by_person import AnswerPlace, Said
from autograder.notebook.submitted import read_submission
from autograder.pages.feedback import badge, lines_of_cases, question_address, read_as, render_feedback
from autograder.pages.notebook_cells import MOST_OF_A_CELL, lay_out
from tests.pages.test_markdown import HOSTILE, faults

OWN_TAGS = {"html", "head", "meta", "title", "style", "body", "main", "header", "nav", "details", "summary"}
OWN_TAGS |= {"section", "div", "figure", "figcaption", "svg", "rect", "text"}
WRONG = "def scores(q, k):\n    return torch.softmax(q @ k.T, dim=0)"
PART = PartReport("axis", 0.0, 1.0, Status.GRADED, "wrong", "no")
PICTURE = ShownSlice("", ("0.1 0.9", "0.5 0.5"), ("0.2 0.8", "nan 0.5"), ("11", "10"))


def make_report(*parts: PartReport) -> Report:
    return Report("ada", "basics", "scores", parts, 0.1)


def reports(cases=(), **scores) -> Report:
    """A report on the small course's three parts."""
    text = "the softmax runs over the queries\n0 of 2 cases pass\nsmall: 4 of 4 values differ"
    rows = {
        "scores": PartReport("scores", 0.0, 3.0, Status.GRADED, "wrong", text, "queries", tuple(cases)),
        "axis": PartReport(
            "axis", 1.0, 1.0, Status.GRADED, "correct", "right", read_as="a", latex=r"\text{a}"
        ),
        "why": PartReport("why", 0.0, 2.0, Status.MANUAL, "ungraded", "waits for a person to read it"),
    }
    return make_report(*(rows | scores).values())


CASES = (
    CaseResult("small", False, False, "4 of 4 values differ", PICTURE),
    CaseResult("large logits", False, True, "subtract the maximum"),
)


@pytest.fixture
def page(small, notebook):
    def make(report=None, data=None, **answers):
        data = data if data is not None else notebook(**{"scores": WRONG, "why": "So *that*.", **answers})
        return render_feedback(small.problems["scores"], report or reports(CASES), data, isolation=True)

    return make


def test_verdict_points_hints_and_cases_stand_beside_the_answer(page):
    text = page()
    answer = text[text.index('<section class="answer" id="scores"') :]
    answer = answer[: answer.index("</section>")]
    for piece in (
        "dim=",
        "0 / 3",
        "the softmax runs over the queries",
        "large logits",
        "subtract the maximum",
    ):
        assert piece in answer
    assert "1 of 6 points" in text
    assert "2 more wait for a person" in text


def test_a_sentence_about_a_case_is_said_once(page):
    assert page().count("4 of 4 values differ") == 2  # in the list, and as the words of the picture


def test_what_is_true_of_several_cases_is_said_once_of_all(page):
    same = "fails as well: mend the slip above first"
    cases = [CaseResult(name, False, True, same) for name in ("large scores", "double precision")]
    text = page(reports([cases[0], CaseResult("one word", True, True), cases[1]]))
    assert "large scores; double precision" in text
    assert text.count("fail as well: mend the slip above first") == 1
    assert text.count("one word") == 1


def test_each_test_has_a_line_of_its_own():
    fail = [CaseResult(name, False, True, "it does not hold") for name in ("words come back", "0 is unknown")]
    assert [line.names for line in lines_of_cases(fail, apart=True)] == [
        ["words come back"],
        ["0 is unknown"],
    ]
    assert len(lines_of_cases(fail, apart=False)) == 1


def test_a_failing_visible_case_is_drawn_with_its_words(page):
    text = page()
    assert text.count("<figcaption>") == 3
    assert 'aria-label="heat maps of expected, got, got − expected: 4 of 4 values differ"' in text
    assert "NaN" in text


def test_tensors_of_other_shapes_are_drawn_without_a_difference(page):
    case = CaseResult("small", False, False, "expected shape [2], got [1]", ShownSlice("", ("1 2",), ("1",)))
    assert page(reports([case])).count("<figcaption>") == 2


def test_pages_without_pictures_carry_no_style_for_them(page):
    assert ".heat{" not in page(reports())
    assert ".heat{" in page()


def test_markdown_is_typeset_and_the_statement_folded(page):
    text = page()
    assert "<em>that</em>" in text
    assert '<details class="statement">' in text
    assert text.count("<math") >= 2  # in the statement, and the answer as it was read


def test_figures_of_questions_are_told_by_their_words_and_a_students_own_are_shown(page, edited):
    picture = "(data:image/png;base64,iVBORw0KGgo=)"

    def draw(cells):
        for cell in cells:
            if cell["metadata"]["nbgrader"]["grade_id"] in ("statement", "axis-ask", "why"):
                cell["source"] = f"![of {cell['metadata']['nbgrader']['grade_id']}]{picture}"

    text = page(data=edited(draw))
    assert "(figure: of statement)" in text
    assert "(figure: of axis-ask)" in text
    assert text.count("<img") == 1
    assert 'alt="of why"' in text


def test_checks_and_set_up_are_left_out(page):
    assert "check(" not in page()
    assert "import torch" not in page()


def answer_read(text, latex):
    return replace(PART, read_as=text, latex=latex)


def test_an_answer_that_was_read_is_typeset_with_plain_words():
    fields = answer_read("O(log T)", r"O\left(\log T\right)")
    assert 'aria-label="O(log T)"' in read_as(fields)
    assert "<mi>log</mi>" in read_as(fields)
    several = answer_read("a = b\nc = d", r"a = b \\ c = d")
    assert read_as(several).count("<math") == 2
    assert read_as(answer_read("<b>", r"\frac")) == "<code>&lt;b&gt;</code>"
    assert read_as(answer_read("", "")) == ""


def test_a_part_that_no_cell_answers_still_has_its_verdict(page, edited):
    def drop(cells):
        cells[:] = [cell for cell in cells if cell["metadata"]["nbgrader"]["grade_id"] != "axis"]

    missing = PartReport("axis", 0.0, 1.0, Status.MISSING, "unanswered", "the cell is not there")
    text = page(reports(axis=missing), edited(drop))
    assert '<section class="answer alone" id="axis"' in text
    assert "the cell is not there" in text


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b'{"nbformat": 4, "cells": 3}', b"\xff\xfe"])
def test_an_unreadable_notebook_gives_a_page_with_the_reason(page, data):
    lost = [
        PartReport(name, 0.0, points, Status.UNREADABLE, "unreadable", "the file is <broken>")
        for name, points in (("scores", 3.0), ("axis", 1.0), ("why", 2.0))
    ]
    text = page(make_report(*lost), data)
    assert text.count("the file is &lt;broken&gt;") == 1
    assert all(f'href="#{name}"' in text and f'id="{name}"' in text for name in ("scores", "axis", "why"))
    assert re.findall(r'<span class="points">(.*?)</span>', text) == ["– / 3", "– / 1", "– / 2"]
    assert "0 of 6 points</strong> · 6 more wait for a person" in text


def test_one_cell_that_answers_two_parts_has_both_verdicts(page):
    text = page(scores=WRONG + '\n\naxis = "a"', axis="# above")
    assert '<div id="scores">' in text
    assert '<div id="axis">' in text


def test_the_last_answer_is_the_one_that_counts(small, edited):
    def again(cells):
        cells.append({"cell_type": "code", "source": "def scores(q, k): return q", "metadata": {}})

    shown = lay_out(read_submission(edited(again, scores=WRONG)), small.problems["scores"]).cells
    assert shown[-1].parts == ("scores",)


def test_long_cells_are_cut_and_many_cells_left_out(small, edited):
    def grow(cells):
        cells += [{"cell_type": "code", "source": "x = 1\n" * 9999, "metadata": {}} for _ in range(30)]

    page = lay_out(read_submission(edited(grow)), small.problems["scores"])
    assert page.left_out > 20
    assert all(len(cell.html) < 20 * MOST_OF_A_CELL for cell in page.cells)
    assert "more characters" in page.cells[-1].html


@pytest.mark.parametrize("nasty", HOSTILE)
def test_a_hostile_notebook_injects_nothing(page, edited, nasty):
    def fill(cells):
        for cell in cells:
            cell["source"] = nasty
        cells.append({"cell_type": "raw", "source": nasty, "metadata": {}})

    lost = PartReport("axis", 0.0, 1.0, Status.CRASHED, "wrong", nasty, read_as=nasty, latex=nasty)
    case = CaseResult(nasty, False, False, nasty, ShownSlice(nasty, ("1",), ("2",), ("1",)))
    text = page(reports([case], axis=lost), edited(fill))
    assert faults(text, OWN_TAGS) == []
    assert "default-src 'none'" in text


def test_a_hostile_name_stays_text(small, notebook):
    report = replace(reports(), student='"><script>alert(1)</script>')
    text = render_feedback(small.problems["scores"], report, notebook(), isolation=True)
    assert "<script" not in text


def test_a_sentence_of_a_marker_that_the_grader_says_by_now_stands_once(small, notebook):
    says = "a sum of rows; line 2 parts\n0 of 1 cases pass"
    first, *others = reports().parts
    graded = replace(reports(), parts=(replace(first, feedback=says), *others))

    def shown(comment: str) -> str:
        said = {first.part: Said(0.5, comment)}
        return render_feedback(small.problems["scores"], graded, notebook(), isolation=True, said=said)

    assert shown("a sum of rows").count("a sum of rows") == 1
    text = shown("a sum of rows\n\na sum")
    assert text.count("a sum of rows") == 1
    assert "<p>a sum</p>" in text


def test_the_same_report_gives_the_same_bytes(page):
    assert page() == page()


def test_graded_pages_show_no_reference_no_hidden_value_and_only_visible_pictures(small, notebook, sandbox):
    graded = Grader(small.problems["scores"], small.solutions["scores"], small.secret).grade(
        notebook(scores=WRONG), "ada", sandbox.run
    )
    row = graded[0]
    assert [case.shown is not None for case in row.cases if not case.hidden] == [True]
    assert all(case.shown is None for case in row.cases if case.hidden)
    assert row.wrong_values
    text = render_feedback(
        small.problems["scores"], make_report(*graded), notebook(scores=WRONG), isolation=True
    )
    assert text.count('class="drawn"') == 1
    assert "_products" not in text
    assert small.secret not in text
    json.dumps(to_json(make_report(*graded)), allow_nan=False)


def test_every_status_has_its_word_and_colour():
    for status in Status:
        label, colour = badge(replace(PART, status=status))
        assert label
        assert colour in ("right", "part", "wrong", "wait", "open")


def test_a_sentence_that_names_a_case_is_not_cut_off_in_its_middle(page):
    lost = CaseResult("the cost", False, True, "the work grows like T^2")
    text = "the values are right, but not the cost: the work grows like T^2"
    row = PartReport("scores", 1.5, 3.0, Status.GRADED, "partial", text, "too_costly", (lost,))
    assert text in page(reports(scores=row))


def test_a_measured_cost_is_drawn_below_the_answer(page):
    curve = CostCurve("work", "T", "", (2, 4, 8), (4, 16, 64), (4, 8, 16), "T", False)
    row = PartReport("scores", 1.5, 3.0, Status.GRADED, "partial", "too costly", costs=(curve,))
    html = page(reports(scores=row))
    assert "from T = 2 to 8 the work grows 16-fold; T allows 4-fold" in html
    assert 'polyline class="broken"' in html


def test_prose_that_waits_has_no_marks_yet_rather_than_none(page):
    text = page()
    assert text.count("– / 2") == 2  # in the strip and beside the answer
    assert "0 / 2" not in text


def test_a_text_that_cannot_be_read_is_not_called_wrong():
    assert badge(replace(PART, verdict="unparseable")) == ("cannot be read", "wrong")
    assert badge(replace(PART, verdict="different")) == ("wrong", "wrong")


def test_headings_go_down_a_step_at_a_time_whatever_a_student_writes(page):
    text = page(why="#### deep\n# high\n###### deepest\n## second")
    levels = [int(level) for level in re.findall(r"<h(\d)", text)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in itertools.pairwise(levels))


def test_a_shown_formula_scrolls_by_itself_and_with_the_keyboard(page):
    text = page(why="So\n\n$$a = b$$\n")
    assert '<span class="shown scrolls" tabindex="0" role="group" aria-label="formula"><math' in text


def test_a_link_to_a_part_is_named_as_it_reads(page):
    (link,) = re.findall(r'<a href="#scores">(.*?)</a>', page())
    assert re.sub("<[^>]*>", "", link) == "wrong: ✗ scores 0 / 3"
    assert "aria-label" not in link


def test_the_line_at_which_an_answer_departs_is_marked_in_its_code(page):
    part = PartReport("scores", 0.0, 3.0, Status.GRADED, "wrong", "x", departs=Marked(2, "line 2 departs"))
    text = page(reports(scores=part), scores=f"\n  \n{WRONG}\nx = '<b>'")
    marked = re.search(r"<mark>(.*?)</mark>", text)
    assert marked is not None
    assert re.sub(r"<[^>]*>", "", marked[1]) == "    return torch.softmax(q @ k.T, dim=0)"
    assert '</mark> <span class="here">← it departs here</span>\nx = ' in text
    assert "<b>" not in text


def test_the_tensor_that_departs_is_drawn_beside_the_right_one(page):
    shown = ShownSlice("", ("0.5 0.5",), ("1 0",), ("11",))
    marked = Marked(2, "line 2 departs", shown=shown, axes="I × J", case="a <case>")
    text = page(reports(scores=PartReport("scores", 0.0, 3.0, Status.GRADED, "wrong", "x", departs=marked)))
    assert "what line 2 gives, by the axes I × J, in the case: a &lt;case&gt;" in text
    assert text.count('class="drawn"') == 1


def test_a_small_case_stands_below_the_code_and_is_not_said_twice(page):
    small = Smallest((("q", "[[1]]"), ("k", "[[0], [<2]]")), (("", "[[0.5]]"),), (("", "[[nan]]"),), 3)
    says = "wrong\na small case that shows it: for q = [[1]]"
    text = page(reports(scores=PartReport("scores", 0.0, 3.0, Status.GRADED, "wrong", says, smallest=small)))
    assert text.count("a small case that shows it") == 1
    assert "<code>k = [[0], [&lt;2]]</code>" in text
    assert re.search(r'<tr class="yours"><th scope="row">yours</th><td><code>\[\[nan\]\]</code>', text)


@pytest.mark.parametrize("line", [0, 99])
def test_a_line_that_is_not_there_is_not_marked(page, line):
    part = PartReport("scores", 0.0, 3.0, Status.GRADED, "wrong", "x", departs=Marked(line, "x"))
    assert "<mark>" not in page(reports(scores=part))


@pytest.mark.parametrize(
    ("place", "address"),
    [
        (("ada", "basics", "scores", "why"), "mailto:ta@example.org?subject=scores%20why%20ada"),
        (("ada b&c", "", "", ""), "mailto:ta@example.org?subject=ada%20b%26c"),
    ],
    ids=["a part", "a student alone"],
)
def test_an_address_for_questions_has_no_blanks(place, address):
    template = "mailto:ta@example.org?subject={problem} {part} {student}"
    assert question_address(template, AnswerPlace(*place)) == address
