"""Runs that are killed, interrupted or out of disk: nothing is lost, and the next run ends as if nothing was."""

from __future__ import annotations

import errno
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import time
import warnings
from dataclasses import replace
from pathlib import Path

import pytest

from autograder.classroom.find_hand_ins import find_handins
from autograder.classroom.grade_class import grade_class
from autograder.classroom.journal import Journal
from autograder.classroom.notebooks import digest_of
from autograder.classroom.settings_and_outcome import Settings
from autograder.errors import UsageError
from autograder.grade.report import Report
from tests.conftest import SMALL
from tests.sandbox.machine import below, still_there

RIGHT = "def scores(q, k):\n    return torch.softmax(q @ k.T, dim=1)"
STUDENTS = [f"student{n:02}" for n in range(12)]
KILLS, MOST = 20, 4


@pytest.fixture
def submitted(tmp_path, notebook):
    folder = tmp_path / "submitted"
    for n, student in enumerate(STUDENTS):
        path = folder / student / "basics" / "scores.ipynb"
        path.parent.mkdir(parents=True)
        path.write_bytes(notebook(scores=RIGHT.replace("1", str(n % 2)), axis=f'axis = "{"ab"[n % 3 % 2]}"'))
    return folder


def results_of(out: Path) -> dict[str, bytes]:
    """Everything a course reads; the journal and the times in the report are the run's own."""
    names = ["results.jsonl", "grades.csv", "skipped.txt"]
    files = [out / name for name in names] + sorted((out / "feedback").rglob("*"))
    return {str(path.relative_to(out)): path.read_bytes() for path in files if path.is_file()}


def grade(course, submitted, out, **options):
    return grade_class(course, find_handins(submitted, course), Settings(out, **options), lambda report: None)


def in_a_child(work) -> int:
    """Run something in a forked process of this one, and give its process id."""
    with warnings.catch_warnings():
        # Newer Pythons warn where libraries keep threads of their own; none of those is needed here.
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        try:
            work()
        finally:
            os._exit(0)
    return child


def test_twenty_kills_at_random_moments_change_nothing(small, submitted, tmp_path, monkeypatch):
    whole = tmp_path / "whole"
    grade(small, submitted, whole)
    with Journal(whole) as journal:
        reports = [journal.report(who) for who in journal.summaries]

    # Grading itself is replaced by its known outcome: what is killed here is the writing down.
    test = os.getpid()

    def graded(course, handins, settings, early):
        known = {report.student: report for report in reports}
        for number, handin in enumerate(handins):
            if number == MOST and os.getpid() != test:
                signal.pause()  # however late the kill comes, it falls into the run
            time.sleep(0.002)
            yield handin, known[handin.student], digest_of(handin.path)

    monkeypatch.setattr("autograder.classroom.grade_class._grade_without_crew", graded)
    dice = random.Random()
    out, progress = tmp_path / "killed", [0]
    for _ in range(KILLS):
        child = in_a_child(lambda: grade(small, submitted, out))
        # Some way into the run, however slow the machine is, and then a moment more or less.
        lines, ended = progress[-1] + dice.randint(0, 2), False
        while journal_lines(out) < min(lines, len(STUDENTS)) and not ended:
            ended = os.waitpid(child, os.WNOHANG) != (0, 0)
        time.sleep(dice.uniform(0, 0.02))
        if not ended:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        progress.append(journal_lines(out))
    assert progress == sorted(progress)
    assert len(set(progress)) > 3, "the kills should fall into the run, not before or after it"
    grade(small, submitted, out)
    assert results_of(out) == results_of(whole)
    assert list(out.rglob("*.part")) == []


def autograder(*arguments, **options):
    command = [sys.executable, "-m", "autograder", *map(str, arguments)]
    return subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True, **options)


def journal_lines(out: Path) -> int:
    path = out / "journal.jsonl"
    return path.read_bytes().count(b"\n") if path.is_file() else 0


def wait_for(out: Path, lines: int, process) -> None:
    while journal_lines(out) < lines and process.poll() is None:
        time.sleep(0.01)


def test_a_killed_and_an_interrupted_command_go_on_where_they_were(small, submitted, tmp_path):
    grade(small, submitted, tmp_path / "whole")
    out = tmp_path / "out"
    command = ("grade", submitted, "--out", out, "--course", SMALL, "--no-gradebook", "--workers", "2")
    killed = autograder(*command)
    wait_for(out, 2, killed)
    killed.kill()
    killed.communicate()
    interrupted = autograder(*command, start_new_session=True)
    wait_for(out, journal_lines(out) + 2, interrupted)
    os.killpg(interrupted.pid, signal.SIGINT)  # as a terminal does: the whole group hears it
    _, told = interrupted.communicate()
    assert interrupted.returncode == 130
    assert "just now): run the same command again to go on" in told
    assert "Traceback" not in told
    last = autograder(*command, "--json")
    rows, _ = last.communicate()
    assert last.returncode == 0
    assert len(json.loads(rows)) == 3 * len(STUDENTS)
    assert results_of(out) == results_of(tmp_path / "whole")


