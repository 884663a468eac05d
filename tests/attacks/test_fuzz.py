"""Mutations without end: of notebooks on their way in, and of what a live child says."""

from __future__ import annotations

import json
import random

import pytest

from autograder.calls.requests_and_outcomes import (
    STATUSES,
    Cell,
    FunctionCall,
    Limits,
    Outcome,
    ReadText,
    RunResult,
)
from autograder.course.load import Course
from autograder.errors import AnswerError
from autograder.grade.submission import Grader
from autograder.notebook.submitted import read_submission
from autograder.sandbox.parent_pool import Sandbox
from tests.attacks.conftest import TIERS, Handed

SHORTER = Limits(wall_seconds=5, cell_seconds=0.3, call_seconds=0.3)
PIECES = (
    *(b'"', b"{", b"}", b"[", b"]", b"null", b"true", b"-1", b"1e999", b"NaN", b'"\\ud800"', b"\\u0000"),
    *(b'{"nbgrader": 3}', b'"cells": {}', b'"source": null', b'"cell_type": 7', b'"grade_id": []', b"\xff"),
)


def mutate(data: bytes, chance: random.Random) -> bytes:
    """A few bytes changed, cut, doubled or put in."""
    changed = bytearray(data)
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(changed))
        match chance.randrange(4):
            case 0:
                changed[at] = chance.randrange(256)
            case 1:
                del changed[at : at + chance.randint(1, 40)]
            case 2:
                changed[at:at] = changed[at : at + chance.randint(1, 200)]
            case _:
                changed[at:at] = chance.choice(PIECES)
    return bytes(changed)


def mangle(value: object, chance: random.Random) -> object:
    """The same JSON with one place replaced by something that does not belong there."""
    if chance.random() < 0.15 or not isinstance(value, dict | list) or not value:
        return chance.choice([None, 3, -1.5, "", "x", [], {}, True, [None], {"a": []}, "scores", 10**30])
    if isinstance(value, dict):
        key = chance.choice(list(value))
        return {**value, key: mangle(value[key], chance)}
    at = chance.randrange(len(value))
    return [*value[:at], mangle(value[at], chance), *value[at + 1 :]]


def never_run(
    cells: list[Cell], requests: list[FunctionCall | ReadText], further: object = None, files: object = None
) -> RunResult:
    """A sandbox in which nothing ends well: what is left is what the judge reads by itself."""
    assert all(isinstance(cell.source, str) for cell in cells)
    return RunResult(tuple(Outcome("crashed", error="not run") for _ in requests), ())


@pytest.mark.parametrize("seed", range(10))
def test_a_thousand_mutated_notebooks_are_read_or_refused(seed: int, small: Course, honest: bytes) -> None:
    grader = Grader(small.problems["scores"], small.solutions["scores"], small.secret)
    chance = random.Random(seed)
    notebook, read = json.loads(honest), 0
    for number in range(1000):
        data = mutate(honest, chance) if number % 2 else json.dumps(mangle(notebook, chance)).encode()
        try:
            submission = read_submission(data)
        except AnswerError:
            continue
        read += 1
        assert all(isinstance(source, str) for _, source in submission.code_to_run(grader.problem))
        assert submission.literal("axis") in (None, "a") or number % 2
    assert 100 < read < 1000


def test_a_mutated_notebook_has_a_row_for_every_part(small: Course, honest: bytes) -> None:
    grader = Grader(small.problems["scores"], small.solutions["scores"], small.secret)
    chance = random.Random(1)
    for _ in range(50):
        data = json.dumps(mangle(json.loads(honest), chance)).encode()
        reports = grader.grade(data, "eve", never_run)
        assert [report.part for report in reports] == ["scores", "axis", "why"]
        assert reports[0].score == 0


# A child whose answers are mutated on their way out: once in every few messages, as a seed says.
SCRAMBLER = """
import os, random
chance, plain = random.Random(@SEED@), os.write
def scramble(fd, data):
    data = bytearray(data)
    if fd == 4 and chance.random() < 0.2:
        for _ in range(chance.randint(1, 3)):
            at = chance.randrange(len(data))
            match chance.randrange(3):
                case 0: data[at] = chance.randrange(256)
                case 1: del data[at:at + chance.randint(1, 8)]
                case _: data[at:at] = data[at:at + chance.randint(1, 8)]
            if not data: break
        plain(fd, bytes(data))
        return 1 << 30
    return plain(fd, data)
os.write = scramble
"""


@pytest.mark.parametrize("sandbox", TIERS[:1], indirect=True)
def test_a_child_that_scrambles_its_words_is_survived(sandbox: Sandbox) -> None:
    chance, statuses = random.Random(0), set()
    for seed in range(60):
        cells = [Cell(SCRAMBLER.replace("@SEED@", str(seed))), Cell("def f(x): return x\na = 'b'")]
        requests = [ReadText("a", "a"), *[FunctionCall("f", "f", (chance.random(),))] * 4]
        got = sandbox.run(cells, requests, SHORTER)
        assert len(got.outcomes) == len(requests)
        statuses |= {outcome.status for outcome in got.outcomes}
    assert statuses <= set(STATUSES)
    assert {"ok", "killed"} <= statuses


@pytest.mark.parametrize("sandbox", TIERS[:1], indirect=True)
def test_the_neighbour_of_a_scrambler_notices_nothing(handed: Handed, honest: bytes) -> None:
    reports = handed(honest, {})
    assert (reports["scores"].score, reports["axis"].score) == (3, 1)
