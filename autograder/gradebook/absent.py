"""Who handed nothing in gets a place in nbgrader's gradebook, where a person can give marks."""

from __future__ import annotations

from nbgrader.api import Gradebook

from autograder.course.load import Course
from autograder.gradebook.assignments import read_structure, stubs_of, write_structure
from autograder.gradebook.late import Deadlines
from autograder.gradebook.write_marks import NotebookMarks, write_entries


def make_place(gradebook: Gradebook, course: Course, deadlines: Deadlines, student: str, set_id: str) -> None:
    """Every notebook of the set without marks, as nbgrader has what was not handed in."""
    # What a run has written is left as it is: the course may have been changed since it was opened here.
    sets = read_structure(gradebook, set_id)
    sets = sets or write_structure(gradebook, stubs_of(course, [set_id]), deadlines.due)
    gradebook.db.remove()
    problem = next(iter(sets[set_id].notebooks))
    empty = NotebookMarks(student, set_id, problem, {}, silent=lambda part: False, changed=lambda part: False)
    with gradebook.engine.begin() as db:
        write_entries(db, [empty], sets, deadlines)
