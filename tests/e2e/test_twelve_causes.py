"""A class of 200 with twelve causes of wrong functions: pure groups, and ten sentences reach nearly everybody."""

from __future__ import annotations

import pytest

from benchmarks.twelve_causes import UNLISTED, measure

pytestmark = pytest.mark.e2e


def test_after_ten_sentences_nearly_every_wrong_answer_carries_a_true_one(tmp_path):
    counted = measure(200, tmp_path)
    assert len(UNLISTED) == 6
    assert counted.recognised == counted.recognised_truly
    assert counted.purity >= 0.9
    assert counted.carried[0] < 0.6  # the six that are listed nowhere are not named before
    assert counted.carried[10] >= 0.95
