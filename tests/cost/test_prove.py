"""A course's stated costs are proved against its references; a key that disagrees does not pass."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import torch

from autograder.cost.prove import cost_checks
from autograder.course.load import Course
from autograder.course.model import Growth, Key, Problem, Reading, Solution, key
from autograder.errors import CourseError
from tests.cost import programs

HEADS = {"U": "J", "I": "J//K"}
LAYER = replace(programs.PART, function=programs.self_attention, work=None, memory=None, draws={})
LAYER_TIME = Growth(
    "layer_time",
    2,
    "",
    ["T", "J", "K"],
    assumptions=["U <= J", "I = J/K", "K <= J"],
    measures="self_attention",
    sizes=HEADS,
    serial=["J", "U"],
)
LAYER_KEY = key("O(ln T + ln J)", Reading("O(J + ln T)"))


def checks(*parts, **answers):
    problem = Problem("A problem", "", "", parts, id="here")
    course = Course(Path(), "", (), {"here": problem}, {"here": Solution(answers)}, "")
    return list(cost_checks(course, problem))


def test_a_growth_rate_and_its_serial_reading_are_proved_by_the_function_it_names():
    found = checks(LAYER, LAYER_TIME, self_attention=programs.self_attention, layer_time=LAYER_KEY)
    assert [(c.part, c.what, c.name, c.passed) for c in found] == [
        ("layer_time", "cost", "span", True),
        ("layer_time", "cost", "span, serial inner products", True),
    ]
    assert found[0].found == "measured ln T + ln J, as O(ln T + ln J) says"
    assert found[1].found == "measured ln T + J, as O(J + ln T) says"


def test_a_key_that_disagrees_with_its_reference_fails():
    part = replace(LAYER_TIME, serial=())
    found = checks(LAYER, part, self_attention=programs.self_attention, layer_time=Key("O(ln T)"))
    assert not found[0].passed
    assert found[0].found == "measured ln T + ln J, which is not O(ln T)"


def test_a_serial_reading_that_the_key_lacks_fails():
    found = checks(
        LAYER, LAYER_TIME, self_attention=programs.self_attention, layer_time=Key("O(ln T + ln J)")
    )
    assert [check.passed for check in found] == [True, False]
    assert "claimed anywhere" in found[1].found


def test_a_key_and_its_readings_may_bring_programs_of_their_own():
    part = Growth("rnn_time", 2, "", ["T", "L"])
    answer = key("O(T)", Reading("O(T + L)", measured=programs.deep_rnn), measured=programs.rnn)
    found = checks(part, rnn_time=answer)
    assert [(check.name, check.passed) for check in found] == [("span", True), ("span of deep_rnn", True)]


def test_work_is_proved_where_work_is_asked_for():
    part = Growth("standard_time", 2, "", ["T", "d"], quantity="work")
    assert checks(part, standard_time=key("O(T^2 d)", measured=programs.standard_attention))[0].passed
    assert not checks(part, standard_time=key("O(T^2)", measured=programs.standard_attention))[0].passed


def test_a_growth_rate_that_speaks_of_no_program_is_left_alone():
    assert checks(Growth("steps", 1, "", ["N"]), steps=Key("O(N)")) == []


def test_bounds_of_a_code_part_are_proved_against_its_reference():
    found = checks(programs.PART, linear_attention=programs.linear_attention)
    assert [(check.name, check.passed) for check in found] == [("work", True), ("memory", True)]
    found = checks(programs.PART, linear_attention=programs.table_first)
    assert [check.passed for check in found] == [False, False]
    assert found[0].found == "measured T^2 d + T^2 dv, which the bound T d dv does not allow"


def test_axes_that_stood_still_are_named_when_a_key_fails():
    part = Growth("linear_time", 2, "", ["T", "d"], measures="linear_attention", quantity="work")
    answers = {"linear_attention": programs.linear_attention, "linear_time": Key("O(T d^2)")}
    found = checks(replace(programs.PART, work=None, memory=None), part, **answers)
    assert found[0].found == "measured T d (with dv held still), which is not O(T d^2)"
    part = replace(part, sizes={"dv": "d"})
    assert checks(replace(programs.PART, work=None, memory=None), part, **answers)[0].passed


def test_an_operation_without_a_rule_fails_the_proof_and_is_named():
    def inverse(x):
        """x[N, N]  returns [N, N]"""
        return torch.linalg.inv(x)

    found = checks(Growth("time", 1, "", ["N"]), time=key("O(N)", measured=inverse))
    assert not found[0].passed
    assert "aten.linalg_inv_ex.default: not measured" in found[0].found


def test_a_growth_rate_that_names_no_code_part_is_the_authors_fault():
    with pytest.raises(CourseError, match="layer_time measures 'self_attention': no such code part"):
        checks(LAYER_TIME, layer_time=LAYER_KEY)
