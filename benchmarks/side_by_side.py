"""One made-up class, graded by us, by nbgrader, by Otter and by a bare fork, in turns: times and ratios.

make bench, or: python -m benchmarks.side_by_side --sample 10 --rounds 3 --sizes 200,1000,10000
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import sys
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

from autograder.course.load import Course, load_course
from benchmarks.chart import write_chart
from benchmarks.floor import run_floor
from benchmarks.made_up_class import Marks, Student, write_class
from benchmarks.measure import Run, run_command
from benchmarks.peers import Graded, environment, run_nbgrader, run_otter, run_ours

ROOT = Path(__file__).resolve().parent.parent
SMALL, LARGE, WORKERS = 100, 500, 2  # what a notebook takes us is the difference between two classes
FEW = 2  # and what it takes nbgrader, too
FLOORS = ("floor", "alike", "barest")


def main() -> None:
    options = _options()
    before = os.getloadavg()[0]
    course = load_course(ROOT)
    work: Path = options.work
    times = _in_turns(course, work, options)
    growth = _marginal([_grown(course, work, size) for size in options.sizes])
    results = _summary(times, growth, options, before)
    Path(options.results).write_text(json.dumps(results, indent=2) + "\n")
    write_chart(results, ROOT / "docs" / "images" / "speed.svg")
    print(json.dumps(results, indent=2))


def _options() -> Any:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--sample", type=int, default=10, help="notebooks for nbgrader and Otter")
    parser.add_argument("--rounds", type=int, default=3, help="turns; the median counts")
    parser.add_argument("--sizes", type=_numbers, default=(200, 1000, 10000), help="classes for us alone")
    parser.add_argument("--work", type=Path, default=ROOT / "build" / "bench", help="where all of it is done")
    parser.add_argument("--results", default=str(ROOT / "benchmarks" / "results.json"))
    return parser.parse_args()


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(number) for number in text.split(",") if number)


def _in_turns(course: Course, work: Path, options: Any) -> dict[str, list[dict[str, float]]]:
    """Each grader once a round: what else the machine does hits all of them alike."""
    few, small, large = work / "few", work / f"class{SMALL}", work / f"class{LARGE}"
    sample, some, many = (
        write_class(course, n, at) for n, at in ((options.sample, few), (SMALL, small), (LARGE, large))
    )
    notebooks, forked = sorted(few.rglob("*.ipynb")), sorted(small.rglob("*.ipynb"))
    nbgrader, otter = (environment(name, work / "envs") for name in ("nbgrader", "otter"))
    turns: dict[str, Callable[[], dict[str, float]]] = {
        "ours": lambda: _between(
            _ours(course, small, work / "ours", some), _ours(course, large, work / "ours", many)
        ),
        **{kind: partial(_floor, kind, forked, some) for kind in FLOORS},
        "imports": _imports,
        "nbgrader": lambda: _one_command(
            lambda first: run_nbgrader(course, nbgrader, notebooks[:first], work / "nbgrader"), sample
        ),
        "otter": lambda: _a_command_each(run_otter(course, otter, notebooks, work / "otter"), sample),
    }
    times: dict[str, list[dict[str, float]]] = {name: [] for name in turns}
    for round_number in range(options.rounds):
        for name, turn in turns.items():
            times[name].append(turn())
            print(f"round {round_number + 1}: {name} {times[name][-1]}", flush=True)
    return times


def _demand(marks: Marks, students: Sequence[Student]) -> None:
    """The same marks, part by part, or none of the figures counts."""
    different = {each.name: (marks.get(each.name), each.marks) for each in students}
    different = {name: pair for name, pair in different.items() if pair[0] != pair[1]}
    if different:
        raise SystemExit(f"the marks (found, wanted) are not those demanded: {different}")


def _ours(course: Course, submitted: Path, out: Path, students: Sequence[Student]) -> dict[str, float]:
    graded = run_ours(course, submitted, out, WORKERS)
    _demand(graded.marks, students)
    return {**_figures(graded.run, len(students)), "out_kb": round(_kilobytes(out) / len(students), 1)}


def _kilobytes(folder: Path) -> float:
    """What a folder takes on the disk."""
    return sum(path.lstat().st_blocks * 512 for path in folder.rglob("*")) / 1024


def _figures(run: Run, count: int) -> dict[str, float]:
    """The whole command, from its start to its end, and a notebook's share of it."""
    return {
        "with_start": round(run.seconds / count, 5),
        "first_result": round(run.first, 2),
        "peak_mb": round(run.peak_mb),
        "total": round(run.seconds, 2),
    }


