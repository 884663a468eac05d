"""Whatever a student's process sends back is compared or refused, and never makes the judge stumble."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.calls.compare_values import Steps, compare_value, wanted
from autograder.calls.properties import Promise, RefusedError
from autograder.calls.requests_and_outcomes import DtypeArg
from autograder.calls.script_steps import Held
from autograder.calls.value_as_json import READABLE
from autograder.grade.earlier_part_wrong import _to_work_out

TENSORS = st.builds(
    lambda dtype, shape: torch.ones(shape).to(dtype),
    st.sampled_from(sorted(READABLE, key=str)),
    st.lists(st.integers(0, 3), max_size=3),
)
PLAIN = (
    st.none()
    | st.booleans()
    | st.integers(-(1 << 63), (1 << 63) - 1)
    | st.text(max_size=5)
    | st.binary(max_size=5)
)
NUMBERS = st.floats(allow_nan=False)
KEYS = PLAIN | NUMBERS
OBJECTS = st.builds(Held, st.integers(0, 9), st.text(max_size=5)) | st.builds(DtypeArg, st.text(max_size=9))


def nested(leaves: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.recursive(
        leaves,
        lambda inner: (
            st.lists(inner, max_size=4)
            | st.lists(inner, max_size=4).map(tuple)
            | st.dictionaries(KEYS, inner, max_size=4)
            | st.sets(KEYS, max_size=4)
        ),
        max_leaves=8,
    )


VALUES = nested(TENSORS | PLAIN | NUMBERS)
ANYTHING = nested(TENSORS | PLAIN | st.floats() | OBJECTS)


@given(ANYTHING, VALUES)
@settings(max_examples=300, deadline=None)
def test_any_value_is_compared_with_any_other(got: Any, want: Any) -> None:
    difference = compare_value(got, wanted(want, (), None))
    assert difference is None or difference.message


@given(VALUES)
@settings(max_examples=200, deadline=None)
def test_a_value_agrees_with_itself(value: Any) -> None:
    assert compare_value(value, wanted(value, (), None)) is None


@given(st.lists(ANYTHING, min_size=3, max_size=3), st.lists(VALUES, min_size=3, max_size=3), st.booleans())
@settings(max_examples=200, deadline=None)
def test_any_results_of_steps_are_compared(got: Any, want: Any, shapes: bool) -> None:
    steps = Steps(("", "it(x)", "its state"), (False, False, shapes), tuple(want))
    difference = compare_value(got, wanted(steps, (), None))
    assert difference is None or difference.message.startswith("step ")


@pytest.mark.parametrize("returns", ["[I]", "(a[I], b[])", "float", "list[float]", "dict[str, Tensor]"])
@given(value=ANYTHING)
@settings(max_examples=100, deadline=None)
def test_any_result_is_let_through_to_a_property_or_refused(returns: str, value: Any) -> None:
    promise = Promise(f"x[I]   returns {returns}", ("x",), {"I": 2}, "float32")
    with contextlib.suppress(RefusedError):  # and by nothing else
        promise.refuse(value, [torch.ones(2)], [torch.ones(2)])


@given(ANYTHING | st.tuples(st.lists(ANYTHING, max_size=3), st.dictionaries(st.text(max_size=3), ANYTHING)))
@settings(max_examples=200, deadline=None)
def test_no_object_and_no_great_number_reaches_a_reference(needed: Any) -> None:
    asked = _to_work_out(needed)
    if asked is not None:
        arguments, named = asked
        assert all(not isinstance(each, Held) for each in (*arguments, *named.values()))
