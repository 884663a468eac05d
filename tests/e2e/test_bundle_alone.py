"""What a student is handed, and nothing else: unpacked, installed as its README says, opened in the JupyterLab it brings."""

from __future__ import annotations

import os
import re
import subprocess
import zipfile
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.conftest import ROOT
from tests.e2e.test_student_desk import PART, RIGHT, SLOW, answer, autograder, cell, check, open_notebook

pytestmark = pytest.mark.e2e


def lines_for(system: str, readme: str) -> list[str]:
    """The command lines below the paragraph that speaks of a system."""
    found = re.search(rf"[Oo]n {system}[^\n]*:\n\n((?:    .*\n)+)", readme)
    assert found, f"the README has no lines for {system}"
    return [line.strip() for line in found[1].splitlines()]


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The zip unpacked, with the environment that its README has students make."""
    folder = tmp_path_factory.mktemp("student")
    made = autograder("release", folder / "week", "--set", "transformers", "--zip", "--course", ROOT)
    assert made.returncode == 0, made.stderr
    with zipfile.ZipFile(folder / "week.zip") as archive:
        archive.extractall(folder / "home")
    place = folder / "home" / "week"
    script = "\n".join(["set -e", *lines_for("macOS and Linux", (place / "README.md").read_text())])
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    # An index that cannot be reached is passed over at once: the pinned versions are the same on each.
    environment = {**clean, "PIP_RETRIES": "0"}
    done = subprocess.run(
        ["bash", "-c", script], cwd=place, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return place


def test_the_bundle_brings_what_opens_it(lab, page, bundle):
    server = lab(bundle, python=str(bundle / "env" / "bin" / "python"))
    open_notebook(server, page)
    function = cell(page, f"def {PART}")
    answer(page, function, RIGHT)
    expect(check(page, PART)).to_contain_text("all 3 visible cases pass", timeout=SLOW)


def test_the_readme_has_the_same_steps_for_windows(bundle):
    steps = lines_for("Windows, in a Command Prompt", (bundle / "README.md").read_text())
    assert steps[0].endswith("-m venv env")
    assert steps[-1] == "python -m pip install -r requirements.txt"
