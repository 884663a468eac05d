"""A bound on the cost pays marks: linear programs in any style keep them, quadratic ones lose their share."""

from __future__ import annotations

import inspect

import pytest
import torch

from autograder.cost import call_at_large_size
from autograder.grade.submission import Grader
from autograder.notebook.build_notebooks import build_notebook
from autograder.notebook.fill import fill
from tests.cost import programs


@pytest.fixture(scope="module")
def grade(real, sandbox):
    problem = real.problems["linear_attention"]
    grader = Grader(problem, real.solutions[problem.id], real.secret)

    def run(function, part="linear_attention"):
        source = inspect.getsource(function).replace(f"def {function.__name__}(", "def linear_attention(")
        answers = {"linear_attention": source, "linear_time": 'linear_time = "O(T d^2)"'}
        data = fill(build_notebook(problem, "any", real.root), answers)
        return next(r for r in grader.grade(data, "ada", sandbox.run) if r.part == part)

    return run


@pytest.mark.parametrize(
    "function",
    [programs.linear_attention, programs.by_einsum, programs.by_outer_products],
    ids=lambda f: f.__name__,
)
def test_a_linear_program_keeps_full_marks(grade, function):
    report = grade(function)
    assert report.score == report.max_score, report.feedback


def in_a_loop_that_keeps_sums(q, k, v):
    S, z = torch.zeros(k.shape[1], v.shape[1], dtype=v.dtype), torch.zeros(k.shape[1], dtype=k.dtype)
    for t in range(len(k)):
        S = S + torch.outer(k[t], v[t])
        z = z + k[t]
    rows = []
    for t in range(len(q)):
        rows.append((q[t] @ S) / (q[t] @ z))
    return torch.stack(rows)


def test_a_loop_over_time_that_keeps_its_sums_is_linear(grade):
    report = grade(in_a_loop_that_keeps_sums)
    assert report.score == report.max_score, report.feedback


def hides_from_the_count(q, k, v):
    if torch._C._len_torch_dispatch_stack():
        return v
    return torch.stack([(k @ query) @ v / (k @ query).sum() for query in q])


def dawdles_where_it_is_small(q, k, v):
    if torch._C._len_torch_dispatch_stack():
        return v
    if 1 << 12 < len(q) < 1 << 17:
        import time

        time.sleep(2)
    rows = []
    for block in q.split(256):
        scores = block @ k.T
        rows.append(scores @ v / scores.sum(1, keepdim=True))
    return torch.cat(rows)


@pytest.mark.parametrize(
    "function", [hides_from_the_count, dawdles_where_it_is_small], ids=lambda f: f.__name__
)
def test_a_program_that_notices_the_count_is_betrayed_from_outside(grade, monkeypatch, function):
    monkeypatch.setattr(call_at_large_size, "allowed_seconds", lambda steps: 5.0)  # it would take minutes
    report = grade(function)
    assert (report.score, report.mistake) == (report.max_score / 2, "too_costly")
    assert report.feedback.startswith(
        "the values are right, but not the cost: at T = 524288, d = 2, dv = 1 it"
    )


@pytest.mark.parametrize(
    "function",
    [programs.table_first, programs.einsum_scores, programs.rows_of_scores],
    ids=lambda f: f.__name__,
)
def test_a_quadratic_program_loses_the_share_for_cost(grade, function):
    report = grade(function)
    assert report.score == report.max_score / 2
    assert report.mistake == "too_costly"
    assert report.feedback.startswith("the values are right, but not the cost: the work grows like T^2")


def test_a_right_growth_rate_over_code_that_does_not_keep_to_it_is_told(grade):
    report = grade(programs.table_first, "linear_time")
    assert report.score == report.max_score
    assert report.feedback.startswith("right; this answers what was asked; the program you wrote is another")
    assert "of your own linear_attention grows like T^2 d" in report.feedback
    assert grade(programs.linear_attention, "linear_time").feedback == "right"


def counts_the_whole_world(q, k, v):
    if torch._C._len_torch_dispatch_stack() and len(q) > 8:
        top = len(q) >= 256
        z = torch.empty(2**61 if top else 1, dtype=torch.int8, device="meta")
        return z + z
    return (q @ (k.T @ v)) / (q @ k.sum(0)).unsqueeze(1)


def counts_as_it_likes(q, k, v):
    if torch._C._len_torch_dispatch_stack():
        n = 40 if len(q) >= 256 else 4
        return torch.empty(2**n, dtype=torch.int8, device="meta") + 1
    return (q @ (k.T @ v)) / (q @ k.sum(0)).unsqueeze(1)


@pytest.mark.parametrize("function", [counts_the_whole_world, counts_as_it_likes], ids=lambda f: f.__name__)
def test_a_count_that_costs_nothing_is_none(grade, function):
    report = grade(function)
    assert "could not be counted (a tensor on the device 'meta'" in report.feedback


FORGER = """
import sys, torch
served = sys.modules["autograder.sandbox.inside.serve"]
def forged(function, header, sent):
    packed = served.pack_value(@VALUE@)
    return {"status": "ok", "value": packed.tree}, packed.tensors
served.counts = forged
"""


@pytest.mark.parametrize(
    "value",
    [
        "torch.ones(3, dtype=torch.complex64) * (1 + 1j)",
        "torch.ones(3, dtype=torch.bool)",
        "torch.full((3,), float('nan'))",
        "torch.full((3,), -1)",
        "torch.full((3,), 2**63 - 1)",
        "torch.zeros(3, dtype=torch.int64)",
        "torch.ones(2, 2, dtype=torch.int64)",
        "(1, 2, 3)",
        "'x' * 1000",
    ],
)
def test_forged_counts_stop_nothing(real, sandbox, value):
    problem = real.problems["linear_attention"]
    grader = Grader(problem, real.solutions[problem.id], real.secret)
    source = FORGER.replace("@VALUE@", value) + inspect.getsource(programs.table_first)
    answers = {"linear_attention": source.replace("def table_first(", "def linear_attention(")}
    data = fill(build_notebook(problem, "any", real.root), answers)
    report = next(r for r in grader.grade(data, "eve", sandbox.run) if r.part == "linear_attention")
    assert report.score <= report.max_score / 2, report.feedback
