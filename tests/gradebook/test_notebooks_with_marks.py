"""The notebook that nbgrader shows: answers as handed in, and check cells from which it reads our scores."""

from __future__ import annotations

import json

import nbformat
import pytest
from nbgrader.nbgraderformat import MetadataValidator
from nbgrader.utils import determine_grade

from autograder.gradebook.notebooks_with_marks import answer_in, make_copy
from autograder.notebook.build_notebooks import build_notebook
from tests.gradebook.conftest import RIGHT, report

FULL = {"scores": RIGHT, "axis": 'axis = "a"', "why": "Because."}
SCORES = {"scores": 1.5, "axis": 0.1 + 0.2, "why": None}


@pytest.fixture
def stub(small):
    return json.loads(build_notebook(small.problems["scores"], "basics", small.root))


@pytest.fixture
def copy(small, stub):
    def make(data, **scores):
        parts = {part.part: part for part in report("ada", **scores).parts}
        return make_copy(small.problems["scores"], stub, data, parts)

    return make


def cells(copy):
    """The cells as nbgrader sees them, by name, after its own checks of the notebook."""
    notebook = nbformat.from_dict(copy)
    nbformat.validate(notebook)
    MetadataValidator().validate_nb(notebook)
    named = [cell for cell in notebook.cells if "nbgrader" in cell.metadata]
    found = {cell.metadata.nbgrader.grade_id: cell for cell in named}
    assert len(found) == len(named), "a name is taken twice"
    return found


def grades(copy):
    return {
        name: determine_grade(cell)[0] for name, cell in cells(copy).items() if cell.metadata.nbgrader.grade
    }


def test_nbgrader_reads_our_very_scores(copy, notebook):
    made = copy(notebook(**FULL), **SCORES)
    assert grades(made) == {"scores-check": 1.5, "axis-check": 0.1 + 0.2, "why": None}


def test_what_was_found_stands_in_the_check_cell_and_is_escaped(copy, notebook):
    output = cells(copy(notebook(**FULL), **SCORES))["scores-check"].outputs[0]
    assert "1.5 of 3 points" in output.data["text/html"]
    assert "not &lt;yet&gt; right" in output.data["text/html"]


def test_an_unanswered_notebook_earns_nothing_and_stays_as_it_was(copy, notebook, stub):
    made = copy(notebook())
    assert grades(made) == {"scores-check": 0.0, "axis-check": 0.0, "why": 0}
    assert all(answer_in(made, part) == answer_in(stub, part) for part in ("scores", "axis", "why"))


@pytest.mark.parametrize("data", [b"", b"{", b"\xff", b"[]", b'{"nbformat": 2}'])
def test_an_unreadable_file_becomes_the_notebook_as_handed_out(copy, data):
    made = copy(data)
    assert set(cells(made)) >= {"statement", "setup", "scores", "scores-check", "why", "summary"}
    assert grades(made) == {"scores-check": 0.0, "axis-check": 0.0, "why": 0}


def test_prose_of_blanks_is_as_good_as_none(copy, notebook):
    assert grades(copy(notebook(why="  \n ")))["why"] == 0


def test_deleted_check_cells_come_back_after_their_answers(copy, edited):
    def remove(listed):
        listed[:] = [cell for cell in listed if not cell["id"].endswith(("-check", "-ask"))]

    made = copy(edited(remove, **FULL), **SCORES)
    assert grades(made) == {"scores-check": 1.5, "axis-check": 0.1 + 0.2, "why": None}
    order = list(cells(made))
    assert order.index("scores-check") == order.index("scores") + 1


def test_of_two_cells_with_one_name_the_judged_one_is_shown(copy, edited):
    def double(listed):
        answer = next(cell for cell in listed if cell["id"] == "why")
        listed.append({**answer, "id": "again", "source": ["*Write your answer here.*"]})

    made = copy(edited(double, **FULL), **SCORES)
    assert cells(made)["why"].source == "Because."
    assert answer_in(made, "why") == "Because."


def test_what_a_student_says_of_marks_is_not_believed(copy, edited):
    def cheat(listed):
        for cell in listed:
            cell["metadata"]["nbgrader"] = {**cell["metadata"]["nbgrader"], "points": 99, "junk": True}
            if cell["cell_type"] == "code":
                cell["outputs"] = [{"output_type": "execute_result", "data": {"text/plain": "3.0"}}]
        forged = {"grade": True, "grade_id": "more", "points": 9, "solution": False, "locked": 1}
        listed.append({"cell_type": "code", "metadata": {"nbgrader": forged}, "source": "x"})

    made = copy(edited(cheat, **FULL), **SCORES)
    assert grades(made) == {"scores-check": 1.5, "axis-check": 0.1 + 0.2, "why": None}
    assert {cell.metadata.nbgrader.get("points") for cell in cells(made).values()} == {None, 3, 1, 2}
    assert not cells(made)["scores"].outputs


def test_an_answer_written_over_a_check_cell_is_shown_beside_it(copy, edited):
    def overwrite(listed):
        check = next(cell for cell in listed if cell["id"] == "scores-check")
        check["source"] = [RIGHT]

    made = copy(edited(overwrite), scores=3.0)
    assert cells(made)["scores-check"].source == 'check("scores", "scores")'
    assert [cell["source"] for cell in made["cells"] if "nbgrader" not in cell["metadata"]] == [RIGHT]


def test_pasted_pictures_stay_and_other_attachments_go(copy, edited):
    def paste(listed):
        answer = next(cell for cell in listed if cell["id"] == "why")
        answer["attachments"] = {"a.png": {"image/png": "AAAA", "text/html": "<script>"}, "b": 3}

    made = copy(edited(paste, **FULL), **SCORES)
    assert cells(made)["why"].attachments == {"a.png": {"image/png": "AAAA"}}


FIGURE = f"![two rows of\nqueries](data:image/svg+xml;base64,{'A' * 80_000})"


def with_figure(stub):
    def paste(listed):
        cell = next(cell for cell in listed if cell["id"] == "statement")
        cell["source"] = f"Look at\n\n{FIGURE}\n\nand answer."

    paste(stub["cells"])
    return paste


@pytest.mark.parametrize("named", [True, False], ids=["as handed out", "a question that lost its name"])
def test_figures_of_the_questions_are_told_by_their_words(copy, stub, edited, named):
    paste = with_figure(stub)

    def edit(listed):
        paste(listed)
        for cell in listed:
            if not named and cell["id"] == "statement":
                cell["metadata"] = {}

    data = edited(edit, **FULL)
    made = copy(data, **SCORES)
    grades(made)
    texts = ["".join(cell["source"]) for cell in made["cells"]]
    assert "Look at\n\n*(figure: two rows of\nqueries)*\n\nand answer." in texts
    assert len(json.dumps(made)) < 2 * (len(data) - len(FIGURE))


def test_a_picture_in_an_answer_stays(copy, stub, edited):
    with_figure(stub)
    own = "![mine](data:image/png;base64,BBBB)"
    made = copy(edited(lambda listed: None, **{**FULL, "why": f"See {own}"}), **SCORES)
    assert answer_in(made, "why") == f"See {own}"
