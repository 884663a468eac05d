"""A wrong answer without a name gets the one that a person gave to the same answer at the desk."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from autograder.course.model import Named
from autograder.grade.report import PartReport, Status


def print_of(wrong_values: str, read_as: str) -> str:
    """What stands for a wrong answer: the values of a function, or a text answer as it was read."""
    return wrong_values or read_as


def name_report(report: PartReport, named: Iterable[Named]) -> PartReport:
    """The report with the sentence and the share of the mistake that has its print; never with less marks."""
    if report.mistake or report.status is not Status.GRADED or report.score >= report.max_score:
        return report
    own = print_of(report.wrong_values, report.read_as)
    for each in named:
        if own and each.of == report.part and each.print == own:
            score = round(max(report.score, each.share * report.max_score), 6)
            return replace(report, score=score, mistake=each.id, feedback=f"{each.says}\n{report.feedback}")
    return report
