"""The smallest case: in the part's domain, the fewest numbers first, and only where values clearly differ."""

from __future__ import annotations

import pytest
import torch

from autograder.calls.requests_and_outcomes import FunctionArg, Outcome
from autograder.course.cases import (
    case,
    function,
    number,
    orthogonal,
    positive,
    whole,
)
from autograder.course.model import Code
from autograder.diagnose.make_small_cases import count_numbers, small_cases
from autograder.diagnose.pick_smallest_case import MOST_CASES, find_smallest, plan_small, read_smallest, write


def attend(q, k):
    """Softmax over keys of q·k.   q[I, D]   k[J, D]   returns [I, J]"""


def right(q, k):
    return torch.softmax(q @ k.T, 1)


ATTEND = Code(attend, 1, [case("a", I=2, J=5, D=3), case("b", I=4, J=1, D=2), case("c", I=3, J=4, D=6)])


def outcome(value):
    several = isinstance(value, tuple)
    outputs = value if several else (value,)
    return Outcome("ok", outputs, "tuple" if several else "tensor", ("tensor",) * len(outputs))


def smallest(part, reference, wrong, **options):
    cases = plan_small(part, reference)
    return find_smallest(
        part.parameters, cases, [outcome(wrong(*each.call.arguments)) for each in cases], **options
    )


def test_the_fewest_numbers_come_first_and_calls_are_bounded():
    counts = [count_numbers(call.arguments) for call in small_cases(ATTEND, MOST_CASES)]
    assert counts == sorted(counts)
    assert counts[0] == 2
    assert len(counts) <= MOST_CASES


def test_a_softmax_over_the_wrong_axis_shows_on_three_numbers():
    found = smallest(ATTEND, right, lambda q, k: torch.softmax(q @ k.T, 0))
    assert found.numbers == 3
    assert read_smallest(found).startswith("a small case that shows it: for q = [[")


def test_a_right_function_shows_nothing():
    assert smallest(ATTEND, right, lambda q, k: torch.softmax(k @ q.T, 0).T) is None


def test_another_shape_is_shown_only_where_the_shape_is_what_is_wrong():
    assert smallest(ATTEND, right, lambda q, k: right(q, k).squeeze()) is None
    assert smallest(ATTEND, right, lambda q, k: right(q, k).T, shape=True).numbers == 3


def windows(x, t, w, sigma, cell):
    """Even x[T], words w[T] below W, t inside.   x[T]   w[T]   e[W]   returns [T]"""


def test_sizes_and_entries_stay_within_what_cases_are_about():
    part = Code(
        windows,
        1,
        [
            case("a", T=6, t=2, W=5, sigma="relu"),
            case("b", T=4, t=1, W=3),
            case("c", T=8, t=6, W=9, hidden=True),
        ],
        draws={
            "x": positive(0.3, 1.0),
            "t": number(),
            "w": whole("W"),
            "sigma": function("tanh"),
            "cell": function("mixer", takes=("T", "W"), gives="T"),
        },
    )
    for call in small_cases(part, MOST_CASES):
        x, t, w, sigma, cell = call.arguments
        assert len(x) % 2 == 0
        assert 1 <= t <= len(x) - 2
        assert 0.3 <= float(x.min()) <= float(x.max()) <= 1.0
        assert int(w.max()) < call.case.sizes["W"]
        assert sigma in (FunctionArg("relu", {}), FunctionArg("tanh", {}))
        assert cell.tensors["1"].shape == (len(x), call.case.sizes["W"])


def basis(a, b, c):
    """Three vectors.   a[D]   b[D]   c[D]   returns [D]"""


def test_orthogonal_vectors_stay_orthogonal():
    draws = {name: orthogonal() for name in "abc"}
    for call in small_cases(Code(basis, 1, [case("a", D=5), case("b", D=4)], draws=draws), MOST_CASES):
        rows = torch.stack(call.arguments).double()
        assert torch.equal(rows @ rows.T, torch.eye(3).double())


def test_no_case_lies_at_a_jump():
    """Where the reference jumps, right functions may differ."""

    def step(q, k):
        return (q @ k.T > 0).double()

    assert smallest(ATTEND, step, lambda q, k: (q @ k.T >= 0).double()) is None
    assert smallest(ATTEND, step, lambda q, k: (q @ k.T < 0).double()).numbers == 2


def test_a_case_that_the_reference_refuses_is_left_out():
    def refuses(q, k):
        if len(q) < 2:
            raise ValueError("one query is no case")
        return right(q, k)

    assert smallest(ATTEND, refuses, lambda q, k: right(q, k) + 1).numbers == 3


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (torch.tensor([[1.0, 0.26894]]), "[[1, 0.2689]]"),
        (torch.tensor([2, 0]), "[2, 0]"),
        (torch.tensor(float("nan")), "nan"),
        (FunctionArg("tanh", {}), "tanh"),
        (
            FunctionArg("mixer", {"0": torch.ones(1, 1), "1": torch.tensor([[1.0, 2.0]])}),
            "(a, b) ↦ tanh(1·a + [[1, 2]] b)",
        ),
        (3, "3"),
    ],
)
def test_values_are_written_in_a_line(value, text):
    assert write(value) == text


def test_rounding_shows_in_no_small_case(real):
    problem = real.problems["merged_query_key"]
    for part in (part for part in problem.parts if isinstance(part, Code)):
        reference = real.solutions["merged_query_key"].answers[part.name]
        assert smallest(part, reference, lambda *given, f=reference: f(*given).float() * (1 + 1e-6)) is None
