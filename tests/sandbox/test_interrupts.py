"""Ctrl-C while a process is started: this process hears it, the one that is started never does."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from autograder.sandbox.interrupts import uninterrupted

STARTED = "import os, signal; os.kill(os.getpid(), signal.SIGINT); print('lives')"


def test_an_interrupt_meanwhile_is_heard_afterwards_and_not_before():
    reached = []

    def start() -> None:
        with uninterrupted():
            os.kill(os.getpid(), signal.SIGINT)
            reached.extend(range(1000))

    with pytest.raises(KeyboardInterrupt):
        start()
    assert len(reached) == 1000
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)  # what was there before is there again


def test_what_is_started_inside_does_not_hear_it():
    with uninterrupted():
        started = subprocess.run([sys.executable, "-c", STARTED], capture_output=True, text=True)
    assert (started.returncode, started.stdout) == (0, "lives\n")
