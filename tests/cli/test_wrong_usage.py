"""Wrong usages, the sentence that each gets, and its exit code: what is wrong, and what to do about it."""

from __future__ import annotations

import io
import json
import re
import shutil
import sys

import pytest
import typer

from autograder.cli import app, main
from tests.cli.test_commands import SMALL

FOREIGN = {"cells": [{"cell_type": "code", "source": "x = 1", "metadata": {}}], "metadata": {}, "nbformat": 4}

# In a folder with `course` (a course), `notes.txt` (a file), `empty` (a folder), `empty.csv`,
# `foreign.ipynb` (somebody else's notebook), `results` and `other` (classes that were graded), `broken` (one whose
# results are no JSON).
WRONG = [
    # The command itself.
    ("gradee", "there is no command 'gradee'; did you mean grade?"),
    ("marks", "there is no command 'marks'; there are list, build, verify, "),
    ("list extra", "autograder list takes no 'extra'; see autograder list --help"),
    ("list --jsn", "autograder list has no option --jsn; did you mean --json?"),
    ("grade empty --set week1", "autograder grade has no option --set; see autograder grade --help"),
    ("help grade", "there is no command 'help'; see autograder grade --help"),
    ("help", "there is no command 'help'; see autograder --help"),
    ("doctor --fix", "autograder doctor has no option --fix; see autograder doctor --help"),
    # A course that is none.
    ("list", "no course here: no problems/course.toml in HERE or above it; name one with --course DIR"),
    ("list --course nowhere", "nowhere is not a course: name the folder that has problems/course.toml in it"),
    (
        "build --course notes.txt",
        "notes.txt is not a course: name the folder that has problems/course.toml in it",
    ),
    (
        "compare --course nowhere",
        "nowhere is not a course: name the folder that has problems/course.toml in it",
    ),
    # Problems and sets that are not there, or are there already.
    ("verify nothing --course course", "the course has no problem 'nothing'; it has scores"),
    ("cost nothing --course course", "the course has no problem 'nothing'; it has scores"),
    ("cost scores axis --course course", "scores has no function 'axis'; it has scores"),
    ("release bundle --set week9 --course course", "the course has no set 'week9'; it has basics"),
    ("export results --to csv --set week9 --course course", "the course has no set 'week9'; it has basics"),
    (
        "new scores --course course",
        "problems/scores.py is there already: edit it, or begin a problem of another name",
    ),
    (
        "new class --course course",
        "'class' is a word of Python's own and no name for a problem: try class_problem",
    ),
    (
        "new Bad-Name --course course",
        "'Bad-Name' is no name for a problem: begin with a small letter, then small letters, digits and underscores, such as layer_norm",
    ),
    (
        "new norms --set Week-1 --course course",
        "'Week-1' is no name for a set: use small letters, digits and underscores",
    ),
    (
        "new norms --course notes.txt",
        "cannot use notes.txt/problems: part of its path is a file, not a folder",
    ),
    (
        "new norms --kind haiku --course course",
        "--kind haiku: expected one of code, ",
    ),
    (
        "new norms --kind code --kind haiku --course course",
        "--kind haiku: expected one of code, ",
    ),
    # Arguments and options that are missing, or no numbers.
    (
        "grade",
        "SUBMITTED is missing: a folder or a zip, as nbgrader, Canvas, Moodle or Gradescope hand it out; see autograder grade --help",
    ),
    ("grade empty", "--out OUT is missing: where results are written; see autograder grade --help"),
    ("grade empty --out", "--out needs a value; see autograder grade --help"),
    (
        "grade empty --out out --limit --course course",
        "--limit needs a value; see autograder grade --help",
    ),
    ("import nbgrader nowhere.ipynb --course course", "nowhere.ipynb is not a file: name the source .ipynb"),
    (
        "grade empty --out out --workers two",
        "--workers two: expected a whole number of at least 1; see autograder grade --help",
    ),
    (
        "grade empty --out out --workers=2.5",
        "--workers 2.5: expected a whole number of at least 1; see autograder grade --help",
    ),
    (
        "grade empty --out out -w0",
        "--workers 0: expected a whole number of at least 1; see autograder grade --help",
    ),
    (
        "grade empty --out out --level up",
        "--level up: expected a whole number of at least 0; see autograder grade --help",
    ),
    (
        "grade empty --out out --wall-seconds soon",
        "--wall-seconds soon: expected a number; see autograder grade --help",
    ),
    (
        "desk results --port 70000",
        "--port 70000: expected a whole number from 0 to 65535; see autograder desk --help",
    ),
    (
        "import jupyter foreign.ipynb",
        "FORMAT jupyter: expected one of nbgrader, otter; see autograder import --help",
    ),
    (
        "grade empty --out out --limit wall_seconds",
        "--limit wall_seconds: expected NAME=NUMBER, found no '='",
    ),
    (
        "grade empty --out out --limit wall_seconds=soon",
        "--limit wall_seconds=soon: expected NAME=NUMBER, found 'soon'",
    ),
    ("grade empty --out out --limit patience=3", "there is no limit 'patience'; there are wall_seconds"),
    ("grade empty --out out --memory-mb -4", "the limit memory_mb is -4.0; it should be a positive number"),
    (
        "grade results --out out --course course --db marks.db",
        "--db 'marks.db' is no database address: write one such as sqlite:///marks.db or "
        "postgresql+psycopg://user@host/name",
    ),
    (
        "grade empty --out out --db x --no-gradebook",
        "--db names a gradebook and --no-gradebook wants none: give one of them",
    ),
    (
        "export results",
        "--to is missing: one of csv, canvas, moodle, gradescope; see autograder export --help",
    ),
    (
        "export results --to blackboard",
        "--to blackboard: expected one of csv, canvas, moodle, gradescope; see autograder export --help",
    ),
    (
        "export results --to csv --by week",
        "--by week: expected one of set, problem; see autograder export --help",
    ),
    ("check", "NOTEBOOK is missing: a notebook that was handed out; see autograder check --help"),
    # Files and folders.
    (
        "grade empty --out out --course course",
        "empty holds no notebook: name the folder in which the students' folders lie",
    ),
    ("grade empty --out notes.txt --course course", "notes.txt is a file; name a folder for the results"),
    (
        "report broken --course course",
        "broken/results.jsonl cannot be read: run the command that graded the class again",
    ),
    (
        "desk empty --course course",
        "empty has no graded class: run autograder grade … --out empty first",
    ),
    (
        "release bundle --roster nowhere.csv --course course",
        "nowhere.csv cannot be read: it is not there; name a CSV of the class",
    ),
    (
        "import nbgrader notes.txt --course course",
        "notes.txt is no notebook that can be read: name the source .ipynb",
    ),
    ("grade nowhere --out out --course course", "nowhere is not a folder of submissions, nor a zip of them"),
    (
        "report nowhere --course course",
        "nowhere has no results: run autograder grade … --out nowhere to its end first",
    ),
    (
        "report other --course course",
        "other has results of norms, which the course in HERE/course does not have: "
        "name the course that it was graded by with --course",
    ),
    (
        "export empty --to csv --course course",
        "empty has no results: run autograder grade … --out empty to its end first",
    ),
    (
        "cost scores scores --svg nowhere/curves.svg --course course",
        "cannot write nowhere/curves.svg: there is no folder nowhere; make it first, or name another file",
    ),
    (
        "cost scores scores --svg empty --course course",
        "cannot write empty: it is a folder; name a file in it",
    ),
    (
        "export results --to csv --out nowhere/marks.csv --course course",
        "cannot write nowhere/marks.csv: there is no folder nowhere; make it first, or name another file",
    ),
    (
        "export results --to csv --out empty --course course",
        "cannot write empty: it is a folder; name a file in it",
    ),
    (
        "export results --to gradescope --out notes.txt --course course",
        "cannot write notes.txt: it is a file; name a folder",
    ),
    (
        "export results --to gradescope --roster empty.csv --course course",
        "--roster goes with --to canvas or --to moodle, not with gradescope: leave it out",
    ),
    (
        "export results --to canvas --roster nowhere.csv --course course",
        "nowhere.csv cannot be read: it is not there; name the file that the platform exported",
    ),
    (
        "export results --to canvas --roster empty --course course",
        "empty cannot be read: it is a folder; name the file that the platform exported",
    ),
    (
        "export results --to canvas --roster empty.csv --course course",
        "empty.csv is empty: export the marks of the course from the platform again",
    ),
    (
        "export results --to moodle --roster notes.txt --course course",
        "the roster is no Moodle worksheet: it should have the columns Identifier and Grade",
    ),
    (
        "package --for github --out course/problems --course course",
        "course/problems lies in the course's own folder problems: name another",
    ),
    (
        "package --for gradescope --out nowhere/a.zip --course course",
        "cannot write nowhere/a.zip: there is no folder nowhere; make it first, or name another file",
    ),
    (
        "package --for container --out notes.txt --course course",
        "cannot write notes.txt: it is a file; name a folder",
    ),
    ("release notes.txt --course course", "notes.txt is a file; name a folder for the bundle"),
    (
        "demo --course course",
        "has no examples/submitted to grade; a class of your own is graded by autograder grade SUBMITTED --out OUT",
    ),
    ("check nowhere.ipynb", "nowhere.ipynb is not a file; name a notebook"),
    (
        "check notes.txt",
        "notes.txt is not a notebook that can be read: name the .ipynb that was handed out, or save it again in Jupyter",
    ),
    (
        "check foreign.ipynb",
        "foreign.ipynb is none of the notebooks that were handed out: no cell of it checks a problem; name one of the bundle's",
    ),
]


