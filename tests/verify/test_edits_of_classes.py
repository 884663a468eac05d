"""The cases of a class beside the edits of its reference: what is caught, and what would catch the rest."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from autograder import Module, case, do
from autograder.calls.expected import expect, plan
from autograder.course.load import load_course
from autograder.diagnose.class_edits import ClassFinder
from autograder.verify.edits_of_classes import class_edit_score
from tests.conftest import ROOT

COURSE = load_course(ROOT / "examples" / "courses" / "language_models")


def score(name: str, part_name: str, *, keeping):
    """Of a part with only those cases whose names are kept."""
    problem = COURSE.problems[name]
    part = problem.part(part_name)
    part = replace(part, cases=[case for case in part.cases if keeping(case)])
    return scored(problem, part, COURSE.solutions[name].answers[part_name])


def scored(problem, part, reference):
    calls = plan(problem, part, "a secret", "verify", reference)
    finder = ClassFinder(problem, part, reference)
    return class_edit_score(finder, calls, [expect(reference, call) for call in calls])


@pytest.mark.parametrize(("name", "part"), [("layers", "RMSNorm"), ("optimisers", "CosineSchedule")])
def test_every_edit_of_a_class_that_differs_is_caught(name, part):
    found = score(name, part, keeping=lambda case: True)
    assert found.survivors == ()
    assert found.edits - found.equal > 200


def test_a_class_whose_small_numbers_are_never_seen_is_told_of_the_scale():
    found = score("optimisers", "BatchNorm", keeping=lambda case: case.scale == 1.0)
    assert (
        "eps is added twice; case 'two batches, then evaluation' with scale=0.1 would" in found.survivors
    ), found.survivors


def test_a_class_of_which_one_step_is_seen_is_told_to_take_more():
    problem = COURSE.problems["optimisers"]
    part = problem.part("CosineSchedule")
    first = part.cases[0]
    once = replace(first, sizes={**first.sizes, "steps": list(first.sizes["steps"])[:3]})
    found = scored(problem, replace(part, cases=[once]), COURSE.solutions["optimisers"].answers[part.name])
    assert any(
        each.endswith("case 'four steps' with its steps taken twice would") for each in found.survivors
    )


class Descent:
    """Steps downhill."""

    def __init__(self, parameters, rate):
        self.parameters, self.rate = parameters, rate

    @torch.no_grad()
    def step(self):
        for p in self.parameters:
            p -= self.rate * p.grad


def test_a_method_that_runs_without_gradients_is_edited_too():
    leaf = {"parameters": [do.leaf("w[I, J]", grad=True)], "rate": 0.5}
    step = case("one", init=leaf, steps=[do.method("step"), do.look("w")], I=5, J=6)
    found = scored(COURSE.problems["optimisers"], Module(Descent, points=1, cases=[step]), Descent)
    assert found.survivors == ()
    assert found.edits - found.equal > 10
