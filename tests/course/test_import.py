"""Notebooks of other graders become problems that prove themselves, and what does not is listed."""

from __future__ import annotations

import json
from pathlib import Path

import nbgrader
import pytest

from autograder.course.load import load_course
from autograder.course.new_problem import import_problem
from autograder.errors import UsageError
from autograder.notebook.build_notebooks import write_all
from autograder.verify.proof import verify_course

EXAMPLE = Path(nbgrader.__file__).parent / "docs" / "source" / "user_guide" / "source" / "ps1"


def notebook(path: Path, *cells: tuple[str, str, dict]) -> Path:
    made = [
        {"cell_type": kind, "source": text, "metadata": {"nbgrader": meta} if meta else {}}
        for kind, text, meta in cells
    ]
    path.write_text(json.dumps({"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
    return path


def answer(name: str) -> dict:
    return {"grade": False, "solution": True, "grade_id": name}


def marked(name: str, points: float) -> dict:
    return {"grade": True, "solution": False, "grade_id": name, "points": points}


HIDDEN = """\
class Stack:
    def __init__(self):
        ### BEGIN SOLUTION
        self.items = []
        ### END SOLUTION
    def push(self, item):
        ### BEGIN SOLUTION
        self.items.append(item)
        ### END SOLUTION
    def pop(self):
        \"\"\"The last item.\"\"\"
        ### BEGIN SOLUTION
        return self.items.pop()
        ### END SOLUTION
"""


def test_nbgraders_own_example_is_imported_and_proved(tmp_path, sandbox):
    for name in ("problem1", "problem2"):
        written, notes = import_problem(tmp_path, EXAMPLE / f"{name}.ipynb", "nbgrader", None, "ps1")
        assert f"problems/{name}.py" in written
        if name == "problem1":
            assert any("sum_of_squares_uses_squares (0.5 points) is left out" in note for note in notes)
            assert any("a picture is linked" in note for note in notes)
            assert any("sum_of_squares_application is code that a person marked" in note for note in notes)
    course = load_course(tmp_path)
    assert [part.points for part in course.problems["problem1"].parts] == [1, 1, 0.5, 1, 2, 4]
    write_all(course)
    failed = [check.sentence for check in verify_course(course, sandbox.run) if not check.passed]
    assert failed == []


def test_hidden_tests_classes_given_code_and_otters_format_are_imported_and_proved(tmp_path, sandbox):
    stack = notebook(
        tmp_path / "stack.ipynb",
        ("markdown", "Write a stack.", {}),
        ("code", "import math\nLIMIT = math.floor(3.5)", {}),
        ("code", HIDDEN, answer("stack")),
        (
            "code",
            "s = Stack()\nfor i in range(LIMIT):\n    s.push(i)\nassert s.pop() == 2\n"
            "### BEGIN HIDDEN TESTS\nt = Stack()\nt.push('SECRET')\nassert t.pop() == 'SECRET'\n### END HIDDEN TESTS\n",
            marked("stack-works", 2),
        ),
    )
    otter = notebook(
        tmp_path / "double.ipynb",
        ("raw", "# BEGIN QUESTION\nname: q1\npoints: 3", {}),
        ("markdown", "Double it.", {}),
        ("raw", "# BEGIN SOLUTION", {}),
        ("code", "def double(x):\n    return 2 * x # SOLUTION", {}),
        ("raw", "# END SOLUTION", {}),
        ("raw", "# BEGIN TESTS", {}),
        ("code", "assert double(2) == 4", {}),
        ("code", "# HIDDEN\nassert double('a') == 'aa'", {}),
        ("raw", "# END TESTS", {}),
        ("raw", "# END QUESTION", {}),
    )
    variable = notebook(
        tmp_path / "values.ipynb",
        ("code", "%matplotlib inline\nprint('hello')", {}),
        ("code", "x = 3", answer("x")),
        ("code", "assert x == 3", marked("x-is-right", 1)),
        ("code", "def seven():\n    return 7", answer("seven")),
        ("code", '"""seven is seven"""\nassert seven() == 7', marked("seven-is-right", 1)),
    )
    root = tmp_path / "course"
    root.mkdir()
    _, notes = import_problem(root, stack, "nbgrader", None, "a")
    assert notes == []
    _, notes = import_problem(root, otter, "otter", None, "a")
    assert notes == []
    _, notes = import_problem(root, variable, "nbgrader", None, "a")
    told = "\n".join(notes)
    assert "print('hello')" in told
    assert "x asks for x: ask for a function that returns it" in told
    assert "a visible test of x_is_right (1 points) is left out: it looks at x" in told
    course = load_course(root)
    (part,) = course.problems["stack"].parts
    assert (part.points, len(part.visible), len(part.hidden)) == (2, 1, 1)
    assert "LIMIT" in part.visible_source
    assert "SECRET" not in part.visible_source
    assert course.problems["double"].points == 3
    built = write_all(course)
    assert "wrote notebooks/a/stack.ipynb" in built
    assert not any("SECRET" in path.read_text() for path in (root / "notebooks").rglob("*.ipynb"))
    assert [check.sentence for check in verify_course(course, sandbox.run) if not check.passed] == []


def shown(text: str) -> list[dict]:
    return [{"output_type": "execute_result", "data": {"text/plain": [text]}}]


def test_what_stands_below_a_line_of_otters_is_what_it_should_give(tmp_path, sandbox):
    path = notebook(
        tmp_path / "words.ipynb",
        ("raw", "# ASSIGNMENT CONFIG\ninit_cell: true", {}),
        ("raw", "# BEGIN QUESTION\nname: q1", {}),
        ("markdown", "Count words.", {}),
        ("raw", "# BEGIN SOLUTION", {}),
        ("code", "def count(text):\n    return len(text.split()) # SOLUTION", {}),
        ("raw", "# END SOLUTION", {}),
        ("raw", "# BEGIN TESTS", {}),
        ("code", "text = 'a b'\ncount(text)", {}),
        ("code", "count('a') == 1", {}),
        ("code", ">>> count('')\n0\n>>> count('a b c')\n3\n>>> print(count('a  b'))\n2\n", {}),
        ("code", "count('x')", {}),
        ("code", "not count('')", {}),
        ("code", "isinstance(count('x'), int)", {}),
        ("code", "assert not count('')", {}),
        ("code", "count('a') / 2", {}),
        ("code", "[count('a'), 0.5]", {}),
        ("code", "count('a') + count('b')", {}),
        ("code", "this is no Python", {}),
        ("raw", "# END TESTS", {}),
        ("raw", "# END QUESTION", {}),
    )
    cells = json.loads(path.read_text())
    cells["cells"][7]["outputs"] = shown("2")
    cells["cells"][14]["outputs"] = shown("np.float64(0.5)")
    cells["cells"][15]["outputs"] = shown("[np.int64(1), np.float64(0.5)]")
    path.write_text(json.dumps(cells))
    _, notes = import_problem(tmp_path, path, "otter", None, "a")
    assert notes == [
        "a cell is no Python and is left out: this is no Python",
        "test_q1 compares nothing with count('x'): say what it should give",
        "test_q1 compares nothing with count('a') + count('b'): say what it should give",
    ]
    course = load_course(tmp_path)
    (part,) = course.problems["words"].parts
    assert "CONFIG" not in course.problems["words"].statement
    asserted = (
        "assert not count('')",
        "assert isinstance(count('x'), int)",
        "assert count('a') / 2 == 0.5",
        "assert [count('a'), 0.5] == [1, 0.5]",
    )
    assert part.visible_source.count("assert not names.count('')") == 2
    for line in (*asserted, "(text) == 2", "count('a') == 1", "count('') == 0", "count('a b c') == 3"):
        assert line.replace("count", "names.count") in part.visible_source, line
    assert "assert str(names.count('a  b')) == '2'" in part.visible_source
    write_all(course)
    assert [check.sentence for check in verify_course(course, sandbox.run) if not check.passed] == []


def test_hidden_lines_have_what_the_lines_above_them_set(tmp_path, sandbox):
    path = notebook(
        tmp_path / "softmax.ipynb",
        ("code", "import numpy as np\nfrom nose.tools import assert_equal", {}),
        ("code", "def softmax(x):\n    z = np.exp(x - x.max())\n    return z / z.sum()", answer("softmax")),
        (
            "code",
            "from numpy.testing import assert_allclose\nx = np.array([1.0, 2.0])\n"
            "assert_allclose(softmax(x).sum(), 1)\n### BEGIN HIDDEN TESTS\n"
            "assert_allclose(softmax(x + 1000), softmax(x))\n### END HIDDEN TESTS\n",
            marked("softmax-works", 2),
        ),
    )
    _, notes = import_problem(tmp_path, path, "nbgrader", None, "a")
    assert notes == ["nose is not installed here: take its import out of the given code and the problem"]
    for place in ("problems/softmax.py", "problems/given/softmax.py"):
        text = (tmp_path / place).read_text()
        (tmp_path / place).write_text(text.replace("from nose.tools import assert_equal\n", ""))
    course = load_course(tmp_path)
    (part,) = course.problems["softmax"].parts
    assert "1000" not in part.visible_source
    write_all(course)
    assert [check.sentence for check in verify_course(course, sandbox.run) if not check.passed] == []


@pytest.mark.parametrize("text", ["{}", "no notebook", json.dumps({"cells": []})])
def test_what_is_no_source_notebook_is_refused(tmp_path, text):
    path = tmp_path / "x.ipynb"
    path.write_text(text)
    with pytest.raises(UsageError, match=r"x\.ipynb (is no notebook|has no cell)"):
        import_problem(tmp_path, path, "nbgrader")
