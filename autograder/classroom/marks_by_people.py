"""Reports as they stand with what people have marked: their marks in the place of the grader's."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from autograder.grade.report import PartReport, Report, Status
from autograder.gradebook.said_by_person import AnswerPlace, SaidOfAll

MarksByHand = Mapping[AnswerPlace, float]


def marks_in(said: SaidOfAll) -> MarksByHand:
    """The marks among what people have said, without those that are to be looked at again."""
    return {place: each.score for place, each in said.items() if each.score is not None}


def as_marked(reports: Iterable[Report], by_hand: MarksByHand) -> tuple[Report, ...]:
    """What a person has marked waits no more, and is like no other answer that the grader has judged."""
    return tuple(
        replace(
            report,
            parts=tuple(
                _as_marked(part, by_hand.get(AnswerPlace(*report.identity, part.part)))
                for part in report.parts
            ),
        )
        for report in reports
    )


def _as_marked(part: PartReport, score: float | None) -> PartReport:
    if score is None:
        return part
    return replace(
        part,
        score=score,
        status=Status.GRADED,
        feedback=part.feedback or "marked by a person",
        read_as="",
        wrong_values="",
        machine=False,
    )
