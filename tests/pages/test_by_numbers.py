"""What a class earned by the numbers that each student was given, where a problem varies."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from autograder.course.load import load_course
from autograder.course.model import Mistake, one_of
from autograder.course.varying_problem import in_general, number_for, values_of
from autograder.grade.report import PartReport, Report, Status
from autograder.pages.class_report import render_report
from autograder.pages.frequent_mistakes import find_mistakes
from tests.conftest import ROOT

STUDENTS = ("ada", "ben", "cy", "dee", "eva", "fay")


@pytest.fixture(scope="module")
def course():
    """One problem with K of two values, C of two and n of very many."""
    whole = load_course(ROOT / "examples" / "courses" / "building_blocks")
    varies = {"K": one_of(3, 5), "C": one_of(32, 64), "n": one_of(*range(100))}
    own = replace(whole.problems["own_numbers"], title="{C} kernels, {2*K} rows", varies=varies)
    sets = tuple(replace(group, problems=(own.id,)) for group in whole.sets if own.id in group.problems)
    return replace(whole, problems={own.id: own}, solutions={own.id: whole.solutions[own.id]}, sets=sets)


def numbers(course, student):
    (problem,) = course.problems.values()
    return values_of(problem, number_for(problem, course.secret, student))


def class_of_six(course):
    """Those with K = 3 have it all right, the others half of it; the last one's waits for a person."""
    (problem,) = course.problems.values()
    reports = []
    for student in STUDENTS:
        right = numbers(course, student)["K"] == 3
        status = Status.MANUAL if student == STUDENTS[-1] else Status.GRADED
        rows = tuple(
            PartReport(
                part.name, (0 if status is Status.MANUAL else 1 if right else 0.5), 1, status, "", "so"
            )
            for part in problem.parts
        )
        reports.append(Report(student, "sheet", problem.id, rows))
    return reports


def rows_of(page):
    table = re.search(r"By the numbers that students were given.*?</table>", page, re.S)
    assert table
    return [
        [re.sub(r"<[^>]+>", "", cell) for cell in re.findall(r"<t[dh].*?</t[dh]>", row)]
        for row in re.findall(r"<tr>(.*?)</tr>", table[0], re.S)
    ]


def test_the_marks_stand_by_the_numbers_also_where_there_is_one_problem_alone(course):
    head, *rows = rows_of(render_report(course, class_of_six(course), isolation=True))
    assert head == ["numbers", "marked", "mean %"]
    had = {student: numbers(course, student) for student in STUDENTS}
    assert [row[0] for row in rows] == ["K = 3", "K = 5", "C = 32", "C = 64"]  # n has too many values
    for says, marked, average in rows:
        name, value = says.split(" = ")
        with_it = [student for student in STUDENTS if str(had[student][name]) == value]
        counted = [student for student in with_it if student != STUDENTS[-1]]
        earned = [100 if had[student]["K"] == 3 else 50 for student in counted]
        assert marked == f"{len(counted)} of {len(with_it)}"
        assert average == (str(round(sum(earned) / len(earned), 1)) if earned else "–")


def test_a_title_and_a_slip_speak_of_all_variants_by_the_names_of_what_varies(course):
    (problem,) = course.problems.values()
    assert in_general(r"{C} kernels, {2*K} rows, \frac{K}{2}", problem) == r"C kernels, 2*K rows, \frac{K}{2}"
    reports = class_of_six(course)
    page = render_report(course, reports, isolation=True)
    assert "C kernels, 2*K rows" in page
    assert "{C}" not in page
    slip = Mistake("no_biases", problem.parts[0].name, "the {C} biases are missing", "1")
    solution = replace(course.solutions[problem.id], mistakes=(slip,))
    rows = (replace(reports[0].parts[0], mistake="no_biases", score=0), *reports[0].parts[1:])
    listed = replace(course, solutions={problem.id: solution})
    (entry,) = find_mistakes(listed, [replace(reports[0], parts=rows)])
    assert entry.says == "the C biases are missing"


def test_a_problem_that_does_not_vary_keeps_its_braces(course):
    (problem,) = course.problems.values()
    assert in_general("{C}", replace(problem, varies={})) == "{C}"
