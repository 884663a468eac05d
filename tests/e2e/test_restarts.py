"""A muddled afternoon in JupyterLab and in Notebook 7: cells out of order, endless loops, kernels started anew."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.conftest import Lab
from tests.e2e.test_student_desk import (
    PART,
    RIGHT,
    SLOW,
    answer,
    cell,
    check,
    open_notebook,
    release,
    run,
    run_first_cell,
    wait_for,
)

pytestmark = pytest.mark.e2e

NOTEBOOK = Path("transformers") / "self_attention.ipynb"
ENDLESS = f"def {PART}(h_in, WQ, WK, WV):\n    while True:\n        pass"
# What the answer cell needs is set by a cell at the end of the notebook.
BELOW = "own_axis = -1"
NEEDS_BELOW = f"axis = own_axis\n\n{RIGHT.replace('dim=-1', 'dim=axis')}"


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What students are handed, with a cell of the student's own at the end of the notebook."""
    made = release(tmp_path_factory.mktemp("released"))
    data = json.loads((made / NOTEBOOK).read_text(encoding="utf-8"))
    own = {"cell_type": "code", "id": "own", "metadata": {}, "outputs": [], "execution_count": None}
    data["cells"].append({**own, "source": BELOW})
    (made / NOTEBOOK).write_text(json.dumps(data), encoding="utf-8")
    return made


def choose(page: Page, menu: str, item: str) -> None:
    page.get_by_role("menuitem", name=menu, exact=True).click()
    page.get_by_role("menuitem", name=item).first.click()


def restart(page: Page) -> None:
    """A new kernel, which knows nothing; then the first cell."""
    choose(page, "Kernel", "Restart Kernel and Clear Outputs of All Cells…")
    page.get_by_role("dialog").get_by_role("button", name="Confirm Kernel Restart").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    run_first_cell(page)


def slip(panel: Locator, text: str) -> None:
    expect(panel.locator(".slip").filter(has_text=text)).to_be_visible(timeout=SLOW)


def save(page: Page, path: Path, text: str) -> None:
    page.keyboard.press("Control+s")
    wait_for(page, path, text)


def test_a_muddled_afternoon_ends_with_a_right_check(lab, page, tmp_path, bundle):
    """One server shows the same notebook in both front ends, each with a copy and a kernel of its own."""
    folder = tmp_path / "work"
    for front_end in ("lab", "notebook"):
        shutil.copytree(bundle, folder / front_end)
    server = lab(folder, "notebook")
    for front_end, tree in (("notebook", "notebooks/notebook"), ("lab", "lab/tree/lab")):
        muddle(replace(server, tree=tree), page, folder / front_end / NOTEBOOK)


def muddle(opened: Lab, page: Page, file: Path) -> None:
    open_notebook(opened, page)
    function, own = cell(page, f"def {PART}"), cell(page, BELOW)

    # The check before the answer.
    slip(check(page, PART), f"{PART} is not there yet: run its answer cell first")

    # A function that never ends is stopped, and so is a cell.
    answer(page, function, ENDLESS)
    panel = check(page, PART)
    status = cell(page, f'check("self_attention", "{PART}")').locator("[role=status]")
    expect(status).to_contain_text("case 1 of 3, two heads on a short sequence", timeout=SLOW)
    choose(page, "Kernel", "Interrupt Kernel")
    expect(panel).to_contain_text("stopped; 0 of 3 visible cases passed so far", timeout=SLOW)
    answer(page, function, f"while True:\n    pass\n{RIGHT}")
    expect(function.locator(".jp-InputPrompt")).to_have_text("[*]:", timeout=SLOW)
    choose(page, "Kernel", "Interrupt Kernel")
    expect(function.locator(".jp-OutputArea")).to_contain_text("KeyboardInterrupt", timeout=SLOW)
    slip(
        check(page, PART), f"the cell of {PART} was run again and did not get to its end (KeyboardInterrupt)"
    )

    # Cells out of order: it works now, and would not when the notebook is run from its top.
    run(page, own)
    answer(page, function, NEEDS_BELOW)
    save(page, file, "axis = own_axis")
    panel = check(page, PART)
    expect(panel).to_contain_text("all 3 visible cases pass", timeout=SLOW)
    slip(panel, f"the cell of {PART} uses own_axis, which a cell below it sets")

    # A kernel started anew has forgotten the answer, and says so; then again in the middle of an endless loop.
    restart(page)
    slip(check(page, PART), f"{PART} is not there yet: run its answer cell first")
    run(page, function)
    expect(function.locator(".jp-OutputArea")).to_contain_text("name 'own_axis' is not defined", timeout=SLOW)
    slip(check(page, PART), f"its cell stops before {PART} is set: NameError: name 'own_axis' is not defined")
    answer(page, function, ENDLESS)
    check(page, PART)
    expect(status).to_contain_text("case 1 of 3", timeout=SLOW)
    restart(page)
    answer(page, function, RIGHT)
    panel = check(page, PART)
    expect(panel).to_contain_text("all 3 visible cases pass", timeout=SLOW)
    save(page, file, "transpose(0, 1)")
    expect(check(page, PART).locator(".slip")).to_have_count(0)
