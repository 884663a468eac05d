"""Feedback and class report in a real browser: nothing runs, nothing is loaded, everything fits a phone."""

from __future__ import annotations

import pytest

from autograder.classroom.worker import part_json
from autograder.report.feedback import render_feedback
from autograder.report.overview import render_report
from autograder.verdict import CaseResult, PartReport, Shown, Status
from tests.report.classes import made_up_reports
from tests.report.test_markdown import HOSTILE

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
    case = CaseResult(everything, False, False, everything, Shown(everything, ("1 2",), ("2 nan",), ("11",)))
    parts = [
        PartReport("scores", 0.0, 3.0, Status.GRADED, "wrong", everything, "id", (case,)),
        PartReport("axis", 0.0, 1.0, Status.GRADED, "wrong", "no", read_as=everything, latex=BEACONS[21]),
        PartReport("why", 0.0, 2.0, Status.MANUAL, "ungraded", "waits"),
    ]
    report = {"student": BEACONS[0], "set": "basics", "problem": "scores", "seconds": 0.1}
    report["parts"] = [part_json(part) for part in parts]
    return render_feedback(small.problems["scores"], report, edited(fill), isolation=True)


def test_a_hostile_notebook_runs_nothing_and_calls_nobody(shown, small, edited):
    page, events = shown(hostile_page(small, edited))
    page.wait_for_timeout(300)
    assert events == []
    assert page.evaluate("window.broken") is None
    assert page.locator("script, iframe, object, embed, form, base").count() == 0


def test_it_would_have_run_in_a_page_that_lets_it(shown):
    page, _ = shown("<!doctype html>" + "".join(text for text in BEACONS if "refresh" not in text))
    page.wait_for_timeout(300)
    assert page.evaluate("window.broken") == 1


@pytest.mark.parametrize("width", [360, 768, 1280])
def test_pages_fit_any_screen(shown, real, small, edited, width):
    for html in (render_report(real, made_up_reports(real, 40), isolation=True), hostile_page(small, edited)):
        page, _ = shown(html, width)
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_report_is_reached_by_keyboard_and_told_in_words(shown, real):
    page, _ = shown(render_report(real, made_up_reports(real, 40), isolation=True))
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Marks"
    pictures = page.get_by_role("img").all()
    assert pictures
    assert all(picture.get_attribute("aria-label") for picture in pictures)


def test_mathematics_is_laid_out_as_such(shown, small, notebook):
    parts = [
        PartReport("scores", 3.0, 3.0, Status.GRADED, "correct", "right"),
        PartReport("axis", 1.0, 1.0, Status.GRADED, "equal", "right", read_as="a/b", latex=r"\frac{a}{b}"),
        PartReport("why", 0.0, 2.0, Status.MANUAL, "ungraded", "waits"),
    ]
    report = {"student": "ada", "set": "basics", "problem": "scores", "seconds": 0.1}
    report["parts"] = [part_json(part) for part in parts]
    page, _ = shown(
        render_feedback(small.problems["scores"], report, notebook(axis='axis = "a"'), isolation=True)
    )
    top, bottom = (page.locator("#axis mfrac mi").nth(n).bounding_box() for n in (0, 1))
    assert top["y"] + top["height"] <= bottom["y"] + 1
