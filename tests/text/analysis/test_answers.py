"""Formulas with functions, reals, matrices and probabilities, as students may type them: the labelled table."""

from __future__ import annotations

import runpy
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from autograder.course.model import Formula, Key, Problem, Solution
from autograder.grade.submission import Grader
from autograder.notebook.build_notebooks import build_notebook
from autograder.notebook.fill import fill
from autograder.text.formula.judge import read_formula
from autograder.text.judge import judge_text, key_faults
from tests.conftest import ROOT

FAMILIES: list[dict[str, Any]] = tomllib.loads(
    Path(__file__).with_name("answers.toml").read_text(encoding="utf-8")
)["family"]
LABELS = ("equal", "different", "undecided", "unparseable")


def part_of(family: dict[str, Any]) -> Formula:
    return Formula("answer", 1, "", **{"variables": (), **family["settings"]})


def rows(family: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for label in LABELS:
        for answer in family.get(label, ()):
            yield label, answer


@pytest.mark.parametrize("family", FAMILIES, ids=[family["about"] for family in FAMILIES])
def test_answers_are_judged_as_they_were_labelled(family: dict[str, Any]) -> None:
    part, key = part_of(family), Key(family["key"])
    assert key_faults(part, key) == []
    found = [
        (answer, judge_text(answer, part, key), label) for label, answer in rows(family) if answer.strip()
    ]
    assert [
        (a, judged.verdict, judged.feedback) for a, judged, label in found if judged.verdict != label
    ] == []


def test_the_page_of_formulas_is_fresh() -> None:
    script = runpy.run_path(str(ROOT / "docs" / "make_formulas.py"))
    assert (ROOT / "docs" / "formulas.md").read_text(encoding="utf-8") == script["fresh"]()


def test_what_is_not_decided_waits_for_a_person(sandbox: Any) -> None:
    part = Formula("bayes", 2, "?", ["A", "B"], functions=["P"])
    problem = Problem("t", "s", "s", [part], id="p")
    notebook = fill(build_notebook(problem, "set", ROOT), {"bayes": 'bayes = "P(A, B)/P(B)"'})
    solution = Solution({"bayes": Key("P(B|A) P(A)/P(B)")})
    (report,) = Grader(problem, solution, "secret").grade(notebook, "ada", sandbox.run)
    assert (report.status, report.verdict, report.score) == ("manual", "undecided", 0)


def test_an_event_is_read_without_its_sign_as_a_name():
    part = Formula("f", 1, "?", variables=["X", "Y"], functions=["P"])
    read = read_formula("P(X = 1 | Y > 2) P(not Y)/P(X ∩ Y)", part)
    assert read.plain == "P(X = 1 | Y > 2)*P(not Y)/P(X ∩ Y)"
    assert read.notes == ()
    judged = judge_text("P(X = 1 | Y > 2) + 0", part, Key("P(X = 1 | Y > 2)"))
    assert judged.verdict == "equal"


def test_an_inverse_stays_at_its_place_in_a_product():
    part = Formula("f", 1, "?", variables=[], matrices=["A", "B"], vectors=["x"])
    read = read_formula("A^T B^{-1} x", part)
    assert (read.plain, read.latex) == ("A^T*B^(-1)*x", r"A^{\top} B^{-1} x")
    assert read_formula(read.plain, part).plain == read.plain


def test_exp_is_the_exponential_where_e_is_a_name_of_the_question():
    part = Formula("f", 1, "?", variables=["e"], reals=["x"])
    assert judge_text("e*exp(x)", part, Key("e*exp(x)")).verdict == "equal"
    assert judge_text("e*e^x", part, Key("e*exp(x)")).verdict == "different"
