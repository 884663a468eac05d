"""A sheet of marks becomes a file for Canvas's gradebook import, alone or filled into Canvas's own export.

Canvas wants `Student`, `ID`, optionally `SIS User ID` and `SIS Login ID`, then `Section`, then a column an
assignment, `Title (number)` for one that exists; a row that starts with `Points Possible` has the maxima.
A student is found by `ID`, else by the SIS columns, else by name.
"""

from __future__ import annotations

import re

from autograder.errors import UsageError
from autograder.exports.mark_sheet import Column, MarkSheet
from autograder.exports.roster import Roster, match_students, split_number, table_text

HEADER = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
POINTS = "    Points Possible"
_NUMBERED = re.compile(r"(?P<title>.*?)\s*\((?P<number>\d+)\)")


def canvas_text(sheet: MarkSheet) -> str:
    """A file of our own. Canvas makes assignments of columns that it does not know, after asking."""
    rows = [[*HEADER, *(column.title for column in sheet.columns)]]
    rows.append([POINTS, "", "", "", "", *(f"{column.points:g}" for column in sheet.columns)])
    for student in sheet.students:
        name, number = split_number(student)
        # Without Canvas's number, the name of the folder is most likely the one to log in with.
        login = "" if number else student
        rows.append([name, number, "", login, "", *(sheet.mark(student, column) for column in sheet.columns)])
    return table_text(rows)


def fill_canvas(sheet: MarkSheet, roster: Roster) -> tuple[str, list[str]]:
    """Canvas's export with our columns alone filled in, and a sentence on each student it lacks."""
    if roster.column("Student") != 0 or roster.column("ID") != 1 or "Section" not in roster.header:
        raise UsageError(
            "the roster is no Canvas export: its columns should start with Student, ID … Section"
        )
    width = roster.header.index("Section") + 1
    places = {column: _place(roster, column) for column in sheet.columns}
    titles = [column.title if place is None else roster.header[place] for column, place in places.items()]
    found = match_students(
        sheet.students,
        roster.rows,
        lambda row: roster.field(row, "ID"),
        lambda row: [roster.field(row, name) for name in ("SIS Login ID", "SIS User ID", "Student")],
    )
    rows = [[*roster.header[:width], *titles]]
    rows.append([POINTS, *[""] * (width - 1), *(f"{column.points:g}" for column in sheet.columns)])
    for number, row in enumerate(roster.rows):
        if number in found:
            marks = (sheet.mark(found[number], column) for column in sheet.columns)
            rows.append([*row[:width], *marks])
    lost = sorted(set(sheet.students) - set(found.values()))
    return table_text(rows), [f"{student} is not in the roster" for student in lost]


def _place(roster: Roster, column: Column) -> int | None:
    """The column of an assignment that Canvas knows by the title or the id of ours."""
    wanted = {column.title.lower(), column.id.lower()}
    for place, name in enumerate(roster.header):
        match = _NUMBERED.fullmatch(name)
        if match and match["title"].lower() in wanted:
            return place
    return None
