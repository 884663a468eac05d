"""What the machine does to a child is not the notebook's doing: it is tried again, or left to a person."""

from __future__ import annotations

import dataclasses
import signal
import threading
import time
from pathlib import Path

import torch

from autograder.calls.requests_and_outcomes import Cell, FunctionCall, ReadText
from autograder.sandbox.alone_or_together import Turns
from autograder.sandbox.answer_time import SEEN, Usage
from autograder.sandbox.parent_pool import Sandbox
from tests.sandbox.machine import children_of_parents, halt, meanwhile, parent_of, send

X = torch.ones(2)
BURN = "import time\ndef burn(seconds):\n    end = time.process_time() + seconds\n    while time.process_time() < end: pass"
CALLS = [ReadText("a", "a"), FunctionCall("f", "f", (X,)), FunctionCall("g", "g", (X,))]
CELLS = [
    Cell(f"{BURN}\nprint('once')", None, "0"),
    Cell("burn(0.3)\na = 'here'", None, "1"),
    Cell("def f(x):\n    burn(0.3)\n    return x + 1", None, "2"),
    Cell("def g(x): return x + 2", None, "3"),
]


def assert_unharmed(got: object, sandbox: Sandbox) -> None:
    quiet = sandbox.run(CELLS, CALLS)
    for one, other in zip(got.outcomes, quiet.outcomes, strict=True):
        assert (one.status, one.text, one.error) == (other.status, other.text, other.error)
        assert all(map(torch.equal, one.outputs, other.outputs))
    assert (got.cells, got.stdout) == (quiet.cells, "once\n")


def test_a_child_that_is_stopped_for_longer_than_its_limits_loses_nothing(sandbox: Sandbox) -> None:
    halted: set[int] = set()

    def disturb() -> None:
        for pid, cpu in children_of_parents().items():
            if cpu > 0.1 and pid not in halted:
                halted.add(pid)
                halt(pid, 3.0)

    limits = dataclasses.replace(sandbox.limits, cell_seconds=1, call_seconds=1, wall_seconds=2)
    with meanwhile(disturb):
        while not halted:  # whoever is to disturb it may be kept from it
            got = sandbox.run(CELLS, CALLS, limits)
    assert_unharmed(got, sandbox)


def test_a_warm_parent_that_is_stopped_while_its_child_works_ahead_costs_no_answer(sandbox: Sandbox) -> None:
    calls = [FunctionCall("f", "f", (X + n,)) for n in range(6)]
    stopped: set[int] = set()

    def disturb() -> None:
        for pid, cpu in children_of_parents().items():
            if cpu > 0.7 and pid not in stopped and send(parent := parent_of(pid), signal.SIGSTOP):
                stopped.add(pid)
                # Until the child has used far more than one call may: its answers lie in the pipe by then.
                while children_of_parents().get(pid, 9.0) < 1.9:
                    time.sleep(0.01)
                send(parent, signal.SIGCONT)

    limits = dataclasses.replace(sandbox.limits, call_seconds=0.8)
    with meanwhile(disturb):
        while not stopped:
            got = sandbox.run(CELLS, calls, limits)
    assert [outcome.error or outcome.status for outcome in got.outcomes] == ["ok"] * len(calls)


def test_what_a_child_did_between_looks_far_apart_is_not_taken_for_sleep() -> None:
    before, after = (Usage(at, cpu=0.0, delayed=0.0, asleep=True) for at in (0.0, 100.0))
    assert after.slept_since(before) == SEEN


def test_a_child_that_is_killed_from_outside_is_replaced_and_its_cells_are_run_again(
    sandbox: Sandbox,
) -> None:
    killed: set[int] = set()

    def disturb() -> None:
        for pid, cpu in children_of_parents().items():
            if cpu > 0.1 and len(killed) < 2 and send(pid, signal.SIGKILL):
                killed.add(pid)

    with meanwhile(disturb):
        while len(killed) < 2:
            got = sandbox.run(CELLS, CALLS)
    assert_unharmed(got, sandbox)


def test_what_a_killed_child_had_used_is_not_the_notebooks(sandbox: Sandbox) -> None:
    killed: set[int] = set()

    def disturb() -> None:
        for pid, cpu in children_of_parents().items():
            if cpu > 1.0 and len(killed) < 2 and send(pid, signal.SIGKILL):
                killed.add(pid)

    cells = [*CELLS, Cell("burn(1.2)", None, "4")]
    limits = dataclasses.replace(sandbox.limits, cpu_seconds=3, wall_seconds=3)
    with meanwhile(disturb):
        while len(killed) < 2:
            got = sandbox.run(cells, CALLS, limits)
    assert [outcome.error or outcome.status for outcome in got.outcomes] == ["ok"] * len(CALLS)


def test_what_the_machine_always_kills_is_left_to_a_person_and_the_rest_is_judged(sandbox: Sandbox) -> None:
    def disturb() -> None:
        for pid, cpu in children_of_parents().items():
            if cpu > 1.0:
                send(pid, signal.SIGTERM)

    cells = [*CELLS, Cell("def f(x):\n    burn(3)\n    return x", None, "4")]
    with meanwhile(disturb):
        got = sandbox.run(cells, CALLS)
    assert [outcome.status for outcome in got.outcomes] == ["ok", "machine", "ok"]
    assert "3 times over: its process was ended from outside (SIGTERM)" in got.outcomes[1].error


def test_who_wants_to_be_alone_waits_for_the_others_and_is_not_overtaken(tmp_path: Path) -> None:
    turns, told = Turns(tmp_path), []

    def alone() -> None:
        with turns.alone():
            told.append("alone")

    with turns.together(), turns.together():
        waiting = threading.Thread(target=alone)
        waiting.start()
        told.append("others")
    waiting.join()
    with turns.together():
        told.append("after")
    assert told == ["others", "alone", "after"]
