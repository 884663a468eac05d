"""A graded class as the desk has it open: its course, its reports, and people's marks in its gradebook."""

from __future__ import annotations

from asyncio import Task
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from autograder.classroom.feedback_pages import by_notebook, rewrite_page
from autograder.course.load import Course
from autograder.course.model import Prose
from autograder.desk.find_marks import find_marks
from autograder.desk.journal_follower import Following
from autograder.gradebook.absent import make_place
from autograder.gradebook.by_hand import HandMarks
from autograder.gradebook.database_address import shown
from autograder.gradebook.late import Deadlines, read_deadlines
from autograder.gradebook.open_gradebook import Gradebook, open_gradebook
from autograder.gradebook.said_by_person import AnswerPlace


@dataclass(frozen=True)
class OpenQuestion:
    """A part of a problem in a set: what is marked one answer after another."""

    set: str
    problem: str
    part: str

    def of(self, student: str) -> AnswerPlace:
        return AnswerPlace(student, self.set, self.problem, self.part)


@dataclass
class OpenClass:
    """Everything that the pages of the desk are made from."""

    course: Course
    out: Path
    hand: HandMarks
    reports: Following
    deadlines: Deadlines
    book: Gradebook
    gradebook: str  # its address, for people
    db: str | None = None
    running: str = ""  # what is being graded again
    outcome: str = ""  # what came of that, until somebody was told
    run: Task[None] | None = None  # that sees to it

    def prose(self) -> Iterator[OpenQuestion]:
        """The prose parts of sets that somebody handed in."""
        handed_in = {(set_id, problem) for _, set_id, problem in self.reports.summaries}
        for group, problem in self.course.assignments:
            for part in problem.parts if (group.id, problem.id) in handed_in else ():
                if isinstance(part, Prose):
                    yield OpenQuestion(group.id, problem.id, part.name)

    def find(self, set_id: str, problem: str, part: str) -> OpenQuestion | None:
        """The question of these names, if the course has it."""
        found = self.course.find(set_id, problem)
        known = found is not None and any(each.name == part for each in found.parts)
        return OpenQuestion(set_id, problem, part) if known else None

    def make_place(self, student: str, set_id: str) -> None:
        """Where the marks of somebody who handed nothing in can be written."""
        make_place(self.book, self.course, self.deadlines, student, set_id)

    def seed_rubrics(self) -> None:
        """The items that authors wrote come first; those that markers add follow them."""
        for problem in self.course.problems.values():
            for part in problem.parts:
                if isinstance(part, Prose) and part.rubric:
                    items = ((item.points, item.says) for item in part.rubric)
                    self.hand.add_items(problem.id, part.name, items, authored=True)

    def renew_pages(self, students: Iterable[tuple[str, str, str]] = ()) -> None:
        """Pages say what people have said by now: of these notebooks, or of all that are spoken of."""
        said = by_notebook(self.hand.said())
        for who in students or said:
            report = self.reports.report(who)
            if report is not None and report.problem in self.course.problems:
                rewrite_page(self.out, self.course, report, said.get(who, {}))


@contextmanager
def open_class(course: Course, out: Path, db: str | None) -> Iterator[OpenClass]:
    """Open the results of a class for people to mark."""
    url = find_marks(out, db)
    deadlines = read_deadlines(course.root)
    with open_gradebook(url) as gradebook:
        hand = HandMarks(gradebook.engine, deadlines.rule)
        opened = OpenClass(course, out, hand, Following(out), deadlines, gradebook, shown(url), db)
        opened.reports.refresh()
        opened.seed_rubrics()
        yield opened
