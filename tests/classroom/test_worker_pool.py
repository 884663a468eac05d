"""Worker processes: forks where a fork can grade, new processes elsewhere, and an end to the run without one."""

from __future__ import annotations

import multiprocessing.spawn
import os
import signal
import subprocess
import sys
from itertools import islice

import pytest

from autograder.classroom import worker_pool
from autograder.classroom.find_hand_ins import find_handins
from autograder.classroom.worker_pool import Crew
from autograder.errors import UsageError
from autograder.grade.report import Status
from autograder.sandbox import process_activity
from tests.conftest import ROOT, SMALL

RIGHT = "def scores(q, k):\n    return torch.softmax(q @ k.T, dim=1)"
STUDENTS = ["ada", "boris", "chen", "dana"]

# Everything in a process of its own: forks can grade there, whatever this one has done before.
GRADE = """
import sys, threading
from pathlib import Path
from autograder.classroom.find_hand_ins import find_handins
from autograder.classroom.worker_pool import Crew, forks
from autograder.course.load import load_course

course, submitted, out, before = load_course(Path(sys.argv[1])), Path(sys.argv[2]), Path(sys.argv[3]), sys.argv[4]
if before == "a thread":
    threading.Thread(target=threading.Event().wait, daemon=True).start()
print(forks(), flush=True)
with Crew(course, {}, out, 2) as crew:
    for handin, report, _ in crew.grade(find_handins(submitted, course).handins):
        print(handin.student, [float(part.score) for part in report.parts])
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
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    said, *marks = done.stdout.splitlines()
    assert said == forked
    assert sorted(marks) == [
        "ada [0.0, 1.0, 0.0]", "boris [3.0, 1.0, 0.0]", "chen [0.0, 1.0, 0.0]", "dana [3.0, 1.0, 0.0]",
    ]  # fmt: skip
    pages = sorted(path.parts[-3] for path in (tmp_path / "out" / "feedback").rglob("scores.html"))
    assert pages == STUDENTS


@pytest.mark.parametrize("signum", [signal.SIGKILL, signal.SIGSTOP], ids=["killed", "stopped"])
def test_a_worker_that_dies_or_falls_silent_is_replaced(small, submitted, tmp_path, monkeypatch, signum):
    monkeypatch.setattr(process_activity, "STOPPED_SECONDS", 0.1)
    handins = find_handins(submitted, small).handins
    with Crew(small, {}, tmp_path / "out", 1) as crew:
        reports = crew.grade(handins)
        marks = {handin.student: scores(report) for handin, report, _ in islice(reports, 1)}
        (seat,) = crew._seats
        os.kill(seat.process.pid, signum)
        marks |= {handin.student: scores(report) for handin, report, _ in reports}
    assert marks == {
        "ada": [0, 1, 0], "boris": [3, 1, 0], "chen": [0, 1, 0], "dana": [3, 1, 0],
    }  # fmt: skip
    assert not seat.process.is_alive()


def test_a_notebook_that_loses_three_workers_is_left_to_a_person_and_not_for_good(
    small, submitted, tmp_path, monkeypatch
):
    obey = worker_pool._obey

    def deadly(order, worker, isolation):
        if order.student == "boris":
            os.kill(os.getpid(), signal.SIGKILL)
        return obey(order, worker, isolation)

    # The replacements are forked as well, so that they die of the same notebook.
    monkeypatch.setattr(worker_pool, "_obey", deadly)
    monkeypatch.setattr(Crew, "_spawn", lambda crew: crew._fork(None))
    handins = find_handins(submitted, small).handins
    with Crew(small, {}, tmp_path / "out", 1) as crew:
        found = {handin.student: report for handin, report, _ in crew.grade(handins)}
    assert sorted(found) == STUDENTS
    assert {part.status for part in found["boris"].parts} == {"manual"}
    assert {part.feedback for part in found["boris"].parts} == {
        "the process that graded this notebook ended three times: a person will look at it"
    }
    assert [student for student, report in found.items() if not report.final] == ["boris"]


def test_workers_that_end_one_after_another_end_the_run(small, submitted, tmp_path, monkeypatch):
    monkeypatch.setattr(worker_pool, "_obey", lambda *order: os._exit(3))
    monkeypatch.setattr(Crew, "_spawn", lambda crew: crew._fork(None))
    handins = find_handins(submitted, small).handins
    with (
        Crew(small, {}, tmp_path / "out", 1) as crew,
        pytest.raises(
            UsageError, match=r"8 grading processes ended one after another, the last at .*faults\.log"
        ),
    ):
        list(crew.grade(handins))


def scores(report):
    return [part.score for part in report.parts]


def test_a_notebook_that_is_gone_by_now_is_unreadable_and_the_others_are_graded(small, submitted, tmp_path):
    handins = find_handins(submitted, small).handins
    (submitted / "boris" / "basics" / "scores.ipynb").unlink()
    with Crew(small, {}, tmp_path / "out", 2) as crew:
        statuses = {handin.student: report.parts[0].status for handin, report, _ in crew.grade(handins)}
    assert statuses == {"ada": "graded", "boris": "unreadable", "chen": "graded", "dana": "graded"}


def test_why_a_worker_failed_is_told_and_what_it_graded_before_is_kept(small, submitted, tmp_path):
    (tmp_path / "out" / "feedback").mkdir(parents=True)
    (tmp_path / "out" / "feedback" / "boris").write_text("not a folder")
    handins = find_handins(submitted, small).handins
    with Crew(small, {}, tmp_path / "out", 1) as crew:
        reports = crew.grade(handins)
        started, seen = next(reports), []
        crew._seats[0].process.join()  # it fails on the second one, and is gone when it is sent the fourth
        with pytest.raises(UsageError, match=r"cannot write .*boris"):
            seen.extend(reports)
    assert started[0].student == "ada"
    assert seen == []


def test_a_new_process_that_ends_before_it_reads_holds_nobody_up(real, tmp_path, monkeypatch):
    path = tmp_path / "submitted" / "ada" / "transformers" / "self_attention.ipynb"
    path.parent.mkdir(parents=True)
    path.write_bytes((ROOT / "notebooks" / "transformers" / "self_attention.ipynb").read_bytes())
    monkeypatch.setattr(worker_pool, "forks", lambda: False)
    monkeypatch.setattr(multiprocessing.spawn, "_python_exe", b"/bin/false")
    handins = find_handins(tmp_path / "submitted", real).handins
    with Crew(real, {}, tmp_path / "out", 1) as crew:
        ((_, report, _),) = crew.grade(handins)
    assert {part.status for part in report.parts} == {Status.MANUAL}
    assert all("ended three times" in part.feedback for part in report.parts)
