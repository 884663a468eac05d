"""A warm sandbox in each tier that works on this machine, shared by the tests of a session."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from autograder.calls.requests_and_outcomes import Limits
from autograder.sandbox.parent_pool import Sandbox
from autograder.sandbox.tiers import bubblewrap_fault

TIERS = ["landlock"] if bubblewrap_fault() else ["bubblewrap", "landlock"]
QUICK = Limits(wall_seconds=60, cpu_seconds=20, memory_mb=512, cell_seconds=20, call_seconds=5)


@pytest.fixture(scope="session", params=TIERS)
def sandbox(request: pytest.FixtureRequest) -> Iterator[Sandbox]:
    with Sandbox(limits=QUICK, bubblewrap=request.param == "bubblewrap") as warm:
        yield warm
