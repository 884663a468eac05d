"""Steps are noted: what a class makes by its lines, what is handed over as arguments, nothing of the script's own."""

from __future__ import annotations

import linecache

import torch

from autograder.calls.note_steps import take_notes_of_steps
from autograder.calls.note_tensors import Noting
from autograder.calls.script_steps import Held, Step
from autograder.calls.take_steps import Bench

SOURCE = """class Double(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.w = torch.nn.Parameter(torch.ones(2))

    def forward(self, x):
        y = x * self.w
        return y + y
"""
BUILD = (Step("call", "Double"), Step("load", on=Held(0), named={"w": torch.tensor([2.0, 3.0])}))
CALL = Step("method", on=Held(0), args=(torch.tensor([1.0, 5.0]),))


def notes_of(source, *steps):
    names = {"torch": torch}
    exec(compile(source, "<a cell>", "exec"), names)
    linecache.cache["<a cell>"] = (len(source), None, source.splitlines(keepends=True), "<a cell>")
    noting = Noting(lambda filename: filename == "<a cell>")
    bench = Bench(names)

    def make(value):
        return bench.held(value) if isinstance(value, Held) else value

    return take_notes_of_steps(bench, steps, make, noting)


def test_weights_that_are_loaded_are_where_a_product_comes_from():
    notes = notes_of(SOURCE, *BUILD, CALL)
    assert notes.whole
    product = next(note for note in notes.notes if note.line == 7)
    assert product.values.tolist() == [2.0, 15.0]
    assert sorted(notes.notes[source].values.tolist() for source in product.sources) == [
        [1.0, 5.0],
        [2.0, 3.0],
    ]
    assert all(notes.notes[source].line == 0 for source in product.sources)
    assert [note.values.tolist() for note in notes.notes if note.line == 8] == [[4.0, 30.0]]


def test_steps_of_the_script_itself_are_not_noted_and_cut_nothing_short():
    total = Step("method", "sum", on=Held(2))
    steps = (*BUILD, CALL, total, Step("method", "backward", on=Held(3)), Step("gradients", on=Held(0)))
    notes = notes_of(SOURCE, *steps)
    assert notes.whole
    assert {note.line for note in notes.notes} == {0, 4, 7, 8}


def test_an_exception_ends_the_notes_at_its_line():
    notes = notes_of(SOURCE.replace("y + y", "y + self.b"), *BUILD, CALL)
    assert notes.stop is not None
    assert (notes.stop.line, notes.stop.shapes) == (8, {"x": (2,), "y": (2,)})
