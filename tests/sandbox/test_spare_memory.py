"""Memory that the machine refuses is told from memory that the limit refuses."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from autograder.calls.requests_and_outcomes import Cell, FunctionCall, Outcome, ReadText
from autograder.sandbox import session
from autograder.sandbox.inside.spare_memory import RESERVED, is_short, left_to_promise, size_of
from autograder.sandbox.parent_pool import Sandbox
from tests.sandbox.conftest import QUICK, TIERS
from tests.sandbox.test_lifecycle import parent_of, python_of

MB = 1 << 20
MEMINFO = (
    f"MemTotal: {3 * 1024} kB\nSwapTotal: 1024 kB\nHugePages_Free: 0\n"
    f"CommitLimit: {RESERVED // 1024 + 7 * 1024} kB\nCommitted_AS: 2048 kB\n"
)


@pytest.mark.parametrize(
    ("mode", "meminfo", "left"),
    [
        ("2\n", MEMINFO, 5 * MB),
        ("0\n", MEMINFO, 4 * MB),
        ("1\n", MEMINFO, math.inf),
        ("2\n", "", math.inf),
        ("", "", math.inf),
    ],
    ids=["strict", "by a rule of thumb", "always", "it does not tell", "not Linux"],
)
def test_what_the_kernel_would_still_promise(mode: str, meminfo: str, left: float) -> None:
    assert left_to_promise(mode, meminfo) == left


def test_a_limit_beyond_all_memory_there_is_leaves_the_refusal_to_the_machine() -> None:
    assert not is_short(os.getpid(), size_of("self") + MB)
    with open("/proc/sys/vm/overcommit_memory") as file:
        never_refuses = file.read().strip() == "1"
    assert is_short(os.getpid(), 1 << 60) is not never_refuses


# Where a child lives makes no difference to what its machine and its limit refuse.
first_tier = pytest.mark.parametrize("sandbox", TIERS[:1], indirect=True)


@pytest.fixture(scope="module")
def tight(sandbox: Sandbox) -> Iterator[Sandbox]:
    """A sandbox on a machine that has far less memory for a notebook than the 16 GB that it is allowed."""
    sandbox.run([Cell("a = 1", None, "0")], [])
    parent_of(sandbox).settle()
    room = (peak_of(python_of(sandbox)) + 200 * MB) // 1024
    made = Sandbox(limits=replace(QUICK, memory_mb=16 * 1024), bubblewrap=sandbox.tier.name == "bubblewrap")
    made.tier = replace(
        made.tier, command=("sh", "-c", f'ulimit -v {room}; exec "$@"', "sh", *made.tier.command)
    )
    with made:
        yield made


def peak_of(pid: int) -> int:
    """The most that a process's address space has had."""
    (line,) = [line for line in Path(f"/proc/{pid}/status").read_text().splitlines() if "VmPeak" in line]
    return int(line.split()[1]) * 1024


def after(sandbox: Sandbox, body: str) -> list[Outcome]:
    cells = [Cell(f"import torch\ndef f(x):\n    {body}", "f", "0"), Cell("a = 'here'", None, "1")]
    return list(sandbox.run(cells, [FunctionCall("f", "f", (torch.ones(2),)), ReadText("a", "a")]).outcomes)


REFUSED = {
    "torch": "return torch.empty(1 << 30)[:1] * 0 + 1",
    "python": "return bytearray(4 << 30)[:1]",
    "bit by bit": "return [torch.ones(1 << 20) for _ in range(1000)][0]",
    "nobody looks": "import os; os.abort()",
}


@first_tier
@pytest.mark.parametrize("body", REFUSED.values(), ids=REFUSED.keys())
def test_what_the_machine_refuses_is_left_to_a_person(
    tight: Sandbox, body: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session, "MAX_FAULTS", 1)  # each costs a warm parent
    refused, answer = after(tight, body)
    assert refused.status == "machine"
    assert "the machine has less memory to give than a notebook is allowed" in refused.error
    assert answer.text == "here"


@first_tier
@pytest.mark.parametrize("body", REFUSED.values(), ids=REFUSED.keys())
def test_what_the_limit_refuses_is_the_notebooks_own(sandbox: Sandbox, body: str) -> None:
    refused, answer = after(sandbox, body)
    assert refused.status == ("crashed" if "abort" in body else "killed")
    assert answer.text == "here"


@first_tier
def test_a_machine_that_had_no_memory_for_a_moment_costs_nothing(sandbox: Sandbox, tight: Sandbox) -> None:
    after(tight, "return x")
    tight.tier = sandbox.tier  # of the parent that is started for the next try
    right, _ = after(tight, REFUSED["torch"])
    assert (right.status, right.outputs[0].tolist()) == ("ok", [1.0])
