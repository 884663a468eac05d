"""Thousands of growth rates as students type them, each with its verdict."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from autograder.course.model import Growth, Key
from autograder.text.growth.judge import judge_growth

TABLES = [
    tomllib.loads(Path(__file__).with_name(name).read_text(encoding="utf-8"))
    for name in ("growth_answers.toml", "growth_sentences.toml")
]
TABLE = TABLES[0]
FAMILIES = [family for table in TABLES for family in table["family"]]
VERDICTS = ("equivalent", "tighter", "looser", "incomparable", "unparseable")
ENDLESS = (
    "T" * 5000,
    "(" * 200 + "T" + ")" * 200,
    "(" * 5000,
    "log " * 400 + "T",
    "T^" * 300 + "2",
    "+".join(["T"] * 600),
    "O(" * 300 + "T",
    "\\frac{" * 300,
    "²" * 700,
)
BLOCKS = [
    pytest.param(family, verdict, id=f"{family['name']}: {verdict}")
    for family in FAMILIES
    for verdict in VERDICTS
    if verdict in family
]


def part_of(family: dict[str, Any]) -> Growth:
    return Growth(
        "part",
        1,
        "",
        family["variables"],
        family.get("assumptions", ()),
        quantity=family.get("quantity", "span"),
        words=family.get("words", {}),
    )


def verdict_on(answer: str, family: dict[str, object]) -> str:
    part = part_of(family)
    judgement = judge_growth(answer, part, Key(str(family["reference"])))
    assert judgement.verdict == "equivalent" or judgement.feedback
    return str(judgement.verdict)


@pytest.mark.parametrize(("family", "verdict"), BLOCKS)
def test_every_answer_of_the_table_gets_its_verdict(family: dict[str, object], verdict: str) -> None:
    answers = family[verdict]
    assert isinstance(answers, list)
    wrong = {answer: got for answer in answers if (got := verdict_on(answer, family)) != verdict}
    assert wrong == {}


@pytest.mark.parametrize("family", TABLE["family"], ids=lambda family: family["name"])
def test_tighter_and_looser_are_mirror_images(family: dict[str, object]) -> None:
    mirrored = {"tighter": "looser", "looser": "tighter", "equivalent": "equivalent"}
    part = part_of(family)
    for verdict, mirror in mirrored.items():
        for answer in family.get(verdict, ())[::7]:  # type: ignore[index]
            if "(" in answer:
                got = judge_growth(str(family["reference"]), part, Key(answer)).verdict
                assert (answer, got) == (answer, mirror)


def test_garbage_and_code_are_refused_in_words() -> None:
    part = Growth("part", 1, "", ("T",))
    wrong = {}
    for answer in (*TABLE["garbage"], *ENDLESS):
        judgement = judge_growth(answer, part, Key("O(T)"))
        if judgement.verdict != "unparseable" or not judgement.feedback or judgement.share:
            wrong[answer[:60]] = judgement
    assert wrong == {}
