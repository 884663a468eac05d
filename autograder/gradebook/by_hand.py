"""A person's marks and comments in nbgrader's gradebook: written whole or not at all."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from nbgrader import api
from sqlalchemy import Connection, Engine, Row, Select, Table, and_, delete, insert, or_, select, update

from autograder.as_json import from_json, to_json
from autograder.gradebook.desk_tables import APPEAL, ITEM, MARK, STEP, has_tables, make_tables
from autograder.gradebook.late import LateRule
from autograder.gradebook.rubric import Item, comment_text, total
from autograder.gradebook.said_by_person import AnswerPlace, Said
from autograder.gradebook.write_marks import COMMENT, GRADE, NOTEBOOK, SUBMISSION, seconds_late
from autograder.notebook.stub_cells import CHECK_SUFFIX

ASSIGNMENT: Table = api.Assignment.__table__
PROBLEM: Table = api.Notebook.__table__
CELL: Table = api.BaseCell.__table__
GRADE_CELL: Table = api.GradeCell.__table__
FEW = 50  # rows


@dataclass(frozen=True)
class HandMark:
    """An answer as the gradebook has it. `score` is a person's; `waits` says that a person is to look."""

    place: AnswerPlace
    most: float
    auto: float | None
    score: float | None = None
    waits: bool = False
    comment: str = ""
    words: str = ""
    items: tuple[int, ...] = ()
    typed: bool = False
    marker: str = ""  # empty where nobody marked it, or not at the desk

    @property
    def seen(self) -> str:
        """Another text whenever anything of the mark is another: who writes shows what they have seen."""
        told = [self.score, self.waits, self.comment, self.items, self.typed, self.marker]
        return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:16]

    @property
    def earned(self) -> float | None:
        return self.auto if self.score is None else self.score


@dataclass(frozen=True)
class DeskStep:
    """Something that was done at the desk and can be undone: to which answers, and in which words."""

    what: str
    places: tuple[AnswerPlace, ...]


class OvertakenError(Exception):
    """Somebody else has marked one of these answers since it was looked at; nothing was written."""

    def __init__(self, now: HandMark) -> None:
        super().__init__(now.place.student)
        self.now = now


