"""Notes of a call: which line made which tensor, from which; and notes that are none are refused."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from autograder.calls.note_tensors import (
    MOST_NUMBERS,
    UNSURE,
    Notes,
    Noting,
    Stop,
    take_notes,
)
from autograder.calls.packed_notes import pack_notes, read_notes


def note(source: str, *arguments: torch.Tensor) -> Notes:
    names = {"torch": torch}
    exec(compile(source, "<cell 1>", "exec"), names)
    return take_notes(names["f"], arguments, Noting(lambda name: name == "<cell 1>"))


X = torch.arange(6.0).reshape(2, 3)


def test_each_tensor_has_its_line_and_its_sources():
    notes = note("def f(x):\n    y = x + 1\n    return (y * x).sum(0)", X).notes
    assert [(n.line, n.sources) for n in notes] == [(0, ()), (2, (0,)), (3, (0, 1)), (3, (2,))]
    assert np.array_equal(notes[1].values, X.numpy() + 1)


def test_the_rounds_of_a_loop_share_a_place():
    notes = note("def f(x):\n    for row in range(2):\n        y = x * row\n        z = x - row", X).notes
    assert [n.place for n in notes if n.line == 3] == [1, 1]
    assert [n.place for n in notes if n.line == 4] == [2, 2]


def test_writing_into_a_tensor_is_noted_also_through_a_view():
    source = (
        "def f(x):\n    y = torch.zeros(2, 3)\n    row = y[0]\n    row += 2\n    y[1] = 5\n    return y + x"
    )
    last = note(source, X).notes[-1]
    filled = np.array([[2] * 3, [5] * 3])
    assert np.array_equal(last.values, X.numpy() + filled)
    before = [note(source, X).notes[p] for p in last.sources]
    assert any(np.array_equal(n.values, filled) for n in before)


def test_a_gradient_is_noted_with_the_line_of_its_root():
    source = (
        "def f(x):\n    x = x.clone().requires_grad_()\n    loss = (x * x).sum()\n    loss.backward()\n"
        "    return x.grad + 0"
    )
    *_, loss, gradient, _ = note(source, X).notes
    assert (gradient.line, np.array_equal(gradient.values, 2 * X.numpy())) == (3, True)
    assert loss.line == 3


def test_a_line_is_the_innermost_and_its_callers_are_known():
    notes = note("def g(x):\n    return x + 1\n\ndef f(x):\n    return g(x) * g(2 * x)", X).notes
    inner = [n for n in notes if n.line == 2]
    assert [n.calls for n in inner] == [(5,), (5,)]
    assert len({n.site for n in inner}) == 2
    assert len({n.step for n in inner}) == 1


def test_an_exception_ends_the_notes_where_it_is_raised():
    assert [n.line for n in note("def f(x):\n    y = x + 1\n    return y @ y", X).notes] == [0, 2]


def test_what_goes_through_numbers_is_unsure():
    notes = note("def f(x):\n    y = x + 1\n    s = y.sum().item()\n    return x * s", X)
    assert [note.kind == UNSURE for note in notes.notes] == [False, False, False, True]


def test_a_call_with_too_much_to_note_is_not_whole():
    assert not note("def f(x):\n    for n in range(900):\n        x = x + 1", X).whole
    assert not note(f"def f(x):\n    return torch.ones({MOST_NUMBERS + 1}) * x.sum()", X).whole


def test_a_function_of_another_cell_is_not_noted():
    assert not take_notes(lambda x: x + 1, [X], Noting(lambda name: name == "<cell 1>")).whole


def test_notes_come_back_from_their_tensors_as_they_were():
    notes = note("def f(x):\n    y = x + 1\n    return (y * x).sum()", X)
    back = read_notes(*pack_notes(notes))
    assert back.whole == notes.whole
    for one, two in zip(notes.notes, back.notes, strict=True):
        assert (one.place, one.line, one.sources) == (two.place, two.line, two.sources)
        assert np.array_equal(one.values, two.values)


@pytest.mark.parametrize(
    "numbers",
    [
        [],
        [1, 800],
        [1, 800, 10**9],
        [1, 800, 1, 0, -1, 0, 0],
        [1, 800, 1, 0, 2, 1, 7, 0],
        [1, 800, 1, 0, 2, 2, 10**5, 10**5, 0],
        [1, 800, 1, 0, 2, 0, 1, 0],
        [1, 800, 1, 0, 2, 0, -3],
    ],
    ids=["none", "short", "count", "line", "values", "overflow", "own-source", "negative"],
)
def test_numbers_that_are_no_notes_are_refused(numbers):
    assert (
        read_notes(torch.tensor(numbers, dtype=torch.int64), torch.zeros(1, dtype=torch.float64), "") is None
    )


@pytest.mark.parametrize("said", [(1, 2, ""), (None, "x", ""), (torch.zeros(3), torch.zeros(3), "")])
def test_values_of_another_kind_are_refused(said):
    assert read_notes(*said) is None


def test_an_exception_leaves_its_line_and_the_shapes_beside_it():
    notes = note("def f(x):\n    y = x.T\n    n = 3\n    return x @ x + y", X)
    assert notes.stop == Stop(4, {"x": (2, 3), "y": (3, 2)})
    assert read_notes(*pack_notes(notes)).stop == notes.stop


@pytest.mark.parametrize(
    "stop", ["[", "[1]", "[-1, {}]", '[1, {"a b": [2]}]', '[1, {"x": [2.5]}]', '[1, {"x": [[1]]}]', 7, "7"]
)
def test_a_place_that_is_none_is_refused(stop):
    numbers, values, _ = pack_notes(note("def f(x):\n    return x", X))
    assert read_notes(numbers, values, stop) is None


def test_random_numbers_never_break_the_reader():
    draw = np.random.default_rng(0)
    for _ in range(500):
        numbers = torch.from_numpy(draw.integers(-1, 5, draw.integers(0, 40)))
        read_notes(numbers, torch.from_numpy(draw.standard_normal(20)), "")
