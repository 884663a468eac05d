"""Hand-ins that are no longer among the submissions leave nbgrader's tables, but never a person's marks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from sqlalchemy import Connection, delete, or_, select, update

from autograder.gradebook.assignments import SetIds
from autograder.gradebook.write_marks import COMMENT, GRADE, NOTEBOOK, STUDENT, SUBMISSION


def remove_entries(
    db: Connection,
    gone: Sequence[Sequence[str]],
    whole: Sequence[Sequence[str]],
    sets: Mapping[str, SetIds],
) -> list[str]:
    """Clear the marks of single notebooks (student, set, problem), and whole submissions (student, set).

    What a person has marked stays, and is told: nothing could bring it back.
    """
    kept = []
    entire = {tuple(each) for each in whole}
    for student, set_id, problem in gone:
        ids = sets[set_id].notebooks.get(problem)
        if (student, set_id) not in entire and ids is not None:
            for notebook in list(_notebooks(db, student, sets[set_id].id, ids.id)):
                kept += _clear(db, notebook, f"{student} {set_id}/{problem}")
    for student, set_id in sorted(entire):
        notebooks = list(_notebooks(db, student, sets[set_id].id))
        if any(_is_marked(db, notebook) for notebook in notebooks):
            kept.append(_kept(f"{student} {set_id}"))
            continue
        for notebook in notebooks:
            for table in (GRADE, COMMENT):
                db.execute(delete(table).where(table.c.notebook_id == notebook))
            db.execute(delete(NOTEBOOK).where(NOTEBOOK.c.id == notebook))
        own = SUBMISSION.c.student_id == student, SUBMISSION.c.assignment_id == sets[set_id].id
        db.execute(delete(SUBMISSION).where(*own))
        _forget(db, student)
    return kept


def _notebooks(db: Connection, student: str, assignment: str, notebook: str | None = None) -> Iterator[str]:
    query = (
        select(NOTEBOOK.c.id)
        .join(SUBMISSION, NOTEBOOK.c.assignment_id == SUBMISSION.c.id)
        .where(SUBMISSION.c.student_id == student, SUBMISSION.c.assignment_id == assignment)
    )
    if notebook is not None:
        query = query.where(NOTEBOOK.c.notebook_id == notebook)
    yield from db.scalars(query)


def _is_marked(db: Connection, notebook: str) -> bool:
    """Whether a person gave marks or wrote a comment."""
    marks = select(GRADE.c.id).where(
        GRADE.c.notebook_id == notebook,
        or_(GRADE.c.manual_score.is_not(None), GRADE.c.extra_credit.is_not(None)),
    )
    words = select(COMMENT.c.id).where(
        COMMENT.c.notebook_id == notebook, COMMENT.c.manual_comment.is_not(None)
    )
    return any(db.execute(query).first() is not None for query in (marks, words))


def _clear(db: Connection, notebook: str, what: str) -> list[str]:
    """As nbgrader has a notebook that was not handed in: no marks, and nothing to read."""
    if _is_marked(db, notebook):
        return [_kept(what)]
    nothing = {"auto_score": 0.0, "needs_manual_grade": False}
    db.execute(update(GRADE).where(GRADE.c.notebook_id == notebook).values(nothing))
    db.execute(update(COMMENT).where(COMMENT.c.notebook_id == notebook).values(auto_comment=None))
    row = update(NOTEBOOK).where(NOTEBOOK.c.id == notebook)
    db.execute(row.values(late_submission_penalty=None))
    return []


def _kept(what: str) -> str:
    return f"{what} is no longer handed in, but stays here: a person has marked it"


def _forget(db: Connection, student: str) -> None:
    """A student who was only known from submissions; one whom a person entered stays."""
    if db.execute(select(SUBMISSION.c.id).where(SUBMISSION.c.student_id == student)).first() is None:
        about = [STUDENT.c[name].is_(None) for name in ("first_name", "last_name", "email", "lms_user_id")]
        db.execute(delete(STUDENT).where(STUDENT.c.id == student, *about))
