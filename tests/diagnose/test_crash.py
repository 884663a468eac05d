"""A call that stopped: the shapes in its line, what does not fit, and where a shape first was odd."""

from __future__ import annotations

import pytest
import torch

from autograder.calls.expected import plan_case
from autograder.calls.inputs import revive
from autograder.calls.note_tensors import Noting, take_notes
from autograder.diagnose.crash import explain_crash, say_crash
from autograder.diagnose.intermediates import note_reference


def explain(real, problem, source):
    """What is found of a function that stops on the first visible case."""
    part = next(part for part in real.problems[problem].parts if source.startswith(f"def {part.name}("))
    call = plan_case(real.problems[problem], part, part.cases[0], "", "")
    names = {"torch": torch}
    exec(compile(source, "<cell 1>", "exec"), names)
    noting = Noting(lambda name: name == "<cell 1>")
    notes = take_notes(names[part.name], [revive(argument) for argument in call.arguments], noting)
    return explain_crash(notes, source, note_reference(real.solutions[problem].answers[part.name], call))


HEAD = "def dot_product_attention(q, keys, values):\n"


@pytest.mark.parametrize(
    ("line", "shapes", "clash"),
    [
        (
            "s = torch.einsum('d,dn->n', q, keys)",
            (("q", (3,)), ("keys", (4, 3))),
            "einsum asks for one length of d: it is 3 in `q` and 4 in `keys`",
        ),
        (
            "s = torch.einsum('id,nd->n', q, keys)",
            (("q", (3,)), ("keys", (4, 3))),
            "einsum's `id` has 2 letters, `q` has 1 axis",
        ),
        (
            "s = q @ keys",
            (("q", (3,)), ("keys", (4, 3))),
            "@ asks for the last axis of `q`, 3, to be as long as the first of `keys`, 4",
        ),
        (
            "s = keys.T * q",
            (("keys", (4, 3)), ("q", (3,))),
            "the last axes of `keys.T` and `q` are 4 and 3 long: they are to be the same, or 1",
        ),
        ("s = keys.view(5, 3)", (("keys", (4, 3)),), ""),
    ],
)
def test_the_shapes_of_the_line_and_what_does_not_fit(real, line, shapes, clash):
    found = explain(real, "dot_product_attention", f"{HEAD}    {line}\n    return s, s\n")
    assert (found.line, found.shapes, found.clash, found.odd) == (2, shapes, clash, 0)


def test_the_line_with_the_first_odd_shape_is_found(real):
    source = HEAD + (
        "    s = keys @ q\n    a = torch.softmax(s, 0)\n    w = a.unsqueeze(0) * values.T\n"
        "    pad = torch.cat([a, a])\n    c = pad @ values\n    return a, c\n"
    )
    found = explain(real, "dot_product_attention", source)
    assert (found.line, found.odd, found.odd_shape) == (6, 5, (8,))


def test_in_a_loop_no_shape_is_called_odd(real):
    source = HEAD + (
        "    total = []\n    for n in range(5):\n        both = torch.cat([keys[n], q])\n"
        "        total.append(both @ values)\n    return total, total\n"
    )
    found = explain(real, "dot_product_attention", source)
    assert (found.line, found.odd) == (5, 0)


def test_a_name_that_is_not_there_is_no_matter_of_shapes(real):
    source = f"{HEAD}    return key @ q, values\n"
    part = real.problems["dot_product_attention"].parts[0]
    call = plan_case(real.problems["dot_product_attention"], part, part.cases[0], "", "")
    names = {"torch": torch}
    exec(compile(source, "<cell 1>", "exec"), names)
    noting = Noting(lambda name: name == "<cell 1>")
    notes = take_notes(names[part.name], [revive(argument) for argument in call.arguments], noting)
    crash = explain_crash(notes, source, None, "NameError: name 'key' is not defined")
    assert say_crash(crash, source) == "it stops at line 2, `return key @ q, values`"
