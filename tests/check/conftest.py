"""The small course's sheet, and a desk to lay answers on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch

from autograder.check.desk import Desk
from autograder.check.gather import gather
from autograder.check.sheet import Sheet
from autograder.check.view import PartView
from autograder.course import Course


@pytest.fixture(scope="session")
def sheet(small: Course) -> Sheet:
    return gather(small, small.problems["scores"])


@pytest.fixture
def checked(sheet: Sheet) -> Callable[..., PartView]:
    """The view of one part of the small course, with these names in the notebook."""

    def check(part: str, **names: Any) -> PartView:
        limit = names.pop("limit", 30.0)
        return Desk(sheet, {"torch": torch, **names}, limit=limit).check(part).parts[0]

    return check
