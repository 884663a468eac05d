"""How much counting adds to the calls that grading counts, for programs in several styles.

Run `python benchmarks/trace_overhead.py`. What is timed is what grading runs beside a student's code, on the
sizes where it runs it, against the same calls uncounted. Times are processor time of one thread, the best of
several rounds in which both take turns, so that the ratio holds on a busy machine too.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from autograder.cost.grading import MOST_OPERATIONS
from autograder.cost.measured_function import Subject, bounded
from autograder.cost.trace.count_a_call import count
from tests.cost import programs

ROUNDS = 5
GOAL = 0.30

Program = Callable[..., Any]
Arguments = Sequence[tuple[Any, ...]]

WHOLE_TENSORS: tuple[Program, ...] = (
    programs.linear_attention,
    programs.by_einsum,
    programs.by_ones_column,
    programs.by_rows_of_batches,
    programs.by_outer_products,
)
LOOPS: tuple[Program, ...] = (programs.by_loops, programs.by_loops_in_place)


def seconds(call: Callable[[], Any]) -> float:
    start = time.process_time()
    call()
    return time.process_time() - start


def overhead(function: Program, calls: Arguments, most: int | None) -> tuple[float, float]:
    """The uncounted time of all calls, and the share that counting adds to it."""
    found = count(function, calls[0], most)  # rules are looked up once
    assert "work" in found, found
    plain, counted = float("inf"), float("inf")
    for _ in range(ROUNDS):
        plain = min(plain, seconds(lambda: [function(*args) for args in calls]))
        counted = min(counted, seconds(lambda: [count(function, args, most) for args in calls]))
    return plain, counted / plain - 1


def report(functions: Sequence[Program], calls: Arguments, most: int | None = MOST_OPERATIONS) -> bool:
    """Whether all of these programs meet the goal; a line for each."""
    met = True
    for function in functions:
        plain, added = overhead(function, calls, most)
        print(f"  {function.__name__:<40} {1e3 * plain:9.2f} ms  {added:+8.1%}")
        met = met and added < GOAL
    return met


def main() -> int:
    torch.set_num_threads(1)
    part = replace(programs.PART, memory=None)
    subject = bounded(part)
    graded = [subject.made(sizes) for sizes in subject.graded()]
    print(f"linear attention; {'uncounted':>42}  {'added':>8}")
    print(f"the whole grid on which growth is fitted, {len(graded)} calls, programs on whole tensors")
    met = report(WHOLE_TENSORS, graded)
    spread = [subject.made(sizes) for sizes in bounded(programs.PART).graded()]
    print(f"the grid where memory is bounded too, {len(spread)} calls")
    met = report(WHOLE_TENSORS[:3], spread) and met
    print("one call at the size that is watched from outside")
    met = report(WHOLE_TENSORS[:3], [Subject(part, tuple(part.large)).made(part.large)]) and met
    print("loops in Python over the long axis, where every step is an operation of its own: the whole grid")
    report(LOOPS, graded)
    small = [subject.made(sizes) for sizes in subject.grid()]
    print(f"loops over all pairs, which are counted on the small grid of {len(small)} calls")
    report([programs.pairs_in_loops], small, None)
    print(f"the goal, below {GOAL:.0%} for programs on whole tensors, is {'met' if met else 'missed'}")
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
