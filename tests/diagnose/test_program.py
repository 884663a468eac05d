"""A reference becomes a program: helpers copied for each use, nodes changed alone, loops bounded."""

from __future__ import annotations

import ast

import pytest
import torch

from autograder.diagnose.line_template import constant, new
from autograder.diagnose.program import read_program


def _double(x):
    return 2 * x


def twice(x):
    a = _double(x)
    b = _double(x + 1)
    return a + b


def counting(x):
    n = 0
    while n < 3:
        n = n + 1
        x = x * 2
    return x


def constants(program, value):
    return [
        node.number
        for node in program.nodes
        if isinstance(node.tree, ast.Constant) and node.tree.value == value
    ]


def test_an_unchanged_program_is_the_function():
    assert read_program(twice).changed({}, {})(5) == twice(5) == 22


def test_a_helper_is_changed_in_one_use_or_in_all():
    program = read_program(twice)
    one, two = constants(program, 2)
    assert program.changed({one: constant(3)}, {})(5) in (27, 28)
    assert program.changed({one: constant(3), two: constant(3)}, {})(5) == 33


def test_a_changed_condition_cannot_loop_for_ever():
    program = read_program(counting)
    test = next(node for node in program.nodes if isinstance(node.tree, ast.Compare))
    endless = program.changed({test.number: lambda tree: new("True")}, {})
    with pytest.raises(RuntimeError, match="too many rounds"):
        endless(0)


def test_what_has_no_source_is_no_program():
    assert read_program(torch.relu) is None
    assert read_program(eval("lambda x: x")) is None
