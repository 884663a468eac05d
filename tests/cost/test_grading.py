"""Linear programs in any style keep the marks for their cost; quadratic ones lose them, from both sides."""

from __future__ import annotations

import inspect
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from autograder.calls.requests_and_outcomes import Cell, FunctionCall, Limits, Outcome
from autograder.cost.call_at_large_size import (
    allowed_seconds,
    expect_large,
    judge_large,
    large_call,
    plan_large,
)
from autograder.cost.grading import is_bounded, judge_cost
from autograder.cost.measure import Row, fit_rows
from autograder.cost.measured_function import Subject, bounded
from autograder.cost.rates_agree import Agreement
from autograder.cost.sizes_to_measure import MOST_VOLUME
from autograder.cost.trace.count_a_call import count, read_count
from autograder.cost.trace.tracer import Cost
from autograder.course.model import Code, Problem
from autograder.sandbox.parent_pool import Sandbox
from tests.cost import programs
from tests.cost.programs import count_trusted

WORK_ONLY = replace(programs.PART, memory=None)
PROBLEM = Problem("Linear attention", "", "", [programs.PART], id="linear_attention")


def named(functions):
    return pytest.mark.parametrize("function", functions, ids=[f.__name__ for f in functions])


@named([*programs.LINEAR, *programs.QUADRATIC])
def test_all_styles_compute_the_same(function):
    q, k, v = torch.rand(6, 3) + 0.1, torch.rand(6, 3) + 0.1, torch.rand(6, 4)
    torch.testing.assert_close(function(q, k, v), programs.linear_attention(q, k, v))


@named(programs.LINEAR)
def test_a_linear_program_keeps_the_marks_in_any_style(function):
    verdict = judge_cost(WORK_ONLY, count_trusted(function, WORK_ONLY), None)
    assert verdict.holds, verdict.says
    assert verdict.says == "measured: the work grows like T d dv"


@named(programs.QUADRATIC)
def test_a_quadratic_program_loses_them_in_any_style(function):
    verdict = judge_cost(WORK_ONLY, count_trusted(function, WORK_ONLY), None)
    assert not verdict.holds
    assert "where T d dv is asked for" in verdict.says
    assert "T^2" in verdict.says


def test_a_bound_is_told_in_the_notation_of_the_rate_beside_it():
    part = replace(WORK_ONLY, work="T*d*dv")
    says = judge_cost(part, count_trusted(programs.table_first, part), None).says
    assert says == "the work grows like T^2 d + T^2 dv, where T d dv is asked for"


@named([programs.linear_attention, programs.by_loops, programs.by_loops_in_place])
def test_memory_is_bounded_by_what_is_alive_not_by_all_that_ever_was(function):
    assert judge_cost(programs.PART, count_trusted(function, programs.PART), None).holds


def test_a_table_breaks_the_bound_on_memory_too():
    counts = count_trusted(programs.table_first, programs.PART)
    assert "the memory grows like T^2" in judge_cost(programs.PART, counts, None).says


HOLDS, FAILS = Agreement(True, "it fits"), Agreement(False, "it takes too much")


def test_both_sides_must_agree():
    counts = count_trusted(programs.linear_attention, programs.PART)
    assert judge_cost(programs.PART, counts, HOLDS).holds
    refused = judge_cost(programs.PART, counts, FAILS)
    assert (refused.holds, refused.says) == (False, "it takes too much")
    counts = count_trusted(programs.table_first, programs.PART)
    assert not judge_cost(programs.PART, counts, HOLDS).holds


def leaves_torch(q, k, v):
    q, k, v = q.numpy(), k.numpy(), v.numpy()
    return torch.from_numpy((q @ (k.T @ v)) / (q @ k.sum(0))[:, None])


def test_a_program_that_cannot_be_counted_is_judged_from_outside_or_earns_nothing():
    counts = count_trusted(leaves_torch, programs.PART)
    alone = judge_cost(programs.PART, counts, None)
    assert not alone.holds
    assert "could not be counted (Tensor.numpy" in alone.says
    watched = judge_cost(programs.PART, counts, HOLDS)
    assert watched.holds
    assert "could not be counted" in watched.says
    assert not judge_cost(programs.PART, counts, FAILS).holds


