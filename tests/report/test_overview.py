"""The class report: what went wrong and where, with links that lead somewhere, at any size of class."""

from __future__ import annotations

from html.parser import HTMLParser

from autograder.report.overview import MOST, render_report, without_timings
from autograder.report.slips import find_mistakes, find_trouble, find_unnamed, link
from tests.report.classes import made_up_reports


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
    assert {"marks", "parts", "mistakes", "trouble", "pairs", "slowest"} <= page.anchors
    assert "script" not in page.tags


def test_every_picture_says_what_it_shows(real):
    page = Reader(render_report(real, made_up_reports(real, 30), isolation=True))
    assert len(page.pictures) > 50
    assert all(page.pictures)


def test_mistakes_are_counted_and_said_in_their_own_sentence(small):
    reports = made_up_reports(small, 60)
    counted = find_mistakes(small, reports)
    assert [entry.count for entry in counted] == sorted((entry.count for entry in counted), reverse=True)
    total = sum(bool(row["mistake"]) for report in reports for row in report["parts"])
    assert sum(entry.count for entry in counted) == total
    known = {m.id: m.says for m in small.solutions["scores"].mistakes}
    assert all(entry.says == known[entry.name] for entry in counted)
    assert all(len(entry.examples) <= 3 for entry in counted)


def test_wrong_alike_without_a_name_is_listed_apart(small):
    reports = made_up_reports(small, 60)
    unnamed = find_unnamed(reports)
    assert {entry.says for entry in unnamed} == {"an answer, common", "an answer, other"}
    assert all(entry.count > 1 for entry in unnamed)


def test_crashes_are_counted_by_part_and_kind(small):
    found = find_trouble(made_up_reports(small, 200))
    assert {entry.name for entry in found} == {"crashed", "timed out"}


def test_a_notebook_that_cannot_be_read_is_one_trouble_not_one_a_part(small):
    reports = made_up_reports(small, 10)
    for row in reports[0]["parts"]:
        row.update(status="unreadable", feedback="the file is empty")
    (entry,) = [entry for entry in find_trouble(reports) if entry.name == "unreadable"]
    assert (entry.part, entry.count, entry.among, entry.says) == ("", 1, len(reports), "the file is empty")


def test_a_sentence_says_more_than_how_many_cases_pass(small):
    reports = made_up_reports(small, 10)
    for row in reports[0]["parts"]:
        row.update(status="crashed", feedback="0 of 3 cases pass\nlarge: raised ValueError")
    assert {e.says for e in find_trouble(reports[:1])} == {"large: raised ValueError"}


def test_names_are_escaped_in_text_and_in_links(small):
    reports = made_up_reports(small, 12)
    for report in reports:
        report["student"] = f"<b>{report['student']}</b>/../x y"
        for row in report["parts"]:
            row["feedback"] = row["read_as"] = "<script>alert(1)</script>"
    page = render_report(small, reports, isolation=True)
    assert "<script" not in page
    assert "<b>" not in page
    assert all("<" not in href and "/../" not in href for href in Reader(page).links)


def test_a_class_of_nobody_has_a_page(small):
    assert "No submissions were found" in render_report(small, [], isolation=True)


def test_only_the_list_of_the_slowest_has_times(small):
    reports = made_up_reports(small, 20)
    slower = [report | {"seconds": report["seconds"] + n} for n, report in enumerate(reports)]
    one, two = (render_report(small, each, isolation=True) for each in (reports, slower))
    assert one != two
    assert without_timings(one) == without_timings(two)


def test_the_page_of_a_large_class_is_no_longer_than_that_of_a_small_one(small):
    few, many = (render_report(small, made_up_reports(small, n), isolation=True) for n in (100, 1500))
    assert len(many) < 1.5 * len(few)
    assert many.count("<li>") < sum(MOST.values()) + 60


def test_a_report_from_before_prints_were_kept_can_still_be_shown(small):
    reports = made_up_reports(small, 3)
    for report in reports:
        for row in report["parts"]:
            row.pop("code_prints")
            row.pop("wrong_values")
    assert "Attention scores" in render_report(small, reports, isolation=True)
