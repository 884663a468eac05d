"""The growth rates of the course, measured on programs of its subjects in several styles."""

from __future__ import annotations

import pytest

from autograder.cost.measure import measure
from autograder.cost.measured_function import Subject, program, stated
from autograder.cost.rates_agree import agrees, contradiction, verdict, within
from autograder.course.model import Growth
from tests.cost import programs

HEADS = {"U": "J", "I": "J//K"}

# program, variables, axes that follow, quantity, growth rate
RATES = [
    (programs.softmax_of_scores, "T U", {}, "span", "ln T + ln U"),
    (programs.self_attention, "T J K", HEADS, "span", "ln T + ln J"),
    (programs.attention_by_heads, "T J K", HEADS, "span", "ln T + ln J"),
    (programs.spatial_attention, "X Y J K", HEADS, "span", "ln(X Y) + ln J"),
    (programs.cnn, "T L", {}, "span", "L"),
    (programs.rnn, "T", {}, "span", "T"),
    (programs.deep_rnn, "T L", {}, "span", "T + L"),
    (programs.standard_attention, "T d", {}, "work", "T^2 d"),
    (programs.standard_attention, "T d", {}, "memory", "T^2 + T d"),
    (programs.linear_attention, "T d", {"dv": "d"}, "work", "T d^2"),
    (programs.linear_attention, "T d dv", {}, "work", "T d dv"),
    (programs.linear_attention, "T d", {"dv": "d"}, "span", "ln T + ln d"),
    (programs.linear_attention, "T d", {"dv": "d"}, "memory", "T d + d^2"),
]


@pytest.mark.parametrize(
    ("function", "variables", "follows", "quantity", "rate"),
    RATES,
    ids=[f"{row[0].__name__}-{row[3]}-{row[1].replace(' ', '')}" for row in RATES],
)
def test_a_stated_growth_rate_is_what_is_measured(function, variables, follows, quantity, rate):
    names = variables.split()
    measured = stated(program(function), names, follows).measure(function, [quantity])
    assert agrees(measured.growth(quantity), rate, names)


# program, variables, axes that follow, serial axes, growth rate of the span
SERIAL = [
    (programs.softmax_of_scores, "T U", {}, "U", "U + ln T"),
    (programs.self_attention, "T J K", HEADS, "J U", "J + ln T"),
    (programs.spatial_attention, "X Y J K", HEADS, "J U", "J + ln X + ln Y"),
]


@pytest.mark.parametrize(
    ("function", "variables", "follows", "serial", "rate"), SERIAL, ids=[row[0].__name__ for row in SERIAL]
)
def test_serial_inner_products_over_named_axes(function, variables, follows, serial, rate):
    names = variables.split()
    subject = stated(program(function), names, follows, serial.split())
    assert agrees(subject.measure(function, ["span"]).span, rate, names)


def test_with_every_inner_product_serial_the_average_over_time_is_serial_too():
    subject = stated(program(programs.self_attention), ["T", "J", "K"], HEADS)
    measured = subject.measure(programs.self_attention, ["span"], all_serial=True)
    assert agrees(measured.span, "J + T", ["T", "J", "K"])


def test_a_measurement_gives_its_table_and_the_formula_behind_it():
    subject = Subject(programs.PART, ("T", "d"), {"dv": "d"})
    measured = measure(programs.linear_attention, subject.made, ["T", "d"])
    assert measured.fits["work"].formula == "2 T d^2 + 3 T d"
    assert measured.work == "T d^2"
    row = next(row for row in measured.rows if row.sizes == {"T": 16, "d": 8})
    assert row.cost.work == 2 * 16 * 64 + 3 * 16 * 8


def test_axes_follow_the_variables_and_others_stay_small():
    subject = Subject(programs.PART, ("T",), {"dv": "T*2"})
    assert subject.lengths({"T": 8}) == {"T": 8, "d": 4, "dv": 16}


def test_sizes_at_which_an_axis_would_vanish_are_left_out():
    subject = stated(program(programs.self_attention), ["T", "J", "K"], HEADS)
    assert not subject.admits({"T": 4, "J": 4, "K": 8})
    assert subject.admits({"T": 4, "J": 8, "K": 4})


def test_serial_lengths_are_measured_where_they_can_be_told_from_others():
    subject = stated(program(programs.self_attention), ["T", "J", "K"], HEADS, ["J", "U"])
    assert not subject.admits({"T": 16, "J": 16, "K": 2})


@pytest.mark.parametrize(
    ("measured", "wanted", "said"),
    [
        ("T d^2", "T d^2", "equivalent"),
        ("T d", "T d^2", "tighter"),
        ("T^2 d", "T d^2", "incomparable"),
        ("T^2 d^2", "T d^2", "looser"),
        ("1", "T", "tighter"),
        ("T d + 1 / d", "T d", "equivalent"),
    ],
)
def test_measured_rates_are_compared_as_growth_rates(measured, wanted, said):
    assert verdict(measured, wanted, ["T", "d"]) == said
    assert within(measured, wanted, ["T", "d"]) == (said in ("equivalent", "tighter"))


def test_a_student_hears_when_the_answer_is_not_the_rate_of_the_own_program():
    part = Growth("linear_time", 2, "", ["T", "d"], quantity="work")
    said = contradiction(part, "O(T d^2)", "T^2 d", "linear_attention", right=True)
    assert said == (
        "this answers what was asked; the program you wrote is another matter: "
        "the work of your own linear_attention grows like T^2 d when it is measured"
    )
    wrong = contradiction(part, "O(T^3)", "T^2 d", "linear_attention", right=False)
    assert wrong.endswith("grows like T^2 d when it is measured, which is not the rate you give either")
    assert contradiction(part, "O(d T d)", "T d^2", "linear_attention", right=True) == ""
    assert contradiction(part, "O((", "T d^2", "linear_attention", right=False) == ""
