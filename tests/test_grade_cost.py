"""A bound on the cost pays marks: linear programs in any style keep them, quadratic ones lose their share."""

from __future__ import annotations

import inspect

import pytest

from autograder.grade import Grader
from autograder.notebook.build import build_notebook
from autograder.notebook.fill import fill
from tests.cost import programs


@pytest.fixture(scope="module")
def grade(real, sandbox):
    problem = real.problems["linear_attention"]
    grader = Grader(problem, real.solutions[problem.id], real.secret)

    def run(function):
        source = inspect.getsource(function).replace(f"def {function.__name__}(", "def linear_attention(")
        data = fill(build_notebook(problem, "any", real.root), {"linear_attention": source})
        return next(r for r in grader.grade(data, "ada", sandbox.run) if r.part == "linear_attention")

    return run


@pytest.mark.parametrize(
    "function",
    [programs.linear_attention, programs.by_einsum, programs.by_outer_products],
    ids=lambda f: f.__name__,
)
def test_a_linear_program_keeps_full_marks(grade, function):
    report = grade(function)
    assert report.score == report.max_score, report.feedback


@pytest.mark.parametrize(
    "function",
    [programs.table_first, programs.einsum_scores, programs.rows_of_scores],
    ids=lambda f: f.__name__,
)
def test_a_quadratic_program_loses_the_share_for_cost(grade, function):
    report = grade(function)
    assert report.score == report.max_score / 2
    assert report.mistake == "too_costly"
    assert "the values are right, but the cost is not O(T*d*dv)" in report.feedback
