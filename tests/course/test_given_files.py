"""Given code, files and packages: handed out, put back when it is graded, and told of where they are wrong."""

from __future__ import annotations

import json
import shutil

import pytest

from autograder.calls.requests_and_outcomes import Cell, FunctionCall
from autograder.check.checker import Checker
from autograder.check.saved_notebook import read_saved
from autograder.course.given_files import import_names
from autograder.course.load import imports_of, load_course
from autograder.errors import CourseError
from autograder.grade.submission import Grader
from autograder.notebook.build_notebooks import build_notebook, stale, write_all
from autograder.notebook.fill import fill, reference_answers
from autograder.release.bundle import build_bundle
from autograder.release.make_handout import make_handout
from autograder.sandbox.parent_pool import Sandbox
from tests.conftest import ROOT

NAMES = ROOT / "examples" / "courses" / "names"


@pytest.fixture(scope="module")
def course():
    return load_course(NAMES)


@pytest.fixture
def copy(tmp_path):
    """A copy of the course that a test may break."""
    return shutil.copytree(NAMES, tmp_path / "course")


def filled(course, edit=lambda cells: None):
    problem = course.problems["bigrams"]
    answers = reference_answers(
        problem, course.solutions["bigrams"], course.files["solutions/bigrams.py"].decode()
    )
    data = json.loads(fill(build_notebook(problem, "counting", course.root), answers))
    edit(data["cells"])
    return json.dumps(data).encode()


def spoil(cells):
    """A student's given cell with other names and other letters."""
    given = next(cell for cell in cells if cell["metadata"]["nbgrader"]["grade_id"] == "given-code")
    given["source"] = 'LETTERS = "zyx"\nNAMES = ["zzz"]\n\ndef encode(name):\n    return [0]\n'


@pytest.mark.parametrize("edit", [lambda cells: None, spoil, lambda cells: cells.pop(2)])
def test_given_code_and_files_are_put_back_when_a_notebook_is_graded(course, sandbox, edit):
    grader = Grader(course.problems["bigrams"], course.solutions["bigrams"], course.secret)
    reports = grader.grade(filled(course, edit), "ada", sandbox.run)
    assert [(report.score, report.max_score) for report in reports] == [(2, 2), (1, 1)]


def test_the_given_cell_is_locked_and_files_lie_beside_the_notebook(course):
    cells = json.loads(build_notebook(course.problems["bigrams"], "counting", course.root))["cells"]
    given = cells[2]
    assert given["metadata"]["editable"] is False
    assert "LETTERS = " in "".join(given["source"])
    assert "`data/names.txt`" in "".join(cells[0]["source"])
    bundle = build_bundle(course, course.sets)
    assert bundle["counting/data/names.txt"] == (NAMES / "problems/data/names.txt").read_bytes()
    assert not any("letters.py" in path for path in bundle)


def test_a_check_says_that_given_code_was_changed_and_what_may_not_be_there(course, tmp_path):
    def edit(cells):
        spoil(cells)
        cells[1]["source"] = "import torch\nimport sklearn.svm\nfrom autograder import check"

    path = tmp_path / "bigrams.ipynb"
    path.write_bytes(filled(course, edit))
    handout = make_handout(course, course.problems["bigrams"])
    changed, imported = Checker(handout, {}, read_saved(path)).check("name_losses").slips
    assert "the cell of given code was changed" in changed
    assert "sklearn is imported" in imported
    assert "torch, numpy and matplotlib are sure to be there" in imported


@pytest.mark.parametrize("bubblewrap", [True, False])
def test_files_are_read_by_their_path_and_cannot_be_left_for_the_next_submission(bubblewrap):
    source = """
def f():
    with open("data/a.txt", "rb") as file:
        held = file.read()
    try:
        with open("data/b.txt", "wb") as file:
            file.write(held)
    except OSError:
        pass
    import os
    return str([sorted(os.listdir("data")), list(held)])
"""
    files = {"data/a.txt": b"\x00\xff"}
    with Sandbox(bubblewrap=bubblewrap) as sandbox:
        run = lambda: sandbox.run([Cell(source)], [FunctionCall("f", "f", ())], files=files).outcomes[0]  # noqa: E731
        first, second = run(), run()
        assert first == second
        assert first.outputs[0].endswith("[0, 255]]")
        assert sandbox.run([Cell(source)], [FunctionCall("f", "f", ())]).outcomes[0].status == "raised"


