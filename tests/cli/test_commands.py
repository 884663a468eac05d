"""The command line as a user meets it: exit codes, JSON, and sentences instead of tracebacks."""

from __future__ import annotations

import contextlib
import io
import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from autograder.cli import main
from autograder.cli.terminal import progress, waiting

SMALL = Path(__file__).resolve().parent.parent / "fixtures" / "small"


@dataclass(frozen=True)
class Done:
    """What a command ended with and said."""

    returncode: int
    stdout: str
    stderr: str


def autograder(*arguments, stdin="", cwd=None):
    """A command as its entry point runs it, in this process: a new one would load torch and nbgrader each time."""
    out, err = io.StringIO(), io.StringIO()
    with (
        pytest.MonkeyPatch.context() as patch,
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        contextlib.chdir(cwd or Path.cwd()),
    ):
        patch.setattr(sys, "argv", ["autograder", *map(str, arguments)])
        patch.setattr(sys, "stdin", io.StringIO(stdin))
        with pytest.raises(SystemExit) as ended:
            main()
    return Done(ended.value.code or 0, out.getvalue(), err.getvalue())


def test_help_lists_the_commands_and_imports_nothing_heavy():
    code = (
        "import sys; sys.argv = ['autograder', '--help']\n"
        "from autograder.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "heavy = {'torch', 'numpy', 'scipy', 'sympy', 'nbformat', 'nbgrader', 'IPython', 'distributed', 'lark'}\n"
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stderr.strip() == "[]"
    for command in ("list", "build", "verify", "grade", "demo", "compare", "doctor"):
        assert command in done.stdout


def test_notebooks_are_read_without_making_parsers_of_addresses():
    code = "import autograder.cli.app, nbformat, sys; print('lark' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300)
    assert done.stdout.strip() == "False"


def test_list_prints_every_part_as_json():
    done = autograder("list", "--course", SMALL, "--json")
    assert done.returncode == 0
    assert [row["kind"] for row in json.loads(done.stdout)] == ["code", "choice", "prose"]


def test_the_course_is_found_upwards(copied):
    done = autograder("list", cwd=copied / "solutions")
    assert done.returncode == 0
    assert done.stdout.splitlines()[1] == "basics\tscores\tscores\tcode\t3"


def test_build_writes_and_check_tells_what_is_stale(copied):
    assert autograder("build", "--check", cwd=copied).returncode == 1
    assert autograder("build", cwd=copied).stdout == "wrote notebooks/basics/scores.ipynb\n"
    done = autograder("build", "--check", cwd=copied)
    assert (done.returncode, done.stdout) == (0, "all notebooks are up to date\n")


def test_a_broken_course_is_told_in_sentences_and_exits_2(copied):
    (copied / "solutions" / "scores.py").unlink()
    done = autograder("verify", cwd=copied)
    assert done.returncode == 2
    assert done.stderr.splitlines() == [
        "solutions/scores.py is missing; problems/scores.py needs its answers there",
        "1 fault in the course; docs/authors.md says more",
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["list"], "no course here"),
        (["grade", "nowhere", "--out", "out", "--course", SMALL], "nowhere is not a folder of submissions"),
        (["verify", "nothing", "--course", SMALL], "the course has no problem 'nothing'"),
        (["demo", "--course", SMALL], "has no examples/submitted to grade"),
    ],
    ids=["no-course", "no-folder", "no-problem", "no-examples"],
)
def test_wrong_usage_exits_2_with_one_sentence(tmp_path, arguments, message):
    done = autograder(*arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_verify_holds_for_a_sound_course_and_fails_for_a_weak_one(copied):
    autograder("build", cwd=copied)
    done = autograder("verify", "--json", cwd=copied)
    assert done.returncode == 0, done.stdout
    checks = json.loads(done.stdout)["checks"]
    mistakes = {check["name"]: check["found"] for check in checks if check["what"] == "mistake"}
    assert mistakes["softmax_overflows"] == "caught by 'large logits'"
    problem = copied / "problems" / "scores.py"
    problem.write_text(problem.read_text().replace("scale=40,", ""))
    autograder("build", cwd=copied)
    done = autograder("verify", cwd=copied)
    assert done.returncode == 1
    assert "scores.scores: mistake softmax_overflows: earns full marks" in done.stderr


def test_grade_prints_marks_and_where_things_are(tmp_path, notebook):
    path = tmp_path / "submitted" / "ada" / "basics" / "scores.ipynb"
    path.parent.mkdir(parents=True)
    path.write_bytes(notebook(axis='axis = "a"'))
    done = autograder("grade", "submitted", "--out", "out", "--course", SMALL, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "ada\tbasics/scores\t1 / 6" in done.stdout
    assert "out/report.html" in done.stdout
    rows = json.loads(
        autograder("grade", "submitted", "--out", "out", "--course", SMALL, "--json", cwd=tmp_path).stdout
    )
    assert [row["score"] for row in rows] == [0, 1, 0]


def test_compare_answers_a_line_each_and_names_a_bad_line():
    lines = [
        {"problem": "scores", "part": "axis", "answer": "b"},
        {"problem": "scores", "part": "nothing", "answer": "b"},
        {"kind": "haiku", "reference": "x", "answer": "b"},
        {"kind": "growth", "reference": "O(n", "variables": ["n"], "answer": "O(n)"},
        {"kind": "select", "options": ["a", "b"], "reference": "a", "answer": "a"},
    ]
    choice = {"kind": "choice", "options": {"a": "rows", "b": "columns"}, "reference": "b", "answer": "(B)"}
    given = "".join(json.dumps(line) + "\n" for line in lines) + "{\n" + json.dumps(choice) + "\n"
    done = autograder("compare", "--course", SMALL, stdin=given)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert answers[0] == {
        "verdict": "wrong",
        "read_as": "b",
        "feedback": "every query has weights of its own, one for each key",
        "mistake": "queries",
    }
    assert (answers[6]["verdict"], answers[6]["read_as"]) == ("correct", "b")
    assert "has no text part 'nothing'; it has axis" in answers[1]["error"]
    assert "it is growth, formula, choice, number" in answers[2]["error"]
    assert "key 'O(n'" in answers[3]["error"]
    assert "every label its text" in answers[4]["error"]
    assert "not JSON" in answers[5]["error"]
    assert done.returncode == 2


def test_grade_says_how_many_answers_wait_and_where_to_mark_them(tmp_path, notebook):
    for student in ("ada", "boris"):
        path = tmp_path / "submitted" / student / "basics" / "scores.ipynb"
        path.parent.mkdir(parents=True)
        path.write_bytes(notebook(why="Because."))
    done = autograder("grade", "submitted", "--out", "out", "--course", SMALL, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "1 waiting" in done.stdout
    assert done.stdout.endswith(
        "2 answers are for a person to mark: 2 scores.why\nmark them at the desk: autograder desk out\n"
    )


def test_the_secret_that_came_with_a_course_is_refused_and_build_makes_another(copied, tmp_path):
    secret = copied / "solutions" / "secret.txt"
    secret.write_text("change-this-line-before-you-grade-a-real-class-1234\n")
    (tmp_path / "submitted" / "ada" / "basics").mkdir(parents=True)
    (tmp_path / "submitted" / "ada" / "basics" / "scores.ipynb").write_text("{}")
    done = autograder("grade", "submitted", "--out", "out", "--course", copied, cwd=tmp_path)
    assert done.returncode == 2
    assert "came with the course, so anybody can work out its hidden inputs" in done.stderr
    assert "delete it and run `autograder build`" in done.stderr
    secret.unlink()
    assert "made solutions/secret.txt" in autograder("build", cwd=copied).stderr
    assert len(secret.read_text()) > 40
    assert secret.stat().st_mode & 0o777 == 0o600


class Screen(io.StringIO):
    """A terminal that keeps what is drawn on it."""

    def isatty(self):
        return True


def test_what_has_no_steps_to_count_shows_the_same_bar_without_numbers(monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    drawn = {}
    for name, bar in (("waiting", waiting("packing")), ("progress", progress("packing", 3))):
        monkeypatch.setattr(sys, "stderr", Screen())
        with bar:
            pass
        drawn[name] = sys.stderr.getvalue()
    assert all("packing" in text and "━" in text for text in drawn.values())
    assert "0/3" in drawn["progress"]
    assert "/" not in drawn["waiting"]


WATCHED = """
import sys
from contextlib import contextmanager
from autograder.cli import courses, main

@contextmanager
def waiting(what):
    print("bar with torch" if "torch" in sys.modules else "bar without torch", file=sys.stderr)
    raise SystemExit
    yield

courses.waiting = waiting
main()
"""


@pytest.mark.parametrize("command", ["build", "verify", "release out", "package --for container --out out"])
def test_a_bar_is_seen_before_torch_is_imported_which_takes_seconds(tmp_path, command):
    done = subprocess.run(
        [sys.executable, "-c", WATCHED, *command.split(), "--course", str(SMALL)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr.splitlines() == ["bar without torch"]
