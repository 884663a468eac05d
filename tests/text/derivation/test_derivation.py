"""Derivations: the first false line is found, and what follows from it keeps its credit."""

from __future__ import annotations

import runpy
import tomllib
from pathlib import Path

import pytest

from autograder.course.model import Key
from autograder.course.small_kinds import Derivation
from autograder.errors import CourseError
from autograder.text.judge import judge_text, key_faults
from autograder.text.verdict import Judgement
from tests.conftest import ROOT
from tests.text.derivation.planted import Planted, differ, planted


def judge(found: Planted) -> Judgement:
    part = Derivation(
        "d", 1, "?", variables=("n", "y"), reals=("x",), matrices=("A", "B") if "A^T" in found.key else ()
    )
    return judge_text(found.text, part, Key(found.key))


def test_the_first_false_line_is_found_in_two_hundred_derivations() -> None:
    named = passed = slips = 0
    for seed in range(240):
        found = planted(seed)
        assert found.false is not None
        before, wrong = found.lines[found.false - 2 : found.false]
        if "A" not in found.key and not differ(before, wrong):
            continue  # what was written instead changes nothing: no slip
        slips += 1
        judged = judge(found)
        passed += judged.share == 1
        named += judged.mistake == f"line_{found.false}"
    assert slips >= 200
    assert passed == 0
    assert named >= 0.95 * slips


def test_derivations_without_a_slip_are_right() -> None:
    for seed in range(60):
        judged = judge(planted(seed, slip=False))
        assert (judged.verdict, judged.share) == ("equal", 1), (planted(seed, slip=False), judged)


TABLE = tomllib.loads(Path(__file__).with_name("answers.toml").read_text(encoding="utf-8"))["family"]


def rows(label: str) -> list[tuple[Derivation, str, object]]:
    return [
        (Derivation("d", 3, "?", **family["settings"]), family["key"], answer)
        for family in TABLE
        for answer in family.get(label, ())
    ]


def test_right_derivations_of_the_table_earn_full_marks() -> None:
    for part, key, answer in rows("right"):
        judged = judge_text(str(answer), part, Key(key))
        assert (judged.verdict, judged.share) == ("equal", 1), (answer, judged)


def test_the_first_false_line_of_the_table_is_named() -> None:
    for part, key, (line, answer) in rows("slips"):  # type: ignore[misc]
        judged = judge_text(answer, part, Key(key))
        assert (judged.verdict, judged.mistake) == ("different", f"line_{line}"), (answer, judged)
        assert judged.share < 1


def test_too_few_steps_and_what_cannot_be_read_earn_nothing() -> None:
    for part, key, answer in rows("short"):
        judged = judge_text(str(answer), part, Key(key))
        assert (judged.share, judged.mistake) == (0, "too_few_steps"), (answer, judged)
    for part, key, answer in rows("unparseable"):
        judged = judge_text(str(answer), part, Key(key))
        assert (judged.share, judged.verdict) == (0, "unparseable"), (answer, judged)


def test_what_loses_a_solution_or_allows_more_waits_for_a_person() -> None:
    for part, key, answer in rows("undecided"):
        judged = judge_text(str(answer), part, Key(key))
        assert (judged.verdict, judged.share) == ("undecided", 0), (answer, judged)


def test_the_page_on_derivations_is_made_from_this_table() -> None:
    script = runpy.run_path(str(ROOT / "docs" / "make_derivations.py"))
    assert script["TARGET"].read_text(encoding="utf-8") == script["fresh"]()


def test_the_slip_of_a_solved_homework_is_named_in_its_own_notation() -> None:
    part = Derivation("last", 3, "?", variables=["T"], reals=["X", "H_0"], steps=2)
    sums = r"\sum_{i=1}^{\frac{T}{2}} X_{2i} - \sum_{i=1}^{\frac{T}{2}} X_{2i-1} + H_0"
    paired = r"\left(\sum_{i=1}^{\frac{T}{2}} (X_{2i} - X_{2i-1}) + H_0\right)"
    first, last = rf"\sigma(1000({sums}))", rf"= \sigma\left(1000 \cdot {paired}\right)"
    key = "\n".join(
        (first, rf"= \sigma(1000 {paired})", "= \\sigma(1000 (H_0 + " + sums.replace(" + H_0", "") + "))")
    )
    sheet = "\n".join((first, rf"= \sigma\left({paired}\right)", last))
    judged = judge_text(sheet, part, Key(key))
    assert (judged.verdict, judged.mistake) == ("different", "line_2")
    assert judge_text(key, part, Key(key)).verdict == "equal"


@pytest.mark.parametrize("line", ["|x| = 2", "max(x, -x) = 2", "sqrt(x^2) = 2", "x |x| - 2 x = 0"])
def test_a_solution_left_of_a_corner_is_not_overlooked(line: str) -> None:
    part = Derivation("root", 1, "?", reals=["x"], steps=1)
    assert judge_text(f"{line}\nx = 2", part, Key("x = 2")).verdict == "undecided"


