"""One class, one answer: the same bytes under any hash seed, number of workers, order, resumption and regrade."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.pages.overview import without_timings
from tests.conftest import SMALL

RIGHT = "def scores(q, k):\n    return torch.softmax(q @ k.T, dim=1)"
CLASS = {
    "ada": {"scores": RIGHT, "axis": 'axis = "a"', "why": "Because."},
    "boris": {"scores": RIGHT.replace("dim=1", "dim=0"), "axis": 'axis = "b"'},
    "chen": {"scores": "def scores(q, k): return 1 / 0"},
}


@pytest.fixture
def submitted(tmp_path, notebook):
    for student, answers in CLASS.items():
        path = tmp_path / "submitted" / student / "basics" / "scores.ipynb"
        path.parent.mkdir(parents=True)
        path.write_bytes(notebook(**answers))
    (tmp_path / "submitted" / "dora").mkdir()
    return tmp_path / "submitted"


def autograder(*words, seed="0"):
    command = [sys.executable, "-m", "autograder", *map(str, words)]
    env = {**os.environ, "PYTHONHASHSEED": seed}
    return subprocess.run(command, env=env, capture_output=True, text=True, check=True)


def grade(submitted, out, *options, seed="0"):
    autograder("grade", submitted, "--out", out, "--course", SMALL, "--no-gradebook", *options, seed=seed)
    return results(out)


def results(out: Path) -> dict[str, str]:
    """All that is read of a run; of the report, without the one section of measured times."""
    names = ["results.jsonl", "grades.csv", "skipped.txt"]
    files = [*(out / name for name in names), *sorted((out / "feedback").rglob("*.html"))]
    found = {path.relative_to(out).as_posix(): path.read_text() for path in files}
    return {**found, "report.html": without_timings((out / "report.html").read_text())}


def test_a_class_gets_the_same_bytes_however_it_is_graded(submitted, tmp_path):
    whole = grade(submitted, tmp_path / "whole", "--workers", "1")
    assert len(whole) == 8
    assert '"missing"' in whole["results.jsonl"]
    assert grade(submitted, tmp_path / "other seed", "--workers", "3", seed="1") == whole

    # Stopped after the first report, and gone on with under another seed and with other workers.
    resumed = tmp_path / "resumed"
    shutil.copytree(tmp_path / "whole", resumed)
    lines = (resumed / "journal.jsonl").read_bytes().splitlines(keepends=True)
    (resumed / "journal.jsonl").write_bytes(lines[-1] + lines[0][:40])
    shutil.rmtree(resumed / "feedback" / "ada")
    assert grade(submitted, resumed, "--workers", "2", seed="2") == whole

    # Regraded, from a folder in which the students lie in another order.
    again = tmp_path / "again"
    for student in sorted((path.name for path in submitted.iterdir()), reverse=True):
        shutil.copytree(submitted / student, again / student)
    assert grade(again, resumed, "--regrade", "--workers", "2", seed="3") == whole

    # The report alone: the very page that grading wrote, times included.
    page = (resumed / "report.html").read_bytes()
    (resumed / "report.html").unlink()
    autograder("report", resumed, "--course", SMALL, seed="4")
    assert (resumed / "report.html").read_bytes() == page
