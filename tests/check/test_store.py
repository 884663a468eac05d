"""The file of a check: everything a student may know comes back, byte for byte the same each time."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from autograder.check.gather import gather
from autograder.check.sheet import CodeSheet, Sheet
from autograder.check.store import decode, encode
from autograder.errors import UsageError
from autograder.model import Choice, Prose
from autograder.sandbox.records import DtypeArg, FunctionArg


def same(a, b) -> bool:
    """Equal records, tensors by value, dtype and layout."""
    match a:
        case torch.Tensor():
            return a.dtype == b.dtype and a.is_contiguous() == b.is_contiguous() and torch.equal(a, b)
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


def test_every_sheet_of_the_course_survives_its_file(real):
    for problem in real.problems.values():
        sheet = gather(real, problem)
        assert same(decode(encode(sheet), "x"), sheet), problem.id


def test_the_comparison_above_can_fail(sheet):
    other = decode(encode(sheet), "x")
    other.parts[0].cases[0].arguments[0][0, 0] += 1
    assert not same(other, sheet)


def test_the_same_sheet_gives_the_same_bytes(sheet):
    assert encode(sheet) == encode(sheet)


def test_hidden_cases_are_sentences_alone(sheet):
    (code, *_) = sheet.parts
    assert isinstance(code, CodeSheet)
    assert [case.name for case in code.cases] == ["more keys than queries"]
    assert code.hidden == ("large logits", "gradients")


def test_what_only_a_marker_needs_is_left_out(sheet):
    assert sheet.part("axis") == Choice("axis", 1, "", {"a": "keys", "b": "queries"})
    assert sheet.part("why") == Prose("why", 2, "")


def test_a_problem_without_numbers_has_a_file_too():
    empty = Sheet("talk", "Talk", (Prose("why", 2, ""),))
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
def test_a_damaged_file_is_told_in_a_sentence(sheet, damage):
    with pytest.raises(UsageError, match=r"checks/scores.safetensors is damaged: copy it again"):
        decode(damage(encode(sheet)), "checks/scores.safetensors")


def test_a_file_of_a_newer_version_says_so(sheet, monkeypatch):
    monkeypatch.setattr("autograder.check.store.VERSION", 7)
    data = encode(sheet)
    monkeypatch.undo()
    with pytest.raises(UsageError, match="made by a newer autograder"):
        decode(data, "x")


def test_the_time_of_a_call_is_the_parts_own_then_the_courses(real):
    problem = real.problems["self_attention"]
    assert gather(real, problem).parts[0].call_seconds == real.limits["call_seconds"]
    slow = replace(problem.parts[0], limits={"call_seconds": 30})
    assert gather(real, replace(problem, parts=(slow,))).parts[0].call_seconds == 30
