"""The notebook of a perfect student, cut out of a solutions file: what answers use comes along, nothing else."""

from __future__ import annotations

import pytest

from autograder.course.model import Prose
from autograder.notebook.fill import reference_answers
from tests.conftest import ROOT

NAMES = sorted(path.stem for path in (ROOT / "solutions").glob("[a-z]*.py"))


@pytest.mark.parametrize("name", NAMES)
def test_the_cells_of_a_reference_stand_on_their_own(real, name):
    problem, source = real.problems[name], (ROOT / "solutions" / f"{name}.py").read_text()
    cells = reference_answers(problem, real.solutions[name], source)
    defined: dict[str, object] = {}
    run = [part.name for part in problem.parts if not isinstance(part, Prose)]
    for part in run:
        exec(compile(cells[part], f"{part} of {name}", "exec"), defined)
        assert "@mistake" not in cells[part]
    assert set(run) <= set(defined)
