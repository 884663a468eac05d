"""Notebooks are built the same every time, and nbgrader reads them as its own."""

from __future__ import annotations

import json
from dataclasses import replace

import nbformat
import pytest
from nbgrader.nbgraderformat import MetadataValidator, reads
from nbgrader.utils import compute_checksum

from autograder.course.author_tests import Tests
from autograder.course.model import Growth, Problem
from autograder.errors import CourseError
from autograder.notebook.build_notebooks import build_all, build_notebook, stale, write_all
from autograder.notebook.stub_cells import ask
from tests.cost import programs


def test_nbgrader_validates_every_notebook_and_computes_the_same_checksums(real):
    for path, data in build_all(real).items():
        text = data.decode()
        notebook = reads(text, as_version=4)
        nbformat.validate(notebook)
        MetadataValidator().validate_nb(notebook)
        for cell in notebook.cells:
            assert cell.metadata.nbgrader.checksum == compute_checksum(cell), (path, cell.id)


def test_building_twice_gives_the_same_bytes(real):
    assert build_all(real) == build_all(real)


def test_an_answer_cell_is_named_after_its_part_and_its_check_beside_it(small):
    cells = json.loads(build_notebook(small.problems["scores"], "basics", small.root))["cells"]
    names = [cell["metadata"]["nbgrader"]["grade_id"] for cell in cells]
    assert names == [
        *("statement", "setup", "scores-ask", "scores", "scores-check"),
        *("axis-ask", "axis", "axis-check", "why-ask", "why", "summary"),
    ]
    by_name = dict(zip(names, cells, strict=True))
    assert by_name["why"]["cell_type"] == "markdown"
    assert by_name["why"]["metadata"]["nbgrader"]["grade"]
    assert by_name["scores-check"]["metadata"]["nbgrader"]["points"] == 3
    assert "NotImplementedError" in "".join(by_name["scores"]["source"])


def test_a_fresh_tree_is_not_stale_and_each_kind_of_staleness_is_told(copied):
    from autograder.course.load import load_course

    course = load_course(copied)
    path = "notebooks/basics/scores.ipynb"
    assert stale(course) == [f"{path} is missing; run autograder build"]
    assert write_all(course) == [f"wrote {path}"]
    assert write_all(course) == []
    assert stale(course) == []
    (copied / path).write_text((copied / path).read_text() + " ")
    (copied / "notebooks" / "basics" / "old.ipynb").write_text("{}")
    assert stale(course) == [
        f"{path} is out of date; run autograder build",
        "notebooks/basics/old.ipynb belongs to no problem; delete it",
    ]
    assert write_all(course) == [f"wrote {path}", "removed notebooks/basics/old.ipynb, which no set lists"]


def test_figures_travel_inside_the_notebook(copied):
    from autograder.course.load import load_course

    problem = copied / "problems" / "scores.py"
    problem.write_text(problem.read_text().replace('statement="', 'statement="![rows](figures/rows.svg) '))
    with pytest.raises(CourseError, match=r"problems/figures/rows.svg is missing"):
        build_all(load_course(copied))
    (copied / "problems" / "figures").mkdir()
    (copied / "problems" / "figures" / "rows.svg").write_text("<svg/>")
    text = build_all(load_course(copied))["notebooks/basics/scores.ipynb"].decode()
    cell = json.loads(text)["cells"][0]
    assert "![rows](data:image/svg+xml;base64,PHN2Zy8+)" in "".join(cell["source"])


def test_a_bounded_part_says_that_its_cost_is_counted_and_what_that_is_worth():
    bounded = replace(programs.PART, memory=None)
    growth = Growth("time", 1, "", ["T", "d"], measures="linear_attention")
    told = ask(bounded, 1, Problem("Here", "", "", [bounded]))
    assert "3 of the 6 points are for how it grows (work no faster than `T d dv`)" in told
    told = ask(bounded, 1, Problem("Here", "", "", [bounded, growth]))
    assert "points are for how it grows. The" in told  # the bound would answer the other question
    assert "counted" not in ask(replace(bounded, work=None), 1, Problem("Here", "", "", [bounded]))


def test_what_looks_like_a_tag_in_the_sentence_of_a_test_is_seen():
    def first(names):
        """0 is <unk>, `<s>` is 1, $a<b$ and 1 < 2"""

    told = ask(Tests("words", 1, [first]), 1, Problem("Here", "", "", []))
    assert r"- 0 is \<unk>, `<s>` is 1, $a<b$ and 1 < 2" in told
