"""One class, one answer: the same bytes under any hash seed, number of workers, order, resumption and cluster."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.pages.classes import without_timings

SUBMITTED = ROOT / "examples" / "submitted"


@pytest.fixture
def submitted(tmp_path):
    """Some of the made-up class, one whose feedback once hung on the hash seed, and an empty folder."""
    folder = tmp_path / "submitted"
    for student in ("ada", "boris", "goran"):
        shutil.copytree(SUBMITTED / student, folder / student)
    notebook = folder / "ivo" / "transformers" / "self_attention.ipynb"
    notebook.parent.mkdir(parents=True)
    text = (SUBMITTED / "boris" / "transformers" / "self_attention.ipynb").read_text()
    assert "O(J + ln T)" in text
    notebook.write_text(text.replace("O(J + ln T)", "O(ln T ln J)"))
    (folder / "dora").mkdir()
    return folder


def autograder(*words, seed):
    command = [sys.executable, "-m", "autograder", *map(str, words)]
    env = {**os.environ, "PYTHONHASHSEED": str(seed), "AUTOGRADER_SECRET": "of this test"}
    return subprocess.run(command, env=env, capture_output=True, text=True, check=True)


def grade(submitted, out, *options, seed):
    autograder("grade", submitted, "--out", out, "--course", ROOT, "--no-gradebook", *options, seed=seed)
    return results(out)


def results(out: Path) -> dict[str, str]:
    """All that is read of a run; of the report, without the one section of measured times."""
    names = ["results.jsonl", "grades.csv", "skipped.txt"]
    files = [*(out / name for name in names), *sorted((out / "feedback").rglob("*.html"))]
    found = {path.relative_to(out).as_posix(): path.read_text() for path in files}
    return {**found, "report.html": without_timings((out / "report.html").read_text())}


def test_a_class_gets_the_same_bytes_however_it_is_graded(submitted, tmp_path):
    whole = grade(submitted, tmp_path / "whole", "--workers", "1", seed=0)
    assert len(whole) == 12
    assert '"missing"' in whole["results.jsonl"]

    # From a folder in which the students lie in another order, by more workers than one.
    other = tmp_path / "other"
    for student in sorted((path.name for path in submitted.iterdir()), reverse=True):
        shutil.copytree(submitted / student, other / student)
    assert grade(other, tmp_path / "order", "--workers", "3", seed=1) == whole

    # Stopped after the first report, and gone on with under another seed and with other workers.
    resumed = tmp_path / "resumed"
    shutil.copytree(tmp_path / "whole", resumed)
    lines = (resumed / "journal.jsonl").read_bytes().splitlines(keepends=True)
    (resumed / "journal.jsonl").write_bytes(lines[-1] + lines[0][:40])
    shutil.rmtree(resumed / "feedback" / "ada")
    assert grade(submitted, resumed, "--workers", "2", seed=2) == whole

    # Graded again, by the workers of a cluster.
    assert grade(submitted, resumed, "--regrade", "--cluster", "local:2", seed=3) == whole

    # The report alone: the very page that grading wrote, times included.
    page = (resumed / "report.html").read_bytes()
    (resumed / "report.html").unlink()
    autograder("report", resumed, "--course", ROOT, seed=4)
    assert (resumed / "report.html").read_bytes() == page
