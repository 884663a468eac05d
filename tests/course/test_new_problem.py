"""Beginning a problem: files that load at once, a test that fails until they are filled in, and then passes."""

from __future__ import annotations

import subprocess
import sys
import tomllib

import pytest

from autograder.cli.authors import Kind
from autograder.course.load import load_course
from autograder.course.new_problem import begin_problem, list_problem
from autograder.course.templates import TEMPLATES, part_names
from autograder.errors import UsageError
from autograder.notebook.build_notebooks import write_all

# What an author writes over the gaps of a problem with one function.
FILLED = {
    '"FILL IN: one sentence': '"One sentence',
    "FILL IN: what it computes, and the axes.": "Products of rows.",
    "FILL IN: where the question comes from": "a test",
    "FILL IN: the question, in Markdown with $\\LaTeX$.": "Multiply.",
    "FILL IN: what to think of": "a single entry is a matrix too",
    'raise NotImplementedError("FILL IN: the reference")': "return q @ k.T",
    'raise NotImplementedError("FILL IN: a mistake that many make")': "return -(q @ k.T)",
    "FILL IN: what somebody who made this mistake should read": "the sign is wrong",
}


def run_test(root):
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"],
        cwd=root,
        capture_output=True,
        text=True,
    )


def test_a_new_problem_fails_its_test_until_it_is_filled_in(tmp_path):
    root = tmp_path / "my_course"
    written = begin_problem(root, "products", ["code"])
    assert written == [
        "problems/products.py",
        "solutions/products.py",
        "tests/test_products.py",
        "solutions/secret.txt",
        "problems/course.toml",
    ]
    done = run_test(root)
    assert done.returncode == 1
    assert "2 failed" in done.stdout
    for folder in ("problems", "solutions"):
        path = root / folder / "products.py"
        text = path.read_text()
        for gap, words in FILLED.items():
            text = text.replace(gap, words)
        path.write_text(text)
    write_all(load_course(root))
    done = run_test(root)
    assert (done.returncode, "2 passed" in done.stdout) == (0, True), done.stdout


def test_the_command_knows_every_kind_that_can_be_begun():
    assert {kind.value for kind in Kind} == {*TEMPLATES}


def test_every_kind_of_part_loads_before_it_is_filled_in(tmp_path):
    kinds = [*TEMPLATES, "growth"]
    begin_problem(tmp_path, "layer_norm", kinds, "week_2")
    course = load_course(tmp_path)
    names = [part.name for part in course.problems["layer_norm"].parts]
    assert names == part_names("layer_norm", kinds)
    assert names[-1] == "layer_norm_growth_2"
    assert [(group.id, group.title) for group in course.sets] == [("week_2", "Week 2")]


def test_a_problem_is_added_to_a_course_and_nothing_else_changes(copied):
    before = (copied / "problems" / "course.toml").read_text()
    begin_problem(copied, "values", ["choice"])
    after = (copied / "problems" / "course.toml").read_text()
    assert after == before.replace('["scores"]', '["scores", "values"]')
    assert (copied / "solutions" / "secret.txt").read_text() == "a secret for tests\n"
    load_course(copied)


@pytest.mark.parametrize(
    ("listed", "after"),
    [
        ("problems = []", 'problems = ["new"]'),
        ('problems = ["a", "b"]  # both', 'problems = ["a", "b", "new"]  # both'),
        ('problems = [\n    "a", # one\n    "b"\n]', 'problems = [\n    "a", # one\n    "b",\n    "new",\n]'),
        ('problems = [\n    "a",\n]', 'problems = [\n    "a",\n    "new",\n]'),
    ],
    ids=["empty", "one-line", "lines", "lines-with-comma"],
)
def test_lists_of_problems_keep_their_form(listed, after):
    text = f'title = "T"\n\n[sets.x]\n{listed}\n\n[sets.y]\nproblems = ["c"]\n'
    assert list_problem(text, "new", "x") == text.replace(listed, after)
    assert list_problem(text, "new", "z").startswith(text)
    assert tomllib.loads(list_problem(text, "new", "z"))["sets"]["z"]["problems"] == ["new"]


@pytest.mark.parametrize(
    ("name", "kinds", "set_id", "message"),
    [
        ("Layer-Norm", ["code"], None, "small letters, digits and underscores, such as layer_norm"),
        ("class", ["code"], None, "'class' is a word of Python's own and no name for a problem"),
        ("scores", ["code"], None, "problems/scores.py is there already: edit it, or begin"),
        (
            "other",
            ["haiku"],
            None,
            "there is no kind 'haiku' of part; there are code, module, property, tests, growth",
        ),
        ("other", ["code"], "Week 1", "'Week 1' is no name for a set"),
    ],
    ids=["letters", "keyword", "taken", "kind", "set"],
)
def test_what_cannot_be_begun_is_told_and_nothing_is_written(copied, name, kinds, set_id, message):
    before = sorted(copied.rglob("*"))
    with pytest.raises(UsageError, match=message):
        begin_problem(copied, name, kinds, set_id)
    assert sorted(copied.rglob("*")) == before


def test_with_several_sets_one_is_to_be_named():
    text = '[sets.a]\nproblems = ["x"]\n[sets.b]\nproblems = ["y"]\n'
    with pytest.raises(UsageError, match="say in which set new is: --set with one of a, b"):
        list_problem(text, "new", None)
    with pytest.raises(UsageError, match="add 'new' to the problems of the set 'a'"):
        list_problem('sets.a = { problems = ["x"] }\n', "new", "a")


def test_a_problem_that_is_there_is_told_before_its_set_is_asked_for(real):
    with pytest.raises(UsageError, match=r"problems/self_attention\.py is there already: edit it"):
        begin_problem(real.root, "self_attention", ["code"])
