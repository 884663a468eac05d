"""A right answer in any style earns full marks: every collected variant, through the real sandbox."""

from __future__ import annotations

import importlib
import pkgutil

import pytest

from autograder.course.model import Code
from autograder.grade.submission import Grader
from autograder.notebook.build_notebooks import build_notebook
from autograder.notebook.fill import fill
from tests.problems import variants

COLLECTED = {
    module.name: importlib.import_module(f"tests.problems.variants.{module.name}").VARIANTS
    for module in pkgutil.iter_modules(variants.__path__)
}
CASES = [
    pytest.param(problem, function, source, id=f"{function}-{style}")
    for problem, functions in COLLECTED.items()
    for function, styles in functions.items()
    for style, source in styles.items()
]


@pytest.mark.parametrize(("problem", "function", "source"), CASES)
def test_a_right_answer_in_any_style_earns_full_marks(real, sandbox, problem, function, source):
    asked = real.problems[problem]
    grader = Grader(asked, real.solutions[problem], real.secret)
    data = fill(build_notebook(asked, "any", real.root), {function: source})
    report = next(r for r in grader.grade(data, "ada", sandbox.run) if r.part == function)
    assert report.score == report.max_score, report.feedback


def test_every_function_has_at_least_four_styles(real):
    for name, problem in real.problems.items():
        for part in problem.parts:
            if isinstance(part, Code):
                assert len(COLLECTED.get(name, {}).get(part.name, {})) >= 4, f"{name}.{part.name}"
