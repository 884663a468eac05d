"""Where a notebook's processor time goes: by process in a whole run, and by step inside the judge.

    python -m benchmarks.processor_time [--students 600]

By process: the kernel's own count, from half of the class to the last notebook, so that no start-up is in it.
By step: the same class once more in one process, with a clock around each step; what a step calls that has a
clock of its own does not count twice. Reading the clocks takes a few hundredths of a millisecond, too.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from autograder.classroom import feedback_pages
from autograder.classroom.find_hand_ins import Handin, find_handins
from autograder.classroom.worker import Worker
from autograder.course.load import Course, load_course
from autograder.grade import submission as grade
from autograder.notebook.submitted import Submission
from autograder.sandbox.parent_pool import Sandbox
from benchmarks.made_up_class import write_class
from benchmarks.measure import memory_kb

ROOT = Path(__file__).resolve().parent.parent
TICK = os.sysconf("SC_CLK_TCK")
STEPS: tuple[tuple[Any, str, str], ...] = (
    (grade, "read_submission", "read the notebook"),
    (Submission, "code_to_run", "read the notebook"),
    (grade, "plan_case", "draw hidden inputs"),
    (Sandbox, "run", "exchange with the child"),
    (grade, "expect", "call the reference"),
    (grade, "passes", "compare"),
    (grade, "judge_code", "compare, recognise mistakes, say why"),
    (grade, "judge_text", "judge texts that are new"),
    (grade, "code_prints", "fingerprint of the code"),
    (feedback_pages, "render_feedback", "feedback page: render"),
    (feedback_pages, "write_whole", "feedback page: write"),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--students", type=int, default=600)
    parser.add_argument("--work", type=Path, default=ROOT / "build" / "bench", help="where all of it is done")
    options = parser.parse_args()
    course, folder = load_course(ROOT), options.work / f"class{options.students}"
    write_class(course, options.students, folder)
    _print("by process, two workers", by_process(folder, options.work / "processes", options.students))
    _print(
        "the judge, by step", by_step(course, find_handins(folder, course).handins, options.work / "steps")
    )


def _print(title: str, milliseconds: dict[str, float]) -> None:
    print(f"{title}: ms of processor time a notebook")
    for name, taken in sorted(milliseconds.items(), key=lambda item: -item[1]):
        print(f"  {taken:6.2f}  {name}")
    print(f"  {sum(milliseconds.values()):6.2f}  in all")


def by_process(folder: Path, out: Path, students: int) -> dict[str, float]:
    """Milliseconds a notebook that each kind of process takes, between two moments of one run."""
    shutil.rmtree(out, ignore_errors=True)
    os.environ.setdefault("AUTOGRADER_SECRET", "of the benchmarks")
    command = [sys.executable, "-m", "autograder", "grade", folder, "--out", out, "--workers", "2"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        moments = []
        for wanted in (students // 2, students - 10):
            while (done := _lines(out / "journal.jsonl")) < wanted:
                if process.poll() is not None:
                    raise SystemExit(f"autograder grade ended with {process.returncode}")
                time.sleep(0.02)
            moments.append((done, times_by_process(process.pid)))
    (first, before), (last, after) = moments
    return {name: 1000 * (after[name] - before[name]) / (last - first) for name in after}


def _lines(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.is_file() else 0


def times_by_process(root: int) -> Counter[str]:
    """Seconds so far, of the processes of one run. A warm parent's children are counted as it buries them."""
    seconds: Counter[str] = Counter()
    for pid, fields, command in _family(root):
        user, system, childrens_user, childrens_system = (int(field) / TICK for field in fields[11:15])
        seconds[_kind(command, first=pid == root)] += user + system
        if "boot.py" in command:
            seconds["children, as user: cells, calls"] += childrens_user
            seconds["children, in the kernel: copy pages, give up rights, end"] += childrens_system
    return seconds


def memory_by_process(root: int) -> Counter[str]:
    """Megabytes of the processes of one run; what several share counts once, in parts."""
    megabytes: Counter[str] = Counter()
    for pid, _, command in _family(root):
        megabytes[_kind(command, first=pid == root)] += memory_kb(pid) // 1024
    return megabytes


def _family(root: int) -> Iterator[tuple[int, list[str], str]]:
    """The processes of one run: their numbers, what the kernel counts of them, and their command lines."""
    family = {root}
    for pid in sorted(int(name) for name in os.listdir("/proc") if name.isdigit()):
        try:
            fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
            command = Path(f"/proc/{pid}/cmdline").read_text()
        except OSError:
            continue
        if pid == root or int(fields[1]) in family:
            family.add(pid)
            yield pid, fields, command


def _kind(command: str, *, first: bool) -> str:
    if "boot.py" in command:
        return "warm parents: fork, clean up"
    if "spawn_main" in command:
        return "gradebook"
    return "command: hand out, journal" if first else "workers: judge, feedback page"


def by_step(course: Course, handins: tuple[Handin, ...], out: Path) -> dict[str, float]:
    """Milliseconds a notebook in each step of the judge, and in what has no clock."""
    clock = _Clock()
    with clock.around(STEPS), Worker.of(course, {}) as worker:
        for number, handin in enumerate(handins):
            if number == len(handins) // 10:
                clock.begin()  # what is computed once for a class has been
            data = handin.path.read_bytes()
            report = worker.grade(data, *handin.identity)
            problem = course.problems[handin.problem]
            feedback_pages.write_page(
                feedback_pages.page_path(out, handin), problem, report, data, isolation=True
            )
        return clock.milliseconds(len(handins) - len(handins) // 10)


class _Clock:
    """Processor time by name; an inner step stops the clock of the outer one."""

    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        self._seconds: Counter[str] = Counter()
        self._names = ["all the rest"]
        self._since = time.process_time()

    def milliseconds(self, count: int) -> dict[str, float]:
        self._turn()
        return {name: 1000 * seconds / count for name, seconds in self._seconds.items()}

    def _turn(self) -> None:
        now = time.process_time()
        self._seconds[self._names[-1]] += now - self._since
        self._since = now

    @contextmanager
    def around(self, steps: tuple[tuple[Any, str, str], ...]) -> Iterator[None]:
        before = [(place, name, getattr(place, name)) for place, name, _ in steps]
        for place, name, title in steps:
            setattr(place, name, self._timed(getattr(place, name), title))
        try:
            yield
        finally:
            for place, name, function in before:
                setattr(place, name, function)

    def _timed(self, function: Callable[..., Any], title: str) -> Callable[..., Any]:
        def timed(*args: Any, **options: Any) -> Any:
            self._turn()
            self._names.append(title)
            try:
                return function(*args, **options)
            finally:
                self._turn()
                self._names.pop()

        return timed


if __name__ == "__main__":
    main()
