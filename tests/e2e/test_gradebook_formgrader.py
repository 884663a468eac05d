"""nbgrader's Formgrader on our gradebook, in a real browser: marks are shown, given, kept and graded again."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from nbgrader.api import Gradebook
from playwright.sync_api import expect

from autograder.notebook.build_notebooks import build_notebook
from autograder.notebook.fill import fill, reference_answers
from tests.conftest import ROOT

pytestmark = pytest.mark.e2e
PATIENT = 120_000  # milliseconds: a notebook server on a busy machine
PROSE_SET, PROSE_PROBLEM, PROSE = "deep_learning_hw2", "linear_attention", "why_linear"

ESSAY = "Without the softmax one can *move the brackets*, and then a small matrix is shared by all positions."


@pytest.fixture
def out(real, tmp_path):
    """Two students' work, graded: one of them has written an essay that waits for a person."""
    submitted, folder = tmp_path / "submitted", tmp_path / "out"
    for student in ("ada", "boris"):
        shutil.copytree(ROOT / "examples" / "submitted" / student, submitted / student)
    problem = real.problems[PROSE_PROBLEM]
    source = (ROOT / "solutions" / f"{PROSE_PROBLEM}.py").read_text()
    answers = reference_answers(problem, real.solutions[PROSE_PROBLEM], source)
    answers |= {PROSE: ESSAY, "linear_time": 'linear_time = "O(T^2 d)"'}
    path = submitted / "ada" / PROSE_SET / f"{PROSE_PROBLEM}.ipynb"
    path.parent.mkdir()
    path.write_bytes(fill(build_notebook(problem, PROSE_SET, ROOT), answers))
    grade(folder)
    return folder


def grade(out, *options):
    command = [sys.executable, "-m", "autograder", "grade", str(out.parent / "submitted"), "--out", str(out)]
    done = subprocess.run(
        [*command, "--course", str(ROOT), *options], capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, done.stderr


def scores(out: Path) -> dict[tuple[str, str], float]:
    with Gradebook(f"sqlite:///{out / 'gradebook.db'}") as gradebook:
        return {
            (student.id, submission.name): submission.score
            for student in gradebook.students
            for submission in student.submissions
        }


def test_an_instructor_reads_marks_and_grades_again_in_formgrader(out, lab, page, tmp_path):
    opened = lab(out)
    formgrader = f"{opened.url}/formgrader"
    page.set_extra_http_headers({"Authorization": f"token {opened.token}"})
    page.set_default_timeout(PATIENT)
    expect.set_options(timeout=PATIENT)
    before = scores(out)

    page.goto(f"{formgrader}/manage_submissions/transformers")
    row = page.locator("tr", has_text="boris")
    expect(row).to_contain_text(f"{before['boris', 'transformers']:g} / 24")
    page.screenshot(path=tmp_path / "formgrader-class.png")

    row.locator(".autograde a").click()
    expect(page.locator(".modal-body")).to_contain_text("Successfully autograded 'transformers'")
    assert scores(out) == before

    page.goto(f"{formgrader}/gradebook/{PROSE_SET}/{PROSE_PROBLEM}")
    page.get_by_text("Submission #1").click()
    box = page.locator(f"input.score#{PROSE}")
    expect(box).to_have_class("score tabbable needs_manual_grade")
    expect(page.locator("input.score#linear_time-check")).to_have_attribute("placeholder", "0")
    expect(page.locator(".output_html", has_text="0 of 2 points").first).to_be_visible()
    box.scroll_into_view_if_needed()
    page.screenshot(path=tmp_path / "formgrader-essay.png")
    box.fill("2.5")
    page.locator(f"textarea#{PROSE}-comment").fill("Say which sum is shared.")
    with page.expect_response(lambda answer: "/api/comment/" in answer.url):
        page.locator(f"textarea#{PROSE}-comment").blur()
    after = {**before, ("ada", PROSE_SET): before["ada", PROSE_SET] + 2.5}
    assert scores(out) == after

    grade(out, "--regrade")
    assert scores(out) == after
    with Gradebook(f"sqlite:///{out / 'gradebook.db'}") as gradebook:
        assert not gradebook.find_grade(PROSE, PROSE_PROBLEM, PROSE_SET, "ada").needs_manual_grade
        words = gradebook.find_comment(PROSE, PROSE_PROBLEM, PROSE_SET, "ada").comment
        assert words == "Say which sum is shared."
