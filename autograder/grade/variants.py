"""A notebook of a problem that varies: graded by the student's own variant, a neighbour's is told apart."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from autograder.course.author_tests import Tests
from autograder.course.model import Code, Key, Problem, Prose, Solution
from autograder.course.modules import Module
from autograder.course.varying_problem import count, number_for, put_in, solution_of, values_of, variant
from autograder.errors import AnswerError, CourseError
from autograder.grade.report import PartReport, Status
from autograder.notebook.submitted import read_submission
from autograder.text.judge import judge_text

OTHER = "other_variant"
MOST_OTHERS = 1000  # variants of a problem, up to which a wrong answer is held against those of others
MOST_KEYS = 400  # different ones that are tried
_LABEL = re.compile(rb'"autograder"\s*:\s*\{[^{}]{0,400}?"variant"\s*:\s*(\d{1,12})[^{}]{0,400}\}')
Grade = Callable[[Problem, Solution], tuple[PartReport, ...]]


def grade_variant(
    problem: Problem, solution: Solution, data: bytes, student: str, secret: str, grade: Grade
) -> tuple[PartReport, ...]:
    """The reports by the student's own variant; what was handed out to another student waits for a person."""
    own = number_for(problem, secret, student)
    carried = carried_variant(data)
    if carried is not None and carried != own:
        said = (
            f"this notebook is variant {carried + 1}, and yours is variant {own + 1}: it may be another's; "
            "until a person has looked at it, it earns nothing"
        )
        return tuple(
            PartReport(part.name, 0.0, part.points, Status.MANUAL, "ungraded", said, OTHER)
            for part in problem.parts
        )
    reports = grade(variant(problem, own), solution_of(problem, solution, own))
    return tuple(_told_apart(report, problem, solution, data, own) for report in reports)


def carried_variant(data: bytes) -> int | None:
    """The variant that a notebook says it is, if it says so."""
    found = _LABEL.search(data)
    return int(found[1]) if found else None


def _told_apart(
    report: PartReport, problem: Problem, solution: Solution, data: bytes, own: int
) -> PartReport:
    """A wrong answer that is the right one of other numbers says so."""
    part = problem.part(report.part)
    wrong = report.status is Status.GRADED and report.verdict == "different"
    wrong = wrong and report.mistake in (None, "constant_factor")
    if isinstance(part, Code | Module | Tests | Prose) or not wrong or count(problem) > MOST_OTHERS:
        return report
    try:
        answer = read_submission(data).literal(part.name)
    except AnswerError:
        return report
    key = solution.answers[part.name]
    if answer is None or not isinstance(key, Key):
        return report
    for number in _with_other_keys(problem, key, own):
        other = variant(problem, number).part(part.name)
        theirs = solution_of(problem, solution, number).answers[part.name]
        if isinstance(other, Code | Module | Tests | Prose) or not isinstance(theirs, Key):
            continue
        try:
            if judge_text(answer, other, Key(theirs.answer)).share == 1:
                said = f"{report.feedback}; it would be right for other numbers than those of your sheet"
                return replace(report, feedback=said, mistake=OTHER)
        except CourseError:
            continue
    return report


def _with_other_keys(problem: Problem, key: Key, own: int) -> list[int]:
    """One variant for each key that is not the student's own."""
    numbers: dict[str, int] = {}
    for number in range(count(problem)):
        numbers.setdefault(put_in(key.answer, values_of(problem, number)), number)
    mine = put_in(key.answer, values_of(problem, own))
    return [number for text, number in numbers.items() if text != mine][:MOST_KEYS]
