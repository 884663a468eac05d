"""What an author's mistakes come to: a sentence each, with its fix, and never a traceback."""

from __future__ import annotations

import pytest

from autograder.course.load import load_course
from autograder.errors import CourseError
from autograder.verify.proof import verify_course

PROBLEM = """
import torch

from autograder import Code, Module, Problem, case, do, drawn, given, number, prop

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
        (SQUARE.replace("x[I, J", "x[I, ..."), PART, "has '...' behind another axis"),
        (SQUARE.replace("[I, J]", "[..., J]"), PART.replace("I=2, ", ""), "two of them, lead=(2, 3)"),
        (None, PART.replace("I=2", "lead=(2,), I=2"), "no argument of the docstring begins with ..."),
        (
            SQUARE.replace("[I, J]", "[..., J]"),
            PART.replace("I=2", "lead=2"),
            "write sizes, as in lead=(2, 3)",
        ),
        ("class f:\n    pass", PART, "a code part asks for a function, and this is a class"),
        (SQUARE.replace("(x)", "(*, x)"), PART, "'x' is keyword-only"),
        (SQUARE.replace("(x)", "(*x)"), PART, "name each of them"),
        (STUB.format(returns="list[strings]"), PART, "cannot read the type 'list[strings]'"),
        (STUB.format(returns="str"), PART.replace("points=1", "points=1, draws={'x': given()}"), "add x="),
    ],
    ids=[
        "points",
        "dots",
        "no lead",
        "lead",
        "lead is a number",
        "class",
        "keyword-only",
        "any number",
        "type",
        "given",
    ],
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


LAYER = '''class Layer(torch.nn.Module):
    """A linear layer."""

    def __init__(self, i, o):
        """Make its weight."""

    def forward(self, x):
        """Call it."""'''
ANSWER = """class Layer(torch.nn.Module):
    def __init__(self, i, o):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.randn(o, i))

    def forward(self, x):
        return x @ self.weight.T"""
INIT = "init=dict(i=2, o=3)"


def module(rest, settings=""):
    return f'Module(Layer, points=1, cases=[case("small", {rest})]{settings})'


@pytest.mark.parametrize(
    ("part", "says"),
    [
        (module('init=dict(i=2, p=3), call="x[B, i]", B=4'), "init does not fit Layer(i, o)"),
        (module("init=[2, 3]"), "write the arguments by name: init=dict(i=4, o=5)"),
        (module(f'{INIT}, call="x[B, i]"'), "axis B of x[B, i] has no size; add B=…"),
        (module(f'{INIT}, call="x[B, i]", B="4"'), "axis B has size '4'; a size is a whole number"),
        (module(f'{INIT}, call="x[B i]", B=4'), "cannot read the axis 'B i'"),
        (module(INIT), "nothing is compared"),
        (module(f'{INIT}, load=["weight"], call="x[B, i]", B=4'), 'or load="all"'),
        (module(f'{INIT}, steps=["x[B, i]"], B=4'), "steps is a list of do.…"),
        (module(f'{INIT}, steps=[do.look("w")]'), "do.look('w'): nothing of that name is drawn before"),
        (module(f"{INIT}, steps=[do.backward(), do.gradients()]"), "nothing to differentiate"),
        (module(f'{INIT}, call="x[B, i]", B=4, grad=["x"]'), "here steps say it: do.backward(…)"),
        (module(f'{INIT}, call=do.leaf("x"), B=4'), "leaf('x') has no shape"),
        (module(f'{INIT}, call="x[B, i]", B=4, hidden=True'), "has no hint"),
        ("Module(Layer, points=1, cases=[])", "no visible case"),
        ('Module(3, points=1, cases=[case("a", call="x[B]", B=2)])', "a module is a class"),
        ('Code(Layer, points=1, cases=[case("a", x=2)])', "ask for it with Module(…)"),
    ],
)
def test_a_fault_of_a_part_that_asks_for_a_class_is_a_sentence(course, part, says):
    with pytest.raises(CourseError) as error:
        load_course(course(ANSWER, LAYER, part))
    assert says in str(error.value)


@pytest.mark.parametrize(
    ("answer", "stub", "says"),
    [
        (ANSWER, LAYER.replace("torch.nn.M", "nn.M"), "write torch.nn.Module, or import nn in given code"),
        ("def Layer(i, o):\n    return 1", LAYER, "expected a class, found function"),
        ("Layer = 3", LAYER, "expected a class, found int"),
        (
            ANSWER.replace("i, o)", "i, o, bias)"),
            LAYER,
            "is built with (i, o, bias), the problem says (i, o)",
        ),
        ("other = 3", LAYER, "solutions/p.py has no 'Layer'"),
    ],
    ids=["base", "function", "number", "arguments", "missing"],
)
def test_a_class_that_does_not_fit_its_question_is_told(course, answer, stub, says):
    stub = f"from torch import nn\n\n{stub}" if "(nn" in stub else stub
    with pytest.raises(CourseError) as error:
        load_course(course(answer, stub, module(f'{INIT}, load="all", call="x[B, i]", B=4')))
    assert says in str(error.value)


@pytest.mark.parametrize(
    ("part", "says"),
    [
        (
            module(f'{INIT}, load={{"wieght": "W[o, i]"}}, call="x[B, i]", B=4'),
            "no parameter or buffer 'wieght'",
        ),
        (module(f'{INIT}, load={{"weight": "W[i, o]"}}, call="x[B, i]", B=4'), "which should be [2, 3]"),
        (module(f'{INIT}, call="x[B, i]", B=4'), 'load its weights, as in load="all"'),
        (
            module(f'{INIT}, load="all", steps=[do.method("forwrad", "x[B, i]")], B=4'),
            "no attribute 'forwrad'",
        ),
        (module(f'{INIT}, load="all", call="x[B, o]", B=4'), "(solutions/p.py:8: return x @ self.weight.T)"),
    ],
    ids=["name", "shape", "not loaded", "method", "raises"],
)
def test_a_reference_that_a_case_does_not_fit_is_told(course, part, says):
    checks = [check for check in verify_course(load_course(course(ANSWER, LAYER, part)), None) if check.part]
    assert [check.passed for check in checks] == [False]
    assert says in checks[0].sentence


def holding(body, holds='[prop("it holds", h)]', more=""):
    return (
        f"{SQUARE}\n\ndef h({body}",
        f'Code(f, points=1, holds={holds}, cases=[case("small", I=2, J=3)]{more})',
    )


@pytest.mark.parametrize(
    ("question", "says"),
    [
        (holding("f, x):\n    return f(x) is not None", "[prop('a', lambda f, x: True)]"), "write it as def"),
        (holding("f, x):\n    f(x)"), "it holds of everything"),
        (holding("f, y):\n    return True"), "h takes 'y', which is no argument of the function"),
        (holding("):\n    return True"), "the first is the student's function"),
        (holding("f, x):\n    return True", "prop('a', h)"), "holds is a list of properties"),
        (holding("f, x):\n    return True", "[prop('', h)]"), "has no words"),
        (holding("f, x):\n    return True", more=", tolerance=0.1"), "tolerance does not go with holds"),
        (holding("f, x):\n    return True", more=", after='g'"), "no earlier code part"),
    ],
    ids=["lambda", "no return", "argument", "none", "no list", "no words", "tolerance", "after"],
)
def test_a_fault_of_a_property_is_a_sentence(course, question, says):
    with pytest.raises(CourseError) as error:
        load_course(course("def f(x):\n    return x", *question))
    assert says in str(error.value)


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("f, x):\n    return float(f(x).sum())", "a property returns True or False, not"),
        ("f, x):\n    return f(x).nosuch == 1", "no attribute 'nosuch'"),
        ("f, x):\n    return f(x) > 100", "it holds: it does not hold"),
    ],
)
def test_a_property_that_the_reference_does_not_have_is_told(course, body, says):
    root = course("def f(x):\n    return x", *holding(body))
    checks = [check for check in verify_course(load_course(root), None) if check.part]
    assert [check.passed for check in checks] == [False]
    assert says in checks[0].sentence
    assert "case 'small', draw 1" in checks[0].sentence


def test_a_property_that_holds_of_everything_is_told(course, sandbox):
    root = course("def f(x):\n    return x", *holding("f, x):\n    return f(x).shape == x.shape"))
    checks = [check for check in verify_course(load_course(root), sandbox.run) if check.part]
    told = {check.name: check.found for check in checks if not check.passed}
    assert set(told) == {"zeros", "ones", "echoed input"}
    assert told["zeros"] == "earns marks: no property tells it from an answer"


def test_a_generator_that_fails_is_told_with_its_line(course):
    stub = f"{SQUARE}\n\ndef g(rng, I, J):\n    return rng.nosuch(I)"
    part = PART.replace("points=1", "points=1, draws={'x': drawn(g)}")
    root = course("def f(x):\n    return x", stub, part)
    checks = [check for check in verify_course(load_course(root), None) if check.what == "reference"]
    assert "the arguments of case 'small' cannot be drawn" in checks[0].sentence
    assert "return rng.nosuch(I))" in checks[0].sentence
