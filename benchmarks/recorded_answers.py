"""A class larger than one would grade for a measurement: all is driven but the sandbox and the judge.

    python -m benchmarks.recorded_answers [--students 2000] [--workers 2]

Of notebooks with the same answers one is graded for real. Then the class is graded by the command's own code,
in which a worker looks the report up by the bytes of the notebook: what hands the notebooks out, the pipes,
the journal, the gradebook, the pages, the tables and the class report do all their work. Told are processor
time and memory by kind of process, at every tenth of the class and at the end.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

from autograder.classroom import worker_pool
from autograder.classroom.find_hand_ins import find_handins
from autograder.classroom.grade_class import grade_class
from autograder.classroom.journal import NAME as JOURNAL
from autograder.classroom.journal import read_line
from autograder.classroom.notebooks import digest
from autograder.classroom.settings_and_outcome import Settings
from autograder.course.load import Course, load_course
from autograder.grade.report import Report
from benchmarks.made_up_class import PROBLEM, SET, Student, write_class
from benchmarks.processor_time import memory_by_process, times_by_process

ROOT = Path(__file__).resolve().parent.parent
LOOK_SECONDS = 5.0  # between two looks at the memory


class Recorded:
    """Stands where a worker has its graders and its sandbox: says what was said of equal bytes."""

    def __init__(self, course: Course, reports: dict[str, Report]) -> None:
        self.course, self._reports = course, reports

    def __enter__(self) -> Recorded:
        return self

    def __exit__(self, *error: object) -> None:
        """There is nothing to end."""

    def grade(self, data: bytes, student: str, set_id: str, problem: str) -> Report:
        return replace(self._reports[digest(data)], student=student)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--students", type=int, default=2000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--work", type=Path, default=ROOT / "build" / "bench", help="where all of it is done")
    options = parser.parse_args()
    folder, out = options.work / f"class{options.students}", options.work / f"recorded{options.students}"
    os.environ.setdefault("AUTOGRADER_SECRET", "of the benchmarks")
    students = write_class(load_course(ROOT), options.students, folder)
    known = record(folder, students, options.work)
    shutil.rmtree(out, ignore_errors=True)
    told = [str(known), str(folder), str(out), str(options.workers)]
    # The process of the gradebook imports what this one was started with: nothing heavy, as with the command.
    start = "import sys; from benchmarks.recorded_answers import replay; replay(*sys.argv[1:])"
    started = time.perf_counter()
    with subprocess.Popen([sys.executable, "-c", start, *told], cwd=ROOT) as process:
        watch(process, out / JOURNAL, options.students)
    if process.returncode:
        raise SystemExit(f"the run ended with {process.returncode}")
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    demand(out, students)
    kilobytes = sum(path.lstat().st_blocks for path in out.rglob("*")) / 2 / options.students
    print(f"{options.students} notebooks in {time.perf_counter() - started:.1f} s")
    print(f"{used.ru_utime + used.ru_stime:.1f} s of processor time, with the recording")
    print(f"{kilobytes:.1f} KB of OUT each")


def record(folder: Path, students: list[Student], work: Path) -> Path:
    """Grade one notebook of each kind; the journal with their reports."""
    few, out = work / "kinds", work / "kinds-out"
    for path in (few, out):
        shutil.rmtree(path, ignore_errors=True)
    kinds = {json.dumps(student.answers): student.name for student in reversed(students)}
    for name in kinds.values():
        shutil.copytree(folder / name, few / name)
    grade = [sys.executable, "-m", "autograder", "grade", few, "--out", out, "--no-gradebook"]
    subprocess.run([*map(str, grade), "--workers", "2"], cwd=ROOT, stdout=subprocess.DEVNULL, check=True)
    print(f"{len(kinds)} kinds of notebooks are recorded", flush=True)
    return out / JOURNAL


def replay(known: str, submitted: str, into: str, workers: str) -> None:
    """Grade a class by what was recorded."""
    journal, folder, out = Path(known), Path(submitted), Path(into)
    course = load_course(ROOT)
    recorded = [read_line(line) for line in journal.read_bytes().splitlines()]
    kinds = journal.parent.with_name("kinds")
    reports = {
        digest((kinds / each.student / SET / f"{PROBLEM}.ipynb").read_bytes()): each for each in recorded
    }
    # Workers are forks of this process, and take their graders by this name.
    worker_pool.Worker.of = lambda course, limits, **ways: Recorded(course, reports)  # type: ignore
    settings = Settings(out, workers=int(workers), gradebook=True)
    grade_class(course, find_handins(folder, course), settings, lambda report: None)


def watch(process: subprocess.Popen[bytes], journal: Path, students: int) -> None:
    """At every tenth of the class and at its end: processor time and memory so far, by kind of process."""
    wanted, last = students // 10, (0, Counter[str]())
    peak: Counter[str] = Counter()
    looked, done, read = 0.0, 0, 0
    while process.poll() is None:
        time.sleep(0.05)
        if journal.is_file():
            with journal.open("rb") as lines:
                lines.seek(read)
                new = lines.read()
            done, read = done + new.count(b"\n"), read + len(new)
        if done < wanted and time.monotonic() - looked < LOOK_SECONDS:
            continue
        looked, memory = time.monotonic(), memory_by_process(process.pid)
        peak |= memory
        if done >= wanted:
            used = times_by_process(process.pid)
            each = {name: 1000 * (used[name] - last[1][name]) / max(1, done - last[0]) for name in used}
            spent = ", ".join(f"{name} {taken:.2f} ms" for name, taken in sorted(each.items()))
            held = ", ".join(f"{name} {megabytes:.0f} MB" for name, megabytes in sorted(memory.items()))
            print(f"{done:7} done; a notebook since the last line: {spent}; now: {held}", flush=True)
            wanted, last = (wanted + students // 10 if done < students else students + 1), (done, used)
    most = ", ".join(f"{name} {megabytes:.0f} MB" for name, megabytes in sorted(peak.items()))
    print(f"most memory: {most}", flush=True)


def demand(out: Path, students: list[Student]) -> None:
    """The marks of everybody, or none of the figures counts."""
    marks: dict[str, dict[str, float]] = {}
    with (out / "results.jsonl").open() as lines:
        for row in map(json.loads, lines):
            marks.setdefault(row["student"], {})[row["part"]] = row["score"]
    if marks != {student.name: student.marks for student in students}:
        raise SystemExit("the marks are not those demanded")


if __name__ == "__main__":
    main()
