"""A student's afternoon in a real JupyterLab: from the bundle that was handed out to full marks."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.conftest import ROOT
from tests.e2e.conftest import Lab

pytestmark = pytest.mark.e2e

PART = "multi_head_self_attention"
WRONG = """\
def multi_head_self_attention(h_in, WQ, WK, WV):
    query, keys, value = (torch.einsum("kaj,tj->kta", W, h_in) for W in (WQ, WK, WV))
    out = torch.softmax(query @ keys.mT, dim=-1) @ value
    return out.permute(1, 2, 0).flatten(start_dim=1)"""
RIGHT = WRONG.replace("permute(1, 2, 0)", "transpose(0, 1)")
SLOW = 120_000  # milliseconds: a kernel that imports torch on a busy machine


def autograder(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "autograder", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT)


def release(folder: Path) -> Path:
    bundle = folder / "bundle"
    made = autograder("release", bundle, "--set", "transformers")
    assert made.returncode == 0, made.stderr
    return bundle


def open_notebook(lab: Lab, page: Page) -> None:
    """Open the notebook and run its first cell, once there is a kernel to run it."""
    page.goto(lab.page_of("transformers/self_attention.ipynb"))
    run_first_cell(page)


def run_first_cell(page: Page) -> None:
    setup = cell(page, "from autograder import check")
    expect(setup).to_be_visible(timeout=SLOW)
    # On a busy machine JupyterLab may ask which kernel to take: the one that it proposes.
    question = page.locator(".jp-Dialog")
    page.add_locator_handler(question, lambda asked: asked.locator(".jp-mod-accept").click())
    prompt = setup.locator(".jp-InputPrompt")
    for _ in range(20):  # JupyterLab drops what is run while it is still connecting to the kernel
        run(page, setup)
        page.wait_for_timeout(3_000)
        if prompt.inner_text().strip() != "[ ]:":
            break
    expect(prompt).to_have_text(re.compile(r"\[\d+\]:"), timeout=SLOW)
    expect(setup.locator(".jp-OutputArea-output")).to_have_count(0)
    page.remove_locator_handler(question)


def cell(page: Page, text: str) -> Locator:
    return page.locator(".jp-CodeCell", has=page.locator(".jp-InputArea", has_text=text)).first


def enter(page: Page, target: Locator) -> None:
    """Put the cursor into a cell. A statement that is just being typeset may move it from under a click."""
    while True:
        target.locator(".cm-content").click()
        page.wait_for_timeout(100)
        if target.evaluate("cell => cell.contains(document.activeElement)"):
            return


def run(page: Page, target: Locator) -> None:
    enter(page, target)
    page.keyboard.press("Control+Enter")


def write(page: Page, target: Locator, text: str) -> None:
    enter(page, target)
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(text)


def answer(page: Page, target: Locator, text: str) -> None:
    write(page, target, text)
    page.keyboard.press("Control+Enter")


def check(page: Page, part: str) -> Locator:
    """Run a part's check cell; its panel."""
    target = cell(page, f'check("self_attention", "{part}")')
    run(page, target)
    return target.locator(".jp-OutputArea .ag")


def test_from_the_bundle_to_full_marks(lab, page, tmp_path):
    bundle = release(tmp_path)
    open_notebook(lab(bundle), page)
    function = cell(page, f"def {PART}")
    run(page, function)

    panel = check(page, PART)
    expect(panel).to_contain_text("not answered yet", timeout=SLOW)
    expect(panel).not_to_contain_text("Traceback")

    answer(page, function, WRONG)
    panel = check(page, PART)
    expect(panel).to_contain_text("1 of 3 visible cases pass", timeout=SLOW)
    expect(panel.locator(".hint")).to_contain_text("every value is there, but in the wrong places")
    picture = panel.locator(".heat svg").first
    expect(picture).to_be_visible()
    assert picture.bounding_box()["width"] > 100
    assert panel.evaluate("panel => panel.scrollWidth <= panel.clientWidth + 1"), "the panel overflows"

    answer(page, function, RIGHT)
    panel = check(page, PART)
    expect(panel).to_contain_text("all 3 visible cases pass", timeout=SLOW)
    expect(panel).to_contain_text("5 more cases, drawn for you alone")

    for part, text in (("softmax_time", "O(log T + log U)"), ("layer_time", "O(log T + log J)")):
        answer(page, cell(page, f'{part} = ""'), f'{part} = "{text}"')
        panel = check(page, part)
        expect(panel).to_contain_text("read, and can be marked", timeout=SLOW)
        expect(panel.locator("math")).to_be_visible()

    summary = page.locator(".jp-CodeCell").last
    run(page, summary)
    expect(summary.locator(".ag")).to_contain_text("2 of 2 answers can be read", timeout=SLOW)

    saved = bundle / "transformers" / "self_attention.ipynb"
    page.keyboard.press("Control+s")
    wait_for(page, saved, "transpose(0, 1)")
    assert_full_marks(saved, tmp_path)


FOREVER = """\
import time

def multi_head_self_attention(h_in, WQ, WK, WV):
    while True:
        time.sleep(0.01)"""


@pytest.mark.parametrize("front_end", ["jupyterlab", "notebook"])
def test_a_long_check_shows_progress_and_an_interrupt_leaves_the_notebook_usable(
    lab, page, tmp_path, front_end
):
    bundle = release(tmp_path)
    open_notebook(lab(bundle, front_end), page)
    function = cell(page, f"def {PART}")
    answer(page, function, FOREVER)
    panel = check(page, PART)
    checked = cell(page, f'check("self_attention", "{PART}")')
    status = checked.locator("[role=status]")
    expect(status).to_contain_text("case 1 of 3, two heads on a short sequence", timeout=SLOW)
    page.get_by_role("menuitem", name="Kernel").click()
    page.get_by_role("menuitem", name="Interrupt Kernel").click()
    expect(panel).to_contain_text("stopped; 0 of 3 visible cases passed so far", timeout=SLOW)
    expect(status).to_have_count(0)

    answer(page, function, RIGHT)
    expect(check(page, PART)).to_contain_text("all 3 visible cases pass", timeout=SLOW)

    # Changed and saved, but not run again: the check is of what was run.
    write(page, function, WRONG)
    page.keyboard.press("Control+s")
    wait_for(page, bundle / "transformers" / "self_attention.ipynb", "permute(1, 2, 0)")
    slip = check(page, PART).locator(".slip")
    expect(slip).to_contain_text("was changed after it was run: run it again", timeout=SLOW)


def wait_for(page: Page, path: Path, text: str) -> None:
    while text not in path.read_text(encoding="utf-8"):
        page.wait_for_timeout(100)


def assert_full_marks(saved: Path, tmp_path: Path) -> None:
    handed_in = tmp_path / "submitted" / "ada" / "transformers" / saved.name
    handed_in.parent.mkdir(parents=True)
    handed_in.write_bytes(saved.read_bytes())
    done = autograder("grade", tmp_path / "submitted", "--out", tmp_path / "graded", "--workers", 1)
    assert done.returncode == 0, done.stderr
    rows = [json.loads(line) for line in (tmp_path / "graded" / "results.jsonl").read_text().splitlines()]
    assert [(row["score"], row["max_score"]) for row in rows] == [(6, 6), (2, 2), (2, 2)]
