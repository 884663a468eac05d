"""Submitted files, whole and broken."""

from __future__ import annotations

import gzip
import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.errors import AnswerError
from autograder.notebook import file_bytes
from autograder.notebook.stub_cells import SETUP
from autograder.notebook.submitted import read_submission

AGAIN = "download it again from Jupyter (File, Download) and hand in the .ipynb"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "the file is empty"),
        (b"  \n", "the file is empty"),
        (b"\0" * 4096, "the file is empty"),
        (b'{"cells": [', "the file is cut off in the middle"),
        (b'{"cells": [{"source": "x = 1', "the file is cut off in the middle"),
        (b'{"cells": [}', "the file is damaged (line 1), and cannot be read as a notebook"),
        (b"[]", "the file is JSON, but not a notebook"),
        (b'{"nbformat": 4}', "the notebook has no cells"),
        (b"[" * 100_000, "the file is nested too deeply for a notebook"),
        (b"PK\x03\x04rest", "the file is a zip archive or an office document, not a notebook"),
        (b"%PDF-1.7", "the file is a PDF, not a notebook"),
        (b"<!DOCTYPE html><html>", "the file is a web page, not a notebook"),
        (b"import torch\n\nx = 1\n", "the file is a script or plain text, not a notebook"),
        (gzip.compress(b'{"cells": []}')[:-9], "the file is packed with gzip and damaged"),
    ],
    ids=[
        *("empty", "blank", "zeros", "cut-off", "cut-off-in-text", "damaged", "list", "no-cells", "deep"),
        *("zip", "pdf", "web-page", "script", "gzip"),
    ],
)
def test_a_broken_file_says_what_it_is_and_what_to_do(data, message):
    with pytest.raises(AnswerError, match=re.escape(f"{message}: {AGAIN}")):
        read_submission(data)


def test_a_file_that_git_left_in_conflict_asks_for_a_choice():
    data = b'{"cells": [\n<<<<<<< HEAD\n{}\n=======\n{},\n>>>>>>> theirs\n]}'
    with pytest.raises(AnswerError, match="as git leaves them after a conflict: choose one"):
        read_submission(data)


ANSWER = "axis = 'ß é “Θ”'"


def one_cell(source: str = ANSWER, **fields) -> str:
    cell = {"cell_type": "code", "source": source, "outputs": [], "metadata": {}}
    return json.dumps({"nbformat": 4, "cells": [cell], **fields}, ensure_ascii=False)


@pytest.mark.parametrize(
    "data",
    [
        one_cell().encode("utf-8-sig"),
        one_cell().encode("utf-16"),
        one_cell().encode("utf-16-le"),
        one_cell().encode("utf-16-be"),
        one_cell().encode("utf-16-le") + b"\0" * 7,
        one_cell().encode("utf-32"),
        one_cell().encode() + b"\0" * 5000,
        gzip.compress(one_cell().encode()),
        gzip.compress(one_cell().encode("utf-16")),
        one_cell(nbformat="4").encode(),
        one_cell(nbformat=5).encode(),
        one_cell(nbformat=None).encode(),
        one_cell().replace("}]", "},]").encode(),
        one_cell().replace("{}}", "{},}").encode(),
        one_cell().replace("axis", "axis\t").encode(),
    ],
    ids=[
        *(
            "bom",
            "utf-16",
            "utf-16-le",
            "utf-16-be",
            "utf-16-zeros",
            "utf-32",
            "zeros",
            "gzip",
            "gzip-utf-16",
        ),
        *("version-as-text", "version-5", "no-version", "comma-in-list", "comma-in-object", "bare-tab"),
    ],
)
def test_damage_that_leaves_no_doubt_is_mended(data):
    (cell,) = read_submission(data).cells
    assert cell.source.replace("\t", "") == ANSWER
    assert cell.names == {"axis"}


def test_western_letters_of_windows_are_read_beside_real_utf_8():
    windows = one_cell("axis = 'ß é “a”'").encode("cp1252")
    assert read_submission(windows).cells[0].source == "axis = 'ß é “a”'"
    mixed = one_cell("axis = 'Θ#'").encode().replace(b"#", b"\xdf")
    assert read_submission(mixed).cells[0].source == "axis = 'Θß'"
    large = one_cell("x" * 2**20 + "é").encode("latin-1")
    assert read_submission(large).cells[0].source.endswith("é")


def test_a_comma_inside_a_string_stays():
    data = one_cell('axis = "[1,]" # ,}').replace("}]", "},]").encode()
    assert read_submission(data).cells[0].source == 'axis = "[1,]" # ,}'


