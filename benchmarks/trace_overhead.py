"""How much tracing adds to a call, at the sizes used for grading and for programs in several styles.

Run `python benchmarks/trace_overhead.py`. Times are processor time of one thread, the best of several runs
in which traced and untraced calls take turns, so that the ratio holds on a busy machine too.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import torch

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from autograder.cost import trace
from autograder.cost.subject import Subject
from tests.cost import programs

ROUNDS = 7
GOAL = 0.30


def seconds(call: Callable[[], Any]) -> float:
    start = time.process_time()
    call()
    return time.process_time() - start


def overhead(function: Callable[..., Any], args: tuple[Any, ...]) -> tuple[float, float]:
    """The untraced time, and the share that tracing adds to it."""
    trace(function, *args)  # rules are looked up once
    plain, traced = float("inf"), float("inf")
    for _ in range(ROUNDS):
        plain = min(plain, seconds(lambda: function(*args)))
        traced = min(traced, seconds(lambda: trace(function, *args)))
    return plain, traced / plain - 1


def report(name: str, function: Callable[..., Any], args: tuple[Any, ...]) -> bool:
    plain, added = overhead(function, args)
    print(f"{name:<58} {1e3 * plain:9.2f} ms  {added:+8.1%}")
    return added < GOAL


def main() -> int:
    torch.set_num_threads(1)
    large = programs.PART.large
    subject = Subject(programs.PART, tuple(large))
    at_large = subject.made(large)
    print(f"{'at the size of the call that is watched from outside':<58} {'untraced':>12}  {'added':>8}")
    met = [
        report(f"linear attention, {function.__name__}", function, at_large)
        for function in (programs.linear_attention, programs.by_einsum, programs.by_ones_column)
    ]
    wide = subject.made({"T": 64, "d": 512, "dv": 512})
    print("\nloops in Python, where every step is an operation of its own")
    for name, args in (
        ("T = 64, d = 512", wide),
        ("T = 64, d = 16", subject.made({"T": 64, "d": 16, "dv": 16})),
    ):
        report(f"linear attention, by_loops, {name}", programs.by_loops, args)
    grid = Subject(programs.PART, ("T", "d", "dv")).grid()
    made = [subject.made(sizes) for sizes in grid]
    print(f"\nthe whole grid on which growth is fitted, {len(grid)} calls that are mostly calls")

    def on_grid(function: Callable[..., Any]) -> Callable[[], Any]:
        return lambda: [function(*args) for args in made]

    for function in (programs.linear_attention, programs.by_loops):
        plain = min(seconds(on_grid(function)) for _ in range(ROUNDS))
        traced = min(seconds(on_grid(partial(trace, function))) for _ in range(ROUNDS))
        share = f"{traced / plain - 1:+8.1%}"
        print(f"{function.__name__:<58} {1e3 * plain:9.2f} ms  {share}  {1e3 * traced:.0f} ms in all")
    return 0 if all(met) else 1


if __name__ == "__main__":
    sys.exit(main())
