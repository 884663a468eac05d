"""The cases of a part beside the edits of its reference: what is caught, and what would catch the rest."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import torch

from autograder.calls.expected import plan
from autograder.course.cases import Case, case
from autograder.course.load import Course, load_course
from autograder.course.model import Problem
from autograder.diagnose.edits.edit import Edit
from autograder.verify.edits import _survivor, edit_score

OTHER = load_course(Path(__file__).resolve().parent.parent / "fixtures" / "other")
PROBLEM = OTHER.problems["graph_convolution"]


def score(problem: Problem):
    part = problem.parts[0]
    course: Course = replace(OTHER, problems={problem.id: problem})
    return edit_score(course, problem, part, plan(problem, part, "a secret", "verify"))


def test_every_edit_that_differs_is_caught():
    found = score(PROBLEM)
    assert found.survivors == ()
    assert found.edits > 300
    assert (
        found.says
        == f"{found.edits - found.equal} of {found.edits - found.equal} edits of the reference are caught"
    )


def test_a_survivor_is_told_with_the_case_that_would_catch_it():
    # With tiny weights the bias decides alone, and hardly anything else shows in single precision.
    weak = case("tiny", N=4, F=3, G=2, scale={"X": 1e-12})
    plain = case("plain", N=4, F=3, G=2)
    part = replace(PROBLEM.parts[0], cases=[weak, replace(plain, scale={"X": 1e-12})], tolerance=1e-3)
    assert score(replace(PROBLEM, parts=(part,))).survivors == ()  # no case of a plain scale to try
    part = replace(PROBLEM.parts[0], cases=[plain], tolerance=0.9)
    found = score(replace(PROBLEM, parts=(part,)))
    assert found.survivors
    assert 'this case would: case("…", N=4, F=3, G=2' in found.survivors[0]
    assert "not caught: " in found.says


def test_the_case_that_would_catch_it_is_written_as_in_a_problem_file():
    sizes = {"...": (2, 3), "N": 4, "state": {"h": torch.ones(1)}}
    edit = Edit("an_id", "x runs backwards", 1.0, {})
    assert _survivor(edit, Case("a case", sizes)) == (
        "x runs backwards; this case would: case(\"…\", lead=(2, 3), N=4, state={'h': torch.tensor([1.])})"
    )
