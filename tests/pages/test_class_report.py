"""The class report: what went wrong and where, with links that lead somewhere, at any size of class."""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import replace
from functools import partial
from html.parser import HTMLParser

import pytest

from autograder.grade.report import Marked, Status
from autograder.pages.class_report import MOST, render_report
from autograder.pages.frequent_mistakes import find_mistakes, find_trouble, find_unnamed, link
from tests.pages.classes import edited_parts, made_up_reports, without_fields, without_timings


class Reader(HTMLParser):
    """The links, the pictures with their words, and the anchors of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.pictures: list[str] = []
        self.tags: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        fields = dict(attrs)
        self.tags.append(tag)
        if "href" in fields:
            self.links.append(fields["href"])
        if "id" in fields:
            self.anchors.add(fields["id"])
        if fields.get("role") == "img":
            self.pictures.append(fields.get("aria-label", ""))


def test_the_page_has_every_section_and_its_links_lead_somewhere(real):
    reports = made_up_reports(real, 30)
    page = Reader(render_report(real, reports, isolation=True))
    pages = {link(report, "").href.split("#")[0] for report in reports}
    for href in page.links:
        if href.startswith("#"):
            assert href[1:] in page.anchors
        else:
            assert href.split("#")[0] in pages
    assert {"todo", "students", "marks", "parts", "mistakes", "trouble", "pairs", "slowest"} <= page.anchors


def test_every_picture_says_what_it_shows(real):
    page = Reader(render_report(real, made_up_reports(real, 30), isolation=True))
    assert len(page.pictures) > 50
    assert all(page.pictures)


def test_mistakes_are_counted_and_said_in_their_own_sentence(small):
    reports = made_up_reports(small, 60)
    counted = find_mistakes(small, reports)
    assert [entry.count for entry in counted] == sorted((entry.count for entry in counted), reverse=True)
    total = sum(bool(row.mistake) for report in reports for row in report.parts)
    assert sum(entry.count for entry in counted) == total
    known = {m.id: m.says for m in small.solutions["scores"].mistakes}
    assert all(entry.says == known[entry.name] for entry in counted)
    assert all(len(entry.examples) <= 3 for entry in counted)


def test_wrong_alike_without_a_name_is_listed_apart(small):
    reports = made_up_reports(small, 60)
    unnamed = find_unnamed(reports)
    assert {entry.says for entry in unnamed} == {"an answer, common", "an answer, other"}
    assert all(entry.count > 1 for entry in unnamed)


CRASHES = {
    "ada": "0 of 3 cases pass\nsmall: raised RuntimeError: shape '[5]' is invalid for input of size 4 (line 2: x.view(5))",
    "boris": "0 of 3 cases pass\nmore keys than queries: raised RuntimeError: shape '[7]' is invalid for input of size 40",
    "chen": "0 of 3 cases pass\nmore keys than queries: raised NameError: name 'np' is not defined (line 3: np.exp(q))",
    "dana": "the cell stops before scores is defined: SyntaxError: invalid syntax (line 2)",
}


def test_crashes_are_grouped_by_their_own_message(small):
    reports = [
        edited_parts(
            replace(edited_parts(report, status=Status.GRADED, mistake=None), student=student),
            0,
            status=Status.CRASHED,
            feedback=feedback,
        )
        for report, (student, feedback) in zip(made_up_reports(small, 8), CRASHES.items(), strict=False)
    ]
    small_case = "raised RuntimeError: shape '[5]' is invalid for input of size 4"
    told = {entry.says: (entry.count, entry.examples[0].student) for entry in find_trouble(small, reports)}
    # "small" is no case of this problem, so it is not taken away.
    assert told == {
        f"small: {small_case}": (1, "ada"),
        "raised RuntimeError: shape '[7]' is invalid for input of size 40": (1, "boris"),
        "raised NameError: name 'np' is not defined": (1, "chen"),
        "the cell stops before scores is defined: SyntaxError: invalid syntax": (1, "dana"),
    }
    other = CRASHES["ada"].replace("small:", "more keys than queries:")
    reports[0] = edited_parts(reports[0], 0, feedback=other)
    (first, *_) = find_trouble(small, reports)
    assert (first.says, first.count) == (small_case, 2)


def test_where_one_student_stops_is_not_what_crashes_are_grouped_by(small):
    reports = []
    for report, line in zip(made_up_reports(small, 8), ("x = q + 1 / 0", "s = 1 / 0"), strict=False):
        stops = f"it stops at line 2, `{line}`, where `q` is [2, 3]"
        said = (
            f"{stops}\n0 of 3 cases pass\nmore keys than queries: raised ZeroDivisionError (line 2: {line})"
        )
        marked = Marked(2, stops, stops=True)
        report = edited_parts(report, status=Status.GRADED, mistake=None)
        reports.append(edited_parts(report, 0, status=Status.CRASHED, feedback=said, departs=marked))
    assert [(e.says, e.count) for e in find_trouble(small, reports)] == [("raised ZeroDivisionError", 2)]


@pytest.mark.parametrize(
    ("says", "first"),
    [("parts at `x`", "a <slip>; {}"), ("it returns at `x`", "{}; a <slip>")],
    ids=["after", "before"],
)
def test_a_mistake_without_a_listed_sentence_is_told_without_one_students_line(small, says, first):
    report = edited_parts(made_up_reports(small, 8)[0], status=Status.GRADED, mistake=None)
    row = {
        "mistake": "no_listed_slip",
        "feedback": first.format(says) + "\n0 of 3 cases pass",
        "departs": Marked(2, says),
    }
    (entry,) = find_mistakes(small, [edited_parts(report, 0, **row)])
    assert entry.says == "a <slip>"


def test_who_made_one_kind_of_slip_in_two_ways_is_not_counted_under_one_sentence(small):
    reports = [edited_parts(each, status=Status.GRADED, mistake=None) for each in made_up_reports(small, 8)]
    ways = ["the two are multiplied", "the two are averaged", "the two are multiplied"]
    said = [
        edited_parts(report, 0, mistake="softmax_of_each", feedback=way)
        for report, way in zip(reports, ways, strict=False)
    ]
    told = {entry.says: (entry.name, entry.count) for entry in find_mistakes(small, said)}
    assert told == {
        "the two are multiplied": ("softmax_of_each", 2),
        "the two are averaged": ("softmax_of_each", 1),
    }


def test_how_far_off_a_bound_is_is_one_students(small):
    reports = [edited_parts(each, status=Status.GRADED, mistake=None) for each in made_up_reports(small, 8)]
    slip = "steps that follow one another add their times"
    said = [
        edited_parts(
            report, 1, mistake="no_listed_slip", feedback=f"{slip}; your bound is too {how}: let T grow"
        )
        for report, how in zip(reports, ("small", "large"), strict=False)
    ]
    assert [(entry.says, entry.count) for entry in find_mistakes(small, said)] == [(slip, 2)]


def test_the_entries_that_differ_are_one_students(small):
    report = edited_parts(made_up_reports(small, 8)[0], status=Status.GRADED, mistake=None)
    slip = "alpha: the softmax runs over y2: it should run over x2 and y2"
    numbers = "40 of 180 entries differ on random tensors; first at k=0, x1=0: expected 1.489e-19, got 1"
    said = edited_parts(report, 0, mistake="no_listed_slip", feedback=f"{slip} ({numbers})")
    assert [entry.says for entry in find_mistakes(small, [said])] == [slip]


def test_code_in_a_sentence_is_set_as_code(small):
    report = edited_parts(made_up_reports(small, 8)[0], status=Status.GRADED, mistake=None)
    said = edited_parts(report, 0, mistake="no_listed_slip", feedback="`q` is <masked>")
    assert "<code>q</code> is &lt;masked&gt;</span>" in render_report(small, [said], isolation=True)


def test_a_notebook_that_cannot_be_read_is_one_trouble_not_one_a_part(small):
    reports = made_up_reports(small, 10)
    reports[0] = edited_parts(reports[0], status=Status.UNREADABLE, feedback="the file is empty")
    (entry,) = [entry for entry in find_trouble(small, reports) if entry.says == "the file is empty"]
    assert (entry.part, entry.count, entry.among) == ("", 1, len(reports))


def test_a_sentence_says_more_than_how_many_cases_pass(small):
    reports = made_up_reports(small, 10)
    said = "0 of 3 cases pass\nlarge: raised ValueError"
    reports[0] = edited_parts(reports[0], status=Status.CRASHED, feedback=said)
    assert {e.says for e in find_trouble(small, reports[:1])} == {"large: raised ValueError"}


def test_names_are_escaped_in_text_and_in_links(small):
    script = "<script>alert(1)</script>"
    reports = [
        replace(
            edited_parts(report, feedback=script, read_as=script), student=f"<b>{report.student}</b>/../x y"
        )
        for report in made_up_reports(small, 12)
    ]
    page = render_report(small, reports, isolation=True)
    assert page.count("<script") == 2  # the data and what shows it
    assert "<script>alert" not in page
    assert "<b>" not in page
    assert all("<" not in href and "/../" not in href for href in Reader(page).links)


def test_a_class_of_nobody_has_a_page(small):
    assert "No submissions were found" in render_report(small, [], isolation=True)


def test_only_the_list_of_the_slowest_has_times(small):
    reports = made_up_reports(small, 20)
    slower = [replace(report, seconds=report.seconds + n) for n, report in enumerate(reports)]
    one, two = (render_report(small, each, isolation=True) for each in (reports, slower))
    assert one != two
    assert without_timings(one) == without_timings(two)


def test_only_our_own_script_may_run_and_only_where_there_is_one(small):
    page = render_report(small, made_up_reports(small, 5), isolation=True)
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    (text,) = re.findall(r"<script>(.*?)</script>", page, re.S)
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}';" in policy.replace("&#39;", "'")
    assert "unsafe" not in policy.replace("style-src 'unsafe-inline'", "")
    assert "http" not in text


def test_the_page_of_a_large_class_grows_by_a_line_of_data_for_each_student(small):
    few, many = (render_report(small, made_up_reports(small, n), isolation=True) for n in (100, 1500))
    assert len(many) < 1.5 * len(few) + 1400 * 40
    assert many.count("<li>") < sum(MOST.values()) + 60


def with_scores(report, score):
    """Graded in all its parts, with these scores and no name for what is wrong."""
    for number, part in enumerate(report.parts):
        report = edited_parts(report, number, status=Status.GRADED, score=score(part), mistake=None)
    return report


def test_bars_are_drawn_to_the_scale_of_the_class(small):
    reports = [with_scores(report, lambda part: part.max_score) for report in made_up_reports(small, 50)]
    reports[0] = edited_parts(reports[0], 0, score=0.0, mistake="softmax_overflows", feedback="it overflows")
    page = render_report(small, reports, isolation=True)
    assert f'class="none" style="width:{100 / len(reports):.1f}%"' in page


def test_a_part_of_which_nothing_can_be_told_has_no_scale(small):
    page = render_report(small, made_up_reports(small, 3), isolation=True)
    assert 'class="dot"' not in page
    assert "The dot says" not in page


def test_a_part_that_the_better_students_miss_is_pointed_out_in_words(small):

    def score(number, part):
        return part.max_score if (number % 2 == 0) != (part.part == "scores") else 0.0

    reports = [
        with_scores(report, partial(score, number))
        for number, report in enumerate(made_up_reports(small, 40))
    ]
    page = render_report(small, reports, isolation=True)
    assert "Those who got it right did worse elsewhere: look at the question and its key." in page


def test_a_report_from_before_prints_were_kept_can_still_be_shown(small):
    reports = [without_fields(each, "code_prints", "wrong_values") for each in made_up_reports(small, 3)]
    assert "Attention scores" in render_report(small, reports, isolation=True)
