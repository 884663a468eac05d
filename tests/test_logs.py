"""Logging is silent unless asked for, and faults of a run are written down and counted."""

from __future__ import annotations

import logging
import subprocess
import sys

from autograder.logs import about, collected_faults, kept_faults

log = logging.getLogger("autograder.somewhere")


def fail():
    try:
        1 / 0  # noqa: B018
    except ZeroDivisionError:
        log.exception("the judge failed")


def test_faults_of_a_run_are_kept_with_their_tracebacks_and_counted(tmp_path):
    for run in (1, 2):
        with kept_faults(tmp_path) as faults:
            log.warning("no fault")
            with about("ada basics/scores"):
                fail()
            fail()
            assert faults.count() == 2
        text = (tmp_path / "faults.log").read_text()
        assert text.count("ZeroDivisionError") == 2 * run
    assert "ada basics/scores\nthe judge failed\nTraceback" in text
    fail()
    assert (tmp_path / "faults.log").read_text() == text


def test_a_run_without_a_fault_leaves_no_file(tmp_path):
    with kept_faults(tmp_path) as faults:
        log.info("all is well")
    assert faults.count() == 0
    assert list(tmp_path.iterdir()) == []


def test_faults_far_away_are_collected_as_texts():
    with collected_faults() as texts, about("ada basics/scores"):
        fail()
    (text,) = texts
    assert text.startswith("ada basics/scores\nthe judge failed\nTraceback")


def test_nothing_is_logged_on_the_terminal_unless_asked_for():
    code = (
        "import logging, sys, autograder.logs as logs\n"
        "if sys.argv[1:]: logs.be_verbose()\n"
        "logging.getLogger('autograder.x').error('a fault')"
    )
    said = [
        subprocess.run([sys.executable, "-c", code, *options], capture_output=True, text=True).stderr
        for options in ([], ["--verbose"])
    ]
    assert said[0] == ""
    assert said[1].endswith("ERROR autograder.x: a fault\n")
