"""numpy's arrays count as tensors of the same dtype, in marks and checks alike, unless a part forbids them."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from autograder.calls.arrays import as_tensors
from autograder.check.checker import Checker
from autograder.course.case_demands import demands
from autograder.grade.submission import Grader
from autograder.release.handout_file import decode, encode
from autograder.release.make_handout import make_handout

ARRAY = """
import numpy

def scores(q, k):
    e = numpy.exp((logits := q.detach().numpy() @ k.detach().numpy().T) - logits.max(1, keepdims=True))
    return {}
"""
RIGHT = ARRAY.format("e / e.sum(1, keepdims=True)")
DOUBLE = ARRAY.format("(e / e.sum(1, keepdims=True)).astype(numpy.float64)")
WRONG = "def scores(q, k): return torch.softmax(q @ k.T, 0).detach().numpy()"


@pytest.fixture
def graded(small, notebook, sandbox):
    def grade(source, **settings):
        problem = small.problems["scores"]
        parts = [replace(p, **settings) if p.name == "scores" else p for p in problem.parts]
        grader = Grader(replace(problem, parts=parts), small.solutions["scores"], small.secret)
        reports = grader.grade(notebook(scores=source), "ada", sandbox.run)
        return next(report for report in reports if report.part == "scores")

    return grade


@pytest.fixture
def checked(small):
    def check(source, **settings):
        problem = small.problems["scores"]
        parts = [replace(p, **settings) if p.name == "scores" else p for p in problem.parts]
        handout = decode(encode(make_handout(small, replace(problem, parts=parts))), "here")
        names = {"torch": torch}
        exec(compile(source, "<cell>", "exec"), names)
        return Checker(handout, names).check("scores").parts[0]

    return check


def test_a_right_array_earns_full_marks_and_passes_its_check(graded, checked):
    assert graded(RIGHT).score == graded(RIGHT).max_score
    assert {case.state.name for case in checked(RIGHT).cases} == {"PASSES"}


def test_an_array_of_another_dtype_is_as_wrong_as_a_tensor_of_it(graded, checked):
    report = graded(DOUBLE)
    assert report.score == 0
    assert "expected float32, got float64" in report.feedback
    assert "expected float32, got float64" in checked(DOUBLE).cases[0].message


def test_a_wrong_array_is_told_the_slip_that_a_wrong_tensor_is(graded):
    tensor = "def scores(q, k): return torch.softmax(q @ k.T, 0)"
    named = graded(tensor).mistake
    assert named is not None
    assert graded(WRONG).mistake == named


def test_a_part_may_forbid_arrays_and_says_so_before(graded, checked, small):
    says = "expected a torch tensor, got a numpy array: wrap it in torch.from_numpy(…)"
    report = graded(RIGHT, numpy=False)
    assert (report.score, report.mistake) == (0, "returns_ndarray")
    assert says in report.feedback
    assert checked(RIGHT, numpy=False).cases[0].message == says
    part = replace(small.problems["scores"].part("scores"), numpy=False)
    assert "for a tensor of torch: an array of numpy is no answer" in demands(part)


@pytest.mark.parametrize(
    ("kind", "value", "dtype"),
    [
        ("numpy.float32", 0.5, torch.float32),
        ("numpy.float64", 0.5, torch.float64),
        ("numpy.int64", 3, torch.int64),
        ("numpy.bool", True, torch.bool),
    ],
)
def test_a_scalar_of_numpy_is_a_tensor_without_axes(kind, value, dtype):
    assert as_tensors(kind, (kind,), (value,)) == ("tensor", ("tensor",), (torch.tensor(value, dtype=dtype),))


@pytest.mark.parametrize(
    ("kind", "value"),
    [("numpy.int8", 1 << 40), ("numpy.str_", "a"), ("numpy.float32", "a"), ("number", 0.5)],
)
def test_what_only_calls_itself_a_scalar_stays_what_it_is(kind, value):
    assert as_tensors(kind, (kind,), (value,)) == (kind, (kind,), (value,))