def test_counts_that_follow_no_formula_earn_nothing():
    counts = [Row(at, Cost(n * n % 17, 1, 1)) for n, at in enumerate(bounded(programs.PART).grid())]
    alone = judge_cost(programs.PART, counts, None)
    assert not alone.holds
    counted = "the operations were counted, but the work follows no single formula in powers and logarithms"
    assert alone.says == f"{counted} of T, d, dv"
    assert judge_cost(programs.PART, counts, HOLDS).says == f"{counted} of T, d, dv; it fits"


def test_a_part_without_bounds_has_no_cost_to_judge():
    assert is_bounded(programs.PART)
    assert not is_bounded(replace(programs.PART, work=None, memory=None))


def test_counts_travel_as_plain_data():
    said = count(torch.mm, [torch.rand(2, 4), torch.rand(4, 3)])
    assert said == {"work": 24, "span": 3, "memory": 24}
    assert read_count(said) == Cost(24, 3, 24)
    assert "not measured" in read_count(count(torch.linalg.inv, [torch.eye(2)]))


@pytest.mark.parametrize(
    "said",
    [
        {},
        {"work": 1, "span": 1},
        {"work": -1, "span": 1, "memory": 1},
        {"work": True, "span": 1, "memory": 1},
        {"work": 1.0, "span": 1, "memory": 1},
        {"work": 1 << 70, "span": 1, "memory": 1},
        {"not_measured": 3},
    ],
)
def test_what_is_no_count_is_not_taken_for_one(said):
    assert read_count(said) == "the process gave no counts"


# ---------------------------------------------------------------- watched from outside


@pytest.fixture(scope="module")
def watched():
    planned = plan_large(PROBLEM, programs.PART, "secret", "student")
    return planned, expect_large(programs.linear_attention, planned)


def run_large(sandbox: Sandbox, watched, function) -> Agreement:
    planned, expected = watched
    source = inspect.getsource(function).replace(f"def {function.__name__}(", "def linear_attention(")
    cell = Cell(f"import torch\n{source}", "linear_attention", "1")
    outcome = sandbox.run([cell], [large_call(planned)]).outcomes[0]
    return judge_large(planned, expected, outcome)


@named([programs.linear_attention, programs.by_einsum, leaves_torch])
def test_a_linear_program_stays_within_the_limits(sandbox, watched, function):
    finding = run_large(sandbox, watched, function)
    assert finding.holds, finding.says


@named([programs.table_first, programs.einsum_in_one])
def test_a_table_over_all_pairs_runs_out_of_memory(sandbox, watched, function):
    finding = run_large(sandbox, watched, function)
    assert not finding.holds
    assert (
        finding.says == "at T = 131072, d = 16, dv = 16 it takes over 1024 MB, far more than fits the bound"
    )


def cheats(q, k, v):
    return torch.zeros_like(v)


def test_a_fast_wrong_answer_does_not_hold(sandbox, watched):
    assert "values are not right" in run_large(sandbox, watched, cheats).says


@pytest.mark.parametrize(
    ("outcome", "says"),
    [
        (Outcome("timed_out", error="…", limit="cpu"), "far longer"),
        (Outcome("timed_out", error="…", limit="wall"), "far longer"),
        (Outcome("killed", error="…", limit="memory"), "over 1024 MB"),
        (Outcome("raised", error="ValueError: tensor([0.1, …])"), "dv = 16 it raises ValueError"),
        (Outcome("raised", error="torch.OutOfMemoryError"), "it raises an error"),
        (Outcome("raised", error="<b>: 3"), "it raises an error"),
        (Outcome("bad_output", error="…"), "no value (bad output)"),
    ],
    ids=["cpu", "wall", "memory", "raised", "raised-without-words", "raised-without-a-name", "no-value"],
)
def test_a_limit_that_was_hit_is_named(watched, outcome, says):
    finding = judge_large(*watched, outcome)
    assert not finding.holds
    assert says in finding.says
    assert "tensor(" not in finding.says


def test_the_limits_leave_room_for_loops_and_none_for_pairs(watched):
    planned, _ = watched
    limits = large_call(planned, Limits(threads=7)).limits
    assert limits is not None
    assert limits.threads == 7
    steps = programs.PART.large["T"]
    assert limits.memory_mb << 20 < 4 * steps * steps / 16
    assert limits.cpu_seconds == allowed_seconds(steps) >= 5


