"""A graded notebook's feedback page, written where its student's pages are."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from autograder.classroom.hand_ins import Handin
from autograder.classroom.notebooks import read_notebook
from autograder.classroom.tables import write_whole
from autograder.course.load import Course
from autograder.course.varying_problem import own_problem
from autograder.grade.report import Report
from autograder.gradebook.said_by_person import Said, SaidOfAll
from autograder.pages.feedback import render_feedback, said_print

HEAD = 2000  # bytes of a page within which it tells what a person said


def page_path(out: Path, handin: Handin) -> Path:
    return page_of(out, handin.student, handin.set, handin.problem)


def page_of(out: Path, student: str, set_id: str, problem: str) -> Path:
    return out / "feedback" / student / set_id / f"{problem}.html"


def write_page(
    path: Path,
    course: Course,
    report: Report,
    data: bytes,
    *,
    isolation: bool,
    said: Mapping[str, Said] | None = None,
) -> None:
    """Not durable: a page can be made again from the journal."""
    problem = own_problem(course, report.problem, report.student)
    page = render_feedback(problem, report, data, isolation=isolation, said=said, questions=course.questions)
    write_whole(path, page, durable=False)


def rewrite_page(out: Path, course: Course, report: Report, said: Mapping[str, Said]) -> None:
    """A page again, with what a person has said by now; nothing is done where it says so already."""
    who = report.identity
    path = page_of(out, *who)
    if _says(path, said_print(said)):
        return
    # Where the hand-in is no longer there, the copy that nbgrader shows has its answers.
    data = read_notebook(Path(report.path)) or read_notebook(copy_of(out, *who))
    write_page(path, course, report, data, isolation=report.isolated, said=said)


def by_notebook(said: SaidOfAll) -> dict[tuple[str, str, str], dict[str, Said]]:
    """What was said, by student, set and problem, and then by part."""
    found: dict[tuple[str, str, str], dict[str, Said]] = {}
    for place, each in said.items():
        found.setdefault((place.student, place.set, place.problem), {})[place.part] = each
    return found


def copy_of(out: Path, student: str, set_id: str, problem: str) -> Path:
    """The copy of a hand-in that the gradebook keeps."""
    return out / "autograded" / student / set_id / f"{problem}.ipynb"


def _says(path: Path, told: str) -> bool:
    try:
        with path.open("rb") as file:
            return f'name="said" content="{told}"'.encode() in file.read(HEAD)
    except OSError:
        return False
