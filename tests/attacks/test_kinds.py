"""Lies through the newer kinds: objects behind handles, properties fed with what no value is, stand-ins."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from autograder.calls.local_names import local_ask
from autograder.calls.properties import Promise, decide
from autograder.course.load import Course, load_course
from autograder.grade.report import PartReport
from autograder.grade.submission import Grader
from autograder.notebook.build_notebooks import build_notebook
from autograder.notebook.fill import fill
from autograder.sandbox.parent_pool import Sandbox
from tests.attacks.conftest import TIERS
from tests.conftest import ROOT

pytestmark = pytest.mark.parametrize("sandbox", TIERS[:1], indirect=True)
Graded = Callable[..., dict[str, PartReport]]

HONEST = """
class Linear(torch.nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.zeros(outputs, inputs))

    def forward(self, x):
        return x @ self.weight.T
"""


def layer(forward: str, before: str = "") -> str:
    return HONEST.replace("        return x @ self.weight.T", f"        {forward}") + before


OBJECTS = {
    "an object that equals everything": layer(
        "return type('T', (), {'__eq__': lambda s, o: True, 'shape': (3, 5), 'dtype': x.dtype})()"
    ),
    "a class that calls itself a tensor": layer(
        "return type('T', (), {'__class__': property(lambda s: torch.Tensor)})()"
    ),
    "a tensor whose functions lie": layer(
        "return torch.zeros(x.shape[:-1] + self.weight.shape[:1]).as_subclass(Liar)",
        "\nclass Liar(torch.Tensor):\n    @classmethod\n    def __torch_function__(cls, f, t, a=(), k=None):\n"
        "        return True\n",
    ),
    "NaN": layer("return torch.full(x.shape[:-1] + self.weight.shape[:1], torch.nan)"),
    "a list that grows": layer("return [x] * 30000"),
    "a million keys": layer("return {number: x for number in range(10**6)}"),
    "a generator without an end": layer("return (x for _ in iter(int, 1))"),
    "a dict that lies about its length": layer(
        "return type('D', (dict,), {'__len__': lambda s: 0, 'items': lambda s: iter([])})(a=x)"
    ),
    "an object that reduces to a call": layer(
        "return type('R', (), {'__reduce__': lambda s: (exec, ('raise SystemExit',))})()"
    ),
    "a state that lies": HONEST.replace("x @ self.weight.T", "x * 0")
    + "\nLinear.state_dict = Linear.named_parameters = lambda s, *a, **k: {'weight': s.weight}\n",
    "a class with a lying metaclass": (
        "class M(type):\n    def __call__(cls, *a):\n        return cls\n"
        "    def __getattr__(cls, name):\n        return lambda *a, **k: cls\n"
        "class Linear(metaclass=M):\n    pass\n"
    ),
    "a patched torch": HONEST.replace("x @ self.weight.T", "x @ self.weight.T + 1")
    + "\ntorch.equal = torch.allclose = lambda *a, **k: True\ntorch.Tensor.__eq__ = lambda s, o: torch.ones(())\n",
    "a patched bench": HONEST.replace("x @ self.weight.T", "x * 0")
    + "\nimport sys\nfor m in list(sys.modules.values()):\n    if getattr(m, '__name__', '').endswith('calls.take_steps'):\n"
    "        m.Bench.take = lambda self, step, make: None\n",
    "exiting": layer("import os; os._exit(0)"),
}
RIGHT_DROPOUT = "return torch.where(torch.rand_like(x) < chance, torch.zeros_like(x), x / (1 - chance))"
PROPERTIES = {
    "NaN": "return x * torch.nan",
    "infinite": "return x / 0",
    "zeros": "return torch.zeros_like(x)",
    "the input": "return x",
    "another shape": "return torch.where(torch.rand(1, 50) < chance, 0 * x[:1], x[:1] / (1 - chance))",
    "another precision": RIGHT_DROPOUT.replace("return ", "return (") + ").double()",
    "an object": "return type('Y', (), {'__ne__': lambda s, o: s, '__getitem__': lambda s, i: s})()",
    "always the same": "torch.manual_seed(0); " + RIGHT_DROPOUT,
    "a list": "return x.tolist()",
}


@pytest.fixture(scope="module")
def course() -> Course:
    return load_course(ROOT / "examples" / "courses" / "language_models")


@pytest.fixture
def graded(course: Course, sandbox: Sandbox) -> Graded:
    def grade(name: str, **answers: str) -> dict[str, PartReport]:
        problem = course.problems[name]
        grader = Grader(problem, course.solutions[name], course.secret)
        notebook = fill(build_notebook(problem, "s", course.root), answers)
        return {report.part: report for report in grader.grade(notebook, "eve", sandbox.run)}

    return grade


@pytest.mark.parametrize("source", OBJECTS.values(), ids=OBJECTS)
def test_an_object_that_lies_earns_nothing(graded: Graded, source: str) -> None:
    report = graded("layers", Linear=source)["Linear"]
    assert report.score == 0
    assert report.verdict == "wrong"


@pytest.mark.parametrize("body", PROPERTIES.values(), ids=PROPERTIES)
def test_a_result_that_is_no_answer_holds_of_nothing(graded: Graded, body: str) -> None:
    report = graded("chance", dropout=f"def dropout(x, chance):\n    {body}")["dropout"]
    assert report.score == 0


def test_honest_answers_beside_them_earn_their_marks(graded: Graded) -> None:
    assert graded("layers", Linear=HONEST)["Linear"].score == 1
    right = f"def dropout(x, chance):\n    {RIGHT_DROPOUT}"
    assert graded("chance", dropout=right)["dropout"].score == 2


@pytest.mark.parametrize("value", ["float('nan')", "torch.tensor(float('nan'))", "[float('nan')]"])
def test_nan_is_refused_before_a_property_that_it_would_pass(sandbox: Sandbox, value: str) -> None:
    def never_above_one(f: Callable[..., object], x: object) -> bool:
        found = f(x)
        return not bool(max(found) > 1 if isinstance(found, list) else found > 1)  # type: ignore[operator,type-var]

    returns = "[]" if "tensor" in value else "list[float]" if "[" in value else "float"
    promise = Promise(f"returns {returns}", ("x",), {}, "float32")
    names: dict[str, object] = {}
    exec(f"import torch\ndef f(x):\n    return {value}", names)
    found = decide([("stays below 1", never_above_one)], "f", promise, [1], local_ask(names), __file__)
    assert (found.passed, found.says) == (False, "stays below 1: it gives NaN")


ROTARY = "def rotary_scores(q, k, positions):\n    return rotated(q, positions) @ rotated(k, positions).T"
STANDING_IN = {
    "it asks for ever": "def rotary_scores(q, k, positions):\n    while True:\n        rotated(q, positions)",
    "it asks for too much": (
        "def rotary_scores(q, k, positions):\n    rotated(torch.zeros(3000, 3000), positions)\n" + ROTARY[42:]
    ),
    "it asks with an object": "def rotary_scores(q, k, positions):\n    return rotated(object(), positions)",
    "it asks for what the reference refuses": (
        "def rotary_scores(q, k, positions):\n    return rotated(positions, q)"
    ),
    "it hides that it asked": (
        "def rotary_scores(q, k, positions):\n    try:\n        rotated(q, positions)\n    except BaseException:\n"
        "        pass\n    return q @ k.T"
    ),
    "it hands over what stood in": "def rotary_scores(q, k, positions):\n    return rotated(q, positions)",
}
WRONG = "def rotated(x, positions):\n    return x"


@pytest.mark.parametrize("source", STANDING_IN.values(), ids=STANDING_IN)
def test_what_stands_in_gives_no_marks_by_itself(graded: Graded, source: str) -> None:
    reports = graded("layers", rotated=WRONG, rotary_scores=source)
    assert (reports["rotated"].score, reports["rotary_scores"].score) == (0, 0)


def test_a_slip_of_an_earlier_part_costs_once(graded: Graded) -> None:
    report = graded("layers", rotated=WRONG, rotary_scores=ROTARY)["rotary_scores"]
    assert report.score == 1
    assert "its right values stood in here" in report.feedback
    alone = graded("layers", rotary_scores=ROTARY)["rotary_scores"]  # the earlier one is not written at all
    assert alone.score == 1
    wrong = graded("layers", rotated=WRONG, rotary_scores=f"{ROTARY} * 2")["rotary_scores"]
    assert wrong.score == 0


def test_a_student_never_has_the_reference(graded: Graded) -> None:
    """What stands in is a function of ours: its text, its names and what it closes over tell no answer."""
    source = (
        "def rotary_scores(q, k, positions):\n    import inspect\n    f = rotated\n"
        "    said = repr([c.cell_contents for c in f.__closure__ or ()]) + repr(f.__code__.co_names)\n"
        "    raise RuntimeError('LEAK ' + said)"
    )
    report = graded("layers", rotated=WRONG, rotary_scores=source)["rotary_scores"]
    assert report.score == 0
    assert "cos" not in report.feedback
