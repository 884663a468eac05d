"""Answers that no name marks: prose is found wherever a student wrote it, and nothing else is taken for it."""

from __future__ import annotations

import pytest

from autograder.notebook.loose_text import sections_of
from autograder.notebook.submitted import read_submission

WORDS = "Weights should be positive."


def text(source: str, kind: str = "markdown") -> dict:
    cell = {"cell_type": kind, "metadata": {}, "source": source}
    return cell | ({"outputs": [], "execution_count": None} if kind == "code" else {})


def at(cells: list[dict], name: str) -> int:
    return next(n for n, cell in enumerate(cells) if cell["id"] == name)


def strip_metadata(cells: list[dict]) -> None:
    for cell in cells:
        cell["metadata"] = {}
        cell.pop("id", None)


def below_the_stub(cells):
    cells.insert(at(cells, "why") + 1, text(WORDS))


def above_the_stub(cells):
    cells.insert(at(cells, "why"), text(WORDS))


def as_a_comment_in_code(cells):
    cells.insert(at(cells, "why") + 1, text(f"# {WORDS}", "code"))


def as_raw_text(cells):
    cells.insert(at(cells, "why") + 1, text(WORDS, "raw"))


def at_the_very_end(cells):
    cells.append(text(WORDS))


def without_metadata(cells):
    cells[at(cells, "why")]["source"] = WORDS
    strip_metadata(cells)


def without_metadata_below(cells):
    below_the_stub(cells)
    strip_metadata(cells)


def without_metadata_and_questions(cells):
    cells[at(cells, "why")]["source"] = WORDS
    cells[:] = [cell for cell in cells if not cell["id"].endswith("-ask")]
    strip_metadata(cells)


def turned_into_code(cells):
    cells[at(cells, "why")].update(cell_type="code", source=WORDS)


def stub_deleted(cells):
    cells[at(cells, "why")] = text(WORDS)


def into_the_question(cells):
    cells[at(cells, "why-ask")]["source"] = [*cells[at(cells, "why-ask")]["source"], f"\n\n{WORDS}"]


def under_another_part(cells):
    cells.insert(at(cells, "axis-check") + 1, text(WORDS))


def with_an_unknown_name(cells):
    cells[at(cells, "why")]["metadata"] = {"nbgrader": {"grade_id": "cell-9f3a"}}
    cells[at(cells, "why")]["source"] = WORDS


FOUND = [
    below_the_stub, above_the_stub, as_a_comment_in_code, as_raw_text, at_the_very_end, without_metadata,
    without_metadata_below, without_metadata_and_questions, turned_into_code, stub_deleted, into_the_question,
    under_another_part, with_an_unknown_name,
]  # fmt: skip


@pytest.mark.parametrize("edit", FOUND, ids=lambda edit: edit.__name__)
def test_prose_is_found(small, edited, edit):
    sections = sections_of(read_submission(edited(edit)), small.problems["scores"])
    assert sections.answer("why").removeprefix("# ") == WORDS


def test_prose_that_was_split_or_doubled_is_read_whole_and_once(small, edited):
    def split(cells):
        where = at(cells, "why")
        cells.insert(where + 1, dict(cells[where], id="half", source="Second half."))
        cells.insert(where + 2, dict(cells[where], id="again"))
        cells.append(dict(cells[where], id="stub", source="*Write your answer here.*"))

    sections = sections_of(read_submission(edited(split, why="First half.")), small.problems["scores"])
    assert sections.answer("why") == "First half.\n\nSecond half."


def untouched(cells):
    pass


def emptied(cells):
    cells[at(cells, "why")]["source"] = " \n "


def ruled_off(cells):
    cells.insert(at(cells, "why") + 1, text("---"))


def scratch_code_elsewhere(cells):
    cells.insert(at(cells, "axis-check") + 1, text("x = torch.ones(3)  # try", "code"))


def a_check_of_the_students_own(cells):
    cells.append(text('check("scores", "why")', "code"))


@pytest.mark.parametrize(
    "edit",
    [untouched, emptied, ruled_off, strip_metadata, scratch_code_elsewhere, a_check_of_the_students_own],
    ids=lambda edit: edit.__name__,
)
def test_a_notebook_as_it_was_handed_out_has_no_prose(small, edited, edit):
    sections = sections_of(read_submission(edited(edit)), small.problems["scores"])
    assert sections.answer("why") == ""
    assert sections.has_cell("why")


def test_an_answer_to_one_question_is_not_taken_for_another(edited, small):
    from dataclasses import replace

    problem = small.problems["scores"]
    why = problem.part("why")
    both = replace(problem, parts=[*problem.parts, replace(why, name="wherefore")])

    def second(cells):
        below_the_stub(cells)
        cells.append(text("### 4. `wherefore` (2 points)"))
        cells.append(text("*Write your answer here.*"))

    sections = sections_of(read_submission(edited(second)), both)
    assert (sections.answer("why"), sections.answer("wherefore")) == (WORDS, "")


def test_a_deleted_cell_is_missed(small, edited):
    data = edited(lambda cells: cells.pop(at(cells, "why")))
    assert not sections_of(read_submission(data), small.problems["scores"]).has_cell("why")
