"""Appeals are read from a file, shown beside the answers, and answered on the students' pages."""

from __future__ import annotations

import csv
import io
from http import HTTPStatus
from pathlib import Path

from autograder.desk.handler import DeskHandler, Refused
from autograder.desk.open_class import OpenClass
from autograder.desk.reading_order import Show, answer_id
from autograder.errors import UsageError, reason
from autograder.gradebook.said_by_person import AnswerPlace

NEEDED = ("student", "part", "text")


def read_appeals(path: Path, opened: OpenClass) -> list[tuple[AnswerPlace, str]]:
    """Rows of student, part and text; set and problem where the part's name is not enough."""
    try:
        table = csv.DictReader(io.StringIO(path.read_text(encoding="utf-8-sig")))
        rows = list(table)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        why = reason(error) if isinstance(error, OSError) else str(error)
        raise UsageError(f"{path} cannot be read as appeals: {why}; it is a csv file in UTF-8") from error
    missing = [name for name in NEEDED if name not in (table.fieldnames or ())]
    if missing:
        raise UsageError(f"{path} has no column {missing[0]!r}; its first line should be {','.join(NEEDED)}")
    found = []
    for number, row in enumerate(rows, start=2):
        text = (row["text"] or "").strip()
        if text:
            found.append((_place(opened, row, f"{path}, line {number}"), text))
    return found


def _place(opened: OpenClass, row: dict[str, str], where: str) -> AnswerPlace:
    asked = {name: (row.get(name) or "").strip() for name in AnswerPlace._fields}
    places = [
        AnswerPlace(student, set_id, problem, part.part)
        for (student, set_id, problem), report in opened.reports.summaries.items()
        for part in report.parts
    ]
    fitting = [
        place for place in places if all(value in ("", getattr(place, name)) for name, value in asked.items())
    ]
    if not asked["student"] or not asked["part"] or not fitting:
        raise UsageError(
            f"{where}: {asked['student']!r} has handed in no part {asked['part']!r}: mend the line"
        )
    if len(fitting) > 1:
        several = " and ".join(f"{place.set}/{place.problem}" for place in fitting[:2])
        raise UsageError(f"{where}: {asked['part']!r} is in {several}: add columns set and problem")
    return fitting[0]


class Appeals(DeskHandler):
    """All appeals, those without an answer first."""

    def get(self) -> None:
        appeals = sorted(self.opened.hand.appeals(), key=lambda each: (bool(each.answer), each.id))
        self.show(
            "appeals.html", appeals=[(each, answer_id(each.place)) for each in appeals], everything=Show.ALL
        )


class AnswerAppeal(DeskHandler):
    """A reply, which stands on the student's page from now on."""

    def post(self, id: str) -> None:
        appeal = next((each for each in self.opened.hand.appeals() if str(each.id) == id), None)
        answer = self.typed("answer")
        if appeal is None or not answer:
            raise Refused(HTTPStatus.BAD_REQUEST, "an appeal needs an answer in words")
        if self.typed("was") != appeal.answer or not self.opened.hand.answer_appeal(
            self.session.marker, appeal, answer
        ):
            self.tell("somebody has answered this meanwhile; yours is not written: read it first")
        else:
            self.spoken_of(appeal.place)
            self.tell("answered; it stands on the student's page")
        place = appeal.place
        self.go("read", place.set, place.problem, place.part, answer_id(place), show=Show.ALL)
