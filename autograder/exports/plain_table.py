"""A sheet of marks becomes a plain table: a row a student, a column each, and the total."""

from __future__ import annotations

from autograder.exports.mark_sheet import MarkSheet
from autograder.exports.roster import table_text
from autograder.gradebook.said_by_person import AnswerPlace
from autograder.pages.feedback import question_address


def plain_text(sheet: MarkSheet, questions: str = "") -> str:
    """Comma-separated, with quotes where a field needs them; a course may name an address for questions."""
    asked = ["questions"] if questions else []
    rows = [["student", *(column.id for column in sheet.columns), "total", *asked]]
    for student in sheet.students:
        total = sum(sheet.marks.get((student, column.id), 0.0) for column in sheet.columns)
        rows.append(
            [
                student,
                *(sheet.mark(student, column) for column in sheet.columns),
                f"{round(total, 4):g}",
                *(question_address(each, AnswerPlace(student, "", "", "")) for each in [questions] if each),
            ]
        )
    return table_text(rows)
