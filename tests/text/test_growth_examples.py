"""The examples of docs/growth.md are read as it says, and the page is made from them."""

from __future__ import annotations

import runpy
import tomllib
from pathlib import Path
from typing import Any

import pytest

from autograder.course.model import Growth, Key
from autograder.text.growth.judge import judge_growth, read_growth

ROOT = Path(__file__).parents[2]
QUESTIONS = tomllib.loads(Path(__file__).with_name("growth_examples.toml").read_text(encoding="utf-8"))[
    "question"
]


def asked(question: dict[str, Any]) -> Growth:
    return Growth("part", 1, "", question["variables"], words=question.get("words", {}))


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question["title"])
def test_every_example_is_read_as_the_page_says(question: dict[str, Any]) -> None:
    part = asked(question)
    assert {answer: read_growth(answer, part).plain for answer in question["read"]} == question["read"]


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question["title"])
def test_every_refused_example_says_why(question: dict[str, Any]) -> None:
    key = Key("O(" + " + ".join(question["variables"]) + ")")
    for answer, why in question.get("refused", {}).items():
        judged = judge_growth(answer, asked(question), key)
        assert (judged.verdict, why in judged.feedback) == ("unparseable", True), (answer, judged.feedback)


def test_the_page_is_made_from_the_examples() -> None:
    make = runpy.run_path(str(ROOT / "docs" / "make_growth.py"))
    text = (ROOT / "docs" / "growth.md").read_text(encoding="utf-8")
    assert make["page"](text) == text, "run python docs/make_growth.py"