def test_old_versions_are_upgraded_with_all_their_worksheets():
    first = [
        {"cell_type": "code", "input": ["x = ", "1"]},
        {"cell_type": "heading", "level": 2, "source": "Two"},
    ]
    second = [
        {"cell_type": "markdown", "source": "text"},
        {"cell_type": "code", "input": "y = 2"},
        {"input": 5},
    ]
    for version in (2, 3):
        old = {"nbformat": version, "worksheets": [{"cells": first}, 7, {"cells": second}]}
        cells = read_submission(json.dumps(old).encode()).cells
        assert [(cell.kind, cell.source) for cell in cells] == [
            *(("code", "x = 1"), ("markdown", "## Two"), ("markdown", "text"), ("code", "y = 2"), ("", "")),
        ]


def test_outputs_and_widgets_do_not_count_towards_the_size():
    cell = {"cell_type": "code", "source": ANSWER, "outputs": [{"data": {"image/png": "A" * 70 * 2**20}}]}
    state = {"widgets": {"state": {"a": ['"outputs": [', "{" * 2**20]}}}
    read = read_submission(json.dumps({"cells": [cell], "metadata": state}).encode())
    assert read.cells[0].source == ANSWER
    cell.update(source="#" * 65 * 2**20, outputs=[])
    with pytest.raises(AnswerError, match="has 65 MB beside its outputs; 64 MB of text"):
        read_submission(json.dumps({"cells": [cell]}).encode())


def test_outputs_of_many_lines_are_as_good_as_none():
    printed = {"name": "stdout", "text": ["tensor([[0.1, 0.2]])\n"] * 3_000_000}
    plotted = {"data": {"x": [[0.5] * 3] * 100_000, "image/png": "A" * 70 * 2**20}}
    cell = {"cell_type": "code", "outputs": [printed, plotted], "source": ANSWER}
    data = json.dumps({"cells": [cell]}).encode()
    assert len(data) > 140 * 2**20
    assert [cell.source for cell in read_submission(data).cells] == [ANSWER]


def test_what_unpacks_to_more_than_there_is_room_for_is_refused(monkeypatch):
    monkeypatch.setattr(file_bytes, "MAX_BYTES", 3 * 2**20)
    with pytest.raises(AnswerError, match="the file has more than 3 MB: clear its outputs"):
        read_submission(gzip.compress(b" " * (4 * 2**20)))


def test_the_word_outputs_in_an_answer_hides_nothing_of_it():
    source = 'x = {"outputs": [1, 2'
    cells = [{"cell_type": "code", "source": [source, "\n]}"], "outputs": []}] * 2
    padding = {"cell_type": "markdown", "source": "p" * 2**20}
    read = read_submission(json.dumps({"cells": [*cells, padding]}).encode())
    assert [cell.source for cell in read.cells[:2]] == [f"{source}\n]}}"] * 2


def test_thousands_of_cells_are_read():
    cells = [{"cell_type": "code", "source": f"x{n} = 1"} for n in range(5000)]
    assert len(read_submission(json.dumps({"cells": cells}).encode()).cells) == 5000


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b'{"cells":[' + b"[]," * 2_100_000 + b"0]}", "the file has too many values for a notebook"),
        (b'{"outputs":' + b"[" * 4_100_000, "the file has too many values for a notebook"),
        (b'{"cells":[' + b"{}," * 30_000 + b"{}]}", "the notebook has 30001 cells; 20000 can be read"),
    ],
    ids=["values", "brackets", "cells"],
)
def test_what_would_take_too_much_is_refused_before_it_does(data, message):
    with pytest.raises(AnswerError, match=message):
        read_submission(data)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda x: (
            st.lists(x)
            | st.dictionaries(
                st.sampled_from(
                    [
                        "cells",
                        "nbformat",
                        "metadata",
                        "nbgrader",
                        "grade_id",
                        "source",
                        "cell_type",
                        "worksheets",
                    ]
                ),
                x,
            )
        ),
    )
)
def test_any_json_is_read_or_refused(value):
    for whole in (value, {"nbformat": 4, "cells": value}, {"nbformat": 4, "cells": [value]}):
        try:
            read_submission(json.dumps(whole).encode())
        except AnswerError:
            continue


def test_names_are_found_beside_magics_and_in_broken_cells(small):
    source = "%matplotlib inline\n!ls\ndef scores(q, k):\n    return q"
    data = {
        "nbformat": 4,
        "cells": [
            {"cell_type": "code", "source": source},
            {"cell_type": "code", "source": "def axis(:\n  1"},
        ],
    }
    first, second = read_submission(json.dumps(data).encode()).cells
    assert "scores" in first.names
    assert "axis" in second.names


def test_check_cells_are_not_run_and_the_set_up_always_is(small, notebook):
    submission = read_submission(notebook(scores="def scores(q, k): return q"))
    plan = submission.code_to_run(small.problems["scores"])
    assert [part for part, _ in plan] == ["", "scores", "axis"]
    assert plan[0][1] == SETUP


