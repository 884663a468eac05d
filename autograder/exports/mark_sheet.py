"""Rows of results, and the gradebook's last word on them, become the sheet of marks that is exported."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from autograder.course.load import Course
from autograder.errors import UsageError
from autograder.grade.report import Identity, ResultRow


@dataclass(frozen=True)
class Column:
    """A column of marks: a set, or one problem of it."""

    id: str
    title: str
    points: float


@dataclass(frozen=True)
class MarkSheet:
    """Students by columns; where a student handed nothing in there is no mark."""

    columns: tuple[Column, ...]
    students: tuple[str, ...]
    marks: Mapping[tuple[str, str], float]  # by student and column
    remarks: Mapping[tuple[str, str], tuple[str, ...]]  # what the student reads, a line a part

    def mark(self, student: str, column: Column) -> str:
        found = self.marks.get((student, column.id))
        return "" if found is None else f"{round(found, 4):g}"


def make_sheet(
    course: Course,
    rows: Sequence[ResultRow],
    final: Mapping[Identity, float],
    *,
    by: str = "set",
    only: Iterable[str] = (),
    by_hand: Collection[Identity] = (),
) -> MarkSheet:
    """Add marks up by set or by problem. `final` has the marks of notebooks that a person went over.

    `by_hand` names those that a person gave marks to, whether or not they were handed in.
    """
    listed = {row.set for row in rows}
    wanted = _sets(course, list(only)) & listed if only else listed
    works: dict[Identity, list[ResultRow]] = {}
    for row in rows:
        if row.set in wanted:
            works.setdefault(row.identity, []).append(row)
    for identity in sorted(by_hand):
        if identity[1] in wanted:
            works.setdefault(identity, [])
    marks: dict[tuple[str, str], float] = {}
    remarks: dict[tuple[str, str], tuple[str, ...]] = {}
    for (student, set_id, problem), parts in works.items():
        key = student, set_id if by == "set" else f"{set_id}/{problem}"
        earned = final.get((student, set_id, problem), sum(row.score for row in parts))
        marks[key] = marks.get(key, 0.0) + earned
        remarks[key] = (*remarks.get(key, ()), *(_remark(row) for row in parts))
    columns = [column for column in _columns(course, wanted, by) if any(key[1] == column.id for key in marks)]
    return MarkSheet(tuple(columns), tuple(sorted({student for student, _ in marks})), marks, remarks)


def _sets(course: Course, only: Sequence[str]) -> set[str]:
    known = [group.id for group in course.sets]
    for name in only:
        if name not in known:
            raise UsageError(f"the course has no set {name!r}; it has {', '.join(known)}")
    return set(only)


def _columns(course: Course, sets: set[str], by: str) -> list[Column]:
    columns = []
    for group in course.sets:
        problems = [course.problems[name] for name in group.problems]
        if group.id not in sets:
            continue
        if by == "set":
            columns.append(Column(group.id, group.title, sum(problem.points for problem in problems)))
        else:
            columns += [
                Column(f"{group.id}/{problem.id}", f"{group.title}: {problem.title}", problem.points)
                for problem in problems
            ]
    return columns


def _remark(row: ResultRow) -> str:
    said = row.feedback.split("\n")[0]
    return f"{row.part}: {row.score:g} / {row.max_score:g}: {said}"
