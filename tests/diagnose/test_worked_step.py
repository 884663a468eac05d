"""The step at which a function departs, worked out on a case of a few numbers."""

from __future__ import annotations

import re

import torch

from autograder.calls.expected import call_trusted, plan
from autograder.calls.inputs import as_given, revive
from autograder.calls.note_tensors import Noting, take_notes
from autograder.diagnose.cell_statements import read_layout
from autograder.diagnose.departure import find_departure
from autograder.diagnose.intermediates import note_reference
from autograder.diagnose.pick_smallest_case import plan_small
from autograder.diagnose.worked_step import work_out

SOURCE = """def merged_attention(L, W_tilde):
    scores = torch.einsum("sa,kab,tb->kst", L, W_tilde, L)
    alpha = scores.softmax(dim=1)
    return alpha
"""
OWN_KEY_ALONE = """def linear_attention(q, k, v):
    total = (q * k).sum(1)
    return (q @ (k.T @ v)) / total[:, None]
"""


def taken(function, call):
    arguments = [revive(argument) for argument in call.arguments]
    notes = take_notes(function, arguments, Noting(lambda file: file == "<cell 1>"))
    given = call_trusted(function, call, as_given)
    return notes, [each.double().numpy() for each in given.outputs]


def worked_out(real, problem, name, source):
    """What is said of the line at which a function departs, on each small case."""
    part, reference = real.problems[problem].part(name), real.solutions[problem].answers[name]
    names = {"torch": torch}
    exec(compile(source, "<cell 1>", "exec"), names)
    layout = read_layout(source, name)

    seen = plan(real.problems[problem], part, "", "")[0]
    notes, outputs = taken(names[name], seen)
    right = note_reference(reference, seen)
    found = find_departure(notes, right, outputs, layout)
    assert found is not None

    said = []
    for case in plan_small(part, reference):
        notes, outputs = taken(names[name], case.call)
        small = note_reference(reference, case.call)
        said.append(work_out(found, right.places[found.place], notes, small, outputs, layout, source))
        fails = not torch.allclose(torch.from_numpy(outputs[0]), case.right[0].double(), atol=1e-3)
        assert fails or not said[-1]  # nothing is said of what is right
    return said


def test_what_a_line_gives_on_a_small_case_stands_beside_what_belongs_there(real):
    first = next(text for text in worked_out(real, "merged_query_key", "merged_attention", SOURCE) if text)
    assert first.startswith("line 3, `alpha = scores.softmax(dim=1)`, gives ")
    assert "; a right solution has " in first


def test_no_step_is_told_that_gives_what_it_takes(real):
    said = worked_out(real, "linear_attention", "linear_attention", OWN_KEY_ALONE)
    assert any(" from [[" in each for each in said)
    assert not any(re.search(r"gives (.+) from \1;", each) for each in said)  # a sum over an axis of length 1
