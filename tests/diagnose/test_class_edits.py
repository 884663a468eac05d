"""A class that is right but for one slip in a method is told of it, from the reference alone."""

from __future__ import annotations

import pytest

from autograder.course.load import load_course
from autograder.diagnose.class_edits import ClassFinder
from autograder.grade.submission import Grader
from autograder.notebook.build_notebooks import build_notebook
from autograder.notebook.fill import fill
from tests.conftest import ROOT

NORM = """
class RMSNorm(torch.nn.Module):
    def __init__(self, size, eps=1e-5):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(size))
        self.eps = eps

    def forward(self, x):
        squares = {}
        return x / torch.sqrt(squares + self.eps) * self.weight
"""
RIGHT = NORM.format("(x * x).mean(-1, keepdim=True)")
SCHEDULE = """
import math

class CosineSchedule:
    def __init__(self, highest, warmup, steps):
        self.top, self.up, self.end, self.at = highest, warmup, steps, 0

    def next(self):
        self.at += 1
        if self.at <= self.up:
            return self.top * self.at / self.up
        if self.at > self.end:
            return 0.0
        share = (self.at - self.up) / (self.end - self.up)
        return self.top * {}
"""


@pytest.fixture(scope="module")
def grade(sandbox):
    course = load_course(ROOT / "examples" / "courses" / "language_models")

    def graded(name, part, source):
        problem = course.problems[name]
        grader = Grader(problem, course.solutions[name], course.secret)
        data = fill(build_notebook(problem, "s", course.root), {part: source})
        return next(r for r in grader.grade(data, "ada", sandbox.run) if r.part == part)

    return graded


@pytest.mark.parametrize(
    ("squares", "says"),
    [
        ("(x * x).amax(-1, keepdim=True)", "the maximum over size is taken, not the mean"),
        ("(x * x).sum(-1, keepdim=True)", "the sum over size is taken, not the mean"),
    ],
)
def test_a_slip_in_a_module_is_told_in_the_words_of_its_question(grade, squares, says):
    report = grade("layers", "RMSNorm", NORM.format(squares))
    assert report.score == 0
    assert report.feedback.splitlines()[0].partition("; line ")[0] == says


def test_a_class_of_which_one_number_is_wrong_is_called_no_slip(grade):
    report = grade("optimisers", "CosineSchedule", SCHEDULE.format("(1 + math.cos(math.pi * share)) / 3"))
    assert (report.score, report.mistake) == (0, None)


def test_what_is_found_never_speaks_of_what_only_the_reference_names(grade):
    course = load_course(ROOT / "examples" / "courses" / "language_models")
    for problem, name in (("optimisers", "AdamW"), ("layers", "SwiGLU")):
        part, reference = course.problems[problem].part(name), course.solutions[problem].answers[name]
        changed = ClassFinder(course.problems[problem], part, reference).changed
        assert len(changed) > 100
        assert not [each.edit.says for each in changed if "self" in each.edit.says.split()]


def test_a_right_class_is_told_nothing(grade):
    report = grade("layers", "RMSNorm", RIGHT)
    assert (report.score, report.mistake) == (report.max_score, None)


def test_a_class_that_is_wrong_in_its_own_way_is_called_no_slip(grade):
    report = grade("layers", "RMSNorm", NORM.format("(x * x).mean(-1, keepdim=True) ** 1.37 + x.sum()"))
    assert (report.score, report.mistake) == (0, None)
