"""Submitted files, whole and broken."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.errors import AnswerError
from autograder.notebook.submitted import read_submission


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "the file is empty"),
        (b"  \n", "the file is empty"),
        (b'{"cells": [', "not a notebook"),
        (b"\xff\xfe{}", "not UTF-8"),
        (b"[]", "JSON, but not a notebook"),
        (b'{"nbformat": 9, "cells": []}', "format version 9"),
        (b'{"nbformat": 4}', "has no cells"),
        (b"[" * 100_000, "not a notebook"),
        (json.dumps({"nbformat": 4, "cells": [{}] * 5000}).encode(), "has 5000 cells"),
    ],
    ids=["empty", "blank", "cut-off", "utf-16", "list", "version", "no-cells", "deep", "many"],
)
def test_a_broken_file_says_what_is_wrong(data, message):
    with pytest.raises(AnswerError, match=message):
        read_submission(data)


def test_a_byte_order_mark_and_format_3_are_read():
    cells = [{"cell_type": "code", "input": ["x = ", "1"]}]
    old = json.dumps({"nbformat": 3, "worksheets": [{"cells": cells}]}).encode()
    assert read_submission(b"\xef\xbb\xbf" + old).cells[0].names == {"x"}


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
    assert plan[0][1].startswith("import torch")


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