@pytest.fixture
def endless(tmp_path, notebook):
    """A class whose first notebook is graded soon, and whose others are worked on until somebody stops it."""
    folder = tmp_path / "endless"
    for student in ("ada", "boris", "chen"):
        path = folder / student / "basics" / "scores.ipynb"
        path.parent.mkdir(parents=True)
        path.write_bytes(notebook(scores=RIGHT if student == "ada" else "while True: pass"))
    return folder


def begun(endless, out, *options):
    words = ("grade", endless, "--out", out, "--course", SMALL, "--limit", "cell_seconds=100", *options)
    process = autograder(*words, start_new_session=True)
    wait_for(out, 1, process)
    return process


def wait_until_gone(started: dict[int, str]) -> None:
    """The last ones are killed and have yet to go; a test that waits in vain is stopped from outside."""
    while still_there(started):
        time.sleep(0.02)


@pytest.mark.parametrize("workers", [1, 2])
def test_after_a_kill_nothing_lives_on(endless, tmp_path, workers):
    killed = begun(endless, tmp_path / "out", "--workers", workers)
    while len(started := below(killed.pid)) < 2 and killed.poll() is None:
        time.sleep(0.01)  # between two notebooks
    killed.kill()
    killed.communicate()
    wait_until_gone(started)


def test_an_impatient_interrupt_ends_it_all_the_same(endless, tmp_path):
    stopped = begun(endless, tmp_path / "out", "--workers", "2")
    started = below(stopped.pid)
    for _ in range(2):
        os.killpg(stopped.pid, signal.SIGINT)
    _, told = stopped.communicate()
    assert stopped.returncode == 130, told
    assert "Traceback" not in told
    wait_until_gone(started)
    assert journal_lines(tmp_path / "out") == 1


def test_results_deleted_in_the_middle_of_a_run_are_said(endless, tmp_path):
    out = tmp_path / "out"
    robbed = begun(endless, out, "--workers", "1", "--limit", "cell_seconds=2")
    while out.exists():  # a process that writes there may put something into it meanwhile
        shutil.rmtree(out, ignore_errors=True)
    _, told = robbed.communicate()
    assert robbed.returncode == 2, told
    assert f"{out} was deleted or replaced while the class was graded: run the same command again" in told
    assert "Traceback" not in told


@pytest.mark.parametrize("workers", [1, 2])
def test_a_full_disk_is_told_in_a_sentence_and_loses_nothing(small, submitted, tmp_path, workers):
    grade(small, submitted, tmp_path / "whole")
    out, later = tmp_path / "out", tmp_path / "later"
    for student in STUDENTS[5:]:
        (later / student).parent.mkdir(exist_ok=True)
        (submitted / student).rename(later / student)
    grade(small, submitted, out)
    for student in STUDENTS[5:]:
        (later / student).rename(submitted / student)

    def small_files_only():
        # A limit on the size of a file stands in for the end of the disk: a write fails half-way.
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, resource.RLIM_INFINITY))

    command = ("grade", submitted, "--out", out, "--course", SMALL, "--no-gradebook", "--workers", workers)
    full = autograder(*command, preexec_fn=small_files_only)
    _, told = full.communicate()
    assert full.returncode == 2
    assert any(f"cannot write {out / 'feedback' / student}" in told for student in STUDENTS[5:7])
    assert "File too large; what was graded before is kept" in told
    assert "Traceback" not in told
    assert journal_lines(out) == 5
    assert grade(small, submitted, out).graded == len(STUDENTS) - 5
    assert results_of(out) == results_of(tmp_path / "whole")


def test_half_a_line_on_a_full_disk_is_taken_back(tmp_path, monkeypatch):
    report = Report("ada", "basics", "scores", ())

    def half(journal, line):
        journal._file.write(line[:20])
        raise OSError(errno.ENOSPC, "No space left on device")

    with Journal(tmp_path) as journal:
        journal.add(report, "notebook", "key")
        whole = (tmp_path / "journal.jsonl").read_bytes()
        monkeypatch.setattr(Journal, "_write", half)
        with pytest.raises(UsageError, match=r"journal.jsonl: No space left on device; .* is kept"):
            journal.add(replace(report, student="boris"), "notebook", "key")
    assert (tmp_path / "journal.jsonl").read_bytes() == whole


def test_a_page_that_is_gone_is_written_again_without_grading(small, submitted, tmp_path):
    out = tmp_path / "out"
    grade(small, submitted, out)
    before = results_of(out)
    (out / "feedback" / STUDENTS[3] / "basics" / "scores.html").unlink()
    assert grade(small, submitted, out).graded == 0
    assert results_of(out) == before


def test_two_runs_cannot_write_to_one_folder(small, submitted, tmp_path):
    with Journal(tmp_path), pytest.raises(UsageError, match="another run is writing to"):
        grade(small, submitted, tmp_path)
