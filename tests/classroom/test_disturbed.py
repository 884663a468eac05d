"""A class is graded quietly and on a machine that is far too busy and kills: the same marks, words and bytes."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest

from autograder.course.load import Course
from autograder.notebook.build_notebooks import build_notebook
from autograder.notebook.fill import fill
from autograder.sandbox.session import MAX_FAULTS
from tests.conftest import SMALL
from tests.sandbox.machine import BOOT, below, children_of_parents, halt, meanwhile, parent_of, send

RIGHT = "def scores(q, k):\n    return torch.softmax(q @ k.T, dim=1)"
WORK = "for _ in range(400_000): pass\n"
ANSWERS = {
    "ada": RIGHT,
    "bob": RIGHT.replace("dim=1", "dim=0"),
    "cyd": "def scores(q, k):\n    while True: pass",
    "dan": "def scores(q, k):\n    raise ValueError('no')",
    "eve": "import os\nos._exit(3)",
    "fay": f"{WORK}{RIGHT}",
    "gus": "def scores(q, k):\n    return torch.ones(1 << 33)",
    "hal": "def scores(q, k):\n    import time\n    time.sleep(1000)",
}
LIMITS = {"call_seconds": 1, "cell_seconds": 10, "memory_mb": 512}
BUSY = 2  # loops without an end, on the one core that four workers have
HALTS = 4  # of one child: one that is stopped for ever has no chance to sleep, and is left to a person


class Unkind:
    """Kills children at random moments of their lives, and stops others.

    One child of each process that has sandboxes: the first worker's was begun by the command, so that a notebook may
    be hit by two, at one place, and survives it.
    """

    def __init__(self) -> None:
        self._random = random.Random(14)
        self._killed: Counter[int] = Counter()
        self._halted: Counter[int] = Counter()

    @property
    def killed(self) -> int:
        return self._killed.total()

    @property
    def halted(self) -> int:
        return self._halted.total()

    def __call__(self) -> None:
        for pid in children_of_parents():
            chance, grader = self._random.random(), grader_of(pid)
            if chance < 0.2 and not self._killed[grader] and send(pid, signal.SIGKILL):
                self._killed[grader] += 1
            elif chance > 0.8 and self._halted[pid] < HALTS:
                self._halted[pid] += 1
                halt(pid, 0.2)


def grader_of(pid: int) -> int:
    """The process that asked for a child: the first one above it that is not of the sandbox."""
    while (pid := parent_of(pid)) > 1:
        with suppress(OSError):
            words = Path(f"/proc/{pid}/cmdline").read_text()
            if BOOT not in words and "bwrap" not in words:
                break
    return pid


@pytest.fixture(scope="module")
def submitted(tmp_path_factory: pytest.TempPathFactory, small: Course) -> Path:
    folder = tmp_path_factory.mktemp("class") / "submitted"
    stub = build_notebook(small.problems["scores"], "basics", small.root)
    for student, answer in ANSWERS.items():
        path = folder / student / "basics" / "scores.ipynb"
        path.parent.mkdir(parents=True)
        path.write_bytes(fill(stub, {"scores": answer, "axis": 'axis = "a"', "why": "Because."}))
    return folder


def results_of(out: Path) -> dict[str, bytes]:
    names = ["results.jsonl", "grades.csv"]
    files = [out / name for name in names] + sorted((out / "feedback").rglob("*.html"))
    return {str(path.relative_to(out)): path.read_bytes() for path in files}


def command(submitted: Path, out: Path, workers: int) -> list[str | Path]:
    limits = [word for name, value in LIMITS.items() for word in ("--limit", f"{name}={value}")]
    grade = [sys.executable, "-m", "autograder", "grade", submitted, "--out", out, "--course", SMALL]
    return [*grade, "--no-gradebook", "--workers", str(workers), *limits]


def grade(submitted: Path, out: Path, workers: int) -> None:
    subprocess.run(command(submitted, out, workers), check=True)


@pytest.fixture(scope="module")
def quiet(submitted: Path) -> dict[str, bytes]:
    """What comes of the class where nothing disturbs it."""
    grade(submitted, submitted.parent / "quiet", 1)
    return results_of(submitted.parent / "quiet")


@contextmanager
def on_one_core() -> Iterator[None]:
    """Whatever is started in here has one core: far too little for it, and the rest of the machine stays free."""
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(allowed)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, allowed)


def test_marks_words_and_bytes_are_the_same_on_a_machine_that_is_busy_and_unkind(submitted, quiet, tmp_path):
    loud = tmp_path / "loud"
    unkind = Unkind()
    with ExitStack() as stack:
        stack.enter_context(meanwhile(unkind))
        with on_one_core():
            for _ in range(BUSY):
                busy = stack.enter_context(subprocess.Popen([sys.executable, "-c", "while True: pass"]))
                stack.callback(busy.kill)
            run = stack.enter_context(subprocess.Popen(command(submitted, loud, 4)))
        run.wait()
    assert run.returncode == 0
    assert unkind.killed >= MAX_FAULTS
    assert unkind.halted
    assert results_of(loud) == quiet


class Unkinder:
    """Kills some of the processes that start or keep sandboxes, and some that grade."""

    def __init__(self, top: int) -> None:
        self._top = top
        self._seen: set[int] = set()
        self.killed = {"sandbox": 0, "grader": 0}

    def __call__(self) -> None:
        for pid in below(self._top).keys() - self._seen - children_of_parents().keys():
            self._seen.add(pid)
            with suppress(OSError):
                words = Path(f"/proc/{pid}/cmdline").read_text()
                kind = "sandbox" if BOOT in words else "grader" if "resource_tracker" not in words else ""
                if kind and self.killed[kind] < 2 and send(pid, signal.SIGKILL):
                    self.killed[kind] += 1


def test_a_class_is_graded_though_its_own_processes_are_killed(submitted, quiet, tmp_path):
    loud = tmp_path / "loud"
    with subprocess.Popen(command(submitted, loud, 2)) as run:
        unkinder = Unkinder(run.pid)
        with meanwhile(unkinder):
            run.wait()
    assert unkinder.killed == {"sandbox": 2, "grader": 2}
    assert run.returncode == 0
    assert results_of(loud) == quiet