class HandMarks:
    """The marks of a gradebook for people at the desk. Every write is one transaction."""

    def __init__(self, engine: Engine, rule: LateRule | None = None) -> None:
        self._engine, self._rule = engine, rule or LateRule()
        make_tables(engine)

    # ------------------------------------------------------------ marks

    def marks(self, set_id: str, problem: str, part: str) -> dict[str, HandMark]:
        """The answers to one part, by student; those alone that the gradebook has."""
        with self._engine.connect() as db:
            return {mark.place.student: mark for mark in _read(db, _of_part(set_id, problem, part))}

    def mark(self, place: AnswerPlace) -> HandMark | None:
        with self._engine.connect() as db:
            return _one(db, place)

    def marks_of(self, student: str, set_id: str) -> dict[AnswerPlace, HandMark]:
        """Everything of one student in a set."""
        query = select().where(SUBMISSION.c.student_id == student, ASSIGNMENT.c.name == set_id)
        with self._engine.connect() as db:
            return {mark.place: mark for mark in _read(db, query)}

    def all_marks(self) -> list[HandMark]:
        with self._engine.connect() as db:
            return list(_read(db, select()))

    def write(self, marker: str, what: str, changes: Sequence[tuple[str, HandMark]]) -> None:
        """Write these marks, each with what was seen when it was decided on.

        Raises OvertakenError, and writes nothing, where one of them is another by now.
        """
        with self._engine.begin() as db:
            steps = [self._put(db, seen, replace(mark, marker=marker)) for seen, mark in changes]
            _note(db, marker, what, steps)

    def undo(self, marker: str) -> DeskStep | None:
        """Take back the last thing that this marker did; nothing where there is nothing left."""
        with self._engine.begin() as db:
            query = select(STEP).where(STEP.c.marker == marker, STEP.c.undone.is_(False))
            row = db.execute(query.order_by(STEP.c.id.desc()).limit(1)).first()
            if row is None:
                return None
            changes = [
                (from_json(HandMark, before), from_json(HandMark, after))
                for before, after in json.loads(row.changes)
            ]
            for before, after in changes:
                self._put(db, after.seen, before)
            if row.item is not None:
                _refuse_others(db, row.item, {after.place for _, after in changes})
                # A step of a desk that could not reword items knows no words.
                was = {"points": row.points} | ({"says": row.says} if row.says else {})
                db.execute(update(ITEM).where(ITEM.c.id == row.item).values(**was))
            db.execute(update(STEP).where(STEP.c.id == row.id).values(undone=True))
        return DeskStep(row.what, tuple(after.place for _, after in changes))

    def _put(self, db: Connection, seen: str, mark: HandMark) -> tuple[HandMark, HandMark]:
        """Write one mark into nbgrader's tables and ours; what was and what is now come back."""
        row = db.execute(_rows(mark.place)).first()
        if row is None:
            raise LookupError(f"{'/'.join(mark.place)} is not in the gradebook yet")
        grade = update(GRADE).where(GRADE.c.id == row.grade_id)
        comment = update(COMMENT).where(COMMENT.c.id == row.comment_id)
        # Both rows are ours from here to the end: what is read now, nobody changes before it is written.
        db.execute(grade.values(manual_score=GRADE.c.manual_score))
        db.execute(comment.values(manual_comment=COMMENT.c.manual_comment))
        before = _one(db, mark.place)
        if before is None or before.seen != seen:
            raise OvertakenError(before or mark)
        db.execute(grade.values(manual_score=mark.score, needs_manual_grade=mark.waits))
        db.execute(comment.values(manual_comment=mark.comment or None))
        own = [MARK.c[name] == value for name, value in mark.place._asdict().items()]
        db.execute(delete(MARK).where(*own))
        if mark.marker:
            fields = {name: getattr(mark, name) for name in ("score", "comment", "words", "typed", "marker")}
            items = json.dumps(mark.items)
            db.execute(insert(MARK).values(**mark.place._asdict(), **fields, items=items))
        self._renew_penalty(db, row.notebook_id)
        return before, mark

    def _renew_penalty(self, db: Connection, notebook: str) -> None:
        """What lateness costs is a share of the marks, which are others now."""
        row = db.execute(
            select(NOTEBOOK.c.late_submission_penalty, SUBMISSION, ASSIGNMENT.c.duedate)
            .join(SUBMISSION, NOTEBOOK.c.assignment_id == SUBMISSION.c.id)
            .join(ASSIGNMENT, SUBMISSION.c.assignment_id == ASSIGNMENT.c.id)
            .where(NOTEBOOK.c.id == notebook)
        ).one()
        if row.late_submission_penalty is None:
            return
        grades = db.execute(select(GRADE).where(GRADE.c.notebook_id == notebook))
        score = sum(
            (g.auto_score or 0.0 if g.manual_score is None else g.manual_score) + (g.extra_credit or 0.0)
            for g in grades
        )
        timed = row.timestamp is not None or row.extension is not None
        seconds = seconds_late(row, row.duedate) if timed else self._rule.least_late
        penalty = self._rule.penalty(score, seconds)
        db.execute(update(NOTEBOOK).where(NOTEBOOK.c.id == notebook).values(late_submission_penalty=penalty))

    def accept_on_time(self, student: str, set_id: str) -> bool:
        """Give a late submission as much longer as it took; whether there is one in the gradebook."""
        with self._engine.begin() as db:
            row = db.execute(_submission(student, set_id)).first()
            if row is None:
                return False
            late = timedelta(0)
            if row.timestamp is not None and row.duedate is not None:
                late = max(late, row.timestamp - row.duedate + timedelta(seconds=1))
            db.execute(update(SUBMISSION).where(SUBMISSION.c.id == row.id).values(extension=late))
            notebooks = db.scalars(select(NOTEBOOK.c.id).where(NOTEBOOK.c.assignment_id == row.id))
            for notebook in list(notebooks):
                self._renew_penalty(db, notebook)
        return True

    def extensions(self) -> dict[tuple[str, str], timedelta]:
        """How much longer somebody has, by set and student."""
        with self._engine.connect() as db:
            rows = db.execute(_submission().where(SUBMISSION.c.extension.is_not(None)))
            return {(row.set, row.student_id): row.extension for row in rows}

    # ------------------------------------------------------------ rubric items

    def items(self, problem: str, part: str) -> list[Item]:
        with self._engine.connect() as db:
            rows = db.execute(
                select(ITEM).where(ITEM.c.problem == problem, ITEM.c.part == part).order_by(ITEM.c.id)
            )
            return [Item(row.id, row.points, row.says) for row in rows]

    def add_items(
        self, problem: str, part: str, items: Iterable[tuple[float, str]], *, authored: bool = False
    ) -> None:
        """Add what is new, by its words; an author's item that a marker has reworded is not new."""
        with self._engine.begin() as db:
            rows = list(db.execute(select(ITEM).where(ITEM.c.problem == problem, ITEM.c.part == part)))
            known = {row.says for row in rows} | {row.authored for row in rows}
            for points, says in items:
                if says not in known:
                    by_author = says if authored else None
                    fields = {"points": points, "says": says, "authored": by_author}
                    db.execute(insert(ITEM).values(problem=problem, part=part, **fields))

    def change_item(
        self, marker: str, what: str, item: Item, then: Item, changes: Sequence[tuple[str, HandMark]]
    ) -> None:
        """Give an item other points or words, and everyone who has it what follows; all or nothing.

        Who marked an answer stays its marker: the item was changed, and not the judgement.
        """
        with self._engine.begin() as db:
            same = (ITEM.c.id == item.id, ITEM.c.points == item.points, ITEM.c.says == item.says)
            values = {"points": then.points, "says": then.says}
            if db.execute(update(ITEM).where(*same).values(**values)).rowcount != 1:
                raise OvertakenError(changes[0][1]) if changes else LookupError(item.says)
            steps = [self._put(db, seen, mark) for seen, mark in changes]
            _note(db, marker, what, steps, item)

    # ------------------------------------------------------------ appeals

    def add_appeals(self, appeals: Iterable[tuple[AnswerPlace, str]]) -> int:
        """Add those that are new; tells how many that were."""
        added = 0
        with self._engine.begin() as db:
            known = {
                (AnswerPlace(r.student, r.set, r.problem, r.part), r.text) for r in db.execute(select(APPEAL))
            }
            for place, text in appeals:
                if (place, text) not in known:
                    known.add((place, text))
                    db.execute(insert(APPEAL).values(**place._asdict(), text=text))
                    added += 1
        return added

    def appeals(self) -> list[Appeal]:
        with self._engine.connect() as db:
            return [
                Appeal(
                    r.id,
                    AnswerPlace(r.student, r.set, r.problem, r.part),
                    r.text,
                    r.answer or "",
                    r.marker or "",
                )
                for r in db.execute(select(APPEAL).order_by(APPEAL.c.id))
            ]

    def answer_appeal(self, marker: str, appeal: Appeal, answer: str) -> bool:
        """Whether it was answered: not where somebody else has done so meanwhile."""
        with self._engine.begin() as db:
            same = APPEAL.c.answer.is_not_distinct_from(appeal.answer or None)
            query = update(APPEAL).where(APPEAL.c.id == appeal.id, same)
            return bool(db.execute(query.values(answer=answer, marker=marker)).rowcount)

    def said(self) -> dict[AnswerPlace, Said]:
        with self._engine.connect() as db:
            return read_said(db)


