"""The guard of a call: it tells how long it takes, ends it in time, and leaves nothing behind."""

from __future__ import annotations

import subprocess
import sys
import threading
import time

import pytest

from autograder.check.progress import PATIENCE, ProgressLine
from autograder.check.time_limit import TooLong, guarded


def spin() -> None:
    while True:
        pass


def test_a_loop_without_end_is_ended():
    with pytest.raises(TooLong), guarded(0.1, lambda seconds: None):
        spin()


def test_a_block_that_is_quick_is_left_alone():
    before = threading.active_count()
    with guarded(600.0, lambda seconds: None):
        pass
    assert threading.active_count() == before


def test_the_watch_is_told_how_long_it_takes():
    told: list[float] = []
    with guarded(600.0, told.append):
        while len(told) < 2:
            time.sleep(0.01)
    assert told == sorted(told)
    assert told[0] > 0


def test_no_exception_arrives_after_the_block():
    for _ in range(20):
        try:
            with guarded(0.0, lambda seconds: None):
                time.sleep(0.26)  # the guard fires just about now
        except TooLong:
            pass
        for _ in range(1000):
            pass


TRACED = """
import sys, time
from autograder.check.time_limit import TooLong, guarded
for seconds in (0.3, 0.6):  # one that arrives in the block, one that may arrive just after it
    try:
        with guarded(0.0, lambda passed: None):
            time.sleep(seconds)
    except TooLong:
        pass
sys.settrace(lambda frame, event, argument: None)
print((lambda: "traced")())
"""


def test_a_function_can_be_traced_after_a_call_was_ended():
    ran = subprocess.run([sys.executable, "-c", TRACED], capture_output=True, text=True)
    assert ran.stdout == "traced\n", ran.stderr


def test_an_error_of_the_block_is_its_own():
    with pytest.raises(ZeroDivisionError, match="division"), guarded(600.0, lambda seconds: None):
        1 / 0  # noqa: B018


@pytest.fixture
def terminal(monkeypatch):
    """Standard error as a terminal; what was written to it."""
    written: list[str] = []

    class Terminal:
        def isatty(self) -> bool:
            return True

        def write(self, text: str) -> int:
            written.append(text)
            return len(text)

        def flush(self) -> None:
            pass

    monkeypatch.setattr("sys.__stderr__", Terminal())
    return written


def test_a_quick_check_shows_no_progress(terminal):
    shown = ProgressLine(2)
    shown("scores", "more keys", 0.0)
    shown("scores", "more keys", PATIENCE / 2)
    shown.close()
    assert terminal == []


def test_a_long_check_says_which_case_runs_and_cleans_up(terminal):
    shown = ProgressLine(2)
    shown("scores", "more keys", 0.0)
    shown("scores", "more keys", 3.2)
    shown.close()
    text = "".join(terminal)
    assert "checking scores: case 1 of 2, more keys · 3 s" in text
    assert text.endswith("\r\033[K")
