"""Fixtures that many tests share: a small course, the real one, and one warm sandbox a test process."""

from __future__ import annotations

import json
import os
import shutil
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import torch
from hypothesis import HealthCheck, settings

from autograder.course.load import Course, load_course
from autograder.notebook.build_notebooks import build_notebook
from autograder.notebook.fill import fill
from autograder.release.handout import Handout
from autograder.release.make_handout import make_handout

if TYPE_CHECKING:
    from autograder.sandbox.parent_pool import Sandbox

ROOT = Path(__file__).resolve().parent.parent
SMALL = Path(__file__).resolve().parent / "fixtures" / "small"

# How long an example takes says how busy the machine is, and nothing about the example.
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")


# As in every process that grades or verifies: the tensors are tiny, and more threads only wait for one another.
torch.set_num_threads(1)

# A suite started in the background inherits interrupts that are ignored; those that tests send have to be heard.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session", autouse=True)
def prints_of_edits(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """What edits of references give is computed once a run, in a folder that its processes share."""
    own = tmp_path_factory.getbasetemp()
    folder = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "prints"
    folder.mkdir(exist_ok=True)
    before = os.environ.get("AUTOGRADER_CACHE")
    os.environ["AUTOGRADER_CACHE"] = str(folder)
    yield folder
    os.environ.pop("AUTOGRADER_CACHE")
    if before is not None:
        os.environ["AUTOGRADER_CACHE"] = before


@pytest.fixture(scope="session")
def sandbox() -> Iterator[Sandbox]:
    from autograder.sandbox.parent_pool import Sandbox  # where students run their checks there may be none

    with Sandbox(workers=1) as opened:
        yield opened


@pytest.fixture(scope="session")
def small() -> Course:
    return load_course(SMALL)


@pytest.fixture(scope="session")
def real() -> Course:
    return load_course(ROOT)


@pytest.fixture(scope="session")
def handout(small: Course) -> Handout:
    """What a student's machine knows of the small course's problem."""
    return make_handout(small, small.problems["scores"])


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
