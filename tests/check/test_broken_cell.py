"""A cell that is no Python: its own line, a caret that points, and the fix in words."""

from __future__ import annotations

import pytest

from autograder.check.broken_cell import explain

BROKEN = {
    "smart-quotes": ("axis = “b”", "“", "type a straight one"),
    "guillemets": ("axis = «b»", "«", "type a straight one"),
    "byte-order-mark": (
        "x = 1\n\ufeffy = 2",
        "\ufeff",
        "an invisible byte order mark was pasted here: delete it",
    ),
    "hard-space": ("x =\xa01", "\xa0", "a space that is none to Python was pasted here"),
    "zero-width": ("x = \u200b1", "\u200b", "an invisible character (U+200B) was pasted here"),
    "minus": ("x = 3 − 1", "−", "− is no sign of Python: write -"),
    "times": ("x = 3 × 1", "×", "× is no sign of Python: write *"),
    "bracket": ("rate = O(log T", "(", "'(' was never closed"),
    "quote": ('x = "abc', '"', "a quotation mark is opened here and not closed on this line"),
    "beyond-the-end": ("def f(x)\n    return x", "", "expected ':'"),
    "after-a-magic": ("%matplotlib inline\nx = “", "“", "line 2: "),
    "indentation": ("def f():\n    x = 1\n  return x", "r", "line 3: unindent does not match"),
    "long": ("x = '" + "a" * 500 + "' + ”", "”", "type a straight one"),
}


@pytest.mark.parametrize(("source", "sign", "says"), BROKEN.values(), ids=BROKEN)
def test_the_caret_points_and_the_fix_is_said(source, sign, says):
    fault = explain(source)
    assert fault is not None
    assert fault.line[fault.column - 1 : fault.column] == sign
    assert says in fault.says
    assert len(fault.line) <= 160


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("if 1:\n\tx = 1\n        y = 2", "line 3: tabs and spaces are mixed in the indentation"),
        ("def f():\nreturn 1", "indent what belongs together by the same four spaces"),
        ("x = 1\n  y = 2", "unexpected indent: indent what belongs together"),
        ("(" * 500 + ")" * 500, ""),
        ("x = \0", ""),
    ],
    ids=["tabs", "no-indent", "indent", "deep", "zero"],
)
def test_indentation_and_what_has_no_place_are_told_too(source, says):
    fault = explain(source)
    assert fault is not None
    assert says in fault.says


def test_a_caret_stands_under_its_place_behind_a_tab():
    fault = explain("if True:\n\tx = “a”")
    assert fault is not None
    assert fault.line == "    x = “a”"
    assert fault.line[fault.column - 1] == "“"


@pytest.mark.parametrize(
    "source",
    ["x = 1", "%time x = 1", "!ls (", "%%bash\nls (", ">>> x = 1", "  x = 1", "await f()", "x?", ""],
)
def test_what_a_notebook_runs_is_not_broken(source):
    assert explain(source) is None
