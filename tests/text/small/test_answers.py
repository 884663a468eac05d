"""Numbers, shapes, matrices, intervals and labels in the ways that students write them: a table of verdicts."""

from __future__ import annotations

import runpy
import tomllib
from pathlib import Path
from typing import Any

import pytest

from autograder.course.model import Choice, Key, Mistake, Reading
from autograder.course.small_kinds import SMALL, Interval, Matrix, Number, Select, Shape
from autograder.text.judge import judge_text, key_faults
from autograder.text.verdict import Judgement
from tests.conftest import ROOT

TABLE = tomllib.loads(Path(__file__).with_name("answers.toml").read_text(encoding="utf-8"))["family"]
KINDS: dict[str, Any] = {kind.__name__.lower(): kind for kind in (*SMALL, Choice)}
LABELS = ("equal", "partial", "different", "unparseable", "undecided", "wrong")


def part_of(family: dict[str, Any]) -> Any:
    return KINDS[family["kind"]]("answer", 1, "", **family["settings"])


BLOCKS = [
    pytest.param(family, label, id=f"{family['kind']}-{family['key'][:60]!r}-{label}")
    for family in TABLE
    for label in LABELS
    if label in family
]


@pytest.mark.parametrize("kind", ["number", "shape", "matrix", "interval", "select", "order"])
def test_every_kind_is_tried_with_at_least_sixty_answers(kind):
    mine = [family for family in TABLE if family["kind"] == kind]
    labels = [label for family in mine for label in LABELS for _ in family.get(label, ())]
    assert len(labels) >= 60
    assert sum(label in ("different", "unparseable", "wrong") for label in labels) >= 20


def fits(judged: Judgement, label: str) -> bool:
    verdict = {"correct": "equal", "wrong": "different"}.get(judged.verdict, judged.verdict)
    share = 1 if judged.share == 1 else 0.5 if 0 < judged.share < 1 else 0
    return label in (verdict, "wrong") and share == {"equal": 1, "partial": 0.5}.get(label, 0)


@pytest.mark.parametrize(("family", "label"), BLOCKS)
def test_answers_get_the_verdict_they_deserve(family, label):
    judged = {answer: judge_text(answer, part_of(family), Key(family["key"])) for answer in family[label]}
    assert [(answer, each) for answer, each in judged.items() if not fits(each, label)] == []


@pytest.mark.parametrize("family", TABLE, ids=lambda family: f"{family['kind']}-{family['key']}"[:60])
def test_feedback_gives_no_key_away(family):
    key = family["key"]
    for answer in (*family.get("different", ()), *family.get("wrong", ())):
        said = judge_text(answer, part_of(family), Key(key)).feedback
        assert key not in said.replace(answer, "") or len(key) <= 6


def test_a_number_is_shown_as_it_was_typed():
    judged = judge_text("≈ 0.61086", Number("n", 1, "", tolerance=0.001), Key("0.611"))
    assert judged.read_as == "0.61086"


def test_a_close_number_is_told_to_give_more_digits():
    judged = judge_text("0.613", Number("n", 1, "", tolerance=0.001), Key("0.611"))
    assert judged.feedback == "close, but not within the tolerance: give more digits"


def test_a_matrix_names_the_places_that_differ_and_not_the_values():
    judged = judge_text("[[2, 1], [4, 5]]", Matrix("m", 1, ""), Key("[[2, 1], [4, 3]]"))
    assert judged.feedback == "3 of 4 entries are right; look at (2, 2) (row, column)"


def test_a_shape_names_the_axis_that_differs():
    judged = judge_text("(2, 4)", Shape("s", 1, ""), Key("(2, 3)"))
    assert judged.feedback == "axis 1 differs, counted from 0"


def test_an_interval_says_when_only_the_ends_belonging_is_wrong():
    part = Interval("i", 1, "", "x")
    judged = judge_text("[0, 1]", part, Key("(0, 1)"))
    assert "the ends are right, but not which of them belong" in judged.feedback


def test_a_wrong_label_takes_away_what_a_right_one_earns():
    part = Select("s", 2, "", {"a": "", "b": "", "c": "", "d": ""})
    shares = {text: judge_text(text, part, Key("a, c")).share for text in ("a", "a, b", "a, c, d", "all")}
    assert shares == {"a": 0.5, "a, b": 0.0, "a, c, d": 0.5, "all": 0.0}


def test_a_listed_mistake_and_a_further_reading_have_their_say():
    part = Number("n", 1, "")
    key = Key("4864", (Reading("4800", 0.5, "without the biases"),))
    slip = Mistake("no_output", "n", "you left the output layer out", "4608")
    assert judge_text("4800", part, key).share == 0.5
    judged = judge_text("4608", part, key, [slip])
    assert (judged.mistake, judged.feedback) == ("no_output", "you left the output layer out")


@pytest.mark.parametrize(
    ("part", "key", "fault"),
    [
        (Number("n", 1, ""), "many", "write one number"),
        (Shape("s", 1, ""), "(a, b)", "write a shape such as"),
        (Matrix("m", 1, ""), "[[1], [2, 3]]", "the rows have 1, 2 entries"),
        (Interval("i", 1, "", "x"), "sometimes", "write an interval"),
        (Select("s", 1, "", {"a": "", "b": ""}), "c", "is none of a, b"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_key_that_cannot_be_read_is_the_authors_fault(part, key, fault):
    assert fault in key_faults(part, Key(key))[0]


def test_the_page_that_lists_what_is_read_is_made_from_this_table():
    script = runpy.run_path(str(ROOT / "docs" / "make_small_answers.py"))
    assert script["TARGET"].read_text(encoding="utf-8") == script["fresh"]()
