"""A mask too many hides earlier or later positions: which, the softmax's axis tells, and not the triangle."""

from __future__ import annotations

import pytest
import torch

from autograder.calls.expected import call_trusted, expect, plan
from autograder.calls.inputs import as_given
from autograder.course.load import load_course
from autograder.diagnose.find_slip import Finder
from autograder.verify.checks import as_outcome
from tests.conftest import ROOT


def head(hidden):
    """Attention whose items are columns: row m, column n is how strongly n looks at m."""

    def column_attention_head(H, Q, K, V):
        scores = (K @ H).T @ (Q @ H)
        return (
            V @ H @ torch.softmax(scores.masked_fill(hidden(torch.ones_like(scores)).bool(), -torch.inf), 0)
        )

    return column_attention_head


def layer(hidden):
    """Attention whose items are rows: row m, column n is how strongly m looks at n."""

    def multi_head_self_attention(h_in, WQ, WK, WV):
        q, k, v = (torch.einsum("kaj,tj->kta", W, h_in) for W in (WQ, WK, WV))
        scores = q @ k.mT
        weights = scores.masked_fill(hidden(torch.ones_like(scores)).bool(), -torch.inf).softmax(-1)
        return (weights @ v).transpose(0, 1).flatten(1)

    return multi_head_self_attention


@pytest.mark.parametrize(
    ("problem", "function", "said"),
    [
        ("column_attention", head(lambda ones: ones.tril(-1)), "hides later positions"),
        ("column_attention", head(lambda ones: ones.triu(1)), "hides earlier positions"),
        ("self_attention", layer(lambda ones: ones.triu(1)), "hides later positions"),
        ("self_attention", layer(lambda ones: ones.tril(-1)), "hides earlier positions"),
    ],
    ids=["columns-later", "columns-earlier", "rows-later", "rows-earlier"],
)
def test_the_side_that_a_mask_hides_is_that_of_the_positions_looked_at(problem, function, said):
    course = load_course(ROOT)
    asked = course.problems[problem]
    part = next(each for each in asked.parts if each.name == function.__name__)
    reference = course.solutions[problem].answers[part.name]
    calls = plan(asked, part, "a secret", "a student")
    expected = [expect(reference, call) for call in calls]
    outcomes = [as_outcome(call_trusted(function, call, as_given)) for call in calls]
    found = Finder(asked, part, reference).find(calls, expected, outcomes)
    assert found is not None
    assert said in found.says
