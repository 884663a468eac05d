"""Worker processes: forks where a fork can grade, new processes elsewhere, and an end to the run without one."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

from autograder.classroom.find import find_handins
from autograder.classroom.pool import Crew
from autograder.errors import UsageError
from tests.conftest import SMALL

RIGHT = "def scores(q, k):\n    return torch.softmax(q @ k.T, dim=1)"
STUDENTS = ["ada", "boris", "chen", "dana"]

# Everything in a process of its own: forks can grade there, whatever this one has done before.
GRADE = """
import sys, threading
from pathlib import Path
from autograder.classroom.find import find_handins
from autograder.classroom.pool import Crew, forks
from autograder.course import load_course

course, submitted, out, before = load_course(Path(sys.argv[1])), Path(sys.argv[2]), Path(sys.argv[3]), sys.argv[4]
if before == "a thread":
    threading.Thread(target=threading.Event().wait, daemon=True).start()
print(forks(), flush=True)
with Crew(course, {}, out, 2) as crew:
    for handin, report, _ in crew.grade(find_handins(submitted, course).handins):
        print(handin.student, [float(part["score"]) for part in report["parts"]])
"""


@pytest.fixture
def submitted(tmp_path, notebook):
    for n, student in enumerate(STUDENTS):
        path = tmp_path / "submitted" / student / "basics" / "scores.ipynb"
        path.parent.mkdir(parents=True)
        path.write_bytes(notebook(scores=RIGHT.replace("1", str(n % 2)), axis='axis = "a"'))
    return tmp_path / "submitted"


@pytest.mark.parametrize(("before", "forked"), [("nothing", "True"), ("a thread", "False")])
def test_a_process_that_cannot_be_forked_starts_new_ones_with_the_same_marks(
    submitted, tmp_path, before, forked
):
    command = [sys.executable, "-c", GRADE, str(SMALL), str(submitted), str(tmp_path / "out"), before]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    said, *marks = done.stdout.splitlines()
    assert said == forked
    assert sorted(marks) == [
        "ada [0.0, 1.0, 0.0]", "boris [3.0, 1.0, 0.0]", "chen [0.0, 1.0, 0.0]", "dana [3.0, 1.0, 0.0]",
    ]  # fmt: skip
    pages = sorted(path.parts[-3] for path in (tmp_path / "out" / "feedback").rglob("scores.html"))
    assert pages == STUDENTS


def test_a_worker_that_is_killed_ends_the_run_and_names_the_notebook(small, submitted, tmp_path):
    handins = find_handins(submitted, small).handins
    with Crew(small, {}, tmp_path / "out", 1) as crew:
        reports = crew.grade(handins)
        next(reports)
        (process,) = crew._pipes.values()
        os.kill(process.pid, signal.SIGKILL)
        process.join()
        # What it had finished by then may still be in the pipe.
        with pytest.raises(UsageError, match=r"a grading process ended \(exit code -9\) at .*scores\.ipynb"):
            list(reports)


def test_a_notebook_that_is_gone_by_now_is_unreadable_and_the_others_are_graded(small, submitted, tmp_path):
    handins = find_handins(submitted, small).handins
    (submitted / "boris" / "basics" / "scores.ipynb").unlink()
    with Crew(small, {}, tmp_path / "out", 2) as crew:
        statuses = {handin.student: report["parts"][0]["status"] for handin, report, _ in crew.grade(handins)}
    assert statuses == {"ada": "graded", "boris": "unreadable", "chen": "graded", "dana": "graded"}


def test_why_a_worker_failed_is_told_and_what_it_graded_before_is_kept(small, submitted, tmp_path):
    (tmp_path / "out" / "feedback").mkdir(parents=True)
    (tmp_path / "out" / "feedback" / "boris").write_text("not a folder")
    handins = find_handins(submitted, small).handins
    with Crew(small, {}, tmp_path / "out", 1) as crew:
        reports = crew.grade(handins)
        started, seen = next(reports), []
        time.sleep(2)  # it fails on the second one meanwhile, and is gone when it is sent the fourth
        with pytest.raises(UsageError, match=r"cannot write .*boris"):
            seen.extend(reports)
    assert started[0].student == "ada"
    assert seen == []
