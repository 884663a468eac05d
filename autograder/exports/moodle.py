"""A sheet of marks becomes a grading worksheet for a Moodle assignment, or a file for its grade import.

Moodle's assignment takes back a worksheet with `Identifier` (`Participant 123`, the number in the names of
downloaded folders), `Grade` and `Last modified (grade)`, and reads `Feedback comments`. Its gradebook imports
any comma-separated file; one says there which column is the user and which ones are grades.
"""

from __future__ import annotations

from html import escape

from autograder.errors import UsageError
from autograder.exports.mark_sheet import Column, MarkSheet
from autograder.exports.roster import Roster, match_students, split_number, table_text

WORKSHEET = (
    "Identifier",
    "Full name",
    "Email address",
    "Status",
    "Grade",
    "Maximum Grade",
    "Grade can be changed",
    "Last modified (submission)",
    "Last modified (grade)",
    "Feedback comments",
)
COMMENTS = "Feedback comments"


def moodle_text(sheet: MarkSheet) -> str:
    """A worksheet where the class came from Moodle, and a file for the grade import otherwise."""
    if all(split_number(student)[1] for student in sheet.students):
        return _worksheet(sheet, only_column(sheet))
    rows = [["Username", *(name for c in sheet.columns for name in (c.title, f"{c.title} (feedback)"))]]
    for student in sheet.students:
        fields = [
            field
            for column in sheet.columns
            for field in (sheet.mark(student, column), comments(sheet, student, column))
        ]
        rows.append([student, *fields])
    return table_text(rows)


def _worksheet(sheet: MarkSheet, column: Column) -> str:
    rows: list[list[str]] = [list(WORKSHEET)]
    for student in sheet.students:
        name, number = split_number(student)
        mark = sheet.mark(student, column)
        fields = [f"Participant {number}", name, "", "", mark, f"{column.points:.2f}", "Yes", "-", "-"]
        rows.append([*fields, comments(sheet, student, column)])
    return table_text(rows)


def fill_moodle(sheet: MarkSheet, roster: Roster) -> tuple[str, list[str]]:
    """Moodle's own worksheet with grades and comments filled in, and a sentence on each student it lacks."""
    column = only_column(sheet)
    grade, comment = roster.column("Grade"), roster.column(COMMENTS)
    if roster.column("Identifier") is None or grade is None:
        raise UsageError("the roster is no Moodle worksheet: it should have the columns Identifier and Grade")
    found = match_students(
        sheet.students,
        roster.rows,
        lambda row: roster.field(row, "Identifier").removeprefix("Participant").strip(),
        lambda row: [
            roster.field(row, name) for name in ("Username", "ID number", "Email address", "Full name")
        ],
    )
    rows: list[tuple[str, ...]] = [roster.header]
    for number, row in enumerate(roster.rows):
        fields = list(row)
        if number in found:
            fields[grade] = sheet.mark(found[number], column)
            if comment is not None:
                fields[comment] = comments(sheet, found[number], column)
        rows.append(tuple(fields))
    lost = sorted(set(sheet.students) - set(found.values()))
    return table_text(rows), [f"{student} is not in the roster" for student in lost]


def only_column(sheet: MarkSheet) -> Column:
    """A worksheet belongs to one assignment."""
    if len(sheet.columns) != 1:
        names = ", ".join(column.id for column in sheet.columns) or "none"
        raise UsageError(f"a Moodle worksheet is for one assignment, these are {names}: choose with --set")
    return sheet.columns[0]


def comments(sheet: MarkSheet, student: str, column: Column) -> str:
    """What the student reads, as the HTML that Moodle shows; an answer quoted in it stays text."""
    lines = sheet.remarks.get((student, column.id), ())
    items = "".join(f"<li>{escape(line)}</li>" for line in lines)
    return f"<ul>{items}</ul>" if items else ""
