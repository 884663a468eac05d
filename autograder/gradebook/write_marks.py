"""Reports become marks in nbgrader's tables: read in bulk, written in bulk, a person's marks left alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from nbgrader import api
from sqlalchemy import Connection, Row, Table, bindparam, insert, select, update

from autograder.gradebook.assignments import NotebookIds, SetIds
from autograder.gradebook.late import Deadlines

STUDENT: Table = api.Student.__table__
SUBMISSION: Table = api.SubmittedAssignment.__table__
NOTEBOOK: Table = api.SubmittedNotebook.__table__
GRADE: Table = api.Grade.__table__
COMMENT: Table = api.Comment.__table__
NO_RESPONSE = "No response."  # nbgrader's own words for an answer cell as it was handed out

Rows = Sequence[Mapping[str, object]]


@dataclass(frozen=True)
class NotebookMarks:
    """The marks of one notebook. A score of None waits for a person.

    `silent` tells whether a part's answer is as it was handed out, `changed` whether it is another than
    at the last grading. `known` marks were written before; only what is missing of them is written.
    """

    student: str
    set: str
    problem: str
    scores: Mapping[str, float | None]
    silent: Callable[[str], bool]
    changed: Callable[[str], bool]
    timestamp: datetime | None = None
    late: bool = False  # the platform says so, where it tells no time
    known: bool = False


@dataclass(frozen=True)
class _NotebookPlace:
    """A submitted notebook: its row, and the problem and submission it belongs to."""

    id: str
    ids: NotebookIds
    entry: NotebookMarks | None
    seconds_late: float
    timed: bool  # whether the time, or an extension, is known: then it counts and no platform's word
    penalty: float | None


def write_entries(
    db: Connection, entries: Sequence[NotebookMarks], sets: Mapping[str, SetIds], deadlines: Deadlines
) -> None:
    """Bring the gradebook in line with these entries; what agrees already is not written."""
    _write_students(db, {entry.student for entry in entries})
    submissions = _write_submissions(db, entries, sets, deadlines)
    places = _write_notebooks(db, entries, sets, submissions)
    scores = _write_grades(db, places)
    _write_comments(db, places)
    _write_penalties(db, places, scores, deadlines)


def _write_students(db: Connection, names: set[str]) -> None:
    known = set(db.scalars(select(STUDENT.c.id).where(STUDENT.c.id.in_(names))))
    _insert(db, STUDENT, [{"id": name} for name in sorted(names - known)])


def _write_submissions(
    db: Connection, entries: Sequence[NotebookMarks], sets: Mapping[str, SetIds], deadlines: Deadlines
) -> dict[tuple[str, str], Row[object]]:
    """The submission of each set and student; its time and extension where they are known."""
    wanted: dict[tuple[str, str], dict[str, object]] = {}
    for entry in entries:
        values = wanted.setdefault((entry.set, entry.student), {})
        if entry.timestamp is not None:
            values["timestamp"] = entry.timestamp
        extension = deadlines.extensions.get((entry.set, entry.student))
        if extension is not None:
            values["extension"] = extension
    names = {sets[name].id: name for name in {entry.set for entry in entries}}

    def read() -> dict[tuple[str, str], Row[object]]:
        rows = db.execute(
            select(SUBMISSION).where(
                SUBMISSION.c.assignment_id.in_(names),
                SUBMISSION.c.student_id.in_({student for _, student in wanted}),
            )
        )
        return {(names[row.assignment_id], row.student_id): row for row in rows}

    known = read()
    new, changed = [], []
    for (name, student), values in wanted.items():
        row = known.get((name, student))
        before = {} if row is None else row._mapping
        fields = {key: values.get(key, before.get(key)) for key in ("timestamp", "extension")}
        if row is None:
            new.append(
                {"id": api.new_uuid(), "assignment_id": sets[name].id, "student_id": student, **fields}
            )
        elif any(row._mapping[key] != value for key, value in fields.items()):
            changed.append({"key": row.id, **fields})
    _insert(db, SUBMISSION, new)
    _update(db, SUBMISSION, changed)
    return read() if new or changed else known


def _write_notebooks(
    db: Connection,
    entries: Sequence[NotebookMarks],
    sets: Mapping[str, SetIds],
    submissions: Mapping[tuple[str, str], Row[object]],
) -> list[_NotebookPlace]:
    """A row for every notebook of every set that was handed in, in part or whole."""
    given = {(entry.set, entry.student, entry.problem): entry for entry in entries}
    wanted = {(entry.set, entry.student): None for entry in entries}
    ids = [submissions[key].id for key in wanted]
    known = {
        (row.assignment_id, row.notebook_id): row
        for row in db.execute(select(NOTEBOOK).where(NOTEBOOK.c.assignment_id.in_(ids)))
    }
    places, new = [], []
    for name, student in wanted:
        submission = submissions[name, student]
        for problem, notebook in sets[name].notebooks.items():
            row = known.get((submission.id, notebook.id))
            if row is None:
                fields = {"id": api.new_uuid(), "assignment_id": submission.id, "notebook_id": notebook.id}
                new.append({**fields, "flagged": False})
            places.append(
                _NotebookPlace(
                    fields["id"] if row is None else row.id,
                    notebook,
                    given.get((name, student, problem)),
                    seconds_late(submission, sets[name].due),
                    submission.timestamp is not None or submission.extension is not None,
                    None if row is None else row.late_submission_penalty,
                )
            )
    _insert(db, NOTEBOOK, new)
    return places


def seconds_late(submission: Row[object], due: datetime | None) -> float:
    if submission.timestamp is None or due is None:
        return 0.0
    if submission.extension is not None:
        due += submission.extension
    return max(0.0, float((submission.timestamp - due).total_seconds()))


def _write_grades(db: Connection, places: Iterable[_NotebookPlace]) -> dict[str, float]:
    """Write automatic marks; the sum of marks of each submitted notebook comes back."""
    places = list(places)
    fields_read = ("id", "notebook_id", "cell_id", "auto_score", "manual_score", "extra_credit")
    known = _children(db, GRADE, (*fields_read, "needs_manual_grade"), places)
    new, changed, sums = [], [], {}
    for place in places:
        sums[place.id] = 0.0
        for part, cell in place.ids.grades.items():
            row = known.get((place.id, cell))
            fields = _automatic(place.entry, part, row)
            if row is None:
                new.append(
                    {"id": api.new_uuid(), "notebook_id": place.id, "cell_id": cell, **fields._asdict()}
                )
            elif (row.auto_score, row.needs_manual_grade) != fields:
                changed.append({"key": row.id, **fields._asdict()})
            by_hand, extra = (None, None) if row is None else (row.manual_score, row.extra_credit)
            sums[place.id] += (fields.auto_score or 0.0) if by_hand is None else by_hand
            sums[place.id] += extra or 0.0
    _insert(db, GRADE, new)
    _update(db, GRADE, changed)
    return sums


class _Automatic(NamedTuple):
    """What the grader writes of one part."""

    auto_score: float | None
    needs_manual_grade: bool


def _automatic(entry: NotebookMarks | None, part: str, row: Row[object] | None) -> _Automatic:
    if entry is None:
        # Not handed in: no marks, and nothing for a person to read, as nbgrader has it.
        auto, waits = (0.0, False) if row is None else (row.auto_score, row.needs_manual_grade)
        return _Automatic(auto, waits)
    auto = entry.scores.get(part, 0.0)
    waits = auto is None
    if row is not None and row.manual_score is not None:
        # A person has been here: look again only where there is something new to look at.
        # Where the grader has come to the same mark, there is not.
        other = row.auto_score != auto and row.manual_score != auto
        waits = bool(row.needs_manual_grade) or other or entry.changed(part)
    return _Automatic(auto, waits)


def _write_comments(db: Connection, places: Iterable[_NotebookPlace]) -> None:
    places = list(places)
    known = _children(db, COMMENT, ("id", "notebook_id", "cell_id", "auto_comment"), places)
    new, changed = [], []
    for place in places:
        entry = place.entry
        for part, cell in place.ids.comments.items():
            row = known.get((place.id, cell))
            if row is not None and (entry is None or entry.known):
                continue
            words = NO_RESPONSE if entry is not None and entry.silent(part) else None
            if row is None:
                fields = {"id": api.new_uuid(), "notebook_id": place.id, "cell_id": cell}
                new.append({**fields, "auto_comment": words})
            elif row.auto_comment != words:
                changed.append({"key": row.id, "auto_comment": words})
    _insert(db, COMMENT, new)
    _update(db, COMMENT, changed)


def _write_penalties(
    db: Connection, places: Iterable[_NotebookPlace], scores: Mapping[str, float], deadlines: Deadlines
) -> None:
    changed = []
    for place in places:
        seconds = place.seconds_late
        if place.entry is not None and place.entry.late and not place.timed:
            seconds = deadlines.rule.least_late
        penalty = deadlines.rule.penalty(scores[place.id], seconds)
        if place.entry is not None and penalty != place.penalty:
            changed.append({"key": place.id, "late_submission_penalty": penalty})
    _update(db, NOTEBOOK, changed)


def _children(
    db: Connection, table: Table, columns: Sequence[str], places: Sequence[_NotebookPlace]
) -> dict[tuple[str, str], Row[object]]:
    ids = [place.id for place in places]
    rows = db.execute(select(*(table.c[name] for name in columns)).where(table.c.notebook_id.in_(ids)))
    return {(row.notebook_id, row.cell_id): row for row in rows}


def _insert(db: Connection, table: Table, rows: Rows) -> None:
    if rows:
        db.execute(insert(table), rows)


def _update(db: Connection, table: Table, rows: Rows) -> None:
    """Set the fields of each row, found by `key`; all rows have the same fields."""
    if rows:
        values: dict[str, object] = {name: bindparam(name) for name in rows[0] if name != "key"}
        db.execute(update(table).where(table.c.id == bindparam("key")).values(values), rows)
