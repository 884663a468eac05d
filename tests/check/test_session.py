"""`autograder check NOTEBOOK`: a fresh run from a terminal, its words, its JSON and its exit codes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.check.store import encode

RIGHT = {
    "scores": "def scores(q, k):\n    return torch.softmax(q @ k.T, dim=1)",
    "axis": 'axis = "b"',
    "why": "Weights should be positive.",
}


@pytest.fixture
def desk(sheet, tmp_path) -> Path:
    (tmp_path / "checks").mkdir()
    (tmp_path / "checks" / "scores.safetensors").write_bytes(encode(sheet))
    return tmp_path


def run(path: Path, *options: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "autograder", "check", str(path), *options]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, timeout=120, encoding="utf-8")


def save(folder: Path, data: bytes, name: str = "scores.ipynb") -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


def test_a_finished_notebook_exits_0(desk, notebook):
    done = run(save(desk, notebook(**RIGHT)))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[:2] == [
        "Attention scores: 3 of 3 parts ready, worth 6 of 6 points",
        "✓ scores: the visible case passes (3 points)",
    ]


def test_a_right_answer_is_not_told_from_a_wrong_one(desk, notebook):
    first, second = (
        run(save(desk, notebook(**{**RIGHT, "axis": f'axis = "{label}"'}))).returncode for label in "ab"
    )
    assert first == second == 0


def test_an_untouched_notebook_exits_1_and_shows_no_traceback(desk, notebook):
    done = run(save(desk, notebook()), "--json")
    assert done.returncode == 1
    panel = json.loads(done.stdout)
    assert panel["passed"] is False
    assert [part["state"] for part in panel["parts"]] == ["unanswered"] * 3
    assert "Traceback" not in done.stderr


def test_cells_run_as_in_a_notebook_and_those_that_stop_are_named(desk, notebook):
    axis = "%time 1 + 1\nprint('noise')\naxis = 'a'"
    why_not = "def scores(q, k):\n    return torch.softmax(q @ k.T, dim=1)\n1 / 0"
    done = run(save(desk, notebook(**{**RIGHT, "scores": why_not, "axis": axis})))
    assert done.returncode == 0
    assert "noise" not in done.stdout
    assert "! cell 4 stops: ZeroDivisionError: division by zero" in done.stdout


def test_a_stub_left_beside_the_answer_does_not_undo_it(desk, edited):
    def answer_above(cells):
        where = next(n for n, cell in enumerate(cells) if cell["id"] == "scores")
        cells.insert(where, {"cell_type": "code", "metadata": {}, "source": RIGHT["scores"], "outputs": []})

    done = run(save(desk, edited(answer_above, axis=RIGHT["axis"], why=RIGHT["why"])))
    assert "✓ scores: the visible case passes" in done.stdout
    assert "delete the one that still stands as handed out" in done.stdout


def test_a_notebook_of_another_name_is_known_by_what_it_says_of_itself(desk, notebook):
    assert run(save(desk, notebook(**RIGHT), "my homework (1).ipynb"), cwd=desk).returncode == 0


def test_a_helper_file_beside_the_notebook_can_be_imported(desk, notebook):
    (desk / "mine.py").write_text("def scores(q, k):\n    return (q @ k.T).softmax(1)\n")
    done = run(save(desk, notebook(**{**RIGHT, "scores": "from mine import scores"})))
    assert done.returncode == 0


@pytest.mark.parametrize(
    ("name", "data", "says"),
    [
        ("absent.ipynb", None, "is not a file; name a notebook"),
        ("broken.ipynb", b"{", "cannot be read as a notebook"),
        ("other.ipynb", b'{"nbformat": 4, "cells": []}', "other.safetensors in it"),
    ],
    ids=["absent", "broken", "no-data"],
)
def test_what_cannot_be_checked_exits_2(desk, name, data, says):
    path = save(desk, data, name) if data is not None else desk / name
    done = run(path)
    assert done.returncode == 2
    assert says in done.stderr


def test_a_notebook_that_ends_its_process_is_told(desk, notebook):
    done = run(save(desk, notebook(**{**RIGHT, "axis": "import os\nos._exit(3)"})))
    assert done.returncode == 2
    assert "ended the process that ran it" in done.stderr
