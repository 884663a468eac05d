"""The real command, killed at twenty random moments of a class, ends with the same bytes as one left alone."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time

import pytest

from tests.classroom.test_stopped import results_of
from tests.conftest import SMALL

pytestmark = pytest.mark.e2e

KILLS = 20
SCORES = "def scores(q, k):\n    import time\n    time.sleep(0.05)\n    return torch.softmax(q @ k.T, dim={})"


@pytest.fixture
def submitted(tmp_path, notebook):
    folder = tmp_path / "submitted"
    for n in range(60):
        path = folder / f"student{n:02}" / "basics" / "scores.ipynb"
        path.parent.mkdir(parents=True)
        path.write_bytes(notebook(scores=SCORES.format(n % 2), axis=f'axis = "{"ab"[n % 3 % 2]}"'))
    return folder


def command(submitted, out):
    words = ["grade", str(submitted), "--out", str(out), "--course", str(SMALL), "--workers", "2"]
    return [sys.executable, "-m", "autograder", *words]


def test_twenty_kills_change_nothing(submitted, tmp_path):
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    subprocess.run(command(submitted, whole), check=True, capture_output=True)
    moments = random.Random(20)
    journal = killed / "journal.jsonl"
    for _ in range(KILLS):
        done = journal.read_bytes().count(b"\n") if journal.exists() else 0
        process = subprocess.Popen(
            command(submitted, killed),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        # Wait until this run has graded something, so that the kill falls into the middle of its work.
        for _ in range(1200):
            if process.poll() is not None or (journal.exists() and journal.read_bytes().count(b"\n") > done):
                break
            time.sleep(0.05)
        time.sleep(moments.uniform(0, 0.3))
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    subprocess.run(command(submitted, killed), check=True, capture_output=True)
    assert results_of(killed) == results_of(whole)
