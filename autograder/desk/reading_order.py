"""The answers to one question in the order in which they are read, without names if wanted."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from autograder.desk.open_class import OpenClass, OpenQuestion
from autograder.grade.report import PartReport, Status
from autograder.gradebook.by_hand import HandMark
from autograder.gradebook.said_by_person import AnswerPlace

LONG = 0.8  # longer than this share of all answers is long


class Show(StrEnum):
    """Which answers are gone through."""

    UNMARKED = "unmarked"
    ALL = "all"
    LOW = "low"
    LONG = "long"
    MINE = "mine"


@dataclass(frozen=True)
class Answer:
    """One student's answer to a question: its words, its mark, and what it is called here."""

    id: str
    label: str  # the student's name, or a number where names are hidden
    text: str
    mark: HandMark
    row: PartReport | None

    @property
    def place(self) -> AnswerPlace:
        return self.mark.place

    @property
    def is_marked(self) -> bool:
        return not self.mark.waits

    @property
    def is_low(self) -> bool:
        earned = self.mark.earned
        return self.is_marked and earned is not None and earned < self.mark.most / 2


@dataclass(frozen=True)
class Pile:
    """The answers to a question that somebody wrote, in order."""

    question: OpenQuestion
    answers: tuple[Answer, ...]

    @property
    def marked(self) -> int:
        return sum(answer.is_marked for answer in self.answers)

    def find(self, id: str) -> Answer | None:
        return next((answer for answer in self.answers if answer.id == id), None)

    def shown(self, show: Show, marker: str, beside: str = "") -> list[Answer]:
        """The answers that a filter lets through; `beside` stays in it while it is being looked at."""
        match show:
            case Show.UNMARKED:
                kept = [a for a in self.answers if not a.is_marked or a.id == beside]
            case Show.LOW:
                kept = [a for a in self.answers if a.is_low or a.id == beside]
            case Show.LONG:
                kept = [a for a in self.answers if len(a.text) >= self._long or a.id == beside]
            case Show.MINE:
                kept = [a for a in self.answers if a.mark.marker == marker or a.id == beside]
            case _:
                kept = list(self.answers)
        return kept

    @property
    def _long(self) -> int:
        lengths = sorted(len(answer.text) for answer in self.answers)
        return lengths[min(int(LONG * len(lengths)), len(lengths) - 1)] if lengths else 0


def answer_id(place: AnswerPlace) -> str:
    """Stands for an answer in an address, so that none tells a name that is hidden."""
    return hashlib.blake2b("\0".join(place).encode("utf-8", "replace"), digest_size=6).hexdigest()


def digest_of(marks: Iterable[HandMark]) -> str:
    """Stands for what a page has shown of marks to come, so that nothing else is written after it."""
    lines = sorted(f"{answer_id(mark.place)} {mark.score}" for mark in marks)
    return hashlib.blake2b("\n".join(lines).encode(), digest_size=6).hexdigest()


def make_pile(opened: OpenClass, question: OpenQuestion, *, hide_names: bool) -> Pile:
    """Every answer that was written, or marked all the same; the order of hidden names tells none."""
    found = []
    for student, mark in opened.hand.marks(question.set, question.problem, question.part).items():
        report = opened.reports.summaries.get((student, question.set, question.problem))
        row = next((r for r in (report.parts if report else ()) if r.part == question.part), None)
        if row is None:
            wanted = bool(mark.marker) and mark.score is not None  # handed in some other way
        else:
            wanted = row.status == Status.MANUAL or mark.waits or mark.score is not None
        if wanted:
            found.append(Answer(answer_id(mark.place), student, row.read_as if row else "", mark, row))
    if not hide_names:
        return Pile(question, tuple(found))
    return Pile(question, tuple(_without_names(found)))


def _without_names(answers: Sequence[Answer]) -> list[Answer]:
    ordered = sorted(answers, key=lambda answer: answer.id)
    return [
        Answer(each.id, f"answer {number}", each.text, each.mark, each.row)
        for number, each in enumerate(ordered, start=1)
    ]
