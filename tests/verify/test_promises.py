"""What an author's mistakes come to: a sentence each, with its fix, and never a traceback."""

from __future__ import annotations

import pytest

from autograder.course.load import load_course
from autograder.errors import CourseError
from autograder.verify.proof import promises, verify_course

PROBLEM = """
import torch

from autograder import Choice, Code, Growth, Module, Number, Problem, Tests
from autograder import case, do, double_precision, drawn, follows, given, number, prop, whole

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
        ("[I, J]", "(x - x) / (x - x)", "case 'small': 6 of 6 values of the result are NaN in the reference"),
        ("Tensor", "[1]", "the docstring says it returns Tensor, the reference returns [1]"),
        ("[I, J]", "x + torch.rand(2, 3)", "another result when random numbers begin elsewhere"),
        (
            "[I, J]",
            "x.to('meta')",
            "gives a tensor that has dtype torch.float64 on meta, which the grader cannot",
        ),
        ("list[str]", "[1]", "the docstring says it returns list[str], the reference returns [1]"),
    ],
)
def test_a_reference_that_does_not_keep_its_promise_is_told(course, returns, body, says):
    root = course(f"def f(x):\n    return {body}", STUB.format(returns=returns))
    checks = [check for check in verify_course(load_course(root), None) if check.part]
    assert [check.passed for check in checks] == [False]
    assert says in checks[0].sentence


@pytest.mark.parametrize(
    ("stub", "solution", "says"),
    [
        (
            'def f(x) -> list[str]:\n    """x[I, J]"""',
            "def f(x):\n    return [1]",
            "the docstring says it returns list[str], the reference returns [1]",
        ),
        (
            SQUARE,
            "KEPT = []\ndef f(x):\n    KEPT.append(x)\n    return x * len(KEPT)",
            "gives another result when it is called again: what it keeps",
        ),
    ],
    ids=["annotation", "state"],
)
def test_a_promise_of_an_annotation_and_what_is_kept_between_calls_are_told(course, stub, solution, says):
    checks = [c for c in verify_course(load_course(course(solution, stub)), None) if c.part]
    assert [check.passed for check in checks] == [False]
    assert says in checks[0].sentence


@pytest.mark.parametrize(
    ("stub", "part", "says"),
    [
        (None, PART.replace("points=1", 'points="3"'), "f: points is '3'; write a number, without quotes"),
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
        (
            STUB.format(returns="[I, J/2]"),
            PART,
            "cannot read the axis 'J/2' of its docstring: one is made of names, whole numbers, +, -, * and //; "
            "write J//2",
        ),
        (SQUARE.replace("x[I, J]", "x[I, :]"), PART, "cannot read the axis ':' of its docstring"),
        (None, 'Code(f, cases=[case("small", I=2, J=3)])', "Code(…) lacks points: add points=…"),
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
        "division",
        "slice",
        "no points",
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
        (module(f'{INIT}, loads="all", call="x[B, i]", B=4'), "loads is no axis of its tensors"),
        (
            'Module(3, points=1, cases=[case("a", call="x[B]", B=2)])',
            "made is 3; write the name of a function or class",
        ),
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
        (
            module(f'{INIT}, load="all", steps=[do.call("x[B, i]"), do.backward()], B=4'),
            'at do.backward(): of more than one number it goes along a tensor, do.backward("g[B, i]")',
        ),
        (
            module(f'{INIT}, load="all", steps=[do.call("x[B, i]"), do.call("y")], B=4'),
            "'y' was handed over as a text: a tensor is written \"y[B, i]\"",
        ),
        (module(f'{INIT}, load="all", call="x[B, o]", B=4'), "(solutions/p.py:8: return x @ self.weight.T)"),
    ],
    ids=["name", "shape", "not loaded", "method", "along", "text", "raises"],
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
        (
            holding("f, x):\n    return True", "prop('a', h)"),
            "holds is of type Property; write a list, [prop(",
        ),
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


FIELDS = {
    "points": ('Code(f, points="3", cases=[])', "f: points is '3'; write a number, without quotes"),
    "cases": ('Code(f, points=1, cases=case("a"))', "f: cases is of type Case; write a list, [case("),
    "a case": ('Code(f, points=1, cases=["a"])', "f: cases[0] is 'a'; write case("),
    "hidden": (
        'Code(f, points=1, cases=[case("a", hidden="yes")])',
        "f: case 'a': hidden is 'yes'; write True or False",
    ),
    "hint": (
        'Code(f, points=1, cases=[case("a", hint=3)])',
        "f: case 'a': hint is 3; write a text, in quotes",
    ),
    "scale": (
        'Code(f, points=1, cases=[case("a", scale="x")])',
        "scale is 'x'; write a number, without quotes or",
    ),
    "a draw": ('Code(f, points=1, cases=[], draws={"x": "whole"})', "f: draws['x'] is 'whole'; write a draw"),
    "a draw uncalled": (
        'Code(f, points=1, cases=[], draws={"x": given})',
        "draws['x'] is the function given; write",
    ),
    "tolerance": (
        'Code(f, points=1, cases=[], tolerance="1 %")',
        "tolerance is '1 %'; write a number, without",
    ),
    "limits": ("Code(f, points=1, cases=[], limits=3)", "limits is 3; write a table by name"),
    "after": ("Code(f, points=1, cases=[], after=3)", "after is 3; write a text, in quotes"),
    "no function": (
        "Code('f', points=1, cases=[])",
        "part 1: function is 'f'; write the name of a function or class",
    ),
    "a part": ("f", "parts[0] is the function f; write a part, such as Code("),
    "tests": ('Tests("t", points=1, stubs=f, visible=f)', "t: visible is the function f; write a list"),
    "an option": (
        'Choice("c", points=1, ask="a", options=["a"])',
        "c: options is ['a']; write a table by name",
    ),
    "variables": ('Growth("g", points=1, ask="a", variables="T")', "g: variables is 'T'; write a list"),
    "ask": ('Number("n", points=1, ask=3)', "n: ask is 3; write a text, in quotes"),
    "share": ("Code(f, points=True, cases=[])", "f: points is True; write a number, without quotes"),
}


@pytest.mark.parametrize(("part", "says"), FIELDS.values(), ids=FIELDS)
def test_a_field_that_holds_what_it_is_not_made_for_is_told(course, part, says):
    with pytest.raises(CourseError) as error:
        load_course(course("def f(x):\n    return x", part=part))
    assert f"problems/p.py: {says}" in str(error.value) or says in str(error.value)
    assert len(str(error.value).splitlines()) <= 2


def test_faults_of_two_parts_are_told_at_once(course):
    parts = f'{PART.replace("points=1", "points=[1]")}, Number("n", points=1, ask=3)'
    with pytest.raises(CourseError, match=r"f: points is \[1\].*\n.*n: ask is 3"):
        load_course(course("def f(x):\n    return x", part=parts))


def test_what_is_wrong_beside_a_part_that_is_not_filled_in_rightly_is_told_too(course):
    beside = 'Choice("c", points=1, ask="", options={"a": "x", "b": "y"})'
    with pytest.raises(CourseError, match=r"f: points is '3'.*\n.*c: ask is empty"):
        load_course(
            course("def f(x):\n    return x", part=f"{PART.replace('points=1', 'points=chr(51)')}, {beside}")
        )


def test_one_name_is_a_list_of_gradients_too(course):
    part = PART.replace("J=3", 'J=3, grad="x"')
    assert load_course(course("def f(x):\n    return x", part=part)).problems["p"].parts[0].cases[0].grad == (
        "x",
    )


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("x.detach()", "asks for the gradient of x, and in the reference none flows there"),
        ("exit()", "the reference raises SystemExit"),
        (
            "x * torch.tensor(numpy.random.default_rng().random(3))",
            "what a generator without a seed draws is handed over as an argument",
        ),
    ],
)
def test_a_reference_without_gradients_or_that_leaves_is_told(course, body, says):
    part = PART.replace("J=3", 'J=3, grad="x"') if "detach" in body else PART
    root = course(f"import numpy\ndef f(x):\n    return {body}", part=part)
    found = [
        check.sentence for check in verify_course(load_course(root), None) if not check.passed and check.part
    ]
    assert [says in each for each in found] == [True]


def test_a_value_that_cannot_be_handed_over_is_told(course):
    part = 'Code(f, points=1, draws={"x": given()}, cases=[case("small", x=[max])])'
    root = course("def f(x):\n    return 1", 'def f(x):\n    """returns int"""', part)
    found = [check.sentence for check in verify_course(load_course(root), None) if check.part]
    assert found == [
        "p.f: reference: case 'small': an object of type builtin_function_or_method cannot be handed over: "
        "numbers, texts, bytes, None, tensors and lists, tuples, dicts and sets of them can; for a function see "
        "function(…), or write Tests(…)"
    ]


@pytest.mark.parametrize(
    ("value", "says"),
    [
        (
            "State(h=torch.ones(2), c=1)",
            "a State would lose its names on the way to the student's process: write a dict, "
            "{'h': …, 'c': …}, or a plain tuple",
        ),
        ("[State(1, 2)]", "a State would lose its names"),
        ('np.array(["a", "b"])', "an array of numpy that holds texts has no tensor to go as: make it a list"),
        ("np.array([None])", "an array of numpy that holds values of type object has no tensor to go as"),
    ],
    ids=["named tuple", "named tuple in a list", "texts of numpy", "objects of numpy"],
)
@pytest.mark.parametrize(
    ("stub", "part"),
    [
        (
            'def f(x):\n    """returns int"""',
            'Code(f, points=1, draws={{"x": given()}}, cases=[case("one", x={})])',
        ),
        (
            'class f:\n    """One."""\n    def __init__(self, x):\n        """x."""',
            'Module(f, points=1, cases=[case("one", init=dict(x={}), steps=[do.get("x")])])',
        ),
    ],
    ids=["function", "class"],
)
def test_a_value_that_would_change_on_the_way_is_told_with_its_fix(course, stub, part, value, says):
    names = "import numpy as np\nfrom collections import namedtuple\nState = namedtuple('State', 'h c')\n"
    solution = stub.replace('"""returns int"""', "return 1").replace('"""x."""', "self.x = x")
    root = course(solution, names + stub, part.format(value))
    found = [check.sentence for check in verify_course(load_course(root), None) if check.part]
    assert len(found) == 1
    assert found[0].startswith(f"p.f: reference: case 'one': {says}")


def test_a_class_that_gives_texts_alone_is_not_told_that_zeros_earn_marks(course, sandbox):
    stub = (
        'class C:\n    """A stack."""\n    def __init__(self, words):\n        """Begin."""\n'
        '    def pop(self):\n        """The last word."""'
    )
    part = 'Module(C, points=1, cases=[case("all", init=dict(words=["a", "b"]), steps=[do.method("pop")])])'
    solution = (
        "class C:\n    def __init__(self, words):\n        self.words = list(words)\n"
        "    def pop(self):\n        return self.words.pop()"
    )
    checks = list(verify_course(load_course(course(solution, stub, part)), sandbox.run))
    assert [c.sentence for c in checks if not c.passed and c.part] == []
    assert [c.found for c in checks if c.name == "zeros"] == ["caught by 'all'"]


def test_a_hidden_test_that_the_reference_fails_is_told_with_its_values(course):
    stub = 'def f(x):\n    """It."""\n\n\ndef test_f(names):\n    """doubles"""\n    assert names.f(3) == 7'
    part = 'Tests("t", points=1, stubs=[f], visible=[], hidden=[test_f])'
    root = course("def f(x):\n    return 2 * x", stub, part)
    found = [check.sentence for check in verify_course(load_course(root), None) if check.part]
    assert len(found) == 1
    assert found[0].startswith("p.t: reference test_f: doubles: assert 6 == 7")
    assert "= names.f" in found[0]


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (
            "f, x):\n    return follows([0, 1], [0.5, 0.7])",
            "chances are positive and add up to 1, not to 1.2",
        ),
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


DOUBLE = (
    'def f(x, m, gamma):\n    """x[I, J]  m[I]  gamma   returns [I, J]"""',
    'Code(f, points=1, draws={"m": whole("J"), "gamma": number()}, '
    'cases=[case("small", I=5, J=3, gamma=0.9), double_precision("x", I=5, J=3, gamma=0.9)])',
)


@pytest.mark.parametrize(
    ("body", "rounds"),
    [
        ("x * (gamma * m)[:, None]", True),
        ("x * gamma ** torch.arange(3)", True),
        ("x * 10000 ** (-torch.arange(3, dtype=torch.float32) / 3)", True),
        ("x * torch.tensor([0.1, 0.2, 0.3], dtype=torch.float32)", True),
        ("(x.float() / x.float().norm()).to(x.dtype)", True),
        ("x * (gamma * m.to(x.dtype))[:, None]", False),
        ("x * (m > 0)[:, None] + torch.zeros(3)", False),  # what is rounded exactly is right
        ("torch.manual_seed(0) and x * torch.rand(3)", False),  # other numbers, no rounding
    ],
)
def test_a_reference_that_rounds_to_single_precision_is_told_on_a_case_in_double(course, body, rounds):
    root = course(f"def f(x, m, gamma):\n    return {body}", *DOUBLE)
    loaded = load_course(root)
    problem = loaded.problems["p"]
    found = [check.sentence for check in promises(loaded, problem, problem.parts[0])]
    says = "p.f: reference: case 'double precision': the reference rounds to single precision on its way"
    assert [each.startswith(says) for each in found] == [True] * rounds


def test_a_part_that_is_asked_in_single_precision_may_round_to_it(course):
    stub, part = DOUBLE
    part = part.replace("points=1", 'points=1, precision="float32"')
    loaded = load_course(course("def f(x, m, gamma):\n    return x * gamma ** torch.arange(3)", stub, part))
    problem = loaded.problems["p"]
    assert list(promises(loaded, problem, problem.parts[0])) == []
