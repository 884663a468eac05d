"""The real course's solutions, for tests of the references."""

from __future__ import annotations

from functools import cache
from types import ModuleType

from autograder.course.load import import_file
from tests.conftest import ROOT


@cache
def solution(name: str) -> ModuleType:
    """The loaded module of solutions/<name>.py."""
    faults: list[str] = []
    path = ROOT / "solutions" / f"{name}.py"
    module = import_file(path, name, path.read_bytes(), faults)
    assert module is not None, faults
    return module
