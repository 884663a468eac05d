"""Reports become Gradescope's results.json, one a student and set, with what students may see and when.

What the notebook's own check tells already is `visible`. Marks and hints rest on hidden cases too and are
shown `after_due_date`, so that nobody can probe those by handing in again. Answers that a person reads are
shown `after_published`. No test is `hidden` for good: Gradescope would then never show a total. The ids of
recognised mistakes go into `extra_data`, which is kept and not shown.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from autograder.as_json import JsonObject
from autograder.calls.requests_and_outcomes import ShownSlice
from autograder.course.model import Problem
from autograder.grade.report import CaseResult, Identity, PartReport, Report, Status

VISIBLE, LATER, PUBLISHED, STAFF = "visible", "after_due_date", "after_published", "hidden"


def gradescope_results(
    reports: Sequence[Report], final: Mapping[Identity, float]
) -> dict[tuple[str, str], str]:
    """The text of results.json by student and set."""
    groups: dict[tuple[str, str], list[Report]] = {}
    for report in reports:
        groups.setdefault((report.student, report.set), []).append(report)
    return {who: results_text(group, final) for who, group in groups.items()}


def results_text(
    reports: Sequence[Report], final: Mapping[Identity, float], missing: Iterable[Problem] = ()
) -> str:
    """One results.json; `missing` are problems that were asked for and not handed in."""
    total = sum(final.get(report.identity, report.score) for report in reports)
    tests = [
        test
        for number, report in enumerate(reports, start=1)
        for place, part in enumerate(report.parts, start=1)
        for test in _tests(f"{number}.{place}", report.problem, part)
    ]
    tests += [_absent(number, each) for number, each in enumerate(missing, start=len(reports) + 1)]
    results = {
        "score": round(total, 6),
        "execution_time": round(sum(report.seconds for report in reports), 3),
        "visibility": LATER,
        "stdout_visibility": STAFF,
        "tests": tests,
    }
    return json.dumps(results, ensure_ascii=False, indent=1) + "\n"


def nothing_to_grade(expected: Sequence[str]) -> str:
    """The results of a submission in which no notebook of the course was found."""
    output = (
        "no notebook of this assignment was found: hand in the notebooks themselves, under the names that "
        f"they were handed out with ({', '.join(expected)})"
    )
    results = {"score": 0, "output": output, "visibility": VISIBLE, "stdout_visibility": STAFF}
    return json.dumps(results, ensure_ascii=False, indent=1) + "\n"


def _tests(number: str, problem: str, part: PartReport) -> Iterator[JsonObject]:
    name = f"{problem}: {part.part}"
    test: JsonObject = {"name": name, "number": number, "max_score": part.max_score, "visibility": PUBLISHED}
    if part.status != Status.MANUAL:
        status = "passed" if part.full else "failed"
        test |= {"score": part.score, "status": status, "visibility": LATER}
    if part.mistake:
        test |= {"extra_data": {"mistake": part.mistake}}
    yield {**test, "output": escape(part.feedback), "output_format": "md"}
    shown = [case for case in part.cases if not case.hidden]
    if shown:
        passed = all(case.passed for case in shown)
        yield {
            "name": f"{name}: visible cases",
            "number": f"{number}.1",
            "status": "passed" if passed else "failed",
            "output": "\n\n".join(_case(case) for case in shown),
            "output_format": "md",
            "visibility": VISIBLE,
        }


def _absent(number: int, problem: Problem) -> JsonObject:
    return {
        "name": f"{problem.id}: not handed in",
        "number": str(number),
        "score": 0,
        "max_score": problem.points,
        "status": "failed",
        "output": f"hand in {escape(problem.id)}.ipynb as well: without it, its points are lost",
        "output_format": "md",
        "visibility": VISIBLE,
    }


def _case(case: CaseResult) -> str:
    said = "passes" if case.passed else case.message
    text = f"**{escape(case.name)}**: {escape(said)}"
    return f"{text}\n\n{_table(case.shown)}" if case.shown else text


def _table(shown: ShownSlice) -> str:
    """Two tables of numbers, one below the other; an entry that differs is bold."""
    want = [row.split() for row in shown.want]
    got = [row.split() for row in shown.got]
    marks = [[mark == "1" for mark in row] for row in shown.wrong]
    return f"expected {escape(shown.name)}:\n\n{_rows(want, [])}\n\nyours:\n\n{_rows(got, marks)}"


def _rows(rows: Sequence[Sequence[str]], marks: Sequence[Sequence[bool]]) -> str:
    width = max((len(row) for row in rows), default=0)
    lines = ["|" + " |" * width, "|" + "---|" * width]
    for number, row in enumerate(rows):
        wrong = marks[number] if number < len(marks) else [False] * len(row)
        cells = [f"**{value}**" if bad else value for value, bad in zip(row, wrong, strict=False)]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def escape(text: str) -> str:
    """Plain text as Markdown that shows it to the letter, whatever a student's own words try to be."""
    return re.sub(r"([\\`*_{}\[\]<>()#+!|~$&^-])", r"\\\1", text).replace("\n", "  \n")
