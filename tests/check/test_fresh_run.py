"""`autograder check NOTEBOOK`: a fresh run from a terminal, its words, its JSON and its exit codes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.release.handout_file import encode

RIGHT = {
    "scores": "def scores(q, k):\n    return torch.softmax(q @ k.T, dim=1)",
    "axis": 'axis = "b"',
    "why": "Weights should be positive.",
}


@pytest.fixture
def folder(handout, tmp_path) -> Path:
    (tmp_path / "checks").mkdir()
    (tmp_path / "checks" / "scores.safetensors").write_bytes(encode(handout))
    return tmp_path


def run(path: Path, *options: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "autograder", "check", str(path), *options]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, encoding="utf-8")


def save(folder: Path, data: bytes, name: str = "scores.ipynb") -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


def test_a_finished_notebook_exits_0(folder, notebook):
    done = run(save(folder, notebook(**RIGHT)))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[:2] == [
        "Attention scores: 1 of 1 function passes its visible cases; 2 of 2 answers can be read; "
        "marked after you hand in",
        "✓ scores: the visible case passes (3 points)",
    ]


def test_a_right_answer_is_not_told_from_a_wrong_one(folder, notebook):
    first, second = (
        run(save(folder, notebook(**{**RIGHT, "axis": f'axis = "{label}"'}))).returncode for label in "ab"
    )
    assert first == second == 0


def test_an_untouched_notebook_exits_1_and_shows_no_traceback(folder, notebook):
    done = run(save(folder, notebook()), "--json")
    assert done.returncode == 1
    panel = json.loads(done.stdout)
    assert panel["passed"] is False
    assert [part["state"] for part in panel["parts"]] == ["unanswered"] * 3
    assert "Traceback" not in done.stderr


def test_cells_run_as_in_a_notebook_and_those_that_stop_are_named(folder, notebook):
    axis = "%time 1 + 1\nprint('noise')\naxis = 'a'"
    why_not = "def scores(q, k):\n    return torch.softmax(q @ k.T, dim=1)\n1 / 0"
    done = run(save(folder, notebook(**{**RIGHT, "scores": why_not, "axis": axis})))
    assert done.returncode == 0
    assert "noise" not in done.stdout
    assert "! cell 4 stops: ZeroDivisionError: division by zero" in done.stdout


@pytest.mark.parametrize(
    ("axis", "says"),
    [
        (
            "axis = a",
            "  ! cell 7 stops before axis is set: NameError: name 'a' is not defined "
            '(is the answer in quotes? write axis = "…")',
        ),
        ("# nothing", '  ! no cell sets axis: the answer cell was changed; it should say axis = "…"'),
        (
            "axis = “b”",
            "    line 1: “ is a quotation mark of a text editor: type a straight one, \" or '",
        ),
    ],
    ids=["no-quotes", "not-set", "smart-quotes"],
)
def test_after_running_all_cells_none_is_asked_to_be_run(folder, notebook, axis, says):
    done = run(save(folder, notebook(**{**RIGHT, "axis": axis})))
    assert done.returncode == 1
    assert says in done.stdout.splitlines()
    assert "run its answer cell" not in done.stdout
    assert done.stdout.count("axis is set") <= 1


def test_a_stub_left_beside_the_answer_does_not_undo_it(folder, edited):
    def answer_above(cells):
        where = next(n for n, cell in enumerate(cells) if cell["id"] == "scores")
        cells.insert(where, {"cell_type": "code", "metadata": {}, "source": RIGHT["scores"], "outputs": []})

    done = run(save(folder, edited(answer_above, axis=RIGHT["axis"], why=RIGHT["why"])))
    assert "✓ scores: the visible case passes" in done.stdout
    assert "delete the one that still stands as handed out" in done.stdout


def test_a_notebook_of_another_name_is_known_by_what_it_says_of_itself(folder, notebook):
    assert run(save(folder, notebook(**RIGHT), "my homework (1).ipynb"), cwd=folder).returncode == 0


def test_a_helper_file_beside_the_notebook_can_be_imported(folder, notebook):
    (folder / "mine.py").write_text("def scores(q, k):\n    return (q @ k.T).softmax(1)\n")
    done = run(save(folder, notebook(**{**RIGHT, "scores": "from mine import scores"})))
    assert done.returncode == 0


@pytest.mark.parametrize(
    ("name", "data", "says"),
    [
        ("absent.ipynb", None, "is not a file; name a notebook"),
        ("broken.ipynb", b"{", "is not a notebook that can be read"),
        ("other.ipynb", b'{"nbformat": 4, "cells": []}', "is none of the notebooks that were handed out"),
    ],
    ids=["absent", "broken", "no-data"],
)
def test_what_cannot_be_checked_exits_2(folder, name, data, says):
    path = save(folder, data, name) if data is not None else folder / name
    done = run(path)
    assert done.returncode == 2
    assert says in done.stderr


def test_a_notebook_that_ends_its_process_is_told(folder, notebook):
    done = run(save(folder, notebook(**{**RIGHT, "axis": "import os\nos._exit(3)"})))
    assert done.returncode == 2
    assert "ended the process that ran it" in done.stderr
