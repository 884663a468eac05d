"""Sentences that quote an error: Python's words and the student's line in monospace, the caret below its place."""

from __future__ import annotations

import pytest

from autograder.pages.quoted_errors import told

SYNTAX = """\
the cell stops before scores is defined: SyntaxError: '(' was never closed (line 2)
    return q @ (k.T
               ^"""


def test_a_syntax_error_shows_the_line_and_a_caret_below_its_place():
    (said,) = told(SYNTAX)
    words, code = str(said).split('<code class="line scrolls" tabindex="0">')
    assert words == (
        "the cell stops before scores is defined: <code>SyntaxError: &#39;(&#39; was never closed</code>"
    )
    first, second = code.removesuffix("</code>").split("\n")
    assert first == "2 │ return q @ (k.T"
    assert first.index("(") == second.index("^")


@pytest.mark.parametrize(
    ("text", "html"),
    [
        (
            "raised NameError: name 'np' is not defined (line 12: return np.exp(q))",
            "raised <code>NameError: name &#39;np&#39; is not defined</code>"
            '<code class="line">12 │ return np.exp(q)</code>',
        ),
        ("raised RuntimeError", "raised <code>RuntimeError</code>"),
        ("30 of 30 values differ; first at [0, 0]", "30 of 30 values differ; first at [0, 0]"),
        ("the Error of your ways", "the Error of your ways"),
        ("raised ValueError: <script>", "raised <code>ValueError: &lt;script&gt;</code>"),
        ("a (line 1: <b>x</b>)", 'a<code class="line">1 │ &lt;b&gt;x&lt;/b&gt;</code>'),
    ],
    ids=["with-its-line", "bare", "no-error", "a-word", "hostile-error", "hostile-line"],
)
def test_an_error_is_code_and_the_rest_is_words(text, html):
    assert [str(each) for each in told(text)] == [html]


def test_each_line_is_a_paragraph_and_empty_ones_are_none():
    assert [str(each) for each in told("one\n\ntwo\n")] == ["one", "two"]


def test_a_place_without_its_line_is_still_told():
    assert [str(each) for each in told("SyntaxError: no (line 7)\nnext")] == [
        "<code>SyntaxError: no (line 7)</code>",
        "next",
    ]


def test_what_stands_between_backticks_is_code():
    assert told("line 2, `a < b`, departs") == ["line 2, <code>a &lt; b</code>, departs"]
