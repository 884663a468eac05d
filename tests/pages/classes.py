"""Reports of a made-up class, without grading anything: abilities, slips, crashes and two copied pairs."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from typing import Any

from autograder.as_json import from_json, to_json
from autograder.course.load import Course
from autograder.course.model import Code, Problem, Prose
from autograder.grade.code_prints import code_prints
from autograder.grade.report import PartReport, Report, Status

_TIMINGS = re.compile(r"<!-- timings -->.*?<!-- end of timings -->", re.S)


def without_timings(page: str) -> str:
    """A class report without the one section that differs from run to run."""
    return _TIMINGS.sub("", page)


def made_up_reports(course: Course, students: int, seed: int = 0) -> list[Report]:
    """One report a student and problem, in order; the same for the same seed."""
    rng = random.Random(seed)
    reports = []
    for number in range(students):
        ability = rng.gauss(0.62, 0.22)
        for group, problem in course.assignments:
            if rng.random() < 0.92:
                reports.append(_report(course, group.id, problem, f"s{number:05d}", ability, rng))
    return reports


def _report(
    course: Course, group: str, problem: Problem, student: str, ability: float, rng: random.Random
) -> Report:
    parts = tuple(_row(course, problem, part, ability, rng) for part in problem.parts)
    return Report(student, group, problem.id, parts, round(rng.lognormvariate(-3, 1), 3))


def edited_parts(report: Report, at: int | None = None, **fields: Any) -> Report:
    """The report with these fields in one of its parts, or in all."""
    return replace(
        report,
        parts=tuple(
            replace(part, **fields) if at in (None, number) else part
            for number, part in enumerate(report.parts)
        ),
    )


def without_fields(report: Report, *names: str) -> Report:
    """The report as it was read from a version that did not keep these fields of its parts."""
    plain = to_json(report)
    for part in plain["parts"]:
        for name in names:
            del part[name]
    return from_json(Report, plain)


def _row(course: Course, problem: Problem, part: Any, ability: float, rng: random.Random) -> PartReport:
    luck = ability + rng.gauss(0, 0.25)
    fields: dict[str, Any] = {"mistake": None, "wrong_values": "", "read_as": ""}
    if isinstance(part, Prose):
        fields |= {"status": Status.MANUAL, "verdict": "ungraded", "score": 0.0, "feedback": "waits"}
    elif luck < 0.12:
        status = rng.choice([Status.UNCHANGED, Status.CRASHED, Status.TIMED_OUT, Status.MISSING])
        fields |= {"status": status, "verdict": "wrong", "score": 0.0, "feedback": f"it {status}"}
    elif luck > 0.55:
        fields |= {"status": Status.GRADED, "verdict": "correct", "score": part.points, "feedback": "right"}
    else:
        known = course.solutions[problem.id].mistakes_of(part.name)
        slip = rng.choice(known) if known and rng.random() < 0.7 else None
        # Most students go wrong in one of a few ways, some in a way of their own.
        way = rng.choice(["common", "other", f"own {rng.random()}"])
        fields |= {
            "status": Status.GRADED,
            "verdict": "wrong",
            "score": 0.0 if luck < 0.4 else round(part.points / 2, 2),
            "feedback": slip.says if slip else "some cases fail",
            "mistake": slip.id if slip else None,
            "read_as": f"an answer, {way}",
        }
    prints = code_prints(made_up_code(part.name, rng), part.stub) if isinstance(part, Code) else ""
    return PartReport(part=part.name, max_score=part.points, code_prints=prints, **fields)


def made_up_code(name: str, rng: random.Random, lines: int = 8) -> str:
    """A function that hardly anybody else writes, but for the line that everybody does."""
    body = [f"    x{n} = {_call(rng)}({_operand(rng)} {_sign(rng)} {_operand(rng)})" for n in range(lines)]
    return (
        f"def {name}(a, b):\n    scores = torch.softmax(a @ b.T, dim=-1)\n"
        + "\n".join(body)
        + "\n    return x0\n"
    )


def _call(rng: random.Random) -> str:
    return "torch." + rng.choice(
        ["exp", "einsum", "sum", "relu", "tanh", "cat", "stack", "flip", "mean", "roll"]
    )


def _operand(rng: random.Random) -> str:
    return rng.choice(
        ["a[0]", "b.T", "a.sum(1)", "b.mean()", f"{rng.randint(0, 99)}", "a.mT", "b[:, 1]", "len(a)"]
    )


def _sign(rng: random.Random) -> str:
    return rng.choice("+-*/@")
