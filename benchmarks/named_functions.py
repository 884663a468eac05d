"""How many wrong functions get a name, and what a name costs in a class.

Run `python -m benchmarks.named_functions ROWS.jsonl [--course DIR] [--students 5] [--listed] [--each]`.
A row has `part`, `code`, and `slip`, what is wrong as whoever wrote it says it; whether a name is true is for
a person to read (`--each`). Every student hands in all of the rows, with hidden inputs of their own. The
functions run in this process: give it none that you do not trust.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import torch

from autograder.calls.expected import call_trusted, expect, plan
from autograder.calls.inputs import as_given
from autograder.course.load import Course, load_course
from autograder.course.model import Code, Problem
from autograder.diagnose.find_slip import Finder
from autograder.grade.code import judge_code
from autograder.grade.report import PartReport
from autograder.verify.checks import as_outcome

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Row:
    """A wrong function, and what is wrong with it."""

    part: str
    code: str
    slip: str


@dataclass(frozen=True, eq=False)
class Timed(Finder):
    """A finder that notes the processor time of every search."""

    spent: list[float] = field(default_factory=list)

    def find(self, *answers):  # type: ignore[no-untyped-def]
        start = time.process_time()
        try:
            return super().find(*answers)
        finally:
            self.spent.append(time.process_time() - start)


def judge(
    course: Course, problem: Problem, finder: Timed, row: Row, student: str, listed: bool
) -> PartReport:
    names: dict[str, object] = {
        "torch": torch,
        "F": torch.nn.functional,
        **course.solutions[problem.id].answers,
    }
    exec(compile(row.code, f"<{row.part}>", "exec"), names)
    calls = plan(problem, finder.part, "a secret", student)
    given = [as_outcome(call_trusted(names[row.part], call, as_given)) for call in (*calls, calls[0])]
    expected = [expect(finder.reference, call) for call in calls]
    mistakes = course.solutions[problem.id].mistakes_of(row.part) if listed else ()
    return judge_code(finder.part, calls, expected, given, mistakes, finder=finder, source=row.code)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows", type=Path)
    parser.add_argument("--course", type=Path, default=ROOT)
    parser.add_argument("--students", type=int, default=5)
    parser.add_argument("--listed", action="store_true", help="the course's listed mistakes go first")
    parser.add_argument("--each", action="store_true", help="a line for every function")
    options = parser.parse_args()
    torch.set_num_threads(1)
    course = load_course(options.course)
    records = [json.loads(line) for line in options.rows.read_text().splitlines() if line.strip()]
    rows = [Row(record["part"], record["code"], record.get("slip", "")) for record in records]
    finders = {
        part.name: (problem, Timed(problem, part, course.solutions[problem.id].answers[part.name]))
        for problem in course.problems.values()
        for part in problem.parts
        if isinstance(part, Code)
    }
    named = passed = 0
    for number in range(options.students):
        for row in rows:
            report = judge(course, *finders[row.part], row, f"student{number}", options.listed)
            if number == 0:
                named += report.mistake is not None
                passed += report.score == report.max_score
                if options.each:
                    said = report.feedback.splitlines()[0] if report.mistake else "-"
                    print(f"{row.part}: {row.slip}\n    {said}", flush=True)
    wrong = len(rows) - passed
    print(f"{named} of {wrong} wrong functions named; {passed} of {len(rows)} earn full marks")
    later = [
        t for _, finder in finders.values() for t in finder.spent[len(finder.spent) // options.students :]
    ]
    if later:
        print(f"processor time of a search, after the first student: {1e3 * sum(later) / len(later):.1f} ms")
    return 0


if __name__ == "__main__":
    sys.exit(main())