BESIDE = """
import sys, types
def stand_in(name, path):
    module = types.ModuleType(name)
    module.__path__ = [path]
    sys.modules[name] = module
stand_in("autograder", {package!r})
from autograder.cost.trace.count_a_call import count
import torch
print(count(torch.mv, [torch.ones(2, 4), torch.ones(4)]))
print(sorted(name for name in sys.modules if name.startswith("autograder.cost.trace.")))
print([name for name in ("scipy", "lark", "sympy", "torch._dynamo") if name in sys.modules])
"""


FILES = (
    "count_a_call",
    "guarded_exits",
    "indexing_rules",
    "inner_product_rules",
    "layer_rules",
    "ready_times",
    "rules",
    "sorting_rules",
    "time_model",
    "tracer",
    "views",
)


def test_counting_beside_a_student_needs_a_few_files_and_torch():
    package = str(Path(inspect.getfile(Cost)).parent.parent)
    code = BESIDE.format(package=package)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.splitlines() == [
        "{'work': 8, 'span': 3, 'memory': 8}",
        str([f"autograder.cost.trace.{name}" for name in FILES]),
        "[]",
    ], done.stderr


EARLY = """
import torch
from torch.utils.dlpack import to_dlpack
from torch.utils._python_dispatch import _disable_current_modes
from _thread import start_new_thread

def leaves(q):
    to_dlpack(q)
    return q

def hides(q):
    with _disable_current_modes():
        hidden = q @ q.T
    return hidden.sum(1, keepdim=True) + q

def delegates(q):
    start_new_thread(print, ())
    return q
"""


@pytest.mark.parametrize("function", ["leaves", "hides", "delegates"])
def test_a_name_that_a_cell_took_before_the_count_leads_nowhere_else(sandbox, function):
    call = FunctionCall("any", function, (torch.ones(3, 2),), counted=True)
    (outcome,) = sandbox.run([Cell(EARLY, "any", "1")], [call]).outcomes
    assert "not measured" in str(outcome.outputs[0])


# ---------------------------------------------------------------- where a student's program is counted


def test_a_student_is_counted_where_the_program_takes_most_of_the_time():
    sizes = bounded(WORK_ONLY).graded()
    assert len(sizes) == 36
    assert max(at["T"] * at["d"] * at["dv"] for at in sizes) == MOST_VOLUME
    for axis, longest in (("T", 256), ("d", 512)):  # T is looped over: half as long where all are
        assert max(at[axis] for at in sizes if at["dv"] == 512) == longest


def test_points_far_apart_are_added_where_memory_is_bounded_since_peaks_compete():
    assert {tuple(at.values()) for at in bounded(programs.PART).graded()} > {
        tuple(at.values()) for at in bounded(WORK_ONLY).graded()
    }


def test_arguments_stay_small_and_axes_that_depend_on_each_other_are_left_to_the_small_grid():
    def square(x):
        """x[N, N]   returns [N, N]"""

    assert max(at["N"] for at in bounded(Code(square, points=1, cases=(), work="N^2")).graded()) == 512
    layer = Code(programs.self_attention, points=1, cases=(), work="T")
    assert bounded(layer).graded() == ()


@pytest.mark.parametrize(
    ("function", "grid"),
    [(programs.by_loops, Subject.graded), (programs.pairs_in_loops, Subject.grid)],
    ids=["rows", "pairs"],
)
def test_a_loop_over_rows_is_counted_on_the_large_grid_and_one_over_pairs_on_the_small_one(function, grid):
    rows = count_trusted(function, WORK_ONLY)
    assert [row.sizes for row in rows] == list(grid(bounded(WORK_ONLY)))


def test_a_program_that_takes_too_many_operations_is_stopped_and_not_tried_again():
    def long(x):
        for _ in range(100):
            x = x + 1
        return x

    assert count(long, [torch.ones(2)], 100)["work"] == 200
    for _ in range(2):
        assert count(long, [torch.ones(2)], 99) == {
            "not_measured": "this call: not measured: it takes too many operations at this size"
        }
    assert count(long, [torch.ones(2)])["work"] == 200


def test_both_grids_tell_the_same_growth():
    for function in (programs.by_ones_column, programs.einsum_scores):
        here = fit_rows(count_trusted(function, programs.PART), ("T", "d", "dv"))
        small = bounded(programs.PART).measure(function)
        assert here.fits["work"].formula == small.fits["work"].formula
        assert here.fits["span"].formula == small.fits["span"].formula
        assert set(here.fits["memory"].branches) == set(small.fits["memory"].branches)
