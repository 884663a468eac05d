"""The file of a check: everything a student may know comes back, byte for byte the same each time."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from autograder.calls.requests_and_outcomes import DtypeArg, FunctionArg
from autograder.course.model import Choice, Prose
from autograder.errors import UsageError
from autograder.release.handout import CodeHandout, Handout
from autograder.release.handout_file import decode, encode
from autograder.release.make_handout import make_handout


def same(a, b) -> bool:
    """Equal records, tensors by value, dtype and layout."""
    match a:
        case torch.Tensor():
            return a.dtype == b.dtype and a.is_contiguous() == b.is_contiguous() and torch.equal(a, b)
        case np.ndarray():
            return a.dtype == b.dtype and np.array_equal(a, b)
        case tuple() | list():
            return len(a) == len(b) and all(map(same, a, b))
        case FunctionArg():
            return a.name == b.name and same(sorted(a.tensors.items()), sorted(b.tensors.items()))
        case DtypeArg() | str() | int() | float() | None:
            return a == b
        case dict():
            return list(a) == list(b) and same(list(a.values()), list(b.values()))
    if hasattr(a, "__dataclass_fields__"):
        return type(a) is type(b) and all(same(getattr(a, f), getattr(b, f)) for f in a.__dataclass_fields__)
    return a == b


def test_every_handout_of_the_course_survives_its_file(real):
    for problem in real.problems.values():
        handout = make_handout(real, problem)
        assert same(decode(encode(handout), "x"), handout), problem.id


def test_the_comparison_above_can_fail(handout):
    other = decode(encode(handout), "x")
    other.parts[0].cases[0].arguments[0][0, 0] += 1
    assert not same(other, handout)


def test_the_same_handout_gives_the_same_bytes(handout):
    assert encode(handout) == encode(handout)


def test_hidden_cases_are_sentences_alone(handout):
    (code, *_) = handout.parts
    assert isinstance(code, CodeHandout)
    assert [case.name for case in code.cases] == ["more keys than queries"]
    assert code.hidden == ("large logits", "gradients")


def test_what_only_a_marker_needs_is_left_out(handout):
    assert handout.part("axis") == Choice("axis", 1, "", {"a": "keys", "b": "queries"})
    assert handout.part("why") == Prose("why", 2, "")


def test_a_problem_without_numbers_has_a_file_too():
    empty = Handout("talk", "Talk", (Prose("why", 2, ""),))
    assert decode(encode(empty), "x") == empty


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data[: len(data) // 2],
        lambda data: b"",
        lambda data: b"\x00" * 64,
        lambda data: data[:-8],
    ],
    ids=["half", "empty", "zeros", "cut"],
)
def test_a_damaged_file_is_told_in_a_sentence(handout, damage):
    with pytest.raises(UsageError, match=r"checks/scores.safetensors is damaged: copy it again"):
        decode(damage(encode(handout)), "checks/scores.safetensors")


def test_a_file_of_a_newer_version_says_so(handout, monkeypatch):
    monkeypatch.setattr("autograder.release.handout_file.VERSION", 7)
    data = encode(handout)
    monkeypatch.undo()
    with pytest.raises(UsageError, match="made by a newer autograder"):
        decode(data, "x")


def test_the_time_of_a_call_is_the_parts_own_then_the_courses(real):
    problem = real.problems["self_attention"]
    assert make_handout(real, problem).parts[0].call_seconds == real.limits["call_seconds"]
    slow = replace(problem.parts[0], limits={"call_seconds": 30})
    assert make_handout(real, replace(problem, parts=(slow,))).parts[0].call_seconds == 30
