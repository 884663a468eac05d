"""axe-core finds nothing on any page or panel, light and dark, wide and narrow; the keyboard reaches everything."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from autograder.calls.requests_and_outcomes import ShownSlice
from autograder.cost.cost_curve import CostCurve
from autograder.grade.report import CaseResult, PartReport, Report, Status
from autograder.pages.feedback import render_feedback
from docs.make_panel_pictures import THEMES, draw
from tests.conftest import ROOT

pytestmark = pytest.mark.e2e
AXE = Path(__file__).parent / ".npm" / "node_modules" / "axe-core" / "axe.min.js"
SCHEMES, WIDTHS = ("light", "dark"), (1280, 390)
OPEN = "document.querySelectorAll('details').forEach(each => each.open = true)"
SYNTAX = 'the cell stops: File "<cell 3>", line 2\n    return q @ (k.T\n               ^\nSyntaxError: no'
LARGE = tuple(" ".join(f"{(x - 5) * (y - 3):.1f}" for x in range(12)) for y in range(10))


@pytest.fixture(scope="module")
def graded(tmp_path_factory) -> Path:
    """The made-up class, graded as an instructor would."""
    out = tmp_path_factory.mktemp("pages") / "out"
    command = [sys.executable, "-m", "autograder", "demo", "--out", str(out)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=600)
    assert done.returncode == 0, done.stderr
    return out


@pytest.fixture
def everything(small, notebook, tmp_path) -> Path:
    """A page with whatever a page can show: pictures large and small, a curve, an error, mathematics."""
    cases = (
        CaseResult(
            "small", False, False, "4 of 4 values differ", ShownSlice("", ("1 -2",), ("2 nan",), ("11",))
        ),
        CaseResult(
            "large", False, False, "some differ", ShownSlice("", LARGE, LARGE[::-1], ("1" * 12,) * 10)
        ),
        CaseResult("crashing", False, False, "raised ValueError: no (line 2: return q.reshape(7))"),
        CaseResult("right", True, True),
    )
    curve = CostCurve("work", "T", "d = 8", (16, 64), (1e3, 1e5), (1e3, 4e3), "O(T d)", False)
    parts = [
        PartReport("scores", 1.0, 3.0, Status.GRADED, "wrong", SYNTAX, "id", cases, costs=(curve,)),
        PartReport("axis", 0.0, 1.0, Status.GRADED, "equal", "no", read_as="a", latex=r"\frac{a}{b}" * 20),
        PartReport("why", 0.0, 2.0, Status.MANUAL, "ungraded", "waits for a person to read it"),
    ]
    report = Report("ada", "basics", "scores", tuple(parts), 0.1)
    why = (
        "#### So\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n$$"
        + "x + " * 60
        + "x$$\n\n```\ncode\n```\n[link](https://example.org)"
    )
    path = tmp_path / "everything.html"
    page = render_feedback(
        small.problems["scores"], report, notebook(why=why, axis='axis = "a"'), isolation=False
    )
    path.write_text(page, encoding="utf-8")
    return path


def findings(page: Page) -> list[str]:
    """What axe-core objects to, a line each."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
    return [
        f"{rule['id']}: {node['html']}: {node['failureSummary']}" for rule in found for node in rule["nodes"]
    ]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("scheme", SCHEMES)
def test_axe_finds_nothing_on_any_page(browser: Browser, graded, everything, scheme, width):
    # axe is put into the page by hand; the page's own policy would not let it run.
    context = browser.new_context(
        bypass_csp=True, color_scheme=scheme, viewport={"width": width, "height": 900}
    )
    pages = [graded / "report.html", everything, *sorted((graded / "feedback").rglob("*.html"))]
    assert len(pages) > 8
    found = []
    for path in pages:
        page = context.new_page()
        page.goto(path.as_uri())
        page.evaluate(OPEN)
        found += [f"{path.name}: {line}" for line in findings(page)]
        page.close()
    context.close()
    assert found == []


@pytest.fixture(scope="module")
def panels() -> dict[str, str]:
    return draw()


@pytest.mark.parametrize("theme", THEMES)
def test_axe_finds_nothing_on_any_panel(browser: Browser, panels, theme):
    is_light, paper, variables = THEMES[theme]
    found = []
    for width in WIDTHS:
        page = browser.new_page(viewport={"width": width, "height": 900})
        for name, panel in panels.items():
            style = f"margin:12px;background:{paper};{variables}"
            page.set_content(
                f'<html lang="en"><head><title>{name}</title></head>'
                f'<body data-jp-theme-light="{is_light}" style="{style}"><main>{panel}</main></body></html>'
            )
            page.evaluate(OPEN)
            found += [f"{name} at {width}: {line}" for line in findings(page)]
        page.close()
    assert [line for line in found if "page-has-heading-one" not in line] == []  # the notebook has its own


def test_axe_would_have_found_something(browser: Browser):
    page = browser.new_page()
    page.set_content(
        '<html><body><img src="x.png"><p style="color:#aaa;background:#fff">faint</p></body></html>'
    )
    rules = {line.split(":")[0] for line in findings(page)}
    page.close()
    assert {"image-alt", "color-contrast", "html-has-lang"} <= rules


def test_the_keyboard_reaches_every_link_and_button_and_whatever_scrolls(
    browser: Browser, graded, everything
):
    for path in (graded / "report.html", everything):
        page = browser.new_page(viewport={"width": 390, "height": 900})
        page.goto(path.as_uri())
        page.evaluate(OPEN)
        page.evaluate(
            """() => { window.wanted = new Set([...document.querySelectorAll('a[href], button, input, summary, *')]
              .filter(each => each.checkVisibility() && (each.matches('a[href], button, input, summary') ||
                (each.scrollWidth > each.clientWidth + 1 && ['auto', 'scroll'].includes(getComputedStyle(each).overflowX)))));
              window.wantedCount = window.wanted.size; }"""
        )
        wanted = page.evaluate("window.wantedCount")
        assert wanted > 3
        for _ in range(3 * wanted + 50):
            page.keyboard.press("Tab")
            page.evaluate("() => { window.wanted.delete(document.activeElement); }")
        left = page.evaluate("[...window.wanted].map(each => each.outerHTML.slice(0, 120))")
        page.close()
        assert left == []
