"""Every record that a problem file is made of can be held to the types of its fields."""

from __future__ import annotations

from typing import get_args

import pytest

from autograder.course.cases import case
from autograder.course.field_types import misfits
from autograder.course.model import Part, Problem
from autograder.course.small_kinds import Derivation, Number


@pytest.mark.parametrize("kind", [*get_args(Part), Problem], ids=lambda kind: kind.__name__)
def test_the_types_of_a_kind_are_found(kind):
    record = object.__new__(kind)
    names = set(kind.__dataclass_fields__)
    for name in names:
        object.__setattr__(record, name, {1, 2})  # fits nowhere
    assert len(list(misfits(record))) >= len(names) / 2


def test_what_fits_is_no_misfit():
    assert list(misfits(case("a", N=3, scale={"x": 2.0}))) == []
    assert list(misfits(Number("n", 1, "a", tolerance="1 %"))) == []
    assert list(misfits(Derivation("d", 1, "a", reals=["w"]))) == []
