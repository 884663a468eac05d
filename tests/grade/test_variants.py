"""Problems whose numbers differ from student to student: handed out, graded, and told apart."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from autograder.course.load import load_course
from autograder.course.model import Formula, Key, Problem, Solution, one_of
from autograder.course.small_kinds import Matrix, Number, Shape
from autograder.course.varying_problem import count, number_for, own_problem, put_in, values_of, variant
from autograder.errors import CourseError, UsageError
from autograder.grade.submission import Grader
from autograder.notebook.build_notebooks import build_notebook
from autograder.notebook.fill import fill
from autograder.release.bundle import build_bundles, read_roster
from autograder.verify.proof import verify_variants
from tests.conftest import ROOT

COURSE = ROOT / "examples" / "courses" / "building_blocks"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("{C} kernels of ${K} \\times {K}$", "64 kernels of $5 \\times 5$"),
        ("{C*(3*K*K + 1)}", "4864"),
        ("\\frac{K}{2} x^{K} \\sqrt{n}", "\\frac{5}{2} x^{5} \\sqrt{n}"),
        ("x \\in \\mathbb{C}^{C}, \\mathrm{K}", "x \\in \\mathbb{C}^{64}, \\mathrm{K}"),
        ("{C/K}, {C//K}, {C/4}", "12.8, 12, 16"),
        ("{x}, {}, {K.real}, {open('f')}, \\begin{align}", "{x}, {}, {K.real}, {open('f')}, \\begin{align}"),
    ],
)
def test_what_stands_in_braces_is_worked_out(text: str, shown: str) -> None:
    assert put_in(text, {"K": 5, "C": 64}) == shown


def test_a_class_of_sixty_is_graded_by_its_own_numbers_and_copies_are_told(sandbox: Any) -> None:
    course = load_course(COURSE)
    problem = course.problems["own_numbers"]
    grader = Grader(problem, course.solutions[problem.id], course.secret)
    students = [f"student{number:02}" for number in range(60)]
    bundles = build_bundles(course, course.sets, students)
    numbers = {student: number_for(problem, course.secret, student) for student in students}
    assert len(set(numbers.values())) > 12
    scores = {}
    for at, student in enumerate(students):
        mine = own_problem(course, problem.id, student)
        values = values_of(problem, numbers[student])
        notebook = bundles[student]["sheet/own_numbers.ipynb"].decode()
        assert json.loads(notebook)["metadata"]["autograder"]["variant"] == numbers[student] == mine.variant
        assert f"${values['K']} \\times {values['K']}$" in "".join(json.loads(notebook)["cells"][0]["source"])
        right = values["C"] * (3 * values["K"] ** 2 + 1)
        neighbour = students[at - 1]
        other = values_of(problem, numbers[neighbour])
        copied = other["C"] * (3 * other["K"] ** 2 + 1)
        answer = copied if at % 3 == 1 else right
        handed_in = bundles[neighbour]["sheet/own_numbers.ipynb"].decode() if at % 3 == 2 else notebook
        data = fill(handed_in, {"parameters": f'parameters = "{answer}"'})
        report = grader.grade(data, student, sandbox.run)[0]
        scores[student] = report.score
        if at % 3 == 0:
            assert (report.score, report.verdict) == (1, "equal")
        elif at % 3 == 1:
            assert report.score == (copied == right)
            if copied != right:
                assert report.mistake == "other_variant"
                assert "other numbers than those of your sheet" in report.feedback
        elif numbers[neighbour] != numbers[student]:
            assert (report.score, report.status, report.mistake) == (0, "manual", "other_variant")
            assert f"this notebook is variant {numbers[neighbour] + 1}" in report.feedback
    assert sum(scores.values()) >= 20


def test_a_thousand_variants_are_proved_by_their_keys(sandbox: Any) -> None:
    course = load_course(COURSE)
    part = Number("area", 1, "What is {A} times {B}?")
    varies = {"A": one_of(*range(2, 42)), "B": one_of(*range(50, 75))}
    problem = Problem("Areas", "s", "A field of {A} by {B}.", [part], id="areas", varies=varies)
    solution = Solution({"area": Key("{A*B}")})
    files = {**course.files, "solutions/areas.py": b'area = "{A*B}"\n'}
    course = replace(course, problems={"areas": problem}, solutions={"areas": solution}, files=files)
    checks = list(verify_variants(course, problem, sandbox.run))
    assert [check.sentence for check in checks if not check.passed] == []
    assert count(problem) == 1000
    assert checks[-1].found.startswith("1000 of 1000 variants hold")


def test_a_variant_whose_key_is_wrong_is_found(sandbox: Any) -> None:
    course = load_course(COURSE)
    problem = course.problems["own_numbers"]
    answers = {**course.solutions[problem.id].answers, "parameters": Key("{C} +")}
    course = replace(course, solutions={problem.id: replace(course.solutions[problem.id], answers=answers)})
    with pytest.raises(CourseError, match="parameters: cannot read '32 \\+'"):
        list(verify_variants(course, problem, sandbox.run))


def test_variants_are_the_same_whenever_asked_for() -> None:
    problem = load_course(COURSE).problems["own_numbers"]
    assert number_for(problem, "a", "ada") == number_for(problem, "a", "ada")
    assert len({number_for(problem, "a", f"s{number}") for number in range(200)}) == count(problem) == 18
    notebook = build_notebook(variant(problem, 7), "sheet", ROOT)
    assert "Variant 8" in notebook


def test_a_roster_names_its_students() -> None:
    assert read_roster("name,student\nAda L.,ada\nBob,bob\n") == ("ada", "bob")
    with pytest.raises(UsageError, match="no column"):
        read_roster("ada\nbob\n")
    with pytest.raises(UsageError, match="can be no folder"):
        read_roster("student\n../x\n")
    with pytest.raises(UsageError, match="names ada twice"):
        read_roster("id\nada\nada\n")


def test_a_copied_answer_is_told_among_a_thousand_variants_without_the_factor_between(sandbox: Any) -> None:
    varies = {"A": one_of(*range(2, 42)), "B": one_of(*range(50, 75))}
    part = Formula("area", 1, "In x, {A} times {B}?", ["x"])
    problem = Problem("Areas", "s", "A field of {A} by {B}.", [part], id="areas", varies=varies)
    grader = Grader(problem, Solution({"area": Key("{A*B} x")}), "secret")
    own = values_of(problem, number_for(problem, "secret", "ada"))
    right = Fraction(own["A"] * own["B"])
    copied = next(a * b for a in range(2, 42) for b in range(50, 75) if (a * b / right).numerator > 16)
    notebook = build_notebook(variant(problem, number_for(problem, "secret", "ada")), "sheet", ROOT)
    (report,) = grader.grade(fill(notebook, {"area": f'area = "{copied} x"'}), "ada", sandbox.run)
    assert report.mistake == "other_variant"
    assert report.feedback.endswith("it would be right for other numbers than those of your sheet")
    assert "off by a constant factor;" in report.feedback


@pytest.mark.parametrize(
    ("part", "key", "copied", "own"),
    [
        (Formula("area", 1, "{A}?", ["x"]), "{A} x + {B}", "{A} x + {B}", "x^2 + 1"),
        (Formula("area", 1, "{A}?", [], reals=["x"]), "sin({A} x) + {B}", "{B} + sin({A} x)", "cos(x)"),
        (Number("area", 1, "{A}?", unit="bits"), "{A} * {B}", "{A*B} bits", "7 bits"),
        (Shape("area", 1, "{A}?"), "({A}, {B})", "[{A}, {B}]", "(7, 7)"),
        (Matrix("area", 1, "{A}?"), "[[{A}], [{B}]]", "[{A}; {B}]", "[7; 7]"),
    ],
)
def test_the_key_of_another_variant_is_told_in_every_kind(sandbox, part, key, copied, own) -> None:
    varies = {"A": one_of(*range(2, 42)), "B": one_of(*range(50, 75))}
    problem = Problem("Areas", "s", "A field of {A} by {B}.", [part], id="areas", varies=varies)
    grader = Grader(problem, Solution({"area": Key(key)}), "secret")
    number = number_for(problem, "secret", "ada")
    notebook = build_notebook(variant(problem, number), "sheet", ROOT)
    others = put_in(copied, values_of(problem, (number + 77) % 1000))
    for answer, told in ((others, "other_variant"), (own, None)):
        (report,) = grader.grade(fill(notebook, {"area": f'area = "{answer}"'}), "ada", sandbox.run)
        assert report.score == 0
        assert (report.mistake == "other_variant") == bool(told), (answer, report)
