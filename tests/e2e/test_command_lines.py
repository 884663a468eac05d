"""Every command line of the docs is given as it stands there, in a folder that has what it speaks of."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.classroom.machines import Machines
from tests.conftest import ROOT
from tests.test_docs import PAGES, command_lines

pytestmark = pytest.mark.e2e

# The tutorial's lines are given by its own script, and the proof of the whole course by `make verify`.
ELSEWHERE = {"autograder verify"}
LINES = sorted(
    {line for page in PAGES if page.stem != "tutorial" for line in command_lines(page.read_text())}
)
SHEET = """# Week 1

**Problem 1.** How does the time of adding $n$ numbers one after another grow, in $n$?

**Solution:** $O(n)$
"""


def turn(line: str) -> tuple[int, str]:
    """A class is graded before its marks are exported; problems that are only begun come last."""
    begins = line.startswith(("autograder new", "autograder draft", "autograder import"))
    return (0 if line.startswith("autograder grade") else 2 if begins else 1, line)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A course with a small class in it, under each of the names that the docs give it."""
    folder = tmp_path_factory.mktemp("course")
    for name in ("problems", "solutions"):
        shutil.copytree(ROOT / name, folder / name)
    for student in ("ada", "boris"):
        work = ROOT / "examples" / "submitted" / student
        shutil.copytree(work, folder / "submitted" / student)
        shutil.copytree(work, folder / "SUBMITTED" / student)
    shutil.make_archive(str(folder / "class"), "zip", folder / "submitted")
    shutil.copy(ROOT / "notebooks/transformers/self_attention.ipynb", folder / "NOTEBOOK")
    shutil.copy(ROOT / "notebooks/transformers/self_attention.ipynb", folder / "NOTEBOOK.ipynb")
    (folder / "SHEET.md").write_text(SHEET)
    key = '{"kind": "growth", "answer": "O(n)", "reference": "n", "variables": ["n"]}'
    (folder / "answers.jsonl").write_text(key + "\n")
    return folder


@pytest.fixture(scope="module")
def scheduler(folder: Path) -> Iterator[str]:
    machines = Machines(folder)
    machines.start_worker()
    yield machines.address
    machines.stop()


@pytest.fixture(scope="module")
def environment() -> dict[str, str]:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return {**os.environ, "PATH": path, "PYTHONUNBUFFERED": "1"}


def test_every_command_line_of_the_docs_does_what_it_says(folder, environment, scheduler, postgres):
    for line in sorted(LINES, key=turn):
        if line in ELSEWHERE or line.startswith("autograder desk"):
            continue
        here = line.replace("tcp://HOST:8786", scheduler)
        here = re.sub(r"postgresql\S+", f"'{postgres}'", here).replace("NOTEBOOK", "NOTEBOOK.ipynb")
        done = subprocess.run(
            ["bash", "-c", here], cwd=folder, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, f"{line}\n{done.stdout[-2000:]}{done.stderr[-2000:]}"
    with subprocess.Popen(
        ["autograder", "desk", "OUT", "--no-browser"],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
    ) as desk:
        assert desk.stdout is not None
        assert "the desk is open at http://127.0.0.1:" in desk.stdout.readline()
        desk.send_signal(signal.SIGINT)
        assert desk.wait() == 0


def test_the_docs_have_command_lines():
    assert len(LINES) > 15
