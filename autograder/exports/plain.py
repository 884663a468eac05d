"""A sheet of marks becomes a plain table: a row a student, a column each, and the total."""

from __future__ import annotations

from autograder.exports.marks import Sheet
from autograder.exports.roster import table_text


def plain_text(sheet: Sheet) -> str:
    """Comma-separated, with quotes where a field needs them."""
    rows = [["student", *(column.id for column in sheet.columns), "total"]]
    for student in sheet.students:
        total = sum(sheet.marks.get((student, column.id), 0.0) for column in sheet.columns)
        rows.append(
            [student, *(sheet.mark(student, column) for column in sheet.columns), f"{round(total, 4):g}"]
        )
    return table_text(rows)