def test_allowed_packages_are_warm_and_others_are_told_of():
    assert import_names(["PyYAML"]) == ("yaml",)
    warm = "import sys\ndef f(): return 'sympy' in sys.modules"
    absent = "def f():\n    import no_such_package"
    with Sandbox(imports=["sympy"]) as sandbox:
        assert sandbox.run([Cell(warm)], [FunctionCall("f", "f", ())]).outcomes[0].outputs == (True,)
        error = sandbox.run([Cell(absent)], [FunctionCall("f", "f", ())]).outcomes[0].error
        assert "a submission may import Python's own modules, torch, numpy, matplotlib and" in error
        assert not sandbox.take_on(sandbox.limits)
        assert sandbox.take_on(sandbox.limits, ["sympy"])


def test_what_notebooks_import_is_known_before_a_course_is_loaded(copy):
    assert imports_of(copy) == load_course(copy).imports == ()
    toml = copy / "problems" / "course.toml"
    toml.write_text(toml.read_text() + '\n[packages]\nallow = ["PyYAML"]\n')
    solution = next((copy / "solutions").glob("*.py"))
    solution.write_text(solution.read_text() + "\nfrom torch import optim as _optim\n")
    assert imports_of(copy) == load_course(copy).imports == ("yaml", "torch._dynamo")
    toml.write_text("[packages")
    assert imports_of(copy) == ()


@pytest.mark.parametrize("imports", [(), ("torch._dynamo",)])
def test_an_optimizer_finds_what_it_imports_where_the_course_speaks_of_one(imports):
    warm = "import sys\ndef f(): return 'torch._dynamo' in sys.modules"
    with Sandbox(imports=imports) as sandbox:
        outcome = sandbox.run([Cell(warm)], [FunctionCall("f", "f", ())]).outcomes[0]
        assert outcome.outputs == (bool(imports),)


def test_packages_stand_in_what_students_install(copy):
    toml = copy / "problems" / "course.toml"
    toml.write_text(toml.read_text() + '\n[packages]\nallow = ["sympy"]\n')
    bundle = build_bundle(load_course(copy), load_course(copy).sets)
    assert "\nsympy==" in bundle["requirements.txt"].decode()
    assert "sympy" in bundle["README.md"].decode()


PROBLEM = "problems/bigrams.py"


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        (PROBLEM, "given/letters.py", "letters.py", "given names 'letters.py', but there is no problems/letters"),
        (PROBLEM, '["data/names.txt', '["../names.txt', "files names '../names.txt'; write its path below problems/"),
        (PROBLEM, '["data/names.txt"]', '"data/names.txt"', "files is 'data/names.txt'; write a list"),
        (PROBLEM, '["data/names.txt', '["given/letters.py', "code is given with given="),
        ("problems/given/letters.py", "def encode", "def name_losses", "defines name_losses, which is asked for"),
        ("problems/given/letters.py", "def encode(", "def encode", "letters.py:9 is no Python"),
        ("problems/given/letters.py", "data/", "", "problems/given/letters.py:6 cannot be loaded: FileNotFound"),
        ("problems/course.toml", "[sets", '[packages]\nallow = ["no-such"]\n[sets', "'no-such', which is not inst"),
        ("problems/course.toml", "[sets", "[packages]\nalow = []\n[sets", "has no setting 'alow'; there is allow"),
    ],
)  # fmt: skip
def test_what_is_given_wrongly_is_told_with_its_place(copy, file, old, new, message):
    path = copy / file
    path.write_text(path.read_text().replace(old, new, 1))
    with pytest.raises(CourseError) as caught:
        load_course(copy)
    assert message in "\n".join(caught.value.faults)


def test_a_file_beside_the_problems_that_none_gives_is_told_of(copy):
    (copy / "problems" / "stray.py").write_text("raise RuntimeError('it is not run')")
    with pytest.raises(CourseError, match=r"stray.py has no problem; end it with"):
        load_course(copy)


def test_stale_files_beside_notebooks_are_written_again(copy):
    course = load_course(copy)
    (copy / "notebooks/counting/data/names.txt").write_text("other")
    assert stale(course) == ["notebooks/counting/data/names.txt is out of date; run autograder build"]
    assert write_all(course) == ["wrote notebooks/counting/data/names.txt"]
