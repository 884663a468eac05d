"""Every limit is its own ending with its own words, and costs only the request that hit it."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest
import torch

from autograder.calls.requests_and_outcomes import Cell, FunctionCall, Limits, ReadText, RunResult, override
from autograder.course import model
from autograder.sandbox.parent_pool import Sandbox

X = torch.ones(2)
GOOD = "def good(x): return x + 1\nanswer = 'O(n)'"


def run(sandbox: Sandbox, *cells: str, calls: list[Any] | None = None, **limits: Any) -> RunResult:
    numbered = [Cell(source, None, f"c{n}") for n, source in enumerate(cells)]
    return sandbox.run(numbered, calls or [], dataclasses.replace(sandbox.limits, **limits))


def around(function: str, part: str = "bad") -> list[Any]:
    """A bad call between two good ones and a text."""
    good = FunctionCall("good", "good", (X,))
    return [good, FunctionCall(part, function, (X,)), good, ReadText("answer", "answer")]


def assert_only_the_second_suffers(got: RunResult) -> None:
    statuses = [outcome.status for outcome in got.outcomes]
    assert [statuses[0], *statuses[2:]] == ["ok", "ok", "ok"]
    assert torch.equal(got.outcomes[2].outputs[0], X + 1)


ENDINGS = {
    "endless loop": ("while True: pass", "timed_out", "cpu", "it took more than 1 s of processor time"),
    "endless loop in a thread": (
        "import threading\n    def spin():\n        while True: pass\n"
        "    other = threading.Thread(target=spin); other.start(); other.join()",
        "timed_out", "cpu", "it took more than 1 s of processor time",
    ),
    "sleep": ("import time; time.sleep(1000)", "timed_out", "wall", "it waited for longer than 1 s"),
    "sleep in small pieces": (
        "import time\n    while True: time.sleep(0.01)", "timed_out", "wall", "it waited for longer than 1 s"
    ),
    "a lock that nobody opens": (
        "import threading; lock = threading.Lock(); lock.acquire(); lock.acquire()",
        "timed_out", "wall", "it waited for longer than 1 s",
    ),
    "swallowed signals": (
        "import signal\n    for n in range(1, 65):\n        try: signal.signal(n, signal.SIG_IGN)\n"
        "        except Exception: pass\n    while True: pass",
        "timed_out", "cpu", "it took more than 1 s of processor time",
    ),
    "much memory": ("return torch.ones(1 << 30)", "killed", "memory", "allocate"),
    "much python memory": ("return [0] * (1 << 30)", "killed", "memory", "MemoryError"),
    "segfault": ("import ctypes; ctypes.string_at(0)", "crashed", "", "SIGSEGV"),
    "exit": ("import os; os._exit(0)", "crashed", "", "exit code 0"),
    "suicide": ("import os, signal; os.kill(os.getpid(), signal.SIGABRT)", "crashed", "", "SIGABRT"),
    "suicide in the name of the machine": (
        "import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "raised", "", "PermissionError"
    ),
    "a halt": ("import os, signal; os.kill(os.getpid(), signal.SIGSTOP)", "raised", "", "PermissionError"),
    "a lower limit": (
        "import resource as r; r.setrlimit(r.RLIMIT_CPU, (1, 1))\n    while True: pass",
        "raised", "", "not allowed to raise maximum limit",
    ),
    "deep recursion": ("return bad(x)", "raised", "", "RecursionError"),
    "system exit": ("raise SystemExit(0)", "raised", "", "SystemExit"),
    "closed pipes": ("import os; os.closerange(0, 256)", "crashed", "", "exit code 1"),
}  # fmt: skip


@pytest.mark.parametrize(("body", "status", "limit", "says"), ENDINGS.values(), ids=ENDINGS.keys())
def test_a_call_that_ends_badly_costs_itself_only(
    sandbox: Sandbox, body: str, status: str, limit: str, says: str
) -> None:
    source = f"import torch\ndef bad(x):\n    {body}"
    got = run(sandbox, GOOD, source, calls=around("bad"), call_seconds=1)
    bad = got.outcomes[1]
    assert (bad.status, bad.limit) == (status, limit)
    assert says in bad.error
    assert_only_the_second_suffers(got)


def test_the_processor_time_of_the_whole_notebook_is_limited(sandbox: Sandbox) -> None:
    source = "def bad(x):\n    while True: pass"
    got = run(sandbox, GOOD, source, calls=[FunctionCall("bad", "bad", (X,))], cpu_seconds=1, call_seconds=10)
    assert (got.outcomes[0].status, got.outcomes[0].limit) == ("timed_out", "cpu")
    assert got.outcomes[0].error == "the notebook as a whole took more than 1 s of processor time"


def test_a_cell_that_hangs_is_left_out_and_the_others_count(sandbox: Sandbox) -> None:
    cells = ["a = 'before'", "while True: pass", "b = 'after ' + a"]
    got = run(sandbox, *cells, calls=[ReadText("b", "b")], cell_seconds=1)
    assert [cell.status for cell in got.cells] == ["ok", "timed_out", "ok"]
    assert got.outcomes[0].text == "after before"
    assert got.restarts == 1


def test_a_cell_that_kills_the_process_is_left_out_and_prints_are_not_repeated(sandbox: Sandbox) -> None:
    got = run(sandbox, "print('once')", "import os; os._exit(3)", "a = 'after'", calls=[ReadText("a", "a")])
    assert [cell.status for cell in got.cells] == ["ok", "crashed", "ok"]
    assert got.outcomes[0].text == "after"
    assert got.stdout == "once\n"


def test_a_cell_out_of_memory_says_so_and_the_next_one_runs(sandbox: Sandbox) -> None:
    got = run(sandbox, "import torch\nx = torch.ones(1 << 30)", "a = 'after'", calls=[ReadText("a", "a")])
    assert (got.cells[0].status, got.cells[0].limit) == ("killed", "memory")
    assert got.outcomes[0].text == "after"


def test_a_part_that_keeps_hanging_is_not_tried_for_ever(sandbox: Sandbox) -> None:
    calls = [*[FunctionCall("bad", "bad", (X,))] * 6, FunctionCall("good", "good", (X,))]
    got = run(sandbox, GOOD, "def bad(x):\n    while True: pass", calls=calls, call_seconds=1)
    assert [outcome.status for outcome in got.outcomes] == ["timed_out"] * 6 + ["ok"]
    assert got.restarts == 2
    assert got.outcomes[5].error.startswith("not tried")


def test_a_notebook_of_dying_cells_comes_to_an_end(sandbox: Sandbox) -> None:
    got = run(sandbox, *["import os; os._exit(1)"] * 20, calls=[ReadText("a", "a")])
    assert got.outcomes[0].status == "killed"
    assert got.outcomes[0].limit == "restarts"
    assert got.cells[-1].status == "skipped"


def test_the_notebook_as_a_whole_has_a_limit(sandbox: Sandbox) -> None:
    cells = ["pass", "import time; time.sleep(100)", "pass", "pass"]
    got = run(sandbox, *cells, calls=[ReadText("a", "a")], wall_seconds=1)
    assert (got.outcomes[0].status, got.outcomes[0].limit) == ("timed_out", "wall")
    assert "as a whole" in got.outcomes[0].error
    assert [cell.status for cell in got.cells] == ["ok", "timed_out", "skipped", "skipped"]


def test_a_call_may_have_limits_of_its_own(sandbox: Sandbox) -> None:
    source = "import torch\ndef big(x): return torch.ones(1 << 25).sum().item()"
    small = Limits(memory_mb=64)
    got = run(
        sandbox,
        GOOD,
        source,
        calls=[FunctionCall("p", "big", (X,), limits=small), FunctionCall("p", "big", (X,))],
    )
    assert [outcome.status for outcome in got.outcomes] == ["killed", "ok"]


def test_threads_are_limited(sandbox: Sandbox) -> None:
    source = (
        "import threading, time\ndef bad(x):\n"
        "    for _ in range(1000): threading.Thread(target=time.sleep, args=(5,), daemon=True).start()"
    )
    got = run(sandbox, GOOD, source, calls=around("bad"), threads=8, memory_mb=2048)
    assert (got.outcomes[1].status, got.outcomes[1].limit) == ("raised", "threads")
    assert_only_the_second_suffers(got)


def test_files_are_limited_in_size_or_cannot_be_written(sandbox: Sandbox) -> None:
    source = (
        "def bad(x):\n    with open('big', 'wb') as f:\n        for _ in range(64): f.write(bytes(1 << 20))"
    )
    got = run(sandbox, GOOD, source, calls=around("bad"), file_mb=2)
    assert got.outcomes[1].status == "raised"
    assert got.outcomes[1].limit == ("file" if sandbox.tier.scratch else "")
    assert_only_the_second_suffers(got)


def test_files_do_not_outlive_their_submission(sandbox: Sandbox) -> None:
    wrote = run(sandbox, "open('left', 'w').write('behind')\nimport os; os.makedirs('a/b')")
    assert wrote.cells[0].status == ("ok" if sandbox.tier.scratch else "raised")
    found = run(sandbox, "import os\na = str(os.path.exists('left'))", calls=[ReadText("a", "a")])
    assert found.outcomes[0].text == "False"


def test_a_cell_that_is_far_too_long_is_skipped(sandbox: Sandbox) -> None:
    got = run(sandbox, "#" * (1 << 21), "a = 'after'", calls=[ReadText("a", "a")])
    assert [cell.status for cell in got.cells] == ["skipped", "ok"]
    assert got.outcomes[0].text == "after"


def test_results_of_a_restart_equal_those_without(sandbox: Sandbox) -> None:
    source = "import torch\nw = torch.rand(3)\ndef f(x): return w * torch.rand(3)"
    alone = run(sandbox, GOOD, source, calls=[FunctionCall("f", "f", (X,))]).outcomes[0]
    hang = "def bad(x):\n    while True: pass"
    calls = [FunctionCall("bad", "bad", (X,)), FunctionCall("f", "f", (X,))]
    after = run(sandbox, GOOD, source, hang, calls=calls, call_seconds=1).outcomes[1]
    assert torch.equal(alone.outputs[0], after.outputs[0])


def test_changed_limits_stay_whole_numbers_where_they_are() -> None:
    changed = override(Limits(), {"memory_mb": 64.0, "call_seconds": 1})
    assert (changed.memory_mb, type(changed.memory_mb), changed.call_seconds) == (64, int, 1.0)


def test_the_limits_that_a_course_may_set_are_those_there_are() -> None:
    assert tuple(field.name for field in dataclasses.fields(Limits)) == model.LIMITS


def test_after_a_late_call_no_exit_code_of_a_cell_is_told(tmp_path: Path) -> None:
    """Without a wall a process that knows a hidden input can tell the next one of it."""
    note = str(tmp_path / "note")
    cell = (
        f"import os\nif os.path.exists({note!r}): os._exit(77)\n"
        f"def f(x):\n    open({note!r}, 'w').close()\n    os._exit(78)"
    )
    with Sandbox(isolation=False) as sandbox:
        got = sandbox.run(
            [Cell(cell, "p", "c")],
            [FunctionCall("p", "f", (X,), late=True), FunctionCall("q", "g", (X,), late=True)],
        )
    assert got.cells[0].status == "crashed"
    assert got.cells[0].error == "the cell ended the process that it runs in"
