"""Sixty students, two prose parts and two markers at the desk, by keyboard, in a real browser; one kill −9."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from nbgrader.api import Gradebook
from playwright.sync_api import Browser, Page, expect

from autograder.notebook.build_notebooks import build_notebook
from autograder.notebook.fill import fill
from tests.conftest import ROOT
from tests.e2e.test_accessibility import OPEN, findings

pytestmark = pytest.mark.e2e
SET, PARTS = "deep_learning_hw2", {"linear_attention": "why_linear", "orthogonal_attention": "why_copying"}
STUDENTS = [f"student{number:02d}" for number in range(60)]
PATIENT = 60_000  # milliseconds


@pytest.fixture(scope="module")
def out(real, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("desk")
    for number, student in enumerate(STUDENTS):
        for problem, part in PARTS.items():
            path = folder / "in" / student / SET / f"{problem}.ipynb"
            path.parent.mkdir(parents=True, exist_ok=True)
            stub = build_notebook(real.problems[problem], SET, ROOT)
            answers = {part: f"Because of reason {number % 7}: the sum is shared by all. " * 3}
            if number < 3 and problem == "linear_attention":
                answers["linear_attention"] = "def linear_attention(q, k, v):\n    return q / 0"
            path.write_bytes(fill(stub, answers))
    command = [sys.executable, "-m", "autograder", "grade", str(folder / "in"), "--out", str(folder / "out")]
    done = subprocess.run([*command, "--course", str(ROOT)], capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stderr
    return folder / "out"


class Server:
    """The real command, until it is killed or closed."""

    def __init__(self, out: Path) -> None:
        command = [
            sys.executable,
            "-m",
            "autograder",
            "desk",
            str(out),
            "--course",
            str(ROOT),
            "--no-browser",
        ]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONUNBUFFERED": "1"}
        )
        self.address = re.search(r"http\S+", self.process.stdout.readline())[0]

    def end(self, how: signal.Signals) -> int:
        self.process.send_signal(how)
        self.process.communicate()
        return self.process.returncode


@pytest.fixture
def serve(out) -> Iterator[Callable[[], Server]]:
    """Begins a desk; none of them outlives the test."""
    begun: list[Server] = []

    def begin() -> Server:
        begun.append(Server(out))
        return begun[-1]

    yield begin
    for server in begun:
        if server.process.returncode is None:
            server.end(signal.SIGKILL)


def marks(out: Path, part: str) -> dict[str, float | None]:
    problem = next(name for name, each in PARTS.items() if each == part)
    with Gradebook(f"sqlite:///{out / 'gradebook.db'}") as gradebook:
        return {name: gradebook.find_grade(part, problem, SET, name).manual_score for name in STUDENTS}


def open_part(browser: Browser, server: Server, problem: str) -> Page:
    page = browser.new_context().new_page()
    page.set_default_timeout(PATIENT)
    page.goto(server.address)
    page.goto(server.address.split("?")[0] + f"read/{SET}/{problem}/{PARTS[problem]}")
    return page


def mark_next(page: Page, key: str) -> None:
    """Two keys an answer: its mark, and the arrow."""
    page.keyboard.press(key)
    expect(page.locator("#marker")).to_have_text("saved", timeout=PATIENT)
    here = page.url
    page.keyboard.press("ArrowRight")
    page.wait_for_url(lambda url: url != here)


def turn(page: Page, key: str) -> None:
    with page.expect_navigation():
        page.keyboard.press(key)


def test_a_group_is_marked_and_taken_back_by_keyboard_alone(browser: Browser, out, serve):
    page = open_part(browser, serve(), "linear_attention")
    turn(page, "g")
    for key in ("ArrowDown", "Space", "ArrowDown", "ArrowDown", "Space", "f"):
        page.keyboard.press(key)
    turn(page, "Control+Enter")
    expect(page.locator("#told")).to_have_text("2 answers marked")
    assert sum(score is not None for score in marks(out, "why_linear").values()) == 2
    turn(page, "u")
    assert {*marks(out, "why_linear").values()} == {None}


def test_an_item_takes_the_place_of_a_mark_that_was_typed_for_a_group(browser: Browser, serve):
    page = open_part(browser, serve(), "linear_attention")
    turn(page, "r")
    more = page.locator("section", has_text="One more item")
    more.locator("[name=points]").fill("1")
    more.locator("[name=says]").fill("shares the sum")
    with page.expect_navigation():
        more.get_by_role("button").click()  # which leads back to the answer
    turn(page, "g")
    page.keyboard.press("0")
    expect(page.locator("#score")).to_have_value("0")
    page.keyboard.press("1")
    expect(page.get_by_label("shares the sum")).to_be_checked()
    expect(page.locator("#score")).to_have_value("")


def test_a_rubric_that_was_opened_by_a_key_is_left_by_one(browser: Browser, serve):
    page = open_part(browser, serve(), "linear_attention")
    here = page.url.split("?")[0]
    turn(page, "r")
    page.keyboard.press("Escape")  # out of the field
    turn(page, "Escape")
    assert page.url.split("?")[0] == here


def test_two_markers_lose_nothing_by_keyboard_alone_though_the_desk_is_killed(browser: Browser, out, serve):
    server = serve()
    one, two = (open_part(browser, server, problem) for problem in PARTS)
    for _ in range(20):
        mark_next(one, "f")
        mark_next(two, "0")
    assert server.end(signal.SIGKILL) == -signal.SIGKILL
    assert sum(score is not None for score in marks(out, "why_linear").values()) == 20
    assert sum(score == 0 for score in marks(out, "why_copying").values()) == 20
    one.keyboard.press("f")
    expect(one.locator("#told")).to_contain_text("is not saved", timeout=PATIENT)
    server = serve()
    one, two = (open_part(browser, server, problem) for problem in PARTS)
    for _ in range(39):
        mark_next(one, "f")
        mark_next(two, "0")
    for page in (one, two):
        page.keyboard.press("f")
        expect(page.locator("#count")).to_have_text("60 of 60 marked", timeout=PATIENT)
    assert None not in {*marks(out, "why_linear").values(), *marks(out, "why_copying").values()}
    assert server.end(signal.SIGINT) == 0


def looked_at(page: Page, name: str) -> list[str]:
    """What axe-core objects to, and by how much the page runs out of the screen."""
    page.wait_for_load_state()
    page.evaluate(OPEN)
    root = "document.documentElement"
    beyond = page.evaluate(f"{root}.scrollWidth - {root}.clientWidth")
    wide = [f"{name}: {beyond} pixels too wide"] if beyond > 0 else []
    return [*wide, *(f"{name}: {line}" for line in findings(page))]


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 820), ("light", 390)])
def test_axe_finds_nothing_on_the_desks_pages_and_none_is_wider_than_the_screen(
    browser: Browser, serve, scheme, width
):
    server = serve()
    context = browser.new_context(
        bypass_csp=True, color_scheme=scheme, viewport={"width": width, "height": 900}
    )
    page = context.new_page()
    page.goto(server.address)
    root, question = server.address.split("?")[0], f"{SET}/linear_attention/why_linear"
    found = []
    for path in (
        "",
        f"read/{question}?show=all",
        f"rubric/{question}",
        f"alike/{question}",
        "wrong",
        "left",
        "appeals",
    ):
        page.goto(root + path)
        found += looked_at(page, path)
    page.goto(root + "wrong")
    page.locator(".causes a").first.click()
    found += looked_at(page, "a group without a name")
    assert found == []
    assert server.end(signal.SIGINT) == 0
