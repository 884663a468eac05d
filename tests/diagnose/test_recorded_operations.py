"""A replayed record gives what a new call would give; where a call might go another way, it is called anew."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
import torch

from autograder.calls.expected import Planned
from autograder.course.cases import Case
from autograder.diagnose import intermediates
from autograder.diagnose.intermediates import Right, note_reference
from autograder.diagnose.recorded_operations import OtherWay, Record


@dataclass(frozen=True)
class Part:
    name: str = "f"


def note(function) -> Right:
    torch.manual_seed(0)
    arguments = (torch.randn(3, 4), torch.randn(4, 2))
    found = note_reference(function, Planned(Part(), Case("a case", {}), arguments, (), ()))
    assert found is not None
    return found


def exchange_each(right: Right, monkeypatch) -> list[tuple[object, object]]:
    """For each place: what the record gives with other numbers there, and what a new call gives."""
    found = []
    for place, rows in right.rounds.items():
        others = [right.notes.notes[p].values + 1.5 for p in rows]
        replayed = right.answer({place: others})
        with monkeypatch.context() as patch:
            patch.setattr(right.record, "can_be_replayed", False)
            found.append((replayed, right.answer({place: others})))
    return found


def loops(x, W):
    rows = []
    for row in x:
        rows.append(torch.softmax(row @ W, dim=0))
    return torch.stack(rows), x.max(dim=0).values


def brackets(x, W):
    scores = x @ W @ W.T @ x.T
    return (scores + x.sum() + 1.0).mean(dim=1), scores.T


def asks_for_a_shape(x, W):
    return (x @ W).reshape(x.shape[0], -1) / len(W)


def asks_for_a_number(x, W):
    y = x @ W
    return y.relu() if y.sum() > 0 else -y


@pytest.mark.parametrize("function", [loops, brackets, asks_for_a_shape, asks_for_a_number])
def test_other_tensors_give_what_a_new_call_gives(function, monkeypatch):
    right = note(function)
    assert right.record.can_be_replayed
    for replayed, called in exchange_each(right, monkeypatch):
        assert (replayed is None) == (called is None)
        for one, two in zip(replayed or (), called or (), strict=True):
            np.testing.assert_array_equal(one, two)


def writes_to_a_tensor(x, W):
    out = torch.zeros(3, 2)
    out[0] = (x @ W)[0]
    return out


def cuts_at_a_tensor(x, W):
    return x[: (W[0, 0] * 0).long()]


@pytest.mark.parametrize("function", [writes_to_a_tensor, cuts_at_a_tensor])
def test_what_is_written_or_not_seen_is_never_replayed(function):
    assert not note(function).record.can_be_replayed


def test_a_number_that_decides_otherwise_ends_the_replay():
    right = note(asks_for_a_number)
    modes = intermediates._Exchanging(lambda name: True, {})
    other = [-argument for argument in right.record.arguments]
    with pytest.raises(OtherWay):
        right.record.replay([other[0], right.record.arguments[1]], modes)


def test_nothing_is_run_again_that_does_not_change():
    record = note(loops).record
    assert isinstance(record, Record)
    modes = intermediates._Exchanging(lambda name: True, {})
    value = record.replay(record.arguments, modes)
    assert value[1] is record.value[1]
    assert value[0] is record.value[0]


def test_a_place_reaches_the_results_that_are_made_from_it():
    right = note(brackets)
    reached = {place: right.reaches(place) for place in right.rounds}
    argument = min(reached)
    assert reached[argument] == {0, 1}
    assert {0} in reached.values()  # what is added after the scores
