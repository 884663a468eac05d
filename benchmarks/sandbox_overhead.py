"""What isolation costs: our sandbox beside bare forks of the same warm process, taking turns in one run.

    python -m benchmarks.sandbox_overhead [--rounds 20] [--many 1000]

A floor forks, runs the same cells in the same shell, calls the same functions on inputs that the child
inherits, and sends the results through a pipe. There are two: `bare` is a fork as Python does it, `alike` has
the large pages that our warm parent has too. Only the second tells what isolation costs; the first would
count a faster fork in its favour. All take turns of a few submissions in a row, so that a busy
machine slows all and what one leaves to be cleared up is paid by its own next one. Then many submissions in
one sandbox: its memory and descriptors at the start, half-way and at the end.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

from autograder.calls.requests_and_outcomes import Cell, FunctionCall, ReadText
from autograder.sandbox.parent_pool import Sandbox
from autograder.sandbox.tiers import bubblewrap_fault, environment

CELLS = [
    Cell("import torch", None, "setup"),
    Cell("def scores(q, k):\n    return torch.softmax(q @ k.T, dim=1)", "scores", "scores"),
    Cell('axis = "a"', "axis", "axis"),
]
Q, K = torch.rand(16, 8), torch.rand(24, 8)
IN_A_ROW = 8
REQUESTS = [ReadText("axis", "axis"), *[FunctionCall("scores", "scores", (Q, K))] * 4]

FLOOR = """
import gc, os, sys, torch, safetensors.torch
from autograder.sandbox.inside import large_pages, shell as shells, zygote
zygote.warm_up()
shell = shells.CellShell.instance()
gc.collect(); gc.freeze()
if sys.argv[1] == "alike": pages.collapse()
q, k = torch.rand(16, 8), torch.rand(24, 8)
sources = eval(sys.stdin.readline())
def child(writer):
    for number, source in enumerate(sources):
        shells.run_cell(shell, number, source)
    answers = {str(n): shell.user_ns["scores"](q, k) for n in range(4)}
    os.write(writer, safetensors.torch.save(answers))
    os._exit(0)
print("warm", flush=True)
for line in sys.stdin:
    reader, writer = os.pipe()
    pid = os.fork()
    if not pid:
        child(writer)
    os.close(writer)
    while os.read(reader, 1 << 16):
        pass
    os.close(reader)
    os.waitpid(pid, 0)
    print("done", flush=True)
"""


def floor(kind: str) -> tuple[Callable[[], None], Callable[[], object]]:
    """A function that forks and runs once, and one that ends it."""
    process = subprocess.Popen(
        [sys.executable, "-c", FLOOR, kind],
        env={**os.environ, **environment(), "HOME": os.environ.get("HOME", "/")},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    requests, replies = process.stdin, process.stdout

    def turn(line: str = "go") -> None:
        requests.write(line + "\n")
        requests.flush()
        replies.readline()

    turn(repr([cell.source for cell in CELLS]))
    return turn, process.kill


def timed(function: Callable[[], Any]) -> float:
    """Milliseconds a submission, over a few in a row."""
    started = time.perf_counter()
    for _ in range(IN_A_ROW):
        function()
    return (time.perf_counter() - started) * 1000 / IN_A_ROW


def compare(sandbox: Sandbox, rounds: int) -> dict[str, float]:
    """Median milliseconds of each, and the median of the ratios of neighbouring turns."""
    (bare, end_bare), (alike, end_alike) = floor("bare"), floor("alike")
    try:
        turns = [
            (timed(bare), timed(alike), timed(lambda: sandbox.run(CELLS, REQUESTS)))
            for _ in range(rounds + 1)
        ][1:]
    finally:
        end_bare()
        end_alike()
    medians = (round(statistics.median(column), 1) for column in zip(*turns, strict=True))
    return {
        **dict(zip(("bare_ms", "alike_ms", "ours_ms"), medians, strict=True)),
        "ratio_to_bare": round(statistics.median(ours / bare for bare, _, ours in turns), 2),
        "ratio_to_alike": round(statistics.median(ours / alike for _, alike, ours in turns), 2),
    }


def held(sandbox: Sandbox) -> dict[str, int]:
    """Resident memory of the judge and of all below it, in MB, and the judge's open descriptors."""
    for parent in sandbox._all:
        parent.settle()  # a child that is being taken apart would be counted
    return {
        "judge_mb": resident(os.getpid()),
        "parents_mb": sum(resident(pid) for pid in below({parent._process.pid for parent in sandbox._all})),
        "descriptors": len(os.listdir("/proc/self/fd")),
    }


def below(pids: set[int]) -> set[int]:
    """These processes and all that they have started."""
    above = {
        int(path.parent.name): int(path.read_text().rsplit(")", 1)[1].split()[1])
        for path in Path("/proc").glob("[0-9]*/stat")
    }
    while more := {pid for pid, parent in above.items() if parent in pids} - pids:
        pids = pids | more
    return pids


def resident(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") >> 20
    except OSError:
        return 0


def endure(sandbox: Sandbox, many: int) -> list[dict[str, int]]:
    """What is held at the start, half-way and at the end of many submissions."""
    seen = [held(sandbox)]
    for number in range(1, many + 1):
        sandbox.run(CELLS, REQUESTS)
        if number in (many // 2, many):
            seen.append(held(sandbox))
    return seen


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--many", type=int, default=1000)
    options = parser.parse_args()
    torch.set_num_threads(1)
    for bubblewrap in (False,) if bubblewrap_fault() else (True, False):
        with Sandbox(bubblewrap=bubblewrap) as sandbox:
            for _ in range(3):
                sandbox.run(CELLS, REQUESTS)
            result: dict[str, Any] = {"tier": sandbox.tier.name, **compare(sandbox, options.rounds)}
            if options.many:
                result["held"] = endure(sandbox, options.many)
            print(json.dumps(result), flush=True)


if __name__ == "__main__":
    main()