def test_what_is_assumed_of_vectors_and_not_modelled_goes_to_a_person() -> None:
    part = Derivation(
        "norm", 2, "?", variables=["β"], matrices=["M"], vectors=["b", "d"],
        assumptions=["b^T b = β^2", "d^T d = β^2", "b^T d = 0"], steps=1,
    )  # fmt: skip
    key = r"\|b + d\| = \sqrt{\|b\|^2 + \|d\|^2} = \sqrt{2} β"
    judged = judge_text(key, part, Key(key))
    assert (judged.verdict, judged.mistake) == ("undecided", "undecided")


def test_a_key_that_can_be_read_in_two_ways_asks_for_brackets() -> None:
    part = Derivation("d", 2, "?", variables=["I"], matrices=["Q"], vectors=["h", "g"], steps=1)
    with pytest.raises(CourseError, match=r"it can be read as .* and .*: write brackets"):
        judge_text("h^T Q g", part, Key("1/sqrt(I) (Q h)^T g = 1/sqrt(I) h^T Q^T g"))


def test_a_key_with_a_false_step_is_no_key() -> None:
    part = Derivation("d", 2, "?", reals=["x"], steps=1)
    assert key_faults(part, Key("(x + 1)^2 = x^2 + 2 x + 1")) == []
    (fault,) = key_faults(part, Key("(x + 1)^2 = x^2 + 1 = 1 + x^2"))
    assert "(x + 1)^2 is not equal to" in fault or "does not follow from" in fault


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        ("I J = J^2\nI = J\nI + J = 2 J", "line 3, I + J = 2*J: this is not the result that is asked for"),
        ("2 I J = J^2\n2 I\nI = J/2", "line 2: one equation a line is asked for"),
    ],
)
def test_what_is_said_of_an_equation_is_true_and_gives_no_key_away(answer: str, says: str) -> None:
    part = Derivation("half", 2, "?", variables=["I", "J"], steps=2)
    judged = judge_text(answer, part, Key("2 I J = J^2\n2 I = J\nI = J/2"))
    assert says in judged.feedback
    assert "J/2" not in judged.feedback
    assert judged.share < 1


STEPS = Derivation("d", 4, "?", variables=("J", "I"), reals=("x", "w", "y"), steps=2)


@pytest.mark.parametrize(
    ("answer", "key", "verdict", "share", "says"),
    [
        ("(x + 1)^2 - 1\n= x^2 + 2x\n= x (x + 2)", "x (x + 2)", "equal", 1, ""),
        (r"\begin{aligned} f(x) &= (x + 1)^2 - 1 \\ &= x^2 + 2x \\ &= x(x+2) \end{aligned}", "x(x+2)", "equal", 1, ""),
        ("(x+1)^2 - 1 = x^2 + 2x + 1 - 1 = x^2 + 2x", "x^2 + 2 x", "equal", 1, ""),
        ("(x+1)^2 - 1\n= x^2 + x\n= x (x + 1)\n= x^2 + x", "x (x+2)", "different", 2 / 3, "line 2: x^2 + x does not"),
        ("x^2\n= x x\n= x^2", "x (x+2)", "different", 2 / 3, "line 1: x^2 is not equal to what is asked for"),
        ("x (x+2)", "x (x+2)", "different", 0, "0 steps are shown"),
        ("x (x+2)\n= x (x+2)\n= x(x+2)", "x (x+2)", "different", 0, "0 steps are shown"),
        (r"\frac{dL}{dw} = 2 (w x - y) x" "\n= 2 w x^2 - 2 x y\n= 2x(w x - y), by factoring", "2 x (w x - y)", "equal", 1, ""),
        ("2 I J = J^2\n2 I = J\nI = J/2", "I = J/2", "equal", 1, ""),
        ("2 I J = J^2\n2 I = J^2\nI = J^2/2", "I = J/2", "different", 0.5, "line 2"),
        ("2 I J = J^2\nI = 2 J\nI = 2 J", "I = J/2", "different", 0.5, "line 2"),
        # Steps of a solved homework: norms added as if they were numbers, and a factor lost on the way.
        ("sqrt(J^2 + J^2)\n= sqrt(2 J^2)\n= J sqrt(2)", "J sqrt(2)", "equal", 1, ""),
        ("J + J\n= sqrt(J^2 + J^2)\n= J sqrt(2)", "J sqrt(2)", "different", 1 / 3, "line 1: J + J"),
        ("sigmoid(1000(x - w + y))\n= sigmoid((x - w) + y)\n= sigmoid(1000((x - w) + y))", "sigmoid(1000(x - w + y))",
         "different", 1 / 3, "line 2: sigmoid(x - w + y) does not follow"),
        ("J^2 - 2 I J\n= J (J - 2 I)\n= 2 J (J/2 - I)", "J^2 - 2 I J", "equal", 1, ""),
        ("J^2 - 2 I J\n= J (J - I)\n= J^2 - I J", "J^2 - 2 I J", "different", 2 / 3, "line 2"),
        ("x +\n= 3", "3", "unparseable", 0, "line 1"),
        ("", "3", "unparseable", 0, "nothing to read"),
    ],
)  # fmt: skip
def test_a_derivation_is_judged_step_by_step(
    answer: str, key: str, verdict: str, share: float, says: str
) -> None:
    judged = judge_text(answer, STEPS, Key(key))
    assert judged.verdict == verdict, judged
    assert judged.share == pytest.approx(share), judged
    assert says in judged.feedback
