"""One ground and one warm sandbox in each tier that works here, shared by all attacks of a session."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Callable, Iterator

import pytest
import torch

from autograder.calls.expected import expect, plan
from autograder.calls.inputs import revive
from autograder.calls.requests_and_outcomes import Limits, override
from autograder.course.load import Course
from autograder.grade.report import PartReport
from autograder.grade.submission import Grader
from autograder.notebook.build_notebooks import build_notebook
from autograder.notebook.fill import fill
from autograder.sandbox.parent_pool import Sandbox
from autograder.sandbox.tiers import bubblewrap_fault
from tests.attacks.attack import AXIS, RIGHT, Attack
from tests.attacks.families.tampering import code, find
from tests.attacks.ground import Ground, open_ground

TIERS = ["landlock"] if bubblewrap_fault() else ["bubblewrap", "landlock"]
SHORT = Limits(
    wall_seconds=60, cpu_seconds=20, memory_mb=512, file_mb=4, cell_seconds=10, call_seconds=1, threads=16
)
Reports = dict[str, PartReport]
Handed = Callable[[bytes, dict[str, float]], Reports]


@pytest.fixture(scope="session", params=TIERS)
def sandbox(request: pytest.FixtureRequest) -> Iterator[Sandbox]:
    with Sandbox(limits=SHORT, bubblewrap=request.param == "bubblewrap") as warm:
        yield warm


@pytest.fixture(scope="session")
def ground(tmp_path_factory: pytest.TempPathFactory, small: Course) -> Iterator[Ground]:
    with open_ground(tmp_path_factory.mktemp("ground"), small.root, repr(visible_answers(small))) as opened:
        yield opened


def visible_answers(course: Course) -> dict[str, list[list[float]]]:
    """What a cheat can know: the right values of the visible cases, by a digest of the inputs."""
    problem, solution = course.problems["scores"], course.solutions["scores"]
    table = {}
    for planned in plan(problem, problem.part("scores"), "unknown", "eve"):
        if not planned.case.hidden:
            q, k = (revive(argument) for argument in planned.arguments)
            digest = hashlib.sha256(q.numpy().tobytes() + k.numpy().tobytes()).hexdigest()
            values = expect(solution.answers["scores"], planned).outputs[0].values
            table[digest] = values.to(torch.float32).tolist()
    return table


@pytest.fixture(scope="session")
def stub(small: Course) -> str:
    return build_notebook(small.problems["scores"], "basics", small.root)


def grade_with(sandbox: Sandbox, small: Course) -> Handed:
    """How notebooks are graded in a sandbox: bytes and changed limits in, a report for each part out."""
    grader = Grader(small.problems["scores"], small.solutions["scores"], small.secret)

    def grade(data: bytes, limits: dict[str, float]) -> Reports:
        own = override(sandbox.limits, limits)
        reports = grader.grade(
            data,
            "eve",
            lambda cells, asked, further=None, files=None: sandbox.run(cells, asked, own, further),
        )
        return {report.part: report for report in reports}

    return grade


@pytest.fixture
def handed(sandbox: Sandbox, small: Course) -> Handed:
    return grade_with(sandbox, small)


def notebook_of(attack: Attack, stub: str, ground: Ground) -> bytes:
    """The notebook that a hostile student hands in."""
    attack = dataclasses.replace(
        attack,
        scores=ground.fill(attack.scores),
        before=tuple(ground.fill(source) for source in attack.before),
    )
    return with_cells(fill(stub, {"scores": attack.scores, "axis": attack.axis}), attack.before)


def with_cells(data: bytes, sources: tuple[str, ...]) -> bytes:
    """The notebook with these cells in front of the first answer."""
    notebook = json.loads(data)
    place = notebook["cells"].index(find(notebook, "scores"))
    notebook["cells"][place:place] = [code(source) for source in sources]
    return json.dumps(notebook).encode()


@pytest.fixture(scope="session")
def honest(stub: str) -> bytes:
    return fill(stub, {"scores": RIGHT, "axis": AXIS})
