"""What a student reads is the same whatever the hidden inputs were: nobody can carry them out over a page."""

from __future__ import annotations

import pytest

from autograder.course.load import Course
from autograder.grade.submission import Grader
from autograder.notebook.fill import fill
from autograder.sandbox.parent_pool import Sandbox
from tests.attacks.attack import AXIS
from tests.attacks.conftest import TIERS
from tests.attacks.families.whispers import ATTACKS

# What is said is the judge's doing: the tier around the child makes no difference to it.
pytestmark = pytest.mark.parametrize("sandbox", TIERS[:1], indirect=True)


@pytest.mark.parametrize("source", ATTACKS.values(), ids=ATTACKS.keys())
def test_a_page_does_not_depend_on_the_hidden_inputs(
    source: str, sandbox: Sandbox, small: Course, stub: str
) -> None:
    data = fill(stub, {"scores": source, "axis": AXIS})
    told = []
    for secret in ("one secret", "another"):
        grader = Grader(small.problems["scores"], small.solutions["scores"], secret)
        told.append(grader.grade(data, "eve", sandbox.run))
    assert told[0] == told[1]
    assert told[0][0].score < 3
    assert [case.passed for case in told[0][0].cases if not case.hidden] == [True]
