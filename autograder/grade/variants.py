"""A notebook of a problem that varies: graded by the student's own variant, a neighbour's is told apart."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from autograder.course.author_tests import Tests
from autograder.course.model import Code, Equation, Key, Mistake, Problem, Prose, Solution
from autograder.course.modules import Module
from autograder.course.varying_problem import count, number_for, put_in, solution_of, values_of, variant
from autograder.errors import AnswerError, CourseError
from autograder.grade.report import PartReport, Status
from autograder.notebook.submitted import read_submission
from autograder.text.judge import TextPart, judge_text

OTHER = "other_variant"
ELSEWHERE = "it would be right for other numbers than those of your sheet"
MOST_OTHERS = 1000  # variants of a problem, up to which a wrong answer is held against those of others
AT_ONCE = 50  # of them, while the steps of one judgement are counted
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
    if _is_right_elsewhere(answer, part, _others(problem, solution, part.name, own)):
        return replace(report, feedback=f"{report.feedback}; {ELSEWHERE}", mistake=OTHER)
    return report


def _is_right_elsewhere(answer: str, own: TextPart, others: Iterable[tuple[TextPart, str]]) -> bool:
    """Whether one of the other keys is met; those of one question are tried together, by equality alone."""
    alike: dict[str, tuple[TextPart, list[str]]] = {}
    for part, key in others:
        apart = key if isinstance(part, Equation) else ""  # of a system, one line may be met
        asked = repr(replace(part, ask=own.ask)) + apart
        alike.setdefault(asked, (part, []))[1].append(key)
    return any(
        _meets_one(answer, part, keys[start : start + AT_ONCE])
        for part, keys in alike.values()
        for start in range(0, len(keys), AT_ONCE)
    )


def _meets_one(answer: str, part: TextPart, keys: Sequence[str]) -> bool:
    first, *rest = keys
    try:
        judged = judge_text(
            answer, part, Key(first), [Mistake(OTHER, part.name, ELSEWHERE, key) for key in rest]
        )
    except CourseError:
        return False
    return judged.share == 1 or judged.mistake == OTHER


def _others(problem: Problem, solution: Solution, name: str, own: int) -> Iterator[tuple[TextPart, str]]:
    """The question and its key in other variants."""
    key = solution.answers[name]
    alone = replace(problem, title="", statement="", parts=(problem.part(name),))
    for number in _with_other_keys(problem, key, own) if isinstance(key, Key) else ():
        part = variant(alone, number).part(name)
        if not isinstance(part, Code | Module | Tests | Prose):
            yield part, put_in(key.answer, values_of(problem, number))


def _with_other_keys(problem: Problem, key: Key, own: int) -> list[int]:
    """One variant for each key that is not the student's own."""
    numbers: dict[str, int] = {}
    for number in range(count(problem)):
        numbers.setdefault(put_in(key.answer, values_of(problem, number)), number)
    mine = put_in(key.answer, values_of(problem, own))
    return [number for text, number in numbers.items() if text != mine]