@pytest.fixture
def desk(tmp_path, monkeypatch):
    """A folder with something of everything in it."""
    shutil.copytree(SMALL, tmp_path / "course")
    (tmp_path / "notes.txt").write_text("buy milk")
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty.csv").write_text("")
    (tmp_path / "foreign.ipynb").write_text(json.dumps(FOREIGN))
    row = {"student": "ada", "set": "basics", "problem": "scores", "part": "scores", "score": 1.0}
    row |= {"max_score": 3.0, "status": "graded", "verdict": "wrong", "mistake": None, "feedback": "no"}
    for folder, problem in (("results", "scores"), ("other", "norms")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "results.jsonl").write_text(json.dumps({**row, "problem": problem}) + "\n")
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "results.jsonl").write_text("{oops\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    return tmp_path


@pytest.mark.parametrize(("command", "message"), WRONG, ids=[command for command, _ in WRONG])
def test_wrong_usage_is_told_in_one_sentence_and_exits_2(desk, monkeypatch, capsys, command, message):
    monkeypatch.setattr(sys, "argv", ["autograder", *command.split()])
    with pytest.raises(SystemExit) as ended:
        main()
    said = capsys.readouterr().err
    assert ended.value.code == 2
    assert message.replace("HERE", str(desk)) in said
    sentence = [line for line in said.splitlines() if not re.fullmatch(r"docs/\w+\.md says more", line)]
    assert sentence[-1].startswith("autograder: ")
    for foreign in ("Traceback", "Value error", "[Errno", "Usage:", "Input should"):
        assert foreign not in said


def test_no_command_at_all_shows_the_help(desk, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["autograder"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    shown = capsys.readouterr()
    assert "The course" in shown.out
    assert shown.err == ""


def test_every_command_can_print_for_programs():
    """`compare` answers in lines of JSON anyway, and `desk` prints an address to open."""
    commands = typer.main.get_command(app).commands
    without = {name for name, each in commands.items() if not any("--json" in p.opts for p in each.params)}
    assert without == {"compare", "desk"}