@dataclass(frozen=True)
class Appeal:
    """A student's question on a mark, and its answer where there is one."""

    id: int
    place: AnswerPlace
    text: str
    answer: str = ""
    marker: str = ""


def read_said(db: Connection) -> dict[AnswerPlace, Said]:
    """What people said of answers, wherever they said it: at the desk, in Formgrader, by nbgrader's API."""
    said: dict[AnswerPlace, Said] = {}
    spoken = or_(GRADE.c.manual_score.is_not(None), COMMENT.c.manual_comment.is_not(None))
    own = has_tables(db)
    for mark in _read(db, select().where(spoken), own=own):
        said[mark.place] = Said(None if mark.waits else mark.score, mark.comment)
    for row in db.execute(select(APPEAL).where(APPEAL.c.answer.is_not(None))) if own else ():
        place = AnswerPlace(row.student, row.set, row.problem, row.part)
        known = said.get(place, Said())
        said[place] = replace(known, appeals=(*known.appeals, (row.text, row.answer)))
    return said


def _submission(student: str = "", set_id: str = "") -> Select[object]:
    own = (SUBMISSION.c.student_id == student, ASSIGNMENT.c.name == set_id) if student else ()
    return (
        select(SUBMISSION, ASSIGNMENT.c.duedate, ASSIGNMENT.c.name.label("set"))
        .join(ASSIGNMENT, SUBMISSION.c.assignment_id == ASSIGNMENT.c.id)
        .where(*own)
    )


def _rows(place: AnswerPlace) -> Select[object]:
    return _joined(_of_part(place.set, place.problem, place.part)).where(
        SUBMISSION.c.student_id == place.student
    )


def _of_part(set_id: str, problem: str, part: str) -> Select[object]:
    return select().where(
        ASSIGNMENT.c.name == set_id,
        PROBLEM.c.name == problem,
        CELL.c.name.in_((part, f"{part}{CHECK_SUFFIX}")),
    )


