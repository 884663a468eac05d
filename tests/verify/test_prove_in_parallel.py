"""A course is proved by processes side by side, and what was proved is not proved again."""

from __future__ import annotations

import json
import os
import signal
from contextlib import nullcontext
from types import SimpleNamespace

import pytest

from autograder.course.load import load_course
from autograder.verify import prove_in_parallel
from autograder.verify.proof import prove_problem
from autograder.verify.prove_in_parallel import prove_course
from tests.conftest import ROOT


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("AUTOGRADER_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def processes(monkeypatch):
    """Processes that need no sandbox: what they prove is made up by the test."""
    monkeypatch.setattr(prove_in_parallel, "forks", lambda: True)
    monkeypatch.setattr(prove_in_parallel, "_sandbox", lambda course: nullcontext(SimpleNamespace(run=None)))


@pytest.fixture
def course():
    return load_course(ROOT / "examples" / "courses" / "building_blocks")


def test_processes_side_by_side_prove_what_one_proves(course, sandbox, monkeypatch):
    monkeypatch.setattr(prove_in_parallel, "forks", lambda: True)
    alone = {
        name: tuple(prove_problem(course, problem, sandbox.run)) for name, problem in course.problems.items()
    }
    together = {proof.problem: proof.checks for proof in prove_course(course, workers=2)}
    assert together == alone


def test_what_is_unchanged_is_not_proved_again(course, monkeypatch):
    first = {proof.problem: proof for proof in prove_course(course)}
    assert not any(proof.kept for proof in first.values())
    monkeypatch.setattr(prove_in_parallel, "prove_problem", lambda *_: pytest.fail("proved again"))
    second = {proof.problem: proof for proof in prove_course(course)}
    assert all(proof.kept for proof in second.values())
    assert {name: proof.checks for name, proof in second.items()} == {
        name: proof.checks for name, proof in first.items()
    }


def test_asked_again_everything_is_proved_again(course):
    name = next(iter(course.problems))
    list(prove_course(course, [name]))
    assert [proof.kept for proof in prove_course(course, [name], again=True)] == [False]


def test_a_proof_that_fails_is_not_kept(course, monkeypatch):
    name = next(iter(course.problems))
    broken = prove_in_parallel.Check(name, "", "reference", "", False, "does not hold")
    monkeypatch.setattr(prove_in_parallel, "prove_problem", lambda *_: [broken])
    assert [proof.kept for proof in prove_course(course, [name])] == [False]
    assert [proof.kept for proof in prove_course(course, [name])] == [False]


def test_a_kept_file_that_cannot_be_read_is_proved_anew(course, own_cache):
    name = next(iter(course.problems))
    list(prove_course(course, [name]))
    (kept,) = own_cache.glob("*.proof.json")
    kept.write_text(json.dumps({"problem": name}))
    assert [proof.kept for proof in prove_course(course, [name])] == [False]


def test_a_process_that_dies_loses_no_problem(course, processes, monkeypatch, tmp_path):
    names = list(course.problems)[:2]
    told = tmp_path / "died"

    def dies_once(course, problem, run):
        if problem.id == names[0] and not told.exists():
            told.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return [prove_in_parallel.Check(problem.id, "", "reference", "", True, "held")]

    monkeypatch.setattr(prove_in_parallel, "prove_problem", dies_once)
    proofs = {proof.problem: proof for proof in prove_course(course, names, workers=2, again=True)}
    assert {name: proof.checks[0].passed for name, proof in proofs.items()} == dict.fromkeys(names, True)


def test_a_problem_that_ends_every_process_fails_and_says_so(course, processes, monkeypatch):
    names = list(course.problems)[:2]

    def dies(course, problem, run):
        if problem.id == names[0]:
            os.kill(os.getpid(), signal.SIGKILL)
        return [prove_in_parallel.Check(problem.id, "", "reference", "", True, "held")]

    monkeypatch.setattr(prove_in_parallel, "prove_problem", dies)
    proofs = {proof.problem: proof for proof in prove_course(course, names, workers=2, again=True)}
    assert [check.found for check in proofs[names[0]].checks] == [
        "the process that proved it ended 2 times: nothing is proved of it"
    ]
    assert proofs[names[1]].checks[0].passed


def test_a_proof_that_stumbles_is_a_failure_of_its_problem_alone(course, processes, monkeypatch):
    names = list(course.problems)[:2]

    def stumbles(course, problem, run):
        if problem.id == names[0]:
            raise ZeroDivisionError("of the grader's own")
        return [prove_in_parallel.Check(problem.id, "", "reference", "", True, "held")]

    monkeypatch.setattr(prove_in_parallel, "prove_problem", stumbles)
    proofs = {proof.problem: proof for proof in prove_course(course, names, workers=2, again=True)}
    assert "failed with ZeroDivisionError: of the grader's own" in proofs[names[0]].checks[0].found
    assert proofs[names[1]].checks[0].passed
