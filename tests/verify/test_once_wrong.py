"""What courses of other people once found wrong, each in one test, so that it stays mended."""

from __future__ import annotations

import pytest
import torch

from autograder.calls.compare_tensors import Want, compare_tensor, tolerance
from autograder.course.load import load_course
from autograder.course.model import Formula, Key
from autograder.course.small_kinds import Matrix, Number
from autograder.text.judge import judge_text
from autograder.verify.proof import verify_course

# A docstring of another shape, a random reference, a constant result and helper classes are in test_promises.


def test_whole_numbers_are_compared_exactly():
    values = torch.tensor([10_000_000, 3])
    want = Want("", values, torch.int64, tolerance(values, [values], torch.float32))
    assert compare_tensor(values.clone(), want) is None
    assert compare_tensor(values + 1, want).message.endswith("expected 10000000, got 10000001")


def test_a_result_of_truth_values_is_proved(tmp_path, sandbox):
    for folder in ("problems", "solutions"):
        (tmp_path / folder).mkdir()
    (tmp_path / "problems" / "course.toml").write_text('[sets.a]\nproblems = ["p"]\n')
    (tmp_path / "problems" / "p.py").write_text(
        "from autograder import Code, Problem, case\n"
        'def f(x):\n    """Where it is positive.   x[I, J]   returns [I, J]"""\n'
        'problem = Problem("t", "s", "s", [Code(f, 1, [case("small", I=7, J=9)])])\n'
    )
    (tmp_path / "solutions" / "p.py").write_text("def f(x):\n    return x > 0\n")
    (tmp_path / "solutions" / "secret.txt").write_text("a secret of the test\n")
    checks = [check for check in verify_course(load_course(tmp_path), sandbox.run) if check.part]
    assert [check.sentence for check in checks if not check.passed] == []


@pytest.mark.parametrize(
    ("answer", "key", "declared"),
    [
        ("0", "E[X^2] - E[X]^2", {"functions": ["E"], "reals": ["X"]}),
        ("A B P^2", "P(A) P(B)", {"functions": ["P"], "reals": ["A", "B"]}),
        ("B A", "A B", {"matrices": ["A", "B"]}),
        ("x", "|x|", {"reals": ["x"]}),
        ("x", "max(x, 0)", {"reals": ["x"]}),
    ],
    ids=["expectation", "probability", "matrices", "absolute value", "maximum"],
)
def test_formulas_that_once_passed_for_one_another_do_not(answer, key, declared):
    part = Formula("f", 1, "", declared.pop("variables", ()), **declared)
    assert judge_text(key, part, Key(key)).verdict == "equal"
    assert judge_text(answer, part, Key(key)).verdict in ("different", "unparseable")


def test_a_factorial_is_its_number_times_the_one_before():
    part = Formula("f", 1, "", ["n"])
    assert judge_text("n (n-1)!", part, Key("n!")).verdict in ("equal", "undecided")
    assert judge_text("n!", part, Key("n!")).verdict == "equal"


@pytest.mark.parametrize(
    ("part", "key", "answer"),
    [
        (Formula("f", 1, "", []), "8", "3"),
        (Number("n", 1, ""), "8", "3"),
        (Matrix("m", 1, ""), "[[7, 8], [9, 6]]", "[[1, 2], [3, 4]]"),
    ],
    ids=["formula", "number", "matrix"],
)
def test_feedback_does_not_give_a_key_of_plain_numbers_away(part, key, answer):
    judged = judge_text(answer, part, Key(key))
    assert judged.share == 0
    assert not {"8", "8/3", "7", "9"} & set(judged.feedback.replace(",", " ").replace("]", " ").split())
