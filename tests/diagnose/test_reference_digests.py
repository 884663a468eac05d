"""Digests of a reference's tensors: recognised by who has them in any order of axes, and by nobody else."""

from __future__ import annotations

import numpy as np
import pytest

from autograder.calls.note_tensors import Note
from autograder.diagnose.reference_digests import LEAST_ENTRIES, SIZE, Sketches, sketch
from autograder.diagnose.reference_tensors import Known

X = np.random.default_rng(0).standard_normal((2, 3, 4))


@pytest.fixture(scope="module")
def sketches() -> Sketches:
    return Sketches("scores", sketch("scores", Known((Note(0, 1, X),))))


@pytest.mark.parametrize(
    "values",
    [
        X,
        -X,
        X.transpose(2, 0, 1),
        X.transpose(1, 0, 2).reshape(3, 8),
        X[:, None],
        X[1],
        X[:, 2].T,
        X[0, :, 3],
        X * (1 + 1e-9),
        X.astype(np.float32).astype(np.float64),
    ],
    ids=["itself", "sign", "order", "joined", "one", "part", "turned", "column", "rounded", "single"],
)
def test_a_tensor_is_recognised_in_every_order_and_joining_and_in_part(sketches, values):
    assert sketches.has(values)


@pytest.mark.parametrize(
    "values",
    [X.reshape(3, 2, 4), X.reshape(4, 6), X + 1e-3, 2 * X, X[:, :, ::-1], X[0, 0, :2], X * np.nan],
    ids=["scrambled", "another-joining", "moved", "scaled", "mirrored", "too-small", "nan"],
)
def test_another_tensor_is_not(sketches, values):
    assert not sketches.has(values)


def test_small_tensors_could_be_guessed_and_have_no_digest():
    few = np.array([0.25, 0.5])
    assert few.size < LEAST_ENTRIES
    assert len(sketch("scores", Known((Note(0, 1, few),)))) == 0


def test_digests_of_another_case_are_others(sketches):
    other = sketch("another", Known((Note(0, 1, X),)))
    assert not {row.tobytes() for row in other} & {row.tobytes() for row in sketches.digests}
    assert other.shape[1] == SIZE
