"""Without isolation a notebook may start processes: their time is the notebook's, and they end with it."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterator

import pytest
import torch

from autograder.calls.requests_and_outcomes import Cell, FunctionCall, ReadText, RunResult
from autograder.sandbox.parent_pool import Sandbox
from tests.sandbox.conftest import QUICK
from tests.sandbox.machine import below, still_there

START = "import subprocess, sys\ndef start(code): return subprocess.Popen([sys.executable, '-S', '-c', code])"
BURN = "import time\nwhile time.process_time() < {}: pass"
ORPHAN = "import subprocess, sys\nsubprocess.Popen([sys.executable, '-S', '-c', {!r}])"
X = torch.ones(2)


@pytest.fixture(scope="module")
def unconfined() -> Iterator[Sandbox]:
    with Sandbox(isolation=False, limits=QUICK) as warm:
        yield warm


def call(sandbox: Sandbox, body: str, **limits: float) -> RunResult:
    cells = [Cell(START, None, "0"), Cell(f"def f(x):\n    {body}", None, "1"), Cell("a = 'here'", None, "2")]
    calls = [FunctionCall("f", "f", (X,)), ReadText("a", "a")]
    return sandbox.run(cells, calls, dataclasses.replace(sandbox.limits, **limits))


@pytest.mark.parametrize(
    "body",
    [
        f"start({BURN.format(1000)!r}).wait()",
        f"while True: start({BURN.format(0.4)!r}).wait()",
        f"start({ORPHAN.format(BURN.format(1000))!r}).wait(); import time; time.sleep(1000)",
        "import os\n    if os.fork(): os.wait()\n    while True: pass",
    ],
    ids=["one", "one after another", "an orphan", "a fork"],
)
def test_the_processor_time_of_what_it_starts_is_its_own(unconfined: Sandbox, body: str) -> None:
    outcome, answer = call(unconfined, body, call_seconds=2).outcomes
    assert (outcome.status, outcome.limit) == ("timed_out", "cpu")
    assert outcome.error == "it took more than 2 s of processor time"
    assert answer.text == "here"


def test_all_of_it_together_is_held_to_the_limit_of_the_notebook(unconfined: Sandbox) -> None:
    body = f"[start({BURN.format(1000)!r}) for _ in range(2)][0].wait()"
    (outcome, _) = call(unconfined, body, cpu_seconds=2).outcomes
    assert outcome.error == "the notebook as a whole took more than 2 s of processor time"


def test_one_that_waits_for_a_process_that_waits_is_asleep(unconfined: Sandbox) -> None:
    (outcome, _) = call(unconfined, "start('import time; time.sleep(1000)').wait()", call_seconds=1).outcomes
    assert (outcome.status, outcome.limit) == ("timed_out", "wall")


def test_what_it_started_ends_with_it(unconfined: Sandbox) -> None:
    unconfined.run([Cell("a = 'here'", None, "0")], [ReadText("a", "a")])
    before = below(os.getpid())
    orphan = f"start({ORPHAN.format('import time; time.sleep(1000)')!r}).wait()\n    return x"
    outcome, _ = call(unconfined, f"start('import time; time.sleep(1000)')\n    {orphan}").outcomes
    assert outcome.status == "ok"
    (parent,) = unconfined._all
    parent.settle()
    assert not still_there(below(os.getpid())) - still_there(before)


def test_what_it_started_ends_with_the_sandbox() -> None:
    before = below(os.getpid())
    with Sandbox(isolation=False, limits=QUICK) as sandbox:
        call(sandbox, "start('import time; time.sleep(1000)')\n    return x")
        ours = {pid: at for pid, at in below(os.getpid()).items() if pid not in before}
        assert ours
    assert not still_there(ours)
