"""Processor time of grading an unchanged class again, beside that of a run which looks at everything.

    python -m benchmarks.unchanged_rerun [--students 5000]

The class is graded once. Then it is graded again as it stands, and once more after the note of the last
finished run was taken away, so that journal, pages and gradebook are gone through. Counted is the processor
time of the command and all that it starts.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
from pathlib import Path

from autograder.classroom.unchanged_class import forget
from autograder.course.load import load_course
from benchmarks.made_up_class import write_class

ROOT = Path(__file__).resolve().parent.parent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--students", type=int, default=5000)
    parser.add_argument("--work", type=Path, default=ROOT / "build" / "bench", help="where all of it is done")
    options = parser.parse_args()
    os.environ.setdefault("AUTOGRADER_SECRET", "of the benchmarks")
    folder, out = options.work / f"class{options.students}", options.work / f"out{options.students}"
    write_class(load_course(ROOT), options.students, folder)
    print(f"{options.students} students, seconds of processor time")
    print(f"  {run(folder, out):7.2f}  graded" if not out.exists() else "  graded before")
    run(folder, out)
    print(f"  {run(folder, out):7.2f}  again, unchanged")
    forget(out)
    print(f"  {run(folder, out):7.2f}  again, everything looked at")
    print(f"  {size_of(out) / options.students / 1024:7.1f}  KB of OUT a student")


def run(folder: Path, out: Path) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, "-m", "autograder", "grade", folder, "--out", out, "--workers", "2"],
        cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True,
    )  # fmt: skip
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def size_of(folder: Path) -> int:
    """What its files take on the disk."""
    return sum(path.stat().st_blocks * 512 for path in folder.rglob("*"))


if __name__ == "__main__":
    main()
