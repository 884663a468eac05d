"""Ctrl-C while something is imported is heard, also where the import swallows it."""

from __future__ import annotations

import subprocess
import sys

HALF = """
import os, signal
try:
    os.kill(os.getpid(), signal.SIGINT)
    for _ in range(100_000): pass
    whole = True
except KeyboardInterrupt:  # as torch does where numpy is imported by it
    whole = False
"""
IMPORTS = """
import signal, sys
from autograder.cli.ctrl_c import hear_after_imports
if sys.argv[1] == "in the background":
    signal.signal(signal.SIGINT, signal.SIG_IGN)
hear_after_imports()
try:
    import half
    print("whole" if half.whole else "half", flush=True)
    while sys.argv[1] == "before a terminal": pass
except KeyboardInterrupt:
    print("stopped")
"""


def test_an_interrupt_in_the_middle_of_an_import_is_heard_after_it(tmp_path):
    assert said(tmp_path, "before a terminal") == ["whole", "stopped"]


def test_a_command_that_does_not_hear_interrupts_goes_on_like_that(tmp_path):
    assert said(tmp_path, "in the background") == ["whole"]


def said(folder, where):
    (folder / "half.py").write_text(HALF)
    command = [sys.executable, "-c", IMPORTS, where]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout.split()
