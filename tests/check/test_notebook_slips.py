"""Slips of the notebook itself: each gets a sentence that says so."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
import torch

from autograder.check.cells_run import History
from autograder.check.checker import Checker
from autograder.check.panel import State
from autograder.check.saved_notebook import find_saved, problem_of, read_saved
from autograder.course.model import Prose
from autograder.notebook.build_notebooks import build_notebook
from autograder.notebook.fill import fill
from autograder.notebook.submitted import names_set

ANSWER = "def scores(q, k):\n    return torch.softmax(q @ k.T, dim=1)"


@pytest.fixture
def notebook_file(small, tmp_path):
    """A saved notebook of the small course; `edit` may change its cells."""

    def save(edit=lambda cells: None, at=1_000.0, **answers) -> Path:
        data = json.loads(fill(build_notebook(small.problems["scores"], "basics", small.root), answers))
        edit(data["cells"])
        path = tmp_path / "scores.ipynb"
        path.write_text(json.dumps(data), encoding="utf-8")
        os.utime(path, (at, at))
        return path

    return save


def names_of(source: str) -> dict:
    names = {"torch": torch}
    exec(source, names)
    return names


def history(*ran: tuple[str, float]) -> History:
    found = History()
    for source, at in ran:
        found.note(source, at)
    return found


# ---------------------------------------------------------------- names


def test_a_renamed_function_is_recognised_by_its_parameters(checked):
    view = checked("scores", attention=lambda q, k: None)
    assert view.state == State.UNANSWERED
    assert "did you mean attention? keep the name as it was handed out" in view.slips[0]


def test_a_renamed_text_is_recognised_by_its_spelling(checked):
    assert "did you mean axiss?" in checked("axis", axiss="a").slips[0]


def test_a_cell_that_was_not_run_is_asked_for(checked):
    assert checked("scores").slips == ("scores is not there yet: run its answer cell first",)


def test_a_name_that_was_deleted_is_told_from_one_never_set(handout):
    view = Checker(handout, {}, None, history(("scores = 3\ndel scores", 1.0))).check("scores").parts[0]
    assert view.slips == (
        "scores was set by its cell, but a later one deleted it: take that out, and run both again",
    )


def ran(source: str, error: BaseException) -> History:
    found = history((source, 1.0))
    found.note_end(error)
    return found


def test_a_text_without_quotes_is_told_to_have_them(handout):
    stopped = ran("axis = a", NameError("name 'a' is not defined"))
    view = Checker(handout, {}, None, stopped).check("axis").parts[0]
    assert view.slips == (
        "its cell stops before axis is set: NameError: name 'a' is not defined "
        '(is the answer in quotes? write axis = "…")',
    )


def test_an_answer_without_quotes_is_asked_after_them(handout):
    stopped = ran("axis = 0.6 v1", SyntaxError("invalid syntax"))
    assert repr(Checker(handout, {}, None, stopped).check("axis")).endswith(
        'line 1: invalid syntax (is the answer in quotes? write axis = "…")'
    )


def test_an_answer_behind_an_invisible_mark_is_still_the_answer(handout):
    stopped = ran("\ufeffaxis = 'a'", SyntaxError("invalid non-printable character U+FEFF"))
    said = repr(Checker(handout, {}, None, stopped).check("axis"))
    assert "its cell cannot be run" in said
    assert "an invisible byte order mark was pasted here: delete it" in said


def test_a_name_that_is_missing_is_found_in_a_cell_below(handout, notebook_file):
    path = notebook_file(lambda cells: cells.append(code_cell("quarter = 0.25")), scores=SCALED)
    stopped = ran(SCALED, NameError("name 'quarter' is not defined"))
    view = Checker(handout, {}, read_saved(path), stopped).check("scores").parts[0]
    assert view.slips == (
        "its cell stops before scores is set: NameError: name 'quarter' is not defined "
        "(a cell below sets quarter: move that cell up)",
    )


def test_a_question_to_the_keyboard_is_told_to_go(handout):
    stopped = ran("scores = input()", EOFError("EOF when reading a line"))
    view = Checker(handout, {}, None, stopped).check("scores").parts[0]
    assert view.slips[0].endswith("(nobody answers an input() when the notebook is graded: take it out)")


def test_a_cell_that_is_no_python_is_shown_with_a_caret_and_the_fix(handout):
    stopped = ran("# keys\naxis = “a”", SyntaxError("invalid character"))
    view = Checker(handout, {}, None, stopped).check("axis").parts[0]
    assert (view.state, view.headline) == (State.UNREADABLE, "its cell cannot be run")
    assert repr(Checker(handout, {}, None, stopped).check("axis")).splitlines() == [
        "? axis: its cell cannot be run (1 point)",
        "    axis = “a”",
        "           ^",
        "    line 2: “ is a quotation mark of a text editor: type a straight one, \" or '",
    ]


def test_a_cell_that_stopped_since_is_told_from_what_is_in_memory(handout):
    for error in (KeyboardInterrupt(), NameError("name 'a' is not defined")):
        view = Checker(handout, {"axis": "a"}, None, ran('a\naxis = "b"', error)).check("axis").parts[0]
        assert view.state == State.READ
        says = f"{type(error).__name__}: {error}".rstrip(": ")
        assert view.slips == (
            f"the cell of axis was run again and did not get to its end ({says}): what is checked here may be of "
            "the run before",
        )


def test_a_cell_that_was_broken_since_is_told_from_what_is_in_memory(handout):
    stopped = ran("axis = “b”", SyntaxError("invalid character"))
    view = Checker(handout, {"axis": "a"}, None, stopped).check("axis").parts[0]
    assert view.state == State.READ
    assert "this is what axis was before: its cell was run again and is no Python" in view.slips[0]


def test_an_answer_cell_turned_into_markdown_says_how_to_turn_it_back(handout, notebook_file):
    def turn(cells):
        next(cell for cell in cells if cell["id"] == "scores").update(cell_type="markdown")

    view = Checker(handout, {}, read_saved(notebook_file(turn, scores=ANSWER))).check("scores").parts[0]
    assert view.slips == (
        "the answer cell of scores is a Markdown cell: select it, press Y to make it code, and run it",
    )


def test_none_is_no_answer_yet_and_is_not_to_be_put_in_quotes(checked):
    view = checked("axis", axis=None)
    assert (view.state, view.headline) == (State.UNANSWERED, "not answered yet")
    assert view.slips == ('axis is None: write the answer as text in quotes, axis = "…"',)


@pytest.mark.parametrize(
    ("value", "says"),
    [
        (3, 'axis should be text in quotes, not a number: write axis = "3"'),
        (True, 'axis should be text in quotes, not a bool: write axis = "…"'),
        (torch.ones(2), 'axis should be text in quotes, not a Tensor: write axis = "…"'),
        (("a",), "axis is a tuple of one text: take out the comma behind the quotation mark"),
        (len, "axis is a function; it should be text"),
    ],
    ids=["number", "bool", "tensor", "comma", "function"],
)
def test_a_text_that_is_none_says_what_to_write(checked, value, says):
    view = checked("axis", axis=value)
    assert view.state == State.UNREADABLE
    assert says in view.slips[0]


@pytest.mark.parametrize(
    ("names", "says"),
    [
        ({"torch": torch.ones(1)}, "torch no longer names the library: a cell sets it to a Tensor"),
        ({"torch": torch.nn}, "torch no longer names the library"),
        ({"sum": 3}, "sum no longer names Python's own function: a cell sets it to a number"),
    ],
    ids=["tensor", "other-module", "builtin"],
)
def test_a_shadowed_name_is_told(handout, names, says):
    assert says in Checker(handout, names).check("axis").slips[0]


def test_nothing_is_said_of_names_as_they_should_be(handout):
    panel = Checker(handout, {"torch": torch, "max": max, "axis": "a"}).check("axis")
    assert panel.slips == panel.parts[0].slips == ()


# ---------------------------------------------------------------- the file and the order of running


def test_a_deleted_answer_cell_is_told(handout, notebook_file):
    saved = read_saved(
        notebook_file(lambda cells: cells.remove(next(c for c in cells if c["id"] == "scores")))
    )
    missing = Checker(handout, {}, saved).check("scores").parts[0]
    assert "the answer cell of scores is gone from the notebook" in missing.slips[0]
    in_memory = Checker(handout, names_of(ANSWER), saved).check("scores").parts[0]
    assert in_memory.slips == (
        "the saved notebook has no cell that sets scores: it will count as unanswered",
    )


def test_a_doubled_answer_cell_is_told(handout, notebook_file):
    def double(cells):
        where = next(n for n, cell in enumerate(cells) if cell["id"] == "scores")
        cells.insert(where + 1, {"cell_type": "code", "metadata": {}, "source": ANSWER, "outputs": []})

    view = Checker(handout, names_of(ANSWER), read_saved(notebook_file(double))).check("scores").parts[0]
    assert view.slips == (
        "2 cells set scores, and the last one run counts: delete the one that still stands as handed out",
    )


def test_a_cell_changed_after_it_was_run_is_to_be_run_again(handout, notebook_file):
    saved = read_saved(notebook_file(scores=ANSWER.replace("dim=1", "dim=0"), at=1_000.0))
    view = Checker(handout, names_of(ANSWER), saved, history((ANSWER, 900.0))).check("scores").parts[0]
    assert view.slips == ("the cell of scores was changed after it was run: run it again, then this check",)


@pytest.mark.parametrize("ran_at", [1_100.0, None], ids=["not-saved-since", "not-known"])
def test_a_file_older_than_the_run_says_nothing(handout, notebook_file, ran_at):
    saved = read_saved(notebook_file(scores=ANSWER.replace("dim=1", "dim=0"), at=1_000.0))
    ran = history((ANSWER, ran_at)) if ran_at else history()
    assert Checker(handout, names_of(ANSWER), saved, ran).check("scores").parts[0].slips == ()


def test_a_name_that_lives_on_in_memory_alone_is_told(handout, notebook_file):
    helper = "def products(q, k):\n    return q @ k.T"
    answer = "def scores(q, k):\n    return torch.softmax(products(q, k), dim=1)"
    names = names_of(f"{helper}\n{answer}")
    saved = read_saved(notebook_file(scores=answer, at=1_000.0))
    ran = history((helper, 800.0), (answer, 900.0))
    view = Checker(handout, names, saved, ran).check("scores").parts[0]
    assert view.state == State.PASSES
    assert "scores uses products, which no cell sets any more" in view.slips[0]


def code_cell(source: str) -> dict:
    return {"cell_type": "code", "source": source, "metadata": {}, "outputs": [], "execution_count": None}


SCALED = "half = 2 * quarter\ndef scores(q, k):\n    return torch.softmax(2 * half * quarter * 4 * (q @ k.T), dim=1)"


@pytest.mark.parametrize(
    ("place", "source", "answer", "told"),
    [
        (None, "quarter = 0.25", SCALED, True),
        (0, "quarter = 0.25", SCALED, False),
        (None, "quarter = 0.25", SCALED.replace("half = 2 * quarter", "half = 0.5"), False),
        (None, "quarter = 0.25", f"quarter = 0.25\n{SCALED}", False),
        (None, "quart = 0.25", SCALED, False),
        (None, "sum = 0.25", SCALED.replace("2 * quarter\n", "sum([0.5])\n"), False),
    ],
    ids=["below", "above", "used-when-called", "set-in-the-cell", "another-name", "of-python"],
)
def test_a_name_that_only_a_cell_below_sets_is_told(handout, notebook_file, place, source, answer, told):
    def edit(cells):
        cells.insert(len(cells) if place is None else place, code_cell(source))

    path = notebook_file(edit, scores=answer)
    names = names_of(f"quarter = 0.25\n{answer}")
    view = Checker(handout, names, read_saved(path)).check("scores").parts[0]
    says = (
        "the cell of scores uses quarter, which a cell below it sets: when the notebook is graded, its cells are "
        "run from the top, and this one stops; move that cell up"
    )
    assert view.slips == ((says,) if told else ())


def test_prose_counts_as_unanswered_while_it_stands_as_handed_out(handout, notebook_file):
    untouched, answered = (
        Checker(handout, {}, read_saved(notebook_file(**answers))).check("why").parts[0].state
        for answers in ({}, {"why": "Weights sum to one."})
    )
    assert (untouched, answered) == (State.UNANSWERED, State.BY_HAND)
    assert Checker(handout, {}).check("why").parts[0].state == State.BY_HAND
    assert isinstance(handout.part("why"), Prose)


def test_the_file_is_found_as_the_front_end_names_it(notebook_file, tmp_path, monkeypatch):
    path = notebook_file()
    other = tmp_path / "elsewhere"
    other.mkdir()
    monkeypatch.delenv("JPY_SESSION_NAME", raising=False)
    assert find_saved("scores", {}, other) is None
    assert find_saved("scores", {"__vsc_ipynb_file__": str(path)}, other).path == path
    monkeypatch.setenv("JPY_SESSION_NAME", str(path))
    assert find_saved("scores", {}, other).path == path


def test_a_lone_notebook_of_the_problem_in_the_folder_is_the_one(notebook_file, tmp_path, monkeypatch):
    monkeypatch.delenv("JPY_SESSION_NAME", raising=False)
    path = notebook_file()
    assert problem_of(path) == "scores"
    assert find_saved("scores", {}, tmp_path).path == path
    (tmp_path / "copy.ipynb").write_bytes(path.read_bytes())
    assert find_saved("scores", {}, tmp_path) is None


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("import torch as t\nx, y = 1, 2", {"t", "x", "y"}),
        ("%matplotlib inline\nfor i in range(3):\n    total = i", {"i", "total"}),
        ("def f():\n    inner = 1", {"f"}),
        ("this is no Python", set()),
    ],
    ids=["assign", "magic-and-loop", "function", "text"],
)
def test_the_names_that_a_cell_sets(source, names):
    assert names_set(source) == names
