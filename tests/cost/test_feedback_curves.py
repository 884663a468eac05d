"""The curves of the feedback: the student's own counts beside the bound, along the axis that tells most."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from autograder.as_json import from_json, to_json
from autograder.cost.cost_curve import CostCurve
from autograder.cost.feedback_curves import cost_curves
from autograder.cost.grading import judge_cost
from autograder.pages.cost_pictures import draw_cost, sentence
from tests.cost import programs
from tests.cost.programs import count_trusted

WORK_ONLY = replace(programs.PART, memory=None)


def curves(function, part=WORK_ONLY):
    measured = judge_cost(part, count_trusted(function, part), None).measured
    assert measured is not None
    return cost_curves(part, measured)


def test_a_program_within_its_bound_is_shown_along_the_longest_axis():
    (curve,) = curves(programs.linear_attention)
    assert (curve.quantity, curve.axis, curve.still, curve.holds) == ("work", "T", "d = 128, dv = 128", True)
    assert curve.sizes == (16, 32, 64, 128, 256, 512)
    assert curve.counts == tuple(2 * t * 128 * 128 + 2 * t * 128 + t * 128 for t in curve.sizes)
    assert curve.allowed == curve.counts


def test_a_program_that_breaks_it_is_shown_where_it_outgrows_it_most():
    (curve,) = curves(programs.table_first)
    assert (curve.axis, curve.holds) == ("T", False)
    assert curve.allowed[-1] == 32 * curve.counts[0] < curve.counts[-1] / 30


def test_each_bound_has_a_curve_of_its_own():
    assert [curve.quantity for curve in curves(programs.linear_attention, programs.PART)] == [
        "work",
        "memory",
    ]


BROKEN = CostCurve("work", "T", "d = 8", (2, 4, 8), (40, 160, 640), (40, 80, 160), "T*d", holds=False)


def test_the_picture_says_in_words_what_it_shows():
    says = "from T = 2 to 8 the work grows 16-fold; T d allows 4-fold"
    assert sentence(BROKEN) == says
    drawn = draw_cost(BROKEN)
    assert f'aria-label="{says}"' in drawn
    assert drawn.count("<circle") == 3
    assert 'class="broken"' in drawn
    assert "allowed: T d<" in drawn


@pytest.mark.parametrize("counts", [[40, 80, 160], [40, 79, 156], [40, 82, 170]])
def test_nothing_is_said_where_a_bound_is_broken_and_the_picture_does_not_show_it(counts):
    curve = replace(BROKEN, counts=tuple(counts))
    assert sentence(curve) == ""
    drawn = draw_cost(curve)
    assert "-fold" not in drawn
    assert "<p>" not in drawn
    assert 'aria-label="the work along T, and what T d allows"' in drawn
    assert sentence(replace(curve, holds=True)).endswith("T d allows 4-fold")


@pytest.mark.parametrize("change", [{"sizes": (2, 2, 2)}, {"counts": (1, 1, 1), "allowed": (1, 1, 1)}])
def test_flat_curves_are_drawn_too(change):
    assert "<svg" in draw_cost(replace(BROKEN, **change))


def test_names_of_a_course_cannot_become_markup():
    named = dict.fromkeys(("axis", "bound", "still", "quantity"), "<b>")
    assert "<b>" not in draw_cost(replace(BROKEN, **named))


def test_a_curve_travels_as_plain_data():
    assert from_json(CostCurve, json.loads(json.dumps(to_json(BROKEN)))) == BROKEN
