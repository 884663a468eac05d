"""Fixtures that many tests share: a small course, the real one, and one warm sandbox a test process."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from autograder.course import Course, load_course
from autograder.notebook.build import build_notebook
from autograder.notebook.fill import fill
from autograder.sandbox import Sandbox

ROOT = Path(__file__).resolve().parent.parent
SMALL = Path(__file__).resolve().parent / "fixtures" / "small"


@pytest.fixture(scope="session")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox(workers=1) as opened:
        yield opened


@pytest.fixture(scope="session")
def small() -> Course:
    return load_course(SMALL)


@pytest.fixture(scope="session")
def real() -> Course:
    return load_course(ROOT)


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """A copy of the small course that a test may break."""
    return Path(shutil.copytree(SMALL, tmp_path / "course"))


@pytest.fixture
def notebook(small: Course) -> Callable[..., bytes]:
    """The small course's notebook with these answer cells filled in."""

    def make(**answers: str) -> bytes:
        return fill(build_notebook(small.problems["scores"], "basics", small.root), answers)

    return make


@pytest.fixture
def edited(notebook: Callable[..., bytes]) -> Callable[..., bytes]:
    """A filled-in notebook after `edit` has changed its list of cells."""

    def make(edit: Callable[[list[dict]], None], **answers: str) -> bytes:
        data = json.loads(notebook(**answers))
        edit(data["cells"])
        return json.dumps(data).encode()

    return make
