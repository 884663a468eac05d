"""Arrays of numpy that come from tensors are noted like tensors, and numpy is left as it was."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from autograder.calls.note_tensors import UNSURE, Notes, Noting, take_notes

X = torch.arange(1.0, 7.0).reshape(2, 3)


def note(body: str) -> Notes:
    names = {"torch": torch, "np": np}
    exec(compile(f"def f(x):\n    a = x.numpy()\n{body}", "<cell 1>", "exec"), names)
    return take_notes(names["f"], [X], Noting(lambda name: name == "<cell 1>"))


def test_an_operation_of_numpy_has_its_line_and_what_it_is_made_from():
    notes = note("    b = np.exp(a)\n    return torch.from_numpy(b / b.sum(1, keepdims=True))\n").notes
    assert [n.line for n in notes] == [0, 3, 4, 4, 4]
    assert [n.sources for n in notes] == [(), (0,), (1,), (1, 2), (3,)]
    assert np.allclose(notes[-1].values, torch.softmax(X, 1))


@pytest.mark.parametrize(
    "line",
    [
        *("b = a.T.dot(a)", "b = np.einsum('ij,ik->jk', a, a)", "b = a.T @ a"),
        "b = np.array([[sum(r[i] * r[j] for r in a) for j in range(3)] for i in range(3)])",
        "b = np.zeros((3, 3)); b += a.T @ a",
        "b = np.zeros((3, 3)); b[:] = np.matmul(a.T, a)",
    ],
)
def test_whatever_way_a_result_is_made_it_comes_from_the_argument(line):
    notes = note(f"    {line}\n    return torch.tensor(b)\n").notes
    assert np.allclose(notes[-1].values, X.T @ X)
    behind, left = set[int](), [len(notes) - 1]
    while left:
        here = left.pop()
        behind.add(here)
        left += notes[here].sources
    assert 0 in behind
    assert all(n.kind != UNSURE for n in notes)


def test_what_comes_from_arrays_that_nobody_saw_is_not_sure():
    hidden = "    b = np.frombuffer(a.tobytes(), dtype=np.float32)\n    return torch.tensor(b) + 0\n"
    assert note(hidden).notes[-2].kind == UNSURE


def test_numpy_is_as_it_was_also_after_an_exception():
    before = (np.array, np.zeros, torch.from_numpy)
    notes = note("    b = np.zeros((2, 2))\n    return b @ a @ a\n")
    assert notes.stop is not None
    assert (np.array, np.zeros, torch.from_numpy) == before
