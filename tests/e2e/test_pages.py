"""Feedback and class report in a real browser: nothing runs, nothing is loaded, everything fits a phone."""

from __future__ import annotations

from dataclasses import replace

import pytest
from playwright.sync_api import expect

from autograder.calls.requests_and_outcomes import ShownSlice
from autograder.grade.report import CaseResult, PartReport, Report, Status
from autograder.pages.class_report import render_report
from autograder.pages.feedback import render_feedback
from tests.pages.classes import made_up_reports
from tests.pages.test_markdown import HOSTILE

pytestmark = pytest.mark.e2e
BEACONS = [text.replace("alert(1)", "(window.broken=1)") for text in HOSTILE]


@pytest.fixture
def shown(page, tmp_path):
    """Open a page as an instructor would, and note every script, request and dialog."""
    events: list[str] = []
    page.on("dialog", lambda dialog: (events.append(f"dialog {dialog.message}"), dialog.dismiss()))
    page.on("request", lambda request: events.append(request.url))
    page.on("pageerror", lambda error: events.append(f"error {error}"))

    def show(html: str, width: int = 1280):
        path = tmp_path / "page.html"
        path.write_text(html, encoding="utf-8")
        page.set_viewport_size({"width": width, "height": 900})
        page.goto(path.as_uri())
        return page, [event for event in events if not event.startswith(("file:", "data:"))]

    return show


def hostile_page(small, edited) -> str:
    def fill(cells):
        cells += [
            {"cell_type": kind, "source": text, "metadata": {}}
            for text in BEACONS
            for kind in ("markdown", "code", "raw")
        ]

    everything = "\n".join(BEACONS)
    case = CaseResult(
        everything, False, False, everything, ShownSlice(everything, ("1 2",), ("2 nan",), ("11",))
    )
    parts = [
        PartReport("scores", 0.0, 3.0, Status.GRADED, "wrong", everything, "id", (case,)),
        PartReport("axis", 0.0, 1.0, Status.GRADED, "wrong", "no", read_as=everything, latex=BEACONS[21]),
        PartReport("why", 0.0, 2.0, Status.MANUAL, "ungraded", "waits"),
    ]
    report = Report(BEACONS[0], "basics", "scores", tuple(parts), 0.1)
    return render_feedback(small.problems["scores"], report, edited(fill), isolation=True)


def test_a_hostile_notebook_runs_nothing_and_calls_nobody(shown, small, edited):
    page, events = shown(hostile_page(small, edited))
    page.wait_for_timeout(300)
    assert events == []
    assert page.evaluate("window.broken") is None
    assert page.locator("script, iframe, object, embed, form, base").count() == 0


def test_it_would_have_run_in_a_page_that_lets_it(shown):
    page, _ = shown("<!doctype html>" + "".join(text for text in BEACONS if "refresh" not in text))
    page.wait_for_function("window.broken === 1", timeout=0)


@pytest.mark.parametrize("width", [360, 768, 1280])
def test_pages_fit_any_screen(shown, real, small, edited, width):
    for html in (render_report(real, made_up_reports(real, 40), isolation=True), hostile_page(small, edited)):
        page, _ = shown(html, width)
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_report_is_reached_by_keyboard_and_told_in_words(shown, real):
    page, _ = shown(render_report(real, made_up_reports(real, 40), isolation=True))
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "To do"
    pictures = page.get_by_role("img").all()
    assert pictures
    assert all(picture.get_attribute("aria-label") for picture in pictures)


def test_mathematics_is_laid_out_as_such(shown, small, notebook):
    parts = [
        PartReport("scores", 3.0, 3.0, Status.GRADED, "correct", "right"),
        PartReport("axis", 1.0, 1.0, Status.GRADED, "equal", "right", read_as="a/b", latex=r"\frac{a}{b}"),
        PartReport("why", 0.0, 2.0, Status.MANUAL, "ungraded", "waits"),
    ]
    report = Report("ada", "basics", "scores", tuple(parts), 0.1)
    page, _ = shown(
        render_feedback(small.problems["scores"], report, notebook(axis='axis = "a"'), isolation=True)
    )
    top, bottom = (page.locator("#axis mfrac mi").nth(n).bounding_box() for n in (0, 1))
    assert top["y"] + top["height"] <= bottom["y"] + 1


def rows_of(page) -> list[str]:
    return page.locator("#rows th").all_inner_texts()


def test_the_table_of_students_is_searched_sorted_and_narrowed_to_a_set(shown, real):
    reports = made_up_reports(real, 300)
    page, events = shown(render_report(real, reports, isolation=True))
    students = sorted({report.student for report in reports})
    assert rows_of(page) == students[:20]
    page.get_by_role("button", name="Show 100 more").click()
    assert rows_of(page) == students[:120]
    first = page.locator("#rows .pages").first
    assert first.locator("summary").inner_text() == f"{first.locator('a').count()} pages"
    first.locator("summary").click()
    there = [link.split()[0] for link in first.locator("a").all_inner_texts()]
    assert len(there) == len({*there})  # a problem of several sets is named with its set
    page.get_by_label("Search").fill("s0001")
    assert rows_of(page) == [f"s0001{n}" for n in range(10)]
    expect(page.locator("#found")).to_have_text(f"10 of {len(students)} students")
    page.get_by_role("button", name="Share").click()
    best = page.locator("#rows tr td:nth-child(3)").all_inner_texts()
    assert [int(text.split()[0]) for text in best] == sorted((int(t.split()[0]) for t in best), reverse=True)
    expect(page.locator("th.share")).to_have_attribute("aria-sort", "descending")
    page.get_by_label("Set").select_option("transformers")
    marks = page.locator("#rows tr td:nth-child(2)").all_inner_texts()
    assert {text.split(" / ")[1] for text in marks} == {"24"}
    page.get_by_label("Search").fill("nobody at all")
    expect(page.locator("#found")).to_have_text("nobody of that name")
    assert rows_of(page) == []
    assert events == []


def test_a_student_called_like_a_script_is_only_a_name(shown, small):
    reports = made_up_reports(small, 12)
    for number, name in enumerate(BEACONS[: len(reports)]):
        reports[number] = replace(reports[number], student=name)
    page, events = shown(render_report(small, reports, isolation=True))
    page.get_by_label("Search").fill("<")
    page.wait_for_timeout(300)
    assert events == []
    assert page.evaluate("window.broken") is None
    assert set(rows_of(page)) <= {" ".join(name.split()) for name in BEACONS}


def test_a_page_that_is_wider_than_a_phone_shows_that_it_scrolls(shown, small, notebook):
    parts = [
        PartReport("scores", 3.0, 3.0, Status.GRADED, "correct", "right"),
        PartReport(
            "axis", 1.0, 1.0, Status.GRADED, "equal", "right", read_as="a", latex=" + ".join("abcdefgh" * 9)
        ),
        PartReport("why", 0.0, 2.0, Status.MANUAL, "ungraded", "waits"),
    ]
    report = Report("ada", "basics", "scores", tuple(parts), 0.1)
    page, _ = shown(
        render_feedback(small.problems["scores"], report, notebook(axis='axis = "a"'), isolation=True), 390
    )
    read = page.locator("#axis .read")
    assert read.evaluate("each => each.scrollWidth > each.clientWidth + 20")
    # Two gradients move with the content and hide the two that stay at its edges: what is left is the shadow.
    assert (
        read.evaluate("each => getComputedStyle(each).backgroundAttachment") == "local, local, scroll, scroll"
    )
