"""What an expression is made from: the arguments that reach it, and no others."""

from __future__ import annotations

import ast

import pytest

from autograder.diagnose.expression_words import Phrases
from autograder.diagnose.observe import Observed
from autograder.diagnose.program import read_program


def both_ways(x, forth, back):
    T, J = len(x), len(forth)
    first, second = [0.0] * T, [0.0] * T
    h = J * 0.0
    for t in range(T):
        h = abs(forth @ x[t] + h)
        first[t] = h
    h = 0.0
    for t in reversed(range(T)):
        h = abs(back @ x[t] + h)
        second[t] = h
    return sum(first), sum(second)


def kept(x, forth, back):
    h = forth
    for t in range(len(x)):
        h = h + abs(x[t])
    h = h * back
    return abs(h), max(x, h)


@pytest.mark.parametrize(
    ("function", "called", "made_from"),
    [
        (both_ways, "abs", [["x", "forth"], ["x", "back"]]),
        (both_ways, "sum", [["x", "forth"], ["x", "back"]]),
        (kept, "max", [["x", "forth", "back"]]),
    ],
    ids=["begun-anew", "written-into", "carried-on"],
)
def test_only_the_arguments_that_reach_an_expression_are_named(function, called, made_from):
    program = read_program(function)
    assert program is not None
    phrases = Phrases(program, Observed((), {}))
    calls = [node.tree for node in program.nodes if isinstance(node.tree, ast.Call)]
    found = [phrases.sources(call) for call in calls if ast.unparse(call.func) == called]
    assert found == made_from
