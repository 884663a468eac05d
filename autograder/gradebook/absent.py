"""Who handed nothing in gets a place in nbgrader's gradebook, where a person can give marks."""

from __future__ import annotations

from nbgrader.api import Gradebook

from autograder.course.load import Course
from autograder.gradebook.assignments import stubs_of, write_structure
from autograder.gradebook.late import Deadlines
from autograder.gradebook.write_marks import NotebookMarks, write_entries


def make_place(gradebook: Gradebook, course: Course, deadlines: Deadlines, student: str, set_id: str) -> None:
    """Every notebook of the set without marks, as nbgrader has what was not handed in."""
    sets = write_structure(gradebook, stubs_of(course, [set_id]), deadlines.due)
    problem = next(iter(sets[set_id].notebooks))
    empty = NotebookMarks(student, set_id, problem, {}, silent=lambda part: False, changed=lambda part: False)
    with gradebook.engine.begin() as db:
        write_entries(db, [empty], sets, deadlines)
