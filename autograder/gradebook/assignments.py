"""Sets, problems and parts become nbgrader's assignments, notebooks and cells; their ids come back."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from nbgrader.api import (
    Assignment,
    BaseCell,
    Comment,
    Grade,
    Gradebook,
    GradeCell,
    Notebook,
    SolutionCell,
    SourceCell,
)
from sqlalchemy import delete, or_

from autograder.course.load import Course
from autograder.errors import UsageError
from autograder.notebook.build_notebooks import NotebookJson, build_notebook
from autograder.notebook.stub_cells import CHECK_SUFFIX


@dataclass(frozen=True)
class NotebookIds:
    """A problem in the gradebook: the cells that carry marks and comments, by the part's name."""

    id: str
    grades: Mapping[str, str]
    comments: Mapping[str, str]


@dataclass(frozen=True)
class SetIds:
    """A set in the gradebook."""

    id: str
    due: datetime | None
    notebooks: Mapping[str, NotebookIds]


def stubs_of(course: Course, sets: Sequence[str]) -> dict[tuple[str, str], NotebookJson]:
    """The notebooks of these sets as they are handed out, by set and problem."""
    return {
        (group.id, problem.id): json.loads(build_notebook(problem, group.id, course.root))
        for group, problem in course.assignments
        if group.id in sets
    }


def write_structure(
    gradebook: Gradebook,
    stubs: Mapping[tuple[str, str], NotebookJson],
    due: Mapping[str, datetime],
) -> dict[str, SetIds]:
    """Bring the gradebook's assignments in line with the course, in one transaction."""
    found: dict[str, dict[str, Notebook]] = {}
    assignments = {}
    for (set_id, problem_id), stub in stubs.items():
        if set_id not in assignments:
            assignments[set_id] = _assignment(gradebook, set_id, due.get(set_id))
            _drop_notebooks(gradebook, assignments[set_id], {p for s, p in stubs if s == set_id})
        notebook = _notebook(gradebook, assignments[set_id], problem_id, stub)
        found.setdefault(set_id, {})[problem_id] = notebook
    gradebook.db.commit()
    return {
        set_id: SetIds(
            assignments[set_id].id,
            assignments[set_id].duedate,
            {name: _ids(notebook) for name, notebook in notebooks.items()},
        )
        for set_id, notebooks in found.items()
    }


def read_structure(gradebook: Gradebook, set_id: str) -> dict[str, SetIds]:
    """A set as the gradebook has it; nothing where it has none."""
    row = gradebook.db.query(Assignment).filter_by(name=set_id).one_or_none()
    if row is None or not row.notebooks:
        return {}
    return {set_id: SetIds(row.id, row.duedate, {each.name: _ids(each) for each in row.notebooks})}


def _assignment(gradebook: Gradebook, name: str, due: datetime | None) -> Assignment:
    row = gradebook.db.query(Assignment).filter_by(name=name).one_or_none()
    if row is None:
        row = Assignment(name=name, course_id=gradebook.course_id)
        gradebook.db.add(row)
    if due is not None:  # a date that was set in nbgrader stays where the course names none
        row.duedate = due
    gradebook.db.flush()
    return row


def _notebook(gradebook: Gradebook, assignment: Assignment, name: str, stub: NotebookJson) -> Notebook:
    row = next((n for n in assignment.notebooks if n.name == name), None)
    if row is None:
        row = Notebook(name=name, assignment=assignment)
        gradebook.db.add(row)
    row.kernelspec = json.dumps(stub["metadata"]["kernelspec"])
    gradebook.db.flush()
    cells = [(cell, cell["metadata"]["nbgrader"]) for cell in stub["cells"]]
    _sync(gradebook, row, GradeCell, {f["grade_id"]: _graded(c, f) for c, f in cells if f["grade"]})
    _sync(gradebook, row, SolutionCell, {f["grade_id"]: {} for _, f in cells if f["solution"]})
    _sync(gradebook, row, SourceCell, {f["grade_id"]: _source(c, f) for c, f in cells})
    return row


def _graded(cell: NotebookJson, fields: NotebookJson) -> dict[str, object]:
    return {"max_score": float(fields["points"]), "cell_type": cell["cell_type"]}


def _source(cell: NotebookJson, fields: NotebookJson) -> dict[str, object]:
    return {
        "cell_type": cell["cell_type"],
        "locked": fields["locked"],
        "source": "".join(cell["source"]),
        "checksum": fields["checksum"],
    }


def _sync(
    gradebook: Gradebook, notebook: Notebook, kind: type[BaseCell], wanted: Mapping[str, Mapping[str, object]]
) -> None:
    """Add, change and remove rows until the notebook's cells of this kind are the wanted ones."""
    rows = {row.name: row for row in gradebook.db.query(kind).filter_by(notebook_id=notebook.id)}
    for name, fields in wanted.items():
        row = rows.pop(name, None)
        if row is None:
            gradebook.db.add(kind(name=name, notebook=notebook, **fields))
        else:
            for field, value in fields.items():
                if getattr(row, field) != value:
                    setattr(row, field, value)
    for name, row in rows.items():
        if kind is not SourceCell:
            _drop_marks(gradebook, notebook, name, row)
        gradebook.db.delete(row)
    gradebook.db.flush()


def _drop_marks(gradebook: Gradebook, notebook: Notebook, name: str, cell: BaseCell) -> None:
    """Forget the marks of a part that is no longer asked for, unless a person gave them."""
    db = gradebook.db
    by_hand = db.query(Grade).filter(
        Grade.cell_id == cell.id, or_(Grade.manual_score.is_not(None), Grade.extra_credit.is_not(None))
    )
    words = db.query(Comment).filter(Comment.cell_id == cell.id, Comment.manual_comment.is_not(None))
    if by_hand.first() or words.first():
        raise UsageError(
            f"the gradebook holds marks or comments that a person gave for {name!r} of "
            f"{notebook.assignment.name}/{notebook.name}, which the course no longer asks for: "
            "put the part back, or name another gradebook with --db"
        )
    db.execute(delete(Grade).where(Grade.cell_id == cell.id))
    db.execute(delete(Comment).where(Comment.cell_id == cell.id))


def _drop_notebooks(gradebook: Gradebook, assignment: Assignment, wanted: set[str]) -> None:
    for notebook in list(assignment.notebooks):
        if notebook.name in wanted:
            continue
        for cell in list(notebook.grade_cells) + list(notebook.solution_cells):
            _drop_marks(gradebook, notebook, cell.name, cell)
        gradebook.remove_notebook(notebook.name, assignment.name)


def _ids(notebook: Notebook) -> NotebookIds:
    return NotebookIds(
        notebook.id,
        {cell.name.removesuffix(CHECK_SUFFIX): cell.id for cell in notebook.grade_cells},
        {cell.name: cell.id for cell in notebook.solution_cells},
    )
