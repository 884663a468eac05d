"""Prints of code: copies share them whatever is renamed or reformatted, the stub and short code have none."""

from __future__ import annotations

import random

import pytest

from autograder.grade.code_prints import WHOLE_FROM, code_prints, likeness, read_prints
from tests.pages.classes import made_up_code

STUB = 'def f(a, b):\n    """What to do."""\n    raise NotImplementedError("f: replace this line")'
CODE = """\
def f(a, b):
    # my own work
    q, k = a @ b.mT, a @ b
    scores = torch.einsum("tj,sj->ts", q, k)
    weights = torch.softmax(scores - scores.max(dim=1, keepdim=True).values, dim=1)
    mixed = [weights[t] @ b for t in range(len(a))]
    return torch.stack(mixed).flatten(1)
"""


def alike(one: str, other: str) -> float:
    return likeness(read_prints(code_prints(one, STUB))[1], read_prints(code_prints(other, STUB))[1])


@pytest.mark.parametrize(
    "copy",
    [
        CODE,
        CODE.replace("scores", "s").replace("weights", "w").replace("mixed", "result"),
        CODE.replace("# my own work", "# written by somebody else"),
        CODE.replace(", ", ",").replace("    ", "\t"),
    ],
    ids=["same", "renamed", "comment", "layout"],
)
def test_a_copy_has_the_same_passages(copy):
    assert alike(CODE, copy) == 1.0


def test_a_copy_with_one_line_changed_is_still_alike():
    assert 0.5 < alike(CODE, CODE.replace("torch.stack(mixed).flatten(1)", "torch.cat(mixed)[None]")) < 1


def test_code_of_ones_own_is_not_alike():
    one, other = (made_up_code("f", random.Random(seed)) for seed in (1, 2))
    assert alike(one, other) < 0.3


def test_the_stub_and_a_word_on_it_leave_no_print():
    assert code_prints(STUB, STUB) == ""
    assert code_prints("def f(a, b): return a", STUB) == ""


def test_only_long_code_has_a_print_as_a_whole():
    whole, _ = read_prints(code_prints(CODE, STUB))
    assert whole
    assert read_prints(code_prints(CODE.replace("mixed", "mine"), STUB))[0] != whole
    assert WHOLE_FROM > 30
    assert read_prints(code_prints("def f(a, b):\n    return torch.softmax(a @ b.T, dim=1)", STUB))[0] == ""


@pytest.mark.parametrize(
    "source", ["", "'''", "def f(:", "%%bash\nrm -rf /", "\x00" * 100, "'" * 9000, "ß = «»"]
)
def test_any_text_can_be_printed(source):
    assert isinstance(code_prints(source, STUB), str)
