"""A solved sheet becomes draft problems: what is read is proved by our readers, the rest says FILL IN."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from autograder.cli.app import app
from autograder.course.load import load_course
from autograder.draft.write import draft_sheet, report
from autograder.errors import UsageError
from autograder.text.judge import judge_text

SHEET = r"""
# Week 1

**Problem 1. Pooling.** Vectors $x[T, J]$ are pooled with weights $W[K, J]$.

(a) Give the equations of the scores $s[k, t]$ and of the pooled vectors $p[k, J]$.

**Solution:**

$$\begin{aligned} s[k, t] &= W[k, J] x[t, J] \\ p[k, J] &= \sum_{t} s[k, t] x[t, J] \end{aligned}$$

(b) What is the serial running time as a function of $T$, $J$ and $K$?

**Solution:** Each of the $K$ rows takes $O(T J)$ steps, so that we get

$$O(K T J)$$

(c) How many parameters are there?

**Solution:** $K J$.

(d) Why are no biases needed?

**Solution:** A constant would be added to every score, and the next layer can undo it.

**Problem 2. A slip.** As before.

(a) Give the equation of the scores.

**Solution:** $$s[k, t] = W[k, J] x[J]$$

(b) Give the sums.

**Solution:** $$s[k, t] = W[k, J] x[t, J] + x[J, t]$$

(c) And then?
"""


def test_a_sheet_is_drafted_through_our_own_readers() -> None:
    first, second = draft_sheet(SHEET, "week1.md", "week1")
    assert [part.kind for part in first.parts] == ["equation", "growth", "formula", "prose"]
    assert [part.kind for part in second.parts] == ["prose", "prose", "prose"]
    assert first.title == "Pooling"
    text = "\n".join(report((first, second)))
    assert "2 equations over s[K, T], W[K, J], x[T, J], p[K, J]" in text
    assert "index t stands on the left side of s only" in text
    assert "x stands with the axes T, J and with J, T" in text
    assert "the sheet gives no solution" in text
    assert "3 of 7 parts read; 4 left to fill in" in text


def test_what_was_drafted_is_a_course_that_loads(tmp_path: Path) -> None:
    sheet = tmp_path / "week1.md"
    sheet.write_text(SHEET, encoding="utf-8")
    done = CliRunner().invoke(
        app, ["draft", str(sheet), "--set", "week1", "--course", str(tmp_path / "course")]
    )
    assert done.exit_code == 0, done.output
    course = load_course(tmp_path / "course")
    problem, solution = course.problems["week1_1"], course.solutions["week1_1"]
    for name in ("part_a", "part_b", "part_c"):
        key = solution.answers[name]
        assert judge_text(key.answer, problem.part(name), key).share == 1
    again = CliRunner().invoke(
        app, ["draft", str(sheet), "--set", "week1", "--course", str(tmp_path / "course")]
    )
    assert again.exit_code != 0


def test_latex_environments_are_read() -> None:
    sheet = r"""\documentclass{article}\begin{document}
\begin{problem} How many weights has a layer from $I$ to $J$ units?
\begin{solution} There are $I J + J$ with the biases. \end{solution}
\end{problem}
\end{document}"""
    (problem,) = draft_sheet(sheet, "sheet.tex", "week2")
    assert [part.kind for part in problem.parts] == ["formula"]


def test_a_sheet_without_problems_is_refused() -> None:
    with pytest.raises(UsageError, match="has no problem with a solution"):
        draft_sheet("Notes of a lecture.", "notes.md", "week1")
