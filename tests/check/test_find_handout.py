"""Where a check finds its data, what it needs installed, and what it says where something is missing."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import autograder
from autograder.errors import UsageError
from autograder.release.handout_file import encode, find_handout
from tests.conftest import SMALL

# What only instructors install, and what only Linux or Unix has.
NOT_A_STUDENTS = ["sympy", "scipy", "nbgrader", "jinja2", "matplotlib", "sqlalchemy", "distributed"]
NOT_EVERYWHERE = ["fcntl", "resource", "pwd", "grp"]
BLOCKED = f"""
import sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {NOT_A_STUDENTS + NOT_EVERYWHERE}:
            raise ModuleNotFoundError(name)

sys.meta_path.insert(0, Blocked())
import torch
from autograder import check

def scores(q, k):
    return torch.softmax(q @ k.T, dim=1)

axis = "a"
panel = check("scores")
print(panel)
print(len(panel._repr_html_()) > 1000)
strange = [name for name in sys.modules if name.startswith(("autograder.sandbox", "autograder.grade"))]
assert not strange, strange
"""


@pytest.fixture
def bundled(handout, tmp_path) -> Path:
    """A folder as it is handed out: a notebook's folder with its checks."""
    folder = tmp_path / "basics"
    (folder / "checks").mkdir(parents=True)
    (folder / "checks" / "scores.safetensors").write_bytes(encode(handout))
    return folder


def python(code: str, folder: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        cwd=folder,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_data_beside_the_notebook_comes_first(bundled):
    assert find_handout("scores", bundled).title == "Attention scores"


def test_data_above_the_notebook_is_found_too(bundled):
    deeper = bundled / "my" / "copy"
    deeper.mkdir(parents=True)
    assert find_handout("scores", deeper).problem == "scores"


def test_new_data_is_read_again(bundled, handout):
    assert find_handout("scores", bundled).title == "Attention scores"
    path = bundled / "checks" / "scores.safetensors"
    path.write_bytes(encode(replace(handout, title="Another title")))
    assert find_handout("scores", bundled).title == "Another title"


def test_an_authors_course_gives_the_same_data(bundled):
    mine, theirs = find_handout("scores", SMALL), find_handout("scores", bundled)
    assert encode(mine) == encode(theirs)
    with pytest.raises(UsageError, match="the course has no problem 'nothing'; it has scores"):
        find_handout("nothing", SMALL)


def test_missing_data_says_where_to_put_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    panel = autograder.check("scores", "axis")
    assert "put the folder checks that was handed out, with scores.safetensors in it" in repr(panel)
    assert not panel.passed


def test_the_check_reads_the_names_of_the_cell_that_calls_it(bundled, monkeypatch):
    monkeypatch.chdir(bundled)
    names: dict = {"axis": "b"}
    exec("from autograder import check\npanel = check('scores', 'axis')", names)
    assert names["panel"].parts[0].headline == "read as (b), and can be marked"
    exec("from autograder.check import check\npanel = check('scores', 'axis')", names)
    assert names["panel"].parts[0].headline == "read as (b), and can be marked"


def test_the_base_install_checks_on_any_system_and_loads_nothing_of_grading(bundled):
    out = python(BLOCKED, bundled)
    assert "✓ scores: the visible case passes" in out
    assert out.endswith("True\n")
