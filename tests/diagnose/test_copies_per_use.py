"""A value that is read several times is edited in all its uses, and in one of them alone."""

from __future__ import annotations

import ast

import torch

from autograder.diagnose.line_template import constant
from autograder.diagnose.program import read_program


def spread_and_kept(x):
    top = x.amax(0) * 2
    return x - top, top


def bound_again(x):
    y = x * 2
    a = y + 1
    y = y * 3
    return a + y


def changed_in_place(x):
    y = x * 2
    a = y + 1
    y[0] = 5
    return a + y


def made_from_what_changes(x):
    y = x * 2
    for _ in range(2):
        x = x + 1
    return y + y * x


def twos(program):
    return [n.number for n in program.nodes if isinstance(n.tree, ast.Constant) and n.tree.value == 2]


def test_each_use_has_a_copy_of_its_own():
    program = read_program(spread_and_kept)
    x = torch.tensor([1.0, 4.0])
    first, second = twos(program)
    assert len(program.twins) == 1
    one, kept = program.changed({first: constant(3)}, {})(x)
    assert (one.tolist(), kept.item()) == ([-11.0, -8.0], 8.0)
    one, kept = program.changed({first: constant(3), second: constant(3)}, {})(x)
    assert (one.tolist(), kept.item()) == ([-11.0, -8.0], 12.0)


def test_what_is_bound_again_or_changed_is_left_as_it_is():
    x = torch.tensor([1.0, 4.0])
    for function in (bound_again, changed_in_place, made_from_what_changes):
        program = read_program(function)
        assert program.twins == ()
        assert torch.equal(program.changed({}, {})(x.clone()), function(x.clone()))
