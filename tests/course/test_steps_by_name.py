"""The steps of a case with an object, as an author writes them."""

from __future__ import annotations

import pytest

from autograder import do


def test_a_step_that_there_is_not_is_told_with_those_that_there_are():
    with pytest.raises(
        AttributeError, match=r"there is no step do.training; there are backward, call, evaluate, get"
    ):
        getattr(do, "training")  # noqa: B009 - no type checker would let it pass
