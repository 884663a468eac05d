"""A check of the small course with any answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch

from autograder.check.checker import Checker
from autograder.check.panel import PartView
from autograder.release.handout import Handout


@pytest.fixture
def checked(handout: Handout) -> Callable[..., PartView]:
    """The view of one part of the small course, with these names in the notebook."""

    def check(part: str, **names: Any) -> PartView:
        limit = names.pop("limit", 30.0)
        return Checker(handout, {"torch": torch, **names}, limit=limit).check(part).parts[0]

    return check
