"""A hidden case's hint appears only where it can be true, and a mistake is named only if its result's kind is."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from autograder.calls.expected import call_trusted, expect, plan
from autograder.calls.inputs import as_given
from autograder.course.cases import case
from autograder.course.model import Code, Problem, mistake
from autograder.grade.code import judge_code
from autograder.grade.hidden_hints import LIKE_VISIBLE, SAME_SLIP, WITHOUT_VALUES
from autograder.verify.checks import as_outcome


def attend(q, k):
    """Softmax over keys.   q[I, D]   k[J, D]   returns [I, J]"""
    return torch.softmax(q @ k.T, dim=1)


@mistake("attend", "the softmax overflows")
def overflows(q, k):
    e = (q @ k.T).exp()
    return e / e.sum(1, keepdim=True)


HINTS = {
    "double": "and float32 is asked for",
    "one": "with one key the weight is 1",
    "other sizes": "check the axes",
    "large": "subtract the maximum",
    "views": "inputs need not be contiguous, and gradients must flow",
}
PART = Code(
    attend,
    points=4,
    cases=[
        case("first", I=2, J=5, D=3),
        case("second", I=3, J=2, D=4),
        case("double", I=3, J=4, D=2, dtype="float64", hidden=True, hint=HINTS["double"], costs=0.25),
        case("one", I=3, J=1, D=2, hidden=True, hint=HINTS["one"]),
        case("other sizes", I=6, J=7, D=3, hidden=True, hint=HINTS["other sizes"]),
        case("large", I=3, J=4, D=8, scale=40, hidden=True, hint=HINTS["large"], costs=0.25),
        case(
            "views", I=4, J=3, D=2, layout="strided", grad=["q"], hidden=True, hint=HINTS["views"], costs=0.25
        ),
    ],
)
PROBLEM = Problem("A test", "", "", [PART], id="hints")


def judged(function, kind=None):
    calls = plan(PROBLEM, PART, "secret", "ada")
    outcomes = [as_outcome(call_trusted(function, call, as_given)) for call in calls]
    if kind is not None:
        outcomes = [_of_kind(outcome, kind) for outcome in outcomes]
    expected = [expect(attend, call) for call in calls]
    return judge_code(PART, calls, expected, [*outcomes, outcomes[0]], [overflows])


def _of_kind(outcome, kind):
    return replace(outcome, kind=kind, kinds=(kind,) * len(outcome.outputs))


def told(report):
    return {result.name: result.message for result in report.cases if result.hidden and not result.passed}


def only_if(condition, wrong):
    return lambda q, k: wrong(attend(q, k)) if condition(q, k) else attend(q, k)


def test_no_hint_is_given_while_the_visible_cases_fail():
    report = judged(lambda q, k: torch.tanh(q @ k.T))
    assert set(told(report).values()) == {LIKE_VISIBLE}
    assert LIKE_VISIBLE == "fails like the visible cases: mend those first"


def test_a_crash_is_not_hinted_at():
    def crash(q, k):
        if q.dtype == torch.float64:
            raise ValueError("leak")
        return attend(q, k)

    assert told(judged(crash)) == {"double": "raised ValueError"}


def test_a_function_that_returns_nothing_is_told_so_and_nothing_else():
    report = judged(attend, kind="none")
    assert report.mistake == "returns_none"
    assert report.feedback.startswith(
        "expected a torch tensor, got None: does the function end with return?\n"
    )
    assert set(told(report).values()) == {SAME_SLIP}


@pytest.mark.parametrize(
    "function",
    [
        lambda q, k: attend(q, k).float(),
        lambda q, k: attend(q.float(), k.float()).to(q.dtype),
    ],
    ids=["dtype", "rounded"],
)
def test_a_lost_precision_is_hinted_at(function):
    assert told(judged(function)) == {"double": HINTS["double"]}


def test_values_that_are_wrong_in_double_precision_are_no_matter_of_precision():
    function = only_if(lambda q, k: q.dtype == torch.float64, lambda out: out * 3)
    assert told(judged(function)) == {"double": WITHOUT_VALUES["values"]}


def test_an_overflow_is_hinted_at():
    report = judged(overflows.answer)
    assert told(report) == {"large": HINTS["large"]}
    assert (report.mistake, report.score) == ("overflows", 3)


def test_of_a_wrong_gradient_the_fact_is_told():
    """The hint speaks of views as well, and perhaps of gradients that do not flow: those cost nothing."""
    told_of = told(judged(lambda q, k: attend((q + q.detach()) / 2, k)))
    assert told_of == {"views": "the values are right, but the gradients are not"}


def test_of_another_shape_the_fact_is_told_before_the_hint():
    function = only_if(lambda q, k: len(k) == 1, lambda out: out.repeat(1, 2))
    assert told(judged(function)) == {"one": f"{WITHOUT_VALUES['shape']}: {HINTS['one']}"}


def test_a_right_function_in_double_precision_is_not_told_that_it_overflows():
    report = judged(lambda q, k: attend(q, k).double())
    assert report.mistake == "wrong_dtype"
    assert report.feedback.startswith("the values are right, but in float64, and float32 is asked for\n")


def test_the_hint_of_the_only_case_that_fails_is_given():
    assert told(judged(only_if(lambda q, k: len(k) == 1, torch.zeros_like))) == {"one": HINTS["one"]}


def test_where_several_cases_fail_for_reasons_unknown_there_is_no_list_of_hints():
    function = only_if(lambda q, k: len(q) > 3 or len(k) == 1, lambda out: out.exp())
    assert set(told(judged(function)).values()) == {WITHOUT_VALUES["values"]}


def test_a_right_function_that_returns_numpy_is_not_told_that_it_overflows():
    report = judged(attend, kind="ndarray")
    assert report.mistake == "returns_ndarray"
    assert report.feedback.startswith(
        "expected a torch tensor, got a numpy array: wrap it in torch.from_numpy"
    )


def test_a_mistake_in_numpy_is_first_of_all_numpy():
    assert judged(overflows.answer, kind="ndarray").mistake == "returns_ndarray"


def test_the_name_of_a_class_of_their_own_is_not_shown():
    report = judged(attend, kind="leak 0.25")
    assert set(told(report).values()) == {LIKE_VISIBLE}


def halves(x):
    """The halves of x.   x[N]   returns (first[N], second[N])"""
    return x / 2, x / 2


def test_how_many_results_a_hidden_case_gives_is_not_told():
    """Their number could be a hidden input."""
    cases = [case("first", N=2), case("hidden", N=3, hidden=True)]
    part = Code(halves, points=1, cases=cases)
    calls = plan(Problem("A test", "", "", [part], id="halves"), part, "secret", "ada")

    def many(x):
        return halves(x) if len(x) == 2 else (x,) * (1 + int(x.abs().sum() * 10))

    outcomes = [as_outcome(call_trusted(many, call, as_given)) for call in calls]
    expected = [expect(halves, call) for call in calls]
    report = judge_code(part, calls, expected, [*outcomes, outcomes[0]], [])
    assert told(report) == {"hidden": "another number of results comes back than is asked for"}
