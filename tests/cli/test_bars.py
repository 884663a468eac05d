"""On a terminal, work that takes its time says what it does, with the same bar everywhere."""

from __future__ import annotations

import os
import pty
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT, SMALL

BAR = "━"
STYLING = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
SHEET = "# Week 1\n\n**Problem 1.** How does adding $n$ numbers grow, in $n$?\n\n**Solution:** $O(n)$\n"


def bars(folder: Path, *words: str) -> list[str]:
    """What stood before the bars that a command drew, in their order."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "100", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "autograder", *words]
    with subprocess.Popen(
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=theirs, text=True
    ) as process:
        os.close(theirs)
        drawn = b""
        try:
            while piece := os.read(ours, 1 << 16):
                drawn += piece
        except OSError:  # nobody holds the other end any more
            pass
        said, _ = process.communicate()
    os.close(ours)
    text = STYLING.sub("", drawn.decode())
    assert process.returncode != 2, text + said  # 1: a check failed, of notebooks that nobody has built
    names = [line.partition(BAR)[0].strip() for line in re.split(r"[\r\n]+", text) if BAR in line]
    return list(dict.fromkeys(names))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("problems", "solutions"):
        shutil.copytree(SMALL / name, tmp_path / "course" / name)
    (tmp_path / "sheet.md").write_text(SHEET, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("words", "seen"),
    [
        ("build", ["loading the course", "building"]),
        ("release out --zip", ["loading the course", "releasing", "writing"]),
        ("package --for gradescope", ["loading the course", "packing", "writing"]),
        ("draft ../sheet.md --set week1", ["drafting"]),
        ("verify scores", ["loading the course", "verifying"]),
    ],
    ids=lambda given: given.split()[0] if isinstance(given, str) else "",
)
def test_what_takes_its_time_shows_a_bar(folder, words, seen):
    assert bars(folder / "course", *words.split())[: len(seen)] == seen