def _joined(query: Select[object]) -> Select[object]:
    """Grades with their comments: prose has both on one cell, the comment on code is on the answer's."""
    answer = CELL.alias()
    comment = and_(COMMENT.c.notebook_id == NOTEBOOK.c.id, COMMENT.c.cell_id == answer.c.id)
    named = or_(answer.c.name == CELL.c.name, CELL.c.name == answer.c.name + CHECK_SUFFIX)
    return (
        query.add_columns(
            SUBMISSION.c.student_id,
            ASSIGNMENT.c.name.label("set"),
            PROBLEM.c.name.label("problem"),
            CELL.c.name.label("cell"),
            NOTEBOOK.c.id.label("notebook_id"),
            GRADE.c.id.label("grade_id"),
            GRADE.c.auto_score,
            GRADE.c.manual_score,
            GRADE.c.needs_manual_grade,
            GRADE_CELL.c.max_score,
            COMMENT.c.id.label("comment_id"),
            COMMENT.c.manual_comment,
        )
        .select_from(GRADE)
        .join(NOTEBOOK, GRADE.c.notebook_id == NOTEBOOK.c.id)
        .join(SUBMISSION, NOTEBOOK.c.assignment_id == SUBMISSION.c.id)
        .join(ASSIGNMENT, SUBMISSION.c.assignment_id == ASSIGNMENT.c.id)
        .join(CELL, GRADE.c.cell_id == CELL.c.id)
        .join(GRADE_CELL, GRADE_CELL.c.id == CELL.c.id)
        .join(PROBLEM, CELL.c.notebook_id == PROBLEM.c.id)
        .outerjoin(answer, and_(answer.c.notebook_id == PROBLEM.c.id, named, answer.c.type == "SolutionCell"))
        .outerjoin(COMMENT, comment)
        .order_by(SUBMISSION.c.student_id)
    )


def _read(db: Connection, query: Select[object], *, own: bool = True) -> Iterator[HandMark]:
    rows = list(db.execute(_joined(query)))
    ours = {}
    if own and rows:
        every = select(MARK)
        few = len(rows) < FEW  # else all of them are as quick as some
        known = db.execute(
            every.where(MARK.c.student.in_({row.student_id for row in rows})) if few else every
        )
        ours = {AnswerPlace(r.student, r.set, r.problem, r.part): r for r in known}
    for row in rows:
        place = AnswerPlace(row.student_id, row.set, row.problem, row.cell.removesuffix(CHECK_SUFFIX))
        yield _mark(place, row, ours.get(place))


def _mark(place: AnswerPlace, row: Row[object], own: Row[object] | None) -> HandMark:
    comment = row.manual_comment or ""
    mark = HandMark(
        place,
        float(row.max_score),
        row.auto_score,
        row.manual_score,
        bool(row.needs_manual_grade),
        comment,
        comment,
        typed=row.manual_score is not None,
    )
    if own is None or (own.score, own.comment) != (row.manual_score, comment):
        return mark
    items = tuple(json.loads(own.items))
    return replace(mark, words=own.words, items=items, typed=bool(own.typed), marker=own.marker)


def _one(db: Connection, place: AnswerPlace) -> HandMark | None:
    query = _of_part(place.set, place.problem, place.part).where(SUBMISSION.c.student_id == place.student)
    return next(_read(db, query), None)


def _refuse_others(db: Connection, item: int, known: set[AnswerPlace]) -> None:
    """Others who have an item by now would keep what it was worth: its points are not taken back."""
    for own in db.execute(select(MARK)):
        place = AnswerPlace(own.student, own.set, own.problem, own.part)
        if place not in known and item in json.loads(own.items):
            now = _one(db, place)
            if now is not None and item in now.items:
                raise OvertakenError(now)


def _note(
    db: Connection,
    marker: str,
    what: str,
    steps: Sequence[tuple[HandMark, HandMark]],
    item: Item | None = None,
) -> None:
    told = json.dumps([[to_json(before), to_json(after)] for before, after in steps])
    fields = {"item": item.id, "points": item.points, "says": item.says} if item else {}
    db.execute(insert(STEP).values(marker=marker, what=what, changes=told, undone=False, **fields))


def marked_by(mark: HandMark, items: Sequence[Item], words: str, score: float | None) -> HandMark:
    """The mark that a rubric's items, a typed score and a marker's words make, if any."""
    nothing = not items and score is None
    value = None if nothing else total(items, mark.most) if score is None else score
    return replace(
        mark,
        score=value,
        waits=nothing and (mark.auto is None or mark.waits),
        items=tuple(item.id for item in items),
        typed=score is not None,
        words=words.strip(),
        comment=comment_text(items, words),
    )
