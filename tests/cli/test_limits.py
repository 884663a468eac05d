"""Limits given on the command line override the course's, and wrong ones are named."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

from autograder.cli.limits import limits_of
from autograder.course.load import load_course
from autograder.errors import CourseError, UsageError


def test_options_become_a_table_of_numbers():
    assert limits_of(30, None, ["call-seconds=2", "memory_mb=64"]) == {
        "wall_seconds": 30,
        "call_seconds": 2,
        "memory_mb": 64,
    }


@pytest.mark.parametrize(
    ("wall", "others", "says"),
    [
        (None, ["speed=3"], "there is no limit 'speed'; there are wall_seconds"),
        (None, ["threads"], "--limit threads: expected NAME=NUMBER, found no '='"),
        (None, ["threads=many"], "found 'many'"),
        (-1, [], "the limit wall_seconds is -1; it should be a positive number"),
        (None, ["threads=nan"], "should be a positive number"),
    ],
)
def test_a_wrong_limit_is_named(wall, others, says):
    with pytest.raises(UsageError, match=says.replace("?", r"\?")):
        limits_of(wall, None, others)


def test_a_course_with_an_unknown_limit_is_refused(copied):
    index = copied / "problems" / "course.toml"
    index.write_text(index.read_text() + "\n[limits]\nspeed = 3\ncall_seconds = 0\n")
    with pytest.raises(CourseError, match="no limit 'speed'") as raised:
        load_course(copied)
    assert "the limit call_seconds is 0" in str(raised.value)


def test_a_part_with_an_unknown_limit_is_refused(copied):
    problem = copied / "problems" / "scores.py"
    problem.write_text(problem.read_text().replace("points=3,", 'points=3, limits={"ram": 1},'))
    with pytest.raises(CourseError, match="scores: there is no limit 'ram'"):
        load_course(copied)


SLOW = "def scores(q, k):\n    import time; time.sleep(4)\n    return torch.softmax(q @ k.T, dim=1)"


def test_the_command_line_overrides_the_course(copied, notebook, tmp_path):
    from autograder.cli.app import app

    index = copied / "problems" / "course.toml"
    index.write_text(index.read_text() + "\n[limits]\ncall_seconds = 60\n")
    path = tmp_path / "submitted" / "ada" / "basics" / "scores.ipynb"
    path.parent.mkdir(parents=True)
    path.write_bytes(notebook(scores=SLOW, axis='axis = "a"'))
    words = ["grade", str(tmp_path / "submitted"), "--out", str(tmp_path / "out"), "--course", str(copied)]
    done = CliRunner().invoke(app, [*words, "--no-gradebook", "--limit", "call_seconds=0.5"])
    assert done.exit_code == 0, done.output
    rows = (tmp_path / "out" / "results.jsonl").read_text().splitlines()
    assert '"status": "timed_out"' in rows[0]
    assert "it waited for longer than 0.5 s" in rows[0]
    assert '"score": 1' in rows[1]
