"""A course of two problems in one set, reports on them, and a gradebook written in this very process."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from nbgrader.api import Gradebook

from autograder.course.load import load_course
from autograder.grade.report import PartReport, Report, Status
from autograder.gradebook.database_address import address
from autograder.gradebook.gradebook_process import write_all
from autograder.gradebook.messages import Arrived, Message
from autograder.gradebook.open_gradebook import open_gradebook
from autograder.notebook.build_notebooks import build_notebook
from autograder.notebook.fill import fill

RIGHT = "def scores(q, k):\n    return torch.softmax(q @ k.T, dim=1)"
POINTS = {"scores": 3.0, "axis": 1.0, "why": 2.0}


def report(student: str, problem: str = "scores", **scores: float | None) -> Report:
    """A report with these scores; None waits for a person, and what is not named was not answered."""
    parts = []
    for name, points in POINTS.items():
        score = scores.get(name, 0.0)
        status = Status.UNCHANGED if name not in scores else Status.MANUAL if score is None else Status.GRADED
        parts.append(PartReport(name, score or 0.0, points, status, "wrong", "not <yet> right"))
    return Report(student, "basics", problem, tuple(parts), 0.1)


class Pipe:
    """Messages as the gradebook's process reads them."""

    def __init__(self, messages: list[Message]) -> None:
        self._messages = [message.to_bytes() for message in messages] + [b""]

    def recv_bytes(self) -> bytes:
        return self._messages.pop(0)


@dataclass
class Clerk:
    """Writes reports of notebooks with given answers, and opens what was written."""

    root: Path
    out: Path
    messages: list[Message] = field(default_factory=list)

    def hand_in(self, graded: Report, timestamp: str = "", **answers: str) -> Report:
        """Put a notebook of these answers where a run would find it; the report then says where."""
        problem = load_course(self.root, solutions=False).problems[graded.problem]
        path = self.out.parent / "in" / graded.student / f"{graded.problem}.ipynb"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(fill(build_notebook(problem, "basics", self.root), answers))
        self.messages.append(Message(arrived=Arrived(graded, str(path), timestamp)))
        return replace(graded, path=str(path))

    def write(self, db: str | None = None) -> list[str]:
        messages, self.messages = self.messages, []
        return write_all(Pipe(messages), self.root, self.out, db, ["basics"])

    @contextmanager
    def gradebook(self) -> Iterator[Gradebook]:
        with Gradebook(f"sqlite:///{self.out / 'gradebook.db'}") as opened:
            yield opened

    def marks(self, problem: str = "scores") -> dict[str, dict[str, tuple[float | None, bool]]]:
        """Each student's automatic score and whether a person is waited for, by cell."""
        with self.gradebook() as gradebook:
            return {
                row.student.id: {g.name: (g.auto_score, g.needs_manual_grade) for g in row.grades}
                for row in gradebook.notebook_submissions(problem, "basics")
            }


@pytest.fixture
def twofold(copied: Path) -> Path:
    """The small course with its problem twice, so that a set has two notebooks."""
    for folder in ("problems", "solutions"):
        shutil.copy(copied / folder / "scores.py", copied / folder / "other.py")
    _set_index(copied, "")
    return copied


@pytest.fixture
def index(twofold: Path) -> Callable[..., None]:
    """Rewrite course.toml with further lines for the set and at the end."""

    def write(in_set: str = "", at_end: str = "") -> None:
        _set_index(twofold, in_set, at_end)

    return write


def _set_index(root: Path, in_set: str, at_end: str = "") -> None:
    text = f'title = "Two"\n[sets.basics]\nproblems = ["scores", "other"]\n{in_set}\n{at_end}\n'
    (root / "problems" / "course.toml").write_text(text)


@pytest.fixture(scope="session")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty gradebook, made once: nbgrader starts another program to make one."""
    folder = tmp_path_factory.mktemp("empty")
    with open_gradebook(address(None, folder)):
        return folder / "gradebook.db"


@pytest.fixture
def clerk(twofold: Path, tmp_path: Path, empty: Path) -> Clerk:
    out = tmp_path / "out"
    out.mkdir()
    shutil.copy(empty, out)
    return Clerk(twofold, out)
