"""The gradebook's last word on each notebook: its marks with a person's in them, less what lateness costs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Final:
    """Marks by student, set and problem; where a person gave some; how many answers still wait for one."""

    marks: dict[tuple[str, str, str], float]
    waiting: int
    by_hand: frozenset[tuple[str, str, str]] = frozenset()


def read_final(db: str | None, out: Path) -> Final:
    """Read the gradebook of a class; where there is none, nothing is final."""
    if db is None and not (out / "gradebook.db").is_file():
        return Final({}, 0)
    # Imported here: most exports need no nbgrader, and it takes a second.
    from nbgrader.api import Assignment, Grade, Notebook, SubmittedAssignment, SubmittedNotebook

    from autograder.gradebook.database_address import address
    from autograder.gradebook.open_gradebook import open_gradebook

    with open_gradebook(address(db, out)) as gradebook:
        places = gradebook.db.query(SubmittedAssignment.student_id, Assignment.name, Notebook.name)
        places = (
            places.select_from(SubmittedNotebook)
            .join(SubmittedAssignment, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
            .join(Notebook, SubmittedNotebook.notebook_id == Notebook.id)
            .join(Assignment, SubmittedAssignment.assignment_id == Assignment.id)
        )
        sums = places.add_columns(SubmittedNotebook.score, SubmittedNotebook.late_submission_penalty)
        marks = {
            (student, set_id, problem): max(0.0, (score or 0.0) - (penalty or 0.0))
            for student, set_id, problem, score, penalty in sums
        }
        marked = places.join(Grade, Grade.notebook_id == SubmittedNotebook.id)
        by_hand = marked.filter(Grade.manual_score.is_not(None)).distinct()
        waiting = gradebook.db.query(Grade).filter(Grade.needs_manual_grade).count()
    return Final(
        marks, waiting, frozenset((student, set_id, problem) for student, set_id, problem in by_hand)
    )
