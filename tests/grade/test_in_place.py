"""A function that changes its arguments is asked for by what they are afterwards."""

from __future__ import annotations

import pytest

from autograder.course.load import load_course
from autograder.grade.submission import Grader
from autograder.notebook.build_notebooks import build_notebook
from autograder.notebook.fill import fill
from autograder.verify.proof import verify_course

PROBLEM = '''
from autograder import Module, Problem, case, do, whole

def clip(parameters, limit):
    """Scale all gradients in place, so that their joint norm is at most `limit`."""

def index(ordinal, sizes, out):
    """Write the index of the ordinal-th entry into `out`."""

weights = [do.leaf("w[I, J]", grad=True), do.leaf("b[J]", grad=True)]
looks = [do.look("w.grad"), do.look("b.grad"), do.look("w")]
problem = Problem(title="t", source="s", statement="s", parts=[
    Module(clip, points=1, cases=[
        case("two tensors", init=dict(parameters=weights, limit=0.5), steps=looks, I=2, J=3),
    ]),
    Module(index, points=1, draws={"out": whole(9)}, cases=[
        case("two axes", init=dict(ordinal=5, sizes=(2, 3), out=do.kept("out[N]")), steps=[do.look("out")], N=2),
    ]),
])
'''
CLIP = """
def clip(parameters, limit):
    norm = sum((p.grad**2).sum() for p in parameters) ** 0.5
    for p in parameters:
        p.grad *= min(1.0, limit / float(norm))
"""
INDEX = """
def index(ordinal, sizes, out):
    for axis in reversed(range(len(sizes))):
        out[axis] = ordinal % sizes[axis]
        ordinal //= sizes[axis]
"""


@pytest.fixture
def course(tmp_path):
    for folder in ("problems", "solutions"):
        (tmp_path / folder).mkdir()
    (tmp_path / "problems" / "course.toml").write_text('[sets.a]\nproblems = ["p"]\n')
    (tmp_path / "problems" / "p.py").write_text(PROBLEM)
    (tmp_path / "solutions" / "p.py").write_text(CLIP + INDEX)
    (tmp_path / "solutions" / "secret.txt").write_text("a secret of the test\n")
    return load_course(tmp_path)


@pytest.fixture
def grade(course, sandbox):
    def graded(**answers):
        problem = course.problems["p"]
        grader = Grader(problem, course.solutions["p"], course.secret)
        reports = grader.grade(fill(build_notebook(problem, "a", course.root), answers), "ada", sandbox.run)
        return {report.part: report for report in reports}

    return graded


def test_what_was_changed_in_place_is_compared(grade):
    reports = grade(clip=CLIP, index=INDEX)
    assert [report.score for report in reports.values()] == [1, 1]


@pytest.mark.parametrize(
    ("part", "source", "says"),
    [
        ("clip", "def clip(parameters, limit):\n    pass", "step 1, w.grad: 6 of 6 values differ"),
        ("clip", CLIP.replace("p.grad *=", "p = p.grad *"), "step 1, w.grad: 6 of 6 values differ"),
        ("clip", CLIP + "        p.data *= 0", "step 3, w: 6 of 6 values differ"),
        ("index", "def index(ordinal, sizes, out):\n    return [1, 2]", "out: "),
        ("index", "def index(ordinal, sizes, out):\n    out.__class__ = int", "raised TypeError"),
    ],
    ids=["nothing", "a copy", "the weights too", "returned", "another class"],
)
def test_a_function_that_does_not_change_them_so_earns_nothing(grade, part, source, says):
    report = grade(**{part: source})[part]
    assert report.score == 0
    assert says in report.feedback


def test_such_a_part_is_proved_like_any_other(course, sandbox):
    wrong = [c.sentence for c in verify_course(course, sandbox.run) if not c.passed and c.what != "notebooks"]
    assert wrong == []
