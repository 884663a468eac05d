"""Thousands of growth rates as students type them, each with its verdict."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from autograder.answers.growth import judge_growth
from autograder.model import Growth, Key

TABLE = tomllib.loads(Path(__file__).with_name("growth_answers.toml").read_text(encoding="utf-8"))
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
    for family in TABLE["family"]
    for verdict in VERDICTS
    if verdict in family
]


def verdict_on(answer: str, family: dict[str, object]) -> str:
    part = Growth("part", 1, "", family["variables"], family.get("assumptions", ()))  # type: ignore[arg-type]
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
    part = Growth("part", 1, "", family["variables"], family.get("assumptions", ()))  # type: ignore[arg-type]
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
