"""The step at which a function departs, worked out on a case of a few numbers."""

from __future__ import annotations

import torch

from autograder.calls.expected import call_trusted, plan
from autograder.calls.inputs import as_given, revive
from autograder.calls.noting import Noting, take_notes
from autograder.diagnose.cell_statements import read_layout
from autograder.diagnose.departure import find_departure
from autograder.diagnose.intermediates import note_reference
from autograder.diagnose.smallest import plan_small
from autograder.diagnose.worked_step import work_out

SOURCE = """def merged_attention(L, W_tilde):
    scores = torch.einsum("sa,kab,tb->kst", L, W_tilde, L)
    alpha = scores.softmax(dim=1)
    return alpha
"""


def taken(function, call):
    arguments = [revive(argument) for argument in call.arguments]
    notes = take_notes(function, arguments, Noting(lambda file: file == "<cell 1>"))
    given = call_trusted(function, call, as_given)
    return notes, [each.double().numpy() for each in given.outputs]


def test_what_a_line_gives_on_a_small_case_stands_beside_what_belongs_there(real):
    problem, name = real.problems["merged_query_key"], "merged_attention"
    part, reference = problem.part(name), real.solutions["merged_query_key"].answers[name]
    names = {"torch": torch}
    exec(compile(SOURCE, "<cell 1>", "exec"), names)
    layout = read_layout(SOURCE, name)

    seen = plan(problem, part, "", "")[0]
    notes, outputs = taken(names[name], seen)
    right = note_reference(reference, seen)
    found = find_departure(notes, right, outputs, layout)
    assert found is not None

    said = []
    for case in plan_small(part, reference):
        notes, outputs = taken(names[name], case.call)
        small = note_reference(reference, case.call)
        said.append(work_out(found, right.places[found.place], notes, small, outputs, layout, SOURCE))
        fails = not torch.allclose(torch.from_numpy(outputs[0]), case.right[0].double(), atol=1e-3)
        assert fails or not said[-1]  # nothing is said of what is right
    first = next(text for text in said if text)
    assert first.startswith("line 3, `alpha = scores.softmax(dim=1)`, gives ")
    assert "; a right solution has " in first