def _between(small: dict[str, float], large: dict[str, float]) -> dict[str, float]:
    """What one more notebook takes: no start-up, wherever in the run it falls."""
    seconds = (large["total"] - small["total"]) / (LARGE - SMALL)
    return {"seconds": round(seconds, 5), **large, "first_result": small["first_result"]}


def _imports() -> dict[str, float]:
    """What starting Python with torch and IPython alone takes: nothing that runs notebooks starts sooner."""
    run = run_command([sys.executable, "-c", "import torch, IPython"], ROOT, Path(sys.executable).parent)
    return {"seconds": round(run.seconds, 2)}


def _floor(kind: str, notebooks: Sequence[Path], students: Sequence[Student]) -> dict[str, float]:
    seconds, marks = run_floor(ROOT, notebooks, WORKERS, kind)
    _demand(marks, students)
    return {"seconds": round(seconds / len(notebooks), 5)}


def _one_command(run: Callable[[int], Graded], students: Sequence[Student]) -> dict[str, float]:
    """A grader that starts once for a class: what one more notebook takes, and the start."""
    few, graded = run(FEW), run(len(students))
    _demand(few.marks, students[:FEW])
    _demand(graded.marks, students)
    seconds = (graded.run.seconds - few.run.seconds) / (len(students) - FEW)
    start = max(0.0, few.run.seconds - FEW * seconds)
    return {"seconds": round(seconds, 3), "start": round(start, 3), "peak_mb": round(graded.run.peak_mb)}


def _a_command_each(graded: Graded, students: Sequence[Student]) -> dict[str, float]:
    """A grader that starts anew for every notebook, as it ships."""
    _demand(graded.marks, students)
    seconds = graded.run.seconds / len(students)
    return {"seconds": round(seconds, 3), "start": 0.0, "peak_mb": round(graded.run.peak_mb)}


def _grown(course: Course, work: Path, size: int) -> dict[str, float]:
    folder = work / f"class{size}"
    figures = _ours(course, folder, work / f"out{size}", write_class(course, size, folder))
    print(f"{size} submissions: {figures}", flush=True)
    return {"submissions": size, **figures}


def _marginal(growth: list[dict[str, float]]) -> list[dict[str, float]]:
    """Beside each class, what one more notebook took compared with the class before."""
    for before, after in pairwise(growth):
        more = after["submissions"] - before["submissions"]
        after["seconds"] = round((after["total"] - before["total"]) / more, 5)
    return growth


def _summary(
    times: dict[str, list[dict[str, float]]],
    growth: Sequence[dict[str, float]],
    options: Any,
    load_before: float,
) -> dict[str, Any]:
    median = {
        name: {key: statistics.median(turn[key] for turn in turns) for key in turns[0]}
        for name, turns in times.items()
    }
    ours, with_start = median["ours"]["seconds"], median["ours"]["with_start"]
    ratios = {kind: round(ours / median[kind]["seconds"], 2) for kind in FLOORS}
    ratios["first_result"] = round(median["ours"]["first_result"] / median["imports"]["seconds"], 2)
    for peer in ("nbgrader", "otter"):
        seconds, start = median[peer]["seconds"], median[peer]["start"]
        ratios[peer] = round(seconds / ours, 1)
        # A class as large as the one that our own start is shared by.
        ratios[f"{peer}_with_start"] = round((seconds + start / LARGE) / with_start, 1)
    machine = {
        "cores": len(os.sched_getaffinity(0)),
        "kernel": platform.release(),
        "load_before": round(load_before, 2),
        "load_after": round(os.getloadavg()[0], 2),  # that of the run itself is in it
    }
    return {
        "machine": machine,
        "sample": options.sample,
        "classes": [SMALL, LARGE],
        "workers": WORKERS,
        "median": median,
        "ratios": ratios,
        "growth": list(growth),
        "turns": times,
    }


if __name__ == "__main__":
    main()
