"""Shapes as docstrings state them."""

from __future__ import annotations

import pytest
import torch

from autograder import Code
from autograder.course.docstring_shapes import fits, parse_shapes, shape, size


def test_arguments_and_the_result_are_read():
    shapes = parse_shapes("Attention. q[I, D] k[J,D] and other[words] returns [I, J]", ["q", "k"])
    assert shapes.inputs == {"q": ("I", "D"), "k": ("J", "D")}
    assert [out.axes for out in shapes.outputs] == [("I", "J")]
    assert not shapes.many
    assert shapes.axes == ("I", "D", "J")


def test_a_tuple_of_results_keeps_its_names():
    shapes = parse_shapes("x[T] returns (P[W], alpha[X, Y])", ["x"])
    assert [(out.name, out.axes) for out in shapes.outputs] == [("P", ("W",)), ("alpha", ("X", "Y"))]
    assert shapes.many


def test_a_scalar_has_no_axes():
    assert parse_shapes("x[T]  h[]  returns []", ["x", "h"]).inputs["h"] == ()


@pytest.mark.parametrize(
    ("axis", "length"), [("K", 3), ("K*I", 12), ("T-2", 3), ("(T - 1)//2 + 1", 3), ("4", 4)], ids=str
)
def test_an_axis_may_be_computed(axis, length):
    assert size(axis, {"K": 3, "I": 4, "T": 5}) == length


def test_axes_become_lengths():
    assert shape(("T", "K*I"), {"T": 2, "K": 3, "I": 5}) == (2, 15)


def test_a_docstring_without_a_result_is_refused():
    with pytest.raises(ValueError, match="does not say what it 'returns'"):
        parse_shapes("x[T]", ["x"])


def test_arguments_behind_the_result_are_refused():
    with pytest.raises(ValueError, match=r"y\[N\] stands behind 'returns': say the arguments first"):
        parse_shapes("x[N]   returns float   y[N]", ["x", "y"])
    assert parse_shapes("x[N]   returns (x[N], y[N])", ["x"]).many


def test_a_tuple_of_any_length_is_a_type():
    assert parse_shapes("returns tuple[int, ...]", []).type == "tuple[int, ...]"
    assert fits((1, 2, 3), "tuple[int, ...]")
    assert not fits((1, "a"), "tuple[int, ...]")


def test_what_the_docstring_does_not_say_of_the_result_the_annotation_does():
    def counted(x: torch.Tensor, words: list[str]) -> dict[str, int]:
        """How often.   x[N]"""

    def told(x) -> torch.Tensor:
        """x[N]   returns [N]"""

    part = Code(counted, points=1, cases=[])
    assert parse_shapes(part.doc, part.parameters).type == "dict[str, int]"
    assert "returns" not in part.stub
    assert Code(told, points=1, cases=[]).doc == "x[N]   returns [N]"


def test_an_axis_is_no_program():
    with pytest.raises(ValueError, match="an axis is made of names"):
        size("__import__('os')", {})
