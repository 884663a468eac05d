"""The check names the squeeze() of a function that fails where an axis has length 1, and there alone."""

from __future__ import annotations

import linecache
from typing import Any

import pytest
import torch

from autograder.check.checker import Checker
from autograder.check.panel import PartView
from autograder.release.make_handout import make_handout

PART = "multi_head_self_attention"
SOURCE = f"""def {PART}(h_in, WQ, WK, WV):
    q, k, v = ((h_in @ W.mT).squeeze() for W in (WQ, WK, WV))
    a = torch.softmax(q @ k.mT, -1)
    return torch.cat(list(a @ v), dim=-1)
"""


@pytest.fixture
def check(real: Any) -> Any:
    handout = make_handout(real, real.problems["self_attention"])

    def run(source: str) -> PartView:
        linecache.cache["<a cell>"] = (len(source), None, source.splitlines(keepends=True), "<a cell>")
        names: dict[str, Any] = {"torch": torch}
        exec(compile(source, "<a cell>", "exec"), names)
        return Checker(handout, names, limit=30.0).check(PART).parts[0]

    yield run
    linecache.cache.pop("<a cell>", None)


def test_a_squeeze_in_the_middle_is_told_by_its_line(check):
    view = check(SOURCE)
    assert view.headline == "2 of 3 visible cases pass"
    assert view.hint == (
        "it fails only where an axis has length 1: line 2, `q, k, v = ((h_in @ W.mT).squeeze() for W in (WQ, WK, "
        "WV))`, has a squeeze() without an axis, and that takes away every axis of length 1: name the one to "
        "take, as in squeeze(-1), or leave it out"
    )


def test_without_it_nothing_is_said(check):
    view = check(SOURCE.replace(".squeeze()", ""))
    assert (view.headline, view.hint) == ("all 3 visible cases pass", "")