def test_a_stub_that_lies_behind_the_answer_does_not_undo_it(small, edited):
    def paste_stub(cells):
        cells.append(dict(cells[3]))
        cells[3] = {**cells[3], "source": "def scores(q, k): return q"}

    submission = read_submission(edited(paste_stub))
    sources = [source for _, source in submission.code_to_run(small.problems["scores"])]
    assert not any("NotImplementedError" in source for source in sources)


def test_a_text_answer_can_be_read_without_running_anything():
    data = {"nbformat": 4, "cells": [{"cell_type": "code", "source": 'axis = "b"\nwhile True: pass'}]}
    assert read_submission(json.dumps(data).encode()).literal("axis") == "b"


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("axis = “b”", "b"),
        ("axis = ‘b’", "b"),
        ("axis = «b»", "b"),
        ("axis = 3", "3"),
        ("axis = -0.5", "-0.5"),
        ("axis: str = 'b'", "b"),
        ("axis = True", None),
        ("axis = None", None),
    ],
    ids=["smart", "single", "guillemets", "number", "negative", "annotated", "bool", "none"],
)
def test_a_text_answer_is_read_as_it_is_meant(source, text):
    assert read_submission(one_cell(source).encode()).literal("axis") == text


# ---------------------------------------------------------------- what students do to cells

DEFINED = "def scores(q, k):\n    return q"


def turned(kind, source):
    def turn(cells):
        cell = next(cell for cell in cells if cell["id"] == "scores")
        cell.update(cell_type=kind, source=source)
        cell.pop("outputs"), cell.pop("execution_count")

    return turn


@pytest.mark.parametrize("kind", ["markdown", "raw"])
@pytest.mark.parametrize(
    "source",
    [
        DEFINED,
        f"```python\n{DEFINED}\n```",
        f"My answer:\n\n~~~\n{DEFINED}\n~~~\n",
        f"    {DEFINED}".replace("\n", "\n    "),
    ],
    ids=["bare", "fenced", "fenced-in-words", "indented"],
)
def test_an_answer_turned_into_text_is_run_as_code(small, edited, kind, source):
    problem = small.problems["scores"]
    mended = read_submission(edited(turned(kind, source))).mended(problem)
    assert ("scores", DEFINED) in mended.code_to_run(problem)
    assert not mended.is_untouched(problem.part("scores"))


def test_an_earlier_try_in_a_note_does_not_undo_the_answer(small, edited):
    def note(cells):
        cells.append({"cell_type": "markdown", "metadata": {}, "source": f"```\n{DEFINED}\n```"})

    problem = small.problems["scores"]
    answer = "def scores(q, k):\n    return k"
    mended = read_submission(edited(note, scores=answer)).mended(problem)
    assert [source for part, source in mended.code_to_run(problem) if part == "scores"] == [answer]


def test_words_about_an_answer_are_no_code(small, edited):
    problem = small.problems["scores"]
    mended = read_submission(edited(turned("markdown", "I think scores = q times k"))).mended(problem)
    assert [part for part, _ in mended.code_to_run(problem)] == ["", "axis"]


@pytest.mark.parametrize("keeps_metadata", [True, False], ids=["lab", "classic"])
def test_an_answer_that_was_split_in_two_is_joined(small, edited, keeps_metadata):
    def split(cells):
        where = next(n for n, cell in enumerate(cells) if cell["id"] == "scores")
        half = dict(cells[where], id="half", source="        return q\n    return k")
        if not keeps_metadata:
            half["metadata"] = {}
        cells.insert(where + 1, half)

    problem = small.problems["scores"]
    first = "def scores(q, k):\n    if q is k:"
    mended = read_submission(edited(split, scores=first)).mended(problem)
    assert ("scores", f"{first}\n        return q\n    return k") in mended.code_to_run(problem)


def test_two_whole_cells_with_one_name_stay_apart(small, edited):
    def double(cells):
        where = next(n for n, cell in enumerate(cells) if cell["id"] == "scores")
        cells.insert(where + 1, dict(cells[where], id="again"))

    read = read_submission(edited(double, scores=DEFINED))
    assert len(read.mended(small.problems["scores"]).cells) == len(read.cells)


def test_many_cells_of_text_are_not_parsed_without_end(small, edited):
    def flood(cells):
        cells += [
            {"cell_type": "markdown", "metadata": {}, "source": f"scores = {'(' * 50}{'1,' * 5000}"}
        ] * 200

    problem = small.problems["scores"]
    mended = read_submission(edited(flood)).mended(problem)
    assert mended.is_untouched(problem.part("scores"))
