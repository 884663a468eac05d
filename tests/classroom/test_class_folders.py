"""Where a class lies and its results go: refused by name, before torch is imported and anything is written."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from autograder.classroom.class_folders import check_folder
from autograder.cli.output_files import require_place
from autograder.errors import UsageError
from tests.conftest import SMALL

# Runs the command in a process of its own, and tells whether torch was imported.
COMMAND = """
import sys
from autograder.cli import main
sys.argv = ["autograder", *sys.argv[1:]]
try:
    main()
finally:
    print("torch" in sys.modules)
"""

REFUSED = {
    "out is the submissions": ("grade in --out in", "lies among the submissions"),
    "out in the submissions": ("grade in --out in/ada/out", "lies among the submissions"),
    "out is the course": ("grade in --out COURSE", "is the course's own folder"),
    "out in the solutions": (
        "grade in --out COURSE/solutions/out",
        "lies in the course's own folder solutions",
    ),
    "out is a file": ("grade in --out notes.txt", "is a file; name a folder for the results"),
    "what a run wrote": ("grade out/unpacked --out out", "is what an earlier run wrote into"),
    "no such class": ("grade nowhere --out out", "is not a folder of submissions, nor a zip of them"),
    "no zip": ("grade none.zip --out out", "is called a zip and is none: download it again"),
    "no notebook": ("grade empty --out out", "holds no notebook"),
    "no workers": ("grade in --out out --cluster local:0", "write local:N with a number of workers"),
    "no address": (
        "grade in --out out --cluster nonsense",
        "write the scheduler's address, such as tcp://HOST",
    ),
    "released over a file": ("release notes.txt", "is a file; name a folder for the bundle"),
    "released below a file": ("release notes.txt/bundle", "part of its path is a file, not a folder"),
    "released over the notebooks": ("release COURSE/notebooks", "lies in the course's own folder notebooks"),
    "released over the course": ("release COURSE", "is the course's own folder"),
    "no such level": ("grade in --out out --level 7", "there are not so many folders around any file in in"),
    "no such database": ("grade in --out out --db oracle9000://x/y", "needs a database driver"),
    "packed below a file": ("package --for github --out notes.txt/x", "there is no folder notes.txt"),
    "packed over the course": ("package --for container --out COURSE", "is the course's own folder"),
    "a desk without a class": ("desk empty", "empty has no graded class"),
    "no such appeals": ("desk out --appeals nowhere.csv", "nowhere.csv is not a file: name a csv file"),
    "no course to build": ("build --course empty", "empty is not a course"),
    "no course to prove": ("verify --course empty", "empty is not a course"),
    "no course to measure": ("cost scores --course empty", "empty is not a course"),
    "no course to pack": ("package --for github --course empty", "empty is not a course"),
    "no course at the desk": ("desk out --course empty", "empty is not a course"),
}


@pytest.mark.parametrize(("command", "message"), REFUSED.values(), ids=REFUSED)
def test_a_wrong_place_is_refused_before_anything_is_loaded_or_written(copied, tmp_path, command, message):
    (tmp_path / "in" / "ada" / "basics").mkdir(parents=True)
    (tmp_path / "in" / "ada" / "basics" / "scores.ipynb").write_text("{}")
    (tmp_path / "out" / "unpacked" / "ada" / "basics").mkdir(parents=True)
    (tmp_path / "out" / "unpacked" / "ada" / "basics" / "scores.ipynb").write_text("{}")
    (tmp_path / "out" / "journal.jsonl").touch()
    (tmp_path / "out" / "gradebook.db").touch()
    (tmp_path / "empty" / "ada").mkdir(parents=True)
    (tmp_path / "notes.txt").write_text("mine")
    (tmp_path / "none.zip").write_bytes(b"PK, but no more")
    before = sorted(path for path in tmp_path.rglob("*"))
    words = command.replace("COURSE", str(copied)).split()
    words += [] if "--course" in words else ["--course", str(copied)]
    done = subprocess.run(
        [sys.executable, "-c", COMMAND, *words], cwd=tmp_path, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (2, "False\n")
    assert message in done.stderr
    assert [line for line in done.stderr.splitlines()[1:] if not line.endswith(".md says more")] == []
    assert sorted(path for path in tmp_path.rglob("*")) == before
    assert (SMALL / "problems" / "course.toml").is_file()


def test_a_folder_that_may_not_be_written_in_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    for out in (tmp_path / "out", tmp_path / "a" / "b" / "out"):
        with pytest.raises(UsageError, match=r"you may not write in .*; name another folder"):
            check_folder(out, "results")
    with pytest.raises(UsageError, match=r"you may not write in .*; name another folder"):
        require_place(tmp_path / "curves.svg")
