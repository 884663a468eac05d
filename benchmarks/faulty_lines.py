"""How often the line at which a wrong function departs is the faulty one, for functions whose fault is known.

Run `python -m benchmarks.faulty_lines ROWS.jsonl [--course DIR] [--only KEY=VALUE] [--each]`. A row has
`problem`, `part` (or `component`), `code`, and `line`, the faulty one as whoever wrote it counts it;
`lines_also` are others that may be named as well. The functions run in this process: give it none that you
do not trust.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import statistics
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from autograder.calls.expected import Planned, call_trusted, expect, plan
from autograder.calls.inputs import as_given, revive
from autograder.calls.note_tensors import Noting, take_notes
from autograder.calls.packed_notes import pack_notes
from autograder.calls.requests_and_outcomes import Cell, FunctionCall, Outcome
from autograder.course.load import Course, load_course
from autograder.course.model import Code
from autograder.diagnose.cell_statements import statements
from autograder.grade.code import passes
from autograder.grade.explain_wrong import Looking, can_be_looked_at
from autograder.grade.report import Marked
from autograder.verify.proof import as_outcome

ROOT = Path(__file__).resolve().parent.parent
GOAL = 0.7  # of all, exactly; none before the fault


@dataclass(frozen=True)
class Row:
    """A wrong function and where its fault is."""

    problem: str
    part: str
    code: str
    lines: tuple[int, ...]
    slip: str = ""

    @classmethod
    def of(cls, record: dict[str, Any]) -> Row:
        lines = (record["line"], *record.get("lines_also", ()))
        part = record.get("part") or record["component"]
        return cls(record["problem"], part, record["code"], lines, record.get("slip", ""))


@dataclass(frozen=True)
class Place:
    """One notebook that is a function: asked here as the sandbox would ask it."""

    names: dict[str, Any]

    @classmethod
    def of(cls, code: str) -> Place:
        names: dict[str, Any] = {"torch": torch, "__name__": "cell"}
        exec(compile(code, "<cell 1>", "exec"), names)
        return cls(names)

    def ask(self, calls: Sequence[Any]) -> list[Outcome]:
        return [self._answer(call) for call in calls]

    def _answer(self, call: FunctionCall) -> Outcome:
        function = self.names[call.function]
        arguments = [revive(argument) for argument in call.args]
        if not call.noted:
            try:
                value = function(*arguments)
            except Exception as error:
                return Outcome("raised", error=str(error))
            many = isinstance(value, tuple | list)
            outputs = tuple(value) if many else (value,)
            kinds = tuple("tensor" if isinstance(v, torch.Tensor) else "other" for v in outputs)
            return Outcome("ok", outputs, "tuple" if many else "tensor", kinds)
        notes = take_notes(function, arguments, Noting(lambda name: name == "<cell 1>"))
        return Outcome("ok", pack_notes(notes), "tuple", ("tensor", "tensor", "str"))


def look(
    course: Course, row: Row, looking: Looking, planned: dict[tuple[str, str], list[Planned]]
) -> tuple[float, Marked | None]:
    """What is said of the function on the first visible case that it fails, after how much processor time.

    `planned` are the calls of each part, which are the same for a whole class.
    """
    problem = course.problems[row.problem]
    part = next(part for part in problem.parts if isinstance(part, Code) and part.name == row.part)
    place = Place.of(row.code)
    if (row.problem, row.part) not in planned:
        planned[row.problem, row.part] = plan(problem, part, "", "")
    seen = [each for each in planned[row.problem, row.part] if not each.case.hidden]
    gave = [(each, as_outcome(call_trusted(place.names[row.part], each, as_given))) for each in seen]
    reference = course.solutions[row.problem].answers[row.part]
    failing = [
        (call, outcome)
        for call, outcome in gave
        if can_be_looked_at(outcome) and not passes(call, expect(reference, call), outcome)
    ]
    if not failing:
        return 0.0, None
    looking.prepare(failing)
    start = time.process_time()
    found = looking.look(failing, [Cell(row.code, row.part, "1")], place.ask)
    spent = (time.process_time() - start) * 1e3
    return spent, found[row.part].marked if row.part in found else None


def judge(row: Row, marked: Marked | None) -> str:
    if marked is None:
        return "silent"
    begins = statements(row.code)
    wanted = {begins.get(line, line) for line in row.lines}
    if marked.line in wanted:
        return "exact"
    return "before" if marked.line < min(wanted) else "later"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows", type=Path)
    parser.add_argument("--course", type=Path, default=ROOT)
    parser.add_argument("--only", default="")
    parser.add_argument("--each", action="store_true", help="a line for every function")
    options = parser.parse_args()
    torch.set_num_threads(1)
    course = load_course(options.course)
    records = [json.loads(line) for line in options.rows.read_text().splitlines() if line.strip()]
    key, _, value = options.only.partition("=")
    records = [record for record in records if not key or str(record.get(key)) == value]
    lookings = {name: Looking(solution, course.problems[name]) for name, solution in course.solutions.items()}
    planned: dict[tuple[str, str], list[Planned]] = {}
    tally: Counter[str] = Counter()
    times: list[float] = []
    for number, record in enumerate(records):
        row = Row.of(record)
        with contextlib.redirect_stdout(io.StringIO()):
            found_ms, marked = look(course, row, lookings[row.problem], planned)
        times.append(found_ms)
        found = judge(row, marked)
        tally[found] += 1
        if options.each:
            named = f"{marked.line} for {row.lines}" if marked else f"- for {row.lines}"
            print(f"{number:4} {found:7} {row.part:28} {named:16} {row.slip[:90]}", flush=True)
    count = sum(tally.values())
    print(f"{count} functions:", ", ".join(f"{tally[k]} {k}" for k in ("exact", "before", "later", "silent")))
    print(
        f"processor time: {statistics.median(times):.1f} ms (median), {statistics.mean(times):.1f} (average)"
    )
    return 0 if tally["exact"] >= GOAL * count and not tally["before"] else 1


if __name__ == "__main__":
    sys.exit(main())
