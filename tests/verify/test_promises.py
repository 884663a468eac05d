"""What an author's mistakes come to: a sentence each, with its fix, and never a traceback."""

from __future__ import annotations

import pytest

from autograder.course.load import load_course
from autograder.errors import CourseError
from autograder.verify.proof import verify_course

PROBLEM = """
from autograder import Code, Problem, case, given, number

{stub}

problem = Problem(title="t", source="s", statement="s", parts=[{part}])
"""
STUB = 'def f(x):\n    """x[I, J]   returns {returns}"""'
SQUARE = STUB.format(returns="[I, J]")
PART = 'Code(f, points=1, cases=[case("small", I=2, J=3)])'


@pytest.fixture
def course(tmp_path):
    """A course of one problem, written to disk."""

    def write(solution, stub=SQUARE, part=PART):
        for folder in ("problems", "solutions"):
            (tmp_path / folder).mkdir()
        (tmp_path / "problems" / "course.toml").write_text('[sets.a]\nproblems = ["p"]\n')
        (tmp_path / "problems" / "p.py").write_text(PROBLEM.format(stub=stub, part=part))
        (tmp_path / "solutions" / "p.py").write_text(f"import torch\n{solution}\n")
        (tmp_path / "solutions" / "secret.txt").write_text("a secret of the test\n")
        return tmp_path

    return write


@pytest.mark.parametrize(
    ("returns", "body", "says"),
    [
        ("[J, I]", "x", "the docstring says it returns [J, I], here [3, 2], the reference returns [2, 3]"),
        ("[I, J]", "x.numpy()[5]", "raises IndexError: index 5 is out of bounds"),
        ("[I, J]", "x.numpy()[5]", "(solutions/p.py:3: return x.numpy()[5]) on case 'small'"),
        ("[I, J]", "x.numpy()", "the docstring promises a tensor, the reference returns ndarray"),
        ("[I, J]", "1.5", "the reference returns number: return a tensor, or say the type after 'returns'"),
        ("[I, J]", "torch.nn.Linear(3, 3)(x)", "torch.nn.Linear(i, o, dtype=x.dtype)"),
        ("[I, J]", "x + torch.rand(2, 3)", "another result when random numbers begin elsewhere"),
        ("list[str]", "[1]", "the docstring says it returns list[str], the reference returns [1]"),
    ],
)
def test_a_reference_that_does_not_keep_its_promise_is_told(course, returns, body, says):
    root = course(f"def f(x):\n    return {body}", STUB.format(returns=returns))
    checks = [check for check in verify_course(load_course(root), None) if check.part]
    assert [check.passed for check in checks] == [False]
    assert says in checks[0].sentence


@pytest.mark.parametrize(
    ("stub", "part", "says"),
    [
        (None, PART.replace("points=1", 'points="3"'), "points are '3'; write a number, without quotes"),
        (SQUARE.replace("x[I", "x[..., I"), PART, "has '...': name every axis"),
        ("class f:\n    pass", PART, "a code part asks for a function, and this is a class"),
        (SQUARE.replace("(x)", "(*, x)"), PART, "'x' is keyword-only"),
        (SQUARE.replace("(x)", "(*x)"), PART, "name each of them"),
        (STUB.format(returns="list[strings]"), PART, "cannot read the type 'list[strings]'"),
        (STUB.format(returns="str"), PART.replace("points=1", "points=1, draws={'x': given()}"), "add x="),
    ],
    ids=["points", "dots", "class", "keyword-only", "any number", "type", "given"],
)
def test_a_fault_of_a_problem_file_is_a_sentence(course, stub, part, says):
    root = course("def f(x):\n    return x", stub or SQUARE, part)
    with pytest.raises(CourseError) as error:
        load_course(root)
    assert says in str(error.value)


def test_a_class_as_an_answer_to_a_function_is_told(course):
    with pytest.raises(CourseError, match="expected a function, found a class"):
        load_course(course("class f:\n    pass"))


def test_a_constant_and_what_a_solution_needs_are_no_faults(course, sandbox):
    """A helper class, an annotated and a tuple constant go with the reference; its mean is no empty answer."""
    solution = (
        "WIDTH: int = 1\nA, B = 2, 3\n\nclass Helper:\n    def ones(self, n):\n        return torch.ones(n) * A\n\n"
        "def f(n):\n    return Helper().ones(n) * WIDTH * B"
    )
    stub = 'def f(n):\n    """returns [N]"""'
    part = 'Code(f, points=1, draws={"n": number()}, cases=[case("small", n=2, N=2), case("more", n=5, N=5)])'
    checks = list(verify_course(load_course(course(solution, stub, part)), sandbox.run))
    wrong = [check.sentence for check in checks if not check.passed and check.what != "notebooks"]
    assert wrong == []
