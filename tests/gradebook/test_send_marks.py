"""The process that writes the gradebook may die or fail: grading goes on, and the marks get there."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys

import pytest

from autograder.classroom.find_hand_ins import find_handins
from autograder.classroom.grade_class import grade_class
from autograder.classroom.settings_and_outcome import Settings
from autograder.errors import UsageError
from autograder.gradebook.send_marks import GradebookGoneError, GradebookWriter
from autograder.sandbox import process_activity

RIGHT = "def scores(q, k):\n    return torch.softmax(q @ k.T, dim=1)"


@pytest.fixture
def submitted(tmp_path, notebook):
    for student in ("ada", "boris"):
        path = tmp_path / "submitted" / student / "basics" / "scores.ipynb"
        path.parent.mkdir(parents=True)
        path.write_bytes(notebook(scores=RIGHT))
    return tmp_path / "submitted"


@pytest.fixture
def lost(monkeypatch):
    """Lets the processes that write gradebooks be lost: how many, and by which signal. Tells which were."""
    monkeypatch.setattr(process_activity, "STOPPED_SECONDS", 0.1)

    def lose(most, signum=signal.SIGKILL):
        pids = []

        class Mortal(GradebookWriter):
            def add(self, *report):
                super().add(*report)
                if len(pids) < most and self._process.pid not in pids:
                    pids.append(self._process.pid)
                    os.kill(self._process.pid, signum)

        monkeypatch.setattr("autograder.classroom.grade_class.GradebookWriter", Mortal)
        return pids

    return lose


@pytest.mark.parametrize(
    ("most", "signum"),
    [(1, signal.SIGKILL), (1, signal.SIGSTOP), (2, signal.SIGKILL)],
    ids=["killed", "stopped", "killed twice"],
)
def test_a_gradebook_whose_process_is_lost_is_written_by_another(
    small, submitted, tmp_path, lost, most, signum
):
    pids = lost(most, signum)
    found, out = find_handins(submitted, small), tmp_path / "out"
    outcome = grade_class(small, found, Settings(out, gradebook=True), lambda report: None)
    assert (len(pids), len(outcome.reports)) == (most, 2)
    with sqlite3.connect(out / "gradebook.db") as book:
        assert sorted(book.execute("select student_id from submitted_assignment")) == [("ada",), ("boris",)]
    assert "the gradebook's process is gone" in (out / "faults.log").read_text()


def test_a_gradebook_whose_processes_are_always_lost_is_told_and_written_by_the_next_run(
    small, submitted, tmp_path, lost
):
    found, out = find_handins(submitted, small), tmp_path / "out"
    lost(3)
    with pytest.raises(UsageError, match=r"ended 3 times over; everything else is written: run the same"):
        grade_class(small, found, Settings(out, gradebook=True), lambda report: None)
    assert len((out / "results.jsonl").read_text().splitlines()) == 6
    lost(0)
    outcome = grade_class(small, found, Settings(out, gradebook=True), lambda report: None)
    assert outcome.graded == 0
    with sqlite3.connect(out / "gradebook.db") as book:
        assert sorted(book.execute("select student_id from submitted_assignment")) == [("ada",), ("boris",)]


def test_a_gradebook_that_cannot_be_written_is_told_when_all_else_is(small, submitted, tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    (out / "gradebook.db").write_text("no database, however one reads it; and long enough to be looked at")
    found = find_handins(submitted, small)
    with pytest.raises(UsageError, match=r"cannot be used: .*everything else is written"):
        grade_class(small, found, Settings(out, gradebook=True), lambda report: None)
    assert len((out / "results.jsonl").read_text().splitlines()) == 6
    assert (out / "report.html").is_file()


def test_a_process_that_says_nothing_at_its_end_is_gone(small, tmp_path):
    with GradebookWriter(small.root, tmp_path, ["basics"]) as writer:
        writer._put(b"no JSON")
        with pytest.raises((GradebookGoneError, UsageError), match=r"exit code|cannot be written"):
            writer.close()


def test_the_process_of_the_gradebook_imports_no_notebook_server():
    program = (
        "import sys; from autograder.light_imports import *; import_lightly(); without_notebook_server();"
        "import autograder.gradebook.gradebook_process;"
        "print({'jupyter_server', 'notebook', 'nbconvert', 'torch'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
